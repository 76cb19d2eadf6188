/* cpu.h - what this processor can do beyond what every one of its kind can.
 *
 * Where vector code pays, a way for any processor stands beside it, is tested
 * against it, and gives the same. -DCPROF_PLAIN builds only the former. */
#ifndef BASE_CPU_H
#define BASE_CPU_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(CPROF_PLAIN)
# define CPU_AVX2_BUILT 1 /* code for AVX2 can be, and is, built */
#else
# define CPU_AVX2_BUILT 0
#endif

/* Whether such code is built and this processor can run it: AVX2, and the bit
 * instructions of BMI 1 and 2, which came with it. */
bool cpu_has_avx2(void);

#endif

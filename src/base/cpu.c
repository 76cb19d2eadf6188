#include "base/cpu.h"

bool cpu_has_avx2(void)
{
#if CPU_AVX2_BUILT
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

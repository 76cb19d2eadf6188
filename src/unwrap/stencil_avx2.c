/* Copying by a stencil, 32 bytes at a time. */
#include "base/cpu.h"
#include "unwrap/stencil.h"

#if CPU_AVX2_BUILT

# include <immintrin.h>

/* Inlined whatever the size: this is the loop in which the time goes. */
# define BYTES_TARGET __attribute__((target("avx2,bmi,bmi2"), always_inline))

BYTES_TARGET static inline __m256i load(const void *at)
{
    return _mm256_loadu_si256((const __m256i *)at);
}

BYTES_TARGET static inline bool bytes_fit(const struct stencil_side *side,
                                          const char *at)
{
    for (size_t i = 0; i < side->n_blocks * STENCIL_BLOCK; i += STENCIL_BLOCK) {
        __m256i above = _mm256_sub_epi8(load(at + i), load(side->low + i));
        __m256i within = _mm256_min_epu8(above, load(side->span + i));

        if (_mm256_movemask_epi8(_mm256_cmpeq_epi8(above, within)) != -1)
            return false;
    }
    return true;
}

BYTES_TARGET static inline __m256i find_byte(__m256i block, char c)
{
    return _mm256_cmpeq_epi8(block, _mm256_set1_epi8(c));
}

BYTES_TARGET static inline const char *bytes_copy(const char *at,
                                                  const char *last, char *into,
                                                  bool is_escaped)
{
    for (; at <= last; at += STENCIL_BLOCK, into += STENCIL_BLOCK) {
        __m256i block = load(at);
        __m256i found = find_byte(block, '\n');
        uint32_t bits;

        _mm256_storeu_si256((__m256i *)(void *)into, block);
        if (is_escaped)
            found =
                _mm256_or_si256(found, _mm256_or_si256(find_byte(block, '"'),
                                                       find_byte(block, '\\')));
        bits = (uint32_t)_mm256_movemask_epi8(found);
        if (bits)
            return at + _tzcnt_u32(bits);
    }
    return NULL;
}

# include "unwrap/stencil_run.h"

__attribute__((target("avx2,bmi,bmi2"))) void stencil_run_avx2(
    const struct stencil *stencil, struct stencil_copy *copy)
{
    run(stencil, copy);
}

#else

void stencil_run_avx2(const struct stencil *stencil, struct stencil_copy *copy)
{
    stencil_run_plain(stencil, copy);
}

#endif

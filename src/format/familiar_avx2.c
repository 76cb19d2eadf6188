/* Comparing with what is familiar, 32 bytes at a time. */
#include "base/cpu.h"
#include "format/familiar.h"

#if CPU_AVX2_BUILT

# include <immintrin.h>

/* Inlined whatever the size: this is the loop in which the time goes. */
# define BYTES_TARGET __attribute__((target("avx2,bmi,bmi2"), always_inline))

BYTES_TARGET static inline __m256i load(const char *at)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)at);
}

/* A bit for every byte of the 32 at the cursor that is c. */
BYTES_TARGET static inline uint32_t find_byte(__m256i block, char c)
{
    return (uint32_t)_mm256_movemask_epi8(
        _mm256_cmpeq_epi8(block, _mm256_set1_epi8(c)));
}

/* A bit for every byte of the 32 at two places that differs. */
BYTES_TARGET static inline uint32_t find_difference(const char *a,
                                                    const char *b)
{
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(load(a), load(b)));
}

BYTES_TARGET static inline bool bytes_same(const char *a, const char *b,
                                           size_t n)
{
    for (; n > 64; a += 64, b += 64, n -= 64) {
        if (find_difference(a, b) | find_difference(a + 32, b + 32))
            return false;
    }
    if (n > 32) {
        if (find_difference(a, b))
            return false;
        a += 32;
        b += 32;
        n -= 32;
    }
    return _bzhi_u32(find_difference(a, b), (uint32_t)n) == 0;
}

BYTES_TARGET static inline const char *bytes_line_end(const char *at,
                                                      const char *end)
{
    for (; end - at >= 32; at += 32) {
        uint32_t found = find_byte(load(at), '\n');

        if (found)
            return at + _tzcnt_u32(found);
    }
    return at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
}

/* A bit for every byte that is a parenthesis or a line end: each of these is
 * what the table has at its lower four bits, and no other byte is. */
BYTES_TARGET static inline uint32_t find_ends(__m256i block)
{
    __m256i table = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(-1, 0, 0, 0, 0, 0, 0, 0, '(', ')', '\n', 0, 0, 0, 0, 0));

    return (uint32_t)_mm256_movemask_epi8(
        _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, block), block));
}

BYTES_TARGET static inline const char *bytes_args(const char *at,
                                                  const char *end)
{
    for (; end - at >= 64; at += 64) {
        uint64_t ends = find_ends(load(at)) | (uint64_t)find_ends(load(at + 32))
                                                  << 32;

        if (ends) {
            at += _tzcnt_u64(ends);
            return *at == ')' ? at : NULL;
        }
    }
    return NULL;
}

# include "format/familiar_match.h"

__attribute__((target("avx2,bmi,bmi2"))) bool familiar_match_avx2(
    const struct familiars *familiars, struct familiar_match *match)
{
    return match_goroutine(familiars, match);
}

#else

bool familiar_match_avx2(const struct familiars *familiars,
                         struct familiar_match *match)
{
    return familiar_match_plain(familiars, match);
}

#endif

/* Comparing with what is familiar, 32 bytes at a time. */
#include "format/familiar.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(CPROF_PLAIN)

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

BYTES_TARGET static inline bool bytes_same(const char *a, const char *b,
                                           size_t n)
{
    for (;; a += 32, b += 32, n -= 32) {
        uint32_t differ = ~(uint32_t)_mm256_movemask_epi8(
            _mm256_cmpeq_epi8(load(a), load(b)));

        if (n <= 32)
            return _bzhi_u32(differ, (uint32_t)n) == 0;
        if (differ)
            return false;
    }
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

/* A bit for each of 64 bytes that is a parenthesis: "(" and ")" differ in the
 * lowest bit. */
BYTES_TARGET static inline uint64_t find_parentheses(__m256i low, __m256i high)
{
    __m256i one = _mm256_set1_epi8(1);

    return find_byte(_mm256_or_si256(low, one), ')') |
           (uint64_t)find_byte(_mm256_or_si256(high, one), ')') << 32;
}

BYTES_TARGET static inline const char *bytes_args(const char *at,
                                                  const char *end)
{
    bool is_closed = false; /* by the last byte of the 64 before */

    for (; end - at >= 128; at += 64) {
        __m256i low = load(at);
        __m256i high = load(at + 32);
        uint64_t lines = find_byte(low, '\n') | (uint64_t)find_byte(high, '\n')
                                                    << 32;
        uint64_t parentheses = find_parentheses(low, high);

        if (lines) {
            unsigned line = (unsigned)_tzcnt_u64(lines);
            uint64_t last = line ? (uint64_t)1 << (line - 1) : 0;

            if (_bzhi_u64(parentheses, line) != last || is_closed != !line ||
                at[(ptrdiff_t)line - 1] != ')')
                return NULL;
            return at + line;
        }
        if (is_closed || parentheses & ~((uint64_t)1 << 63))
            return NULL;
        is_closed = parentheses != 0;
    }
    return NULL;
}

# include "format/familiar_match.h"

__attribute__((target("avx2,bmi,bmi2"))) bool familiar_match_avx2(
    const struct familiars *familiars, struct familiar_match *match)
{
    return match_goroutine(familiars, match);
}

bool familiar_has_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
}

#else

bool familiar_match_avx2(const struct familiars *familiars,
                         struct familiar_match *match)
{
    return familiar_match_plain(familiars, match);
}

bool familiar_has_avx2(void)
{
    return false;
}

#endif

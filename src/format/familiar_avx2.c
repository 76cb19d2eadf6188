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

/* A bit for every byte of the 64 at the cursor that is a line end. */
BYTES_TARGET static inline uint64_t find_line_ends(const char *at)
{
    return find_byte(load(at), '\n') | (uint64_t)find_byte(load(at + 32), '\n')
                                           << 32;
}

/* The end of the second line, which is mostly near. How long lines are cannot
 * be foreseen: nothing here depends on it by a branch. */
BYTES_TARGET static inline const char *bytes_second_end(const char *at,
                                                        const char *end)
{
    enum { WORDS = 4 };
    uint64_t ends[WORDS]; /* those of lines from the second on */
    uint64_t before = 0;  /* all bits once the first line has ended */
    unsigned offset = 64 * WORDS;

    if (end - at < 64 * WORDS)
        return familiar_second_end(at, end);
    for (unsigned i = 0; i < WORDS; i++) {
        uint64_t all = find_line_ends(at + 64 * i);

        ends[i] = all & (before | (all - 1));
        before |= -(uint64_t)(all != 0);
    }
    for (unsigned i = WORDS; i-- > 0;) {
        unsigned here = 64 * i + (unsigned)_tzcnt_u64(ends[i]);

        offset = ends[i] ? here : offset;
    }
    return offset < 64 * WORDS ? at + offset : familiar_second_end(at, end);
}

/* A bit for every byte that is a parenthesis, a line end or NUL: each of these
 * is what the table has at its lower four bits, and no other byte is. */
BYTES_TARGET static inline uint32_t find_ends(__m256i block)
{
    __m256i table = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, '(', ')', '\n', 0, 0, 0, 0, 0));

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

/* A byte of -1 for every byte of a text that is that of a mould, or may stand
 * where it is open. */
BYTES_TARGET static inline __m256i fill(const char *at, const char *mould)
{
    __m256i table = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, '(', ')', '\n', 0, 0, 0, 0, 0));
    __m256i text = load(at);
    __m256i known = load(mould);
    __m256i ends = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, text), text);
    __m256i open = _mm256_cmpeq_epi8(known, _mm256_set1_epi8(FAMILIAR_OPEN));

    return _mm256_or_si256(_mm256_cmpeq_epi8(text, known),
                           _mm256_andnot_si256(ends, open));
}

BYTES_TARGET static inline bool bytes_digits(const char *at, unsigned n)
{
    __m256i values = _mm256_sub_epi8(load(at), _mm256_set1_epi8('0'));
    __m256i are_digits =
        _mm256_cmpeq_epi8(_mm256_min_epu8(values, _mm256_set1_epi8(9)), values);

    return _bzhi_u32(~(uint32_t)_mm256_movemask_epi8(are_digits), n) == 0;
}

/* A bit for every byte of the 64 that is not that of a mould. */
BYTES_TARGET static inline uint64_t find_misfits(const char *at,
                                                 const char *mould)
{
    __m256i low = fill(at, mould);
    __m256i high = fill(at + 32, mould + 32);

    if (_mm256_movemask_epi8(_mm256_and_si256(low, high)) == -1)
        return 0;
    return ~((uint32_t)_mm256_movemask_epi8(low) |
             (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32);
}

/* The last block overlaps the one before: then nothing depends on the rest. */
BYTES_TARGET static inline size_t bytes_fill(const char *at, const char *mould,
                                             size_t n)
{
    size_t i = 0;
    uint64_t misfits = 0;

    while (i + 64 < n && !(misfits = find_misfits(at + i, mould + i)))
        i += 64;
    if (!misfits) {
        i = n - 64;
        misfits = find_misfits(at + i, mould + i);
    }
    return misfits ? i + _tzcnt_u64(misfits) : n;
}

# define BYTES_FILL 1
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

/* hex.h - words of hexadecimal digits, sixteen at a time.
 *
 * What a dump prints of arguments is such words; of many goroutines all are
 * read. SSE2 is part of every x86-64. */
#ifndef BASE_HEX_H
#define BASE_HEX_H

#include "base/str.h"

#if defined(__SSE2__) && defined(__x86_64__) && !defined(CPROF_PLAIN)

# include <emmintrin.h>

/* The value of 16 digits, of which the first n are some and the others are
 * anything; *ret_n is n. */
static inline uint64_t hex_block(const char *at, unsigned *ret_n)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i digits = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    __m128i letters = _mm_sub_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x20)),
                                   _mm_set1_epi8('a'));
    __m128i are_digits =
        _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits);
    __m128i are_letters =
        _mm_cmpeq_epi8(_mm_min_epu8(letters, _mm_set1_epi8(5)), letters);
    unsigned others =
        ~(unsigned)_mm_movemask_epi8(_mm_or_si128(are_digits, are_letters));
    unsigned n = (unsigned)__builtin_ctz(others | 0x10000);
    __m128i mixed = _mm_or_si128(
        _mm_and_si128(are_digits, digits),
        _mm_andnot_si128(are_digits, _mm_add_epi8(letters, _mm_set1_epi8(10))));
    /* What is no digit must not reach into its neighbour. */
    __m128i nibbles = _mm_and_si128(mixed, _mm_set1_epi8(15));
    __m128i pairs = _mm_and_si128(
        _mm_or_si128(_mm_slli_epi16(nibbles, 4), _mm_srli_epi16(nibbles, 8)),
        _mm_set1_epi16(0xff));
    uint64_t value =
        (uint64_t)_mm_cvtsi128_si64(_mm_packus_epi16(pairs, pairs));

    *ret_n = n;
    return n ? __builtin_bswap64(value) >> (64 - 4 * n) : 0;
}

#else

/* The same without vectors. */
static inline uint64_t hex_block(const char *at, unsigned *ret_n)
{
    struct str digits = {at, 16};
    uint64_t value = 0;

    str_cut_hex(&digits, &value);
    *ret_n = 16 - (unsigned)digits.len;
    return value;
}

#endif

/* Cuts digits off *at, as str_cut_hex does: false, with *at where it stood,
 * when there are none before end, or too many for 64 bits. Memory up to
 * readable, which is at or behind end, may be read. */
static inline bool hex_cut(const char **at, const char *end,
                           const char *readable, uint64_t *ret)
{
    struct str rest = {*at, (size_t)(end - *at)};
    unsigned n;

    if (readable - *at > 16) {
        uint64_t value = hex_block(*at, &n);

        if (n < 16 && n <= rest.len) {
            *at += n;
            *ret = value;
            return n > 0;
        }
    }
    if (!str_cut_hex(&rest, ret))
        return false;
    *at = rest.len ? rest.ptr : end;
    return true;
}

#endif

/* sieve.h - tells by a few bits that a name cannot match an expression.
 *
 * Each pair of neighbouring bytes stands for one of 256 bits, and so do the
 * beginning with the first byte and the last byte with the end. A text has the
 * bits of all its pairs; an expression has those of the pairs that every text
 * it matches must hold, and of its choices ("worker|consumer") those of each
 * alternative, of which the text must hold all of one. Where that fails there
 * is no need to run the expression: for most expressions and names that is so,
 * and it takes a nanosecond to see. */
#ifndef RULES_SIEVE_H
#define RULES_SIEVE_H

#include "base/str.h"

enum { SIEVE_WORDS = 4, SIEVE_CHOICES_MOST = 32 };

/* A name of 50 bytes sets a fifth of them. */
struct sieve_bits {
    uint64_t words[SIEVE_WORDS];
};

struct sieve {
    struct sieve_bits needed;
    const struct sieve_bits *choices; /* one of them is needed as well */
    unsigned n_choices;               /* 0 = nothing more is needed */
    bool is_caseless;                 /* the bits are those of small letters */
};

struct sieve_text {
    struct sieve_bits bits;
    struct sieve_bits caseless; /* the same with small letters for capital
                                   ones */
};

/* The bits of a text. */
struct sieve_text sieve_of_text(struct str text);

/* The bits that every text has that the expression matches; fewer where it is
 * hard to tell, none where it cannot be told. The choices are written into the
 * room. The expression must be one that PCRE2 compiles without options that
 * change the meaning of letters; "(?i)" at its beginning is understood. */
struct sieve sieve_of_expression(
    struct str expression, struct sieve_bits room[static SIEVE_CHOICES_MOST]);

/* Whether all of the needed bits are there. */
static inline bool sieve_has(const struct sieve_bits *bits,
                             const struct sieve_bits *needed)
{
    uint64_t lacking = 0;

    for (unsigned i = 0; i < SIEVE_WORDS; i++)
        lacking |= needed->words[i] & ~bits->words[i];
    return !lacking;
}

/* Whether the text may match. */
static inline bool sieve_lets_pass(const struct sieve *sieve,
                                   const struct sieve_text *text)
{
    const struct sieve_bits *bits =
        sieve->is_caseless ? &text->caseless : &text->bits;

    if (!sieve_has(bits, &sieve->needed))
        return false;
    for (unsigned i = 0; i < sieve->n_choices; i++) {
        if (sieve_has(bits, &sieve->choices[i]))
            return true;
    }
    return !sieve->n_choices;
}

#endif

/* sieve.h - tells by a few bits that a name cannot match an expression.
 *
 * Each pair of neighbouring bytes stands for one of 64 bits, and so do the
 * beginning with the first byte and the last byte with the end. A text has the
 * bits of all its pairs; an expression has those of the pairs that every text
 * it matches must hold, and of its choices ("worker|consumer") those of each
 * alternative, of which the text must hold all of one. Where that fails there
 * is no need to run the expression: for most expressions and names that is so,
 * and it takes a nanosecond to see. */
#ifndef RULES_SIEVE_H
#define RULES_SIEVE_H

#include "base/str.h"

enum { SIEVE_CHOICES_MOST = 24 };

struct sieve {
    uint64_t needed;
    uint64_t choices[SIEVE_CHOICES_MOST]; /* one of them is needed as well */
    unsigned n_choices;                   /* 0 = nothing more is needed */
    bool is_caseless; /* the bits are those of small letters */
};

struct sieve_text {
    uint64_t bits;
    uint64_t caseless; /* the same with small letters for capital ones */
};

/* The bits of a text. */
struct sieve_text sieve_of_text(struct str text);

/* The bits that every text has that the expression matches; fewer where it is
 * hard to tell, none where it cannot be told. The expression must be one that
 * PCRE2 compiles without options that change the meaning of letters; "(?i)" at
 * its beginning is understood. */
struct sieve sieve_of_expression(struct str expression);

/* Whether the text may match. */
static inline bool sieve_lets_pass(const struct sieve *sieve,
                                   struct sieve_text text)
{
    uint64_t lacking = ~(sieve->is_caseless ? text.caseless : text.bits);

    if (sieve->needed & lacking)
        return false;
    for (unsigned i = 0; i < sieve->n_choices; i++) {
        if (!(sieve->choices[i] & lacking))
            return true;
    }
    return !sieve->n_choices;
}

#endif

/* sieve.h - tells by 64 bits that a name cannot match an expression.
 *
 * Each pair of neighbouring bytes stands for one of 64 bits. A text has the
 * bits of all its pairs; an expression has those of the pairs that every text
 * it matches must hold. Where the expression has a bit that the text lacks,
 * there is no need to run it: for most expressions and names that is so, and
 * it takes a nanosecond to see. */
#ifndef RULES_SIEVE_H
#define RULES_SIEVE_H

#include "base/str.h"

typedef uint64_t sieve;

/* The bits of a text. */
sieve sieve_of_text(struct str text);

/* The bits that every text has that the expression matches; fewer where it is
 * hard to tell, 0 where it cannot be told. The expression must be one that
 * PCRE2 compiles without options that change the meaning of letters. */
sieve sieve_of_expression(struct str expression);

/* Whether the text may match. */
static inline bool sieve_lets_pass(sieve expression, sieve text)
{
    return (expression & ~text) == 0;
}

#endif

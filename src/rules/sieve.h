/* sieve.h - tells by a few bits that a name cannot match an expression.
 *
 * Each pair of neighbouring bytes stands for one of 256 bits, and so do the
 * beginning with the first byte and the last byte with the end. A text has the
 * bits of all its pairs; an expression has those of the pairs that every text
 * it matches must hold, and of its choices ("worker|consumer") those of each
 * alternative, of which the text must hold all of one. Where that fails there
 * is no need to run the expression: for most expressions and names that is
 * so. */
#ifndef RULES_SIEVE_H
#define RULES_SIEVE_H

#include "base/str.h"

enum { SIEVE_WORDS = 4, SIEVE_CHOICES_MOST = 128 };

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

/* A set of texts, by the order in which they were added. */
enum { SIEVE_TEXTS = 256 };
struct sieve_set {
    uint64_t words[SIEVE_TEXTS / 64];
};

/* Texts that are asked about together: for each bit those that have it, and
 * those that have it with small letters for capital ones. */
struct sieve_texts {
    struct sieve_set with[SIEVE_WORDS * 64];
    struct sieve_set caseless[SIEVE_WORDS * 64];
    struct sieve_set all;
    unsigned count;
};

/* Adds a text; there must be fewer than SIEVE_TEXTS. All zero is none. */
void sieve_texts_add(struct sieve_texts *texts, struct str text);

/* The bits that every text has that the expression matches; fewer where it is
 * hard to tell, none where it cannot be told. The choices are written into the
 * room. The expression must be one that PCRE2 compiles without options that
 * change the meaning of letters; "(?i)" at its beginning is understood. */
struct sieve sieve_of_expression(
    struct str expression, struct sieve_bits room[static SIEVE_CHOICES_MOST]);

/* The texts that may match. What is asked of all at once costs a step for each
 * bit, not for each text. */
struct sieve_set sieve_pass(const struct sieve *sieve,
                            const struct sieve_texts *texts);

#endif

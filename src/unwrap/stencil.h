/* stencil.h - lines that look like one that was taken apart before.
 *
 * Thousands of lines of a log differ only in their insides and in the digits
 * of a time. A stencil is what stood around the inside of the last line that a
 * wrapping took apart. Lines that fit it are copied without asking the
 * wrapping, which gives the same, only slower. */
#ifndef UNWRAP_STENCIL_H
#define UNWRAP_STENCIL_H

#include "unwrap/wrapping.h"

enum {
    STENCIL_MOST = 1024, /* bytes of a side */
    STENCIL_WORDS = STENCIL_MOST / 8,
};

/* What stands on one side of the inside, eight bytes a word: a byte of a line
 * fits when it is equal to that of want as far as mask goes, and so it must be
 * with that of more added, which is 6 for digits: both 0 and 9 have the high
 * half of '0' then, and nothing else has. */
struct stencil_side {
    size_t len;
    uint64_t want[STENCIL_WORDS];
    uint64_t mask[STENCIL_WORDS];
    uint64_t more[STENCIL_WORDS];
};

struct stencil {
    bool is_set;
    bool is_escaped; /* the inside is that of a quoted string */
    struct stencil_side head;
    struct stencil_side tail;
};

/* Learns from a line and what its wrapping, which is regular, made of it, or
 * keeps what was known where a line cannot be learned from: the inside is
 * empty, has escapes in it, or goes on in another line. */
void stencil_learn(struct stencil *stencil, struct str line,
                   const struct piece *piece);

/* Where lines come from, and where their insides go. */
struct stencil_copy {
    const char *at; /* of the first line */
    const char *end;
    char *into;
    size_t room; /* bytes left there */
    uint64_t n_lines;
};

/* Copies the insides of lines up to the first that does not fit, has no end, or
 * finds no room, each with a line end; moves all fields on. */
void stencil_run(const struct stencil *stencil, struct stencil_copy *copy);

#endif

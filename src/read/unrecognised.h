/* unrecognised.h - what an input is when it is no dump.
 *
 * An input in which no format was recognised is an error that says what came
 * instead, and why that probably is. */
#ifndef READ_UNRECOGNISED_H
#define READ_UNRECOGNISED_H

#include "base/buf.h"
#include "base/error.h"
#include "input/lines.h"

enum {
    FIRST_LINE_MOST = 120, /* bytes of it that are quoted */
    FIRST_LINES = 256,     /* lines that are looked at in any case */
};

/* The head of the first line that is not blank, and what those behind it say.
 * All zero is the beginning. */
struct first_line {
    struct buf text;
    bool is_set;
    unsigned n_seen;
    size_t clue; /* the best of clues.h so far; 0 = none */
};

/* Looks at a line in passing; of lines far down only when is_likely says that
 * they hold a word that matters. */
void first_line_see(struct first_line *first, struct str line, bool is_likely);
void first_line_done(struct first_line *first);

/* Fills *err with CPROF_EFORMAT: the input that was read to its end, its first
 * line, quoted, and its likely cause. */
int unrecognised_error(const struct first_line *first,
                       const struct lines *lines, struct cprof_error *err);

#endif

/* unrecognised.h - what an input is when it is no dump.
 *
 * An input in which no format was recognised is an error that says what came
 * instead, and why that probably is. */
#ifndef READ_UNRECOGNISED_H
#define READ_UNRECOGNISED_H

#include "base/buf.h"
#include "base/error.h"

enum { FIRST_LINE_MOST = 120 };

/* The head of the first line that is not blank. */
struct first_line {
    struct buf text;
    bool is_set;
    bool mentions_goroutine; /* some line speaks of goroutines */
    bool has_race;           /* a report of the race detector stands in it */
};

/* Looks at a line in passing. */
void first_line_see(struct first_line *first, struct str line);
void first_line_done(struct first_line *first);

/* Fills *err with CPROF_EFORMAT: the input of that name and size, quoted, and
 * its likely cause. */
int unrecognised_error(const struct first_line *first, const char *name,
                       uint64_t n_bytes, struct cprof_error *err);

#endif

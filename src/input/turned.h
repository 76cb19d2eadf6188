/* turned.h - lines in memory, given last line first.
 *
 * Log services list their newest line first, and so turn every dump round. To
 * read one, all of its lines have to be there. */
#ifndef INPUT_TURNED_H
#define INPUT_TURNED_H

#include "input/lines.h"

struct turned {
    struct budget *budget;
    char *text; /* whole lines, each with its end */
    size_t len;
    size_t size;
    uint64_t n_lines; /* kept */
    uint64_t n_lost;  /* lines behind them for which there was no memory */
    size_t from;      /* what is not given yet stands before it */
    struct str rest;  /* of the line that is being given */
};

/* Takes all lines from the cursor on. Those that the budget, to which the text
 * is charged, has no room for are counted and passed. */
void turned_fill(struct turned *turned, struct lines *lines);

/* Frees the text. */
void turned_done(struct turned *turned);

/* A source of the lines in the opposite order; turned must outlive it. */
struct source source_from_turned(struct turned *turned);

#endif

/* strays.h - frames that stand beside a dump and belong to none of its
 * goroutines: the header above them is missing or damaged.
 *
 * Only lines right before or behind a dump count. Elsewhere in a log, frames
 * without a header are what programs print of their own errors. */
#ifndef READ_STRAYS_H
#define READ_STRAYS_H

#include "format/format.h"

/* The stretch of lines at hand that no reader recognised, and that may all be
 * of a stack, but for one before them, which may be what is left of a line, and
 * one behind them, which may be a blank one with the prefix of a log. */
struct strays {
    bool has_lines;     /* it has one */
    bool has_frames;    /* one of them is surely of a stack */
    bool has_rest;      /* a line before them is none of a stack */
    bool has_end;       /* one behind them is none */
    bool is_wrapped;    /* they have a prefix */
    bool is_told;       /* a line before them says that lines were left out */
    bool is_behind;     /* a dump ended where it begins */
    bool is_behind_log; /* inside of a log, whose reader ends with it */
    bool is_first;      /* it begins where the input does */
    uint64_t line;      /* of its first frame */

    bool has_begun; /* the input has: a line was seen, or a dump */
    bool is_head;   /* it begins inside a stack that a dump goes on behind */
    bool has_said;  /* that zeros stand in a line */
};

/* Looks at a line that no reader recognised, not a blank one. Returns whether
 * it is a stray frame of the dump before, or says that lines of it were left
 * out; counts it then. */
bool strays_see(struct strays *strays, struct section *section,
                struct str line);

/* Looks at the line at the cursor, in which a dump begins: whether zeros stand
 * before it in place of lines, as a file has where it lost some. Says so. Where
 * the input begins they are what was cut off a log while its writer went on. */
bool strays_see_hole(const struct strays *strays, struct section *section,
                     struct str line);

/* Looks at the line at the cursor, which no reader recognised, before
 * strays_see: whether zeros stand in it in place of lines. Says so once. Where
 * the input ends they are what was set aside for more of a log. */
void strays_see_zeros(struct strays *strays, struct section *section,
                      struct str line);

/* A dump begins. Returns whether frames stand right before it; counts them,
 * unless the input begins with them. */
bool strays_begin_dump(struct strays *strays, struct section *section);

/* A dump has ended, or lines of a log with one. */
void strays_end_dump(struct strays *strays, bool is_log);

#endif

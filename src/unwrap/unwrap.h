/* unwrap.h - dumps inside logs: a line source over a line source.
 *
 * The driver asks unwrap_recognise at a line that no reader recognises. When a
 * wrapping proves itself there, unwrap_open gives a section, and unwrap_next
 * one source after the other, which the driver reads as it reads any input:
 *
 *     if (unwrap_recognise(lines, line, false, &outlook, &shape) &&
 *         unwrap_open(&unwrap, lines, &shape, budget, err) == 0)
 *         while (unwrap_next(unwrap, &stream))
 *             read stream.source;
 *     unwrap_free(unwrap);
 *
 * The first source unwraps as it is read, so that a log of any size takes no
 * memory. Where the lines of several pods or programs are mixed, those of the
 * others are kept from where a dump of theirs begins, charged to the budget,
 * and are sources of their own behind it. Lines that do not fit are passed on
 * as they are, for the reader to step over; UNWRAP_FOREIGN of them in a row, or
 * one in which another dump begins, end the section. */
#ifndef UNWRAP_UNWRAP_H
#define UNWRAP_UNWRAP_H

#include "input/lines.h"
#include "unwrap/line_map.h"
#include "unwrap/wrapping.h"

enum {
    UNWRAP_DEPTH = 3,      /* wrappings inside each other */
    UNWRAP_FOREIGN = 64,   /* lines in a row that do not fit */
    UNWRAP_STREAMS = 4096, /* in one section; the lines of more are skipped */
};

/* One text of a section. What it points to lives as long as the section. */
struct unwrap_stream {
    struct source source;
    struct str instance; /* the pod or host it comes from; empty = unknown */
    struct str process;  /* which of its processes; empty = unknown */
    uint64_t first_line; /* outer line where it begins, as far as kept */
    const uint64_t *last_line; /* where it ends, once it is read; NULL = nobody
                                  looks */
    bool has_times;            /* it has to be read by_time.h */
    bool is_recast;            /* the lines around it in another order or form,
                              which is no wrapping */
    bool lacks_lines;          /* some were left out: no dump is complete */
    struct line_map *map;      /* from its lines to those of the section */
    uint64_t n_lost_bytes;     /* not kept: the budget was reached */
};

struct unwrap;

/* What is known of the lines ahead of one struct lines. */
struct unwrap_outlook {
    struct begin_scanner scanner;
    struct columns columns; /* of a table, which the caller knows */
    uint64_t clear;         /* no begin stands before this byte of the input */
    uint64_t no_goroutine;  /* nor what may be a goroutine before this one */
    uint64_t no_cell;       /* nor labels of a cell of a table */
};

/* Whether the line at the cursor is worth the question; cheap. The outlook is
 * the caller's, begun by unwrap_outlook_init. */
void unwrap_outlook_init(struct unwrap_outlook *outlook);
bool unwrap_is_likely(const struct lines *lines, struct str line,
                      struct unwrap_outlook *outlook);

/* Whether a wrapped dump begins at the line at the cursor of lines; fills
 * *shape. is_plain says that a reader recognises the line as it is: then only
 * what would spoil the lines behind it counts. Looks at no more than
 * LINES_WINDOW bytes behind the line. Slices taken before are void. */
bool unwrap_recognise(struct lines *lines, struct str line, bool is_plain,
                      struct unwrap_outlook *outlook, struct shape *shape);

/* Begins a section at the cursor. Both lines and budget must outlive it. Fails
 * for lack of memory only. */
int unwrap_open(struct unwrap **ret, struct lines *lines,
                const struct shape *shape, struct budget *budget,
                struct cprof_error *err);

/* Ends a section; the cursor stands behind it once its first source has
 * ended. */
void unwrap_free(struct unwrap *unwrap);

/* The next text; false when there is none left. The source that was given
 * before must have been read to its end. Closing a source does nothing. */
bool unwrap_next(struct unwrap *unwrap, struct unwrap_stream *ret);

/* Lines of other streams that belonged to no dump, and the first of them. */
uint64_t unwrap_skipped(const struct unwrap *unwrap, uint64_t *ret_first);

/* Whether among them are dumps of streams beyond UNWRAP_STREAMS. */
bool unwrap_has_more(const struct unwrap *unwrap);

#endif

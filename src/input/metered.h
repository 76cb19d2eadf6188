/* metered.h - a source over a source that tells how much of it was read. */
#ifndef INPUT_METERED_H
#define INPUT_METERED_H

#include "input/source.h"

/* What stands behind a metered source; it must outlive it. */
struct metered {
    struct source inner;
    const char *name; /* of the input */
    uint64_t bytes;   /* read so far */
    int file;         /* where that can be seen, as of source_file, or -1 */
    cprof_progress_fn *tell;
    void *user;
};

/* A source that gives what `inner` gives, and tells of every read. What is read
 * of a file beside it counts when it goes on behind that. It owns `inner` and
 * closes it. */
struct source source_metered(struct metered *metered, struct source inner,
                             const char *name, cprof_progress_fn *tell,
                             void *user);

#endif

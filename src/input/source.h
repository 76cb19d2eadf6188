/* source.h - bytes from anywhere: a file, standard input, memory, a callback.
 *
 * A source reads forward once and is never mapped: a log that is truncated
 * while mapped kills its reader. */
#ifndef INPUT_SOURCE_H
#define INPUT_SOURCE_H

#include "cprof/cprof.h"

#include "base/error.h"

struct source {
    cprof_read_fn *read;
    void *user;
    void (*close)(void *user); /* NULL = nothing to close */
    /* After the end: what was odd about the data, as a text that lives as long
     * as the source, or NULL. The function may be NULL itself. */
    const char *(*trouble)(void *user);
};

/* Opens a file, or standard input for "-". Fails with a message that names
 * the path for what cannot be read: missing, forbidden, a directory. */
int source_open(struct source *ret, const char *path, struct cprof_error *err);

/* Bytes in memory. */
struct source_memory {
    struct str rest;
    size_t step; /* what one read gives at most, for tests; 0 = all */
};

/* A source of these bytes; memory must outlive it. */
struct source source_from_memory(struct source_memory *memory);

/* Ends a source. */
void source_close(struct source *source);

#endif

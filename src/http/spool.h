/* spool.h - the body of an answer, kept until somebody reads it.
 *
 * A body is received whole before it is read: an answer that breaks off can be
 * asked for again, and the server never waits for the analysis. Small bodies
 * stay in memory, larger ones go to a file without a name, which is gone when
 * the program ends in whatever way. */
#ifndef HTTP_SPOOL_H
#define HTTP_SPOOL_H

#include "base/buf.h"

/* What stays in memory while a file can be had. */
enum { SPOOL_MEMORY = 2 * 1024 * 1024 };

struct spool {
    const char *folder; /* of temporary files; borrowed */
    size_t most;        /* bytes of memory when there can be no file */
    struct buf memory;  /* the body while there is no file */
    int fd;             /* of the file; -1 = none */
    uint64_t size;      /* of the body */
    uint64_t offset;    /* where spool_read goes on */
};

/* An empty body, and its end. */
void spool_init(struct spool *spool, const char *folder, size_t most);
void spool_done(struct spool *spool);

/* Throws away what was received, for another attempt. */
void spool_clear(struct spool *spool);

/* Appends bytes. False, with errno set, when they cannot be kept. */
bool spool_add(struct spool *spool, const void *bytes, size_t size);

/* Reads on from the beginning (a cprof_read_fn over a struct spool). */
ptrdiff_t spool_read(void *spool, void *into, size_t size);

/* The first bytes of the body, at most size; returns how many. They do not
 * count as read. */
size_t spool_peek(const struct spool *spool, void *into, size_t size);

#endif

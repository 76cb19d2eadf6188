/* source.h - bytes from anywhere: a file, standard input, memory, a callback.
 *
 * A source reads forward once and is never mapped: a log that is truncated
 * while mapped kills its reader. */
#ifndef INPUT_SOURCE_H
#define INPUT_SOURCE_H

#include "cprof/cprof.h"

#include "base/error.h"

/* In pieces of so many bytes the kernel keeps a file; it copies whole ones to
 * where one begins in memory faster than parts. */
enum { SOURCE_PAGE = 4096 };

struct source {
    cprof_read_fn *read;
    void *user;
    void (*close)(void *user); /* NULL = nothing to close */
    /* After the end: what was odd about the data, as a text that lives as long
     * as the source, or NULL. The function may be NULL itself. */
    const char *(*trouble)(void *user);
};

/* What is wrong with the packing of the input, once it has ended, or NULL. */
static inline const char *source_trouble(const struct source *source)
{
    return source->trouble ? source->trouble(source->user) : NULL;
}

/* Opens a file, or standard input for "-". Fails with a message that names
 * the path for what cannot be read: missing, forbidden, a directory. */
int source_open(struct source *ret, const char *path, struct cprof_error *err);

/* When what source_open would open was last written, in Unix time; 0 = it is no
 * regular file, or that is not known. */
int64_t source_written_ns(const char *path);

/* Bytes in memory. */
struct source_memory {
    struct str rest;
    size_t step; /* what one read gives at most, for tests; 0 = all */
};

/* A source of these bytes; memory must outlive it. */
struct source source_from_memory(struct source_memory *memory);

/* Fills size bytes from pieces, for sources that have them in memory: from
 * *rest, and when that is empty from what next puts there; next returns false
 * when there is no more. Returns how many bytes were filled. */
ptrdiff_t source_pour(void *into, size_t size, struct str *rest,
                      bool (*next)(void *user), void *user);

/* The descriptor of a regular file that source_open opened by its name, which
 * can be read at any offset beside what the source reads; -1 for another. The
 * source still owns it. */
int source_file(const struct source *source);

/* Where borders are looked for, and what one part of a file is. */
struct source_range {
    int file; /* of source_file */
    uint64_t at;
    uint64_t end;
};

/* A source of these bytes of a file; range must outlive it, and the file stays
 * open. Sources of one file may be read by several threads. */
struct source source_from_range(struct source_range *range);

/* Reads up to size bytes at an offset. Returns how many there are. */
size_t source_read_at(int file, void *into, size_t size, uint64_t offset);

/* The size of a file in bytes, 0 when it is not known. */
uint64_t source_file_size(int file);

/* Makes the source that owns the file go on at an offset; false when it cannot.
 */
bool source_seek(int file, uint64_t offset);

/* The offset at which it goes on; 0 when it cannot be told. */
uint64_t source_position(int file);

/* Ends a source. */
void source_close(struct source *source);

#endif

/* check_save.h - the dumps of new alerts, kept for whoever looks into them.
 *
 * On call one restarts first; what shows the leak is gone then. Files are for
 * their owner alone, appear whole or not at all, and the oldest go when there
 * are too many. */
#ifndef CLI_CHECK_SAVE_H
#define CLI_CHECK_SAVE_H

#include "base/buf.h"
#include "base/error.h"
#include "http/spool.h"

/* Of one file, 64 MiB: where net/http/pprof itself cuts a debug=2. */
#define SAVE_BYTES ((uint64_t)64 << 20)

/* What a file's name says. */
struct save_name {
    const char *service;
    struct str instance;
    int64_t taken_ns;
    const char *what; /* "dump.txt", "stacks.txt" */
};

/* Writes a spool from its beginning into a folder, which is made if only itself
 * is missing, and appends the path of the new file to path. */
int save_spool(const char *folder, const struct save_name *name,
               struct spool *spool, struct buf *path, struct cprof_error *err);

/* Removes the oldest of the files that save_spool made in a folder until only
 * `most` are left. */
void save_prune(const char *folder, uint64_t most);

#endif

/* check_memory.h - alerts as the history keeps them.
 *
 * What other tools may ask for has fields of its own there (store.h); the rest
 * stands in `data` as netstrings, "LENGTH:BYTES,", of which the first is a
 * version. */
#ifndef CLI_CHECK_MEMORY_H
#define CLI_CHECK_MEMORY_H

#include "notify/alerts.h"
#include "store/store.h"

/* Reads the alerts of an instance, in arena. Data of another version is
 * CPROF_EFORMAT. */
int check_memory_read(struct store *store, struct str instance,
                      struct alerts *ret, struct arena *arena,
                      struct cprof_error *err);

/* Writes them, in place of all that were there. */
int check_memory_write(struct store *store, struct str instance,
                       const struct alerts *alerts, struct cprof_error *err);

#endif

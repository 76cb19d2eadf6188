/* check_series.h - what a new dump is compared with. */
#ifndef CLI_CHECK_SERIES_H
#define CLI_CHECK_SERIES_H

#include "store/store.h"

/* Reads the series of a process that runs, up to a moment: of each window that
 * growth is judged over at most 64 snapshots, and 8 of them with all that was
 * kept, so that a run costs the same after a month as after a day. */
int check_series_read(struct cprof_snapshots **ret, struct store *store,
                      struct str instance, int64_t to_ns,
                      const struct cprof_options *options,
                      struct cprof_error *err);

#endif

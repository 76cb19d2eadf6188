#include "cli/check_series.h"

enum { POINTS = 64, WHOLE = 8 };

int check_series_read(struct cprof_snapshots **ret, struct store *store,
                      struct str instance, int64_t to_ns,
                      const struct cprof_options *options,
                      struct cprof_error *err)
{
    struct store_query query = {.has_instance = true,
                                .instance = instance,
                                .to_ns = to_ns,
                                .last_segment = true,
                                .points = POINTS};
    struct cprof_snapshots *series = NULL;
    int rc = cprof_snapshots_new(&series, options, err);

    if (rc < 0)
        return rc;
    cprof_snapshots_compare(series);
    rc = store_read(store, &query, WHOLE, series, NULL, err);
    if (rc < 0) {
        cprof_snapshots_free(series);
        return rc;
    }
    *ret = series;
    return 0;
}

#include "support/exporting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/sites.h"

#include <cmocka.h>

static int append(void *user, const char *bytes, size_t size)
{
    buf_add(user, (struct str){bytes, size});
    return 0;
}

int exporting_write(struct reading *reading, const char *form, struct buf *out,
                    struct cprof_error *err)
{
    struct cprof_snapshots *snapshots = reading->snapshots;
    size_t *chosen = calloc(snapshots->count, sizeof(*chosen));
    struct export_request request = {.format = export_format_find(form, err),
                                     .snapshots = snapshots,
                                     .chosen = chosen,
                                     .site = site_find};
    struct analysis *analysis = NULL;
    int rc;

    assert_non_null(chosen);
    assert_non_null(request.format);
    assert_int_equal(analysis_new(&analysis, snapshots, err), 0);
    for (size_t i = 0; i < snapshots->count; i++) {
        if (analysis_is_judged(analysis, i))
            chosen[request.n_chosen++] = i;
    }
    analysis_free(analysis);
    rc = export_write(&request, append, out, err);
    free(chosen);
    return rc;
}

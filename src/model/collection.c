#include "model/collection.h"

#include <stdlib.h>

#include "model/options.h"

int cprof_snapshots_new(struct cprof_snapshots **ret,
                        const struct cprof_options *options,
                        struct cprof_error *err)
{
    struct cprof_snapshots *snapshots = calloc(1, sizeof(*snapshots));
    int rc;

    if (!snapshots)
        return error_memory(err, (struct place){0}, "starting");
    snapshots->options = options;
    budget_init(&snapshots->budget, options->max_memory);
    diags_init(&snapshots->diags, &snapshots->budget);
    rc = symbols_new(&snapshots->symbols, &snapshots->budget, err);
    if (rc < 0) {
        cprof_snapshots_free(snapshots);
        return rc;
    }
    *ret = snapshots;
    return 0;
}

void cprof_snapshots_free(struct cprof_snapshots *snapshots)
{
    if (!snapshots)
        return;
    for (size_t i = 0; i < snapshots->count; i++)
        snapshot_free(snapshots->items[i]);
    free(snapshots->items);
    symbols_free(snapshots->symbols);
    diags_done(&snapshots->diags);
    free(snapshots);
}

void cprof_snapshots_watch(struct cprof_snapshots *snapshots,
                           cprof_progress_fn *tell, void *user)
{
    snapshots->tell = tell;
    snapshots->tell_user = user;
}

void cprof_snapshots_compare(struct cprof_snapshots *snapshots)
{
    snapshots->is_series = true;
}

size_t cprof_snapshots_count(const struct cprof_snapshots *snapshots)
{
    return snapshots->count;
}

int collection_add(struct cprof_snapshots *snapshots, struct snapshot **ret,
                   struct cprof_error *err)
{
    struct snapshot **items =
        realloc(snapshots->items, (snapshots->count + 1) * sizeof(*items));
    int rc;

    if (!items)
        return error_memory(err, (struct place){0}, "starting a snapshot");
    snapshots->items = items;
    rc = snapshot_new(ret, snapshots->symbols, err);
    if (rc < 0)
        return rc;
    snapshots->items[snapshots->count++] = *ret;
    return 0;
}

bool collection_has_lost(struct cprof_snapshots *snapshots)
{
    if (!atomic_load(&snapshots->budget.n_refused) && !snapshots->diags.lost)
        return false;
    diag_add_refusal(&snapshots->diags);
    return true;
}

void collection_drop(struct cprof_snapshots *snapshots)
{
    collection_drop_at(snapshots, snapshots->count - 1);
}

void collection_drop_at(struct cprof_snapshots *snapshots, size_t index)
{
    struct snapshot **item = &snapshots->items[index];

    snapshot_free(*item);
    snapshots->count--;
    memmove(item, item + 1, (snapshots->count - index) * sizeof(*item));
}

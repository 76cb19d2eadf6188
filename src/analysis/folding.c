#include "analysis/folding.h"

#include "analysis/states.h"
#include "model/options.h"

enum {
    WHOLE_MOST = 64, /* snapshots that stay whole, at least half as many */
    FOLD_EVERY = 64, /* snapshots that are read between two looks at all */
    INSTANCES_MOST = 64,
};

/* Instances of which the last whole snapshot was met. */
struct met {
    struct str instances[INSTANCES_MOST];
    size_t n;
};

/* Whether an instance was not met before; it is now. */
static bool is_first(struct met *met, struct str instance)
{
    for (size_t i = 0; i < met->n; i++) {
        if (str_equal(met->instances[i], instance))
            return false;
    }
    if (met->n < INSTANCES_MOST)
        met->instances[met->n] = instance;
    met->n++;
    return true;
}

static bool is_foldable(const struct snapshot_info *info)
{
    return info->kind == PROFILE_GOROUTINE && !info->is_proof &&
           info->complete && info->total;
}

/* Folds from the end on, so that the last of each instance is met first. */
static void fold_all(struct cprof_snapshots *snapshots, size_t stride)
{
    struct met met = {.n = 0};

    for (size_t i = snapshots->count; i-- > 0 && met.n <= INSTANCES_MOST;) {
        struct snapshot *snapshot = snapshots->items[i];
        size_t n;

        if (!is_foldable(snapshot_info_get(snapshot)) ||
            is_first(&met, snapshot_info_get(snapshot)->instance) ||
            i % stride == 0 || snapshot_folded(snapshot, &n))
            continue;
        states_infer(snapshot);
        snapshot_fold(snapshot);
    }
}

void folding_step(struct cprof_snapshots *snapshots)
{
    size_t stride = 1;

    if (!snapshots->is_series || snapshots->options->sort_by_time ||
        snapshots->count % FOLD_EVERY)
        return;
    while (snapshots->count / stride > WHOLE_MOST)
        stride *= 2;
    if (stride > 1)
        fold_all(snapshots, stride);
}

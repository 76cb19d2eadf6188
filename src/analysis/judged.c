#include "analysis/judged.h"

bool judged_has_goroutines(const struct analysis *analysis, size_t snapshot)
{
    const struct cprof_snapshots *all = analysis_snapshots(analysis);

    return analysis_is_judged(analysis, snapshot) &&
           snapshot_info_get(all->items[snapshot])->kind == PROFILE_GOROUTINE;
}

bool judged_has_group(const struct analysis *analysis,
                      const struct joined_group *group)
{
    size_t n = analysis_snapshots(analysis)->count;

    for (size_t i = 0; group->stack != STACK_OTHER && i < n; i++) {
        if (joined_count(group, i) && judged_has_goroutines(analysis, i))
            return true;
    }
    return false;
}

bool judged_is_partial(const struct analysis *analysis)
{
    const struct cprof_snapshots *all = analysis_snapshots(analysis);

    for (size_t i = 0; i < all->count; i++) {
        if (analysis_is_judged(analysis, i) &&
            snapshot_is_partial(all->items[i]))
            return true;
    }
    return false;
}

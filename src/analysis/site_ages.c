#include "analysis/site_ages.h"

#include <stdlib.h>

/* Whether an age, cut to whole minutes and then to the edge of its bar
 * (evidence.h), may be as long as the minutes passed. */
static bool is_since(uint32_t minutes, double passed)
{
    return (double)minutes * (1 + 1.0 / 32) + 1 >= passed;
}

/* How many of a group have waited for so many minutes. */
static uint64_t count_since(const struct group *group, double passed)
{
    const struct wait_histogram *waits =
        group->evidence ? &group->evidence->waits : NULL;
    uint64_t n = 0;

    if (!waits || !waits->count)
        return is_since(group->wait_min, passed) ? group->n_waits : 0;
    for (uint32_t i = 0; i < waits->count; i++)
        n +=
            is_since(waits->bars[i].minutes, passed) ? waits->bars[i].count : 0;
    return n;
}

struct site_ages *site_ages_find(struct analysis *analysis, size_t snapshot,
                                 const uint32_t *site_of, size_t n_sites,
                                 const double passed[2])
{
    const struct snapshot *from = analysis_snapshots(analysis)->items[snapshot];
    struct site_ages *all = calloc(n_sites + 1, sizeof(*all));

    for (size_t i = 0; all && i < snapshot_n_groups(from); i++) {
        const struct group *group = snapshot_group(from, i);
        size_t joined = group->n_waits
                            ? analysis_joined_of(analysis, snapshot, i)
                            : ANALYSIS_NO_GROUP;
        struct site_ages *ages;

        if (joined == ANALYSIS_NO_GROUP || site_of[joined] >= n_sites)
            continue;
        ages = &all[site_of[joined]];
        if (!ages->n || group->wait_min < ages->shortest)
            ages->shortest = group->wait_min;
        ages->n += group->n_waits;
        if (group->wait_max > ages->longest)
            ages->longest = group->wait_max;
        for (size_t k = 0; k < 2; k++)
            ages->since[k] += count_since(group, passed[k]);
    }
    return all;
}

uint32_t site_ages_told(const struct analysis *analysis, size_t snapshot,
                        double minutes)
{
    const struct snapshot *from = analysis_snapshots(analysis)->items[snapshot];
    uint32_t longest = 0;

    for (size_t i = 0; i < snapshot_n_groups(from); i++) {
        const struct group *group = snapshot_group(from, i);
        uint32_t wait = group->wait_max;

        if (!group->n_waits)
            continue;
        if (wait > minutes)
            wait = group->wait_min;
        if (wait <= minutes && wait > longest)
            longest = wait;
    }
    return longest;
}

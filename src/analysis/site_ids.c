#include "analysis/site_ids.h"

#include <stdlib.h>

int site_id_compare(const void *a, const void *b)
{
    const struct site_id *left = a;
    const struct site_id *right = b;

    if (left->site != right->site)
        return left->site < right->site ? -1 : 1;
    return (left->id > right->id) - (left->id < right->id);
}

/* Above this hash a group has given ids up. */
static uint64_t limit_of(const struct group *group)
{
    uint64_t most = 0;

    if (!group->evidence || group->evidence->ids.count < EVIDENCE_IDS)
        return UINT64_MAX;
    for (size_t i = 0; i < group_n_kept_ids(group); i++) {
        uint64_t hash = id_sample_hash(group_kept_id(group, i));

        most = hash > most ? hash : most;
    }
    return most;
}

/* Adds the ids of a group to a list that has room, and lowers the limit of its
 * site. */
static void add_group(struct site_ids *ids, const struct group *group,
                      uint32_t site)
{
    uint64_t limit = limit_of(group);

    if (limit < ids->limits[site])
        ids->limits[site] = limit;
    for (size_t i = 0; i < group_n_kept_ids(group); i++)
        ids->items[ids->n++] = (struct site_id){site, group_kept_id(group, i)};
}

bool site_ids_list(struct analysis *analysis, size_t snapshot,
                   const uint32_t *sites, size_t n_sites, struct site_ids *ret)
{
    const struct snapshot *from = analysis_snapshots(analysis)->items[snapshot];
    size_t n = 0;

    for (size_t i = 0; i < snapshot_n_groups(from); i++)
        n += group_n_kept_ids(snapshot_group(from, i));
    ret->n = 0;
    ret->items = malloc((n + 1) * sizeof(*ret->items));
    ret->limits = malloc((n_sites + 1) * sizeof(*ret->limits));
    if (!ret->items || !ret->limits)
        return false;
    for (size_t i = 0; i < n_sites; i++)
        ret->limits[i] = UINT64_MAX;
    for (size_t i = 0; i < snapshot_n_groups(from); i++) {
        size_t joined = analysis_joined_of(analysis, snapshot, i);

        if (joined != ANALYSIS_NO_GROUP && sites[joined] < n_sites)
            add_group(ret, snapshot_group(from, i), sites[joined]);
    }
    if (ret->n)
        qsort(ret->items, ret->n, sizeof(*ret->items), site_id_compare);
    return true;
}

void site_ids_done(struct site_ids *ids)
{
    free(ids->items);
    free(ids->limits);
    *ids = (struct site_ids){0};
}

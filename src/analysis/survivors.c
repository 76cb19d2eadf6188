#include "analysis/survivors.h"

#include <math.h>
#include <stdlib.h>

/* A goroutine at a moment. */
struct seen {
    uint32_t site;
    uint64_t id;
};

struct seen_list {
    struct seen *items;
    size_t n;
};

static int compare_seen(const void *a, const void *b)
{
    const struct seen *left = a;
    const struct seen *right = b;

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

/* Lists the ids of a snapshot by site, and lowers the limits of its sites. */
static bool list_ids(struct analysis *analysis, size_t snapshot,
                     const uint32_t *sites, uint64_t *limits,
                     struct seen_list *list)
{
    const struct snapshot *from = analysis_snapshots(analysis)->items[snapshot];
    size_t n = 0;

    for (size_t i = 0; i < snapshot_n_groups(from); i++)
        n += group_n_kept_ids(snapshot_group(from, i));
    list->n = 0;
    list->items = malloc((n + 1) * sizeof(*list->items));
    for (size_t i = 0; list->items && i < snapshot_n_groups(from); i++) {
        const struct group *group = snapshot_group(from, i);
        size_t joined = analysis_joined_of(analysis, snapshot, i);
        uint64_t limit = limit_of(group);

        if (joined == ANALYSIS_NO_GROUP)
            continue;
        if (limit < limits[sites[joined]])
            limits[sites[joined]] = limit;
        for (size_t k = 0; k < group_n_kept_ids(group); k++)
            list->items[list->n++] =
                (struct seen){sites[joined], group_kept_id(group, k)};
    }
    if (list->items && list->n)
        qsort(list->items, list->n, sizeof(*list->items), compare_seen);
    return list->items != NULL;
}

/* Goes through two sorted lists. `asked` and `found` count, for each site, the
 * ids of the first that the second would have kept, and those that it has. */
static void compare_lists(const struct seen_list *before,
                          const struct seen_list *after, const uint64_t *limits,
                          size_t *asked, size_t *found)
{
    size_t k = 0;

    for (size_t i = 0; i < before->n; i++) {
        const struct seen *seen = &before->items[i];

        if (id_sample_hash(seen->id) > limits[seen->site])
            continue;
        asked[seen->site]++;
        while (k < after->n && compare_seen(&after->items[k], seen) < 0)
            k++;
        found[seen->site] +=
            k < after->n && compare_seen(&after->items[k], seen) == 0;
    }
}

static int compare_ids(const void *a, const void *b)
{
    const struct seen *left = a;
    const struct seen *right = b;

    return (left->id > right->id) - (left->id < right->id);
}

/* The same for goroutines that may have gone to other places since: those whose
 * ids every group would have kept. Sorts the second list by id. */
static void compare_anywhere(const struct seen_list *before,
                             struct seen_list *after, uint64_t limit,
                             size_t *asked, size_t *found)
{
    if (after->n)
        qsort(after->items, after->n, sizeof(*after->items), compare_ids);
    for (size_t i = 0; i < before->n; i++) {
        const struct seen *seen = &before->items[i];

        if (id_sample_hash(seen->id) > limit)
            continue;
        asked[seen->site]++;
        found[seen->site] += bsearch(seen, after->items, after->n,
                                     sizeof(*seen), compare_ids) != NULL;
    }
}

/* The least of the limits of n sites. */
static uint64_t least_limit(const uint64_t *limits, size_t n)
{
    uint64_t least = UINT64_MAX;

    for (size_t i = 0; i < n; i++)
        least = limits[i] < least ? limits[i] : least;
    return least;
}

/* Whether no goroutine was started or ended between two snapshots: those of one
 * moment, or one file given twice. That all are still there then says nothing.
 * The largest id alone does not tell: a processor takes sixteen ids at a time
 * (runtime/proc.go: newproc1, _GoidCacheBatch), so that a new goroutine may
 * have a smaller one. */
static bool is_same_moment(const struct analysis *analysis, size_t before,
                           size_t after, const struct seen_list lists[2])
{
    const struct cprof_snapshots *all = analysis_snapshots(analysis);
    const struct snapshot_info *first = snapshot_info_get(all->items[before]);
    const struct snapshot_info *last = snapshot_info_get(all->items[after]);

    if (first->max_id != last->max_id || first->total != last->total ||
        lists[0].n != lists[1].n)
        return false;
    for (size_t i = 0; i < lists[0].n; i++) {
        if (compare_seen(&lists[0].items[i], &lists[1].items[i]) != 0)
            return false;
    }
    return true;
}

bool survivors_find(struct analysis *analysis, size_t before, size_t after,
                    const uint32_t *sites, size_t n_sites,
                    struct survivors *ret)
{
    uint64_t *limits = malloc((n_sites + 1) * sizeof(*limits));
    size_t *asked = calloc(n_sites + 1, 4 * sizeof(*asked));
    struct seen_list lists[2] = {{0}};
    bool is_done = limits && asked;

    for (size_t i = 0; i < n_sites; i++) {
        ret[i] = (struct survivors){0};
        if (limits)
            limits[i] = UINT64_MAX;
    }
    if (is_done && before != after)
        is_done = list_ids(analysis, before, sites, limits, &lists[0]) &&
                  list_ids(analysis, after, sites, limits, &lists[1]);
    if (is_done && lists[1].n &&
        !is_same_moment(analysis, before, after, lists)) {
        size_t *found = asked + n_sites;
        size_t *asked_all = found + n_sites;
        size_t *found_all = asked_all + n_sites;

        compare_lists(&lists[0], &lists[1], limits, asked, found);
        compare_anywhere(&lists[0], &lists[1], least_limit(limits, n_sites),
                         asked_all, found_all);
        for (size_t i = 0; i < n_sites; i++) {
            if (asked[i] < IDS_LEAST)
                continue;
            ret[i].is_known = true;
            ret[i].is_sample = limits[i] != UINT64_MAX;
            ret[i].share = (double)found[i] / (double)asked[i];
            ret[i].living = ret[i].share;
            if (asked_all[i] >= IDS_LEAST)
                ret[i].living = fmax(ret[i].share, (double)found_all[i] /
                                                       (double)asked_all[i]);
        }
    }
    free(lists[0].items);
    free(lists[1].items);
    free(asked);
    free(limits);
    return is_done;
}

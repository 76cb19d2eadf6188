#include "analysis/survivors.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/site_ids.h"

/* The hash above which a site has given ids up at either of two moments. */
static uint64_t limit_of(const struct site_ids lists[2], size_t site)
{
    return lists[0].limits[site] < lists[1].limits[site]
               ? lists[0].limits[site]
               : lists[1].limits[site];
}

/* Goes through two sorted lists. `asked` and `found` count, for each site, the
 * ids of the first that the second would have kept, and those that it has. */
static void compare_lists(const struct site_ids lists[2], size_t *asked,
                          size_t *found)
{
    const struct site_ids *after = &lists[1];
    size_t k = 0;

    for (size_t i = 0; i < lists[0].n; i++) {
        const struct site_id *seen = &lists[0].items[i];

        if (id_sample_hash(seen->id) > limit_of(lists, seen->site))
            continue;
        asked[seen->site]++;
        while (k < after->n && site_id_compare(&after->items[k], seen) < 0)
            k++;
        found[seen->site] +=
            k < after->n && site_id_compare(&after->items[k], seen) == 0;
    }
}

static int compare_ids(const void *a, const void *b)
{
    const struct site_id *left = a;
    const struct site_id *right = b;

    return (left->id > right->id) - (left->id < right->id);
}

/* The same for goroutines that may have gone to other places since: those whose
 * ids every group would have kept. Sorts the second list by id. */
static void compare_anywhere(const struct site_ids *before,
                             struct site_ids *after, uint64_t limit,
                             size_t *asked, size_t *found)
{
    if (after->n)
        qsort(after->items, after->n, sizeof(*after->items), compare_ids);
    for (size_t i = 0; i < before->n; i++) {
        const struct site_id *seen = &before->items[i];

        if (id_sample_hash(seen->id) > limit)
            continue;
        asked[seen->site]++;
        found[seen->site] += bsearch(seen, after->items, after->n,
                                     sizeof(*seen), compare_ids) != NULL;
    }
}

/* The least of the limits of n sites at two moments. */
static uint64_t least_limit(const struct site_ids lists[2], size_t n)
{
    uint64_t least = UINT64_MAX;

    for (size_t i = 0; i < n; i++) {
        uint64_t limit = limit_of(lists, i);

        least = limit < least ? limit : least;
    }
    return least;
}

/* Whether no goroutine was started or ended between two snapshots: those of one
 * moment, or one file given twice. That all are still there then says nothing.
 * The largest id alone does not tell: a processor takes sixteen ids at a time
 * (runtime/proc.go: newproc1, _GoidCacheBatch), so that a new goroutine may
 * have a smaller one. */
static bool is_same_moment(const struct analysis *analysis, size_t before,
                           size_t after, const struct site_ids lists[2])
{
    const struct cprof_snapshots *all = analysis_snapshots(analysis);
    const struct snapshot_info *first = snapshot_info_get(all->items[before]);
    const struct snapshot_info *last = snapshot_info_get(all->items[after]);

    if (first->max_id != last->max_id || first->total != last->total ||
        lists[0].n != lists[1].n)
        return false;
    for (size_t i = 0; i < lists[0].n; i++) {
        if (site_id_compare(&lists[0].items[i], &lists[1].items[i]) != 0)
            return false;
    }
    return true;
}

/* Goroutines of each site that were asked for, and found: at the site, and
 * anywhere. n_sites each. */
struct tally {
    size_t *asked;
    size_t *found;
    size_t *asked_all;
    size_t *found_all;
};

static struct survivors answer_of(const struct tally *tally, size_t site)
{
    struct survivors ret = {0};

    if (tally->asked[site] < IDS_LEAST)
        return ret;
    ret.is_known = true;
    ret.share = (double)tally->found[site] / (double)tally->asked[site];
    ret.living = ret.share;
    if (tally->asked_all[site] >= IDS_LEAST)
        ret.living = fmax(ret.share, (double)tally->found_all[site] /
                                         (double)tally->asked_all[site]);
    return ret;
}

/* Answers for two moments that differ. */
static void compare(struct site_ids lists[2], const struct tally *tally,
                    size_t n_sites, struct survivors *ret)
{
    compare_lists(lists, tally->asked, tally->found);
    compare_anywhere(&lists[0], &lists[1], least_limit(lists, n_sites),
                     tally->asked_all, tally->found_all);
    for (size_t i = 0; i < n_sites; i++) {
        ret[i] = answer_of(tally, i);
        ret[i].is_sample = ret[i].is_known && limit_of(lists, i) != UINT64_MAX;
    }
}

bool survivors_find(struct analysis *analysis, size_t before, size_t after,
                    const uint32_t *sites, size_t n_sites,
                    struct survivors *ret)
{
    size_t *counts = calloc(n_sites + 1, 4 * sizeof(*counts));
    struct tally tally = {counts, counts + n_sites, counts + 2 * n_sites,
                          counts + 3 * n_sites};
    struct site_ids lists[2] = {{0}};
    bool is_done = counts != NULL;

    for (size_t i = 0; i < n_sites; i++)
        ret[i] = (struct survivors){0};
    if (is_done && before != after)
        is_done = site_ids_list(analysis, before, sites, n_sites, &lists[0]) &&
                  site_ids_list(analysis, after, sites, n_sites, &lists[1]);
    if (is_done && lists[1].n &&
        !is_same_moment(analysis, before, after, lists))
        compare(lists, &tally, n_sites, ret);
    site_ids_done(&lists[0]);
    site_ids_done(&lists[1]);
    free(counts);
    return is_done;
}

size_t survivors_middle(const struct analysis *analysis,
                        const struct moments *series, size_t first)
{
    return moments_whole(analysis_snapshots(analysis), series,
                         first + (series->n - 1 - first) / 2);
}

bool survivors_over(struct analysis *analysis, const struct moments *series,
                    size_t first, const uint32_t *sites, size_t n_sites,
                    struct survivors *ret)
{
    const struct cprof_snapshots *all = analysis_snapshots(analysis);
    size_t last = series->n - 1;
    size_t whole = moments_whole(all, series, first);
    size_t middle = survivors_middle(analysis, series, first);
    struct survivors *later = malloc((n_sites + 1) * sizeof(*later));
    bool is_done =
        later &&
        survivors_find(analysis, series->snapshots[whole],
                       series->snapshots[last], sites, n_sites, ret) &&
        survivors_find(analysis, series->snapshots[middle],
                       series->snapshots[last], sites, n_sites, later);

    for (size_t i = 0; is_done && middle > whole && i < n_sites; i++) {
        if (ret[i].is_known)
            continue;
        ret[i] = later[i];
        ret[i].is_later = true;
    }
    free(later);
    return is_done;
}

#include "analysis/instances.h"

#include <stdlib.h>

#include "model/signature.h"

/* A goroutine id that a snapshot keeps, and who created it. */
struct kept_id {
    uint64_t id;
    frame_id created_by;
};

/* A stack by its functions, and how many goroutines stand in it. */
struct signed_count {
    struct signature signature;
    uint64_t count;
};

/* How many ids, or stacks, were compared and what came of it. */
struct overlap {
    size_t candidates; /* on the side that has fewer */
    size_t shared;
    size_t contradicted;
};

static bool has_goroutines(const struct snapshot *snapshot)
{
    enum profile_kind kind = snapshot_info_get(snapshot)->kind;

    return kind == PROFILE_GOROUTINE;
}

/* Of each input the last complete snapshot, else its last. */
static void choose_moments(const struct cprof_snapshots *snapshots,
                           bool *judged)
{
    for (uint32_t input = 0; input < snapshots->n_inputs; input++) {
        size_t chosen = SIZE_MAX;
        bool is_complete = false;

        for (size_t i = 0; i < snapshots->count; i++) {
            const struct snapshot_info *info =
                snapshot_info_get(snapshots->items[i]);

            if (info->input != input || (is_complete && !info->complete))
                continue;
            chosen = i;
            is_complete = info->complete;
        }
        if (chosen != SIZE_MAX)
            judged[chosen] = true;
    }
}

static int compare_ids(const void *a, const void *b)
{
    const struct kept_id *left = a;
    const struct kept_id *right = b;

    return (left->id > right->id) - (left->id < right->id);
}

static size_t group_ids(const struct group *group, struct kept_id *into)
{
    const struct evidence *evidence = group->evidence;
    size_t n = 0;

    if (evidence && evidence->ids.count) {
        for (uint32_t i = 0; i < evidence->ids.count; i++)
            into[n++] =
                (struct kept_id){evidence->ids.ids[i], group->created_by};
    } else if (group->n_ids) {
        into[n++] = (struct kept_id){group->id_min, group->created_by};
        if (group->id_max != group->id_min)
            into[n++] = (struct kept_id){group->id_max, group->created_by};
    }
    return n;
}

/* All kept ids of a snapshot in order; NULL without any or without memory. */
static struct kept_id *collect_ids(const struct snapshot *snapshot,
                                   size_t *ret_count)
{
    size_t most = 0;
    struct kept_id *ids;

    *ret_count = 0;
    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
        const struct group *group = snapshot_group(snapshot, i);

        most += group->evidence ? group->evidence->ids.count + 2 : 2;
    }
    ids = most ? malloc(most * sizeof(*ids)) : NULL;
    if (!ids)
        return NULL;
    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++)
        *ret_count += group_ids(snapshot_group(snapshot, i), ids + *ret_count);
    qsort(ids, *ret_count, sizeof(*ids), compare_ids);
    return ids;
}

static size_t count_below(const struct kept_id *ids, size_t n, uint64_t most)
{
    size_t below = 0;

    while (below < n && ids[below].id <= most)
        below++;
    return below;
}

static struct overlap overlap_ids(const struct kept_id *a, size_t n_a,
                                  const struct kept_id *b, size_t n_b)
{
    struct overlap overlap = {0};
    uint64_t most;

    if (!n_a || !n_b)
        return overlap;
    most = a[n_a - 1].id < b[n_b - 1].id ? a[n_a - 1].id : b[n_b - 1].id;
    n_a = count_below(a, n_a, most);
    n_b = count_below(b, n_b, most);
    overlap.candidates = n_a < n_b ? n_a : n_b;
    for (size_t i = 0, j = 0; i < n_a && j < n_b;) {
        if (a[i].id != b[j].id) {
            if (a[i].id < b[j].id)
                i++;
            else
                j++;
            continue;
        }
        overlap.shared++;
        overlap.contradicted += a[i].created_by != b[j].created_by;
        i++;
        j++;
    }
    return overlap;
}

/* A goroutine keeps its id and its creator for life. Two processes have ids in
 * common by chance, but then not with the same creators throughout, unless
 * only the goroutines of start-up are left. */
static bool share_ids(const struct snapshot *a, const struct snapshot *b,
                      struct overlap *ret)
{
    size_t n_a;
    size_t n_b;
    struct kept_id *ids_a = collect_ids(a, &n_a);
    struct kept_id *ids_b = collect_ids(b, &n_b);

    *ret = overlap_ids(ids_a, ids_a ? n_a : 0, ids_b, ids_b ? n_b : 0);
    free(ids_a);
    free(ids_b);
    return ret->shared >= 4 && !ret->contradicted &&
           ret->shared * 2 >= ret->candidates;
}

static int compare_signed(const void *a, const void *b)
{
    const struct signed_count *left = a;
    const struct signed_count *right = b;

    if (left->signature.high != right->signature.high)
        return left->signature.high < right->signature.high ? -1 : 1;
    return (left->signature.low > right->signature.low) -
           (left->signature.low < right->signature.low);
}

/* Counts of a snapshot by signature, in order; NULL without memory. */
static struct signed_count *collect_signed(const struct snapshot *snapshot,
                                           size_t *ret_count)
{
    size_t n = snapshot_n_groups(snapshot);
    struct signed_count *counts = malloc((n ? n : 1) * sizeof(*counts));
    size_t kept = 0;

    *ret_count = 0;
    if (!counts)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        const struct group *group = snapshot_group(snapshot, i);

        counts[i].count = group->count;
        counts[i].signature =
            signature_of_stack(snapshot_symbols(snapshot), group->stack);
    }
    qsort(counts, n, sizeof(*counts), compare_signed);
    for (size_t i = 0; i < n; i++) {
        if (kept && !compare_signed(&counts[kept - 1], &counts[i]))
            counts[kept - 1].count += counts[i].count;
        else
            counts[kept++] = counts[i];
    }
    *ret_count = kept;
    return counts;
}

static uint64_t common_count(const struct signed_count *a, size_t n_a,
                             const struct signed_count *b, size_t n_b)
{
    uint64_t common = 0;

    for (size_t i = 0, j = 0; i < n_a && j < n_b;) {
        int order = compare_signed(&a[i], &b[j]);

        if (order == 0) {
            common += a[i].count < b[j].count ? a[i].count : b[j].count;
            i++;
            j++;
        } else if (order < 0) {
            i++;
        } else {
            j++;
        }
    }
    return common;
}

/* One process in two formats: all but a few request goroutines stand in the
 * same stacks in the same numbers. */
static bool agree_in_stacks(const struct snapshot *a, const struct snapshot *b)
{
    uint64_t total_a = snapshot_info_get(a)->total;
    uint64_t total_b = snapshot_info_get(b)->total;
    uint64_t larger = total_a > total_b ? total_a : total_b;
    size_t n_a;
    size_t n_b;
    struct signed_count *counts_a = collect_signed(a, &n_a);
    struct signed_count *counts_b = collect_signed(b, &n_b);
    uint64_t common = 0;

    if (counts_a && counts_b)
        common = common_count(counts_a, n_a, counts_b, n_b);
    free(counts_a);
    free(counts_b);
    /* Of a handful of goroutines, all may be the few that are forgiven. */
    return larger && common * 2 >= larger && common + 4 + larger / 50 >= larger;
}

/* Whether two snapshots say the very same: then the same dump was given twice,
 * and the caller wants it counted twice. */
static bool is_same_dump(const struct snapshot *a, const struct snapshot *b)
{
    const struct snapshot_info *info_a = snapshot_info_get(a);
    const struct snapshot_info *info_b = snapshot_info_get(b);
    size_t n = snapshot_n_groups(a);

    if (info_a->format != info_b->format || info_a->total != info_b->total ||
        info_a->max_id != info_b->max_id || n != snapshot_n_groups(b))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct group *x = snapshot_group(a, i);
        const struct group *y = snapshot_group(b, i);

        if (x->stack != y->stack || x->state != y->state ||
            x->count != y->count || x->id_min != y->id_min ||
            x->id_max != y->id_max)
            return false;
    }
    return true;
}

/* Leaves the earlier of two inputs out when both are one process. */
static void compare_pair(struct cprof_snapshots *snapshots, bool *judged,
                         size_t i, size_t j)
{
    struct snapshot *a = snapshots->items[i];
    struct snapshot *b = snapshots->items[j];
    const struct snapshot_info *earlier = snapshot_info_get(a);
    const struct snapshot_info *later = snapshot_info_get(b);
    struct place place = {later->source.ptr, later->line, 0};
    struct overlap overlap;

    if (is_same_dump(a, b)) {
        diag_add(&snapshots->diags, DIAG_INFO, "same-dump", place,
                 "this is the same dump as '" STR_FORMAT "': it is counted "
                 "twice",
                 STR_ARG(earlier->source));
    } else if (share_ids(a, b, &overlap)) {
        judged[i] = false;
        diag_add(&snapshots->diags, DIAG_WARNING, "same-process", place,
                 "this and '" STR_FORMAT "' are one process (%zu of %zu "
                 "goroutine ids compared are in both): they are not added up, "
                 "and this one, the later, is judged",
                 STR_ARG(earlier->source), overlap.shared, overlap.candidates);
    } else if (earlier->format != later->format && agree_in_stacks(a, b)) {
        judged[i] = false;
        diag_add(&snapshots->diags, DIAG_WARNING, "same-process", place,
                 "this and '" STR_FORMAT "' are one process in two formats: "
                 "they are not added up, and this one is judged",
                 STR_ARG(earlier->source));
    }
}

void instances_choose(struct cprof_snapshots *snapshots, bool *judged)
{
    for (size_t i = 0; i < snapshots->count; i++)
        judged[i] = false;
    choose_moments(snapshots, judged);
    /* Many inputs are compared with their neighbour only: a series of one
     * process stands in order. */
    for (size_t j = 1; j < snapshots->count; j++) {
        size_t lowest = snapshots->count > 64 ? j - 1 : 0;

        for (size_t i = lowest; i < j; i++) {
            if (judged[i] && judged[j] && has_goroutines(snapshots->items[i]) &&
                has_goroutines(snapshots->items[j]))
                compare_pair(snapshots, judged, i, j);
        }
    }
}

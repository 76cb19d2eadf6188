#include "analysis/kinship.h"

#include <stdlib.h>

#include "analysis/crashes.h"
#include "analysis/poll_places.h"
#include "model/signature.h"

/* A goroutine id that a snapshot keeps, and who created it. */
struct kept_id {
    uint64_t id;
    frame_id created_by;
};

/* How many ids of a snapshot are compared, as about so many pairs of
 * snapshots are looked at as there are inputs, squared. */
enum { IDS_COMPARED = 1024 };

/* The ids of a snapshot, in order; of many, those with the smallest hash. */
struct id_list {
    struct kept_id *ids;
    size_t n;
    size_t size;
    uint64_t hash_most; /* ids with a larger hash are left out */
    bool is_collected;
};

/* A stack by its functions, and how many goroutines stand in it. */
struct signed_count {
    struct signature signature;
    uint64_t count;
};

static int compare_ids(const void *a, const void *b)
{
    const struct kept_id *left = a;
    const struct kept_id *right = b;

    return (left->id > right->id) - (left->id < right->id);
}

static void add_id(struct id_list *list, uint64_t id, frame_id created_by)
{
    if (id_sample_hash(id) <= list->hash_most && list->n < list->size)
        list->ids[list->n++] = (struct kept_id){id, created_by};
}

static void add_group_ids(struct id_list *list, const struct group *group)
{
    for (size_t i = 0; i < group_n_kept_ids(group); i++)
        add_id(list, group_kept_id(group, i), group->created_by);
}

/* Fills the list of a snapshot. Without memory it stays empty: false. */
static bool collect_ids(struct id_list *list, const struct snapshot *snapshot)
{
    size_t n_groups = snapshot_n_groups(snapshot);
    uint64_t known = 0;

    for (size_t i = 0; i < n_groups; i++)
        known += group_n_kept_ids(snapshot_group(snapshot, i));
    list->is_collected = true;
    list->hash_most =
        known > IDS_COMPARED ? UINT64_MAX / known * IDS_COMPARED : UINT64_MAX;
    /* Hashes are even, so that hardly ever more than that are below. */
    list->size = 2 * (size_t)(known < IDS_COMPARED ? known : IDS_COMPARED);
    list->ids = known ? malloc(list->size * sizeof(*list->ids)) : NULL;
    for (size_t i = 0; i < n_groups && list->ids; i++)
        add_group_ids(list, snapshot_group(snapshot, i));
    if (list->ids && list->n)
        qsort(list->ids, list->n, sizeof(*list->ids), compare_ids);
    return list->ids || !known;
}

/* Whether an id is one that both sides would have in their lists. */
static bool is_comparable(const struct kept_id *id, uint64_t most,
                          uint64_t hash_most)
{
    return id->id <= most && id_sample_hash(id->id) <= hash_most;
}

static size_t count_comparable(const struct id_list *list, uint64_t most,
                               uint64_t hash_most)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++)
        n += is_comparable(&list->ids[i], most, hash_most);
    return n;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static struct overlap overlap_ids(const struct id_list *a,
                                  const struct id_list *b)
{
    struct overlap overlap = {0};
    uint64_t hash_most = smaller(a->hash_most, b->hash_most);
    uint64_t most;

    if (!a->ids || !b->ids || !a->n || !b->n)
        return overlap;
    most = smaller(a->ids[a->n - 1].id, b->ids[b->n - 1].id);
    overlap.candidates = (size_t)smaller(count_comparable(a, most, hash_most),
                                         count_comparable(b, most, hash_most));
    for (size_t i = 0, j = 0; i < a->n && j < b->n;) {
        const struct kept_id *x = &a->ids[i];
        const struct kept_id *y = &b->ids[j];

        if (x->id == y->id && is_comparable(x, most, hash_most)) {
            overlap.shared++;
            overlap.contradicted += x->created_by != y->created_by;
        }
        i += x->id <= y->id;
        j += y->id <= x->id;
    }
    return overlap;
}

/* A goroutine keeps its id and its creator for life. Two processes have ids in
 * common by chance, but then not with the same creators throughout, unless
 * only the goroutines of start-up are left: where nothing names the processes,
 * and neither waits for a connection, these are taken for one. */
static bool share_ids(const struct id_list *a, const struct id_list *b,
                      struct overlap *ret)
{
    *ret = overlap_ids(a, b);
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
static bool agree_in_stacks(struct kinships *kinships, const struct snapshot *a,
                            const struct snapshot *b)
{
    uint64_t total_a = snapshot_info_get(a)->total;
    uint64_t total_b = snapshot_info_get(b)->total;
    uint64_t larger = total_a > total_b ? total_a : total_b;
    uint64_t forgiven = 4 + larger / 50;
    uint64_t common = 0;
    struct signed_count *counts_a;
    struct signed_count *counts_b;
    size_t n_a;
    size_t n_b;

    if (smaller(total_a, total_b) + forgiven < larger)
        return false;
    counts_a = collect_signed(a, &n_a);
    counts_b = collect_signed(b, &n_b);
    if (counts_a && counts_b)
        common = common_count(counts_a, n_a, counts_b, n_b);
    else
        budget_note_refusal(&kinships->snapshots->budget);
    free(counts_a);
    free(counts_b);
    /* Of a handful of goroutines, all may be the few that are forgiven. */
    return larger && common * 2 >= larger && common + forgiven >= larger;
}

/* Whether two snapshots say the very same. */
static bool say_the_same(const struct snapshot *a, const struct snapshot *b)
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

static const struct id_list *ids_of(struct kinships *kinships, size_t snapshot)
{
    struct id_list *list = &kinships->ids[snapshot];

    if (!list->is_collected &&
        !collect_ids(list, kinships->snapshots->items[snapshot]))
        budget_note_refusal(&kinships->snapshots->budget);
    return list;
}

bool kinships_init(struct kinships *kinships, struct cprof_snapshots *snapshots)
{
    kinships->snapshots = snapshots;
    kinships->ids = calloc(snapshots->count + 1, sizeof(*kinships->ids));
    return kinships->ids != NULL;
}

void kinships_done(struct kinships *kinships)
{
    for (size_t i = 0; i < kinships->snapshots->count; i++)
        free(kinships->ids[i].ids);
    free(kinships->ids);
}

/* Whether their connections wait where those of one process cannot. */
static bool wait_apart(const struct snapshot *a, const struct snapshot *b)
{
    struct poll_places places_a = {.count = 0};
    struct poll_places places_b = {.count = 0};

    poll_places_add(&places_a, a);
    poll_places_add(&places_b, b);
    return poll_places_are_apart(&places_a, &places_b);
}

enum kinship kinships_find(struct kinships *kinships, size_t i, size_t j,
                           struct overlap *ret_overlap)
{
    const struct snapshot *a = kinships->snapshots->items[i];
    const struct snapshot *b = kinships->snapshots->items[j];
    bool are_alike = say_the_same(a, b);
    enum kinship kinship = are_alike ? KIN_ALIKE : KIN_NONE;
    bool have_died = crash_is_event(a) && crash_is_event(b);

    /* A process dies once. */
    if (!have_died &&
        share_ids(ids_of(kinships, i), ids_of(kinships, j), ret_overlap))
        kinship = are_alike ? KIN_SAME_DUMP : KIN_SAME_IDS;
    else if (!have_died &&
             snapshot_info_get(a)->format != snapshot_info_get(b)->format &&
             agree_in_stacks(kinships, a, b))
        kinship = KIN_SAME_STACKS;
    return kinship && wait_apart(a, b) ? KIN_NONE : kinship;
}

#include "analysis/lock_graph.h"

#include <stdlib.h>

#include "analysis/cycles.h"
#include "analysis/holders.h"
#include "analysis/judged.h"
#include "analysis/orphans.h"
#include "analysis/rivals.h"
#include "analysis/stranded.h"
#include "analysis/tended.h"
#include "analysis/waitgroups.h"

/* Whether a group that waits for several locks has more goroutines than those
 * whose arguments were kept: each of the others may hold what one of its kind
 * waits for. Who waits for a WaitGroup is no member of another of its kind. */
static bool is_sampled(const struct contention *contention,
                       const struct waiting *waiting)
{
    const struct pool *pool = snapshot_pointers(contention->snapshot);
    const struct group *group =
        snapshot_group(contention->snapshot, waiting->group);
    const struct pointers *at = pointers_get(pool, group->pointers);
    uint64_t n_kept = 0;
    size_t n_locks = 0;

    contention_uses(contention, waiting, &n_locks);
    for (; at; at = pointers_get(pool, at->next))
        n_kept++;
    return waiting->site.kind != HOLDING_WAITGROUP && n_locks > 1 && n_kept &&
           n_kept < group->count;
}

/* Marks the locks whose holder may be one that was not looked at. */
static void mark_sampled(const struct contention *contention)
{
    for (size_t i = 0; i < contention->n_waitings; i++) {
        const struct waiting *waiting = &contention->waitings[i];
        size_t n = 0;
        size_t first;

        if (!is_sampled(contention, waiting))
            continue;
        first = contention_uses(contention, waiting, &n);
        for (size_t k = first; k < first + n; k++)
            contention->locks[contention_use(contention, k)->lock]
                .holding->is_partial = true;
    }
}

/* How sure the best holder of a lock is; less than all when it has none. */
static int surety_of(const struct holding *holding)
{
    return holding->n_holders ? (int)holding->holders->certainty : -1;
}

/* Whether a lock is rather shown than another: it has more waiters, or as many
 * and a surer holder. */
static bool is_rather_shown(const struct holding *holding,
                            const struct holding *other)
{
    if (!other || holding->waiters != other->waiters)
        return !other || holding->waiters > other->waiters;
    return surety_of(holding) > surety_of(other);
}

/* A group shows the lock with the most waiters. */
static void give_holdings(const struct contention *contention,
                          struct arena *arena)
{
    for (size_t i = 0; i < contention->n_uses; i++) {
        const struct lock_use *use = contention_use(contention, i);
        struct joined_group *joined = contention->waitings[use->waiting].joined;
        struct holding *holding = contention->locks[use->lock].holding;
        struct joined_extra *extra;

        holding->is_partial =
            holding->is_partial || snapshot_is_partial(contention->snapshot);
        extra = joined_extra_put(joined, arena);
        if (!extra)
            continue;
        extra->n_holdings += use->n_locks;
        if (holding->is_rest)
            continue;
        if (is_rather_shown(holding, extra->holding))
            extra->holding = holding;
    }
}

static void give_cycle(const struct wait_cycle *cycle, struct arena *arena)
{
    for (size_t i = 0; i < cycle->n_links; i++) {
        struct joined_group *joined = cycle->links[i].group;

        struct joined_extra *extra =
            joined ? joined_extra_put(joined, arena) : NULL;

        if (extra &&
            (!extra->cycle || cycle->certainty > extra->cycle->certainty))
            extra->cycle = cycle;
    }
}

/* Whether one of n circles is more than possible: it explains the others. */
static bool has_circle(const struct wait_cycle *cycles, size_t n)
{
    while (n && cycles[n - 1].certainty == CERTAINTY_LOW)
        n--;
    return n;
}

/* Looks at one snapshot. False when memory ran out. */
static bool add_snapshot(struct analysis *analysis, size_t snapshot,
                         struct wait_cycle *cycles, size_t *n_cycles)
{
    struct arena scratch;
    struct contention contention;
    size_t n_before = *n_cycles;
    bool is_whole;

    arena_init(&scratch, &analysis_snapshots(analysis)->budget);
    is_whole = contention_init(&contention, analysis, snapshot, &scratch);
    if (is_whole && contention.n_locks) {
        is_whole = holders_find(&contention, analysis, snapshot) &&
                   orphans_find(&contention, analysis, snapshot) &&
                   waitgroups_find(&contention, analysis, snapshot) &&
                   rivals_find(&contention, analysis, snapshot) &&
                   cycles_find(&contention, cycles, n_cycles);
        if (is_whole)
            tended_find(&contention);
        if (is_whole && !snapshot_is_partial(contention.snapshot) &&
            !has_circle(cycles + n_before, *n_cycles - n_before))
            stranded_find(&contention);
        mark_sampled(&contention);
        give_holdings(&contention, analysis_arena(analysis));
    }
    arena_done(&scratch);
    return is_whole;
}

/* The surest first, then the largest, then by the first goroutine and group. */
static int compare_cycles(const void *a, const void *b)
{
    const struct wait_cycle *left = a;
    const struct wait_cycle *right = b;

    if (left->certainty != right->certainty)
        return left->certainty > right->certainty ? -1 : 1;
    if (left->n_links != right->n_links)
        return left->n_links > right->n_links ? -1 : 1;
    if (left->links->goroutine != right->links->goroutine)
        return left->links->goroutine < right->links->goroutine ? -1 : 1;
    return (left->links->group->id.high > right->links->group->id.high) -
           (left->links->group->id.high < right->links->group->id.high);
}

bool lock_graph_find(struct analysis *analysis, struct wait_cycle *cycles,
                     size_t *n_cycles)
{
    bool is_whole = true;

    for (size_t i = 0; i < analysis_snapshots(analysis)->count; i++) {
        if (judged_has_goroutines(analysis, i) &&
            !add_snapshot(analysis, i, cycles, n_cycles))
            is_whole = false;
    }
    return is_whole;
}

void lock_graph_settle(struct analysis *analysis, struct wait_cycle *cycles,
                       size_t n)
{
    if (n)
        qsort(cycles, n, sizeof(*cycles), compare_cycles);
    for (size_t i = 0; i < n; i++)
        give_cycle(&cycles[i], analysis_arena(analysis));
}

#include "analysis/insides.h"

#include <stdlib.h>

/* The receiver that a goroutine passes at a frame; 0 = none is kept. */
static uint64_t receiver_at(const struct pointers *pointers, uint32_t frame)
{
    for (unsigned i = 0; i < pointers->n; i++) {
        if (pointers->frames[i] == frame &&
            (pointers->flags[i] & POINTER_FIRST))
            return pointers->addresses[i];
    }
    return 0;
}

static int compare_insides(const void *a, const void *b)
{
    const struct inside *left = a;
    const struct inside *right = b;

    if (left->scope != right->scope)
        return left->scope < right->scope ? -1 : 1;
    if (left->object != right->object)
        return left->object < right->object ? -1 : 1;
    return (left->lock > right->lock) - (left->lock < right->lock);
}

/* Makes one of the insides of one object, which has no lock when they
 * differ. */
static void join_insides(struct insides *insides)
{
    size_t n = 0;

    qsort(insides->items, insides->count, sizeof(struct inside),
          compare_insides);
    for (size_t i = 0; i < insides->count; i++) {
        const struct inside *item = &insides->items[i];
        struct inside *last = n ? &insides->items[n - 1] : NULL;

        if (!last || last->scope != item->scope || last->object != item->object)
            insides->items[n++] = *item;
        else if (last->lock != item->lock)
            last->lock = 0;
    }
    insides->count = n;
}

/* Whether the waiters of a group tell exactly that address of their lock. */
static bool is_exact(const struct lock_waiters *waiters, size_t n,
                     uint32_t group, uint64_t address)
{
    size_t low = 0;
    size_t high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (waiters[middle].address < address ||
            (waiters[middle].address == address &&
             waiters[middle].group < group))
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < n && waiters[low].address == address &&
           waiters[low].group == group;
         low++) {
        if (waiters[low].known == LOCK_ADDRESS_EXACT)
            return true;
    }
    return false;
}

bool insides_collect(const struct contention *contention,
                     const struct lock_waiters *waiters, size_t n,
                     struct insides *insides)
{
    const struct pool *pool = snapshot_pointers(contention->snapshot);

    *insides = (struct insides){0};
    if (!pool->count)
        return true;
    insides->items =
        arena_take(contention->scratch, pool->count * sizeof(struct inside));
    if (!insides->items)
        return false;
    for (size_t i = 0; i < contention->n_waitings; i++) {
        const struct waiting *waiting = &contention->waitings[i];
        const struct group *group =
            snapshot_group(contention->snapshot, waiting->group);
        const struct pointers *at = pointers_get(pool, group->pointers);

        if (waiting->site.kind != HOLDING_RWMUTEX)
            continue;
        for (; at; at = pointers_get(pool, at->next)) {
            uint64_t object = receiver_at(at, waiting->site.owner);

            if (object && at->lock >= object &&
                at->lock - object < OBJECT_MOST &&
                is_exact(waiters, n, waiting->group, at->lock))
                insides->items[insides->count++] =
                    (struct inside){waiting->site.scope, object, at->lock};
        }
    }
    join_insides(insides);
    return true;
}

uint64_t insides_lock(const struct insides *insides, scope_id scope,
                      uint64_t object)
{
    struct inside wanted = {scope, object, 0};
    size_t low = 0;
    size_t high = insides->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_insides(&insides->items[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < insides->count && insides->items[low].scope == scope &&
        insides->items[low].object == object)
        return insides->items[low].lock;
    return 0;
}

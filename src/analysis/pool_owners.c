#include "analysis/pool_owners.h"

#include "analysis/cycles.h"

/* The owners of a pool, NULL without memory. */
static struct pool_owners *owners_of(struct arena *arena, struct holding *pool)
{
    if (!pool->owners)
        pool->owners = arena_take_zero(arena, sizeof(*pool->owners));
    return pool->owners;
}

void owners_add(struct arena *arena, struct holding *pool,
                struct joined_group *group, const struct taken *taken)
{
    struct pool_owners *owners = owners_of(arena, pool);

    if (owners && owners->n < OWNERS_KEPT)
        owners->items[owners->n++] =
            (struct owner){group, taken->frame, taken->part};
}

void owners_count(struct arena *arena, struct holding *pool,
                  const struct joined_group *group, struct str function)
{
    struct pool_owners *owners = owners_of(arena, pool);
    enum connection_part part = connection_part_of(function);

    if (!owners)
        return;
    owners->n_watched[part] += group->count;
    owners->is_used = owners->is_used || part == PART_NONE;
}

/* --- Circles ------------------------------------------------------------- */

/* What an owner waits for, of which it is known that it leads back to the pool:
 * the pool itself, or a lock whose holder waits for the pool. NULL = none. */
static const struct holding *blocked_by(const struct holding *pool,
                                        const struct owner *owner)
{
    const struct joined_extra *extra = joined_extra(owner->group);
    const struct holding *wanted = extra->holding;

    if (wanted == pool)
        return pool;
    if (!wanted || extra->n_holdings != 1 ||
        (wanted->kind != HOLDING_MUTEX && wanted->kind != HOLDING_RWMUTEX &&
         wanted->kind != HOLDING_ONCE) ||
        !wanted->n_holders || wanted->holders->certainty == CERTAINTY_LOW)
        return NULL;
    return joined_extra(wanted->holders->group)->holding == pool ? wanted
                                                                 : NULL;
}

/* Whether all transactions and results that are seen to be open can be those of
 * owners that are blocked, and some are. */
static bool is_all(const struct holding *pool)
{
    const struct pool_owners *owners = pool->owners;
    uint64_t n_blocked[CONNECTION_PARTS] = {0};
    bool has_some = false;

    for (size_t i = 0; i < owners->n; i++) {
        if (blocked_by(pool, &owners->items[i]))
            n_blocked[owners->items[i].part] += owners->items[i].group->count;
    }
    for (int part = PART_NONE + 1; part < CONNECTION_PARTS; part++) {
        if (owners->n_watched[part] > n_blocked[part])
            return false;
        has_some = has_some || owners->n_watched[part];
    }
    return has_some;
}

/* The largest owner that is blocked, by a lock rather than by the pool. */
static const struct owner *choose(const struct holding *pool)
{
    const struct pool_owners *owners = pool->owners;
    const struct owner *chosen = NULL;

    for (size_t i = 0; i < owners->n; i++) {
        const struct holding *by = blocked_by(pool, &owners->items[i]);

        if (by && by != pool)
            return &owners->items[i];
        if (by && !chosen)
            chosen = &owners->items[i];
    }
    return chosen;
}

static struct cycle_link owner_link(const struct owner *owner,
                                    const struct holding *pool,
                                    const struct holding *wanted,
                                    enum certainty certainty)
{
    return (struct cycle_link){.group = owner->group,
                               .goroutine = joined_only_id(owner->group),
                               .count = owner->group->count,
                               .frame = owner->frame,
                               .holds = pool,
                               .wants = wanted,
                               .certainty = certainty};
}

/* Makes the circle of a pool and an owner. False without memory. */
static bool add_circle(struct arena *arena, const struct holding *pool,
                       const struct owner *owner, enum certainty certainty,
                       struct wait_cycle *cycle)
{
    const struct holding *wanted = blocked_by(pool, owner);
    size_t n = wanted == pool ? 1 : 2;
    struct cycle_link *links = arena_take_zero(arena, n * sizeof(*links));

    if (!links)
        return false;
    links[n - 1] = owner_link(owner, pool, wanted, certainty);
    if (n == 2) {
        const struct holder *holder = wanted->holders;

        links[0] = (struct cycle_link){.group = holder->group,
                                       .goroutine = holder->goroutine,
                                       .count = holder->count,
                                       .frame = holder->frame,
                                       .holds = wanted,
                                       .wants = pool,
                                       .certainty = holder->certainty};
    }
    *cycle = (struct wait_cycle){links, n, certainty};
    return true;
}

/* Looks whether a pool is waited for in a circle, and appends that. */
static bool look_at_pool(struct arena *arena, const struct holding *pool,
                         struct wait_cycle *cycles, size_t *n_cycles)
{
    const struct owner *owner = pool->owners->is_used ? NULL : choose(pool);
    bool is_sure = owner && is_all(pool);

    /* What may wait for itself is told with the pool, as possible. */
    if (!owner ||
        (!is_sure && (pool->n_candidates || blocked_by(pool, owner) == pool)))
        return true;
    if (!add_circle(arena, pool, owner,
                    is_sure ? CERTAINTY_MEDIUM : CERTAINTY_LOW,
                    &cycles[*n_cycles]))
        return false;
    (*n_cycles)++;
    return true;
}

bool pool_circles_find(struct analysis *analysis, struct wait_cycle *cycles,
                       size_t *n_cycles)
{
    const struct holding *seen[POOL_KINDS];
    size_t n_seen = 0;

    for (size_t i = 0;
         i < analysis_n_groups(analysis) && *n_cycles < CYCLES_MOST; i++) {
        const struct holding *pool =
            joined_extra(analysis_group(analysis, i))->holding;
        size_t k = 0;

        if (!pool || pool->kind != HOLDING_POOL || !pool->owners)
            continue;
        while (k < n_seen && seen[k] != pool)
            k++;
        if (k < n_seen || n_seen == POOL_KINDS)
            continue;
        seen[n_seen++] = pool;
        if (!look_at_pool(analysis_arena(analysis), pool, cycles, n_cycles))
            return false;
    }
    return true;
}

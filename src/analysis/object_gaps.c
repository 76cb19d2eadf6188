#include "analysis/object_gaps.h"

#include <stdlib.h>

struct receiver {
    uint32_t scope;
    uint64_t address;
};

static int compare_receivers(const void *a, const void *b)
{
    const struct receiver *left = a;
    const struct receiver *right = b;

    if (left->scope != right->scope)
        return left->scope < right->scope ? -1 : 1;
    return (left->address > right->address) - (left->address < right->address);
}

enum { FRAMES_ASKED = UINT8_MAX + 1 };

/* The scope of each frame that pointers can be kept of; returns how many. */
static size_t find_scopes(const struct spot_map *map, struct stack stack,
                          size_t scopes[static FRAMES_ASKED])
{
    uint32_t n = stack.n_frames < FRAMES_ASKED ? stack.n_frames : FRAMES_ASKED;

    for (uint32_t i = 0; i < n; i++)
        scopes[i] = spot_map_scope(map, stack, i);
    return n;
}

/* Adds the receivers of a group in the scopes of locks. */
static size_t add_receivers(const struct spot_map *map, size_t group,
                            struct receiver *out)
{
    const struct contention *contention = map->contention;
    const struct pool *pool = snapshot_pointers(contention->snapshot);
    const struct group *from = snapshot_group(contention->snapshot, group);
    struct stack stack = symbols_stack(contention->symbols, from->stack);
    size_t scopes[FRAMES_ASKED];
    size_t n_frames = find_scopes(map, stack, scopes);
    size_t n = 0;

    for (const struct pointers *at = pointers_get(pool, from->pointers); at;
         at = pointers_get(pool, at->next)) {
        for (unsigned i = 0; i < at->n; i++) {
            uint8_t frame = at->frames[i];

            if (at->flags[i] == (POINTER_SURE | POINTER_FIRST) &&
                frame < n_frames && scopes[frame] < map->n_scopes)
                out[n++] = (struct receiver){(uint32_t)scopes[frame],
                                             at->addresses[i]};
        }
    }
    return n;
}

/* Lists the receivers of all goroutines, and notes the gaps between them. */
static void note_gaps(const struct spot_map *map, struct receiver *all,
                      uint64_t *gaps)
{
    const struct contention *contention = map->contention;
    size_t n = 0;

    for (size_t i = 0; i < snapshot_n_groups(contention->snapshot); i++) {
        if (snapshot_group(contention->snapshot, i)->pointers)
            n += add_receivers(map, i, &all[n]);
    }
    if (n)
        qsort(all, n, sizeof(*all), compare_receivers);
    for (size_t i = 1; i < n; i++) {
        uint64_t gap = all[i].address - all[i - 1].address;
        uint64_t *least = &gaps[all[i].scope];

        if (all[i].scope == all[i - 1].scope && gap &&
            (!*least || gap < *least))
            *least = gap;
    }
}

uint64_t *gaps_find(const struct spot_map *map)
{
    const struct contention *contention = map->contention;
    const struct pool *kept = snapshot_pointers(contention->snapshot);
    size_t size = kept->count * POINTERS_KEPT * sizeof(struct receiver);
    uint64_t *gaps = arena_take_zero(contention->scratch,
                                     (map->n_scopes + 1) * sizeof(*gaps));
    struct receiver *all = NULL;

    if (!gaps || !size)
        return gaps;
    all = budget_resize(kept->budget, NULL, 0, size);
    if (!all)
        return NULL;
    note_gaps(map, all, gaps);
    budget_free(kept->budget, all, size);
    return gaps;
}

/* Whether a waiter was surely called on an object which its lock is not in. */
static bool is_lock_apart(const struct waiting *waiting,
                          const struct pointers *pointers)
{
    for (unsigned i = 0; pointers->lock && i < pointers->n; i++) {
        if (pointers->frames[i] == waiting->site.owner &&
            pointers->flags[i] == (POINTER_SURE | POINTER_FIRST))
            return pointers->lock < pointers->addresses[i] ||
                   pointers->lock - pointers->addresses[i] >= OBJECT_MOST;
    }
    return false;
}

bool *apart_find(const struct spot_map *map)
{
    const struct contention *contention = map->contention;
    const struct pool *pool = snapshot_pointers(contention->snapshot);
    bool *is_apart = arena_take_zero(contention->scratch,
                                     (map->n_scopes + 1) * sizeof(*is_apart));

    for (size_t i = 0; is_apart && i < contention->n_waitings; i++) {
        const struct waiting *waiting = &contention->waitings[i];
        size_t scope = spot_map_find(map, waiting->site.scope);
        const struct pointers *at = pointers_get(
            pool,
            snapshot_group(contention->snapshot, waiting->group)->pointers);

        for (; at && !is_apart[scope]; at = pointers_get(pool, at->next))
            is_apart[scope] = is_lock_apart(waiting, at);
    }
    return is_apart;
}

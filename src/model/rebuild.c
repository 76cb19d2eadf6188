#include "model/rebuild.h"

#include "model/snapshot_parts.h"

size_t snapshot_put_group(struct snapshot *snapshot, const struct group *group,
                          const struct hidden *hidden, bool has_evidence,
                          bool has_lock_frame)
{
    struct stack stack = symbols_stack(snapshot->symbols, group->stack);
    struct group whole = *group;
    struct group *put;

    whole.hidden = hidden ? snapshot_put_hidden(snapshot, hidden) : 0;
    whole.pointers = 0;
    whole.evidence = NULL;
    whole.lock_frame = LOCK_FRAME_NONE;
    if (has_lock_frame)
        whole.lock_frame =
            lock_frame_find(snapshot->symbols, stack.frames, stack.n_frames);
    if (has_evidence)
        whole.evidence = snapshot_take(snapshot, sizeof(*whole.evidence));
    if ((has_evidence && !whole.evidence) || (hidden && !whole.hidden) ||
        !(put = pool_add(&snapshot->groups)))
        return SNAPSHOT_NO_GROUP;
    *put = whole;
    snapshot->last = snapshot->groups.count - 1;
    return snapshot->last;
}

void snapshot_put_addresses(struct snapshot *snapshot,
                            const uint64_t *addresses, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct hidden hidden = {.count = 2, .n_pc = 1, .pc = {addresses[i]}};

        snapshot_put_hidden(snapshot, &hidden);
    }
}

struct arena *snapshot_arena(struct snapshot *snapshot)
{
    return &snapshot->arena;
}

void snapshot_put_lock(struct snapshot *snapshot,
                       const struct lock_waiters *waiters)
{
    lock_table_add(&snapshot->locks, waiters->group, waiters->known,
                   waiters->address, waiters->count);
}

void snapshot_put_lock_others(struct snapshot *snapshot, uint64_t count)
{
    snapshot->locks.others += count;
}

bool snapshot_put_pointers(struct snapshot *snapshot, struct group *group,
                           const struct pointers *pointers)
{
    return pointers_put(&snapshot->pointers, &group->pointers, pointers);
}

bool snapshot_put_values(struct snapshot *snapshot, const int64_t *values)
{
    int64_t *into = snapshot_take_values(snapshot, snapshot->last);

    if (into)
        memcpy(into, values, snapshot->info.n_types * sizeof(*values));
    return into != NULL;
}

void snapshot_put_sums(struct snapshot *snapshot, const int64_t *totals,
                       const int64_t *magnitudes, const int64_t *bases)
{
    size_t bytes = snapshot->info.n_types * sizeof(*totals);

    memcpy(snapshot->totals, totals, bytes);
    memcpy(snapshot->magnitudes, magnitudes, bytes);
    memcpy(snapshot->bases, bases, bytes);
}

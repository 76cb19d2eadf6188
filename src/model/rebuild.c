#include "model/rebuild.h"

#include "model/snapshot_parts.h"

size_t snapshot_put_group(struct snapshot *snapshot, const struct group *group,
                          const struct hidden *hidden, bool has_evidence,
                          bool has_lock_frame)
{
    size_t before = snapshot->groups.count;
    struct group key = *group;
    struct stack stack = symbols_stack(snapshot->symbols, group->stack);

    key.hidden = hidden ? snapshot_put_hidden(snapshot, hidden) : 0;
    key.pointers = 0;
    key.evidence = NULL;
    key.lock_frame = LOCK_FRAME_NONE;
    if (has_lock_frame)
        key.lock_frame =
            lock_frame_find(snapshot->symbols, stack.frames, stack.n_frames);
    if (has_evidence)
        key.evidence = snapshot_take(snapshot, sizeof(*key.evidence));
    if ((has_evidence && !key.evidence) || (hidden && !key.hidden) ||
        !snapshot_find_group(snapshot, &key) ||
        snapshot->groups.count == before)
        return SNAPSHOT_NO_GROUP;
    return snapshot->last;
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
    struct pool *pool = &snapshot->values;

    while (pool->count <= snapshot->last) {
        if (!pool_add(pool))
            return false;
    }
    memcpy(pool_at(pool, snapshot->last), values,
           snapshot->info.n_types * sizeof(*values));
    return true;
}

void snapshot_put_sums(struct snapshot *snapshot, const int64_t *totals,
                       const int64_t *magnitudes, const int64_t *bases)
{
    size_t bytes = snapshot->info.n_types * sizeof(*totals);

    memcpy(snapshot->totals, totals, bytes);
    memcpy(snapshot->magnitudes, magnitudes, bytes);
    memcpy(snapshot->bases, bases, bytes);
}

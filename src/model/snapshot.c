#include <stdlib.h>

#include "base/hash.h"
#include "model/snapshot_parts.h"

int snapshot_new(struct snapshot **ret, struct symbols *symbols,
                 struct cprof_error *err)
{
    struct budget *budget = symbols_budget(symbols);
    struct snapshot *snapshot = calloc(1, sizeof(*snapshot));

    if (!snapshot)
        return error_memory(err, (struct place){0}, "starting a snapshot");
    snapshot->symbols = symbols;
    snapshot->info.complete = true;
    arena_init(&snapshot->arena, budget);
    pool_init(&snapshot->groups, budget, sizeof(struct group));
    table_init(&snapshot->group_table, budget);
    pool_init(&snapshot->hiddens, budget, sizeof(struct hidden));
    table_init(&snapshot->hidden_table, budget);
    lock_table_init(&snapshot->locks, budget);
    pool_init(&snapshot->values, budget, sizeof(int64_t));
    pool_init(&snapshot->pointers, budget, sizeof(struct pointers));
    *ret = snapshot;
    return 0;
}

void snapshot_free_groups(struct snapshot *snapshot)
{
    arena_done(&snapshot->arena);
    pool_done(&snapshot->groups);
    table_done(&snapshot->group_table);
    pool_done(&snapshot->hiddens);
    table_done(&snapshot->hidden_table);
    lock_table_done(&snapshot->locks);
    pool_done(&snapshot->values);
    pool_done(&snapshot->pointers);
}

void snapshot_free(struct snapshot *snapshot)
{
    if (!snapshot)
        return;
    snapshot_free_groups(snapshot);
    id_map_done(&snapshot->map);
    if (snapshot->folded)
        budget_free(symbols_budget(snapshot->symbols), snapshot->folded,
                    snapshot->folded->size);
    free(snapshot);
}

struct snapshot_info *snapshot_info(struct snapshot *snapshot)
{
    return &snapshot->info;
}

const struct snapshot_info *snapshot_info_get(const struct snapshot *snapshot)
{
    return &snapshot->info;
}

bool snapshot_is_partial(const struct snapshot *snapshot)
{
    const struct snapshot_info *info = &snapshot->info;

    return !info->complete || info->other ||
           (info->has_declared && info->declared > info->total);
}

size_t snapshot_n_groups(const struct snapshot *snapshot)
{
    return snapshot->groups.count;
}

struct group *snapshot_group(const struct snapshot *snapshot, size_t index)
{
    return pool_at(&snapshot->groups, index);
}

void group_evidence_add(struct evidence *into, const struct group *group,
                        struct arena *arena)
{
    const struct evidence *from = group->evidence;

    if (from)
        evidence_merge(into, from, arena);
    if (!(from && from->ids.count) && group->n_ids) {
        id_sample_add(&into->ids, arena, group->id_min);
        if (group->id_max != group->id_min)
            id_sample_add(&into->ids, arena, group->id_max);
    }
    if (!(from && from->waits.count) && group->n_waits)
        wait_histogram_add(&into->waits, arena, group->wait_min,
                           group->n_waits);
    if (!(from && from->creators.count) && group->created_by)
        counted_set_add(&into->creators, arena, group->created_by, group->count,
                        EVIDENCE_CREATORS);
}

void snapshot_seal(struct snapshot *snapshot)
{
    table_done(&snapshot->group_table);
    snapshot_settle(snapshot);
    for (size_t i = 0; i < snapshot->groups.count; i++) {
        struct evidence *evidence = snapshot_group(snapshot, i)->evidence;

        if (evidence)
            id_sample_settle(&evidence->ids);
    }
}

const struct hidden *snapshot_hidden(const struct snapshot *snapshot,
                                     const struct group *group)
{
    if (!group->hidden)
        return NULL;
    return pool_at(&snapshot->hiddens, group->hidden - 1);
}

size_t snapshot_runtime_addresses(const struct snapshot *snapshot,
                                  uint64_t ret[RUNTIME_ADDRESSES])
{
    const struct pool *pool = &snapshot->hiddens;
    size_t n = 0;

    if (snapshot->folded) {
        n = snapshot->folded->n_addresses;
        memcpy(ret, snapshot->folded->addresses, n * sizeof(*ret));
        return n;
    }
    for (size_t i = 0; i < pool->count && n < RUNTIME_ADDRESSES; i++) {
        const struct hidden *hidden = pool_at(pool, i);
        size_t k = 0;

        while (k < n && ret[k] != hidden->pc[0])
            k++;
        if (hidden->count >= 2 && k == n)
            ret[n++] = hidden->pc[0];
    }
    return n;
}

const struct pool *snapshot_pointers(const struct snapshot *snapshot)
{
    return &snapshot->pointers;
}

struct symbols *snapshot_symbols(const struct snapshot *snapshot)
{
    return snapshot->symbols;
}

struct str snapshot_copy(struct snapshot *snapshot, struct str text)
{
    return arena_copy(&snapshot->arena, text);
}

void *snapshot_take(struct snapshot *snapshot, size_t size)
{
    return arena_take_zero(&snapshot->arena, size);
}

bool profile_is_measured(enum profile_kind kind)
{
    return kind >= PROFILE_HEAP;
}

const char *snapshot_origin(const struct snapshot_info *info)
{
    return info->origin ? info->origin : info->format;
}

struct str profile_other_name(const struct snapshot_info *info)
{
    if (info->kind == PROFILE_GOROUTINE || info->kind == PROFILE_GOROUTINELEAK)
        return (struct str){0};
    return info->profile;
}

bool snapshot_set_types(struct snapshot *snapshot,
                        const struct value_type *types, size_t n)
{
    struct value_type *copies =
        arena_take(&snapshot->arena, n * sizeof(*copies));

    snapshot->totals = snapshot_take(snapshot, n * sizeof(int64_t));
    snapshot->magnitudes = snapshot_take(snapshot, n * sizeof(int64_t));
    snapshot->bases = snapshot_take(snapshot, n * sizeof(int64_t));
    if (!copies || !snapshot->totals || !snapshot->magnitudes ||
        !snapshot->bases ||
        !values_copy_types(&snapshot->arena, types, n, copies))
        return false;
    snapshot->info.types = copies;
    snapshot->info.n_types = n;
    snapshot->info.totals = snapshot->totals;
    snapshot->info.magnitudes = snapshot->magnitudes;
    snapshot->info.bases = snapshot->bases;
    pool_init(&snapshot->values, snapshot->values.budget, n * sizeof(int64_t));
    return true;
}

void snapshot_set_labels(struct snapshot *snapshot, const struct label *labels,
                         size_t n)
{
    struct label *copies = snapshot_take(snapshot, n * sizeof(*copies));

    if (!copies)
        return;
    for (size_t i = 0; i < n; i++)
        copies[i] = (struct label){snapshot_copy(snapshot, labels[i].key),
                                   snapshot_copy(snapshot, labels[i].value)};
    snapshot->info.labels = copies;
    snapshot->info.n_labels = n;
}

const int64_t *snapshot_values(const struct snapshot *snapshot, size_t index)
{
    return index < snapshot->values.count ? pool_at(&snapshot->values, index)
                                          : NULL;
}

const struct lock_waiters *snapshot_locks(struct snapshot *snapshot,
                                          struct arena *arena,
                                          size_t *ret_count,
                                          uint64_t *ret_others)
{
    lock_table_settle(&snapshot->locks);
    *ret_others = snapshot->locks.others;
    return lock_table_sorted(&snapshot->locks, arena, ret_count);
}

const struct pool *snapshot_lock_waiters(struct snapshot *snapshot)
{
    lock_table_settle(&snapshot->locks);
    return &snapshot->locks.waiters;
}

static uint64_t hash_hidden(const struct hidden *hidden)
{
    uint64_t hash = hash_mix((uint64_t)hidden->count, hidden->n_pc);

    for (unsigned i = 0; i < hidden->n_pc; i++)
        hash = hash_mix(hash, hidden->pc[i]);
    return hash;
}

static uint64_t rehash_hidden(const void *user, uint32_t id)
{
    const struct snapshot *snapshot = user;

    return hash_hidden(pool_at(&snapshot->hiddens, id - 1));
}

static bool same_hidden(const struct hidden *a, const struct hidden *b)
{
    if (a->count != b->count || a->n_pc != b->n_pc)
        return false;
    return memcmp(a->pc, b->pc, a->n_pc * sizeof(a->pc[0])) == 0;
}

hidden_id snapshot_put_hidden(struct snapshot *snapshot,
                              const struct hidden *hidden)
{
    uint64_t hash = hash_hidden(hidden);
    struct table_walk walk = table_walk(&snapshot->hidden_table, hash);
    struct hidden *slot;
    hidden_id id;

    if (!hidden->n_pc)
        return 0;
    while ((id = table_next(&snapshot->hidden_table, &walk)) != 0) {
        if (same_hidden(pool_at(&snapshot->hiddens, id - 1), hidden))
            return id;
    }
    slot = pool_add(&snapshot->hiddens);
    if (!slot)
        return 0;
    *slot = *hidden;
    id = (hidden_id)snapshot->hiddens.count;
    if (!table_put(&snapshot->hidden_table, hash, id, rehash_hidden,
                   snapshot)) {
        snapshot->hiddens.count--;
        return 0;
    }
    return id;
}

static uint64_t hash_key(stack_id stack, hidden_id hidden, state_id state)
{
    return hash_mix((uint64_t)stack << 32 | hidden, state);
}

static uint64_t rehash_group(const void *user, uint32_t id)
{
    const struct snapshot *snapshot = user;
    const struct group *group = snapshot_group(snapshot, id - 1);

    return hash_key(group->stack, group->hidden, group->state);
}

int64_t *snapshot_take_values(struct snapshot *snapshot, size_t index)
{
    struct pool *pool = &snapshot->values;

    while (pool->count <= index) {
        if (!pool_add(pool))
            return NULL;
    }
    return pool_at(pool, index);
}

struct group *snapshot_find_group(struct snapshot *snapshot,
                                  const struct group *key,
                                  const struct record *record)
{
    uint64_t hash = hash_key(key->stack, key->hidden, key->state);
    struct table_walk walk = table_walk(&snapshot->group_table, hash);
    struct group *group;
    uint32_t id;

    while ((id = table_next(&snapshot->group_table, &walk)) != 0) {
        group = snapshot_group(snapshot, id - 1);
        if (group_has_key(group, key)) {
            snapshot->last = id - 1;
            return group;
        }
    }
    /* A group without its values would say that it measures nothing. */
    if (record && record->values &&
        !snapshot_take_values(snapshot, snapshot->groups.count))
        return NULL;
    group = pool_add(&snapshot->groups);
    if (!group)
        return NULL;
    *group = *key;
    if (record && record_has_args(record))
        group->lock_frame = lock_frame_find(snapshot->symbols, record->frames,
                                            record->n_frames);
    id = (uint32_t)snapshot->groups.count;
    if (!table_put(&snapshot->group_table, hash, id, rehash_group, snapshot)) {
        snapshot->groups.count--;
        return NULL;
    }
    snapshot->last = id - 1;
    return group;
}

struct evidence *snapshot_evidence(struct snapshot *snapshot,
                                   struct group *group)
{
    if (!group->evidence)
        group->evidence =
            arena_take_zero(&snapshot->arena, sizeof(*group->evidence));
    return group->evidence;
}

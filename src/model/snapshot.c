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

static bool has_key(const struct group *group, const struct group *key)
{
    return group->stack == key->stack && group->state == key->state &&
           group->hidden == key->hidden;
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
        if (has_key(group, key)) {
            snapshot->last = id - 1;
            return group;
        }
    }
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

/* The first two ids are the extremes themselves; a sample starts with the
 * third. */
static void count_id(struct snapshot *snapshot, struct group *group,
                     uint64_t id, uint64_t hash)
{
    struct evidence *evidence;

    if (group->n_ids == 2) {
        evidence = snapshot_evidence(snapshot, group);
        if (evidence) {
            id_sample_add(&evidence->ids, &snapshot->arena, group->id_min);
            id_sample_add(&evidence->ids, &snapshot->arena, group->id_max);
        }
    }
    if (group->n_ids >= 2 && group->evidence &&
        id_sample_wants(&group->evidence->ids, hash))
        id_sample_add(&group->evidence->ids, &snapshot->arena, id);
    if (!group->n_ids || id < group->id_min)
        group->id_min = id;
    if (!group->n_ids || id > group->id_max)
        group->id_max = id;
    if (group->n_ids < UINT32_MAX)
        group->n_ids++;
}

/* While all waits are equal, the extremes and their number say everything. */
static void count_wait(struct snapshot *snapshot, struct group *group,
                       uint32_t minutes, uint64_t count)
{
    bool differs = group->n_waits &&
                   (group->wait_min != minutes || group->wait_max != minutes);
    struct evidence *evidence = group->evidence;

    if (differs)
        evidence = snapshot_evidence(snapshot, group);
    if (differs && evidence && !evidence->waits.count)
        wait_histogram_add(&evidence->waits, &snapshot->arena, group->wait_min,
                           group->n_waits);
    if (evidence && (differs || evidence->waits.count))
        wait_histogram_add(&evidence->waits, &snapshot->arena, minutes,
                           count_cut(count));
    if (!group->n_waits || minutes < group->wait_min)
        group->wait_min = minutes;
    if (!group->n_waits || minutes > group->wait_max)
        group->wait_max = minutes;
    group->n_waits = count_cut(group->n_waits + count);
}

/* While all goroutines have one creator, created_by says everything. */
static void count_creator(struct snapshot *snapshot, struct group *group,
                          const struct record *record)
{
    struct evidence *evidence = group->evidence;

    if (!group->created_by) {
        group->created_by = record->created_by;
        return;
    }
    if (record->created_by == group->created_by &&
        (!evidence || !evidence->creators.count))
        return;
    if (record->created_by != group->created_by) {
        evidence = snapshot_evidence(snapshot, group);
        if (evidence && !evidence->creators.count)
            counted_set_add(&evidence->creators, &snapshot->arena,
                            group->created_by, group->count, EVIDENCE_CREATORS);
    }
    if (evidence && evidence->creators.count)
        counted_set_add(&evidence->creators, &snapshot->arena,
                        record->created_by, record->count, EVIDENCE_CREATORS);
}

static void count_labels(struct snapshot *snapshot, struct group *group,
                         const struct record *record)
{
    struct evidence *evidence = snapshot_evidence(snapshot, group);

    for (size_t i = 0; i < record->n_labels && evidence; i++)
        evidence_label_add(evidence, &snapshot->arena, snapshot->symbols,
                           &record->labels[i], record->count);
}

/* Adds to the values of the group that was counted last. */
static void count_values(struct snapshot *snapshot, const int64_t *values)
{
    struct pool *pool = &snapshot->values;

    while (pool->count <= snapshot->last) {
        if (!pool_add(pool))
            return;
    }
    values_add(pool_at(pool, snapshot->last), values, snapshot->info.n_types);
}

/* Counts the lock that a goroutine waits for, and keeps its pointers when those
 * of an id with that hash are kept. */
static void count_args(struct snapshot *snapshot, struct group *group,
                       const struct record *record, uint64_t hash)
{
    struct evidence *evidence = group->evidence;
    uint64_t from;
    enum lock_address known = LOCK_ADDRESS_NONE;
    uint64_t lock = 0;

    if (group->lock_frame != LOCK_FRAME_NONE)
        known = lock_find_address(snapshot->symbols, record, group->lock_frame,
                                  &lock);
    if (known)
        lock_table_add(&snapshot->locks, (uint32_t)snapshot->last, known, lock,
                       record->count);
    if (!record->has_id || (evidence && evidence->pointers_from &&
                            hash >= evidence->pointers_from))
        return;
    from = pointers_add(&snapshot->pointers, &group->pointers, &snapshot->arena,
                        snapshot->symbols, record, lock);
    if (evidence && from)
        evidence->pointers_from = from;
}

static void count_record(struct snapshot *snapshot, struct group *group,
                         const struct record *record)
{
    uint64_t hash = record->has_id ? id_sample_hash(record->id) : 0;

    if (record->has_id)
        count_id(snapshot, group, record->id, hash);
    if (record->has_wait)
        count_wait(snapshot, group, record->wait_min, record->count);
    if (group->count && !record->created_by != !group->created_by)
        snapshot->has_mixed = true;
    if (record->created_by)
        count_creator(snapshot, group, record);
    if (record->n_labels)
        count_labels(snapshot, group, record);
    if (record_has_args(record))
        count_args(snapshot, group, record, hash);
    if (record->values && snapshot->info.n_types)
        count_values(snapshot, record->values);
    group->count += record->count;
    group->leaked += record->leaked ? record->count : 0;
    if (record->locked)
        group->locked = count_cut(group->locked + record->count);
}

/* Shares are taken of what pprof takes them of: the sum of absolute values,
 * and of those of the base alone where there is one
 * (google/pprof/internal/report/report.go: computeTotal). */
static void add_totals(struct snapshot *snapshot, const struct record *record)
{
    for (size_t i = 0; i < snapshot->info.n_types; i++) {
        int64_t value = record->values[i];
        int64_t magnitude = value_absolute(value);

        snapshot->info.has_negative |= value < 0;
        values_add(&snapshot->totals[i], &value, 1);
        values_add(&snapshot->magnitudes[i], &magnitude, 1);
        if (record->is_base)
            values_add(&snapshot->bases[i], &magnitude, 1);
    }
}

static stack_id find_stack(struct snapshot *snapshot,
                           const struct record *record)
{
    if (record->lost)
        return STACK_OTHER;
    if (record->stack != STACK_EMPTY)
        return record->stack;
    return symbols_stack_put(snapshot->symbols, record->frames,
                             record->n_frames, record->elided);
}

/* The group of a record: the one where its reader noted it, or the one that was
 * counted last, or the one that the table has. */
static struct group *find_group(struct snapshot *snapshot,
                                const struct record *record, stack_id stack,
                                hidden_id hidden)
{
    struct group key = {.stack = stack,
                        .hidden = hidden,
                        .state = record->state,
                        .state_source = (uint8_t)record->state_source,
                        .lock_frame = LOCK_FRAME_NONE};
    size_t places[] = {record->note ? record->note->group : SIZE_MAX,
                       snapshot->last};

    for (unsigned i = 0; i < 2; i++) {
        struct group *group = places[i] < snapshot->groups.count
                                  ? snapshot_group(snapshot, places[i])
                                  : NULL;

        if (group && has_key(group, &key)) {
            snapshot->last = places[i];
            return group;
        }
    }
    return snapshot_find_group(snapshot, &key, record);
}

/* Notes where the next record like this one is counted. */
static void note_group(struct group_note *note, size_t index,
                       const struct group *group)
{
    const struct evidence *evidence = group->evidence;

    note->group = (uint32_t)index;
    note->near[0] = group;
    note->near[1] = (const char *)(group + 1) - 1;
    if (!evidence)
        return;
    note->near[2] = evidence;
    note->near[3] = &evidence->creators;
    note->near[4] = evidence->waits.bars;
}

size_t snapshot_add(struct snapshot *snapshot, const struct record *record)
{
    struct group *group = NULL;
    hidden_id hidden = 0;
    stack_id stack;

    snapshot->info.total += record->count;
    if (record->values)
        add_totals(snapshot, record);
    if (record->has_id && record->id > snapshot->info.max_id)
        snapshot->info.max_id = record->id;
    stack = find_stack(snapshot, record);
    if (record->hidden.n_pc)
        hidden = snapshot_put_hidden(snapshot, &record->hidden);
    if (stack != STACK_OTHER)
        group = find_group(snapshot, record, stack, hidden);
    if (!group) {
        snapshot->info.other += record->count;
        return SNAPSHOT_NO_GROUP;
    }
    count_record(snapshot, group, record);
    if (record->note)
        note_group(record->note, snapshot->last, group);
    return snapshot->last;
}

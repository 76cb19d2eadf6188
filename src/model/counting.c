/* counting.c - how records are counted into the groups of a snapshot.
 *
 * Most goroutines of a large dump are like many before: of these only the
 * arguments are looked at where they stand. What else is to be remembered of
 * them is put aside in their group and looked at some at a time, when it and
 * what the branches depend on is near. */
#include "model/snapshot_parts.h"

/* From so many ids on a group puts goroutines aside. */
enum { ASIDE_FROM = 16 };

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

/* Counts the labels that were put aside. */
static void settle_sets(struct snapshot *snapshot, struct evidence *evidence)
{
    struct aside *aside = evidence->aside;

    for (uint32_t i = 0; i < aside->n_sets; i++) {
        const struct label_set *set = aside->sets[i].set;

        for (size_t k = 0; k < set->n; k++)
            evidence_label_add(evidence, &snapshot->arena, snapshot->symbols,
                               &set->labels[k], aside->sets[i].count);
    }
    aside->n_sets = 0;
}

/* Puts the labels of a goroutine aside. */
static void count_set(struct snapshot *snapshot, struct evidence *evidence,
                      const struct label_set *set)
{
    struct aside *aside = evidence->aside;
    uint32_t i = 0;

    while (i < aside->n_sets && aside->sets[i].set != set)
        i++;
    if (i == EVIDENCE_SETS) {
        settle_sets(snapshot, evidence);
        i = 0;
    }
    if (i == aside->n_sets) {
        aside->sets[i].set = set;
        aside->sets[i].count = 0;
        aside->n_sets++;
    }
    aside->sets[i].count++;
}

/* Which values are kept depends on the order: those put aside came before. */
static void count_labels(struct snapshot *snapshot, struct group *group,
                         const struct record *record)
{
    struct evidence *evidence = snapshot_evidence(snapshot, group);

    if (evidence && evidence->aside)
        settle_sets(snapshot, evidence);
    for (size_t i = 0; i < record->n_labels && evidence; i++)
        evidence_label_add(evidence, &snapshot->arena, snapshot->symbols,
                           &record->labels[i], record->count);
}

/* Adds to the values of the group that was counted last. */
static void count_values(struct snapshot *snapshot, const int64_t *values)
{
    int64_t *into = snapshot_take_values(snapshot, snapshot->last);

    if (into)
        values_add(into, values, snapshot->info.n_types);
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

static void start_aside(struct snapshot *snapshot, struct group *group)
{
    struct evidence *evidence = group->evidence;

    if (group->n_ids >= ASIDE_FROM && evidence && !evidence->aside)
        evidence->aside =
            arena_take_zero(&snapshot->arena, sizeof(*evidence->aside));
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

        if (group && group_has_key(group, &key)) {
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
    note->near[3] = evidence->aside;
    if (evidence->aside)
        note->near[4] = evidence->aside + 1;
}

/* --- Many alike ----------------------------------------------------------- */

static void settle_ids(struct snapshot *snapshot, struct group *group,
                       const struct aside *aside)
{
    struct id_sample *sample = &group->evidence->ids;

    id_sample_add_all(sample, &snapshot->arena, aside->ids, aside->n);
    for (uint32_t i = 0; i < aside->n; i++) {
        uint64_t id = aside->ids[i];

        group->id_min = id < group->id_min ? id : group->id_min;
        group->id_max = id > group->id_max ? id : group->id_max;
    }
    group->n_ids = count_cut((uint64_t)group->n_ids + aside->n);
}

/* Looks at the ids and waits that were put aside. */
static void settle_group(struct snapshot *snapshot, struct group *group)
{
    struct aside *aside = group->evidence->aside;

    settle_ids(snapshot, group, aside);
    for (uint32_t i = 0; i < aside->n; i++) {
        if (aside->waits[i] != WAIT_NONE)
            count_wait(snapshot, group, aside->waits[i], 1);
    }
    aside->n = 0;
}

void snapshot_settle(struct snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->groups.count; i++) {
        struct group *group = snapshot_group(snapshot, i);

        if (!group->evidence || !group->evidence->aside)
            continue;
        settle_group(snapshot, group);
        settle_sets(snapshot, group->evidence);
    }
}

/* Counts a plain goroutine that is like the one before in its note's group;
 * false when it is not, or its group puts none aside. */
static bool count_alike(struct snapshot *snapshot, const struct record *record)
{
    size_t index = record->note->group;
    struct group *group;
    struct aside *aside;

    if (index >= snapshot->groups.count)
        return false;
    group = snapshot_group(snapshot, index);
    if (group->stack != record->stack || group->state != record->state ||
        group->hidden || group->n_ids < ASIDE_FROM || !group->evidence ||
        !group->evidence->aside || group->created_by != record->created_by ||
        group->evidence->creators.count ||
        (record->has_wait && record->wait_min == WAIT_NONE))
        return false;
    aside = group->evidence->aside;
    aside->ids[aside->n] = record->id;
    aside->waits[aside->n] = record->has_wait ? record->wait_min : WAIT_NONE;
    snapshot->last = index;
    snapshot->info.total++;
    if (record->id > snapshot->info.max_id)
        snapshot->info.max_id = record->id;
    group->count++;
    if (record->set)
        count_set(snapshot, group->evidence, record->set);
    if (record_has_args(record))
        count_args(snapshot, group, record, id_sample_hash(record->id));
    if (++aside->n == EVIDENCE_ASIDE)
        settle_group(snapshot, group);
    return true;
}

size_t snapshot_add(struct snapshot *snapshot, const struct record *record)
{
    struct group *group = NULL;
    hidden_id hidden = 0;
    stack_id stack;

    if (record->is_plain && count_alike(snapshot, record))
        return snapshot->last;
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
        snapshot->info.n_other++;
        return SNAPSHOT_NO_GROUP;
    }
    count_record(snapshot, group, record);
    start_aside(snapshot, group);
    if (record->note)
        note_group(record->note, snapshot->last, group);
    return snapshot->last;
}

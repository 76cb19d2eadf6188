/* Two parts of one dump that were read by different threads become one. */
#include "model/snapshot_parts.h"

/* --- Whether it can be done ----------------------------------------------- */

static bool is_exact(const struct group *group)
{
    const struct evidence *evidence = group->evidence;

    if (group->hidden)
        return false;
    if (!evidence)
        return true;
    if (evidence->other_labels || evidence->creators.others)
        return false;
    for (const struct label_counts *labels = evidence->labels; labels;
         labels = labels->next) {
        if (labels->values.others)
            return false;
    }
    return true;
}

/* Whether nothing that order decides was left out of the part, so that it can
 * be counted behind another. */
static bool is_whole(const struct snapshot *snapshot)
{
    const struct snapshot_info *info = &snapshot->info;

    if (snapshot->folded || snapshot->has_mixed || info->n_types ||
        info->other || !info->complete || snapshot->locks.others ||
        snapshot->pointers.count >= POINTERS_MOST)
        return false;
    for (size_t i = 0; i < snapshot->groups.count; i++) {
        if (!is_exact(snapshot_group(snapshot, i)))
            return false;
    }
    return true;
}

/* --- Symbols -------------------------------------------------------------- */

void id_map_done(struct id_map *map)
{
    budget_free(map->budget, map->frames, map->n_frames * sizeof(frame_id));
    budget_free(map->budget, map->stacks, map->n_stacks * sizeof(stack_id));
    *map = (struct id_map){0};
}

/* Makes room for n ids where there are *known, which becomes n. */
static bool map_grow(struct id_map *map, uint32_t **ids, size_t *known,
                     size_t n)
{
    uint32_t *grown = *ids;

    if (n > *known)
        grown = budget_resize(map->budget, grown, *known * sizeof(*grown),
                              n * sizeof(*grown));
    if (n && !grown)
        return false;
    *ids = grown;
    *known = n;
    return true;
}

static bool map_frames(struct id_map *map, size_t known, struct symbols *into,
                       const struct symbols *from)
{
    for (size_t i = known; i < map->n_frames; i++) {
        frame_id id = (frame_id)(i + 1);
        struct str function = symbols_function(from, id);
        struct str file = symbols_file(from, id);
        struct frame frame = {symbols_text_put(into, function),
                              symbols_text_put(into, file),
                              symbols_frame(from, id).line};

        if ((function.len && !frame.function) || (file.len && !frame.file))
            return false;
        map->frames[i] = symbols_frame_put(into, frame);
        if (!map->frames[i])
            return false;
    }
    return true;
}

static frame_id frame_in(const struct id_map *map, frame_id id)
{
    return id && id <= map->n_frames ? map->frames[id - 1] : FRAME_NONE;
}

static stack_id stack_in(const struct id_map *map, stack_id id)
{
    if (id == STACK_EMPTY)
        return STACK_EMPTY;
    return id <= map->n_stacks ? map->stacks[id - 1] : STACK_OTHER;
}

static bool map_stacks(struct id_map *map, size_t known, struct symbols *into,
                       const struct symbols *from, frame_id *frames)
{
    for (size_t i = known; i < map->n_stacks; i++) {
        struct stack stack = symbols_stack(from, (stack_id)(i + 1));

        for (uint32_t k = 0; k < stack.n_frames; k++)
            frames[k] = frame_in(map, stack.frames[k]);
        map->stacks[i] =
            symbols_stack_put(into, frames, stack.n_frames, stack.elided);
        if (map->stacks[i] == STACK_OTHER)
            return false;
    }
    return true;
}

/* Room for the frames of the longest of the stacks that are new. */
static size_t most_frames(const struct symbols *symbols, size_t known)
{
    size_t most = 1;

    for (size_t i = known; i < symbols_n_stacks(symbols); i++) {
        struct stack stack = symbols_stack(symbols, (stack_id)(i + 1));

        most = stack.n_frames > most ? stack.n_frames : most;
    }
    return most;
}

/* Puts the frames and stacks of from that are new into other symbols. Without
 * memory nothing is mapped. */
static bool map_symbols(struct id_map *map, struct symbols *into,
                        const struct symbols *from)
{
    size_t n_frames = map->into == into ? map->n_frames : 0;
    size_t n_stacks = map->into == into ? map->n_stacks : 0;
    size_t most = most_frames(from, n_stacks) * sizeof(frame_id);
    frame_id *frames = budget_resize(symbols_budget(into), NULL, 0, most);
    bool is_done = false;

    symbols_follow_cut(into, from);
    if (map->into != into)
        id_map_done(map);
    map->into = into;
    map->budget = symbols_budget(into);
    if (frames &&
        map_grow(map, &map->frames, &map->n_frames, symbols_n_frames(from)) &&
        map_grow(map, &map->stacks, &map->n_stacks, symbols_n_stacks(from)))
        is_done = map_frames(map, n_frames, into, from) &&
                  map_stacks(map, n_stacks, into, from, frames);
    budget_free(symbols_budget(into), frames, most);
    if (!is_done)
        id_map_done(map);
    return is_done;
}

/* --- Groups --------------------------------------------------------------- */

/* See count_id: while there are two ids at most, the extremes say all. */
static void merge_ids(struct snapshot *snapshot, struct group *into,
                      const struct group *from)
{
    struct arena *arena = &snapshot->arena;
    uint64_t n = (uint64_t)into->n_ids + from->n_ids;
    struct evidence *evidence =
        n > 2 ? snapshot_evidence(snapshot, into) : NULL;

    if (evidence && !evidence->ids.count && into->n_ids)
        id_sample_add(&evidence->ids, arena, into->id_min);
    if (evidence && evidence->ids.count == 1 && into->n_ids == 2)
        id_sample_add(&evidence->ids, arena, into->id_max);
    for (size_t i = 0; evidence && i < group_n_kept_ids(from); i++)
        id_sample_add(&evidence->ids, arena, group_kept_id(from, i));
    if (from->n_ids && (!into->n_ids || from->id_min < into->id_min))
        into->id_min = from->id_min;
    if (from->n_ids && (!into->n_ids || from->id_max > into->id_max))
        into->id_max = from->id_max;
    into->n_ids = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

/* See count_wait: while all waits are equal, there is no histogram. */
static void merge_waits(struct snapshot *snapshot, struct group *into,
                        const struct group *from)
{
    struct arena *arena = &snapshot->arena;
    const struct wait_histogram *bars =
        from->evidence && from->evidence->waits.count ? &from->evidence->waits
                                                      : NULL;
    struct wait_histogram *waits = NULL;

    if (!from->n_waits)
        return;
    if (bars || (into->n_waits && (into->wait_min != into->wait_max ||
                                   into->wait_min != from->wait_min))) {
        struct evidence *evidence = snapshot_evidence(snapshot, into);

        waits = evidence ? &evidence->waits : NULL;
    }
    if (waits && !waits->count && into->n_waits)
        wait_histogram_add(waits, arena, into->wait_min, into->n_waits);
    for (uint32_t i = 0; waits && bars && i < bars->count; i++)
        wait_histogram_add(waits, arena, bars->bars[i].minutes,
                           bars->bars[i].count);
    if (waits && !bars)
        wait_histogram_add(waits, arena, from->wait_min, from->n_waits);
    if (!into->n_waits || from->wait_min < into->wait_min)
        into->wait_min = from->wait_min;
    if (!into->n_waits || from->wait_max > into->wait_max)
        into->wait_max = from->wait_max;
    into->n_waits = count_cut((uint64_t)into->n_waits + from->n_waits);
}

/* See count_creator: while there is one creator, there is no set. */
static void merge_creators(struct snapshot *snapshot, struct group *into,
                           const struct group *from, const struct id_map *map)
{
    struct arena *arena = &snapshot->arena;
    frame_id creator = frame_in(map, from->created_by);
    const struct counted_set *set =
        from->evidence && from->evidence->creators.count
            ? &from->evidence->creators
            : NULL;
    struct evidence *evidence = into->evidence;

    if (!creator)
        return;
    if (!into->created_by)
        into->created_by = creator;
    if (set || creator != into->created_by)
        evidence = snapshot_evidence(snapshot, into);
    if (evidence && !evidence->creators.count && into->count &&
        (set || creator != into->created_by))
        counted_set_add(&evidence->creators, arena, into->created_by,
                        into->count, EVIDENCE_CREATORS);
    for (uint32_t i = 0; evidence && set && i < set->count; i++)
        counted_set_add(&evidence->creators, arena,
                        frame_in(map, set->items[i].id), set->items[i].count,
                        EVIDENCE_CREATORS);
    if (evidence && !set && evidence->creators.count)
        counted_set_add(&evidence->creators, arena, creator, from->count,
                        EVIDENCE_CREATORS);
}

static void merge_labels(struct snapshot *snapshot, struct group *into,
                         const struct group *from,
                         const struct symbols *symbols)
{
    const struct label_counts *labels =
        from->evidence ? from->evidence->labels : NULL;
    struct evidence *evidence =
        labels ? snapshot_evidence(snapshot, into) : NULL;

    for (; evidence && labels; labels = labels->next) {
        for (uint32_t i = 0; i < labels->values.count; i++) {
            const struct counted *item = &labels->values.items[i];
            struct label label = {symbols_text(symbols, labels->key),
                                  symbols_text(symbols, item->id)};

            evidence_label_add(evidence, &snapshot->arena, snapshot->symbols,
                               &label, item->count);
        }
    }
}

/* Adds a group and returns the index of the one that it became part of. */
static size_t merge_group(struct snapshot *into, const struct snapshot *from,
                          const struct group *group, const struct id_map *map)
{
    struct str state = symbols_state(from->symbols, group->state);
    struct group key = {.stack = stack_in(map, group->stack),
                        .state = symbols_state_put(into->symbols, state),
                        .state_source = group->state_source,
                        .lock_frame = group->lock_frame};
    struct group *mine = snapshot_find_group(into, &key, NULL);

    if (!mine) {
        into->info.other += group->count;
        into->info.n_other++;
        return SNAPSHOT_NO_GROUP;
    }
    merge_ids(into, mine, group);
    merge_waits(into, mine, group);
    merge_creators(into, mine, group, map);
    merge_labels(into, mine, group, from->symbols);
    pointers_merge(&into->pointers, &mine->pointers, &into->arena,
                   &from->pointers, group->pointers);
    mine->count += group->count;
    mine->leaked += group->leaked;
    mine->locked = count_cut((uint64_t)mine->locked + group->locked);
    return into->last;
}

/* Counts the locks in the order in which they were met. */
static void merge_locks(struct snapshot *into, const struct snapshot *from,
                        const uint32_t *groups)
{
    for (size_t i = 0; i < from->locks.waiters.count; i++) {
        const struct lock_waiters *waiters = pool_at(&from->locks.waiters, i);

        lock_table_add(&into->locks, groups[waiters->group], waiters->known,
                       waiters->address, waiters->count);
    }
}

/* Makes a group count anew, and keep only what the group that it became part of
 * would. */
static void restart_group(struct group *group, const struct snapshot *into,
                          uint32_t index)
{
    struct evidence *evidence = group->evidence;
    const struct group *mine =
        index < into->groups.count ? snapshot_group(into, index) : NULL;

    *group = (struct group){.stack = group->stack,
                            .state = group->state,
                            .state_source = group->state_source,
                            .lock_frame = group->lock_frame,
                            .evidence = evidence};
    if (!evidence)
        return;
    evidence->ids.count = 0;
    evidence->waits.count = 0;
    evidence->creators.count = 0;
    for (struct label_counts *labels = evidence->labels; labels;
         labels = labels->next)
        labels->values.count = 0;
    if (!mine || !mine->evidence)
        return;
    if (mine->evidence->ids.below)
        evidence->ids.below = mine->evidence->ids.below;
    if (mine->pointers)
        evidence->pointers_from =
            pointers_bound(&into->pointers, mine->pointers);
}

/* Empties a snapshot whose goroutines were added to another. */
static void restart(struct snapshot *from, const struct snapshot *into,
                    const uint32_t *groups)
{
    struct budget *budget = symbols_budget(from->symbols);

    for (size_t i = 0; i < from->groups.count; i++)
        restart_group(snapshot_group(from, i), into, groups[i]);
    lock_table_done(&from->locks);
    lock_table_init(&from->locks, budget);
    pool_done(&from->pointers);
    from->info.total = 0;
    from->info.max_id = 0;
}

bool snapshot_merge(struct snapshot *into, struct snapshot *from)
{
    struct budget *budget = symbols_budget(into->symbols);
    size_t n = from->groups.count;
    uint32_t *groups = NULL;
    bool is_done = false;

    lock_table_settle(&from->locks);
    snapshot_settle(from);
    snapshot_settle(into);
    if (!is_whole(from) || into->has_mixed ||
        into->pointers.count + from->pointers.count > POINTERS_MOST)
        return false;
    groups = budget_resize(budget, NULL, 0, n * sizeof(*groups));
    if (!groups || !map_symbols(&from->map, into->symbols, from->symbols))
        goto done;
    for (size_t i = 0; i < n; i++) {
        const struct group *group = snapshot_group(from, i);

        groups[i] = group->count
                        ? (uint32_t)merge_group(into, from, group, &from->map)
                        : UINT32_MAX;
    }
    merge_locks(into, from, groups);
    into->info.total += from->info.total;
    if (from->info.max_id > into->info.max_id)
        into->info.max_id = from->info.max_id;
    restart(from, into, groups);
    is_done = true;
done:
    budget_free(budget, groups, n * sizeof(*groups));
    return is_done;
}

void snapshot_settle_pointers(struct snapshot *snapshot)
{
    pointers_fetch(&snapshot->pointers);
    for (size_t i = 0; i < snapshot->groups.count; i++) {
        struct group *group = snapshot_group(snapshot, i);

        if (group->pointers)
            pointers_sort(&snapshot->pointers, &group->pointers);
    }
}

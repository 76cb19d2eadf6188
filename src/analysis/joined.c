#include "analysis/joined.h"

const struct joined_extra joined_no_extra = {.values = NULL};

struct joined_extra *joined_extra_put(struct joined_group *group,
                                      struct arena *arena)
{
    if (!group->extra)
        group->extra = arena_take_zero(arena, sizeof(*group->extra));
    return group->extra;
}

const struct group joined_no_facts = {.stack = STACK_EMPTY};

/* Nothing here grows: the arrays have room for all there can be. */
static void show_ids(struct plain_evidence *room, const struct group *facts)
{
    struct id_sample *ids = &room->evidence.ids;

    *ids = (struct id_sample){.ids = room->ids, .size = 2};
    if (!facts->n_ids)
        return;
    id_sample_add(ids, NULL, facts->id_min);
    if (facts->id_max != facts->id_min)
        id_sample_add(ids, NULL, facts->id_max);
}

static void show_waits(struct plain_evidence *room, const struct group *facts)
{
    struct wait_histogram *waits = &room->evidence.waits;

    *waits = (struct wait_histogram){.bars = room->bars, .size = 2};
    if (facts->n_waits)
        wait_histogram_add(waits, NULL, facts->wait_max, facts->n_waits);
}

const struct evidence *joined_evidence(const struct joined_group *group,
                                       struct plain_evidence *room)
{
    const struct group *facts = group->facts;

    if (facts->evidence)
        return facts->evidence;
    *room = (struct plain_evidence){0};
    show_ids(room, facts);
    show_waits(room, facts);
    if (facts->created_by) {
        room->creator = (struct counted){facts->created_by, group->count};
        room->evidence.creators = (struct counted_set){
            .items = &room->creator, .count = 1, .size = 1};
    }
    return &room->evidence;
}

/* Facts that are made for a joined group. */
struct own_facts {
    struct group group;
    struct evidence evidence;
};

/* The facts of a joined group to write, made of those that it has; NULL
 * without memory. */
static struct group *own_facts(struct joined_group *joined, struct arena *arena)
{
    struct own_facts *own;
    struct plain_evidence room;

    if (joined->owns_facts)
        return (struct group *)(uintptr_t)joined->facts;
    own = arena_take_zero(arena, sizeof(*own));
    if (!own)
        return NULL;
    own->group = *joined->facts;
    own->group.evidence = &own->evidence;
    evidence_merge(&own->evidence, joined_evidence(joined, &room), arena);
    joined->facts = &own->group;
    joined->owns_facts = true;
    return &own->group;
}

static void add_ids(struct group *facts, const struct group *group)
{
    if (!group->n_ids)
        return;
    if (!facts->n_ids || group->id_min < facts->id_min)
        facts->id_min = group->id_min;
    if (!facts->n_ids || group->id_max > facts->id_max)
        facts->id_max = group->id_max;
    facts->n_ids = count_cut((uint64_t)facts->n_ids + group->n_ids);
}

static void add_waits(struct group *facts, const struct group *group)
{
    if (!group->n_waits)
        return;
    if (!facts->n_waits || group->wait_min < facts->wait_min)
        facts->wait_min = group->wait_min;
    if (!facts->n_waits || group->wait_max > facts->wait_max)
        facts->wait_max = group->wait_max;
    facts->n_waits = count_cut((uint64_t)facts->n_waits + group->n_waits);
}

bool joined_facts_add(struct joined_group *joined, const struct group *group,
                      struct arena *arena)
{
    struct group *own;

    if (joined->facts == &joined_no_facts && !group->evidence) {
        joined->facts = group;
        return true;
    }
    own = own_facts(joined, arena);
    if (!own)
        return false;
    group_evidence_add(own->evidence, group, arena);
    add_ids(own, group);
    add_waits(own, group);
    return true;
}

static uint64_t count_waits(const struct wait_histogram *waits)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < waits->count; i++)
        n += waits->bars[i].count;
    return n;
}

/* Counts the goroutines that say no minutes among those that say some. */
static void settle_waits(struct group *own, uint64_t count, struct arena *arena)
{
    uint64_t known = count_waits(&own->evidence->waits);

    if (!own->n_waits || known >= count)
        return;
    own->wait_min = 0;
    wait_histogram_add(&own->evidence->waits, arena, 0,
                       count_cut(count - known));
}

void joined_settle_facts(struct joined_group *group,
                         const struct symbols *symbols, struct arena *arena)
{
    bool has_silent = joined_has_wait(group) &&
                      group->facts->n_waits < count_cut(group->count);
    struct group *own =
        group->owns_facts || has_silent ? own_facts(group, arena) : NULL;

    group->created_by = group->facts->created_by;
    if (!own)
        return;
    group->created_by = creators_most_common(&own->evidence->creators, symbols);
    id_sample_settle(&own->evidence->ids);
    settle_waits(own, group->count, arena);
}

uint32_t joined_wait_median(const struct joined_group *group)
{
    struct plain_evidence room;

    return wait_histogram_median(&joined_evidence(group, &room)->waits);
}

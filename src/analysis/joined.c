#include "analysis/joined.h"

const struct joined_extra joined_no_extra = {.values = NULL};

struct joined_extra *joined_extra_put(struct joined_group *group,
                                      struct arena *arena)
{
    if (!group->extra)
        group->extra = arena_take_zero(arena, sizeof(*group->extra));
    return group->extra;
}

/* Nothing here grows: the arrays have room for all there can be. */
static void add_ids(struct plain_evidence *room,
                    const struct joined_group *group)
{
    struct id_sample *ids = &room->evidence.ids;

    *ids = (struct id_sample){.ids = room->ids, .size = 2};
    if (!group->n_ids)
        return;
    id_sample_add(ids, NULL, group->id_min);
    if (group->id_max != group->id_min)
        id_sample_add(ids, NULL, group->id_max);
}

static void add_waits(struct plain_evidence *room,
                      const struct joined_group *group)
{
    struct wait_histogram *waits = &room->evidence.waits;

    *waits = (struct wait_histogram){.bars = room->bars, .size = 2};
    if (group->n_waits)
        wait_histogram_add(waits, NULL, group->wait_max, group->n_waits);
    if (group->n_waits && !group->wait_min && group->n_waits < group->count)
        wait_histogram_add(waits, NULL, 0,
                           count_cut(group->count - group->n_waits));
}

const struct evidence *joined_evidence(const struct joined_group *group,
                                       struct plain_evidence *room)
{
    if (group->evidence)
        return group->evidence;
    *room = (struct plain_evidence){0};
    add_ids(room, group);
    add_waits(room, group);
    if (group->created_by) {
        room->creator = (struct counted){group->created_by, group->count};
        room->evidence.creators = (struct counted_set){
            .items = &room->creator, .count = 1, .size = 1};
    }
    return &room->evidence;
}

/* Makes evidence of its own for a joined group that has none. */
static bool make_evidence(struct joined_group *joined, struct arena *arena)
{
    struct evidence *evidence = arena_take_zero(arena, sizeof(*evidence));
    struct plain_evidence room;

    if (!evidence)
        return false;
    if (joined->is_told)
        evidence_merge(evidence, joined_evidence(joined, &room), arena);
    joined->evidence = evidence;
    return true;
}

bool joined_evidence_add(struct joined_group *joined, const struct group *group,
                         struct arena *arena)
{
    bool is_plain = !joined->is_told && !group->evidence;

    if (!is_plain && !joined->evidence && !make_evidence(joined, arena))
        return false;
    if (is_plain) {
        joined->created_by = group->created_by;
        joined->n_waits = group->n_waits;
    } else {
        group_evidence_add(joined->evidence, group, arena);
    }
    joined->is_told = true;
    return true;
}

static uint64_t count_waits(const struct wait_histogram *waits)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < waits->count; i++)
        n += waits->bars[i].count;
    return n;
}

void joined_settle_evidence(struct joined_group *group,
                            const struct symbols *symbols, struct arena *arena)
{
    struct evidence *own = group->evidence;
    uint64_t known = own ? count_waits(&own->waits) : group->n_waits;

    if (own) {
        group->created_by = creators_most_common(&own->creators, symbols);
        id_sample_settle(&own->ids);
    }
    if (!group->has_wait)
        return;
    if (known < group->count) {
        group->wait_min = 0;
        if (own)
            wait_histogram_add(&own->waits, arena, 0,
                               count_cut(group->count - known));
    }
}

uint32_t joined_wait_median(const struct joined_group *group)
{
    struct plain_evidence room;

    return wait_histogram_median(&joined_evidence(group, &room)->waits);
}

#include "analysis/measures.h"

/* In measures.places: the type is not among the joined ones. */
enum { PLACE_NONE = UINT8_MAX };

static uint8_t place_of(struct measures *measures,
                        const struct value_type *type)
{
    size_t i = 0;

    while (i < measures->n_types &&
           !str_equal(measures->types[i].name, type->name))
        i++;
    if (i == VALUES_MOST)
        return PLACE_NONE;
    if (i == measures->n_types)
        measures->types[measures->n_types++] = *type;
    return (uint8_t)i;
}

bool measures_init(struct measures *measures, struct arena *arena,
                   const struct cprof_snapshots *snapshots, const bool *judged)
{
    measures->n_types = 0;
    measures->places =
        arena_take_zero(arena, snapshots->count * sizeof(*measures->places));
    if (!measures->places)
        return false;
    for (size_t i = 0; i < snapshots->count; i++) {
        const struct snapshot_info *info =
            snapshot_info_get(snapshots->items[i]);

        for (size_t j = 0; judged[i] && j < info->n_types; j++)
            measures->places[i][j] = place_of(measures, &info->types[j]);
    }
    return true;
}

void measures_add(const struct measures *measures, struct arena *arena,
                  const struct cprof_snapshots *snapshots, size_t snapshot,
                  size_t group, int64_t **values)
{
    const struct snapshot *from = snapshots->items[snapshot];
    const int64_t *added = snapshot_values(from, group);
    size_t n = snapshot_info_get(from)->n_types;

    if (added && !*values)
        *values = arena_take_zero(arena, measures->n_types * sizeof(**values));
    if (!added || !*values)
        return;
    for (size_t i = 0; i < n; i++) {
        uint8_t place = measures->places[snapshot][i];

        if (place != PLACE_NONE)
            values_add(*values + place, added + i, 1);
    }
}

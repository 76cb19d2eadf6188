#include "unwrap/line_map.h"

void line_map_init(struct line_map *map, struct budget *budget)
{
    *map = (struct line_map){.budget = budget};
}

void line_map_done(struct line_map *map)
{
    budget_free(map->budget, map->runs, map->size * sizeof(*map->runs));
    map->runs = NULL;
    map->count = map->size = 0;
}

static uint64_t predict(const struct line_run *run, uint64_t inner)
{
    return run->is_one ? run->outer : run->outer + (inner - run->inner);
}

/* Room for one more run; false when there is none to be had. */
static bool make_room(struct line_map *map)
{
    size_t size = map->size ? map->size * 2 : 16;
    struct line_run *runs;

    if (map->count < map->size)
        return true;
    if (size <= LINE_MAP_MOST) {
        runs = budget_resize(map->budget, map->runs, map->size * sizeof(*runs),
                             size * sizeof(*runs));
        if (runs) {
            map->runs = runs;
            map->size = size;
            return true;
        }
    }
    for (size_t i = 0; i < map->count / 2; i++)
        map->runs[i] = map->runs[2 * i];
    map->count /= 2;
    map->step = map->step ? map->step * 2 : 2;
    return map->count < map->size;
}

void line_map_add(struct line_map *map, uint64_t inner, uint64_t outer,
                  bool is_one)
{
    if (map->count) {
        const struct line_run *last = &map->runs[map->count - 1];

        if ((last->is_one == is_one && predict(last, inner) == outer) ||
            inner - last->inner < map->step)
            return;
    }
    if (make_room(map))
        map->runs[map->count++] = (struct line_run){inner, outer, is_one};
}

uint64_t line_map_outer(const struct line_map *map, uint64_t inner)
{
    size_t low = 0;
    size_t high = map->count;

    if (map->n_turned)
        return inner <= map->n_turned ? map->n_turned + 1 - inner : inner;
    if (!map->count)
        return inner;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (map->runs[middle].inner <= inner)
            low = middle;
        else
            high = middle;
    }
    return inner < map->runs[low].inner ? map->runs[low].outer
                                        : predict(&map->runs[low], inner);
}

#include "analysis/crowds.h"

#include <stdlib.h>
#include <string.h>

/* A goroutine in a method of an object that has mutexes. */
struct stander {
    frame_id frame;
    uint64_t object;
    uint64_t goroutine;
};

struct survey {
    const struct spot_map *map;
    bool *is_shared; /* of each scope: its locks may have several holders, or
                        are not those of the object */
    struct stander *all;
    size_t n;
};

static int compare_standers(const void *a, const void *b)
{
    const struct stander *left = a;
    const struct stander *right = b;

    if (left->frame != right->frame)
        return left->frame < right->frame ? -1 : 1;
    return (left->object > right->object) - (left->object < right->object);
}

/* A mutex has one holder, all else may have more. */
static void note_shared(struct survey *survey)
{
    const struct contention *contention = survey->map->contention;

    for (size_t i = 0; i < contention->n_waitings; i++) {
        const struct lock_site *site = &contention->waitings[i].site;

        if (site->kind != HOLDING_MUTEX && site->kind != HOLDING_WAITGROUP &&
            site->kind != HOLDING_COND)
            survey->is_shared[spot_map_find(survey->map, site->scope)] = true;
    }
}

/* Whether a frame of a stack is in a method of an object with mutexes. */
static bool is_inside(const struct survey *survey, struct stack stack,
                      uint32_t at)
{
    size_t scope = spot_map_scope(survey->map, stack, at);

    return scope < survey->map->n_scopes && !survey->is_shared[scope];
}

static void add_standers(struct survey *survey, const struct group *group)
{
    const struct contention *contention = survey->map->contention;
    const struct pool *pool = snapshot_pointers(contention->snapshot);
    struct stack stack = symbols_stack(contention->symbols, group->stack);

    for (const struct pointers *at = pointers_get(pool, group->pointers); at;
         at = pointers_get(pool, at->next)) {
        for (unsigned i = 0; i < at->n; i++) {
            if (spot_is_receiver(contention->symbols, stack, at, i) &&
                is_inside(survey, stack, at->frames[i]))
                survey->all[survey->n++] = (struct stander){
                    stack.frames[at->frames[i]], at->addresses[i], at->id};
        }
    }
}

static void mark_crowds(struct survey *survey, bool *is_crowded)
{
    const struct stander *all = survey->all;

    if (survey->n)
        qsort(survey->all, survey->n, sizeof(*all), compare_standers);
    for (size_t i = 1; i < survey->n; i++) {
        if (compare_standers(&all[i - 1], &all[i]) == 0 &&
            all[i - 1].goroutine != all[i].goroutine)
            is_crowded[all[i].frame] = true;
    }
}

static bool find(struct survey *survey, size_t size, bool *is_crowded)
{
    const struct contention *contention = survey->map->contention;
    struct budget *budget = snapshot_pointers(contention->snapshot)->budget;

    survey->all = budget_resize(budget, NULL, 0, size);
    if (!survey->all)
        return false;
    note_shared(survey);
    for (size_t i = 0; i < snapshot_n_groups(contention->snapshot); i++)
        add_standers(survey, snapshot_group(contention->snapshot, i));
    mark_crowds(survey, is_crowded);
    budget_free(budget, survey->all, size);
    return true;
}

bool *crowds_find(const struct spot_map *map, const bool *is_apart)
{
    const struct contention *contention = map->contention;
    struct arena *scratch = contention->scratch;
    size_t size = snapshot_pointers(contention->snapshot)->count *
                  POINTERS_KEPT * sizeof(struct stander);
    size_t n_frames = symbols_n_frames(contention->symbols) + 1;
    bool *is_crowded = arena_take_zero(scratch, n_frames * sizeof(*is_crowded));
    struct survey survey = {
        .map = map,
        .is_shared =
            arena_take(scratch, (map->n_scopes + 1) * sizeof(*is_apart))};

    if (!is_crowded || !survey.is_shared)
        return NULL;
    memcpy(survey.is_shared, is_apart, map->n_scopes * sizeof(*is_apart));
    if (size && !find(&survey, size, is_crowded))
        return NULL;
    return is_crowded;
}

bool crowds_is_one(const struct contention *contention, const struct lock *lock,
                   const struct holder *holder)
{
    return lock->holding->kind == HOLDING_MUTEX && holder->count > 1 &&
           !holder->waits && !holder->is_past &&
           !scope_is_type(symbols_function(contention->symbols, holder->frame));
}

#include "analysis/origins.h"

#include "analysis/function_index.h"
#include "analysis/holder_list.h"
#include "analysis/scopes.h"
#include "analysis/waitgroup_sites.h"
#include "model/name.h"

bool origins_note(const struct analysis *analysis, struct arena *scratch,
                  bool **dumps, const struct joined_group *group)
{
    size_t n = analysis_snapshots(analysis)->count;

    if (n < 2)
        return true;
    if (!*dumps)
        *dumps = arena_take_zero(scratch, n);
    for (size_t i = 0; *dumps && i < n; i++)
        (*dumps)[i] |=
            analysis_is_judged(analysis, i) && joined_count(group, i);
    return *dumps;
}

uint64_t origins_count(const struct analysis *analysis, const bool *dumps,
                       const struct joined_group *group)
{
    size_t n = analysis_snapshots(analysis)->count;
    uint64_t count = 0;

    if (!dumps)
        return group->count;
    for (size_t i = 0; i < n; i++)
        count += dumps[i] ? joined_count(group, i) : 0;
    return count;
}

/* Whether a function only starts what others give to it, or what lasts as long
 * as the process. */
static bool is_starting(struct str function)
{
    return name_is_std(function) || str_equal(function, STR("main.main")) ||
           str_starts(function, STR("golang.org/x/sync/"));
}

/* The function that started a group, as the dump says, or around the closure
 * that it began with, or that it gave to the Go of a WaitGroup, which is then
 * the creator. Empty = not known. */
static struct str starter_of(const struct symbols *symbols,
                             const struct joined_group *group)
{
    struct stack stack = symbols_stack(symbols, group->stack);
    uint32_t entry = stack_entry(symbols, stack);
    struct str began = {0};
    struct str starter;
    bool is_given;

    if (entry < stack.n_frames)
        began = symbols_function(symbols, stack.frames[entry]);
    is_given = entry && waitgroup_is_member_begin(began);
    if (is_given)
        began = symbols_function(symbols, stack.frames[entry - 1]);
    if (group->created_by && !is_given)
        starter = symbols_function(symbols, group->created_by);
    else
        starter = closure_parent(began);
    return is_starting(starter) ? (struct str){0} : starter;
}

/* Adds those of a group that are in the function which started an origin. */
static void add_inside(struct analysis *analysis, const struct origin *origin,
                       struct joined_group *group, frame_id frame)
{
    uint64_t count = origins_count(analysis, origin->dumps, group);
    struct holder holder = {.group = group,
                            .count = count,
                            .goroutine = joined_only_id(group),
                            .frame = frame,
                            .evidence = EVIDENCE_STARTED,
                            .score = (int)(count & INT32_MAX),
                            .certainty = CERTAINTY_MEDIUM,
                            .waits = joined_extra(group)->holding};

    if (!count || joined_extra(group)->holding == origin->holding)
        return;
    origin->holding->n_candidates += count;
    holders_add(analysis_arena(analysis), origin->holding, &holder);
}

static void look_at_group(struct analysis *analysis,
                          const struct function_index *index,
                          const struct origin *origins,
                          struct joined_group *group)
{
    const struct symbols *symbols = analysis_snapshots(analysis)->symbols;
    struct stack stack = symbols_stack(symbols, group->stack);

    for (uint32_t i = 0; i < stack.n_frames; i++) {
        uint32_t at = function_index_get(
            index, symbols_frame(symbols, stack.frames[i]).function);

        if (at == FUNCTION_NONE)
            continue;
        for (uint32_t k = at + 1; k; k = origins[k - 1].next)
            add_inside(analysis, &origins[k - 1], group, stack.frames[i]);
        return;
    }
}

bool origins_find(struct analysis *analysis, struct arena *scratch,
                  struct origin *origins, size_t n)
{
    const struct symbols *symbols = analysis_snapshots(analysis)->symbols;
    struct function_index index;

    if (!n)
        return true;
    if (!function_index_init(&index, symbols, scratch, n))
        return false;
    for (size_t i = 0; i < n; i++) {
        origins[i].holding->starter = starter_of(symbols, origins[i].group);
        if (origins[i].holding->starter.len)
            function_index_put(&index, origins[i].holding->starter,
                               (uint32_t)i);
    }
    function_index_seal(&index);
    for (size_t i = 0; i < n; i++) {
        uint32_t first =
            function_index_find(&index, origins[i].holding->starter);

        if (first == FUNCTION_NONE || first == i)
            continue;
        origins[i].next = origins[first].next;
        origins[first].next = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < analysis_n_groups(analysis); i++)
        look_at_group(analysis, &index, origins, analysis_group(analysis, i));
    return true;
}

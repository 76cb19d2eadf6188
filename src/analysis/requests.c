#include "analysis/requests.h"

#include "analysis/holder_list.h"
#include "analysis/scopes.h"

bool is_reply(const struct joined_group *group, uint32_t frame)
{
    return group->leaf == group->site && (int64_t)frame == group->site &&
           (group->state == STATE_CHAN_RECEIVE || group->state == STATE_SELECT);
}

uint32_t without_entry(const struct symbols *symbols, struct stack stack)
{
    uint32_t n = stack.n_frames;

    while (n &&
           closure_parent(symbols_function(symbols, stack.frames[n - 1])).len)
        n--;
    return n;
}

/* Whether a function stands on a stack. */
static bool is_in(const struct symbols *symbols, struct stack stack,
                  text_id function)
{
    for (uint32_t i = 0; i < stack.n_frames; i++) {
        if (symbols_frame(symbols, stack.frames[i]).function == function)
            return true;
    }
    return false;
}

void requests_add_worker(struct analysis *analysis,
                         const struct request *requests, size_t n,
                         struct joined_group *group)
{
    const struct symbols *symbols = analysis_snapshots(analysis)->symbols;
    struct stack stack = symbols_stack(symbols, group->stack);
    uint32_t end = n ? without_entry(symbols, stack) : 0;
    struct str entry;

    if (!end || group->site < 0)
        return;
    entry = symbols_function(symbols, stack.frames[end - 1]);
    for (size_t i = 0; scope_is_type(entry) && i < n; i++) {
        struct holder holder = {.group = group,
                                .count = group->count,
                                .goroutine = group->count == 1 &&
                                                     group->facts->n_ids == 1
                                                 ? group->facts->id_min
                                                 : 0,
                                .frame = stack.frames[group->site],
                                .evidence = EVIDENCE_NEAR_FUNCTION,
                                .score = 1,
                                .certainty = CERTAINTY_LOW,
                                .waits = joined_extra(group)->holding};

        if (scope_of(entry) !=
                scope_of(symbols_text(symbols, requests[i].function)) ||
            is_in(symbols, stack, requests[i].function))
            continue;
        requests[i].holding->n_candidates += group->count;
        holders_add(analysis_arena(analysis), requests[i].holding, &holder);
    }
}

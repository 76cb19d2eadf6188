#include "analysis/requests.h"

#include <stdlib.h>

#include "analysis/holder_list.h"

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

static int compare_requests(const void *a, const void *b)
{
    const struct request *left = a;
    const struct request *right = b;

    if (left->scope != right->scope)
        return left->scope < right->scope ? -1 : 1;
    return (left->function > right->function) -
           (left->function < right->function);
}

void requests_sort(struct request *requests, size_t n)
{
    if (n)
        qsort(requests, n, sizeof(*requests), compare_requests);
}

/* The first request of a scope, or of the next one. */
static size_t find_scope(const struct request *requests, size_t n,
                         scope_id scope)
{
    size_t low = 0;
    size_t high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (requests[middle].scope < scope)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Where goroutines began whose frames end there (without_entry), if that is a
 * method; empty if not. */
static struct str method_begun(const struct symbols *symbols,
                               struct stack stack, uint32_t end)
{
    struct str entry = {0};

    if (end)
        entry = symbols_function(symbols, stack.frames[end - 1]);
    return scope_is_type(entry) ? entry : (struct str){0};
}

static void add_worker(struct analysis *analysis, struct holding *holding,
                       struct joined_group *group, frame_id frame,
                       bool is_itself)
{
    struct holder holder = {.group = group,
                            .count = group->count,
                            .goroutine = joined_only_id(group),
                            .frame = frame,
                            .evidence = EVIDENCE_NEAR_FUNCTION,
                            .is_itself = is_itself,
                            .score = !is_itself,
                            .certainty = CERTAINTY_LOW,
                            .waits = joined_extra(group)->holding};

    holding->n_candidates += group->count;
    holders_add(analysis_arena(analysis), holding, &holder);
}

void requests_add_worker(struct analysis *analysis,
                         const struct request *requests, size_t n,
                         struct joined_group *group)
{
    const struct symbols *symbols = analysis_snapshots(analysis)->symbols;
    struct stack stack = symbols_stack(symbols, group->stack);
    uint32_t end;
    struct str entry;
    scope_id scope;

    if (!n || group->site < 0)
        return;
    end = without_entry(symbols, stack);
    entry = method_begun(symbols, stack, end);
    if (!entry.len)
        return;
    scope = scope_of(entry);
    for (size_t i = find_scope(requests, n, scope);
         i < n && requests[i].scope == scope; i++) {
        struct str function = symbols_text(symbols, requests[i].function);
        bool sends = stack_has_function(symbols, stack, function);

        /* A worker that sends to itself waits for ever. */
        if (!sends || !str_equal(entry, function))
            add_worker(analysis, requests[i].holding, group,
                       stack.frames[sends ? end - 1 : (uint32_t)group->site],
                       sends);
    }
}

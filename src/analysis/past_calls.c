#include "analysis/past_calls.h"

#include <stdlib.h>

#include "analysis/function_index.h"
#include "analysis/holder_list.h"
#include "model/name.h"

/* Queues that are looked for behind the lines of one function: of more, which
 * no code of people has, the first. */
enum { QUEUES_MOST = 16 };

/* A function that calls one where others wait. */
struct call {
    text_id function;
    uint32_t queue; /* its index */
    uint32_t line;  /* the first where somebody waits in what it calls */
};

struct past_calls {
    struct analysis *analysis;
    struct symbols *symbols;
    const struct origin *queues;
    struct function_index waits;   /* queues by the function that waits */
    struct function_index callers; /* the first of calls by their function */
    struct call *calls;            /* in order */
    size_t n_calls;
};

/* --- Calls --------------------------------------------------------------- */

/* Whether a group waits in one of the queues, in a function that the program
 * has called: then that call. */
static bool call_of(const struct past_calls *past,
                    const struct joined_group *group, struct call *ret_call)
{
    const struct holding *holding = joined_extra(group)->holding;
    struct stack stack;
    struct frame caller;
    uint32_t at;

    if (!holding || group->site < 0)
        return false;
    stack = symbols_stack(past->symbols, group->stack);
    if ((uint32_t)group->site + 1 >= stack.n_frames)
        return false;
    at = function_index_get(
        &past->waits,
        symbols_frame(past->symbols, stack.frames[group->site]).function);
    if (at == FUNCTION_NONE || past->queues[at].holding != holding)
        return false;
    caller = symbols_frame(past->symbols, stack.frames[group->site + 1]);
    *ret_call = (struct call){caller.function, at, caller.line};
    return caller.line &&
           !name_is_std(symbols_text(past->symbols, caller.function));
}

/* Lists the calls in which groups wait; with NULL counts them. */
static size_t list_calls(const struct past_calls *past, struct call *calls)
{
    size_t n = 0;

    for (size_t i = 0; i < analysis_n_groups(past->analysis); i++) {
        struct call call;

        if (!call_of(past, analysis_group(past->analysis, i), &call))
            continue;
        if (calls)
            calls[n] = call;
        n++;
    }
    return n;
}

static int compare_calls(const void *a, const void *b)
{
    const struct call *left = a;
    const struct call *right = b;

    if (left->function != right->function)
        return left->function < right->function ? -1 : 1;
    if (left->queue != right->queue)
        return left->queue < right->queue ? -1 : 1;
    return (left->line > right->line) - (left->line < right->line);
}

/* Keeps the first line of each function and queue, and makes the functions
 * known. */
static void put_calls(struct past_calls *past, size_t n)
{
    struct call *calls = past->calls;

    for (size_t i = 0; i < n; i++) {
        const struct call *last =
            past->n_calls ? &calls[past->n_calls - 1] : NULL;

        if (last && last->function == calls[i].function &&
            last->queue == calls[i].queue)
            continue;
        if (!last || last->function != calls[i].function)
            function_index_put(&past->callers,
                               symbols_text(past->symbols, calls[i].function),
                               (uint32_t)past->n_calls);
        calls[past->n_calls++] = calls[i];
    }
    function_index_seal(&past->callers);
}

/* Learns who calls the functions where others wait. False without memory. */
static bool learn_calls(struct past_calls *past, struct arena *scratch,
                        size_t n_queues)
{
    size_t n;

    if (!function_index_init(&past->waits, past->symbols, scratch, n_queues))
        return false;
    for (size_t i = 0; i < n_queues; i++)
        function_index_put(
            &past->waits,
            symbols_function(past->symbols, past->queues[i].holding->site),
            (uint32_t)i);
    function_index_seal(&past->waits);
    n = list_calls(past, NULL);
    if (!n)
        return true;
    past->calls = arena_take(scratch, n * sizeof(*past->calls));
    if (!past->calls ||
        !function_index_init(&past->callers, past->symbols, scratch, n))
        return false;
    list_calls(past, past->calls);
    qsort(past->calls, n, sizeof(*past->calls), compare_calls);
    put_calls(past, n);
    return true;
}

/* --- Those behind them --------------------------------------------------- */

/* Adds a group to the holders of a queue; is_past = behind the line, and not in
 * a closure. Whoever waits there itself is none, and closures only count where
 * nobody is behind the line. */
static void add_holder(const struct past_calls *past,
                       const struct origin *queue, struct joined_group *group,
                       frame_id frame, bool is_past)
{
    struct holding *holding = queue->holding;
    uint64_t count = origins_count(past->analysis, queue->dumps, group);
    struct holder holder = {.group = group,
                            .count = count,
                            .goroutine = joined_only_id(group),
                            .frame = frame,
                            .evidence = EVIDENCE_PAST_CALL,
                            .is_past = is_past,
                            .score = (int)(count & INT32_MAX),
                            .certainty = CERTAINTY_LOW,
                            .waits = joined_extra(group)->holding};

    if (!count || holder.waits == holding ||
        (!is_past && holding->n_holders && holding->holders->is_past))
        return;
    holding->n_candidates += count;
    holders_add(analysis_arena(past->analysis), holding, &holder);
}

/* Adds a group to the queues whose call a frame of it is behind. */
static bool add_at(const struct past_calls *past, struct joined_group *group,
                   frame_id id, bool is_past)
{
    struct frame frame = symbols_frame(past->symbols, id);
    size_t first = is_past
                       ? function_index_get(&past->callers, frame.function)
                       : function_index_closure(&past->callers, frame.function);
    bool is_behind = false;

    for (size_t i = first;
         first != FUNCTION_NONE && i < past->n_calls &&
         i < first + QUEUES_MOST &&
         past->calls[i].function == past->calls[first].function;
         i++) {
        if (is_past && frame.line <= past->calls[i].line)
            continue;
        is_behind = true;
        add_holder(past, &past->queues[past->calls[i].queue], group, id,
                   is_past);
    }
    return is_behind;
}

/* Looks for the outermost frame of each group that tells it. */
static void look_at_groups(const struct past_calls *past, bool is_past)
{
    for (size_t i = 0; i < analysis_n_groups(past->analysis); i++) {
        struct joined_group *group = analysis_group(past->analysis, i);
        struct stack stack = symbols_stack(past->symbols, group->stack);
        uint32_t at = stack.n_frames;

        while (at > 0 && !add_at(past, group, stack.frames[at - 1], is_past))
            at--;
    }
}

bool past_calls_find(struct analysis *analysis, struct arena *scratch,
                     const struct origin *queues, size_t n)
{
    struct past_calls past = {.analysis = analysis,
                              .symbols = analysis_snapshots(analysis)->symbols,
                              .queues = queues};

    if (!n)
        return true;
    if (!learn_calls(&past, scratch, n))
        return false;
    if (!past.n_calls)
        return true;
    look_at_groups(&past, true);
    look_at_groups(&past, false);
    return true;
}

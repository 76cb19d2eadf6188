#include "analysis/waitgroups.h"

#include "analysis/function_index.h"
#include "analysis/holder_list.h"

enum {
    SCORE_CREATED = 10,
    SCORE_CLOSURE = 20,
    SCORE_WAITS = 5, /* it waits for a lock: what keeps it from Done is known */
    CLOSURES_DEEP = 8,
};

/* Functions that wait for a WaitGroup, numbered, and what each has started. */
struct starters {
    const struct contention *contention;
    struct function_index index;
    struct holding *found; /* of each number */
    uint32_t n;
};

/* The function that waits, as a person would say: the site. */
static text_id function_of(const struct contention *contention,
                           const struct waiting *waiting)
{
    const struct joined_group *joined = waiting->joined;
    struct stack stack = symbols_stack(contention->symbols, joined->stack);

    if (joined->site < 0 || (uint32_t)joined->site >= stack.n_frames)
        return 0;
    return symbols_frame(contention->symbols, stack.frames[joined->site])
        .function;
}

static size_t count_waitgroups(const struct contention *contention)
{
    size_t n = 0;

    for (size_t i = 0; i < contention->n_waitings; i++)
        n += contention->waitings[i].site.kind == HOLDING_WAITGROUP;
    return n;
}

static bool collect(struct starters *starters)
{
    const struct contention *contention = starters->contention;
    size_t most = count_waitgroups(contention);

    if (!most)
        return true;
    starters->found =
        arena_take_zero(contention->scratch, most * sizeof(*starters->found));
    if (!starters->found ||
        !function_index_init(&starters->index, contention->symbols,
                             contention->scratch, most))
        return false;
    for (size_t i = 0; i < contention->n_waitings; i++) {
        const struct waiting *waiting = &contention->waitings[i];
        text_id function = function_of(contention, waiting);

        if (waiting->site.kind == HOLDING_WAITGROUP && function)
            function_index_put(&starters->index,
                               symbols_text(contention->symbols, function),
                               starters->n++);
    }
    function_index_seal(&starters->index);
    return true;
}

bool is_closure_of(const struct symbols *symbols, struct stack stack,
                   struct str function)
{
    for (uint32_t i = 0; i < stack.n_frames; i++) {
        struct str name = symbols_function(symbols, stack.frames[i]);

        for (unsigned k = 0; k < CLOSURES_DEEP && name.len; k++) {
            name = closure_parent(name);
            if (name.len && str_equal(name, function))
                return true;
        }
    }
    return false;
}

/* Looks for who started a group: the function whose closure stands on its
 * stack, else the one that the dump says has created it. */
static uint32_t find_starter(const struct starters *starters,
                             const struct group *group,
                             struct holder *ret_holder)
{
    const struct symbols *symbols = starters->contention->symbols;
    struct stack stack = symbols_stack(symbols, group->stack);

    *ret_holder = (struct holder){
        .count = group->count,
        .goroutine = group->n_ids == 1 && group->count == 1 ? group->id_min : 0,
        .evidence = EVIDENCE_STARTED,
        .score = SCORE_CLOSURE,
        .certainty = CERTAINTY_MEDIUM};
    for (uint32_t i = 0; i < stack.n_frames; i++) {
        uint32_t found = function_index_closure(
            &starters->index, symbols_frame(symbols, stack.frames[i]).function);

        ret_holder->frame = stack.frames[i];
        if (found != FUNCTION_NONE)
            return found;
    }
    if (!group->created_by || !stack.n_frames)
        return FUNCTION_NONE;
    ret_holder->score = SCORE_CREATED;
    ret_holder->certainty = CERTAINTY_LOW;
    return function_index_get(
        &starters->index, symbols_frame(symbols, group->created_by).function);
}

/* Whether a waiting is that of the starter itself. */
static bool is_waiter(const struct starters *starters,
                      const struct waiting *waiting, uint32_t starter)
{
    return waiting && waiting->site.kind == HOLDING_WAITGROUP &&
           function_index_get(&starters->index,
                              function_of(starters->contention, waiting)) ==
               starter;
}

static void look_at_group(const struct starters *starters,
                          struct analysis *analysis, size_t snapshot,
                          size_t index)
{
    const struct contention *contention = starters->contention;
    const struct group *group = snapshot_group(contention->snapshot, index);
    const struct waiting *waiting = contention_waiting(contention, index);
    struct holder holder;
    uint32_t starter = find_starter(starters, group, &holder);
    uint32_t lock =
        waiting ? contention_only_lock(contention, waiting) : LOCK_NONE;

    if (starter == FUNCTION_NONE)
        return;
    holder.group = analysis_find_group(analysis, snapshot, index);
    if (!holder.group || is_waiter(starters, waiting, starter))
        return;
    if (lock != LOCK_NONE) {
        holder.waits = contention->locks[lock].holding;
        holder.score += SCORE_WAITS;
    }
    starters->found[starter].n_candidates += group->count;
    holders_add(contention->scratch, &starters->found[starter], &holder);
}

/* Whoever surely has the WaitGroup's address stays; else those that were
 * started are the holders. */
static void give_to_lock(const struct starters *starters,
                         const struct lock_use *use)
{
    const struct contention *contention = starters->contention;
    const struct waiting *waiting = contention_waiting_of(contention, use);
    struct holding *holding = contention->locks[use->lock].holding;
    const struct holding *found;
    uint32_t starter;

    if (holding->kind != HOLDING_WAITGROUP || holding->n_holders)
        return;
    starter =
        function_index_get(&starters->index, function_of(contention, waiting));
    if (starter == FUNCTION_NONE)
        return;
    found = &starters->found[starter];
    for (size_t i = 0; i < found->n_holders; i++)
        holders_add(contention->arena, holding, &found->holders[i]);
    holding->n_candidates = found->n_candidates;
}

bool waitgroups_find(const struct contention *contention,
                     struct analysis *analysis, size_t snapshot)
{
    struct starters starters = {.contention = contention};

    if (!collect(&starters))
        return false;
    if (!starters.n)
        return true;
    for (size_t i = 0; i < snapshot_n_groups(contention->snapshot); i++)
        look_at_group(&starters, analysis, snapshot, i);
    for (size_t i = 0; i < contention->n_uses; i++)
        give_to_lock(&starters, contention_use(contention, i));
    return true;
}

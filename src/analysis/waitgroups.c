#include "analysis/waitgroups.h"

#include <stdlib.h>

#include "analysis/function_index.h"
#include "analysis/holder_list.h"

enum {
    SCORE_CREATED = 10,
    SCORE_CLOSURE = 20,
    SCORE_PAST = 15,
    SCORE_WAITS = 5, /* it waits for a lock: what keeps it from Done is known */
    CLOSURES_DEEP = 8,
};

/* Goroutines that are behind the Wait of a method, whose place it is to call
 * Done when others wait for what one of them does. */
struct past {
    struct holding found;
    uint32_t line;     /* of the first Wait */
    uint32_t wait_max; /* whole minutes, over all who wait; 0 = not told */
};

/* An object that goroutines wait in a method of. */
struct object {
    uint32_t number;  /* of the function */
    uint64_t address; /* 0 = not told */
};

/* Functions that wait for a WaitGroup, numbered, and what each has started. */
struct starters {
    const struct contention *contention;
    struct analysis *analysis;
    size_t snapshot; /* its index in the collection */
    struct function_index index;
    struct holding *found;  /* of each number */
    struct past *past;      /* of each number */
    struct object *objects; /* in order */
    size_t n_objects;
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

/* The number of the function that a waiting stands in; FUNCTION_NONE when it
 * waits for no WaitGroup. */
static uint32_t number_of(const struct starters *starters,
                          const struct waiting *waiting)
{
    if (!waiting || waiting->site.kind != HOLDING_WAITGROUP)
        return FUNCTION_NONE;
    return function_index_get(&starters->index,
                              function_of(starters->contention, waiting));
}

/* Learns at which line each function waits, and for how long. */
static void learn_waits(const struct starters *starters)
{
    const struct contention *contention = starters->contention;

    for (size_t i = 0; i < contention->n_waitings; i++) {
        const struct waiting *waiting = &contention->waitings[i];
        uint32_t number = number_of(starters, waiting);
        struct stack stack;
        struct past *past;
        uint32_t line;

        if (number == FUNCTION_NONE)
            continue;
        past = &starters->past[number];
        stack = symbols_stack(contention->symbols, waiting->joined->stack);
        line = symbols_frame(contention->symbols,
                             stack.frames[waiting->joined->site])
                   .line;
        if (!past->line || line < past->line)
            past->line = line;
        if (waiting->joined->facts->wait_max > past->wait_max)
            past->wait_max = waiting->joined->facts->wait_max;
    }
}

/* What a goroutine surely passes first at a frame; 0 = not told. */
static uint64_t receiver_of(const struct pointers *pointers, uint32_t frame)
{
    for (unsigned i = 0; i < pointers->n; i++) {
        if (pointers->frames[i] == frame &&
            pointers->flags[i] == (POINTER_SURE | POINTER_FIRST))
            return pointers->addresses[i];
    }
    return 0;
}

static int compare_objects(const void *a, const void *b)
{
    const struct object *left = a;
    const struct object *right = b;

    if (left->number != right->number)
        return left->number < right->number ? -1 : 1;
    return left->address < right->address ? -1 : left->address > right->address;
}

/* The arguments that were kept of the first goroutine of a waiting. */
static const struct pointers *pointers_of(const struct contention *contention,
                                          const struct waiting *waiting)
{
    return pointers_get(
        snapshot_pointers(contention->snapshot),
        snapshot_group(contention->snapshot, waiting->group)->pointers);
}

/* Lists the objects on which goroutines wait; with NULL counts them. */
static size_t list_objects(const struct starters *starters,
                           struct object *objects)
{
    const struct contention *contention = starters->contention;
    const struct pool *pool = snapshot_pointers(contention->snapshot);
    size_t n = 0;

    for (size_t i = 0; i < contention->n_waitings; i++) {
        const struct waiting *waiting = &contention->waitings[i];
        uint32_t number = number_of(starters, waiting);
        const struct pointers *at = pointers_of(contention, waiting);

        for (; at && number != FUNCTION_NONE;
             at = pointers_get(pool, at->next)) {
            if (objects)
                objects[n] = (struct object){
                    number, receiver_of(at, (uint32_t)waiting->joined->site)};
            n++;
        }
    }
    return n;
}

static bool learn_objects(struct starters *starters)
{
    size_t n = list_objects(starters, NULL);

    if (!n)
        return true;
    starters->objects = arena_take_zero(starters->contention->scratch,
                                        n * sizeof(*starters->objects));
    if (!starters->objects)
        return false;
    starters->n_objects = list_objects(starters, starters->objects);
    qsort(starters->objects, n, sizeof(*starters->objects), compare_objects);
    return true;
}

static bool collect(struct starters *starters)
{
    const struct contention *contention = starters->contention;
    size_t most = count_waitgroups(contention);

    if (!most)
        return true;
    starters->found =
        arena_take_zero(contention->scratch, most * sizeof(*starters->found));
    starters->past =
        arena_take_zero(contention->scratch, most * sizeof(*starters->past));
    if (!starters->found || !starters->past ||
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
    learn_waits(starters);
    return learn_objects(starters);
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

/* Whether a group stands in a method, at a frame, that was called on an object
 * on which others wait there. */
static bool shares_object(const struct starters *starters, uint32_t number,
                          const struct group *group, uint32_t frame)
{
    const struct pool *pool = snapshot_pointers(starters->contention->snapshot);
    const struct pointers *at = pointers_get(pool, group->pointers);

    for (; at && starters->n_objects; at = pointers_get(pool, at->next)) {
        struct object object = {number, receiver_of(at, frame)};

        if (object.address &&
            bsearch(&object, starters->objects, starters->n_objects,
                    sizeof(object), compare_objects))
            return true;
    }
    return false;
}

/* Looks for a frame behind the Wait of a method: FUNCTION_NONE when there is
 * none, or when nothing tells it from one that has waited itself and goes on.
 * Who owes the others a Done has stood there for as long as they wait. */
static uint32_t find_past(const struct starters *starters,
                          const struct group *group, struct holder *ret_holder)
{
    const struct symbols *symbols = starters->contention->symbols;
    struct stack stack = symbols_stack(symbols, group->stack);

    for (uint32_t i = 0; i < stack.n_frames; i++) {
        struct frame frame = symbols_frame(symbols, stack.frames[i]);
        uint32_t number = function_index_get(&starters->index, frame.function);
        const struct past *past;

        if (number == FUNCTION_NONE)
            continue;
        past = &starters->past[number];
        if (frame.line <= past->line || !past->wait_max ||
            group->wait_max < past->wait_max ||
            !scope_is_type(symbols_text(symbols, frame.function)) ||
            !shares_object(starters, number, group, i))
            continue;
        ret_holder->frame = stack.frames[i];
        ret_holder->evidence = EVIDENCE_PAST;
        ret_holder->score = SCORE_PAST;
        ret_holder->certainty = CERTAINTY_MEDIUM;
        return number;
    }
    return FUNCTION_NONE;
}

/* Adds a group to what is found of a number, unless it is one of those who wait
 * there. */
static void add_found(const struct starters *starters, size_t index,
                      struct holding *found, uint32_t number,
                      struct holder holder)
{
    const struct contention *contention = starters->contention;
    const struct waiting *waiting = contention_waiting(contention, index);
    uint32_t lock =
        waiting ? contention_only_lock(contention, waiting) : LOCK_NONE;

    holder.group =
        analysis_find_group(starters->analysis, starters->snapshot, index);
    if (!holder.group || number_of(starters, waiting) == number)
        return;
    if (lock != LOCK_NONE) {
        holder.waits = contention->locks[lock].holding;
        holder.score += SCORE_WAITS;
    }
    found->n_candidates += holder.count;
    holders_add(contention->scratch, found, &holder);
}

static void look_at_group(const struct starters *starters, size_t index)
{
    const struct group *group =
        snapshot_group(starters->contention->snapshot, index);
    struct holder holder;
    uint32_t number = find_starter(starters, group, &holder);

    if (number != FUNCTION_NONE)
        add_found(starters, index, &starters->found[number], number, holder);
    number = find_past(starters, group, &holder);
    if (number != FUNCTION_NONE)
        add_found(starters, index, &starters->past[number].found, number,
                  holder);
}

/* Whoever surely has the WaitGroup's address stays; else those that were
 * started are the holders, and where there are none those behind the Wait. */
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
    starter = number_of(starters, waiting);
    if (starter == FUNCTION_NONE)
        return;
    found = &starters->found[starter];
    if (!found->n_holders)
        found = &starters->past[starter].found;
    for (size_t i = 0; i < found->n_holders; i++)
        holders_add(contention->arena, holding, &found->holders[i]);
    holding->n_candidates = found->n_candidates;
}

bool waitgroups_find(const struct contention *contention,
                     struct analysis *analysis, size_t snapshot)
{
    struct starters starters = {
        .contention = contention, .analysis = analysis, .snapshot = snapshot};

    if (!collect(&starters))
        return false;
    if (!starters.n)
        return true;
    for (size_t i = 0; i < snapshot_n_groups(contention->snapshot); i++)
        look_at_group(&starters, i);
    for (size_t i = 0; i < contention->n_uses; i++)
        give_to_lock(&starters, contention_use(contention, i));
    return true;
}

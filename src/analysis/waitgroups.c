#include "analysis/waitgroups.h"

#include <stdlib.h>

#include "analysis/function_index.h"
#include "analysis/holder_list.h"
#include "analysis/waitgroup_sites.h"
#include "model/name.h"

enum {
    SCORE_CREATED = 10,
    SCORE_CLOSURE = 20,
    SCORE_PAST = 15,
    SCORE_MEMBER = 15, /* a method of the object that waits */
    SCORE_ALIKE = 8,   /* a method of its type */
    SCORE_WAITS = 5, /* it waits for a lock: what keeps it from Done is known */
    SAME_TYPE_MOST = 8, /* functions of one type that are looked at */
};

/* Goroutines that are behind the Wait of a method, whose place it is to call
 * Done when others wait for what one of them does. */
struct past {
    struct holding found;
    uint32_t line;     /* of the first Wait */
    uint32_t wait_max; /* whole minutes, over all who wait; 0 = not told */
};

/* Goroutines that run a method of the type that waits: it has mostly started
 * them, in another method, and stops them. */
struct members {
    struct holding same;  /* of the object that waits */
    struct holding alike; /* perhaps of another one */
    bool has_object;      /* which one waits is told */
};

/* A method that waits, by its type. */
struct typed {
    scope_id scope;
    uint32_t number; /* of the function */
};

/* An object that goroutines wait in a method of. */
struct object {
    uint32_t number;  /* of the function */
    uint64_t address; /* 0 = not told */
};

/* Goroutines that a function which waits has started. It may start others than
 * members as well: one that feeds them, or the one that waits. */
struct started {
    struct holding found;
    text_id entry;       /* the function that they run, of the first */
    bool is_several;     /* others run another one */
    bool has_group;      /* some began with the Go of a group */
    bool is_behind;      /* it waits in a goroutine of its own */
    bool is_by_creators; /* the dump says who started them: these are all */
    uint64_t waiters;
};

/* Functions that wait for a WaitGroup, numbered, and what each has started. */
struct starters {
    const struct contention *contention;
    struct analysis *analysis;
    size_t snapshot; /* its index in the collection */
    struct function_index index;
    struct started *started; /* of each number */
    struct past *past;       /* of each number */
    struct members *members; /* of each number */
    struct typed *typed;     /* in order */
    size_t n_typed;
    struct object *objects; /* in order */
    size_t n_objects;
    uint32_t n;
};

/* The number of the function that a waiting stands in; FUNCTION_NONE when it
 * waits for no WaitGroup. */
static uint32_t number_of(const struct starters *starters,
                          const struct waiting *waiting)
{
    if (!waiting || waiting->site.kind != HOLDING_WAITGROUP)
        return FUNCTION_NONE;
    return function_index_find(
        &starters->index, waitgroup_function(starters->contention, waiting));
}

/* Learns at which line each function waits, and for how long. */
static void learn_waits(const struct starters *starters)
{
    const struct contention *contention = starters->contention;

    for (size_t i = 0; i < contention->n_waitings; i++) {
        const struct waiting *waiting = &contention->waitings[i];
        uint32_t number = number_of(starters, waiting);
        struct stack stack;
        uint32_t place;
        struct past *past;
        uint32_t line;

        if (number == FUNCTION_NONE)
            continue;
        past = &starters->past[number];
        stack = symbols_stack(contention->symbols, waiting->joined->stack);
        place = (uint32_t)waitgroup_place(contention, waiting);
        starters->started[number].waiters += waiting->joined->count;
        line = symbols_frame(contention->symbols, stack.frames[place]).line;
        if (waitgroup_behind(contention, waiting).len) {
            starters->started[number].is_behind = true;
            line = UINT32_MAX;
        }
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
        /* Arguments are known by the frames of the whole stack. */
        uint32_t site = (uint32_t)waitgroup_place(contention, waiting) +
                        waitgroup_cut_off(contention, waiting);

        for (; at && number != FUNCTION_NONE;
             at = pointers_get(pool, at->next)) {
            if (objects) {
                uint64_t address = receiver_of(at, site);

                objects[n] = (struct object){number, address};
                if (address)
                    starters->members[number].has_object = true;
            }
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

static int compare_typed(const void *a, const void *b)
{
    const struct typed *left = a;
    const struct typed *right = b;

    if (left->scope != right->scope)
        return left->scope < right->scope ? -1 : 1;
    return (left->number > right->number) - (left->number < right->number);
}

/* Lists the methods that wait, by their types. */
static bool learn_types(struct starters *starters)
{
    const struct contention *contention = starters->contention;
    struct typed *typed =
        arena_take(contention->scratch, starters->n * sizeof(*typed));
    size_t n = 0;

    if (!typed)
        return false;
    for (size_t i = 0; i < contention->n_waitings; i++) {
        const struct waiting *waiting = &contention->waitings[i];
        uint32_t number = number_of(starters, waiting);
        struct str function = waitgroup_function(contention, waiting);

        if (number != FUNCTION_NONE && scope_is_type(function) &&
            (waitgroup_is_called(contention, waiting) ||
             waitgroup_behind(contention, waiting).len))
            typed[n++] = (struct typed){scope_of(function), number};
    }
    if (n)
        qsort(typed, n, sizeof(*typed), compare_typed);
    starters->typed = typed;
    for (size_t i = 0; i < n; i++) {
        if (!i || compare_typed(&typed[i], &typed[starters->n_typed - 1]) != 0)
            typed[starters->n_typed++] = typed[i];
    }
    return true;
}

static bool collect(struct starters *starters)
{
    const struct contention *contention = starters->contention;
    size_t most = 0;

    for (size_t i = 0; i < contention->n_waitings; i++)
        most += contention->waitings[i].site.kind == HOLDING_WAITGROUP;
    if (!most)
        return true;
    starters->started =
        arena_take_zero(contention->scratch, most * sizeof(*starters->started));
    starters->past =
        arena_take_zero(contention->scratch, most * sizeof(*starters->past));
    starters->members =
        arena_take_zero(contention->scratch, most * sizeof(*starters->members));
    if (!starters->started || !starters->past || !starters->members ||
        !function_index_init(&starters->index, contention->symbols,
                             contention->scratch, most))
        return false;
    for (size_t i = 0; i < contention->n_waitings; i++) {
        const struct waiting *waiting = &contention->waitings[i];
        struct str function = waitgroup_function(contention, waiting);

        if (waiting->site.kind == HOLDING_WAITGROUP && function.len)
            function_index_put(&starters->index, function, starters->n++);
    }
    function_index_seal(&starters->index);
    learn_waits(starters);
    return learn_types(starters) && learn_objects(starters);
}

/* Looks for who started a group: the function whose closure stands on its
 * stack, else the one that the dump says has created it. */
static uint32_t find_starter(const struct starters *starters,
                             const struct group *group,
                             struct holder *ret_holder)
{
    const struct symbols *symbols = starters->contention->symbols;
    struct stack stack = symbols_stack(symbols, group->stack);
    uint32_t found;

    *ret_holder = (struct holder){
        .count = group->count,
        .goroutine = group->n_ids == 1 && group->count == 1 ? group->id_min : 0,
        .evidence = EVIDENCE_STARTED,
        .score = SCORE_CLOSURE,
        .certainty = CERTAINTY_MEDIUM};
    for (uint32_t i = 0; i < stack.n_frames; i++) {
        ret_holder->frame = stack.frames[i];
        found = function_index_closure(
            &starters->index, symbols_frame(symbols, stack.frames[i]).function);
        if (found != FUNCTION_NONE)
            return found;
    }
    if (!group->created_by || !stack.n_frames)
        return FUNCTION_NONE;
    ret_holder->score = SCORE_CREATED;
    ret_holder->certainty = CERTAINTY_LOW;
    found = function_index_get(
        &starters->index, symbols_frame(symbols, group->created_by).function);
    return found == FUNCTION_NONE || waitgroup_is_foreign(symbols, stack)
               ? FUNCTION_NONE
               : found;
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
 * Who owes the others a Done has stood there for as long as they wait; while
 * nobody's wait is told, perhaps all have waited for a moment only. */
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
        if (frame.line <= past->line)
            continue;
        if (!waitgroup_is_single_flight(
                symbols_text(symbols, frame.function)) &&
            (group->wait_max < past->wait_max ||
             !scope_is_type(symbols_text(symbols, frame.function)) ||
             !shares_object(starters, number, group, i)))
            continue;
        ret_holder->frame = stack.frames[i];
        ret_holder->evidence = EVIDENCE_PAST;
        ret_holder->score = SCORE_PAST;
        ret_holder->certainty =
            past->wait_max ? CERTAINTY_MEDIUM : CERTAINTY_LOW;
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

/* Goroutines of a group by the object that they run a method of, as far as they
 * were kept: one on which others wait in a function, or another. */
static void count_objects(const struct starters *starters, uint32_t number,
                          const struct group *group, uint32_t frame,
                          uint64_t *ret_same, uint64_t *ret_other)
{
    const struct pool *pool = snapshot_pointers(starters->contention->snapshot);
    const struct pointers *at = pointers_get(pool, group->pointers);
    uint64_t n = 0;

    *ret_same = *ret_other = 0;
    for (; at; at = pointers_get(pool, at->next)) {
        struct object object = {number, receiver_of(at, frame)};

        n++;
        if (!object.address)
            continue;
        if (bsearch(&object, starters->objects, starters->n_objects,
                    sizeof(object), compare_objects))
            (*ret_same)++;
        else
            (*ret_other)++;
    }
    /* Those that were not kept are like those that were. */
    if (*ret_same == n)
        *ret_same = n ? group->count : 0;
}

/* Adds a group that runs a method of a type to what is known of one function of
 * the type that waits. */
static void add_member(const struct starters *starters, size_t index,
                       uint32_t number, struct holder holder, uint32_t frame)
{
    struct members *members = &starters->members[number];
    const struct group *group =
        snapshot_group(starters->contention->snapshot, index);
    uint64_t same = 0;
    uint64_t other = 0;

    if (members->has_object)
        count_objects(starters, number, group, frame, &same, &other);
    if (same) {
        holder.count = same;
        holder.score = SCORE_MEMBER;
        holder.certainty = CERTAINTY_MEDIUM;
        add_found(starters, index, &members->same, number, holder);
    } else if (!other) {
        holder.score = SCORE_ALIKE;
        holder.certainty = CERTAINTY_LOW;
        add_found(starters, index, &members->alike, number, holder);
    }
}

static void find_member(const struct starters *starters, size_t index,
                        const struct group *group)
{
    const struct symbols *symbols = starters->contention->symbols;
    struct stack stack = symbols_stack(symbols, group->stack);
    uint32_t entry = stack_begun(symbols, stack, group->created_by);
    struct holder holder = {.count = group->count,
                            .evidence = EVIDENCE_NEAR_FUNCTION};
    struct str function;
    struct typed wanted = {0};
    size_t low = 0;
    size_t high = starters->n_typed;

    if (entry == stack.n_frames || !high)
        return;
    function = symbols_function(symbols, stack.frames[entry]);
    if (!scope_is_type(function))
        return;
    wanted.scope = scope_of(function);
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_typed(&starters->typed[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    holder.frame = stack.frames[entry];
    if (group->n_ids == 1 && group->count == 1)
        holder.goroutine = group->id_min;
    for (size_t i = low; i < starters->n_typed && i - low < SAME_TYPE_MOST &&
                         starters->typed[i].scope == wanted.scope;
         i++)
        add_member(starters, index, starters->typed[i].number, holder, entry);
}

/* Adds a group to those that a function has started. */
static void add_started(const struct starters *starters, size_t index,
                        uint32_t number, struct holder holder)
{
    struct started *started = &starters->started[number];
    const struct symbols *symbols = starters->contention->symbols;
    const struct group *group =
        snapshot_group(starters->contention->snapshot, index);
    struct stack stack = symbols_stack(symbols, group->stack);
    uint32_t at = stack_entry(symbols, stack);
    uint64_t n_before = started->found.n_candidates;
    text_id entry = symbols_frame(symbols, holder.frame).function;

    add_found(starters, index, &started->found, number, holder);
    if (started->found.n_candidates == n_before)
        return;
    if (group->created_by)
        started->is_by_creators = true;
    if (at < stack.n_frames && waitgroup_is_member_begin(symbols_function(
                                   symbols, stack.frames[at]))) {
        started->has_group = true;
        return;
    }
    started->is_several |= started->entry && started->entry != entry;
    started->entry = entry;
}

static void look_at_group(const struct starters *starters, size_t index)
{
    const struct group *group =
        snapshot_group(starters->contention->snapshot, index);
    struct holder holder;
    uint32_t number = find_starter(starters, group, &holder);

    if (number != FUNCTION_NONE)
        add_started(starters, index, number, holder);
    number = find_past(starters, group, &holder);
    if (number != FUNCTION_NONE)
        add_found(starters, index, &starters->past[number].found, number,
                  holder);
    find_member(starters, index, group);
}

/* How sure it is that those whom a function has started are those for whom it
 * waits. The one that only waits was started beside others that are no members,
 * as those of several kinds may all be, and a dump that does not say who
 * started whom shows closures only. */
static enum membership membership_of(const struct started *started)
{
    if (started->is_behind && !started->has_group &&
        (!started->is_by_creators || started->is_several))
        return MEMBERS_PERHAPS;
    return started->is_several || (started->entry && started->has_group)
               ? MEMBERS_SOME
               : MEMBERS_ALL;
}

/* Whether there are fewer of them than goroutines that wait, each for a
 * WaitGroup of its own: then some of these wait for others. */
static bool are_too_few(const struct started *started)
{
    return membership_of(started) == MEMBERS_PERHAPS &&
           started->found.n_candidates < started->waiters;
}

/* What was found for a function that waits: those that it has started, else
 * those behind its Wait, else those that run a method of its object, or perhaps
 * of another one. */
static const struct holding *found_for(const struct starters *starters,
                                       uint32_t number)
{
    const struct started *started = &starters->started[number];
    const struct holding *const found[] = {
        &started->found, &starters->past[number].found,
        &starters->members[number].same, &starters->members[number].alike};
    size_t i = 0;

    while (i < 3 && !found[i]->n_holders)
        i++;
    if (i == 0 && are_too_few(started) &&
        found[3]->n_candidates >= started->waiters)
        i = 3;
    return found[i];
}

/* Whoever surely has the WaitGroup's address stays. */
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
    found = found_for(starters, starter);
    if (found == &starters->started[starter].found)
        holding->members = membership_of(&starters->started[starter]);
    for (size_t i = 0; i < found->n_holders; i++) {
        struct holder holder = found->holders[i];

        if (holding->members == MEMBERS_PERHAPS)
            holder.certainty = CERTAINTY_LOW;
        holders_add(contention->arena, holding, &holder);
    }
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

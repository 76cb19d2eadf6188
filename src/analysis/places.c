#include "analysis/places.h"

#include <stdlib.h>

#include "analysis/function_index.h"
#include "analysis/holder_list.h"
#include "analysis/judged.h"
#include "analysis/origins.h"
#include "analysis/past_calls.h"
#include "analysis/pool_owners.h"
#include "analysis/pools.h"
#include "analysis/requests.h"
#include "analysis/takers.h"
#include "model/name.h"

/* A queue: groups that stand at one send of a function, or in one pool. */
struct queue {
    struct holding *holding;
    text_id function;                 /* of the send; 0 = a pool */
    uint32_t line;                    /* of the send */
    bool *dumps;                      /* where some wait here: origins.h */
    const struct joined_group *group; /* that waits here, the largest */
};

struct places {
    struct analysis *analysis;
    struct symbols *symbols;
    struct arena scratch;
    struct function_index waits; /* pool_kinds by who waits */
    struct function_index holds; /* pool_kinds by who has one */
    struct function_index sends; /* queues by the function of the send */
    struct takers takers;
    struct queue *queues; /* pools first, then sends */
    size_t n_queues;
    struct request *requests; /* queues that are no limit */
    size_t n_requests;
};

/* --- Queues -------------------------------------------------------------- */

static text_id text_at(const struct places *places, struct stack stack,
                       uint32_t frame)
{
    return symbols_frame(places->symbols, stack.frames[frame]).function;
}

/* The driver's outermost frame in a stack that makes a connection where others
 * wait for one; n_frames when it makes none. Sets the kind of its pool. */
static uint32_t opening_at(const struct places *places, struct stack stack,
                           uint32_t *ret_kind)
{
    for (uint32_t i = 0; i < stack.n_frames; i++) {
        *ret_kind =
            function_index_get(&places->waits, text_at(places, stack, i));
        if (*ret_kind == FUNCTION_NONE || !pool_opens_inside(*ret_kind))
            continue;
        while (i-- > 0) {
            if (!name_is_std(
                    symbols_function(places->symbols, stack.frames[i])))
                return i;
        }
        return stack.n_frames;
    }
    return stack.n_frames;
}

/* The pool that a stack waits for a place of: the outermost function of its
 * table, not below the site, since pools are made of semaphores. FUNCTION_NONE
 * when it waits for none. */
static uint32_t pool_of(const struct places *places,
                        const struct joined_group *group, struct stack stack)
{
    uint32_t found = FUNCTION_NONE;
    uint32_t opened;

    for (uint32_t i = 0; i < stack.n_frames && (int64_t)i <= group->site; i++) {
        uint32_t kind =
            function_index_get(&places->waits, text_at(places, stack, i));

        if (kind != FUNCTION_NONE)
            found = kind;
    }
    if (found != FUNCTION_NONE &&
        opening_at(places, stack, &opened) < stack.n_frames)
        return FUNCTION_NONE;
    return found;
}

/* Whether the holders of such a place are known by the function that took it,
 * and not by functions of a library. */
static bool is_by_caller(uint32_t kind)
{
    return kind == FUNCTION_NONE || !pool_kinds[kind].holds[0].len;
}

/* Whether a group queues at its site: it sends there, or takes a place of a
 * library whose places are known by their callers. */
static bool is_sending(const struct joined_group *group, uint32_t kind)
{
    if (group->site < 0 || joined_extra(group)->holding)
        return false;
    if (kind != FUNCTION_NONE)
        return is_by_caller(kind);
    return group->state == STATE_CHAN_SEND && group->leaf == group->site;
}

static bool is_pool(const struct joined_group *group, uint32_t kind)
{
    return !is_by_caller(kind) && !joined_extra(group)->holding &&
           (group->state == STATE_SELECT || group->state == STATE_WAITING ||
            group->state == STATE_UNKNOWN || group->state == STATE_CHAN_SEND ||
            group->state == STATE_CHAN_RECEIVE ||
            group->state == STATE_CHAN_OPERATION);
}

/* Calls back for every group that queues. False ends it. */
typedef bool queue_fn(struct places *places, struct joined_group *group,
                      uint32_t kind, frame_id site);

static bool each_queued(struct places *places, queue_fn *fn)
{
    for (size_t i = 0; i < analysis_n_groups(places->analysis); i++) {
        struct joined_group *group = analysis_group(places->analysis, i);
        struct stack stack;
        uint32_t kind;

        if (!judged_has_group(places->analysis, group))
            continue;
        stack = symbols_stack(places->symbols, group->stack);
        kind = pool_of(places, group, stack);
        if ((is_sending(group, kind) || is_pool(group, kind)) &&
            !fn(places, group, kind, stack.frames[group->site]))
            return false;
    }
    return true;
}

/* Makes the queue of a function that sends, or notes one that takes a place of
 * a pool. */
static bool add_send(struct places *places, struct joined_group *group,
                     uint32_t kind, frame_id site)
{
    if (is_by_caller(kind))
        function_index_put(&places->sends,
                           symbols_function(places->symbols, site),
                           (uint32_t)places->sends.count);
    else
        takers_add(&places->takers,
                   symbols_stack(places->symbols, group->stack), kind);
    return true;
}

/* Whether the function at the site of a group was called in the middle of other
 * work. One that a goroutine was started with sends what it has made; so does
 * one that such a function calls, or a library that starts goroutines. */
static bool is_called(const struct places *places,
                      const struct joined_group *group)
{
    enum { CALLERS_LEAST = 2 };
    struct stack stack = symbols_stack(places->symbols, group->stack);

    return without_entry(places->symbols, stack) >
           (uint32_t)group->site + CALLERS_LEAST;
}

static uint64_t count_beside(const struct places *places,
                             const struct queue *queue,
                             const struct joined_group *group)
{
    return origins_count(places->analysis, queue->dumps, group);
}

/* Counts a group as waiting in its queue. */
static bool add_waiters(struct places *places, struct joined_group *group,
                        uint32_t kind, frame_id site)
{
    struct frame frame = symbols_frame(places->symbols, site);
    bool is_send = is_by_caller(kind);
    uint32_t at = is_send ? POOL_KINDS + function_index_get(&places->sends,
                                                            frame.function)
                          : kind;
    struct queue *queue = &places->queues[at];
    struct joined_extra *extra =
        joined_extra_put(group, analysis_arena(places->analysis));

    if (!extra ||
        !origins_note(places->analysis, &places->scratch, &queue->dumps, group))
        return false;
    if (!queue->holding) {
        queue->holding = arena_take_zero(analysis_arena(places->analysis),
                                         sizeof(*queue->holding));
        if (!queue->holding)
            return false;
        queue->holding->kind = is_send ? HOLDING_CHANNEL : HOLDING_POOL;
        queue->holding->site = site;
        queue->group = group;
        queue->holding->is_called = true;
        if (kind != FUNCTION_NONE) {
            queue->holding->name = pool_kinds[kind].name;
            queue->holding->is_limit = true;
        }
    }
    if (is_send) {
        queue->holding->is_called &=
            kind != FUNCTION_NONE || is_called(places, group);
        queue->function = frame.function;
        if (!queue->line || frame.line < queue->line)
            queue->line = frame.line;
    }
    if (!is_send)
        takers_note(&places->takers,
                    symbols_stack(places->symbols, group->stack), kind);
    queue->holding->waiters += group->count;
    if (joined_has_wait(group) &&
        (!queue->holding->has_wait ||
         group->facts->wait_max > queue->holding->wait_max)) {
        queue->holding->has_wait = true;
        queue->holding->wait_max = group->facts->wait_max;
    }
    extra->holding = queue->holding;
    extra->n_holdings = 1;
    return true;
}

/* --- Holders ------------------------------------------------------------- */

/* Counts a group as holding places of a queue; a step tells that its
 * connections are being made. */
static void add_holder(struct places *places, struct queue *queue,
                       struct joined_group *group, frame_id frame,
                       enum evidence_kind evidence, struct str step)
{
    enum { COUNT_MOST = 1 << 30 };
    uint64_t count = count_beside(places, queue, group);
    struct holder holder = {.group = group,
                            .count = count,
                            .goroutine = joined_only_id(group),
                            .frame = frame,
                            .step = step,
                            .evidence = evidence,
                            .score =
                                (int)(count < COUNT_MOST ? count : COUNT_MOST),
                            .certainty = CERTAINTY_MEDIUM,
                            .waits = joined_extra(group)->holding};

    if (!queue->holding || !count ||
        joined_extra(group)->holding == queue->holding)
        return;
    queue->holding->n_candidates += count;
    holders_add(analysis_arena(places->analysis), queue->holding, &holder);
}

/* Counts a group whose frame at index runs with a connection of a pool, or
 * makes one. */
static void add_pool_holder(struct places *places, uint32_t kind,
                            struct joined_group *group, uint32_t index,
                            bool is_opening)
{
    struct stack stack = symbols_stack(places->symbols, group->stack);
    struct queue *queue = &places->queues[kind];
    uint64_t count = count_beside(places, queue, group);

    if (!count)
        return;
    owners_count(analysis_arena(places->analysis), queue->holding, group,
                 symbols_function(places->symbols, stack.frames[index]));
    if (is_opening)
        queue->holding->n_without += count;
    add_holder(
        places, queue, group, stack.frames[index], EVIDENCE_NEAR_FUNCTION,
        is_opening ? pool_step(places->symbols, stack) : (struct str){0});
}

/* The number of the sends' queue whose place a frame shows to be taken: it
 * stands behind the send, or in a closure that was written there.
 * FUNCTION_NONE when it shows none. */
static uint32_t queue_behind(const struct places *places, struct frame frame,
                             enum evidence_kind *ret_evidence)
{
    uint32_t at = function_index_get(&places->sends, frame.function);

    *ret_evidence = EVIDENCE_PAST;
    if (at != FUNCTION_NONE)
        return frame.line > places->queues[POOL_KINDS + at].line
                   ? at
                   : FUNCTION_NONE;
    *ret_evidence = EVIDENCE_STARTED;
    return function_index_closure(&places->sends, frame.function);
}

/* Whether a group perhaps has a place of a pool: it is behind a line where
 * others wait for one to go on with. Whether it gave that back before is not
 * seen. */
static void look_for_taker(struct places *places, struct joined_group *group)
{
    struct stack stack = symbols_stack(places->symbols, group->stack);
    struct holding *holding;
    struct taken taken;
    bool waits;

    if (!takers_find(&places->takers, stack,
                     group->site > 0 ? (uint32_t)group->site : 0,
                     pool_of(places, group, stack), &taken))
        return;
    if (!count_beside(places, &places->queues[taken.kind], group))
        return;
    holding = places->queues[taken.kind].holding;
    waits = joined_extra(group)->holding == holding;
    /* The groups are in order of size. */
    if (waits && !holding->n_again)
        holding->again = taken.frame;
    if (waits)
        holding->n_again += group->count;
    owners_add(analysis_arena(places->analysis), holding, group, &taken);
}

/* The outermost frame of a group that stands behind the send of a queue; NULL
 * when none does. */
static struct queue *behind(const struct places *places, struct stack stack,
                            uint32_t *ret_frame,
                            enum evidence_kind *ret_evidence)
{
    uint32_t queue = FUNCTION_NONE;
    uint32_t i = stack.n_frames;

    while (queue == FUNCTION_NONE && i > 0)
        queue = queue_behind(places,
                             symbols_frame(places->symbols, stack.frames[--i]),
                             ret_evidence);
    *ret_frame = i;
    return queue == FUNCTION_NONE ? NULL : &places->queues[POOL_KINDS + queue];
}

/* Notes how a group stands behind a send. */
static void note_behind(struct places *places, struct joined_group *group)
{
    enum evidence_kind evidence;
    uint32_t frame;
    struct queue *queue =
        behind(places, symbols_stack(places->symbols, group->stack), &frame,
               &evidence);

    if (!queue || !queue->holding || !count_beside(places, queue, group) ||
        joined_extra(group)->holding == queue->holding)
        return;
    if (evidence == EVIDENCE_PAST && is_reply(group, frame))
        queue->holding->n_without += group->count;
    else
        queue->holding->is_limit = true;
}

/* Tells the sends of which nobody is behind but those who wait for a reply.
 * False without memory. */
static bool find_requests(struct places *places)
{
    struct queue *queues = places->queues + POOL_KINDS;
    size_t n = 0;

    for (size_t i = 0; i < places->n_queues; i++) {
        if (!queues[i].holding)
            continue;
        if (queues[i].holding->is_limit)
            queues[i].holding->n_without = 0;
        n += queues[i].holding->n_without > 0;
    }
    if (!n)
        return true;
    places->requests = arena_take(&places->scratch, n * sizeof(struct request));
    if (!places->requests)
        return false;
    for (size_t i = 0; i < places->n_queues; i++) {
        if (queues[i].holding && queues[i].holding->n_without)
            places->requests[places->n_requests++] = (struct request){
                queues[i].holding, queues[i].function,
                scope_of(symbols_text(places->symbols, queues[i].function))};
    }
    requests_sort(places->requests, places->n_requests);
    return true;
}

/* Whether a group that waits at a queue of sends perhaps has a place of it: as
 * a member of an errgroup that waits for one of the same, or behind the first
 * of several sends of its function. Where goroutines began with that function
 * these may as well be the branches of one result, "if err != nil { errs <- err
 * } else { values <- value }", unless others go on behind the first send. */
static bool may_have_place(const struct places *places,
                           const struct queue *queue,
                           const struct joined_group *group, struct stack stack)
{
    frame_id site = stack.frames[group->site];
    bool began_here =
        (uint32_t)group->site + 1 >= without_entry(places->symbols, stack);

    if (queue->holding->name.len)
        return pool_is_member(symbols_function(
            places->symbols, stack.frames[stack.n_frames - 1]));
    return symbols_frame(places->symbols, site).line > queue->line &&
           (!began_here || queue->holding->n_candidates);
}

/* Notes that those who wait at a queue of sends perhaps have a place of it. */
static void look_for_second(struct places *places, struct joined_group *group)
{
    struct stack stack = symbols_stack(places->symbols, group->stack);
    struct queue *queue;
    frame_id site;
    uint32_t at;

    if (group->site < 0 || !is_by_caller(pool_of(places, group, stack)))
        return;
    site = stack.frames[group->site];
    at = function_index_get(&places->sends,
                            text_at(places, stack, (uint32_t)group->site));
    if (at == FUNCTION_NONE)
        return;
    queue = &places->queues[POOL_KINDS + at];
    if (!queue->holding || joined_extra(group)->holding != queue->holding ||
        !may_have_place(places, queue, group, stack))
        return;
    if (!queue->holding->n_again)
        queue->holding->again = site;
    queue->holding->n_again += group->count;
}

/* Looks for the outermost frame with a connection of a pool, or one that makes
 * it. */
static void look_for_pool(struct places *places, struct joined_group *group)
{
    struct stack stack = symbols_stack(places->symbols, group->stack);
    uint32_t kind;
    uint32_t at;

    for (uint32_t i = stack.n_frames; i-- > 0;) {
        text_id text = text_at(places, stack, i);

        kind = function_index_get(&places->holds, text);
        if (kind == FUNCTION_NONE || !places->queues[kind].holding)
            continue;
        add_pool_holder(places, kind, group, i,
                        pool_is_opening(symbols_text(places->symbols, text)));
        return;
    }
    at = opening_at(places, stack, &kind);
    if (at < stack.n_frames && places->queues[kind].holding)
        add_pool_holder(places, kind, group, at, true);
}

/* Looks for the outermost frame with a place, and for one of a pool. A group
 * that queues itself has none yet. */
static void look_at_group(struct places *places, struct joined_group *group)
{
    struct stack stack = symbols_stack(places->symbols, group->stack);
    enum evidence_kind evidence;
    struct queue *queue;
    uint32_t frame;

    look_for_pool(places, group);
    queue = behind(places, stack, &frame, &evidence);
    if (queue && queue->holding && !queue->holding->n_without)
        add_holder(places, queue, group, stack.frames[frame], evidence,
                   (struct str){0});
    requests_add_worker(places->analysis, places->requests, places->n_requests,
                        group);
}

/* Lists the queues of which nobody is known, and whose senders were called or
 * not. */
static size_t list_unheld(const struct places *places, bool is_called,
                          struct origin *origins)
{
    size_t n = 0;

    for (size_t i = 0; i < places->n_queues; i++) {
        const struct queue *queue = &places->queues[POOL_KINDS + i];
        const struct holding *holding = queue->holding;

        if (holding && holding->is_called == is_called && !holding->n_holders &&
            !holding->n_without &&
            (is_called ? !holding->n_again : !holding->is_partial))
            origins[n++] =
                (struct origin){queue->holding, queue->group, queue->dumps, 0};
    }
    return n;
}

/* Looks for who is behind a call of what sends, and asks who started those that
 * send without having been called to. */
static bool find_unheld(struct places *places)
{
    struct origin *origins = arena_take_zero(
        &places->scratch, (places->n_queues + 1) * sizeof(*origins));

    return origins &&
           past_calls_find(places->analysis, &places->scratch, origins,
                           list_unheld(places, true, origins)) &&
           origins_find(places->analysis, &places->scratch, origins,
                        list_unheld(places, false, origins));
}

/* --- The whole ----------------------------------------------------------- */

static bool init_pools(struct places *places)
{
    if (!function_index_init(&places->waits, places->symbols, &places->scratch,
                             POOL_KINDS) ||
        !function_index_init(&places->holds, places->symbols, &places->scratch,
                             POOL_KINDS * POOL_FUNCTIONS))
        return false;
    for (uint32_t i = 0; i < POOL_KINDS; i++) {
        function_index_put(&places->waits, pool_kinds[i].waits, i);
        for (size_t k = 0; k < POOL_FUNCTIONS; k++) {
            if (pool_kinds[i].holds[k].len)
                function_index_put(&places->holds, pool_kinds[i].holds[k], i);
        }
    }
    function_index_seal(&places->waits);
    function_index_seal(&places->holds);
    return true;
}

static bool count_send(struct places *places, struct joined_group *group,
                       uint32_t kind, frame_id site)
{
    (void)group;
    (void)kind;
    (void)site;
    places->n_queues++;
    return true;
}

/* Takes room for as many queues and takers as there are groups that queue. */
static bool init_queues(struct places *places)
{
    places->queues =
        arena_take_zero(&places->scratch, (POOL_KINDS + places->n_queues) *
                                              sizeof(*places->queues));
    return places->queues &&
           function_index_init(&places->sends, places->symbols,
                               &places->scratch, places->n_queues) &&
           takers_init(&places->takers, places->symbols, &places->scratch,
                       places->n_queues);
}

/* Calls back for every group that is there. */
static void each_group(struct places *places,
                       void (*fn)(struct places *, struct joined_group *))
{
    for (size_t i = 0; i < analysis_n_groups(places->analysis); i++) {
        struct joined_group *group = analysis_group(places->analysis, i);

        if (judged_has_group(places->analysis, group))
            fn(places, group);
    }
}

static bool find_all(struct places *places)
{
    if (!init_pools(places) || !each_queued(places, count_send))
        return false;
    if (!places->n_queues)
        return true;
    if (!init_queues(places) || !each_queued(places, add_send))
        return false;
    function_index_seal(&places->sends);
    takers_seal(&places->takers);
    if (!each_queued(places, add_waiters))
        return false;
    each_group(places, note_behind);
    if (!find_requests(places))
        return false;
    each_group(places, look_at_group);
    each_group(places, look_for_taker);
    each_group(places, look_for_second);
    for (size_t i = 0; i < POOL_KINDS + places->n_queues; i++) {
        if (places->queues[i].holding)
            places->queues[i].holding->is_partial =
                judged_is_partial(places->analysis);
    }
    return find_unheld(places);
}

bool places_find(struct analysis *analysis)
{
    struct places places = {.analysis = analysis,
                            .symbols = analysis_snapshots(analysis)->symbols};
    bool is_whole;

    arena_init(&places.scratch, &analysis_snapshots(analysis)->budget);
    is_whole = find_all(&places);
    arena_done(&places.scratch);
    return is_whole;
}

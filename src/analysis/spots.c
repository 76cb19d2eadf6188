#include "analysis/spots.h"

#include <stdlib.h>

#include "analysis/pauses.h"
#include "model/name.h"

enum { TEXT_NEW, TEXT_NONE, TEXT_BY_CALLER, TEXT_SCOPES };

enum { NEIGHBOURS_MOST = 64, PAIR_MINUTES = 5 };

static int compare_scopes(const void *a, const void *b)
{
    const scope_id *left = a;
    const scope_id *right = b;

    return (*left > *right) - (*left < *right);
}

/* Notes the line of a function where one waits for a lock. */
static bool note_line(struct spot_map *map, const struct lock_site *site)
{
    struct symbols *symbols = map->contention->symbols;
    struct frame frame = symbols_frame(symbols, site->frame);
    uint32_t **of_kind = &map->lines_of[site->kind];
    uint32_t *lines[2];

    if (!*of_kind)
        *of_kind =
            arena_take_zero(map->contention->scratch,
                            (symbols_n_texts(symbols) + 1) * sizeof(**of_kind));
    if (!*of_kind)
        return false;
    lines[0] = &map->lines[frame.function];
    lines[1] = &(*of_kind)[frame.function];
    for (unsigned i = 0; i < 2; i++) {
        if (!*lines[i] || frame.line < *lines[i])
            *lines[i] = frame.line;
    }
    return true;
}

bool spot_map_init(struct spot_map *map, const struct contention *contention)
{
    struct symbols *symbols = contention->symbols;
    size_t n_texts = symbols_n_texts(symbols) + 1;
    size_t n = 0;

    *map = (struct spot_map){.contention = contention};
    map->scopes = arena_take(contention->scratch,
                             contention->n_waitings * sizeof(*map->scopes));
    map->of_text =
        arena_take_zero(contention->scratch, n_texts * sizeof(*map->of_text));
    map->lines =
        arena_take_zero(contention->scratch, n_texts * sizeof(*map->lines));
    if (!map->scopes || !map->of_text || !map->lines)
        return false;
    for (size_t i = 0; i < contention->n_waitings; i++) {
        const struct lock_site *site = &contention->waitings[i].site;

        if (site->kind == HOLDING_WAITGROUP || site->kind == HOLDING_COND)
            continue;
        map->scopes[n++] = site->scope;
        if (!note_line(map, site))
            return false;
    }
    qsort(map->scopes, n, sizeof(*map->scopes), compare_scopes);
    for (size_t i = 0; i < n; i++) {
        if (!i || map->scopes[i] != map->scopes[map->n_scopes - 1])
            map->scopes[map->n_scopes++] = map->scopes[i];
    }
    return true;
}

size_t spot_map_find(const struct spot_map *map, scope_id scope)
{
    size_t low = 0;
    size_t high = map->n_scopes;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (map->scopes[middle] < scope)
            low = middle + 1;
        else
            high = middle;
    }
    return low < map->n_scopes && map->scopes[low] == scope ? low
                                                            : map->n_scopes;
}

size_t spot_map_scope(const struct spot_map *map, struct stack stack,
                      uint32_t frame)
{
    struct symbols *symbols = map->contention->symbols;
    text_id text = symbols_frame(symbols, stack.frames[frame]).function;
    uint32_t *known = &map->of_text[text];
    size_t index;

    if (*known == TEXT_NEW) {
        struct str function = symbols_text(symbols, text);

        index = spot_map_find(map, scope_of(function));
        *known =
            index < map->n_scopes ? (uint32_t)index + TEXT_SCOPES : TEXT_NONE;
        if (str_equal(name_package(function), STR("sync")))
            *known = TEXT_BY_CALLER;
        /* It only calls doSlow, which has the lock. */
        if (str_equal(function, STR("sync.(*Once).Do")))
            *known = TEXT_NONE;
    }
    if (*known == TEXT_BY_CALLER)
        return spot_map_find(map, scope_at(symbols, stack, frame));
    return *known == TEXT_NONE ? map->n_scopes : *known - TEXT_SCOPES;
}

static enum spot_rank rank_of(const struct spot_map *map, frame_id id,
                              bool is_owner)
{
    struct frame frame = symbols_frame(map->contention->symbols, id);
    uint32_t line = map->lines[frame.function];

    if (map->is_crowded && map->is_crowded[id])
        return is_owner ? SPOT_OWNER : SPOT_CROWD;
    if (line && frame.line > line)
        return SPOT_PAST;
    if (is_owner)
        return SPOT_OWNER;
    /* On the line itself but not waiting: it calls something behind the lock,
     * in a function of one line. */
    return frame.line < line ? SPOT_BEFORE : SPOT_INSIDE;
}

static bool is_taken_by(const struct contention *contention,
                        const struct lock *lock, text_id function)
{
    for (uint32_t i = 0; i < lock->n; i++) {
        const struct lock_use *use = &contention->uses[lock->first + i];
        frame_id taken = contention_waiting_of(contention, use)->site.frame;

        if (symbols_frame(contention->symbols, taken).function == function)
            return true;
    }
    return false;
}

bool spot_takes(const struct contention *contention, const struct lock *lock,
                const struct holder *holder)
{
    struct frame stands = symbols_frame(contention->symbols, holder->frame);
    bool is_pair = lock->holding->waiters == 1 && holder->waits &&
                   holder->waits->waiters == 1 &&
                   holder->group->facts->wait_max >= PAIR_MINUTES &&
                   lock->holding->wait_max >= PAIR_MINUTES;

    for (uint32_t i = 0; i < lock->n; i++) {
        const struct lock_use *use = &contention->uses[lock->first + i];
        struct frame taken =
            symbols_frame(contention->symbols,
                          contention_waiting_of(contention, use)->site.frame);

        if (taken.function == stands.function &&
            (is_pair || taken.line <= stands.line))
            return true;
    }
    return false;
}

/* Whether a function is seen to take another lock of the object that this one
 * is in: then a line behind it says nothing of this one. */
static bool takes_neighbour(const struct contention *contention,
                            const struct lock *lock, text_id function)
{
    uint64_t address = lock->holding->address;
    size_t first = address > OBJECT_MOST ? address - OBJECT_MOST : 1;
    size_t at = address ? contention_find(contention, first) : 0;

    for (size_t n = 0; address && n < NEIGHBOURS_MOST; n++, at++) {
        if (at >= contention->n_locks ||
            contention->addresses[at] >= address + OBJECT_MOST)
            return false;
        if (contention->addresses[at] != address &&
            is_taken_by(contention, &contention->locks[at], function))
            return true;
    }
    return false;
}

bool spot_is_past(const struct spot_map *map, const struct lock *lock,
                  frame_id frame)
{
    const struct contention *contention = map->contention;
    struct symbols *symbols = contention->symbols;
    struct frame stands = symbols_frame(symbols, frame);
    const uint32_t *lines = map->lines_of[lock->holding->kind];
    bool is_type = scope_is_type(symbols_text(symbols, stands.function));

    for (uint32_t i = 0; i < lock->n; i++) {
        const struct lock_use *use = &contention->uses[lock->first + i];
        struct frame taken = symbols_frame(
            symbols, contention_waiting_of(contention, use)->site.frame);

        if (taken.function != stands.function)
            continue;
        if (taken.line < stands.line)
            return true;
        if (is_type)
            return lines && lines[stands.function] < stands.line;
    }
    if (!is_type)
        return false;
    /* Without addresses all locks of a type are one, which has their kinds. */
    if (!lock->holding->address && map->lines[stands.function])
        return lines && lines[stands.function] &&
               lines[stands.function] < stands.line;
    return !takes_neighbour(contention, lock, stands.function);
}

bool spot_is_receiver(const struct symbols *symbols, struct stack stack,
                      const struct pointers *pointers, unsigned which)
{
    uint32_t frame = pointers->frames[which];

    return pointers->flags[which] == (POINTER_SURE | POINTER_FIRST) &&
           frame < stack.n_frames &&
           !closure_parent(symbols_function(symbols, stack.frames[frame])).len;
}

size_t spots_find(const struct spot_map *map, const struct group *group,
                  const struct waiting *waiting, struct spot spots[SPOTS_MOST])
{
    struct stack stack = symbols_stack(map->contention->symbols, group->stack);
    uint32_t first = waiting ? waiting->site.owner : 0;
    bool is_taking = waiting && waiting->site.kind != HOLDING_WAITGROUP;
    size_t n = 0;

    for (uint32_t i = first; i < stack.n_frames; i++) {
        size_t scope = spot_map_scope(map, stack, i);
        struct spot spot = {(uint32_t)scope, i, SPOT_INSIDE};
        size_t at = 0;

        if (scope == map->n_scopes)
            continue;
        spot.rank = rank_of(map, stack.frames[i], is_taking && i == first);
        while (at < n && spots[at].scope != scope)
            at++;
        if (at == SPOTS_MOST)
            continue;
        /* Of equals the outer one: it was called first, and locks first. What a
         * crowd calls is in no critical section either. */
        if (at == n || spot.rank >= spots[at].rank ||
            (spot.rank == SPOT_CROWD && spots[at].rank == SPOT_INSIDE))
            spots[at] = spot;
        n += at == n;
    }
    return n;
}

/* States that idle goroutines of an object are in for most of their life. */
static bool is_idle_state(state_id state)
{
    return state == STATE_SELECT || state == STATE_SELECT_NO_CASES ||
           state == STATE_CHAN_RECEIVE || state == STATE_WAITGROUP_WAIT ||
           state == STATE_COND_WAIT || state == STATE_CHAN_OPERATION ||
           state == STATE_WAITING;
}

bool spot_state_is_busy(state_id state)
{
    return state == STATE_SLEEP || state == STATE_IO_WAIT ||
           state == STATE_SYSCALL || state == STATE_CHAN_SEND ||
           state == STATE_RUNNING || state == STATE_RUNNABLE;
}

bool spot_state_is_channel(state_id state)
{
    return state == STATE_CHAN_SEND || state == STATE_CHAN_RECEIVE ||
           state == STATE_SELECT || state == STATE_CHAN_OPERATION;
}

/* Whether a stack is in a function of the standard library alone, down to the
 * one by which a connection is listened on, or read. */
static bool is_in_poll(const struct symbols *symbols, struct stack stack,
                       struct str call)
{
    for (uint32_t i = 0; i < stack.n_frames; i++) {
        struct str function = symbols_function(symbols, stack.frames[i]);

        if (!name_is_std(function))
            return false;
        if (str_equal(function, call))
            return true;
    }
    return false;
}

bool spot_is_listener(const struct symbols *symbols, struct stack stack)
{
    return is_in_poll(symbols, stack, STR("internal/poll.(*FD).Accept"));
}

bool spot_is_reader(const struct symbols *symbols, struct stack stack)
{
    return is_in_poll(symbols, stack, STR("internal/poll.(*FD).Read")) ||
           is_in_poll(symbols, stack, STR("internal/poll.(*FD).ReadMsg"));
}

bool spot_comes_back(const struct spot_map *map, struct stack stack,
                     uint32_t owner, const struct spot *spot)
{
    const struct symbols *symbols = map->contention->symbols;

    for (uint32_t i = owner + 1; i < spot->frame; i++) {
        if (!name_is_std(symbols_function(symbols, stack.frames[i])) &&
            spot_map_scope(map, stack, i) != spot->scope)
            return true;
    }
    return false;
}

/* Whether a stack waits in the function that its goroutine began with, or in
 * one of the same object that it calls: a loop that has its wait in a method.
 * Who sleeps there rather tries something again. */
static bool waits_in_loop(const struct symbols *symbols,
                          const struct joined_group *group, struct stack stack,
                          uint32_t begin)
{
    scope_id scope = scope_at(symbols, stack, begin);
    int64_t at = begin;

    while (at > group->site && at > 0 &&
           scope_at(symbols, stack, (uint32_t)at - 1) == scope)
        at--;
    return at <= group->site &&
           (at == begin || spot_is_reader(symbols, stack) ||
            (group->state != STATE_SLEEP &&
             own_is_pausing(symbols, stack, own_of(symbols, stack),
                            group->state)));
}

bool spot_is_idle(const struct symbols *symbols,
                  const struct joined_group *group, struct stack stack,
                  frame_id frame)
{
    uint32_t begin = stack_begun(symbols, stack, group->created_by);

    return begin < stack.n_frames && stack.frames[begin] == frame &&
           waits_in_loop(symbols, group, stack, begin) &&
           (is_idle_state(group->state) || group->state == STATE_SLEEP ||
            spot_is_listener(symbols, stack) || spot_is_reader(symbols, stack));
}

frame_id spot_shown_frame(struct symbols *symbols, stack_id id, frame_id frame)
{
    struct stack stack = symbols_stack(symbols, id);
    uint32_t at = 0;

    while (at < stack.n_frames && stack.frames[at] != frame)
        at++;
    while (at < stack.n_frames &&
           str_equal(name_package(symbols_function(symbols, stack.frames[at])),
                     STR("sync")))
        at++;
    return at < stack.n_frames ? stack.frames[at] : frame;
}

uint32_t spot_cut_off(const struct symbols *symbols,
                      const struct joined_group *group, struct stack stack)
{
    uint32_t n = 0;

    if (symbols_stack(symbols, group->stack).n_frames == stack.n_frames)
        return 0;
    while (n < stack.n_frames &&
           name_is_runtime(symbols_function(symbols, stack.frames[n])))
        n++;
    return n;
}

/* Whether a goroutine does nothing but be there, wherever it stands: it waits
 * for connections or for nothing at all, as main does while others work. */
static bool is_parked(const struct symbols *symbols,
                      const struct joined_group *group, struct stack stack)
{
    return group->state == STATE_SELECT_NO_CASES ||
           spot_is_listener(symbols, stack);
}

int spot_score(const struct symbols *symbols, const struct spot *spot,
               const struct joined_group *group, struct stack stack)
{
    enum { CALLS_OUT = 4, IDLE = -8, SLEEPS = -4 };
    uint32_t cut_off = spot_cut_off(symbols, group, stack);
    bool is_past = spot->rank == SPOT_PAST;

    if (!is_past && is_parked(symbols, group, stack))
        return IDLE;
    if ((int64_t)spot->frame - cut_off > group->site)
        return CALLS_OUT;
    if (is_past || spot->frame < stack_begun(symbols, stack, group->created_by))
        return 0;
    if (is_idle_state(group->state))
        return IDLE;
    return group->state == STATE_SLEEP || spot_is_reader(symbols, stack)
               ? SLEEPS
               : 0;
}

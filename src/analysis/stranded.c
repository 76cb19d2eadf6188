#include "analysis/stranded.h"

#include "model/name.h"

/* What a goroutine may do for those that wait for a lock. */
enum role {
    ROLE_WAITS, /* for a lock, a WaitGroup or a Cond itself */
    ROLE_APART, /* nothing: it runs no code of the program, or ends never */
    ROLE_IDLES, /* in the function that it began with, until work comes, or
                   writes the dump: it holds no lock there, as a rule */
    ROLE_ACTS,  /* it may hold one, and go on */
};

/* How sure it has to be where goroutines idle: whole minutes. */
enum { WAIT_LEAST = 1 };

static bool is_parked_at_lock(state_id state)
{
    return state == STATE_SEMACQUIRE || state == STATE_MUTEX_LOCK ||
           state == STATE_RWMUTEX_RLOCK || state == STATE_RWMUTEX_LOCK ||
           state == STATE_WAITGROUP_WAIT || state == STATE_COND_WAIT;
}

static bool is_idle_state(state_id state)
{
    return state == STATE_SELECT || state == STATE_CHAN_RECEIVE;
}

static bool is_endless_state(state_id state)
{
    return state == STATE_CHAN_SEND_NIL || state == STATE_CHAN_RECEIVE_NIL ||
           state == STATE_SELECT_NO_CASES;
}

/* Whether one who waits there is woken by a goroutine of the program only, by
 * way of a lock. */
static bool is_lock(enum holding_kind kind)
{
    return kind == HOLDING_MUTEX || kind == HOLDING_RWMUTEX ||
           kind == HOLDING_ONCE || kind == HOLDING_WAITGROUP ||
           kind == HOLDING_COND;
}

/* The index of the innermost frame of the program; n_frames when there is
 * none. */
static uint32_t find_own(const struct symbols *symbols, struct stack stack)
{
    uint32_t i = 0;

    while (i < stack.n_frames &&
           name_is_std(symbols_function(symbols, stack.frames[i])))
        i++;
    return i;
}

/* Whether a stack's own frame waits itself, and not in a call of the library,
 * as of a request. */
static bool is_direct(const struct symbols *symbols, struct stack stack,
                      uint32_t own)
{
    while (own && str_starts(symbols_function(symbols, stack.frames[own - 1]),
                             STR("runtime.")))
        own--;
    return own == 0;
}

/* What the frames above a stack's own say: it writes the dump, because a client
 * asked or by itself, listens, or is a test that waits for the tests in it. */
static enum role role_of_call(const struct symbols *symbols, struct stack stack,
                              uint32_t own)
{
    enum role role = ROLE_ACTS;

    for (uint32_t i = 0; i < own; i++) {
        struct str function = symbols_function(symbols, stack.frames[i]);

        if (str_starts(function, STR("net/http/pprof.")) ||
            str_equal(function, STR("internal/poll.(*FD).Accept")) ||
            str_equal(function, STR("testing.(*T).Run")))
            return ROLE_APART;
        if (str_starts(function, STR("runtime/pprof.")))
            role = ROLE_IDLES;
    }
    return role;
}

static enum role role_of(const struct contention *contention, size_t index)
{
    const struct symbols *symbols = contention->symbols;
    const struct group *group = snapshot_group(contention->snapshot, index);
    const struct waiting *waiting = contention_waiting(contention, index);
    struct stack stack = symbols_stack(symbols, group->stack);
    uint32_t own = find_own(symbols, stack);
    enum role role;

    if (group->state_source != STATE_FROM_HEADER || !stack.n_frames)
        return ROLE_ACTS;
    if (waiting && is_lock(waiting->site.kind) &&
        is_parked_at_lock(group->state))
        return ROLE_WAITS;
    if (is_endless_state(group->state))
        return ROLE_APART;
    role = role_of_call(symbols, stack, own);
    if (role != ROLE_ACTS || stack.elided)
        return role;
    if (own == stack.n_frames)
        return ROLE_APART;
    if (!is_idle_state(group->state) || !is_direct(symbols, stack, own))
        return ROLE_ACTS;
    /* main.main starts everything, and then waits until the end. */
    if (str_equal(symbols_function(symbols, stack.frames[own]),
                  STR("main.main")))
        return ROLE_APART;
    return own + 1 == stack.n_frames ? ROLE_IDLES : ROLE_ACTS;
}

/* What is to be known of a snapshot. */
struct survey {
    bool has_main; /* else it is a part of a dump, whatever it says */
    bool has_idle;
    bool has_actor;
};

/* Whether the main goroutine is in a group (runtime/proc.go: main). */
static bool is_main(const struct symbols *symbols, const struct group *group)
{
    struct stack stack = symbols_stack(symbols, group->stack);

    return group->n_ids && group->id_min == 1 && stack.n_frames &&
           str_equal(
               symbols_function(symbols, stack.frames[stack.n_frames - 1]),
               STR("main.main"));
}

static struct survey survey_of(const struct contention *contention)
{
    const struct snapshot *snapshot = contention->snapshot;
    struct survey survey = {0};

    for (size_t i = 0; i < snapshot_n_groups(snapshot) && !survey.has_actor;
         i++) {
        const struct group *group = snapshot_group(snapshot, i);
        enum role role = role_of(contention, i);

        survey.has_main |= is_main(contention->symbols, group);
        survey.has_idle |= role == ROLE_IDLES;
        survey.has_actor |= role == ROLE_ACTS;
    }
    return survey;
}

/* Whether the best holder of a lock, if it has any, waits for no lock
 * itself. */
static bool is_held_by_other(const struct holding *holding)
{
    const struct holder *best = holding->holders;

    return holding->n_holders && !best->waits && !best->is_itself;
}

/* Whether somebody holds a lock who may go on. */
static bool is_explained(const struct holding *holding, bool has_idle)
{
    return is_held_by_other(holding) &&
           (has_idle || holding->holders->certainty > CERTAINTY_LOW);
}

/* A lock of the program: those inside the standard library are held by its own
 * goroutines, too. */
static bool is_own_lock(const struct contention *contention,
                        const struct holding *holding)
{
    return (holding->kind == HOLDING_MUTEX ||
            holding->kind == HOLDING_RWMUTEX) &&
           !name_is_std(symbols_function(contention->symbols, holding->site));
}

/* Marks a lock, of which a holder that was only guessed is forgotten. */
static void mark(struct holding *holding)
{
    holding->is_stranded = true;
    if (is_held_by_other(holding))
        holding->n_holders = holding->n_candidates = 0;
}

void stranded_find(const struct contention *contention)
{
    struct survey survey = survey_of(contention);

    if (survey.has_actor || !survey.has_main)
        return;
    for (size_t i = 0; i < contention->n_locks; i++) {
        const struct holding *holding = contention->locks[i].holding;

        if (is_own_lock(contention, holding) &&
            is_explained(holding, survey.has_idle))
            return;
    }
    for (size_t i = 0; i < contention->n_locks; i++) {
        struct holding *holding = contention->locks[i].holding;

        if (is_own_lock(contention, holding) &&
            (!survey.has_idle ||
             (holding->has_wait && holding->wait_max >= WAIT_LEAST)))
            mark(holding);
    }
}

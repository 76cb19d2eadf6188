#include "analysis/stranded.h"

#include "analysis/pauses.h"
#include "model/name.h"

/* What a goroutine may do for those that wait for a lock. */
enum role {
    ROLE_WAITS, /* for a lock of the program itself */
    ROLE_APART, /* nothing: it runs no code of the program, or ends never */
    ROLE_IDLES, /* it waits for work, listens, or writes the dump: as a rule it
                   holds no lock */
    ROLE_ACTS,  /* it may hold one, and go on */
};

/* How sure it has to be where goroutines idle: whole minutes. */
enum { WAIT_LEAST = 1 };

static bool is_parked_at_lock(state_id state)
{
    return state == STATE_SEMACQUIRE || state == STATE_MUTEX_LOCK ||
           state == STATE_RWMUTEX_RLOCK || state == STATE_RWMUTEX_LOCK ||
           state == STATE_WAITGROUP_WAIT;
}

/* A group of a snapshot that is looked at. */
struct subject {
    const struct group *group;
    const struct waiting *waiting; /* NULL = it waits for no lock */
    struct stack stack;
    struct own own;
    bool is_main; /* the main goroutine is in it (runtime/proc.go: main) */
};

static struct subject subject_of(const struct contention *contention,
                                 size_t index)
{
    const struct symbols *symbols = contention->symbols;
    const struct group *group = snapshot_group(contention->snapshot, index);
    struct stack stack = symbols_stack(symbols, group->stack);
    struct own own = own_of(symbols, stack);

    return (struct subject){
        .group = group,
        .waiting = contention_waiting(contention, index),
        .stack = stack,
        .own = own,
        .is_main = group->n_ids && group->id_min == 1 &&
                   own.first < stack.n_frames &&
                   str_equal(symbols_function(symbols, stack.frames[own.last]),
                             STR("main.main")),
    };
}

/* Whether it is known whom a WaitGroup waits for: what these may do is asked of
 * themselves. */
static bool has_members(const struct contention *contention,
                        const struct waiting *waiting)
{
    uint32_t lock = contention_only_lock(contention, waiting);

    return lock != LOCK_NONE && contention->locks[lock].holding->n_holders;
}

/* The part of one who waits for something that others give back. Whoever waits
 * for a lock of the standard library, or for a Cond, may wait for its
 * goroutines, or for a timer, and have a lock of the program meanwhile. */
static enum role role_of_waiting(const struct contention *contention,
                                 const struct waiting *waiting, bool is_main)
{
    bool is_std =
        name_is_std(symbols_function(contention->symbols, waiting->site.frame));

    switch (waiting->site.kind) {
    case HOLDING_ONCE:
        return ROLE_WAITS;
    case HOLDING_MUTEX:
    case HOLDING_RWMUTEX:
        return is_std ? ROLE_ACTS : ROLE_WAITS;
    case HOLDING_WAITGROUP:
        if (has_members(contention, waiting))
            return ROLE_WAITS;
        return is_main && !is_std ? ROLE_IDLES : ROLE_ACTS;
    default:
        return ROLE_ACTS;
    }
}

/* What the frames above a stack's own say: it serves, is a test that waits for
 * the tests in it, listens, or writes the dump, perhaps with a lock that lets
 * one at a time do so. */
static enum role role_of_call(const struct symbols *symbols, struct stack stack,
                              uint32_t own, state_id state)
{
    enum role role = ROLE_ACTS;

    for (uint32_t i = 0; i < own; i++) {
        struct str function = symbols_function(symbols, stack.frames[i]);

        if (str_equal(function, STR("net/http.(*Server).Serve")) ||
            str_equal(function, STR("testing.(*T).Run")))
            return ROLE_APART;
        if (str_equal(function, STR("internal/poll.(*FD).Accept")) ||
            (state == STATE_RUNNING &&
             str_starts(function, STR("runtime/pprof."))))
            role = ROLE_IDLES;
    }
    return role;
}

static enum role role_of(const struct contention *contention,
                         const struct subject *subject)
{
    const struct symbols *symbols = contention->symbols;
    const struct group *group = subject->group;
    struct stack stack = subject->stack;
    struct own own = subject->own;
    enum role role;

    if (group->state_source != STATE_FROM_HEADER || !stack.n_frames)
        return ROLE_ACTS;
    if (state_is_endless(group->state))
        return ROLE_APART;
    if (own.first == stack.n_frames)
        return stack.elided ? ROLE_ACTS : ROLE_APART;
    if (subject->waiting && is_parked_at_lock(group->state))
        return role_of_waiting(contention, subject->waiting, subject->is_main);
    role = role_of_call(symbols, stack, own.first, group->state);
    if (role != ROLE_ACTS || stack.elided)
        return role;
    return own_is_pausing(symbols, stack, own, group->state) &&
                   (subject->is_main || own_is_entry(symbols, stack, own))
               ? ROLE_IDLES
               : ROLE_ACTS;
}

/* What is to be known of a snapshot. */
struct survey {
    bool has_main; /* else it is a part of a dump, whatever it says */
    bool has_idle;
    bool has_actor;
};

static struct survey survey_of(const struct contention *contention)
{
    const struct snapshot *snapshot = contention->snapshot;
    struct survey survey = {0};

    for (size_t i = 0; i < snapshot_n_groups(snapshot) && !survey.has_actor;
         i++) {
        struct subject subject = subject_of(contention, i);
        enum role role = role_of(contention, &subject);

        survey.has_main |= subject.is_main;
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
static void mark(struct holding *holding, bool has_idle)
{
    holding->is_stranded = true;
    holding->may_idle = has_idle;
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
             (holding->has_wait &&
              wait_at_least(holding->wait_max) >= WAIT_LEAST)))
            mark(holding, survey.has_idle);
    }
}

#include "analysis/crossing.h"

#include "analysis/certainty.h"
#include "analysis/holder_list.h"

enum {
    NEAR_MOST = 64,  /* bytes between two variables that stand together */
    WAIT_LEAST = 1,  /* minutes: no critical section lasts so long */
    SCORE_LEAD = 10, /* before those that only stand in the function */
};

void crossing_note(struct holder *best, const struct holder *holder)
{
    if (!holder->waits || holder->is_itself || holder->is_maybe ||
        holder->evidence < EVIDENCE_OBJECT)
        return;
    if (!best->score || holder_is_better(holder, best))
        *best = *holder;
}

/* Whether one that waits for the lock holds what another waits for. */
static bool is_crossed(const struct lock *lock, const struct holder *other)
{
    const struct holder *holders = other->waits->holders;

    for (size_t i = 0; i < other->waits->n_holders; i++) {
        if (holders[i].waits == lock->holding && !holders[i].is_itself &&
            holders[i].certainty >= CERTAINTY_MEDIUM)
            return true;
    }
    return false;
}

void crossing_settle(const struct contention *contention,
                     const struct lock *lock, const struct holder *best)
{
    const struct holding *holding = lock->holding;
    struct holder other = *best;

    if (!other.score || !is_crossed(lock, &other))
        return;
    /* It is likelier than that the waiter waits for itself. */
    if (holding->n_holders && holding->holders->is_itself &&
        holding->holders->score >= other.score)
        other.score = holding->holders->score + 1;
    holders_add(contention->arena, lock->holding, &other);
    if (holding->n_holders)
        certainty_settle(contention, lock);
}

/* Whether all that wait for a lock stand in one place, and who stands there
 * waits for no other: there is no second object of the kind. */
static bool is_only_one(const struct contention *contention,
                        const struct lock *lock)
{
    return lock->n == 1 &&
           contention_only_lock(
               contention, contention_waiting_of(
                               contention, &contention->uses[lock->first])) !=
               LOCK_NONE;
}

/* Whether a lock has been waited for so long that who holds it is stuck, and
 * nobody probably holds it. */
static bool is_riddle(const struct contention *contention,
                      const struct lock *lock)
{
    const struct holding *holding = lock->holding;

    return (holding->kind == HOLDING_MUTEX ||
            holding->kind == HOLDING_RWMUTEX) &&
           holding->address && !holding->is_object && !holding->is_rest &&
           !holding->is_partial && holding->has_wait &&
           holding->wait_max >= WAIT_LEAST &&
           (!holding->n_holders ||
            holding->holders->certainty == CERTAINTY_LOW) &&
           is_only_one(contention, lock);
}

/* Whether two locks that follow each other by address stand together, and no
 * third one with them, and are taken in one file. */
static bool are_pair(const struct contention *contention, size_t first)
{
    const uint64_t *at = &contention->addresses[first];
    const struct lock *locks = &contention->locks[first];
    const struct symbols *symbols = contention->symbols;

    return at[1] - at[0] <= NEAR_MOST && at[1] > at[0] &&
           (first == 0 || at[0] - at[-1] > NEAR_MOST) &&
           (first + 2 == contention->n_locks || at[2] - at[1] > NEAR_MOST) &&
           is_riddle(contention, &locks[0]) &&
           is_riddle(contention, &locks[1]) &&
           symbols_frame(symbols, locks[0].holding->site).file ==
               symbols_frame(symbols, locks[1].holding->site).file;
}

/* Takes the waiters of one lock for holders of the other. */
static void take_neighbour(const struct contention *contention,
                           const struct lock *lock, const struct lock *other)
{
    const struct lock_use *use = &contention->uses[other->first];
    const struct waiting *waiting = contention_waiting_of(contention, use);
    struct holding *holding = lock->holding;
    struct holder holder = {
        .group = waiting->joined,
        .goroutine = contention_waiter_id(contention, use),
        .count = use->count,
        .frame = waiting->site.frame,
        .evidence = EVIDENCE_NEIGHBOUR,
        .is_at_wait = true,
        .waits = other->holding,
        .score = SCORE_LEAD,
    };

    if (holding->n_holders)
        holder.score += holding->holders->score;
    holders_add(contention->arena, holding, &holder);
    if (holding->n_holders)
        certainty_settle(contention, lock);
}

void crossing_pairs(const struct contention *contention)
{
    for (size_t i = 0; i + 1 < contention->n_locks; i++) {
        const struct lock *locks = &contention->locks[i];

        if (!are_pair(contention, i))
            continue;
        take_neighbour(contention, &locks[0], &locks[1]);
        take_neighbour(contention, &locks[1], &locks[0]);
    }
}

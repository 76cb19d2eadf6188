#include "analysis/crossing.h"

#include "analysis/certainty.h"
#include "analysis/holder_list.h"

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

#include "analysis/certainty.h"

#include "analysis/spots.h"

enum { SCORE_LEAD = 8 }; /* ahead of the next one by so much: it stands out */

bool certainty_is_busy(const struct holding *holding)
{
    const struct holder *all = holding->holders;
    size_t i = 0;

    while (i < holding->n_holders && (all[i].is_itself || all[i].waits ||
                                      !spot_state_is_busy(all[i].group->state)))
        i++;
    return i < holding->n_holders;
}

/* How far the evidence for one holder reaches. Who waits for another lock right
 * there, having the object at hand, may not have taken this one: it did when
 * its function takes both. Every caller of a method that locks has the object
 * at hand, too, and every loop of it. */
static enum certainty certainty_of(const struct contention *contention,
                                   const struct lock *lock,
                                   const struct holder *holder, bool stands_out)
{
    const struct symbols *symbols = contention->symbols;
    bool has_address =
        holder->evidence >= EVIDENCE_NEAR_ADDRESS && !holder->is_maybe;
    struct stack stack;

    if (holder->is_at_wait && !holder->is_past)
        return has_address && spot_takes(contention, lock, holder)
                   ? CERTAINTY_MEDIUM
                   : CERTAINTY_LOW;
    stack = symbols_stack(symbols, holder->group->stack);
    if (!holder->is_past &&
        (holder->is_itself ||
         spot_is_idle(symbols, holder->group, stack, holder->frame)))
        return CERTAINTY_LOW;
    if (has_address && holder->evidence >= EVIDENCE_OBJECT &&
        (holder->is_past || (stands_out && !holder->is_itself)))
        return CERTAINTY_HIGH;
    if (has_address || (holder->is_past && stands_out && holder->count == 1))
        return CERTAINTY_MEDIUM;
    return CERTAINTY_LOW;
}

/* Whether one waits for a channel behind the lock's line, which may be behind
 * an Unlock as well, while somebody else has the object as surely and is in the
 * middle of work. */
static bool has_rival(const struct holding *holding,
                      const struct holder *holder)
{
    if (!holder->is_past || holder->waits ||
        !spot_state_is_channel(holder->group->state))
        return false;
    for (size_t i = 0; i < holding->n_holders; i++) {
        const struct holder *other = &holding->holders[i];

        if (other != holder && !other->waits && !other->is_maybe &&
            other->evidence >= EVIDENCE_OBJECT &&
            other->group->state != STATE_CHAN_SEND &&
            spot_state_is_busy(other->group->state))
            return true;
    }
    return false;
}

void certainty_settle(const struct contention *contention,
                      const struct lock *lock)
{
    struct holding *holding = lock->holding;
    struct holder *best = holding->holders;
    bool stands_out =
        holding->n_holders == 1 || best->score - best[1].score >= SCORE_LEAD;

    holding->n_candidates = 0;
    for (size_t i = 0; i < holding->n_holders; i++) {
        if (best->score - best[i].score < SCORE_LEAD)
            holding->n_candidates += best[i].count;
        best[i].certainty = (best[i].is_itself && certainty_is_busy(holding)) ||
                                    has_rival(holding, &best[i])
                                ? CERTAINTY_LOW
                                : certainty_of(contention, lock, &best[i],
                                               i == 0 && stands_out);
        best[i].frame = spot_shown_frame(contention->symbols,
                                         best[i].group->stack, best[i].frame);
    }
}

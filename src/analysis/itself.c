#include "analysis/itself.h"

#include "analysis/holder_list.h"
#include "model/name.h"

void itself_add(struct itself *itself, const struct holder *holder)
{
    if (!itself->n)
        itself->first = holder->goroutine;
    if (holder->count > 1 || holder->goroutine != itself->first)
        itself->is_several = true;
    itself->n += holder->count;
    if (!itself->best.score || holder_is_better(holder, &itself->best))
        itself->best = *holder;
}

/* Whether several wait for one Mutex in an outer call that may hold it. Only
 * one of them can, and the others would have stopped where it took the lock: it
 * is not held there any more. Without an address these may be several locks. */
static bool is_past_release(const struct itself *itself,
                            const struct holding *holding)
{
    return itself->is_several && holding->kind == HOLDING_MUTEX &&
           holding->address && !holding->is_object;
}

/* Whether most waiters came another way, or there is but one: methods that
 * others call to take a lock are common. */
static bool is_rare(const struct itself *itself, const struct symbols *symbols,
                    const struct holding *holding)
{
    if (itself->n * 2 <= holding->waiters)
        return true;
    return holding->waiters == 1 &&
           !name_is_std(symbols_function(symbols, holding->site));
}

const struct holder *itself_holder(const struct itself *itself,
                                   const struct symbols *symbols,
                                   const struct holding *holding)
{
    if (!itself->n || is_past_release(itself, holding))
        return NULL;
    return itself->best.is_past || is_rare(itself, symbols, holding)
               ? &itself->best
               : NULL;
}

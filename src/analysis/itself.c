#include "analysis/itself.h"

#include "analysis/holder_list.h"
#include "model/name.h"

static void keep_better(struct holder *best, const struct holder *holder)
{
    if (!best->score || holder_is_better(holder, best))
        *best = *holder;
}

void itself_add(struct itself *itself, const struct holder *holder,
                bool is_back)
{
    if (!itself->n)
        itself->first = holder->goroutine;
    if (holder->count > 1 || holder->goroutine != itself->first)
        itself->is_several = true;
    itself->n += holder->count;
    keep_better(&itself->best, holder);
    if (!is_back)
        return;
    itself->n_returned += holder->count;
    keep_better(&itself->returned, holder);
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

/* Whether a writer waits for readers, and nobody is known who is one: then some
 * of those who wait have the lock for reading, and several may. */
static bool is_read(const struct holding *holding)
{
    return holding->kind == HOLDING_RWMUTEX && holding->writer &&
           !holding->n_holders;
}

const struct holder *itself_holder(const struct itself *itself,
                                   const struct symbols *symbols,
                                   const struct holding *holding)
{
    if (!itself->n || is_past_release(itself, holding))
        return NULL;
    if (itself->best.is_past || is_rare(itself, symbols, holding) ||
        is_read(holding))
        return &itself->best;
    return itself->n_returned == 1 && holding->waiters > 1 ? &itself->returned
                                                           : NULL;
}

#include "analysis/tended.h"

/* Whether a member may be at work, or idle until there is some. Who waits for
 * I/O may have a peer that hangs. */
static bool is_well(state_id state)
{
    switch (state) {
    case STATE_SELECT:
    case STATE_CHAN_RECEIVE:
    case STATE_SLEEP:
    case STATE_SYSCALL:
    case STATE_RUNNING:
    case STATE_RUNNABLE:
    case STATE_NOT_STARTED:
        return true;
    default:
        return false;
    }
}

static bool are_well(const struct holding *holding)
{
    uint64_t n = 0;

    for (size_t i = 0; i < holding->n_holders; i++) {
        if (!is_well(holding->holders[i].group->state))
            return false;
        n += holding->holders[i].count;
    }
    return n && n >= holding->n_candidates;
}

static bool is_of_request(const struct contention *contention,
                          const struct waiting *waiting)
{
    const struct symbols *symbols = contention->symbols;
    const struct group *group =
        snapshot_group(contention->snapshot, waiting->group);

    return stack_has_function(symbols, symbols_stack(symbols, group->stack),
                              STR("net/http.(*conn).serve"));
}

void tended_find(const struct contention *contention)
{
    for (size_t i = 0; i < contention->n_locks; i++) {
        struct holding *holding = contention->locks[i].holding;

        holding->is_tended =
            holding->kind == HOLDING_WAITGROUP && are_well(holding);
    }
    for (size_t i = 0; i < contention->n_uses; i++) {
        const struct lock_use *use = &contention->uses[i];
        struct holding *holding = contention->locks[use->lock].holding;

        if (holding->is_tended &&
            is_of_request(contention, contention_waiting_of(contention, use)))
            holding->is_tended = false;
    }
}

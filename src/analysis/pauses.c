#include "analysis/pauses.h"

#include "model/name.h"

struct own own_of(const struct symbols *symbols, struct stack stack)
{
    struct own own = {stack.n_frames, 0};

    for (uint32_t i = 0; i < stack.n_frames; i++) {
        if (name_is_std(symbols_function(symbols, stack.frames[i])))
            continue;
        if (own.first == stack.n_frames)
            own.first = i;
        own.last = i;
    }
    return own;
}

bool own_is_pausing(const struct symbols *symbols, struct stack stack,
                    struct own own, state_id state)
{
    uint32_t i = own.first;

    if (state != STATE_SELECT && state != STATE_CHAN_RECEIVE &&
        state != STATE_SLEEP)
        return false;
    while (i) {
        struct str function = symbols_function(symbols, stack.frames[i - 1]);

        if (!str_starts(function, STR("runtime.")) &&
            !str_equal(function, STR("time.Sleep")))
            return false;
        i--;
    }
    return true;
}

bool own_is_entry(const struct symbols *symbols, struct stack stack,
                  struct own own)
{
    struct str outer = symbols_function(symbols, stack.frames[own.last]);
    size_t point = str_rfind(outer, '.');
    struct str last = str_skip(outer, point + (point < outer.len));

    return own.first == own.last ||
           (own.first + 1 == own.last &&
            (str_starts(last, STR("func")) || str_starts(last, STR("gowrap"))));
}

bool state_is_endless(state_id state)
{
    return state == STATE_CHAN_SEND_NIL || state == STATE_CHAN_RECEIVE_NIL ||
           state == STATE_SELECT_NO_CASES;
}

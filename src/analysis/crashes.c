#include "analysis/crashes.h"

#include "analysis/sites.h"

static bool is_panic(struct str function)
{
    return str_equal(function, STR("panic")) ||
           str_equal(function, STR("runtime.gopanic"));
}

int32_t crash_site(const struct symbols *symbols, struct stack stack)
{
    struct stack rest = stack;
    uint32_t first = stack.n_frames;

    while (first > 0 &&
           !is_panic(symbols_function(symbols, stack.frames[first - 1])))
        first--;
    if (first == stack.n_frames)
        first = 0;
    if (first) {
        rest.frames += first;
        rest.n_frames -= first;
    }
    return stack.n_frames ? site_find(symbols, rest) + (int32_t)first : -1;
}

void crash_find_site(struct snapshot *snapshot)
{
    const struct symbols *symbols = snapshot_symbols(snapshot);
    struct crash *crash = snapshot_info(snapshot)->crash;
    struct stack stack;
    int32_t site;

    if (!crash || !crash->n_groups || crash->is_elsewhere)
        return;
    stack = symbols_stack(symbols,
                          snapshot_group(snapshot, crash->groups[0])->stack);
    site = crash_site(symbols, stack);
    if (site >= 0)
        crash->site = stack.frames[site];
}

bool crash_speaks_of(const struct crash *crash, size_t group)
{
    for (uint32_t i = 0; crash && i < crash->n_groups; i++) {
        if (crash->groups[i] == group)
            return true;
    }
    return false;
}

#include "analysis/crashes.h"

#include "analysis/sites.h"
#include "model/state.h"

static bool is_panic(struct str function)
{
    return str_equal(function, STR("panic")) ||
           str_equal(function, STR("runtime.gopanic"));
}

/* How many frames stand above what has panicked first; 0 = none has. */
static uint32_t count_panicking(const struct symbols *symbols,
                                struct stack stack)
{
    uint32_t n = stack.n_frames;

    while (n > 0 && !is_panic(symbols_function(symbols, stack.frames[n - 1])))
        n--;
    return n;
}

int32_t crash_site(const struct symbols *symbols, struct stack stack)
{
    struct stack rest = stack;
    uint32_t first = count_panicking(symbols, stack);

    if (first == stack.n_frames)
        first = 0;
    if (first) {
        rest.frames += first;
        rest.n_frames -= first;
    }
    return stack.n_frames ? site_find(symbols, rest) + (int32_t)first : -1;
}

bool crash_is_print(const struct snapshot *snapshot)
{
    size_t n = snapshot_n_groups(snapshot);

    while (n > 0 && snapshot_group(snapshot, n - 1)->state == STATE_RUNNING)
        n--;
    return n == 0 && snapshot_n_groups(snapshot);
}

bool crash_is_event(const struct snapshot *snapshot)
{
    const struct symbols *symbols = snapshot_symbols(snapshot);
    const struct crash *crash = snapshot_info_get(snapshot)->crash;
    size_t n = snapshot_n_groups(snapshot);

    if (crash || !crash_is_print(snapshot))
        return crash && !crash->is_request;
    while (n > 0) {
        stack_id stack = snapshot_group(snapshot, n - 1)->stack;

        if (!count_panicking(symbols, symbols_stack(symbols, stack)))
            return false;
        n--;
    }
    return true;
}

frame_id crash_panic_site(const struct snapshot *snapshot)
{
    const struct symbols *symbols = snapshot_symbols(snapshot);

    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
        const struct group *group = snapshot_group(snapshot, i);
        struct stack stack = symbols_stack(symbols, group->stack);

        if (group->state == STATE_RUNNING && count_panicking(symbols, stack))
            return stack.frames[crash_site(symbols, stack)];
    }
    return FRAME_NONE;
}

const struct group *crash_main_group(const struct snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
        const struct group *group = snapshot_group(snapshot, i);

        if (group->n_ids && group->id_min == 1)
            return group;
    }
    return NULL;
}

void crash_find_site(struct snapshot *snapshot)
{
    const struct symbols *symbols = snapshot_symbols(snapshot);
    struct crash *crash = snapshot_info(snapshot)->crash;
    struct stack stack;
    int32_t site;

    if (!crash || !crash->n_groups || crash->is_elsewhere ||
        crash_hides_test(crash))
        return;
    stack = symbols_stack(symbols,
                          snapshot_group(snapshot, crash->groups[0])->stack);
    site = crash_site(symbols, stack);
    if (site >= 0)
        crash->site = stack.frames[site];
}

bool crash_hides_test(const struct crash *crash)
{
    return crash_is_timeout(crash) && !crash->has_goroutine;
}

bool crash_speaks_of(const struct crash *crash, size_t group)
{
    for (uint32_t i = 0; crash && i < crash->n_groups; i++) {
        if (crash->groups[i] == group)
            return true;
    }
    return false;
}

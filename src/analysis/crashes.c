#include "analysis/crashes.h"

#include "analysis/sites.h"
#include "model/name.h"
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

/* The site of a stack from a frame on, as an index of the whole. */
static int32_t site_from(const struct symbols *symbols, struct stack stack,
                         uint32_t first)
{
    struct stack rest = stack;

    rest.frames += first;
    rest.n_frames -= first;
    return site_find(symbols, rest) + (int32_t)first;
}

/* Whether a function is of a logger, which panics for those who call it:
 * logger.Panic("no config"). */
static bool is_logger(struct str function)
{
    static const struct str packages[] = {
        STR_INIT("github.com/sirupsen/logrus"),
        STR_INIT("go.uber.org/zap"),
        STR_INIT("github.com/rs/zerolog"),
        STR_INIT("github.com/golang/glog"),
        STR_INIT("k8s.io/klog"),
        STR_INIT("github.com/apex/log"),
        STR_INIT("github.com/go-kit/log"),
        STR_INIT("github.com/phuslu/log"),
        STR_INIT("github.com/charmbracelet/log"),
    };
    struct str package = name_package(function);

    for (size_t i = 0; i < sizeof(packages) / sizeof(packages[0]); i++) {
        if (str_starts(package, packages[i]))
            return true;
    }
    return false;
}

/* The site of who called a logger to panic, when that is where a site is; the
 * site itself otherwise. */
static int32_t without_logger(const struct symbols *symbols, struct stack stack,
                              int32_t site)
{
    bool is_panic_of_logger = false;
    int32_t at = site;

    while ((uint32_t)at < stack.n_frames) {
        struct str function = symbols_function(symbols, stack.frames[at]);

        if (!is_logger(function))
            break;
        is_panic_of_logger |= str_contains(function, STR("Panic"));
        if ((uint32_t)at + 1 == stack.n_frames)
            return site;
        at = site_from(symbols, stack, (uint32_t)at + 1);
    }
    return is_panic_of_logger &&
                   !name_is_std(symbols_function(symbols, stack.frames[at]))
               ? at
               : site;
}

int32_t crash_site(const struct symbols *symbols, struct stack stack)
{
    uint32_t first = count_panicking(symbols, stack);

    if (!stack.n_frames)
        return -1;
    return without_logger(
        symbols, stack,
        site_from(symbols, stack, first < stack.n_frames ? first : 0));
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

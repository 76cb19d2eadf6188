#include "analysis/finalizers.h"

#include "analysis/analysis.h"
#include "model/name.h"

/* runtime/mfinal.go and mcleanup.go. */
static bool is_runner(struct str function)
{
    return str_equal(function, STR("runtime.runfinq")) ||
           str_equal(function, STR("runtime.runFinalizers")) ||
           str_equal(function, STR("runtime.runCleanups"));
}

/* Whether a stack begins in the function of the runtime that runs finalizers;
 * runtime.goexit may stand below it. */
static bool shows_runner(const struct symbols *symbols, stack_id id)
{
    struct stack stack = {0};

    if (id != STACK_OTHER)
        stack = symbols_stack(symbols, id);
    for (uint32_t i = 0; i < stack.n_frames && i < 2; i++) {
        if (is_runner(symbols_function(symbols,
                                       stack.frames[stack.n_frames - 1 - i])))
            return true;
    }
    return false;
}

/* A function of a program that may have been given to SetFinalizer: not where
 * the program or a package of it begins, and not what C calls. */
static bool may_be_finalizer(struct str function)
{
    struct str symbol = name_symbol(function);

    return !name_is_std(function) && !str_equal(function, STR("main.main")) &&
           !str_equal(symbol, STR("init")) &&
           !str_starts(symbol, STR("init.")) &&
           !str_starts(function, STR("_cgoexp_"));
}

/* Whether a group is one goroutine, of which a dump that tells such
 * things says neither who created it nor that it is locked to a thread, as
 * callbacks from C are (runtime/cgocall.go: cgocallbackg). */
static bool is_bare(const struct symbols *symbols, const struct group *group)
{
    struct stack stack = {0};

    if (group->created_by != FRAME_NONE || group->count != 1 ||
        group->id_min == 1 || group->locked || group->stack == STACK_OTHER)
        return false;
    stack = symbols_stack(symbols, group->stack);
    return stack.n_frames && !stack.elided &&
           may_be_finalizer(
               symbols_function(symbols, stack.frames[stack.n_frames - 1]));
}

/* The only group of a snapshot that can be the hidden finalizer goroutine, or
 * NULL: where several goroutines lack a creator, or the dump is cut, the text
 * has lost the lines, and where none has one, it never had them. */
static struct joined_group *find_hidden(struct analysis *analysis, size_t index)
{
    const struct cprof_snapshots *all = analysis_snapshots(analysis);
    const struct snapshot *snapshot = all->items[index];
    bool has_creators = false;
    size_t found = SIZE_MAX;

    if (!snapshot_info_get(snapshot)->complete)
        return NULL;
    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
        const struct group *group = snapshot_group(snapshot, i);

        has_creators = has_creators || group->created_by != FRAME_NONE;
        if (shows_runner(all->symbols, group->stack) ||
            group->state == STATE_FINALIZER_WAIT)
            return NULL;
        if (!is_bare(all->symbols, group))
            continue;
        if (found != SIZE_MAX)
            return NULL;
        found = i;
    }
    return found == SIZE_MAX || !has_creators
               ? NULL
               : analysis_find_group(analysis, index, found);
}

void finalizers_find(struct analysis *analysis)
{
    const struct cprof_snapshots *all = analysis_snapshots(analysis);

    for (size_t i = 0; i < analysis_n_groups(analysis); i++) {
        struct joined_group *group = analysis_group(analysis, i);

        if (shows_runner(all->symbols, group->stack))
            group->finalizer = FINALIZER_SEEN;
    }
    for (size_t i = 0; i < all->count; i++) {
        struct joined_group *group = find_hidden(analysis, i);

        if (group)
            group->finalizer = FINALIZER_INFERRED;
    }
}

#include "analysis/waitgroup_sites.h"

#include "analysis/pools.h"
#include "analysis/spots.h"
#include "model/name.h"

static struct stack whole_stack(const struct contention *contention,
                                const struct waiting *waiting)
{
    return symbols_stack(
        contention->symbols,
        snapshot_group(contention->snapshot, waiting->group)->stack);
}

uint32_t waitgroup_cut_off(const struct contention *contention,
                           const struct waiting *waiting)
{
    return spot_cut_off(contention->symbols, waiting->joined,
                        whole_stack(contention, waiting));
}

int64_t waitgroup_place(const struct contention *contention,
                        const struct waiting *waiting)
{
    const struct symbols *symbols = contention->symbols;
    const struct joined_group *joined = waiting->joined;
    struct stack stack = symbols_stack(symbols, joined->stack);
    int64_t owner =
        (int64_t)waiting->site.owner - waitgroup_cut_off(contention, waiting);
    struct str function;

    if (joined->site < 0 || (uint32_t)joined->site >= stack.n_frames)
        return -1;
    if (owner < 0 || owner >= joined->site)
        return joined->site;
    function = symbols_function(symbols, stack.frames[owner]);
    return name_is_std(function) || lock_site_is_wrapper(function)
               ? joined->site
               : owner;
}

/* The function that started a waiting, when all that this does is to wait, in a
 * closure of it, "go func() { wg.Wait(); close(done) }()": it has started those
 * who are waited for as well. Where the dump does not tell who started it, the
 * function around the closure. Empty = none. */
static struct str behind_closure(const struct symbols *symbols,
                                 const struct joined_group *joined,
                                 struct stack stack, uint32_t place)
{
    struct str function = symbols_function(symbols, stack.frames[place]);
    struct str creator;

    if (place != stack_entry(symbols, stack))
        return (struct str){0};
    if (!joined->created_by)
        return closure_parent(function);
    creator = symbols_function(symbols, joined->created_by);
    return closure_is_in(function, creator) ? creator : (struct str){0};
}

struct str waitgroup_behind(const struct contention *contention,
                            const struct waiting *waiting)
{
    int64_t place = waitgroup_place(contention, waiting);

    if (place < 0)
        return (struct str){0};
    return behind_closure(
        contention->symbols, waiting->joined,
        symbols_stack(contention->symbols, waiting->joined->stack),
        (uint32_t)place);
}

struct str waitgroup_function(const struct contention *contention,
                              const struct waiting *waiting)
{
    struct str started = waitgroup_behind(contention, waiting);
    int64_t place = waitgroup_place(contention, waiting);
    struct stack stack;

    if (started.len || place < 0)
        return started;
    stack = symbols_stack(contention->symbols, waiting->joined->stack);
    return symbols_function(contention->symbols, stack.frames[place]);
}

bool waitgroup_is_called(const struct contention *contention,
                         const struct waiting *waiting)
{
    const struct joined_group *joined = waiting->joined;
    struct stack stack = symbols_stack(contention->symbols, joined->stack);

    return waitgroup_place(contention, waiting) <
           (int64_t)stack_entry(contention->symbols, stack);
}

bool waitgroup_is_member_begin(struct str function)
{
    return pool_is_member(function) ||
           str_equal(function, STR("sync.(*WaitGroup).Go.func1"));
}

bool waitgroup_is_foreign(const struct symbols *symbols, struct stack stack)
{
    for (uint32_t i = 0; i < stack.n_frames; i++) {
        struct str function = symbols_function(symbols, stack.frames[i]);

        if (!name_is_std(function) || waitgroup_is_member_begin(function))
            return false;
    }
    return true;
}

bool waitgroup_is_single_flight(struct str function)
{
    return str_equal(name_symbol(function), STR("(*Group).Do")) &&
           str_contains(name_package(function), STR("singleflight"));
}

#include "model/cut.h"

#include "model/name.h"

/* Whether the compiler made a function to call another one, as for "go f(x)":
 * "main.main.gowrap1". Dumps on request leave these out. */
static bool is_wrapper(struct str function)
{
    return name_is_unstable(function) && !name_is_runtime(function);
}

stack_id stack_cut(struct symbols *symbols, stack_id id)
{
    struct stack stack = symbols_stack(symbols, id);
    uint32_t first = 0;
    uint32_t end = stack.n_frames;
    stack_id cut;

    while (end > 0 &&
           name_is_entry(symbols_function(symbols, stack.frames[end - 1])))
        end--;
    while (end > 1 && end < stack.n_frames &&
           is_wrapper(symbols_function(symbols, stack.frames[end - 1])))
        end--;
    while (first < end &&
           name_is_runtime(symbols_function(symbols, stack.frames[first])))
        first++;
    if (first == end || (first == 0 && end == stack.n_frames))
        return id;
    cut = symbols_stack_put(symbols, stack.frames + first, end - first,
                            stack.elided);
    return cut == STACK_OTHER ? id : cut;
}

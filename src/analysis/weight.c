#include "analysis/weight.h"

/* What a function on a stack makes a goroutine hold. */
static const struct {
    struct str prefix;
    double bytes;
} holders[] = {
    {STR_INIT("net/http.(*conn).serve"), 8500},
    {STR_INIT("internal/poll."), 5300},
};

enum { SHALLOW = 10 }; /* frames that fit the first 2 KiB of stack */

static const double shallow_bytes = 2700;
static const double deep_bytes = 5300;

double goroutine_bytes(const struct symbols *symbols, struct stack stack)
{
    double most = stack.n_frames <= SHALLOW ? shallow_bytes : deep_bytes;

    for (uint32_t i = 0; i < stack.n_frames; i++) {
        struct str name = symbols_function(symbols, stack.frames[i]);

        for (size_t k = 0; k < sizeof(holders) / sizeof(holders[0]); k++) {
            if (holders[k].bytes > most && str_starts(name, holders[k].prefix))
                most = holders[k].bytes;
        }
    }
    return most;
}

/* Copying by a stencil, by the functions of the C library. */
#include "unwrap/stencil.h"

#define BYTES_TARGET

/* No branch inside of a block, so that compilers use what vectors they have. */
static inline bool bytes_fit(const struct stencil_side *side, const char *at)
{
    for (size_t i = 0; i < side->n_blocks * STENCIL_BLOCK; i += STENCIL_BLOCK) {
        unsigned odd = 0;

        for (size_t j = i; j < i + STENCIL_BLOCK; j++)
            odd |= (uint8_t)((uint8_t)at[j] - side->low[j]) > side->span[j];
        if (odd)
            return false;
    }
    return true;
}

static inline const char *first(const char *a, const char *b)
{
    return !a || (b && b < a) ? b : a;
}

static inline const char *bytes_copy(const char *at, const char *last,
                                     char *into, bool is_escaped)
{
    size_t n = ((size_t)(last - at) / STENCIL_BLOCK + 1) * STENCIL_BLOCK;
    const char *end = memchr(at, '\n', n);

    n = end ? (size_t)(end - at) : n;
    if (is_escaped) {
        end = first(memchr(at, '"', n), end);
        n = end ? (size_t)(end - at) : n;
        end = first(memchr(at, '\\', n), end);
    }
    if (end)
        memcpy(into, at, (size_t)(end - at));
    return end;
}

#include "unwrap/stencil_run.h"

void stencil_run_plain(const struct stencil *stencil, struct stencil_copy *copy)
{
    run(stencil, copy);
}

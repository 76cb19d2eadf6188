#include "base/pool.h"

#include <string.h>

void pool_init(struct pool *pool, struct budget *budget, size_t element)
{
    *pool = (struct pool){.budget = budget, .element = element};
}

static size_t segment_bytes(const struct pool *pool, unsigned segment)
{
    return ((size_t)POOL_FIRST << segment) * pool->element;
}

void pool_done(struct pool *pool)
{
    for (unsigned i = 0; i < POOL_SEGMENTS; i++)
        budget_free(pool->budget, pool->segments[i], segment_bytes(pool, i));
    pool_init(pool, pool->budget, pool->element);
}

void *pool_add(struct pool *pool)
{
    unsigned long long place = (unsigned long long)pool->count + POOL_FIRST;
    unsigned segment = 63u - (unsigned)__builtin_clzll(place) - POOL_FIRST_BITS;
    void *element;

    if (segment >= POOL_SEGMENTS)
        return NULL;
    if (!pool->segments[segment]) {
        pool->segments[segment] =
            budget_resize(pool->budget, NULL, 0, segment_bytes(pool, segment));
        if (!pool->segments[segment])
            return NULL;
    }
    element = pool_at(pool, pool->count);
    memset(element, 0, pool->element);
    pool->count++;
    return element;
}

#include "base/pool.h"

#include <string.h>

void pool_init(struct pool *pool, struct budget *budget, size_t element)
{
    *pool = (struct pool){.budget = budget, .element = element};
}

static size_t segment_bytes(const struct pool *pool, size_t segment)
{
    size_t n = POOL_FIRST;

    if (segment)
        n = (size_t)(POOL_FIRST / POOL_PARTS) << (segment - 1) / POOL_PARTS;
    return n * pool->element;
}

void pool_done(struct pool *pool)
{
    for (size_t i = 0; i < pool->n_segments; i++)
        budget_free(pool->budget, pool->segments[i], segment_bytes(pool, i));
    budget_free(pool->budget, pool->segments,
                pool->n_segments * sizeof(*pool->segments));
    pool_init(pool, pool->budget, pool->element);
}

/* Room to name one more segment: those of a doubling at once. */
static bool make_room(struct pool *pool)
{
    size_t n = pool->n_segments ? pool->n_segments + POOL_PARTS : 1;
    char **segments = budget_resize(pool->budget, pool->segments,
                                    pool->n_segments * sizeof(*segments),
                                    n * sizeof(*segments));

    if (!segments)
        return false;
    memset(segments + pool->n_segments, 0,
           (n - pool->n_segments) * sizeof(*segments));
    pool->segments = segments;
    pool->n_segments = n;
    return true;
}

void *pool_add(struct pool *pool)
{
    size_t place;
    unsigned segment = pool_segment(pool->count, &place);
    void *element;

    if (segment >= POOL_SEGMENTS)
        return NULL;
    if (segment >= pool->n_segments && !make_room(pool))
        return NULL;
    if (!pool->segments[segment]) {
        pool->segments[segment] =
            budget_resize(pool->budget, NULL, 0, segment_bytes(pool, segment));
        if (!pool->segments[segment])
            return NULL;
    }
    element = pool->segments[segment] + place * pool->element;
    memset(element, 0, pool->element);
    pool->count++;
    return element;
}

/* pool.h - a growing array whose elements never move.
 *
 * Elements of one size live in segments charged to a budget, so that an array
 * of millions grows without a copy and pointers into it stay good. Elements
 * are counted from 0 and are never removed one by one. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/budget.h"

enum { POOL_SEGMENTS = 26 };

struct pool {
    struct budget *budget;
    size_t element; /* bytes of one */
    size_t count;
    char *segments[POOL_SEGMENTS]; /* segment i holds POOL_FIRST << i */
};

enum { POOL_FIRST_BITS = 6, POOL_FIRST = 1 << POOL_FIRST_BITS };

/* An empty pool of elements of the given size in bytes. */
void pool_init(struct pool *pool, struct budget *budget, size_t element);

/* Frees all elements. */
void pool_done(struct pool *pool);

/* A new, cleared element at index pool->count - 1; NULL when the budget, the
 * system or the pool (some four thousand million) has no more. */
void *pool_add(struct pool *pool);

/* The element at index, which must be below count. */
static inline void *pool_at(const struct pool *pool, size_t index)
{
    unsigned long long place = (unsigned long long)index + POOL_FIRST;
    unsigned bit = 63u - (unsigned)__builtin_clzll(place);
    size_t offset = (size_t)(place - (1ull << bit));

    return pool->segments[bit - POOL_FIRST_BITS] + offset * pool->element;
}

#endif

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

/* The first POOL_FIRST elements are in one segment. From then on, each time
 * that the pool doubles it does so in POOL_PARTS segments: what is held is
 * never much more than what is used. */
enum {
    POOL_FIRST_BITS = 3,
    POOL_FIRST = 1 << POOL_FIRST_BITS,
    POOL_PART_BITS = 3,
    POOL_PARTS = 1 << POOL_PART_BITS,
    POOL_SEGMENTS = 1 + (32 - POOL_FIRST_BITS) * POOL_PARTS,
};

struct pool {
    struct budget *budget;
    size_t element; /* bytes of one */
    size_t count;
    char **segments;
    size_t n_segments; /* room for so many */
};

/* An empty pool of elements of the given size in bytes. */
void pool_init(struct pool *pool, struct budget *budget, size_t element);

/* Frees all elements. */
void pool_done(struct pool *pool);

/* A new, cleared element at index pool->count - 1; NULL when the budget, the
 * system or the pool (some four thousand million) has no more. */
void *pool_add(struct pool *pool);

/* The segment of the element at index, and its place there. */
static inline unsigned pool_segment(size_t index, size_t *ret_place)
{
    unsigned bit;
    unsigned part;

    if (index < POOL_FIRST) {
        *ret_place = index;
        return 0;
    }
    bit = 63u - (unsigned)__builtin_clzll(index);
    part = (unsigned)(index >> (bit - POOL_PART_BITS)) & (POOL_PARTS - 1u);
    *ret_place = index & (((size_t)1 << (bit - POOL_PART_BITS)) - 1);
    return 1 + (bit - POOL_FIRST_BITS) * POOL_PARTS + part;
}

/* The element at index, which must be below count. */
static inline void *pool_at(const struct pool *pool, size_t index)
{
    size_t place;
    unsigned segment = pool_segment(index, &place);

    return pool->segments[segment] + place * pool->element;
}

#endif

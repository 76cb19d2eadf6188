#include "analysis/most_waited.h"

#include <stdlib.h>
#include <string.h>

static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_places(const void *a, const void *b)
{
    const struct lock_waiters *left = a;
    const struct lock_waiters *right = b;

    if (left->address != right->address)
        return compare_u64(left->address, right->address);
    if (left->group != right->group)
        return compare_u64(left->group, right->group);
    return compare_u64(left->known, right->known);
}

static int compare_counts(const void *a, const void *b)
{
    const struct lock_waiters *left = a;
    const struct lock_waiters *right = b;

    if (left->count != right->count)
        return compare_u64(right->count, left->count);
    if (left->address != right->address)
        return compare_u64(id_sample_hash(left->address),
                           id_sample_hash(right->address));
    return compare_places(a, b);
}

const struct lock_waiters *most_waited(struct arena *arena,
                                       const struct lock_waiters *waiters,
                                       size_t *n)
{
    struct lock_waiters *sorted;

    if (*n <= MOST_WAITED)
        return waiters;
    sorted = arena_take(arena, *n * sizeof(*sorted));
    if (!sorted)
        return NULL;
    memcpy(sorted, waiters, *n * sizeof(*sorted));
    qsort(sorted, *n, sizeof(*sorted), compare_counts);
    *n = MOST_WAITED;
    qsort(sorted, *n, sizeof(*sorted), compare_places);
    return sorted;
}

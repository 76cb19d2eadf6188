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

static void swap(struct lock_waiters *a, struct lock_waiters *b)
{
    struct lock_waiters kept = *a;

    *a = *b;
    *b = kept;
}

/* Moves what comes before the item in the middle to its left, and returns where
 * that item stands then. */
static size_t divide(struct lock_waiters *items, size_t n)
{
    size_t to = 0;

    swap(&items[n / 2], &items[n - 1]);
    for (size_t i = 0; i + 1 < n; i++) {
        if (compare_counts(&items[i], &items[n - 1]) < 0)
            swap(&items[i], &items[to++]);
    }
    swap(&items[to], &items[n - 1]);
    return to;
}

/* The item that would stand at an index if all were in order of compare_counts.
 * No two are equal. The time grows with n, also when somebody chose addresses
 * whose middle always is a bad choice: then what is left is sorted. */
static struct lock_waiters select_item(struct lock_waiters *items, size_t n,
                                       size_t index)
{
    enum { ROUNDS_MOST = 48 };

    for (unsigned round = 0; n > 1; round++) {
        size_t at;

        if (round == ROUNDS_MOST) {
            qsort(items, n, sizeof(*items), compare_counts);
            break;
        }
        at = divide(items, n);
        if (at == index)
            break;
        if (index < at) {
            n = at;
        } else {
            items += at + 1;
            n -= at + 1;
            index -= at + 1;
        }
    }
    return items[index];
}

/* Finds the item that comes last of those that are looked at. False without
 * memory for a copy to move around. */
static bool find_last(struct budget *budget, const struct lock_waiters *waiters,
                      size_t n, struct lock_waiters *ret)
{
    size_t size = n * sizeof(*ret);
    struct lock_waiters *items = budget_resize(budget, NULL, 0, size);

    if (!items)
        return false;
    memcpy(items, waiters, size);
    *ret = select_item(items, n, MOST_WAITED - 1);
    budget_free(budget, items, size);
    return true;
}

const struct lock_waiters *most_waited(struct arena *arena,
                                       const struct lock_waiters *waiters,
                                       size_t *n)
{
    struct lock_waiters *found;
    struct lock_waiters last;
    size_t count = 0;

    if (*n <= MOST_WAITED)
        return waiters;
    found = arena_take(arena, MOST_WAITED * sizeof(*found));
    if (!found || !find_last(arena->budget, waiters, *n, &last))
        return NULL;
    for (size_t i = 0; i < *n; i++) {
        if (compare_counts(&waiters[i], &last) <= 0)
            found[count++] = waiters[i];
    }
    *n = count;
    return found;
}

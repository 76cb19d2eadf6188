#include "analysis/most_waited.h"

#include <stdlib.h>

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

/* Where waiters stand among all: those of many come first, then those whose
 * address has a small hash. Waiters for one lock may stand at one place. */
static uint64_t place_of(const struct lock_waiters *waiters)
{
    enum { COUNT_MOST = UINT16_MAX, HASH_BITS = 48 };
    uint64_t count =
        waiters->count < COUNT_MOST ? waiters->count : (uint64_t)COUNT_MOST;

    return (COUNT_MOST - count) << HASH_BITS |
           id_sample_hash(waiters->address) >> (64 - HASH_BITS);
}

static int compare_numbers(const void *a, const void *b)
{
    return compare_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

static void swap(uint64_t *a, uint64_t *b)
{
    uint64_t kept = *a;

    *a = *b;
    *b = kept;
}

/* Moves what is smaller than the number in the middle to its left, and returns
 * where that number stands then. */
static size_t divide(uint64_t *numbers, size_t n)
{
    size_t to = 0;

    swap(&numbers[n / 2], &numbers[n - 1]);
    for (size_t i = 0; i + 1 < n; i++) {
        uint64_t number = numbers[i];

        /* Which it is cannot be foreseen: no branch depends on it. */
        numbers[i] = numbers[to];
        numbers[to] = number;
        to += number < numbers[n - 1];
    }
    swap(&numbers[to], &numbers[n - 1]);
    return to;
}

/* The number that would stand at an index if all were in order. The time grows
 * with n, also when somebody chose addresses whose middle always is a bad
 * choice, or the same number stands everywhere: then what is left is sorted. */
static uint64_t select_number(uint64_t *numbers, size_t n, size_t index)
{
    enum { ROUNDS_MOST = 48 };

    for (unsigned round = 0; n > 1; round++) {
        size_t at;

        if (round == ROUNDS_MOST) {
            qsort(numbers, n, sizeof(*numbers), compare_numbers);
            break;
        }
        at = divide(numbers, n);
        if (at == index)
            break;
        if (index < at) {
            n = at;
        } else {
            numbers += at + 1;
            n -= at + 1;
            index -= at + 1;
        }
    }
    return numbers[index];
}

/* Finds the place of the last that are chosen. False without memory. */
static bool find_last(const struct pool *waiters, uint64_t *ret)
{
    size_t n = waiters->count;
    uint64_t *places =
        budget_resize(waiters->budget, NULL, 0, n * sizeof(*places));

    if (!places)
        return false;
    for (size_t i = 0; i < n; i++)
        places[i] = place_of(pool_at(waiters, i));
    *ret = select_number(places, n, MOST_WAITED - 1);
    budget_free(waiters->budget, places, n * sizeof(*places));
    return true;
}

/* Collects those at a place before the last, or at the last itself; returns how
 * many. */
static size_t collect(const struct pool *waiters, uint64_t last, bool at_last,
                      struct lock_waiters *ret)
{
    size_t n = 0;

    for (size_t i = 0; i < waiters->count; i++) {
        const struct lock_waiters *item = pool_at(waiters, i);
        uint64_t place = place_of(item);

        if (at_last ? place == last : place < last)
            ret[n++] = *item;
    }
    return n;
}

static size_t count_at(const struct pool *waiters, uint64_t last)
{
    size_t n = 0;

    for (size_t i = 0; i < waiters->count; i++)
        n += place_of(pool_at(waiters, i)) == last;
    return n;
}

/* Chooses MOST_WAITED of more; 0 without memory. */
static size_t choose(const struct pool *waiters, struct arena *arena,
                     struct lock_waiters **ret)
{
    struct lock_waiters *chosen;
    uint64_t last;
    size_t n;

    if (!find_last(waiters, &last))
        return 0;
    chosen = arena_take(arena, (MOST_WAITED + count_at(waiters, last)) *
                                   sizeof(*chosen));
    if (!chosen)
        return 0;
    n = collect(waiters, last, false, chosen);
    qsort(chosen + n, collect(waiters, last, true, chosen + n), sizeof(*chosen),
          compare_places);
    *ret = chosen;
    return MOST_WAITED;
}

const struct lock_waiters *most_waited(struct arena *arena,
                                       const struct pool *waiters, size_t *ret)
{
    struct lock_waiters *chosen;
    size_t n = waiters->count;

    *ret = n < MOST_WAITED ? n : MOST_WAITED;
    if (n <= MOST_WAITED) {
        chosen = arena_take(arena, n * sizeof(*chosen));
        for (size_t i = 0; chosen && i < n; i++)
            chosen[i] = *(const struct lock_waiters *)pool_at(waiters, i);
    } else {
        chosen = NULL;
        choose(waiters, arena, &chosen);
    }
    if (chosen)
        qsort(chosen, *ret, sizeof(*chosen), compare_places);
    return chosen;
}

#include "analysis/stuck.h"

#include <math.h>

/* What must come or go elsewhere, of all goroutines, for a process to move. */
static const double moves_share = 0.02;

enum {
    STANDS_LEAST = 50, /* goroutines that came to stay */
    STANDS_TIMES = 10, /* so many times what there was before */
    STANDS_MOMENTS = 6,
};
static const double stands_hours = 1;
static const double stands_share = 0.9; /* of the count before, at least: some
                                           come and go beside those who stay */

bool stuck_holds(const double *counts, size_t n)
{
    if (n < STUCK_MOMENTS)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (counts[i] < STUCK_LEAST || (i && counts[i] < counts[i - 1]))
            return false;
    }
    return true;
}

/* Where the counts at the end are many, none of which is clearly less than the
 * one before it. */
static size_t stand_begin(const double *counts, size_t n)
{
    size_t first = n - 1;

    while (first > 0 && counts[first - 1] >= STANDS_LEAST &&
           counts[first - 1] * stands_share <= counts[first])
        first--;
    return first;
}

static double least_of(const double *counts, size_t n)
{
    double least = counts[0];

    for (size_t i = 1; i < n; i++)
        least = fmin(least, counts[i]);
    return least;
}

bool stuck_stands(const double *times, const double *counts, size_t n,
                  struct stuck_step *ret)
{
    size_t first = n ? stand_begin(counts, n) : 0;
    double before = 0;

    if (first < STANDS_MOMENTS || n - first < STANDS_MOMENTS ||
        counts[n - 1] < STANDS_LEAST ||
        times[n - 1] - times[first] <= stands_hours ||
        times[first] - times[0] < stands_hours)
        return false;
    for (size_t i = 0; i < first; i++)
        before = fmax(before, counts[i]);
    *ret = (struct stuck_step){first, before};
    return least_of(counts + first, n - first) >= before * STANDS_TIMES;
}

static double moved_at(const double *counts, size_t n)
{
    double moved = 0;

    for (size_t i = 1; i < n; i++)
        moved += fabs(counts[i] - counts[i - 1]);
    return moved;
}

struct stuck_moves stuck_moves_of(const double *counts, size_t n,
                                  size_t n_places)
{
    struct stuck_moves moves = {0};

    for (size_t place = 0; place < n_places; place++) {
        const double *at = counts + place * n;

        moves.moved += moved_at(at, n);
        for (size_t i = 0; i < n; i++)
            moves.all += at[i] / (double)n;
    }
    return moves;
}

bool stuck_moves_elsewhere(const struct stuck_moves *moves,
                           const double *counts, size_t n)
{
    double moved = moves->moved - moved_at(counts, n);

    return moved >= 2 && moved >= moves->all * moves_share;
}

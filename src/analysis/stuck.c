#include "analysis/stuck.h"

#include <math.h>

/* What must come or go elsewhere, of all goroutines, for a process to move. */
static const double moves_share = 0.02;

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

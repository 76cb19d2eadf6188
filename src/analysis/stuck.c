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

bool stuck_moves_elsewhere(const double *counts, size_t n, size_t n_places,
                           size_t without)
{
    double moved = 0;
    double all = 0;

    for (size_t place = 0; place < n_places; place++) {
        const double *at = counts + place * n;

        for (size_t i = 0; i < n; i++) {
            all += at[i] / (double)n;
            if (i && place != without)
                moved += fabs(at[i] - at[i - 1]);
        }
    }
    return moved >= 2 && moved >= all * moves_share;
}

/* growth.h - what several moments of a process say about a group.
 *
 * A comparison of snapshots over time fills this in for each joined group
 * (joined_group.growth). One moment says nothing of the kind: the pointer is
 * NULL then, and no bound on growth can be reached. */
#ifndef ANALYSIS_GROWTH_H
#define ANALYSIS_GROWTH_H

#include <stdbool.h>

/* How sure it is that a group grows. */
enum growth_confidence {
    GROWTH_NONE = -1, /* it does not, as far as can be seen */
    GROWTH_LOW,
    GROWTH_MEDIUM,
    GROWTH_HIGH,
};

struct site_growth;

struct group_growth {
    const struct site_growth *site; /* what its place does (growth_sites.h) */
    enum growth_confidence confidence;
    bool has_slope;     /* the times of the moments are known */
    bool has_survivors; /* goroutine ids are known at both ends */
    double slope;       /* goroutines an hour */
    double survivors;   /* of the goroutines of the first moment, the share that
                         is still there in the last; 0 to 1 */
};

#endif

/* trend.h - whether one series of counts grows, and how sure that is.
 *
 * The judgement of one group of goroutines over the snapshots of one process.
 * It knows numbers only: what waits where, and how bad growth is there, others
 * decide. docs/growth.md tells the method and what it was measured to do. */
#ifndef ANALYSIS_TREND_H
#define ANALYSIS_TREND_H

#include "analysis/series.h"

enum {
    TREND_FEW = 3,    /* snapshots before anything may be called growing */
    TREND_WHOLE = 5,  /* snapshots before the whole test can hold */
    TREND_FLOOR = 10, /* goroutines: a smaller rise is not judged */
    TREND_PAIR = 50,  /* the same for two snapshots, which prove little */
};

/* What a series does. */
enum trend_verdict {
    TREND_STABLE,
    TREND_GREW,    /* more than chance from the first to the last */
    TREND_GROWING, /* over several snapshots, and still at the end */
    TREND_PLATEAU, /* rose, and then no more: warm-up, a pool */
    TREND_SHRANK,
};

/* A series as the judge sees it. Times are in any unit and never fall; load
 * is how busy the process was at each of them (load.h), or NULL. */
struct trend_series {
    const double *times;
    const double *counts;
    const double *load;
    size_t n; /* at most SERIES_MOST */
};

struct trend {
    enum trend_verdict verdict;
    bool is_whole;     /* growing, by the whole test */
    double before;     /* the first count */
    double after;      /* the last one */
    double p;          /* of the test that decided; 1 when none was made */
    struct slope rate; /* of the counts, per unit of time; 0 of one point */
};

/* Judges a series of one point or more. */
struct trend trend_judge(const struct trend_series *series,
                         struct series_scratch *scratch);

#endif

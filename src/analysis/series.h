/* series.h - statistics of one short series of counts over time.
 *
 * Plain functions over arrays of doubles: which way a series goes (Kendall),
 * how fast (Theil and Sen), and how much its noise follows itself. They take
 * their scratch memory from the caller and cannot fail. A series has at most
 * SERIES_MOST points; longer ones are thinned before (series_thin). */
#ifndef ANALYSIS_SERIES_H
#define ANALYSIS_SERIES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SERIES_MOST = 288,
    SERIES_PAIRS = SERIES_MOST * (SERIES_MOST - 1) / 2,
};

/* Mann and Kendall's test: do later values tend to be larger? */
struct kendall {
    size_t n;
    double s;        /* pairs that rise minus pairs that fall */
    double pairs;    /* pairs that do either */
    double variance; /* of s if nothing goes on, ties taken off */
    double tau;      /* s by its largest possible value, -1 to 1 */
    double p_rising; /* how often chance alone reaches s, 0 to 1 */
};

/* The slope of Theil and Sen: the median of the slopes of all pairs. */
struct slope {
    double median; /* counts per unit of time */
    double low;    /* the bounds of an interval of 90 % */
    double high;
};

/* Memory that the calls below work in; its contents mean nothing between
 * them. */
struct series_scratch {
    double values[SERIES_PAIRS];
};

/* How many values the first third of n is, at least 2. */
size_t series_third(size_t n);

/* The median of n values, 0 of none; n is at most SERIES_PAIRS. */
double series_median(const double *values, size_t n,
                     struct series_scratch *scratch);

/* Tests n values, at most SERIES_MOST. The chance is exact, ties included,
 * for up to 20 values, and taken from the normal distribution beyond.
 * Inflation is what the variance is multiplied by, 1 when values do not follow
 * those before; any other excludes the exact way. */
struct kendall series_kendall(const double *values, size_t n, double inflation);

/* The slope of n values, at most SERIES_MOST, at times that never fall. Pairs
 * at one time are left out. */
struct slope series_slope(const double *times, const double *values, size_t n,
                          struct series_scratch *scratch);

/* How much each of n values follows the one before: the autocorrelation at lag
 * one of what a line through them leaves over, -1 to 1. */
double series_autocorrelation(const double *times, const double *values,
                              size_t n, double slope,
                              struct series_scratch *scratch);

/* Replaces n points by at most SERIES_MOST: the medians of blocks of equal
 * time, each at the mean time of its points. Returns how many are left; the
 * arrays are overwritten. */
size_t series_thin(double *times, double *values, size_t n,
                   struct series_scratch *scratch);

#endif

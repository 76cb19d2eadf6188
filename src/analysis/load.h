/* load.h - how busy a process was at each of several snapshots.
 *
 * A group that doubles while everything doubles shows traffic. The load is the
 * median over the groups of count by usual count: no single group moves it,
 * leaking or not. The more goroutines a group has the less it is moved by
 * chance, so it weighs more (the root of its count, up to a limit).
 *
 * Groups whose counts always have the same ratio, closer than chance would have
 * it, are one thing, such as the five goroutines of each client that somebody
 * forgot to close: they have one vote together, and say nothing of each
 * other. */
#ifndef ANALYSIS_LOAD_H
#define ANALYSIS_LOAD_H

#include "analysis/series.h"

enum {
    LOAD_LEAST = 4, /* groups that must be there to tell */
    LOAD_MOST = 32, /* groups that are asked, the largest */
};

/* The groups that are asked. */
struct load {
    const double *counts[LOAD_MOST]; /* the caller's, n each */
    double usual[LOAD_MOST];         /* median count, never 0 */
    size_t leader[LOAD_MOST];        /* the first group that is one with it */
    size_t n_groups;
    size_t n; /* snapshots, at most SERIES_MOST */
};

/* An empty set for n snapshots. */
void load_init(struct load *load, size_t n);

/* Offers the counts of a group, which must outlive the load. Kept when it
 * usually has ten goroutines or more and is among the LOAD_MOST largest. */
void load_add(struct load *load, const double *counts,
              struct series_scratch *scratch);

/* Ends adding. */
void load_seal(struct load *load);

/* Whether a group is among those that are asked, so that the load without it is
 * not that of all. */
bool load_asks(const struct load *load, const double *counts);

/* Stores the load at each snapshot, 1 being that of the first third of them,
 * as the groups other than the one with these counts show it (NULL: all). At
 * least 0.05. False, and nothing is stored, when too few groups are there. */
bool load_get(const struct load *load, const double *without, double *ret,
              struct series_scratch *scratch);

/* Takes the load out of counts: stores them as they had been at load 1. How
 * much of the counts follows the load is fitted beside growth that may end; of
 * what can be believed of it, it takes what leaves the least growth. */
void load_remove(const double *times, const double *counts, const double *load,
                 size_t n, double *ret, struct series_scratch *scratch);

#endif

/* stuck.h - many goroutines that never leave while others come and go.
 *
 * Counts only: what they wait for, and whether ids agree, others know. */
#ifndef ANALYSIS_STUCK_H
#define ANALYSIS_STUCK_H

#include <stdbool.h>
#include <stddef.h>

enum {
    STUCK_LEAST = 10,  /* goroutines */
    STUCK_MOMENTS = 5, /* snapshots over which none may leave */
};

/* Whether n counts of a place are those of goroutines of whom none ever
 * left. */
bool stuck_holds(const double *counts, size_t n);

/* Goroutines that came to a place that had few until then, and are no fewer
 * since. */
struct stuck_step {
    size_t first;  /* the moment from which on they stand there */
    double before; /* the most that the place ever had until then */
};

/* Whether the end of n counts, at times in hours, is such a step: fifty or
 * more, ten times of all that an hour and more showed before, for more than an
 * hour. Nothing else has to move: a service may hang as a whole. */
bool stuck_stands(const double *times, const double *counts, size_t n,
                  struct stuck_step *ret);

/* What comes and goes in a process. */
struct stuck_moves {
    double moved; /* goroutines, from one snapshot to the next, in all */
    double all;   /* goroutines of a snapshot, on average */
};

/* Adds up n counts of each of n_places, one place after the other. */
struct stuck_moves stuck_moves_of(const double *counts, size_t n,
                                  size_t n_places);

/* Whether goroutines come and go at other places of the process than the one
 * with these n counts, which are among those added up. Where nothing moves,
 * nothing is to be learnt from what does not. */
bool stuck_moves_elsewhere(const struct stuck_moves *moves,
                           const double *counts, size_t n);

#endif

/* crossing.h - two locks of an object that are taken in different order.
 *
 * Who waits in a method of an object for one of its locks may have another of
 * them, or not: its arguments are the same. When what it waits for is held by
 * somebody who waits for that other one, two takings in different order are the
 * likely reason. */
#ifndef ANALYSIS_CROSSING_H
#define ANALYSIS_CROSSING_H

#include "analysis/contention.h"

/* Remembers one that has the object of a lock at hand, and waits for another
 * lock of it, if that is surer than what best has; score 0 = nothing. */
void crossing_note(struct holder *best, const struct holder *holder);

/* Adds that one to the holders of the lock when what it waits for is held by a
 * waiter of the lock. All holders were settled before (certainty.h). */
void crossing_settle(const struct contention *contention,
                     const struct lock *lock, const struct holder *best);

/* Where two variables stand together, goroutines have waited for either for
 * minutes, and nobody probably holds them: takes those that wait for the one
 * for holders of the other, as two functions that take both in different order
 * do. It is never sure. */
void crossing_pairs(const struct contention *contention);

#endif

/* cycles.h - goroutines that wait for each other in a circle.
 *
 * Each lock points to its probable holder, and that one to the lock it waits
 * for itself. A circle of such steps is a deadlock, as sure as its weakest
 * step. A goroutine that holds a lock and waits for a channel closes a circle
 * too, when the other side of the channel waits for the lock: that is told
 * from who started whom, or guessed, and then only with low certainty. */
#ifndef ANALYSIS_CYCLES_H
#define ANALYSIS_CYCLES_H

#include "analysis/contention.h"

enum { CYCLES_MOST = 64, CYCLE_LINKS_MOST = 64 };

/* Finds circles among the locks of a snapshot, whose holders are known, and
 * appends them to cycles, which holds CYCLES_MOST at most. False when memory
 * ran out. */
bool cycles_find(const struct contention *contention, struct wait_cycle *cycles,
                 size_t *n_cycles);

#endif

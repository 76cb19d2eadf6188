/* crowds.h - lines that no lock of an object is held at.
 *
 * One goroutine holds a sync.Mutex. Where two stand on one line of a method, in
 * the same object, this line is not one at which the object's mutex is held:
 * before it is taken, or behind where it was given back. */
#ifndef ANALYSIS_CROWDS_H
#define ANALYSIS_CROWDS_H

#include "analysis/spots.h"

/* Whether there is such a crowd at each frame, by frame_id. is_apart is that of
 * each scope (object_gaps.h): locks of other objects are as many as these.
 * NULL without memory. */
bool *crowds_find(const struct spot_map *map, const bool *is_apart);

/* Whether a candidate is several goroutines that stand somewhere near, in one
 * function of no object, and wait for no lock: a mutex lets in one. Of methods
 * each may be of another object, and so may who is behind the line. */
bool crowds_is_one(const struct contention *contention, const struct lock *lock,
                   const struct holder *holder);

#endif

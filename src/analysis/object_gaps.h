/* object_gaps.h - how far objects of one type stand apart. */
#ifndef ANALYSIS_OBJECT_GAPS_H
#define ANALYSIS_OBJECT_GAPS_H

#include "analysis/spots.h"

/* The least distance between the receivers that kept goroutines surely pass in
 * each scope of the map, 0 = unknown. Objects of one type are as far apart as
 * they are large, or further: a lock further behind an object is in another
 * one. NULL when memory ran out. */
uint64_t *gaps_find(const struct spot_map *map);

/* In which scopes of the map the lock is not in the object that methods are
 * called on, as waiters show: it is reached through a map or a pointer. NULL
 * when memory ran out. */
bool *apart_find(const struct spot_map *map);

#endif

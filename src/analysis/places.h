/* places.h - who holds the places that others queue for.
 *
 * A buffered channel is often a semaphore: who sends takes a place, and gives
 * it back later. Its holders stand behind the send in the same function, in
 * what that calls, or in the closures that it starts. Pools of libraries have
 * a table: who waits for a connection, and who has one, by their functions.
 * No addresses are needed, so that all formats tell it. */
#ifndef ANALYSIS_PLACES_H
#define ANALYSIS_PLACES_H

#include "analysis/analysis.h"

/* Sets holding of the joined groups that queue for a place and have none yet.
 * False when memory ran out. */
bool places_find(struct analysis *analysis);

#endif

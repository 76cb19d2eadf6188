/* rivals.h - who else may hold what others wait for.
 *
 * That a goroutine is behind the line where others take a lock does not say
 * that it still has it: it may have passed an Unlock, which no dump shows. Most
 * locks are fields with a small letter, so whoever holds one is in a function
 * of the package that declares it. Where somebody else there is in the middle
 * of something, that one may hold it as well. */
#ifndef ANALYSIS_RIVALS_H
#define ANALYSIS_RIVALS_H

#include "analysis/contention.h"

/* Lowers how sure the holders of all locks of a snapshot are where somebody
 * else may hold the lock. Nobody is certain then. Who waits for a lock himself,
 * and has not done so for a minute or more, is only possible: of a program that
 * is busy, locks are given back soon. False when memory ran out. */
bool rivals_find(const struct contention *contention, struct analysis *analysis,
                 size_t snapshot);

#endif

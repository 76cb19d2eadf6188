/* certainty.h - how sure it is that those found for a lock hold it.
 *
 * Their scores only order them (holders.c); what can be told of them depends on
 * the kind of evidence, and on who else may hold the lock. */
#ifndef ANALYSIS_CERTAINTY_H
#define ANALYSIS_CERTAINTY_H

#include "analysis/contention.h"

/* Whether one that does not wait for the lock, and is in the middle of
 * something, may hold it. */
bool certainty_is_busy(const struct holding *holding);

/* Sets how sure each holder of a lock is, of which there are some, and counts
 * those that are as likely as the best. */
void certainty_settle(const struct contention *contention,
                      const struct lock *lock);

#endif

/* past_calls.h - who has gone on behind a call of a function that waits.
 *
 * A semaphore mostly has a method that takes a place and returns: then nobody
 * ever stands behind its send. Who has a place stands behind the call of that
 * method, in a function where others wait in theirs, or in a closure of such a
 * function. Whether the method returns with a place, or hands something to a
 * queue, is not seen. */
#ifndef ANALYSIS_PAST_CALLS_H
#define ANALYSIS_PAST_CALLS_H

#include "analysis/origins.h"

/* Adds to the holdings of n queues those behind a call of the function where
 * they wait. scratch is for the time of the call. False when memory ran out. */
bool past_calls_find(struct analysis *analysis, struct arena *scratch,
                     const struct origin *queues, size_t n);

#endif

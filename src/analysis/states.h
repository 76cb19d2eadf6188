/* states.h - the wait state of every group, from whatever tells it.
 *
 * A debug=2 header says the state; Go before 1.20 says "semacquire" for every
 * lock, which the frames lift to today's words. debug=1 says no state: the
 * visible frames or the hidden runtime addresses tell it (address_table.c
 * has the table of observations). */
#ifndef ANALYSIS_STATES_H
#define ANALYSIS_STATES_H

#include "model/snapshot.h"

/* Sets state and state_source of every group of a snapshot, once: a second call
 * changes nothing. Groups stay as they are otherwise; equal ones are joined by
 * the caller afterwards. */
void states_infer(struct snapshot *snapshot);

#endif

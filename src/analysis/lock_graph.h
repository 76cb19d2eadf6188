/* lock_graph.h - the locks of all judged dumps, their holders and circles,
 * brought to the groups that wait. */
#ifndef ANALYSIS_LOCK_GRAPH_H
#define ANALYSIS_LOCK_GRAPH_H

#include "analysis/analysis.h"

/* Sets holding and n_holdings of the joined groups, and appends the circles to
 * cycles, which holds CYCLES_MOST. What memory does not suffice for is left
 * out; then it is false. */
bool lock_graph_find(struct analysis *analysis, struct wait_cycle *cycles,
                     size_t *n_cycles);

/* Sorts n circles, the surest first, and sets cycle of the joined groups. */
void lock_graph_settle(struct analysis *analysis, struct wait_cycle *cycles,
                       size_t n);

#endif

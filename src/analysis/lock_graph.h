/* lock_graph.h - the locks of all judged dumps, their holders and circles,
 * brought to the groups that wait. */
#ifndef ANALYSIS_LOCK_GRAPH_H
#define ANALYSIS_LOCK_GRAPH_H

#include "analysis/analysis.h"

/* Sets holding, n_holdings and cycle of the joined groups, and returns the
 * circles, *ret_count of them. What memory does not suffice for is left out;
 * then *ret_whole is false. */
const struct wait_cycle *lock_graph_find(struct analysis *analysis,
                                         size_t *ret_count, bool *ret_whole);

#endif

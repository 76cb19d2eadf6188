/* instances.h - which snapshots are judged.
 *
 * Several inputs are instances of one service and are added up; several dumps
 * in one input are moments, of which the last complete one counts. Inputs that
 * are plainly one process are never added up. */
#ifndef ANALYSIS_INSTANCES_H
#define ANALYSIS_INSTANCES_H

#include "analysis/families.h"

/* Sets judged[i] for each snapshot of the collection, whose states are known:
 * of each input one of each family. Adds diagnostics for what is left out.
 * False without memory. */
bool instances_choose(struct cprof_snapshots *snapshots,
                      const struct families *families, bool *judged);

#endif

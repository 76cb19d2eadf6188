/* instances.h - which snapshots are judged.
 *
 * Several inputs are instances of one service and are added up; several dumps
 * in one input are moments, of which the last complete one counts. Inputs that
 * are plainly one process are never added up. */
#ifndef ANALYSIS_INSTANCES_H
#define ANALYSIS_INSTANCES_H

#include "analysis/families.h"
#include "analysis/instance_numbers.h"

/* Sets judged[i] for each snapshot of the collection, whose states are known:
 * of each input one of each family. Adds diagnostics for what is left out.
 * False without memory. */
bool instances_choose(struct cprof_snapshots *snapshots,
                      const struct families *families, bool *judged);

/* The same for a series: of each instance one of each kind of profile, the last
 * complete one, else the last. What is needed meanwhile is taken from arena.
 * False without memory. */
bool instances_choose_last(const struct cprof_snapshots *snapshots,
                           const struct instance_numbers *numbers,
                           struct arena *arena, bool *judged);

#endif

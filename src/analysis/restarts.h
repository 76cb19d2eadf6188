/* restarts.h - where a series of snapshots stops being of one process. */
#ifndef ANALYSIS_RESTARTS_H
#define ANALYSIS_RESTARTS_H

#include "analysis/moments.h"

/* The index of the moment at which the last process of a series begins, 0 when
 * nothing tells that it restarted. Go numbers goroutines from 1 in each process
 * (runtime/proc.go, newproc1), so the largest id cannot fall to less than half
 * while one lives; its code does not move, so the runtime's calls keep their
 * addresses (debug=1), as does what its connections wait at (debug=2); and its
 * Go version stays, as does the folder that main.main was compiled in. Each
 * restart becomes a diagnostic. A total that falls by half, or ids that only
 * fall a little, are said to be a possible restart and end nothing: traffic
 * does that too. */
size_t restarts_find(struct cprof_snapshots *snapshots,
                     const struct moments *series);

/* Why two snapshots, the second taken later, cannot be of one process, as the
 * diagnostic says it ("goroutine ids begin anew"); NULL when nothing speaks
 * against it. */
const char *restart_between(const struct snapshot *before,
                            const struct snapshot *after);

#endif

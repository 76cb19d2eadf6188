/* limits.h - what the forms of a dump cannot hold, or must. */
#ifndef ANALYSIS_LIMITS_H
#define ANALYSIS_LIMITS_H

#include "model/collection.h"

/* Says in a diagnostic of each judged dump how many of its stacks were cut by
 * the depth limit of profiles (runtime/mprof.go: maxProfStackDepth): 32
 * addresses before Go 1.23, 128 since. A dump without any goroutine becomes
 * incomplete. */
void limits_say(struct cprof_snapshots *snapshots, const bool *judged);

#endif

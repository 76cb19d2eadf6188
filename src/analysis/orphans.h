/* orphans.h - locks for which nobody was found, and who is left over.
 *
 * Of a lock that is a variable of a package, or of a function, arguments tell
 * nothing. A few things still do: an RWMutex whose writer waits for readers has
 * a reader; and when of all goroutines in the file of those that wait only one
 * could hold the lock, it is that one; failing that, the only one that is in
 * the middle of something (sleeps, sends, does I/O) while the others idle. All
 * are weak, and said to be. */
#ifndef ANALYSIS_ORPHANS_H
#define ANALYSIS_ORPHANS_H

#include "analysis/contention.h"

/* Looks for holders of the locks that have none, when they are few enough for
 * this kind of reasoning. False when memory ran out. */
bool orphans_find(const struct contention *contention,
                  struct analysis *analysis, size_t snapshot);

#endif

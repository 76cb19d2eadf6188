/* stranded.h - locks that nobody is left to unlock.
 *
 * Who holds a lock cannot always be told, but it is one of the goroutines that
 * there are, unless it left without unlocking. When all that run code of the
 * program wait for locks themselves, none of them ever gives one back. The
 * runtime says so only where every goroutine of the process is asleep
 * (runtime/proc.go: checkdead), which one that listens for connections is not.
 */
#ifndef ANALYSIS_STRANDED_H
#define ANALYSIS_STRANDED_H

#include "analysis/contention.h"

/* Marks the locks of a snapshot that nobody is left to unlock; their holders
 * were looked for. Only a dump with the states of all goroutines shows that:
 * who has just been woken looks like one who waits. */
void stranded_find(const struct contention *contention);

#endif

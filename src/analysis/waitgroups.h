/* waitgroups.h - for whom those wait who wait for a WaitGroup.
 *
 * A WaitGroup does not say who has not called Done yet. Those are mostly
 * closures of the function that waits, or what it started. Where several wait
 * for what one of them does, it is who went past the Wait in the same method of
 * the same object. */
#ifndef ANALYSIS_WAITGROUPS_H
#define ANALYSIS_WAITGROUPS_H

#include "analysis/contention.h"

/* Adds to the holders of each WaitGroup the groups that the waiting function
 * started, or that are past its Wait; holders_find came before. False when
 * memory ran out. */
bool waitgroups_find(const struct contention *contention,
                     struct analysis *analysis, size_t snapshot);

#endif

/* crashes.h - where a process died: the groups that its crash speaks of, and
 * the line of the user's code. */
#ifndef ANALYSIS_CRASHES_H
#define ANALYSIS_CRASHES_H

#include "model/snapshot.h"

/* A crash that speaks of a joined group; several instances may have died at
 * one place. */
struct group_crash {
    const struct crash *crash;
    const struct group_crash *next;
};

/* The index of the frame where a stack came to its end; -1 without frames.
 * Deferred functions, and what throws a panic again, stand above the place of
 * the first panic, so it is the site of what follows the last "panic" frame
 * (runtime/panic.go: gopanic, printed as panic). */
int32_t crash_site(const struct symbols *symbols, struct stack stack);

/* Sets the site of a snapshot's crash, if it has one. */
void crash_find_site(struct snapshot *snapshot);

/* Whether a snapshot's crash speaks of a group, by its index. */
bool crash_speaks_of(const struct crash *crash, size_t group);

#endif

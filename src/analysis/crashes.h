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

/* The index of the frame where a stack came to its end, or where what runs has
 * panicked; -1 without frames.
 * Deferred functions, and what throws a panic again, stand above the place of
 * the first panic, so it is the site of what follows the last "panic" frame
 * (runtime/panic.go: gopanic, printed as panic). */
int32_t crash_site(const struct symbols *symbols, struct stack stack);

/* Whether a snapshot tells of an event and not how its process stands: the end
 * of the process, or stacks that were printed each in the course of a panic
 * (net/http/server.go: conn.serve). What is read later in the same log does not
 * take its place. SIGQUIT asks for a dump and is none. */
bool crash_is_event(const struct snapshot *snapshot);

/* Whether a snapshot has only stacks of running goroutines, as
 * runtime/debug.Stack prints them, which says nothing of the others. */
bool crash_is_print(const struct snapshot *snapshot);

/* Where a goroutine of a snapshot, which ran when its stack was printed, has
 * panicked; FRAME_NONE when none had. */
frame_id crash_panic_site(const struct snapshot *snapshot);

/* The group of goroutine 1, which runs main.main; NULL when it is not in the
 * snapshot. */
const struct group *crash_main_group(const struct snapshot *snapshot);

/* Sets the site of a snapshot's crash, if it has one. */
void crash_find_site(struct snapshot *snapshot);

/* Whether a test ran out of time that no goroutine of the dump is seen to run:
 * what is known of its place is at most its name, in the message. */
bool crash_hides_test(const struct crash *crash);

/* Whether a snapshot's crash speaks of a group, by its index. */
bool crash_speaks_of(const struct crash *crash, size_t group);

#endif

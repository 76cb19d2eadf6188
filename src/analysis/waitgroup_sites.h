/* waitgroup_sites.h - where a goroutine waits for a WaitGroup. */
#ifndef ANALYSIS_WAITGROUP_SITES_H
#define ANALYSIS_WAITGROUP_SITES_H

#include "analysis/contention.h"

/* How many innermost frames of the whole stack the joined one is without. */
uint32_t waitgroup_cut_off(const struct contention *contention,
                           const struct waiting *waiting);

/* The index of the frame that a waiting is told by: in a library the function
 * that waits there, as it knows for whom, or else the user's line. Negative =
 * not known. */
int64_t waitgroup_place(const struct contention *contention,
                        const struct waiting *waiting);

/* The function that started a waiting, when all that this does is to wait, in a
 * closure of it, "go func() { wg.Wait(); close(done) }()": it has started those
 * who are waited for as well. Where the dump does not tell who started it, the
 * function around the closure. Empty = none. */
struct str waitgroup_behind(const struct contention *contention,
                            const struct waiting *waiting);

/* The function that waits, as a person would say: the site, or what that is a
 * closure of. Empty = not known. */
struct str waitgroup_function(const struct contention *contention,
                              const struct waiting *waiting);

/* Whether somebody called the method that waits. One that a goroutine began
 * with is rather a worker itself than who stops them. */
bool waitgroup_is_called(const struct contention *contention,
                         const struct waiting *waiting);

/* Whether a goroutine that began with a function began with the Go of a
 * WaitGroup (sync/waitgroup.go, Go 1.25) or of an errgroup. */
bool waitgroup_is_member_begin(struct str function);

/* Whether a goroutine runs in the standard library only, as one that began with
 * `go http.ListenAndServe` does: it calls nobody's Done. */
bool waitgroup_is_foreign(const struct symbols *symbols, struct stack stack);

/* Whether all who call a function wait for the one of them that is behind its
 * Wait, whatever object it is of: golang.org/x/sync/singleflight, and its
 * copies. */
bool waitgroup_is_single_flight(struct str function);

#endif

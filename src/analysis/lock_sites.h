/* lock_sites.h - what a stack says of the lock that it waits for. */
#ifndef ANALYSIS_LOCK_SITES_H
#define ANALYSIS_LOCK_SITES_H

#include "analysis/holding.h"
#include "analysis/scopes.h"

struct lock_site {
    enum holding_kind kind;
    bool is_reading;     /* waits to read-lock an RWMutex */
    bool awaits_readers; /* a writer that is through with the other writers and
                            waits for the readers to leave: no new reader gets
                            past it (sync/rwmutex.go) */
    uint32_t owner;      /* index of the frame that called the lock's method */
    frame_id frame;      /* that frame */
    scope_id scope;
    scope_id kin; /* waiters that tell no address wait for one lock when this is
                     the same: the scope, or that of a wrapper around a lock,
                     whoever calls it */
};

/* Whether a function is a method that waits for a WaitGroup which others have
 * added to: "golang.org/x/sync/errgroup.(*Group).Wait". */
bool lock_site_is_wrapper(struct str function);

/* Fills *ret for a stack that waits for a lock, a WaitGroup or a Cond; false
 * for others, and for those that no frame called. The state is not asked:
 * methods of a lock at the leaf say enough. */
bool lock_site_find(const struct symbols *symbols, struct stack stack,
                    struct lock_site *ret);

#endif

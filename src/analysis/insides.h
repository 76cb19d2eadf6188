/* insides.h - where the RWMutexes of objects are.
 *
 * Since Go 1.17 the receiver of (*RWMutex).Lock is not always right
 * (model/locks.h); the object around the lock is. Goroutines that tell both say
 * where in such objects the lock is, for those that tell the object only. */
#ifndef ANALYSIS_INSIDES_H
#define ANALYSIS_INSIDES_H

#include "analysis/contention.h"

/* The address of a lock in the object at another one. */
struct inside {
    scope_id scope;
    uint64_t object;
    uint64_t lock; /* 0 = several */
};

struct insides {
    struct inside *items; /* by scope and object */
    size_t count;
};

/* Learns from the kept goroutines that tell both, the lock and the object; of n
 * waiters in order of address, then group. In the scratch arena of contention.
 * False without memory. */
bool insides_collect(const struct contention *contention,
                     const struct lock_waiters *waiters, size_t n,
                     struct insides *insides);

/* The address of the lock in an object of a scope; 0 = not known. */
uint64_t insides_lock(const struct insides *insides, scope_id scope,
                      uint64_t object);

#endif

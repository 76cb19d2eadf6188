/* contention.h - the locks that goroutines of one snapshot wait for.
 *
 * Waiters are told apart by the address of their lock, where arguments tell
 * it. Without (debug=0, debug=1), waiters in one scope for one kind of lock
 * count as waiters for one lock. */
#ifndef ANALYSIS_CONTENTION_H
#define ANALYSIS_CONTENTION_H

#include "analysis/analysis.h"
#include "analysis/lock_sites.h"
#include "analysis/page_set.h"

/* A group that waits. */
struct waiting {
    uint32_t group; /* index in the snapshot */
    struct joined_group *joined;
    struct lock_site site;
};

/* Waiters of one group for one lock. */
struct lock_use {
    uint32_t lock;    /* index of the lock */
    uint32_t waiting; /* index of the waiting */
    uint64_t told; /* the address as its arguments tell it; 0 = they do not */
    uint64_t count;
    bool is_object;   /* told is of the object around the lock */
    uint32_t n_locks; /* 1, or how many that are not looked at */
};

struct lock {
    struct holding *holding;
    scope_id scope;  /* of most waiters */
    uint64_t object; /* the object around it; 0 = unknown */
    uint64_t most;   /* waiters of the group that site is of */
    uint32_t first;  /* its uses */
    uint32_t n;
};

struct contention {
    struct snapshot *snapshot;
    struct symbols *symbols;
    struct arena *arena;      /* of holdings, which stay */
    struct arena *scratch;    /* of the rest */
    struct waiting *waitings; /* by group */
    size_t n_waitings;
    struct lock *locks;    /* by address; first those without */
    uint64_t *addresses;   /* of the locks, to search in; 0 = unknown */
    struct page_set pages; /* of the locks */
    size_t n_locks;
    struct lock_use *uses; /* by lock: each knows its range */
    uint32_t *by_waiting;  /* their indexes by waiting, then by told */
    size_t n_uses;
};

#define LOCK_NONE UINT32_MAX

enum {
    OBJECT_MOST = PAGE_SET_REACH
}; /* bytes from an object to a lock in it */

/* Collects the locks of a snapshot, the index-th of the collection. False when
 * memory ran out. */
bool contention_init(struct contention *contention, struct analysis *analysis,
                     size_t index, struct arena *scratch);

/* The waiting of a group, or NULL when it does not wait for a lock. */
const struct waiting *contention_waiting(const struct contention *contention,
                                         size_t group);

/* The use at an index in the order of the waitings, then of what is told. */
static inline const struct lock_use *contention_use(
    const struct contention *contention, size_t index)
{
    return &contention->uses[contention->by_waiting[index]];
}

/* The uses of a waiting: the index of the first one, and how many. */
size_t contention_uses(const struct contention *contention,
                       const struct waiting *waiting, size_t *ret_count);

/* The lock that a goroutine of the waiting waits for whose arguments tell an
 * address; LOCK_NONE when that is not known. */
uint32_t contention_lock_of(const struct contention *contention,
                            const struct waiting *waiting, uint64_t told);

/* The lock that all goroutines of the waiting wait for; LOCK_NONE when they
 * wait for several. */
uint32_t contention_only_lock(const struct contention *contention,
                              const struct waiting *waiting);

/* The waiting of one use. */
static inline const struct waiting *contention_waiting_of(
    const struct contention *contention, const struct lock_use *use)
{
    return &contention->waitings[use->waiting];
}

/* The smallest id of the goroutines of a use whose arguments are kept; 0 = of
 * none. */
uint64_t contention_waiter_id(const struct contention *contention,
                              const struct lock_use *use);

/* The first lock whose address is at or behind that one. */
size_t contention_find(const struct contention *contention, uint64_t address);

#endif

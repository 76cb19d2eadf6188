/* locks.h - which locks the waiters of a snapshot wait for.
 *
 * debug=2 prints the arguments of calls: the receiver of sync.(*Mutex).Lock
 * and its like is the address of the lock. One table a snapshot counts
 * waiters by group and address. */
#ifndef MODEL_LOCKS_H
#define MODEL_LOCKS_H

#include "model/evidence.h"
#include "model/snapshot.h"

struct lock_table {
    struct pool waiters; /* struct lock_waiters */
    struct table table;
    uint64_t others; /* waiters beyond EVIDENCE_LOCKS addresses */
};

/* An empty table, and its end. */
void lock_table_init(struct lock_table *locks, struct budget *budget);
void lock_table_done(struct lock_table *locks);

/* The index of the first frame whose receiver is a lock that the goroutine
 * waits for; LOCK_FRAME_NONE when the stack does not begin with such a call.
 * Only the frames of packages sync and internal/sync at the leaf count. */
uint8_t lock_frame_find(const struct symbols *symbols, const frame_id *frames,
                        size_t n_frames);

/* Counts waiters of a group. args are the argument texts from the lock's
 * frame on; inlined frames print "..." there, and then the next frame has the
 * same receiver. */
void lock_table_add(struct lock_table *locks, uint32_t group,
                    const struct str *args, size_t n_args, uint64_t count);

/* All waiters in order of address, then group, in arena; NULL without any, or
 * without memory for the copy (then *ret_count is 0). */
const struct lock_waiters *lock_table_sorted(const struct lock_table *locks,
                                             struct arena *arena,
                                             size_t *ret_count);

#endif

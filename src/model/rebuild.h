/* rebuild.h - a snapshot made again from what was kept of it.
 *
 * A history keeps groups, not records. They are put back here as they were, in
 * their order; what a group says is checked by whoever read it. The info of the
 * snapshot, with the total, is written by the caller. */
#ifndef MODEL_REBUILD_H
#define MODEL_REBUILD_H

#include "model/locks.h"

/* Adds a group with the stack, state and figures of *group, whose fields
 * hidden, lock_frame, pointers and evidence are set here: evidence is made
 * when has_evidence asks for it, and filled by the caller; hidden is NULL or
 * the group's addresses; the frames of the lock are found in the stack when
 * has_lock_frame says that the dump told them. Records cannot be added any
 * more. The index of the group; SNAPSHOT_NO_GROUP when memory ran out. */
size_t snapshot_put_group(struct snapshot *snapshot, const struct group *group,
                          const struct hidden *hidden, bool has_evidence,
                          bool has_lock_frame);

/* Keeps addresses of calls in the runtime for snapshot_runtime_addresses, of a
 * snapshot whose groups do not tell them any more. */
void snapshot_put_addresses(struct snapshot *snapshot,
                            const uint64_t *addresses, size_t n);

/* The arena in which evidence of the snapshot is kept. */
struct arena *snapshot_arena(struct snapshot *snapshot);

/* Counts waiters of a group for a lock, as lock_table_add does; and so many
 * whose locks were not kept. */
void snapshot_put_lock(struct snapshot *snapshot,
                       const struct lock_waiters *waiters);
void snapshot_put_lock_others(struct snapshot *snapshot, uint64_t count);

/* Adds the pointers of one goroutine to the end of a group's list: id, lock, n
 * and the arrays of *pointers. False when the list is full, or memory. */
bool snapshot_put_pointers(struct snapshot *snapshot, struct group *group,
                           const struct pointers *pointers);

/* Sets the values of the group that was added last, one for each type; and the
 * three sums over all records that the info points to. False when memory ran
 * out. */
bool snapshot_put_values(struct snapshot *snapshot, const int64_t *values);
void snapshot_put_sums(struct snapshot *snapshot, const int64_t *totals,
                       const int64_t *magnitudes, const int64_t *bases);

/* Makes an empty snapshot a folded one (snapshot_fold) with these counts and
 * n_addresses, at most RUNTIME_ADDRESSES, of calls in the runtime. False when
 * memory ran out. */
bool snapshot_put_folded(struct snapshot *snapshot,
                         const struct folded_group *groups, size_t n,
                         const uint64_t *addresses, size_t n_addresses);

#endif

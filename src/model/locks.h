/* locks.h - which locks the waiters of a snapshot wait for.
 *
 * debug=2 prints the arguments of calls. What they tell of a lock depends on
 * the version: to Go 1.16 every argument stands on the stack and is right;
 * since Go 1.17 arguments come in registers, and a word with "?" behind it may
 * be left over from something else (runtime/traceback.go: printFuncArgs). The
 * receiver of (*Mutex).lockSlow is always right, that of (*RWMutex).Lock is
 * not since Go 1.17; then the receiver of the caller, the object around the
 * lock, stands for it. One table a snapshot counts waiters by group and
 * address. */
#ifndef MODEL_LOCKS_H
#define MODEL_LOCKS_H

#include "model/evidence.h"
#include "model/snapshot.h"

/* Where a stack waits for a lock: the first method of the lock, and the frame
 * that called it, the first one outside package sync. */
struct lock_frames {
    uint8_t lock;
    uint8_t owner; /* LOCK_OWNER_NONE: nobody, as in "go wg.Wait()" */
};

enum { LOCK_OWNER_NONE = 15 };

enum { LOCKS_PENDING = 8 };

struct lock_table {
    struct pool waiters; /* struct lock_waiters */
    struct table table;
    uint64_t others; /* waiters beyond EVIDENCE_LOCKS addresses */

    /* Added last, and not counted yet: a ring. Their places in the table, which
     * is larger than any cache that is near, are fetched meanwhile. */
    struct lock_waiters pending[LOCKS_PENDING];
    unsigned n_pending;
    unsigned oldest;
};

/* An empty table, and its end. */
void lock_table_init(struct lock_table *locks, struct budget *budget);
void lock_table_done(struct lock_table *locks);

/* Where a stack waits for a lock, in one byte; LOCK_FRAME_NONE when it does not
 * begin with methods of package sync or internal/sync, or with the lock of a
 * file descriptor (internal/poll). */
uint8_t lock_frame_find(const struct symbols *symbols, const frame_id *frames,
                        size_t n_frames);

/* The two frames of such a byte, which is not LOCK_FRAME_NONE. */
static inline struct lock_frames lock_frames(uint8_t packed)
{
    return (struct lock_frames){packed & 15, packed >> 4};
}

/* Reads the first word of an argument text, when it is no part of a struct:
 * 0x1000 and above, or 0. *ret_sure says whether no "?" follows it. Memory up
 * to readable, which is at or behind its end, may be read; NULL = its end. */
uint64_t lock_word(struct str args, const char *readable, bool *ret_sure);

/* What the arguments of a record that waits, of a group with that lock_frame,
 * tell of the lock. LOCK_ADDRESS_NONE, with *ret_address 0, when nothing. */
enum lock_address lock_find_address(const struct symbols *symbols,
                                    const struct record *record,
                                    uint8_t lock_frame, uint64_t *ret_address);

/* Counts waiters of a group for the lock at an address; waiters and others of
 * the table have them after lock_table_settle. */
void lock_table_add(struct lock_table *locks, uint32_t group,
                    enum lock_address known, uint64_t address, uint64_t count);
void lock_table_settle(struct lock_table *locks);

/* All waiters in order of address, then group, in arena; NULL without any, or
 * without memory for the copy (then *ret_count is 0). */
const struct lock_waiters *lock_table_sorted(struct lock_table *locks,
                                             struct arena *arena,
                                             size_t *ret_count);

#endif

/* evidence_flags.h - what the evidence of a group has, in bits, and the parts
 * of evidence that have files of their own. */
#ifndef STORE_EVIDENCE_FLAGS_H
#define STORE_EVIDENCE_FLAGS_H

#include "store/snapshot_blobs.h"

/* ORDER BLOBS */
enum evidence_flag {
    HAS_IDS = 1,
    HAS_WAITS = 2,
    HAS_LEAKED = 4,
    HAS_LOCKED = 8,
    HAS_CREATOR = 16,
    HAS_HIDDEN = 32,
    HAS_EVIDENCE = 64,
    HAS_LOCK_FRAME = 128,
    HAS_POINTERS = 256,
};

/* Writes what a profile measures, and the numbers of its runtime; and reads it
 * into a snapshot, which has no groups yet. A failure is in the blob; false
 * when there is no memory. */
void measures_write(struct buf *blob, const struct snapshot_info *info);
bool measures_read(struct blob *blob, struct snapshot *snapshot);

/* Where the stored group with a number was put, or SNAPSHOT_NO_GROUP; the blob
 * fails when there was no such group. */
size_t evidence_place(struct evidence_reader *reader, uint64_t number);

/* Writes a crash, NULL of a process that did not; and reads it into a snapshot
 * that has its groups. A failure is in the blob; false when there is no
 * memory. */
void crash_write(struct buf *blob, const struct symbols *symbols,
                 const struct crash *crash);
bool crash_read(struct evidence_reader *reader);

#endif

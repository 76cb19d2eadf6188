/* snapshot_blobs.h - the two blobs of a stored snapshot.
 *
 * "counts" says what the dump was and how many goroutines stand in which stack
 * and state; it is all that most moments of a comparison need, and stays as
 * long as the snapshot. "evidence" has what else a group knows of its
 * goroutines (model/evidence.h), and what profiles measure. Both name stacks,
 * states and other texts by their numbers in the file (names.h); labels and
 * such, which may be different each time, stand in the evidence itself.
 *
 * ORDER BLOBS: what is written in one order is read in the same. Another order
 * is another version, which stands first in each blob. */
#ifndef STORE_SNAPSHOT_BLOBS_H
#define STORE_SNAPSHOT_BLOBS_H

#include "store/names.h"

enum {
    COUNTS_VERSION = 1,
    EVIDENCE_VERSION = 1,
    TARGET_LABELS_MOST = 1024, /* of one target */
};

/* What the dump was, in bits. */
enum counts_flag {
    COUNTS_COMPLETE = 1,
    COUNTS_PARKING = 2,
    COUNTS_PROOF = 4,
    COUNTS_DECLARED = 8,
    COUNTS_STATES = 16,
};

/* The beginning of the counts; texts are numbers. */
struct counts {
    uint64_t flags;
    enum profile_kind kind;
    uint64_t format;
    uint64_t origin;
    uint64_t profile;
    uint64_t go_version;
    uint64_t declared;
    uint64_t total;
    uint64_t other; /* of the total, in no group */
    uint64_t max_id;
    uint64_t addresses[RUNTIME_ADDRESSES];
    size_t n_addresses;
    size_t n_labels;
    struct blob labels; /* a key and a value each */
    size_t n_groups;
    struct blob groups;  /* the cursor of counts_next */
    uint64_t last_stack; /* of the group before */
    uint64_t sum;        /* of the groups so far, and of other */
    size_t n_read;       /* groups so far */
};

/* One group of the counts. */
struct counts_group {
    uint64_t stack;
    uint64_t state; /* a text: its word */
    enum state_source source;
    uint64_t count;
};

/* Appends the counts of a snapshot whose states are known. Whether there was
 * memory is seen in the buf, whether names were stored in out. */
void counts_write(struct buf *blob, struct names_out *out,
                  const struct snapshot *snapshot);

/* Reads the beginning of counts, which the bytes outlive. False when they are
 * not readable. */
bool counts_read(struct counts *ret, struct str bytes);

/* Reads the next group. False behind the last, and where the bytes are not
 * readable; counts_is_done tells these apart. */
bool counts_next(struct counts *counts, struct counts_group *ret);

/* Whether all groups were read, and add up to the total. */
bool counts_is_done(const struct counts *counts);

/* Appends the evidence of a snapshot, in the order of its groups. */
void evidence_write(struct buf *blob, struct names_out *out,
                    struct snapshot *snapshot);

/* Reads the stacks that evidence names beside those of its groups: calls
 * use for each. False when they are not readable. */
bool evidence_stacks(struct str bytes, void (*use)(void *user, uint64_t stack),
                     void *user);

/* The evidence of a snapshot while it is read: a cursor behind its beginning,
 * which evidence_begin reads, before the first group. */
struct evidence_reader {
    struct blob blob;
    struct snapshot *snapshot;
    struct names_in *in;
    struct buf creators; /* frame_id, in their order */
    struct buf places;   /* size_t, of each stored group: where it was put, or
                            SNAPSHOT_NO_GROUP */
    bool no_memory;      /* something could not be kept */
};

/* Reads what stands before the groups: creators, what a profile measures. */
void evidence_begin(struct evidence_reader *reader, struct str bytes,
                    struct snapshot *snapshot, struct names_in *in);

/* Reads the evidence of the next group, whose stack, state and count the caller
 * knows, and puts it into the snapshot. False when it is not there: there is no
 * memory, or it stands there already. */
bool evidence_put_group(struct evidence_reader *reader,
                        const struct group *group);

/* Reads what stands behind the groups: locks, a crash. False when something was
 * not readable. Ends the reader. */
bool evidence_end(struct evidence_reader *reader);

/* Makes a snapshot again, in an empty one whose source, instance, input and
 * time the caller sets: folded; with its groups; or with these and their
 * evidence, where there is some (evidence not NULL). Without memory for a group
 * its goroutines are counted as "other". A failure is in in->rc. */
void snapshot_decode_folded(struct snapshot *snapshot, struct counts *counts,
                            struct names_in *in);
void snapshot_decode(struct snapshot *snapshot, struct counts *counts,
                     const struct str *evidence, struct names_in *in);

#endif

/* snapshot.h - the goroutines of one process at one moment, grouped.
 *
 * A snapshot counts records into groups: goroutines with the same stack in the
 * same state. Until states are inferred (analysis/states.h) the hidden
 * addresses of debug=1 are part of a group's key as well. A snapshot owns one
 * arena; everything reached from it dies with it. Its memory grows with the
 * distinct stacks and never with the goroutines. */
#ifndef MODEL_SNAPSHOT_H
#define MODEL_SNAPSHOT_H

#include "base/diag.h"
#include "model/crash.h"
#include "model/evidence.h"
#include "model/pointers.h"
#include "model/record.h"
#include "model/values.h"

enum { LOCK_FRAME_NONE = 255 };

/* A count where millions of them are kept: larger ones are UINT32_MAX. */
static inline uint32_t count_cut(uint64_t n)
{
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

/* 0 = no hidden addresses; else snapshot_hidden gives them. */
typedef uint32_t hidden_id;

struct group {
    stack_id stack;
    hidden_id hidden;
    state_id state;       /* as read; analysis lifts it */
    uint8_t state_source; /* enum state_source */
    uint8_t lock_frame;   /* two frames (locks.h), or LOCK_FRAME_NONE */
    uint32_t n_ids;       /* goroutines that told their id, up to UINT32_MAX */
    uint64_t count;
    uint64_t leaked;
    uint64_t id_min; /* of those with an id */
    uint64_t id_max;
    uint32_t wait_min; /* whole minutes, of those that say minutes */
    uint32_t wait_max;
    uint32_t n_waits;          /* how many say minutes, up to UINT32_MAX */
    uint32_t locked;           /* to their thread, up to UINT32_MAX */
    frame_id created_by;       /* of the first; evidence has the rest */
    uint32_t pointers;         /* the first of its kept goroutines; 0 = none */
    struct evidence *evidence; /* NULL while the fields above say all */
};

enum profile_kind {
    PROFILE_GOROUTINE,
    PROFILE_GOROUTINELEAK,
    PROFILE_THREADCREATE,
    PROFILE_OTHER, /* made by the program itself: runtime/pprof.NewProfile */
    PROFILE_HEAP,
    PROFILE_ALLOCS,
    PROFILE_BLOCK,
    PROFILE_MUTEX,
    PROFILE_CONTENTION, /* block or mutex, which cannot be told apart */
    PROFILE_CPU,
    PROFILE_KINDS /* how many there are */
};

/* Whether what a profile measures was measured when it was taken.
 * ORDER SAMPLING: as the words in measure_words.c. */
enum sampling { SAMPLING_UNKNOWN, SAMPLING_ON, SAMPLING_OFF };

/* What is known of the dump as a whole. */
struct snapshot_info {
    struct str source;  /* the input's name as given */
    const char *format; /* the reader's name: "debug1", "debug2" */
    const char *origin; /* of an export, the form of the dump that it was made
                           from, which says what it can tell; else NULL */
    enum profile_kind kind;
    struct str profile;    /* "goroutine", or the name of a user's profile */
    struct str go_version; /* empty = unknown */
    struct str instance;   /* empty = none given */
    const struct label *labels; /* of the target that was asked */
    size_t n_labels;
    uint32_t input; /* which INPUT of the command, from 0 */
    bool has_declared;
    bool is_untitled; /* records of a profile whose title was left out */
    bool is_proof;   /* given to prove leaks of the others: not judged itself */
    bool has_states; /* those of its groups are settled (analysis/states.h) */
    bool complete;   /* false: cut, or something was not kept */
    bool has_parking;   /* stacks show the runtime's frames, as debug=0 does: a
                          goroutine without runtime.gopark is not parked */
    uint64_t declared;  /* total that the header states */
    uint64_t total;     /* sum over the records */
    uint64_t other;     /* of these, not kept: the budget was reached */
    uint64_t n_other;   /* records that were not kept when this was read, also
                           those that count nothing, as what was freed again */
    uint64_t unread;    /* of an incomplete dump: those without a frame that
                           can be read, declared ones that are missing
                           included */
    uint64_t max_id;    /* largest goroutine id; 0 = the format has none */
    uint64_t line;      /* where in the input the dump begins */
    uint64_t offset;    /* the same in bytes, of a stack dump */
    int64_t taken_ns;   /* Unix time in ns, as the dump says; 0 = unknown */
    int64_t written_ns; /* when its file was last written */
    int64_t given_ns;   /* when it was taken, as the user says (--times) */

    /* Set by snapshot_set_types; none where groups only have a count. */
    const struct value_type *types;
    size_t n_types;
    size_t default_type;           /* the one to show first */
    const int64_t *totals;         /* one a type: over all records */
    const int64_t *magnitudes;     /* the same of absolute values */
    const int64_t *bases;          /* the same of records that are the base of
                                        a difference; 0 = none is */
    bool has_negative;             /* some value is below 0 */
    int64_t duration_ns;           /* of a CPU profile, or of a difference of
                                        two moments; 0 = not said */
    struct value_type period_type; /* what is sampled; name empty = not said */
    int64_t period;                /* one of so many is; 0 = not said */
    enum sampling sampling;
    struct str drop_frames; /* pprof's, for its reports */
    struct str keep_frames;
    const struct str *comments; /* that a profile of others carries */
    size_t n_comments;
    const struct memstats *memstats; /* NULL = not said */

    struct crash *crash; /* why the process died; NULL = it did not */
};

/* Whether a profile of that kind measures what stacks did in the past, and does
 * not count what stands in them. */
bool profile_is_measured(enum profile_kind kind);

/* The form whose facts a snapshot has: its format, or that of what it was
 * exported from. */
const char *snapshot_origin(const struct snapshot_info *info);

/* The name of a profile that is not of goroutines, else empty (signature.h:
 * group_id_of). */
struct str profile_other_name(const struct snapshot_info *info);

/* What the arguments of a waiter tell of its lock. */
enum lock_address {
    LOCK_ADDRESS_NONE,
    LOCK_ADDRESS_MAYBE,  /* perhaps of the object around it: "0xc000010000?" */
    LOCK_ADDRESS_OBJECT, /* of the object around it, or of the lock itself */
    LOCK_ADDRESS_EXACT,  /* of the lock */
};

/* Waiters that name the address of their lock. */
struct lock_waiters {
    uint32_t group; /* index of the group */
    uint8_t known;  /* enum lock_address, never LOCK_ADDRESS_NONE */
    uint64_t address;
    uint64_t count;
};

struct snapshot;

/* A new, empty snapshot over symbols, which must outlive it. */
int snapshot_new(struct snapshot **ret, struct symbols *symbols,
                 struct cprof_error *err);
void snapshot_free(struct snapshot *snapshot);

/* What is known of the dump; readers write it, later rooms read it. */
struct snapshot_info *snapshot_info(struct snapshot *snapshot);
const struct snapshot_info *snapshot_info_get(const struct snapshot *snapshot);

/* Whether goroutines are missing from the dump: then nobody found says less. */
bool snapshot_is_partial(const struct snapshot *snapshot);

/* Says which values the records will carry, n at most VALUES_MOST; before the
 * first record. The types are copied as values_copy_types does. False, with
 * none set, when there is no memory. */
bool snapshot_set_types(struct snapshot *snapshot,
                        const struct value_type *types, size_t n);

/* Keeps a copy of the labels of the target that gave the dump; none of them
 * when there is no memory. */
void snapshot_set_labels(struct snapshot *snapshot, const struct label *labels,
                         size_t n);

/* The values of the group at index, one for each type; NULL without types,
 * and when memory ran out for them. */
const int64_t *snapshot_values(const struct snapshot *snapshot, size_t index);

/* Counts a record and returns the index of its group. Never fails: what does
 * not fit the memory budget is counted as "other", and in no group. */
size_t snapshot_add(struct snapshot *snapshot, const struct record *record);

#define SNAPSHOT_NO_GROUP SIZE_MAX

/* Looks at what was put aside while records were counted: behind the last
 * record of a dump, before anybody reads what its groups remember. */
void snapshot_settle(struct snapshot *snapshot);

/* Adds the goroutines of a snapshot over other symbols, which come after those
 * that are there, as if their records had been added one by one. False, with
 * nothing changed, when that cannot be told exactly, because some limit of the
 * evidence was reached or memory is short. The other snapshot is empty then but
 * for its groups, and goes on with what comes later: of that it keeps no more
 * than is wanted here. */
bool snapshot_merge(struct snapshot *into, struct snapshot *from);

/* Puts what is kept of the arguments in an order that does not depend on the
 * order of the records; no record is added after that. */
void snapshot_settle_pointers(struct snapshot *snapshot);

/* Frees what only finds the group of a record; none is added after that. */
void snapshot_seal(struct snapshot *snapshot);

/* Groups, in order of their first arrival, 0 to n_groups - 1. */
size_t snapshot_n_groups(const struct snapshot *snapshot);
struct group *snapshot_group(const struct snapshot *snapshot, size_t index);

/* Adds what a group remembers of its goroutines, also what only its own fields
 * say while it has no evidence. */
void group_evidence_add(struct evidence *into, const struct group *group,
                        struct arena *arena);

/* How many goroutine ids a group keeps: those of its evidence, or while it has
 * none the smallest and the largest. */
static inline size_t group_n_kept_ids(const struct group *group)
{
    if (group->evidence && group->evidence->ids.count)
        return group->evidence->ids.count;
    if (group->n_ids < 2)
        return group->n_ids;
    return group->id_min == group->id_max ? 1 : 2;
}

/* One of them, by an index below that number. */
static inline uint64_t group_kept_id(const struct group *group, size_t index)
{
    if (group->evidence && group->evidence->ids.count)
        return group->evidence->ids.ids[index];
    return index ? group->id_max : group->id_min;
}

/* The hidden addresses of a group that has some, else NULL. */
const struct hidden *snapshot_hidden(const struct snapshot *snapshot,
                                     const struct group *group);

/* Lock addresses of waiters, in order of address and group; those beyond
 * EVIDENCE_LOCKS are only counted, in *ret_others. Each call makes a sorted
 * copy in the arena; NULL without any. */
const struct lock_waiters *snapshot_locks(struct snapshot *snapshot,
                                          struct arena *arena,
                                          size_t *ret_count,
                                          uint64_t *ret_others);

/* The same (struct lock_waiters) in no order, and no copy. */
const struct pool *snapshot_lock_waiters(struct snapshot *snapshot);

enum { RUNTIME_ADDRESSES = 8 };

/* Stores up to RUNTIME_ADDRESSES different addresses of calls in the runtime:
 * where goroutines of debug=1 were parked or stopped. Returns how many. */
size_t snapshot_runtime_addresses(const struct snapshot *snapshot,
                                  uint64_t ret[RUNTIME_ADDRESSES]);

/* What is left of a group of a snapshot that was folded. */
struct folded_group {
    stack_id stack; /* cut (cut.h) */
    state_id state;
    uint64_t count;
};

/* Forgets all of a snapshot of goroutines but its info, its runtime addresses
 * and the counts of its groups, whose states must be known: it has no groups
 * then, and no labels of a target. A snapshot with values or a crash, and one
 * for which there is no memory, stays as it is. */
void snapshot_fold(struct snapshot *snapshot);

/* The counts of a folded snapshot; NULL for another. */
const struct folded_group *snapshot_folded(const struct snapshot *snapshot,
                                           size_t *ret_count);

/* The goroutines whose pointer arguments are kept; pointers_get walks the list
 * that a group's field pointers begins. */
const struct pool *snapshot_pointers(const struct snapshot *snapshot);

/* The names and stacks that the snapshot was built over. */
struct symbols *snapshot_symbols(const struct snapshot *snapshot);

/* Copies a text into the snapshot's arena; empty when memory ran out. */
struct str snapshot_copy(struct snapshot *snapshot, struct str text);

/* size cleared bytes that live as long as the snapshot; NULL when memory ran
 * out. */
void *snapshot_take(struct snapshot *snapshot, size_t size);

#endif

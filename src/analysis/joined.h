/* joined.h - a joined group: equal groups of all snapshots as one.
 *
 * Nearly every group of a dump of millions of different stacks is one
 * goroutine. So a joined group has no facts of its own while it was made from
 * one group that has no evidence: the fields of that group say all, and
 * joined_evidence makes evidence of them for whoever asks. */
#ifndef ANALYSIS_JOINED_H
#define ANALYSIS_JOINED_H

#include "analysis/crashes.h"
#include "analysis/growth.h"
#include "analysis/holding.h"
#include "model/signature.h"
#include "model/snapshot.h"

/* Whether goroutines run finalizers: see finalizers.h. */
enum finalizer {
    FINALIZER_NONE,
    FINALIZER_INFERRED, /* the dump hides it, and nothing else fits */
    FINALIZER_SEEN,     /* the runtime's function stands on the stack */
};

/* What few groups have. */
struct joined_extra {
    int64_t *values;  /* one for each type of its family; NULL = none */
    int64_t *befores; /* the same at the first moments of a comparison */
    const struct group_crash *crashes; /* of judged snapshots, those that speak
                                          of goroutines of the group */
    const struct holding *holding;  /* what it waits for, when that is held by
                                        others: its lock with the most waiters;
                                        NULL = nothing of that kind */
    const struct wait_cycle *cycle; /* a circle that its goroutines are part
                                        of, the surest; NULL = none */
    uint32_t n_holdings;            /* how many different ones it waits for */
    uint64_t leaked;
    uint64_t locked;
    const struct group_growth *growth; /* over time; NULL in one moment */
};

/* There are as many of these as there are different stacks: what few need
 * stands in joined_extra. */
struct joined_group {
    stack_id stack;
    uint32_t family;     /* of the snapshots that it is joined from */
    uint32_t index;      /* its own, of analysis_group */
    frame_id created_by; /* the most common; FRAME_NONE = unknown */
    state_id state;
    int16_t leaf;          /* index into the stack: first frame that is not the
                             runtime's; 0 when all are; -1 without frames */
    int16_t site;          /* index into the stack; -1 without frames */
    uint8_t state_source;  /* enum state_source: the best over snapshots */
    uint8_t finalizer : 2; /* enum finalizer */
    bool is_filtered : 1;  /* the user's filters leave it out */
    bool owns_facts : 1;   /* they were made for it */
    bool has_counts : 1;   /* there are several snapshots, or one that is not
                              judged; else count is all */
    uint64_t count;        /* over the judged snapshots */
    struct signature id;
    const struct group *facts;  /* what judged snapshots know of its goroutines'
                                   ids and waits: the group of a snapshot, while
                                   it is the only one and has no evidence, or
                                   those of several as one */
    struct joined_extra *extra; /* NULL = nothing of it: see joined_extra */
    uint64_t counts[]; /* one a snapshot, if it has_counts: joined_count */
};

/* The facts of a group that no judged snapshot holds. */
extern const struct group joined_no_facts;

/* Whether goroutines of the group say how long they wait; then its facts say
 * the shortest and the longest time. */
static inline bool joined_has_wait(const struct joined_group *group)
{
    return group->facts->n_waits != 0;
}

/* The id of its goroutine when it is the only one; 0 = several, or unknown. */
static inline uint64_t joined_only_id(const struct joined_group *group)
{
    return group->count == 1 && group->facts->n_ids == 1 ? group->facts->id_min
                                                         : 0;
}

/* Its goroutines in a snapshot. */
static inline uint64_t joined_count(const struct joined_group *group,
                                    size_t snapshot)
{
    return group->has_counts ? group->counts[snapshot] : group->count;
}

/* The signature of its stack, which is made for whoever asks. */
static inline struct signature joined_signature(
    const struct joined_group *group, const struct symbols *symbols)
{
    return signature_of_stack(symbols, group->stack);
}

/* What a group without any has. */
extern const struct joined_extra joined_no_extra;

/* What a group has of these things, to read. */
static inline const struct joined_extra *joined_extra(
    const struct joined_group *group)
{
    return group->extra ? group->extra : &joined_no_extra;
}

/* The same to write, made in the arena of the analysis where there is none;
 * NULL without memory. */
struct joined_extra *joined_extra_put(struct joined_group *group,
                                      struct arena *arena);

/* The middle of the waits of a group that has some, in whole minutes. */
uint32_t joined_wait_median(const struct joined_group *group);

/* What facts without evidence say, as evidence. */
struct plain_evidence {
    struct evidence evidence;
    uint64_t ids[2];
    struct wait_bar bars[2];
    struct counted creator;
};

/* The evidence of a group: its own, or what its facts say, made in the room
 * that the caller gives. */
const struct evidence *joined_evidence(const struct joined_group *group,
                                       struct plain_evidence *room);

/* The labels of its goroutines; NULL = none. */
static inline const struct label_counts *joined_labels(
    const struct joined_group *group)
{
    return group->facts->evidence ? group->facts->evidence->labels : NULL;
}

/* Joins what a group of a judged snapshot knows of its goroutines; comes before
 * its counts are added. False, with nothing changed, without memory. */
bool joined_facts_add(struct joined_group *joined, const struct group *group,
                      struct arena *arena);

/* Puts the facts in order once all groups are joined. Goroutines that say no
 * minutes have waited for less than one, or nobody looked: they count as 0 in
 * the smallest and the median. */
void joined_settle_facts(struct joined_group *group,
                         const struct symbols *symbols, struct arena *arena);

#endif

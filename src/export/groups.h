/* groups.h - what an export holds: the groups of some snapshots, joined.
 *
 * Groups of equal stack and state are one, whichever snapshot they are of.
 * What was not kept of the snapshots is a group of its own (STACK_OTHER), so
 * that the counts add up to what was read. */
#ifndef EXPORT_GROUPS_H
#define EXPORT_GROUPS_H

#include "model/collection.h"
#include "model/signature.h"

struct export_group {
    stack_id stack; /* STACK_OTHER: all that was not kept */
    state_id state;
    uint8_t state_source; /* enum state_source: the best over snapshots */
    bool has_wait;
    uint32_t wait_min; /* whole minutes, as printed */
    uint32_t wait_max;
    uint64_t n_waits; /* how many say minutes */
    uint64_t count;
    uint64_t leaked;
    uint64_t locked;
    uint64_t id_min; /* 0 = no ids */
    uint64_t id_max;
    uint32_t crashed; /* the how many-th the crash speaks of; 0 = it does not */
    int64_t *values;  /* one a type of the set; NULL = the count is all */
    struct evidence evidence;
    struct signature id;
};

struct export_groups {
    struct cprof_snapshots *snapshots;
    struct symbols *symbols;
    const struct snapshot_info *info; /* of the first snapshot */
    const struct crash *crash; /* the first that was not asked for, or any */
    size_t n_crashes;          /* that and the others */
    struct arena arena;
    struct pool pool; /* struct export_group */
    struct table table;
    const struct export_group **sorted; /* the largest first, then by id */
    size_t n_sorted;
    uint64_t total;      /* over the records */
    uint64_t lost;       /* of groups that found no room here */
    uint64_t goroutines; /* the larger of that and the declared totals */
    bool has_waits;      /* stacks are of goroutines that wait: they are cut */
    frame_id no_frames;  /* stands where a stack has none */
    frame_id not_kept;   /* stands for stacks that were not kept */
};

/* Joins the groups of n snapshots, at least one, by their indexes. Ended with
 * export_groups_done, on failure too. CPROF_EUSAGE: two of them measure
 * different things. */
int export_groups_init(struct export_groups *ret,
                       struct cprof_snapshots *snapshots, const size_t *which,
                       size_t n, struct cprof_error *err);
void export_groups_done(struct export_groups *groups);

/* The frames of a group, leaf first; at least one. */
struct stack export_frames(const struct export_groups *groups,
                           const struct export_group *group);

/* The word of a group's state; empty when it is not known. */
struct str export_state(const struct export_groups *groups,
                        const struct export_group *group);

/* The creator of most of a group's goroutines, or FRAME_NONE. */
frame_id export_creator(const struct export_groups *groups,
                        const struct export_group *group);

#endif

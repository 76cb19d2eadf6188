/* analysis.h - what the goroutines of all snapshots are doing.
 *
 * Takes the snapshots of a run, gives every group its state (states.h) and
 * its site (sites.h), joins groups that turn out equal, and matches them over
 * snapshots. It knows no rules.
 *
 * Each input is an instance of one service, or a moment of it: of the
 * snapshots of one input the last complete one is judged (is_judged), and the
 * others are only listed. Where snapshots are compared over time (is_series of
 * the collection), all inputs of an instance are its moments. Counts, shares
 * and ages of a joined group are over the judged snapshots. */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include "analysis/crashes.h"
#include "analysis/families.h"
#include "analysis/growth.h"
#include "analysis/holding.h"
#include "analysis/moments.h"
#include "model/collection.h"
#include "model/signature.h"

/* Whether goroutines run finalizers: see finalizers.h. */
enum finalizer {
    FINALIZER_NONE,
    FINALIZER_INFERRED, /* the dump hides it, and nothing else fits */
    FINALIZER_SEEN,     /* the runtime's function stands on the stack */
};

struct joined_group {
    stack_id stack;
    state_id state;
    uint32_t family;      /* of the snapshots that it is joined from */
    uint8_t state_source; /* enum state_source: the best over snapshots */
    bool has_wait;
    uint8_t finalizer; /* enum finalizer */
    bool is_filtered;  /* the user's filters leave it out */
    int32_t leaf;      /* index into the stack: first frame that is not the
                          runtime's; 0 when all are; -1 without frames */
    int32_t site;      /* index into the stack; -1 without frames */
    uint64_t count;    /* over the judged snapshots */
    uint64_t *counts;  /* one for each snapshot */
    double share; /* of the goroutines of the judged snapshots of its family */
    uint64_t leaked;
    uint64_t locked;
    uint32_t wait_min; /* whole minutes, lower bounds */
    uint32_t wait_max;
    uint32_t wait_median;
    uint64_t n_ids; /* goroutines whose id is known */
    uint64_t id_min;
    uint64_t id_max;
    int64_t *values;     /* one for each type of its family; NULL = none */
    int64_t *befores;    /* the same at the first moments of a comparison */
    frame_id created_by; /* the most common; FRAME_NONE = unknown */
    struct evidence *evidence;         /* merged; never NULL */
    const struct group_crash *crashes; /* of judged snapshots, those that speak
                                          of goroutines of the group */
    const struct group_growth *growth; /* over time; NULL in one moment */
    const struct holding *holding;  /* what it waits for, when that is held by
                                        others: its lock with the most waiters;
                                        NULL = nothing of that kind */
    uint32_t n_holdings;            /* how many different ones */
    const struct wait_cycle *cycle; /* a circle that its goroutines are part
                                        of, the surest; NULL = none */
    struct signature signature;
    struct signature id;
    size_t index; /* its own, of analysis_group */
};

struct analysis;

/* Analyses the snapshots, which must outlive the result. What is noticed on
 * the way (the same process twice, hidden addresses that cannot be read) is
 * added to their diagnostics. */
int analysis_new(struct analysis **ret, struct cprof_snapshots *snapshots,
                 struct cprof_error *err);
void analysis_free(struct analysis *analysis);

/* The snapshots it was made from. */
struct cprof_snapshots *analysis_snapshots(const struct analysis *analysis);

/* Joined groups: those of the leading family first, in each the largest first,
 * then by id. */
size_t analysis_n_groups(const struct analysis *analysis);
struct joined_group *analysis_group(const struct analysis *analysis,
                                    size_t index);

/* The joined group of a group of a snapshot, both by their indices; NULL when
 * memory did not suffice for it. */
struct joined_group *analysis_find_group(struct analysis *analysis,
                                         size_t snapshot, size_t group);

/* Circles of goroutines that wait for each other, the surest first. */
const struct wait_cycle *analysis_cycles(const struct analysis *analysis,
                                         size_t *ret_count);

#define ANALYSIS_NO_GROUP SIZE_MAX

/* The joined group, by its index, of a group of a snapshot; ANALYSIS_NO_GROUP
 * when it was not kept. */
size_t analysis_joined_of(struct analysis *analysis, size_t snapshot,
                          size_t group);

/* Whether a snapshot, by its index in the collection, is judged. */
bool analysis_is_judged(const struct analysis *analysis, size_t snapshot);

/* The moments of a comparison, one series an instance; none otherwise. */
const struct moments *analysis_moments(const struct analysis *analysis,
                                       size_t *ret_count);

/* The goroutines of one snapshot: the larger of what its header declares and
 * what its records hold; what shares in it are taken of. */
uint64_t analysis_goroutines(const struct analysis *analysis, size_t snapshot);

/* The same over the judged snapshots of the leading family. */
uint64_t analysis_total(const struct analysis *analysis);

/* Whether a judged snapshot holds goroutines, which rules can judge, and not
 * only threads or the stacks of a program's own profile. */
bool analysis_has_goroutines(const struct analysis *analysis);

/* The families of the snapshots, the leading one first; none without
 * snapshots. */
size_t analysis_n_families(const struct analysis *analysis);
const struct family *analysis_family(const struct analysis *analysis,
                                     size_t index);

/* The family of a snapshot, by its index in the collection. */
size_t analysis_family_of(const struct analysis *analysis, size_t snapshot);

/* Memory that lives as long as the analysis. */
struct arena *analysis_arena(struct analysis *analysis);

#endif

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

#include "analysis/families.h"
#include "analysis/joined.h"
#include "analysis/moments.h"
#include "model/collection.h"

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
const struct moments_list *analysis_moments(const struct analysis *analysis);

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

/* How much of the goroutines of the judged snapshots of its family a group is:
 * 0 to 1. */
double analysis_share(const struct analysis *analysis,
                      const struct joined_group *group);

/* The family of a snapshot, by its index in the collection. */
size_t analysis_family_of(const struct analysis *analysis, size_t snapshot);

/* Memory that lives as long as the analysis. */
struct arena *analysis_arena(struct analysis *analysis);

#endif

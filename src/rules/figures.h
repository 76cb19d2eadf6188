/* figures.h - what the bounds of tiers are held against. */
#ifndef RULES_FIGURES_H
#define RULES_FIGURES_H

#include "rules/bucket.h"

/* How many goroutines of a bucket count in a judged snapshot (by its place in
 * judge->snapshots): all, or only the proven ones for a rule that asks for
 * proof, and not those that stand beside them. */
uint64_t bucket_weight(const struct judge *judge, const struct bucket *bucket,
                       size_t snapshot);

/* The figure of a bucket in a judged snapshot. The tier says which rule
 * BOUND_RATIO compares with. Ages, ids and growth are those of the groups over
 * all judged snapshots. */
struct figure figure_get(struct judge *judge, const struct bucket *bucket,
                         size_t snapshot, enum bound_key key,
                         const struct tier *tier);

/* The key of the place where the goroutines of a group stand: those of one
 * place have the same. */
uint64_t group_site_key(const struct symbols *symbols,
                        const struct joined_group *group);

/* Frees the ranks of places, which are worked out at the first question; the
 * next question works them out anew. */
void ranks_done(struct judge *judge);

#endif

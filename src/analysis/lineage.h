/* lineage.h - which groups of different snapshots are one and the same.
 *
 * Equal stacks in equal states are one joined group already. A rebuild moves
 * lines, another format tells states less exactly, and a Go upgrade renames
 * frames of the runtime; none of that makes goroutines new. */
#ifndef ANALYSIS_LINEAGE_H
#define ANALYSIS_LINEAGE_H

#include "analysis/analysis.h"

/* Sets of joined groups that are one thing over time (disjoint sets). */
struct lineage {
    struct analysis *analysis;
    uint32_t *parents; /* one for each joined group */
    size_t n;
};

/* The first n groups of an analysis, each alone. False when memory ran out;
 * memory is the analysis's. */
bool lineage_init(struct lineage *lineage, struct analysis *analysis, size_t n);

/* The set that a group belongs to, by one of its groups. */
size_t lineage_find(struct lineage *lineage, size_t group);

/* Makes two sets one. */
void lineage_join(struct lineage *lineage, size_t a, size_t b);

/* Joins what belongs together: one stack in a state that some snapshots tell
 * and others do not; then stacks of the same functions of which one ends
 * before the other begins; then the same for functions but for the numbers of
 * closures, where only one pair comes into question. False when memory ran
 * out. */
bool lineage_match(struct lineage *lineage);

#endif

/* correlate.h - what other rules find in the same snapshot.
 *
 * `with` and `ratio_to` ask about another rule by itself: what its match holds
 * for, and whether one of its tiers does, whoever gets the groups in the end.
 * Groups that are set aside as normal count for normal rules only. All such
 * rules are asked before the others are judged, each after those that it names
 * itself; one that names itself in a circle finds nothing there. */
#ifndef RULES_CORRELATE_H
#define RULES_CORRELATE_H

#include "rules/judge.h"

/* Asks all rules that others name. False when memory ran out. */
bool correlate_all(struct judge *judge);

/* Frees what was found. */
void correlate_done(struct judge *judge);

/* How many goroutines of a judged snapshot (by its place in judge->snapshots)
 * the match of a rule holds for; 0 for NULL. */
uint64_t correlate_count(const struct judge *judge, const struct rule *rule,
                         size_t snapshot);

/* Whether what a rule's `with` asks for is so in a judged snapshot. */
bool correlate_holds(const struct judge *judge, const struct with *with,
                     size_t snapshot);

#endif

/* correlate.h - what other rules find in the same snapshot.
 *
 * `with` and `ratio_to` ask about another rule by itself: what its match holds
 * for, and whether one of its tiers does, whoever gets the groups in the end.
 * Groups that are set aside as normal count for normal rules only. All such
 * rules are asked before the others are judged, each after those that it names
 * itself; one that names itself in a circle finds nothing there. For rules that
 * are judged before the normal ones they are asked before these, when nothing
 * is set aside yet: everything that matches counts. */
#ifndef RULES_CORRELATE_H
#define RULES_CORRELATE_H

#include "rules/judge.h"

/* Asks the rules that those of judge->rules from index first to end name.
 * False when memory ran out. */
bool correlate_rules(struct judge *judge, size_t first, size_t end);

/* Frees what was found, and forgets it: who asks again counts again. */
void correlate_done(struct judge *judge);

/* How many goroutines of a judged snapshot (by its place in judge->snapshots)
 * the match of a rule holds for; 0 for NULL. */
uint64_t correlate_count(const struct judge *judge, const struct rule *rule,
                         size_t snapshot);

/* Whether what a rule's `with` asks for is so in a judged snapshot. */
bool correlate_holds(const struct judge *judge, const struct with *with,
                     size_t snapshot);

#endif

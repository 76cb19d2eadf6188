/* prepare.h - asks all rules about all names at once.
 *
 * Most rules of a catalogue speak of libraries that a process does not use.
 * Before groups are looked at, every pattern on function names is asked about
 * every function of the symbols; a rule none of whose names is there is then
 * out for good, and for the others answers are only looked up. */
#ifndef RULES_PREPARE_H
#define RULES_PREPARE_H

#include "rules/rule.h"

/* Asks every pattern of the rules about every function. False when there is
 * no room for that, and match_is_possible (match.h) must not be asked. */
bool prepare_rules(const struct rules *rules, const struct symbols *symbols);

#endif

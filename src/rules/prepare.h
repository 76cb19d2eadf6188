/* prepare.h - sorts out what rules cannot match.
 *
 * Most rules of a catalogue speak of libraries that a process does not use.
 * Before groups are looked at, the sieve of every pattern on function names is
 * held against every function of the symbols; a rule none of whose names can be
 * there is then out for good, and few names are left to ask about. */
#ifndef RULES_PREPARE_H
#define RULES_PREPARE_H

#include "rules/rule.h"

/* Prepares every pattern of the rules for every function (patterns_prepare).
 * False when there is no room for that, and match_is_possible (match.h) must
 * not be asked. */
bool prepare_rules(const struct rules *rules, const struct symbols *symbols);

#endif

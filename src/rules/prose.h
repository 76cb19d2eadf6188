/* prose.h - what built-in rules say to people, read when somebody hears it.
 *
 * Two thirds of the text of the built-in rules are explanations and advice, of
 * which one answer needs very few. `analyze` loads the rules without them
 * (packed.h), and reads those of a rule once it owns
 * goroutines. */
#ifndef RULES_PROSE_H
#define RULES_PROSE_H

#include "rules/ruleset.h"

/* Reads what a rule says, unless that is known. False when memory ran out. */
bool prose_read(struct rules *rules, const struct rule *rule);

/* The same for all rules, for who looks at all of them. */
bool prose_read_all(struct rules *rules);

#endif

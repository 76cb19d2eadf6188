/* link.h - what rules say of each other. */
#ifndef RULES_LINK_H
#define RULES_LINK_H

#include "rules/rule.h"

/* Calls visit for each place where a rule names another one. */
typedef void ref_visit_fn(void *user, const struct rule *rule,
                          struct rule_ref *ref);
void rule_each_ref(const struct rule *rule, ref_visit_fn *visit, void *user);

/* Whether some place of a rule names another one. */
bool rule_has_refs(const struct rule *rule);

#endif

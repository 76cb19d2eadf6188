/* rules_example.h - what a rule says to an example: the dump of a test of its
 * own in which goroutines are its, or are set aside by it. */
#ifndef CLI_RULES_EXAMPLE_H
#define CLI_RULES_EXAMPLE_H

#include "cli/rules_form.h"
#include "cli/rules_trial.h"

/* Writes the example of a rule, shortened, and what is said to it. Nothing when
 * none of its tests is one. CPROF_ENOMEM. */
int rule_example_put(struct page *page, const struct rule_form *form,
                     struct rules *rules, const struct rule *rule,
                     const struct cprof_options *options,
                     struct cprof_error *err);

#endif

/* rules_coverage.h - what the tests of rules have reached.
 *
 * A tier is reached when it decided a finding of some test, also of another
 * rule's; a rule when a tier of it is, or, for one that sets aside, when some
 * goroutines were its own. Tiers that ask for history are left out: one dump
 * has none. */
#ifndef CLI_RULES_COVERAGE_H
#define CLI_RULES_COVERAGE_H

#include "cli/rules_trial.h"
#include "report/page.h"

struct coverage;

/* Nothing is reached yet of the rules, of which nothing may change until
 * coverage_free. */
int coverage_new(struct coverage **ret, const struct rules *rules,
                 struct cprof_error *err);
void coverage_free(struct coverage *coverage);

/* Notes what a trial reached. */
void coverage_note(struct coverage *coverage, const struct trial *trial);

/* Whether a rule counts: those under test. */
typedef bool coverage_wants_fn(const void *user, const struct rule *rule);

/* Writes a line with the sums over the wanted rules and, with is_long, below it
 * what was not reached. */
void coverage_put(const struct coverage *coverage, struct page *page,
                  coverage_wants_fn *wants, const void *user, bool is_long);

#endif

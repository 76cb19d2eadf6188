/* rules_trial.h - one test of a rule file, judged.
 *
 * The dump of the test goes through the readers, and all rules compete for it,
 * as in analyze. */
#ifndef CLI_RULES_TRIAL_H
#define CLI_RULES_TRIAL_H

#include "analysis/analysis.h"
#include "rules/rule_test.h"

/* A test that was run. Starts as {0}; freed with trial_done. */
struct trial {
    const struct rule *rule;
    const struct rule_test *test;
    struct buf dump;
    struct cprof_snapshots *snapshots;
    struct analysis *analysis;
    struct findings *findings;
    bool holds;
    const struct test_expect *missing; /* the first that is not met, or NULL */
    const struct finding *extra; /* the rule's first beyond them, or NULL */
};

/* Runs a test of a rule, which is one of the rules. What goes wrong before
 * there are findings (a file that is not there, a text in which no dump is
 * recognised) is an error at the test's place. */
int trial_run(struct trial *ret, struct rules *rules, const struct rule *rule,
              const struct rule_test *test, const struct cprof_options *options,
              struct cprof_error *err);
void trial_done(struct trial *trial);

/* The names of what a trial read. */
const struct symbols *trial_symbols(const struct trial *trial);

/* Whether a test expects findings of its own rule. */
bool test_is_positive(const struct rule *rule, const struct rule_test *test);

/* Why a rule found nothing. */
enum silence {
    SILENCE_NO_MATCH, /* its match holds for no goroutine */
    SILENCE_NO_TIER,  /* it does, but no tier holds for them */
    SILENCE_TAKEN,    /* they belong to other rules */
};

/* Tells which, and how many goroutines its match holds for. Taken is said of
 * a rule when all of those goroutines have other owners. CPROF_ENOMEM. */
int trial_silence(const struct trial *trial, const struct rule *rule,
                  enum silence *ret, uint64_t *ret_count,
                  struct cprof_error *err);

#endif

#include "rules/lint.h"
#include "rules/rule_test.h"

/* Whether a test expects something of its own rule. */
static bool is_positive(const struct rule *rule, const struct rule_test *test)
{
    for (size_t i = 0; i < test->n_expect; i++) {
        if (str_equal(test->expect[i].rule, rule->info.id))
            return true;
    }
    return false;
}

/* Findings that tests expect of rules that are not there. */
static void lint_expect(const struct lint *lint, const struct rule *rule,
                        const struct rule_test *test)
{
    for (size_t i = 0; i < test->n_expect; i++) {
        const struct test_expect *expect = &test->expect[i];
        struct str near;

        if (rules_find(lint->rules, expect->rule))
            continue;
        near = lint_nearest(lint, expect->rule);
        lint_add(lint, PROBLEM_ERROR, rule, &expect->origin,
                 "a test expects a rule '%s', which does not "
                 "exist%s" STR_FORMAT "%s",
                 quote(expect->rule).text, near.len ? " (did you mean '" : "",
                 STR_ARG(near), near.len ? "'?)" : "");
    }
}

static void lint_tests(const struct lint *lint, const struct rule *rule)
{
    size_t n_positive = 0;
    size_t n_negative = 0;

    for (const struct rule_test *test = rule->tests; test; test = test->next) {
        lint_expect(lint, rule, test);
        if (is_positive(rule, test))
            n_positive++;
        else
            n_negative++;
    }
    if (rule->status != RULE_STABLE || (n_positive && n_negative))
        return;
    if (!n_positive && !n_negative)
        lint_add(lint, PROBLEM_WARNING, rule, NULL,
                 "a stable rule needs tests: one where it is found and one "
                 "where it is not ('status: experimental' until then)");
    else
        lint_add(lint, PROBLEM_WARNING, rule, NULL,
                 "a stable rule needs a test where it is %s as well",
                 n_positive ? "not found ('expect: []')" : "found");
}

void lint_words(const struct lint *lint, const struct rule *rule)
{
    lint_tests(lint, rule);
    if (rule->info.class != CLASS_BAD)
        return;
    if (!rule->info.advice.count)
        lint_add(lint, PROBLEM_WARNING, rule, NULL,
                 "a rule of class bad should say what to do, under 'advice'");
    if (!rule->info.references.count)
        lint_add(lint, PROBLEM_WARNING, rule, NULL,
                 "a rule of class bad should have 'references': where others "
                 "met it, or what documents it");
}

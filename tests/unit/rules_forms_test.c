/* Every built-in rule is tried with the goroutines of its own tests, written as
 * debug=1 and as debug=0: it must find something there too, or stand in the
 * list of those that cannot, with the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "model/options.h"
#include "rules/findings.h"
#include "rules/rule_test.h"
#include "support/forms.h"
#include "support/reading.h"

#include <cmocka.h>

static struct rules *rules;
static struct budget budget;

/* Rules that find nothing in a form of dump. Those about crashes need no line:
 * a process that died is asked for no profile. */
static const struct {
    const char *rule;
    form_fn *form;
    const char *reason;
} silent[] = {
    {"afterfunc-blocked", form_debug1, "it knows them by their creator"},
    {"afterfunc-blocked", form_debug0, "it knows them by their creator"},
    {"locked-to-thread", form_debug1, "only headers tell of threads"},
    {"locked-to-thread", form_debug0, "only headers tell of threads"},
    {"lock-stranded", form_debug1, "who was woken looks like one who waits"},
    {"lock-stranded", form_debug0, "who was woken looks like one who waits"},
    {"one-stack-mass", form_debug1, "what has no state is parked-unknown's"},
    {"one-stack-mass", form_debug0, "what has no state is parked-unknown's"},
    {"runtime-entry", form_debug1, "the entry of a thread has no line there"},
    {"runtime-entry", form_debug0, "the entry of a thread is no sample"},
    {"fd-write-lock-old", form_debug1, "it asks for ages"},
    {"fd-write-lock-old", form_debug0, "it asks for ages"},
    {"outlives-test", form_debug1, "goleak writes headers"},
    {"outlives-test", form_debug0, "goleak writes headers"},
    {"crash-threads-locked", form_debug1, "only headers tell of threads"},
    {"crash-threads-locked", form_debug0, "only headers tell of threads"},
    {"synctest-not-durable", form_debug1, "it stands beside a crash"},
    {"synctest-not-durable", form_debug0, "it stands beside a crash"},
    {"synctest-sleep", form_debug1, "it stands beside a crash"},
    {"synctest-sleep", form_debug0, "it stands beside a crash"},
    {"synctest-blocked", form_debug1, "it stands beside a crash"},
    {"synctest-blocked", form_debug0, "it stands beside a crash"},
    {"panic-caught", form_debug1, "a stack that a program prints of itself"},
    {"panic-caught", form_debug0, "a stack that a program prints of itself"},
    {"fuzz-target-panicked", form_debug1, "a stack that testing prints"},
    {"fuzz-target-panicked", form_debug0, "a stack that testing prints"},
    {"panic-handle-crash", form_debug1, "a stack that a program prints"},
    {"panic-handle-crash", form_debug0, "a stack that a program prints"},
    {"fatal-logged", form_debug1, "stacks that a program prints of itself"},
    {"fatal-logged", form_debug0, "stacks that a program prints of itself"},
    {"stack-printed", form_debug1, "a stack that a program prints of itself"},
    {"stack-printed", form_debug0, "a stack that a program prints of itself"},
    {"http-client-writers-growing", form_debug1, "one dump tells no growth"},
    {"http-client-writers-growing", form_debug0, "one dump tells no growth"},
    {"http-server-requests-growing", form_debug1, "one dump tells no growth"},
    {"http-server-requests-growing", form_debug0, "one dump tells no growth"},
    {"http-client-in-use", form_debug1, "it counts for another rule"},
    {"http-client-in-use", form_debug0, "it counts for another rule"},
    {"gc-assist", form_debug1, "hidden among frames of the runtime"},
    {"gc-queue", form_debug1, "hidden among frames of the runtime"},
    {"chan-operation-blocked", form_debug0, "debug=0 names the operation"},
    {"goroutines-not-started", form_debug0, "its tests are texts of debug=1"},
    {"parked-unknown", form_debug0, "debug=0 names the wait"},
};

/* Whether a test expects goroutines of its own rule. */
static bool is_positive(const struct rule *rule, const struct rule_test *test)
{
    for (size_t i = 0; i < test->n_expect; i++) {
        if (!test->expect[i].rule.len ||
            str_equal(test->expect[i].rule, rule->info.id))
            return true;
    }
    return false;
}

/* Whether a tier of the rule holds in a dump, or it sets something aside. */
static bool fires_in(const struct rule *rule, struct reading *reading,
                     struct str bytes)
{
    struct analysis *analysis = NULL;
    struct findings *findings = NULL;
    struct cprof_error err = {0};
    bool fires = false;

    if (reading_add_bytes(reading, bytes, 0) != 0)
        fail_msg("%s: %s", rule->info.id.ptr, reading->err.message);
    assert_int_equal(analysis_new(&analysis, reading->snapshots, &err), 0);
    assert_int_equal(rules_judge(rules, analysis, &findings, &err), 0);
    for (size_t i = 0; i < findings_count(findings); i++) {
        const struct finding *finding = findings_get(findings, i);

        fires = fires || (finding->rule == &rule->info && !finding->is_mention);
    }
    for (size_t i = 0; i < analysis_n_groups(analysis); i++)
        fires = fires || (rule->info.class == CLASS_NORMAL &&
                          findings_owner(findings, i) == &rule->info);
    findings_free(findings);
    analysis_free(analysis);
    return fires;
}

/* Whether a rule fires for the last dump of one of its tests in another form; a
 * dump that is no list of stacks is what it is. */
static bool test_fires(const struct rule *rule, const struct rule_test *test,
                       form_fn *form)
{
    struct reading before;
    struct reading after;
    struct buf text = {0};
    struct cprof_error err = {0};
    const struct snapshot *snapshot;
    bool is_debug1;
    bool fires;

    reading_init(&before);
    reading_init(&after);
    assert_int_equal(rule_test_dump(rule, test, &text, &err), 0);
    assert_int_equal(reading_add_bytes(&before, buf_str(&text), 0), 0);
    snapshot = reading_snapshot(&before, before.snapshots->count - 1);
    is_debug1 = strcmp(snapshot_info_get(snapshot)->format, "debug1") == 0;
    if (!is_debug1) {
        buf_clear(&text);
        form(&text, snapshot);
    }
    assert_int_equal(rules_assume_go(rules, test->go, &err), 0);
    fires = (!is_debug1 || form == form_debug1) &&
            fires_in(rule, &after, buf_str(&text));
    reading_done(&before);
    reading_done(&after);
    buf_done(&text);
    return fires;
}

static bool rule_fires(const struct rule *rule, form_fn *form)
{
    for (const struct rule_test *test = rule->tests; test; test = test->next) {
        if (is_positive(rule, test) && test_fires(rule, test, form))
            return true;
    }
    return false;
}

static const char *reason_of(const struct rule *rule, form_fn *form)
{
    if (rule->match.crash.count)
        return "a process that died";
    for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++) {
        if (silent[i].form == form &&
            str_equal(str_from(silent[i].rule), rule->info.id))
            return silent[i].reason;
    }
    return NULL;
}

/* Compares what every rule does with the list; returns how many fire. */
static size_t check_form(const char *name, form_fn *form)
{
    size_t fired = 0;
    size_t wrong = 0;

    for (size_t i = 0; i < rules_count(rules); i++) {
        const struct rule *rule = rules_get(rules, i);
        bool fires = rule_fires(rule, form);
        const char *reason = reason_of(rule, form);

        fired += fires;
        if (fires == !reason)
            continue;
        wrong++;
        print_message("%s: %s %s\n", rule->info.id.ptr,
                      fires ? "fires, though listed as silent, in"
                            : "is silent, and not listed, in",
                      name);
    }
    assert_int_equal(wrong, 0);
    return fired;
}

static void rules_find_in_debug1_what_they_find_in_stacks(void **state)
{
    (void)state;
    assert_true(check_form("debug=1", form_debug1) > 350);
}

static void rules_find_in_debug0_what_they_find_in_stacks(void **state)
{
    (void)state;
    assert_true(check_form("debug=0", form_debug0) > 350);
}

static int setup(void **state)
{
    struct cprof_error err = {0};

    (void)state;
    budget_init(&budget, 0);
    if (rules_new(&rules, &budget, &err) != 0)
        return -1;
    rules_keep_details(rules);
    return rules_load_builtin(rules, &err);
}

static int teardown(void **state)
{
    (void)state;
    rules_free(rules);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_find_in_debug1_what_they_find_in_stacks),
        cmocka_unit_test(rules_find_in_debug0_what_they_find_in_stacks),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}

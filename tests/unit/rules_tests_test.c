#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rules/rule_test.h"
#include "support/loading.h"
#include "support/reading.h"

#include <cmocka.h>

static struct loading loading;
static struct reading reading;
static struct analysis *analysis;
static struct findings *findings;

static int set_up(void **state)
{
    (void)state;
    loading_init(&loading);
    reading_init(&reading);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    findings_free(findings);
    analysis_free(analysis);
    findings = NULL;
    analysis = NULL;
    reading_done(&reading);
    loading_done(&loading);
    return 0;
}

/* A rule with tests, which begin on line 7. */
#define RULE                                                                   \
 "version: 1\nrules:\n- id: a\n  title: T\n"                                   \
 "  match: {any: '^main\\.a', state: chan send}\n"                             \
 "  when: [{severity: high, count: '>=10'}, {severity: low}]\n"

/* Loads tests of the rule and gives the first. */
static const struct rule_test *load_test(const char *tests)
{
    struct buf text = {0};

    buf_addf(&text, RULE "%s", tests);
    assert_string_equal(loading_check(&loading, text.ptr), "");
    buf_done(&text);
    return loading_rule(&loading, "a")->tests;
}

/* Makes the dump of a test and reads it. */
static void read_dump(const struct rule_test *test)
{
    struct buf dump = {0};

    assert_int_equal(
        rule_test_dump(loading_rule(&loading, "a"), test, &dump, &loading.err),
        0);
    assert_true(reading_add(&reading, dump.ptr) >= 0);
    assert_string_equal(reading_codes(&reading), "");
    buf_done(&dump);
}

/* Whether a test holds, and what is missing or too much otherwise. */
static bool holds(const struct rule_test *test,
                  const struct test_expect **ret_missing,
                  const struct finding **ret_extra)
{
    read_dump(test);
    assert_int_equal(analysis_new(&analysis, reading.snapshots, &loading.err),
                     0);
    assert_int_equal(
        rules_judge(loading.rules, analysis, &findings, &loading.err), 0);
    return rule_test_holds(loading_rule(&loading, "a"), test, findings,
                           reading.snapshots->symbols, ret_missing, ret_extra);
}

static void stacks_become_a_dump_that_the_readers_read(void **state)
{
    const struct rule_test *test =
        load_test("  tests:\n  - name: t\n    expect: []\n    stacks:\n"
                  "    - {count: 2, state: chan send, age: 10m, frames: "
                  "['main.a a.go:7', 'x.com/y/z.(*T).b'], created_by: "
                  "main.main, labels: {k: 'v w', l: m}, locked: true}\n"
                  "    - {state: sync.Mutex.Lock, frames: [sync.Lock], leaked: "
                  "true}\n");

    (void)state;
    read_dump(test);
    assert_string_equal(
        reading_groups(&reading),
        "2 chan send: main.a /src/a.go:7, x.com/y/z.(*T).b "
        "/src/x.com/y/z/z.go:11; by main.main /src/main/main.go:12\n"
        "1 sync.Mutex.Lock: sync.Lock /usr/local/go/src/sync/sync.go:10\n");
    assert_non_null(strstr(reading_everything(&reading), "\n  label k v w:2 "));
    assert_non_null(strstr(reading_everything(&reading),
                           "leaked 0 locked 2 ids 2 1-2 waits 2 12-12"));
    assert_non_null(strstr(reading_everything(&reading), "leaked 1 locked 0"));
}

static void a_total_is_filled_up_with_idle_goroutines(void **state)
{
    const struct rule_test *test =
        load_test("  tests: [{name: t, expect: [], total: 50, stacks: "
                  "[{count: 10, state: chan send, frames: [main.a]}]}]\n");

    (void)state;
    read_dump(test);
    assert_int_equal(reading_total(&reading), 50);
}

static void each_size_is_a_test_with_the_same_stacks(void **state)
{
    const struct rule_test *test = load_test(
        "  tests:\n"
        "  - name: ten\n"
        "    stacks:\n"
        "    - {count: 10, state: chan send, age: 5m, frames: [m.a]}\n"
        "    - {count: 2, state: select, frames: [m.b]}\n"
        "    expect: [{severity: low}]\n"
        "    sizes:\n"
        "    - {count: 40, age: 1h, total: 90, severity: high}\n"
        "    - {severity: low}\n");

    (void)state;
    assert_string_equal(test->next->name.ptr, "ten, 40 of them, for 1h");
    assert_int_equal(test->next->line, 14);
    assert_int_equal(test->next->stacks[0].count, 40);
    assert_int_equal(test->next->stacks[0].age_s, 3600);
    assert_int_equal(test->next->stacks[1].count, 2);
    assert_int_equal(test->next->n_expect, 1);
    assert_int_equal(test->next->expect[0].severity, CPROF_SEVERITY_HIGH);
    assert_string_equal(test->next->expect[0].rule.ptr, "a");
    read_dump(test->next);
    assert_int_equal(reading_total(&reading), 90);
    test = test->next->next;
    assert_int_equal(test->stacks[0].count, 10);
    assert_false(test->stacks[0].has_age);
    assert_null(test->next);
}

static void a_dump_is_taken_as_it_is(void **state)
{
    const struct rule_test *test =
        load_test("  tests:\n  - name: t\n    expect: []\n    dump: |\n"
                  "      goroutine profile: total 3\n      3 @ 0x1 0x2\n"
                  "      #\t0x1\tmain.a+0x1\t/a.go:1\n\n");

    (void)state;
    read_dump(test);
    assert_int_equal(reading_total(&reading), 3);
}

static void a_file_lies_beside_its_rules(void **state)
{
    char folder[] = "/tmp/rules_tests.XXXXXX";
    struct buf path = {0};
    const struct rule *rule;
    struct buf dump = {0};
    FILE *file;

    (void)state;
    assert_non_null(mkdtemp(folder));
    buf_addf(&path, "%s/dump.txt", folder);
    file = fopen(path.ptr, "w");
    assert_non_null(file);
    fputs("goroutine 1 [running]:\n", file);
    fclose(file);
    buf_clear(&path);
    buf_addf(&path, "%s/r.yaml", folder);
    assert_int_equal(
        rules_load_text(loading.rules, path.ptr,
                        STR(RULE "  tests:\n"
                                 "  - {name: t, file: dump.txt, expect: []}\n"
                                 "  - {name: u, file: none.txt, expect: []}\n"),
                        &loading.err),
        0);
    rule = loading_rule(&loading, "a");
    assert_int_equal(rule_test_dump(rule, rule->tests, &dump, &loading.err), 0);
    assert_string_equal(dump.ptr, "goroutine 1 [running]:\n");
    assert_int_equal(
        rule_test_dump(rule, rule->tests->next, &dump, &loading.err),
        CPROF_EIO);
    buf_clear(&path);
    buf_addf(&path, "%s/dump.txt", folder);
    assert_int_equal(unlink(path.ptr), 0);
    assert_int_equal(rmdir(folder), 0);
    buf_done(&path);
    buf_done(&dump);
}

static void a_test_holds_when_all_is_as_expected(void **state)
{
    const struct test_expect *missing = NULL;
    const struct finding *extra = NULL;

    (void)state;
    assert_true(holds(
        load_test("  tests: [{name: t, expect: [{severity: high, count: 12, "
                  "confidence: medium, site: main.a}], stacks: [{count: 12, "
                  "state: chan send, frames: [main.a]}]}]\n"),
        &missing, &extra));
    assert_null(missing);
    assert_null(extra);
}

static void what_is_missing_and_what_is_too_much_is_told(void **state)
{
    const struct test_expect *missing = NULL;
    const struct finding *extra = NULL;

    (void)state;
    assert_false(holds(
        load_test("  tests: [{name: t, expect: [{severity: low}, {count: 13}], "
                  "stacks: [{count: 12, state: chan send, frames: [main.a]}, "
                  "{count: 2, state: chan send, frames: [main.ab]}]}]\n"),
        &missing, &extra));
    assert_true(missing && missing->count == 13);
    assert_int_equal(missing->line, 7);
    assert_true(extra && extra->count == 12);
}

static void expectations_are_paired_whatever_their_order(void **state)
{
    const struct test_expect *missing = NULL;
    const struct finding *extra = NULL;

    (void)state;
    /* The first could take either finding, the second only one. */
    assert_true(holds(
        load_test("  tests: [{name: t, expect: [{}, {count: 12}], "
                  "stacks: [{count: 12, state: chan send, frames: [main.a]}, "
                  "{count: 2, state: chan send, frames: [main.ab]}]}]\n"),
        &missing, &extra));
}

static void a_rule_may_be_expected_to_stay_silent(void **state)
{
    const struct test_expect *missing = NULL;
    const struct finding *extra = NULL;

    (void)state;
    assert_false(holds(load_test("  tests: [{name: t, expect: [], stacks: "
                                 "[{state: chan send, frames: [main.a]}]}]\n"),
                       &missing, &extra));
    assert_null(missing);
    assert_non_null(extra);
}

static void a_normal_rule_is_expected_to_set_aside(void **state)
{
    static const struct {
        const char *expect;
        bool holds;
    } cases[] = {
        {"[{}]", true},          {"[{count: 4}]", true},
        {"[{count: 5}]", false}, {"[{severity: low}]", false},
        {"[]", false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct test_expect *missing = NULL;
        const struct finding *extra = NULL;
        struct buf text = {0};

        tear_down(state);
        set_up(state);
        buf_addf(&text,
                 "version: 1\nrules:\n- id: a\n  title: T\n  class: normal\n"
                 "  match: {leaf: main}\n  tests: [{name: t, expect: %s, "
                 "stacks: [{count: 4, state: select, frames: [main.a]}]}]\n",
                 cases[i].expect);
        assert_string_equal(loading_check(&loading, text.ptr), "");
        buf_done(&text);
        assert_int_equal(
            holds(loading_rule(&loading, "a")->tests, &missing, &extra),
            cases[i].holds);
    }
}

static void analyze_has_no_use_for_tests(void **state)
{
    struct rules *rules = NULL;

    (void)state;
    assert_int_equal(rules_new(&rules, &loading.budget, &loading.err), 0);
    assert_int_equal(rules_load_text(rules, "r.yaml",
                                     STR(RULE "  tests: nonsense\n"),
                                     &loading.err),
                     0);
    assert_null(rules_find(rules, STR("a"))->tests);
    rules_free(rules);
}

static void mistakes_say_what_to_change(void **state)
{
    static const struct {
        const char *test;
        const char *problem;
    } wrongs[] = {
        {"{expect: [], dump: x}", "7:12 a test needs a key 'name'\n"},
        {"{name: t, dump: x}", "7:12 a test needs a key 'expect'\n"},
        {"{name: t, expect: []}",
         "7:12 a test needs one of 'dump', 'file' and 'stacks'\n"},
        {"{name: t, expect: [], dump: x, file: y}",
         "7:12 a test needs one of 'dump', 'file' and 'stacks'\n"},
        {"{name: t, expect: [], dump: x, total: 5}",
         "7:42 'total' goes with 'stacks' only\n"},
        {"{name: t, expect: [], dump: x, sizes: [{severity: low}]}",
         "7:42 'sizes' goes with 'stacks' only\n"},
        {"{name: t, expect: [], total: 1, stacks: [{count: 2, state: select, "
         "frames: [f]}]}",
         "7:40 the stacks alone are 2 goroutines\n"},
        {"{name: t, expect: [], stacks: [{count: 100001, state: select, "
         "frames: [f]}]}",
         "7:50 at most 100000 goroutines are made for a test; give a debug=1 "
         "dump as 'dump' for more\n"},
        {"{name: t, expect: [], stacks: [{state: selct, frames: [f]}]}",
         "7:50 unknown state 'selct' (did you mean 'select'?)\n"},
        {"{name: t, expect: [], stacks: [{state: unknown, frames: [f]}]}",
         "7:50 no goroutine header says 'unknown'; give a debug=1 dump as "
         "'dump'\n"},
        {"{name: t, expect: [], stacks: [{state: select, frames: [f], age: "
         "old}]}",
         "7:76 'age' must be a duration such as 10m, not a text\n"},
        {"{name: t, expect: [], stacks: [{state: select, frames: [f], "
         "labels: k}]}",
         "7:79 'labels' must be a mapping such as {tenant: acme}, not a "
         "text\n"},
        {"{name: t, expect: [{severity: ok}], dump: x}",
         "7:41 'severity' must be info, low, medium, high or critical, not "
         "'ok'\n"},
        {"{name: t, expect: none, dump: x}",
         "7:29 'expect' must be a list of findings such as {severity: high, "
         "count: 1200}, or [] for none, not a text\n"},
        {"{name: t, go: new, expect: [], dump: x}",
         "7:25 'go' must be a version of Go such as \"1.26\", not a text\n"},
    };
    struct buf text = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
        buf_clear(&text);
        buf_addf(&text, RULE "  tests: [%s]\n", wrongs[i].test);
        assert_string_equal(loading_check(&loading, text.ptr),
                            wrongs[i].problem);
    }
    buf_done(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(stacks_become_a_dump_that_the_readers_read),
        TEST(a_total_is_filled_up_with_idle_goroutines),
        TEST(each_size_is_a_test_with_the_same_stacks),
        TEST(a_dump_is_taken_as_it_is),
        TEST(a_file_lies_beside_its_rules),
        TEST(a_test_holds_when_all_is_as_expected),
        TEST(what_is_missing_and_what_is_too_much_is_told),
        TEST(expectations_are_paired_whatever_their_order),
        TEST(a_rule_may_be_expected_to_stay_silent),
        TEST(a_normal_rule_is_expected_to_set_aside),
        TEST(analyze_has_no_use_for_tests),
        TEST(mistakes_say_what_to_change),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include "rules/rule.h"
#include "support/judging.h"

#include <cmocka.h>

static struct judging judging;

static int set_up(void **state)
{
    (void)state;
    judging_init(&judging);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    judging_done(&judging);
    return 0;
}

static void add(struct snapshot *snapshot, const char *frame, uint64_t count)
{
    struct sample sample = {
        .count = count, .state = "chan send", .frames = {frame}};

    reporting_add(snapshot, &sample);
}

/* Rule r on main.a with a `with`, and rules b (from 3 goroutines on) and c on
 * main.b and main.c. */
static void add_rules(const char *with)
{
    struct buf text = {0};

    buf_addf(&text,
             "- id: r\n  title: T\n  match: {leaf: '^main\\.a'}\n"
             "  with: %s\n  when: [{severity: high}]\n"
             "- id: b\n  title: T\n  match: {leaf: '^main\\.b'}\n"
             "  when: [{severity: info, count: '>=3'}]\n"
             "- id: c\n  title: T\n  match: {leaf: '^main\\.c'}\n"
             "  when: [{severity: info}]\n",
             with);
    judging_rules(&judging, text.ptr);
    buf_done(&text);
}

/* Whether r finds its goroutine beside so many at main.b and main.c. */
static bool is_found(const char *with, uint64_t b, uint64_t c)
{
    struct snapshot *snapshot;

    judging_done(&judging);
    judging_init(&judging);
    add_rules(with);
    snapshot = judging_instance(&judging);
    add(snapshot, "main.a|a.go:1", 1);
    if (b)
        add(snapshot, "main.b|b.go:1", b);
    if (c)
        add(snapshot, "main.c|c.go:1", c);
    judging_judge(&judging);
    return judging_owner(&judging, "main.a")[0] == 'r';
}

static void another_rule_must_find_something(void **state)
{
    (void)state;
    assert_false(is_found("{any_of: b}", 0, 0));
    assert_false(is_found("{any_of: b}", 2, 0));
    assert_true(is_found("{any_of: b}", 3, 0));
    assert_true(is_found("{any_of: [b, c]}", 0, 1));
    assert_false(is_found("{all_of: [b, c]}", 0, 1));
    assert_true(is_found("{all_of: [b, c]}", 3, 1));
    assert_true(is_found("{none_of: [b, c]}", 2, 0));
    assert_false(is_found("{none_of: [b, c]}", 3, 0));
    assert_false(is_found("{all_of: b, none_of: c}", 3, 1));
}

static void a_rule_is_found_whoever_gets_its_goroutines(void **state)
{
    struct snapshot *snapshot;

    (void)state;
    judging_rules(&judging,
                  "- id: loud\n  title: T\n  match: {leaf: '^main\\.b'}\n"
                  "  when: [{severity: critical}]\n");
    add_rules("{any_of: b}");
    snapshot = judging_instance(&judging);
    add(snapshot, "main.a|a.go:1", 1);
    add(snapshot, "main.b|b.go:1", 3);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "loud critical 3\nr high 1\n");
}

static void normal_goroutines_are_seen_by_normal_rules_only(void **state)
{
    static const char normal[] = "- {id: n, title: T, class: normal, match: "
                                 "{leaf: '^main\\.b'}}\n";
    struct snapshot *snapshot;

    for (int i = 0; i < 2; i++) {
        judging_done(&judging);
        set_up(state);
        judging_rules(&judging, normal);
        add_rules(i ? "{any_of: n}" : "{any_of: b}");
        snapshot = judging_instance(&judging);
        add(snapshot, "main.a|a.go:1", 1);
        add(snapshot, "main.b|b.go:1", 3);
        judging_judge(&judging);
        assert_string_equal(judging_text(&judging), i ? "r high 1\n" : "");
    }
}

static void it_is_the_same_snapshot_that_counts(void **state)
{
    struct snapshot *snapshot;

    (void)state;
    add_rules("{any_of: c}");
    snapshot = judging_instance(&judging);
    add(snapshot, "main.a|a.go:1", 1);
    snapshot = judging_instance(&judging);
    add(snapshot, "main.c|c.go:1", 1);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "c info 1\n");
}

static void a_circle_ends_and_finds_nothing(void **state)
{
    struct snapshot *snapshot;

    (void)state;
    judging_rules(&judging,
                  "- id: p\n  title: T\n  match: {leaf: '^main\\.a'}\n"
                  "  with: {any_of: q}\n  when: [{severity: low}]\n"
                  "- id: q\n  title: T\n  match: {leaf: '^main\\.b'}\n"
                  "  with: {any_of: p}\n  when: [{severity: low}]\n");
    snapshot = judging_instance(&judging);
    add(snapshot, "main.a|a.go:1", 1);
    add(snapshot, "main.b|b.go:1", 1);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "");
}

static void a_chain_of_rules_is_asked_from_its_end(void **state)
{
    struct snapshot *snapshot;

    (void)state;
    judging_rules(&judging,
                  "- id: p\n  title: T\n  match: {leaf: '^main\\.a'}\n"
                  "  with: {any_of: q}\n  when: [{severity: low}]\n"
                  "- id: q\n  title: T\n  match: {leaf: '^main\\.b'}\n"
                  "  with: {any_of: s}\n  when: [{severity: low}]\n"
                  "- id: s\n  title: T\n  match: {leaf: '^main\\.c'}\n"
                  "  when: [{severity: low}]\n");
    snapshot = judging_instance(&judging);
    add(snapshot, "main.a|a.go:1", 1);
    add(snapshot, "main.b|b.go:1", 1);
    add(snapshot, "main.c|c.go:1", 1);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "p low 1\nq low 1\ns low 1\n");
}

static void a_rule_that_is_switched_off_is_not_found(void **state)
{
    struct cprof_error err = {0};
    struct snapshot *snapshot;

    (void)state;
    add_rules("{any_of: c}");
    assert_int_equal(rules_disable(judging.rules, STR("c"), &err), 0);
    snapshot = judging_instance(&judging);
    add(snapshot, "main.a|a.go:1", 1);
    add(snapshot, "main.c|c.go:1", 1);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "");
}

static void a_rule_that_is_not_there_is_named(void **state)
{
    struct cprof_error err = {0};

    (void)state;
    add_rules("{any_of: cc}");
    assert_int_equal(rules_link(judging.rules, true, &err), 0);
    assert_int_equal(rules_link(judging.rules, false, &err), CPROF_ERULE);
    assert_string_equal(err.message,
                        "rule 'r' speaks of a rule 'cc', which does not exist "
                        "(did you mean 'c'?)");
    assert_string_equal(err.source, "test.yaml");
    assert_int_equal(err.line, 3);
}

static void exceptions_are_not_taken(void **state)
{
    struct snapshot *snapshot;

    (void)state;
    judging_rules(&judging,
                  "- id: r\n  title: T\n  match: {state: chan send}\n"
                  "  exceptions:\n"
                  "  - {name: one, leaf: '^main\\.a', state: select}\n"
                  "  - {name: two, leaf: '^main\\.b'}\n"
                  "  - {name: three, leaf: '^main\\.c', not: {any: main}}\n"
                  "  when: [{severity: low}]\n");
    snapshot = judging_instance(&judging);
    add(snapshot, "main.a|a.go:1", 1);
    add(snapshot, "main.b|b.go:1", 2);
    add(snapshot, "main.c|c.go:1", 3);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "r low 3\nr low 1\n");
}

static void a_state_may_have_to_be_known(void **state)
{
    struct sample sample = {.count = 2, .frames = {"main.a|a.go:1"}};

    (void)state;
    judging_rules(&judging,
                  "- id: sure\n  title: T\n"
                  "  match: {leaf: main, state: select, state_required: true}\n"
                  "  when: [{severity: high}]\n"
                  "- id: perhaps\n  title: T\n"
                  "  match: {leaf: main, state: select}\n"
                  "  when: [{severity: low}]\n");
    reporting_add(judging_instance(&judging), &sample);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "perhaps low 2\n");
}

static void versions_of_go_are_held_to_their_range(void **state)
{
    static const struct {
        const char *version;
        bool is_found;
    } cases[] = {{"", true},         {"go1.20.5", false},  {"go1.21", true},
                 {"go1.23.1", true}, {"go1.24rc1", false}, {"devel", true}};
    struct cprof_error err = {0};
    struct snapshot *snapshot;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        judging_done(&judging);
        set_up(state);
        judging_rules(&judging, "- {id: r, title: T, go: '>=1.21 <1.24', when: "
                                "[{severity: low}]}\n");
        snapshot = judging_instance(&judging);
        snapshot_info(snapshot)->go_version = str_from(cases[i].version);
        add(snapshot, "main.a|a.go:1", 1);
        judging_judge(&judging);
        assert_string_equal(judging_text(&judging),
                            cases[i].is_found ? "r low 1\n" : "");
    }
    snapshot_info(snapshot)->go_version = STR("");
    assert_int_equal(rules_assume_go(judging.rules, STR("1.24"), &err), 0);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "");
    assert_int_equal(rules_assume_go(judging.rules, STR("x"), &err),
                     CPROF_EUSAGE);
    assert_string_equal(err.message,
                        "'x' is no version of Go, expected such as 1.26");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(another_rule_must_find_something),
        TEST(a_rule_is_found_whoever_gets_its_goroutines),
        TEST(normal_goroutines_are_seen_by_normal_rules_only),
        TEST(it_is_the_same_snapshot_that_counts),
        TEST(a_circle_ends_and_finds_nothing),
        TEST(a_chain_of_rules_is_asked_from_its_end),
        TEST(a_rule_that_is_switched_off_is_not_found),
        TEST(a_rule_that_is_not_there_is_named),
        TEST(exceptions_are_not_taken),
        TEST(a_state_may_have_to_be_known),
        TEST(versions_of_go_are_held_to_their_range),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

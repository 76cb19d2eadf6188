/* The key `crash` of rules: who owns the goroutine that a crash speaks of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

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

/* An instance that died: 5 goroutines at main.a, its first group, of which the
 * crash speaks, and 5 at main.b. */
static void add_crash(struct crash *crash, enum crash_kind kind,
                      const char *reason)
{
    struct snapshot *snapshot = judging_instance(&judging);

    judging_senders(snapshot, "main.a|a.go:1", 5);
    judging_senders(snapshot, "main.b|b.go:1", 5);
    *crash = (struct crash){.kind = kind,
                            .reason = symbols_text_put(
                                snapshot_symbols(snapshot), str_from(reason)),
                            .has_goroutine = true,
                            .n_groups = 1};
    snapshot_info(snapshot)->crash = crash;
}

#define RULE                                                                   \
 "- id: died\n"                                                                \
 "  title: T\n"                                                                \
 "  match: {crash: '^fatal error: concurrent'}\n"                              \
 "  when: [{severity: high}]\n"

static void a_rule_gets_the_goroutine_that_the_crash_speaks_of(void **state)
{
    struct crash crash;

    (void)state;
    judging_rules(&judging, RULE);
    add_crash(&crash, CRASH_PANIC, "fatal error: concurrent map writes");
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "died high 5\n");
    assert_string_equal(judging_owner(&judging, "main.a"), "died");
    assert_string_equal(judging_owner(&judging, "main.b"), "");
    assert_int_equal(findings_get(judging.findings, 0)->confidence,
                     CONFIDENCE_MEDIUM);
}

static void another_reason_is_none_of_the_rules(void **state)
{
    struct crash crash;

    (void)state;
    judging_rules(&judging, RULE);
    add_crash(&crash, CRASH_FATAL, "fatal error: stack overflow");
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "");
}

static void without_a_crash_the_rule_is_silent(void **state)
{
    (void)state;
    judging_rules(&judging, RULE);
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 5);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "");
}

static void a_fatal_error_is_proven(void **state)
{
    struct crash crash;

    (void)state;
    judging_rules(&judging, RULE);
    add_crash(&crash, CRASH_FATAL, "fatal error: concurrent map writes");
    judging_judge(&judging);
    assert_int_equal(findings_get(judging.findings, 0)->confidence,
                     CONFIDENCE_PROVEN);
}

static void a_fatal_error_proves_nothing_for_rules_about_states(void **state)
{
    struct crash crash;

    (void)state;
    judging_rules(&judging, "- id: senders\n"
                            "  title: T\n"
                            "  match: {state: chan send}\n"
                            "  when: [{severity: low}]\n");
    add_crash(&crash, CRASH_FATAL, "fatal error: concurrent map writes");
    judging_judge(&judging);
    assert_int_equal(findings_get(judging.findings, 0)->confidence,
                     CONFIDENCE_MEDIUM);
}

static void where_a_process_died_is_never_normal(void **state)
{
    struct crash crash;

    (void)state;
    judging_rules(&judging, RULE "- id: idle\n"
                                 "  title: T\n"
                                 "  class: normal\n"
                                 "  match: {any: '^main\\.main$'}\n");
    add_crash(&crash, CRASH_FATAL, "fatal error: concurrent map writes");
    judging_judge(&judging);
    assert_string_equal(judging_owner(&judging, "main.a"), "died");
    assert_string_equal(judging_owner(&judging, "main.b"), "idle");
}

static void not_may_name_a_crash(void **state)
{
    struct crash crash;

    (void)state;
    judging_rules(&judging, "- id: alive\n"
                            "  title: T\n"
                            "  match: {any: main, not: {crash: '.'}}\n"
                            "  when: [{severity: low}]\n");
    add_crash(&crash, CRASH_PANIC, "panic: x");
    judging_judge(&judging);
    assert_string_equal(judging_owner(&judging, "main.a"), "");
    assert_string_equal(judging_owner(&judging, "main.b"), "alive");
}

static void one_of_several_instances_that_died_is_enough(void **state)
{
    struct crash first;
    struct crash second;

    (void)state;
    judging_rules(&judging, RULE);
    add_crash(&first, CRASH_FATAL, "fatal error: concurrent map writes");
    add_crash(&second, CRASH_PANIC, "panic: x");
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "died high 10\n");
}

static void a_pattern_may_ask_for_a_later_line(void **state)
{
    struct crash crash;

    (void)state;
    judging_rules(&judging, "- id: died\n"
                            "  title: T\n"
                            "  match: {crash: '(?m)^\\[signal SIGBUS'}\n"
                            "  when: [{severity: high}]\n");
    add_crash(&crash, CRASH_PANIC, "panic: x\n[signal SIGBUS: bus error]");
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "died high 5\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_rule_gets_the_goroutine_that_the_crash_speaks_of),
        TEST(another_reason_is_none_of_the_rules),
        TEST(without_a_crash_the_rule_is_silent),
        TEST(a_fatal_error_is_proven),
        TEST(a_fatal_error_proves_nothing_for_rules_about_states),
        TEST(where_a_process_died_is_never_normal),
        TEST(not_may_name_a_crash),
        TEST(one_of_several_instances_that_died_is_enough),
        TEST(a_pattern_may_ask_for_a_later_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

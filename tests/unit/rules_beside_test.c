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
    judging_rules(&judging, "- id: stuck\n"
                            "  title: T\n"
                            "  match: {leaf: '^main\\.[ab]$'}\n"
                            "  when:\n"
                            "  - {severity: high, share: '>=50%'}\n"
                            "  - {severity: low}\n");
    judging_builtin_rules(&judging, "- id: watch\n"
                                    "  title: T\n"
                                    "  class: normal\n"
                                    "  beside: true\n"
                                    "  match: {leaf: '^main\\.watch$'}\n"
                                    "- id: idle\n"
                                    "  title: T\n"
                                    "  class: normal\n"
                                    "  match: {leaf: '^main\\.idle$'}\n");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    judging_done(&judging);
    return 0;
}

static void a_share_leaves_out_what_stands_beside_others(void **state)
{
    struct snapshot *snapshot = judging_instance(&judging);

    (void)state;
    judging_senders(snapshot, "main.a|a.go:1", 50);
    judging_senders(snapshot, "main.b|b.go:1", 50);
    judging_senders(snapshot, "main.watch|w.go:1", 100);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging),
                        "stuck high 50\nstuck high 50\n");
}

static void a_share_is_of_all_else_that_is_normal(void **state)
{
    struct snapshot *snapshot = judging_instance(&judging);

    (void)state;
    judging_senders(snapshot, "main.a|a.go:1", 50);
    judging_senders(snapshot, "main.watch|w.go:1", 50);
    judging_senders(snapshot, "main.idle|i.go:1", 51);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "stuck low 50\n");
}

/* Each instance has its own. */
static void a_share_is_of_the_snapshot(void **state)
{
    struct snapshot *first = judging_instance(&judging);
    struct snapshot *second = judging_instance(&judging);

    (void)state;
    judging_senders(first, "main.watch|w.go:1", 100);
    judging_senders(first, "main.idle|i.go:1", 10);
    judging_senders(second, "main.a|a.go:1", 50);
    judging_senders(second, "main.idle|i.go:1", 51);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "stuck low 50\n");
}

/* What else is shown is not changed by it. */
static void the_share_of_a_finding_is_of_the_process(void **state)
{
    struct snapshot *snapshot = judging_instance(&judging);
    double share;

    (void)state;
    judging_senders(snapshot, "main.a|a.go:1", 50);
    judging_senders(snapshot, "main.watch|w.go:1", 150);
    judging_judge(&judging);
    share = findings_get(judging.findings, 0)->share;
    assert_true(share > 0.24 && share < 0.26);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_share_leaves_out_what_stands_beside_others),
        TEST(a_share_is_of_all_else_that_is_normal),
        TEST(a_share_is_of_the_snapshot),
        TEST(the_share_of_a_finding_is_of_the_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* How bad a finding of a comparison is: by its growth, or by what its rule says
 * of so many goroutines in one dump. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include "analysis/growth_sites.h"
#include "support/judging.h"

#include <cmocka.h>

static struct judging judging;

static int set_up(void **state)
{
    (void)state;
    judging_init(&judging);
    judging_rules(&judging, "- id: sends\n"
                            "  title: S\n"
                            "  match: {state: chan send}\n"
                            "  group_by: rule\n"
                            "  when:\n"
                            "    - {count: '>=300', severity: high}\n"
                            "    - {count: '>=10', severity: info}\n"
                            "- id: receives\n"
                            "  title: R\n"
                            "  match: {state: chan receive}\n"
                            "  when: [{count: '>=20', severity: high}]\n"
                            "- id: pool\n"
                            "  title: P\n"
                            "  match: {state: select}\n"
                            "  class: bad\n"
                            "  when:\n"
                            "    - {count: '>=20', age: '>=1m', severity: "
                            "high}\n"
                            "- id: crowd\n"
                            "  title: C\n"
                            "  match: {state: sleep}\n"
                            "  class: bad\n"
                            "  when: [{count: '>=20', severity: high}]\n"
                            "- id: unread\n"
                            "  title: U\n"
                            "  match: {state: IO wait}\n"
                            "  class: bad\n"
                            "  when:\n"
                            "    - {count: '>=300', severity: low}\n"
                            "    - {count: '>=10', severity: info}\n");
    cprof_snapshots_compare(judging.base.snapshots);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    judging_done(&judging);
    return 0;
}

/* A moment with so many goroutines in main.a, with ids from one on, 0 = without
 * any. */
static struct snapshot *add_moment(const char *state, uint64_t count,
                                   uint64_t first_id)
{
    struct snapshot *snapshot = judging_instance(&judging);

    reporting_add(snapshot, &(struct sample){.count = count,
                                             .state = state,
                                             .frames = {"main.a|a.go:1"},
                                             .first_id = first_id});
    return snapshot;
}

static void add_senders_at(struct snapshot *snapshot, const char *frame,
                           uint64_t count)
{
    reporting_add(snapshot, &(struct sample){.count = count,
                                             .state = "chan send",
                                             .frames = {frame}});
}

static const char *judge(void)
{
    struct growth *growth = NULL;

    judging_analyse(&judging);
    assert_int_equal(growth_new(&growth, judging.analysis, NULL), 0);
    judging_judge(&judging);
    return judging_text(&judging);
}

static void what_grew_is_as_bad_as_its_rule_says(void **state)
{
    (void)state;
    add_moment("chan send", 100, 0);
    add_moment("chan send", 400, 0);
    assert_string_equal(judge(), "sends high 400\n");
    assert_int_equal(findings_get(judging.findings, 0)->tier, 0);
}

static void what_grew_is_as_bad_as_its_growth(void **state)
{
    (void)state;
    add_moment("chan send", 100, 0);
    add_moment("chan send", 250, 0);
    assert_string_equal(judge(), "sends low 250\n");
    assert_int_equal(findings_get(judging.findings, 0)->tier, 2);
}

/* A leak of eight moments is no less sure once its number is bad by itself. */
static void growth_makes_no_finding_less_sure(void **state)
{
    static const uint64_t lasts[] = {290, 300};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        for (uint64_t k = 0; k < 7; k++)
            add_moment("chan send", 100 + 25 * k, 1000);
        add_moment("chan send", lasts[i], 1000);
        (void)judge();
        assert_int_equal(findings_get(judging.findings, 0)->severity,
                         CPROF_SEVERITY_HIGH);
        assert_int_equal(findings_get(judging.findings, 0)->confidence,
                         CONFIDENCE_HIGH);
        judging_done(&judging);
        assert_int_equal(set_up(NULL), 0);
    }
}

/* What a rule of class bad speaks of has no healthy number, whatever the wait.
 * Where the rule itself finds nothing wrong, ids are as ever. */
static void what_is_bad_needs_no_more_than_ids(void **state)
{
    (void)state;
    add_moment("IO wait", 100, 1000);
    add_moment("IO wait", 400, 1000);
    assert_string_equal(judge(), "unread medium 400\n");
}

static void without_ids_what_is_bad_is_doubtful_too(void **state)
{
    (void)state;
    add_moment("IO wait", 100, 0);
    add_moment("IO wait", 400, 0);
    assert_string_equal(judge(), "unread low 400\n");
}

static void what_a_bad_rule_takes_for_healthy_is_doubtful(void **state)
{
    (void)state;
    add_moment("IO wait", 100, 1000);
    add_moment("IO wait", 250, 1000);
    assert_string_equal(judge(), "unread low 250\n");
}

static void what_did_not_grow_is_no_finding(void **state)
{
    (void)state;
    add_moment("chan send", 90000, 0);
    add_moment("chan send", 90000, 0);
    assert_string_equal(judge(), "");
}

static void what_passes_through_is_traffic(void **state)
{
    (void)state;
    add_moment("chan send", 100, 1000);
    add_moment("chan send", 400, 5000);
    assert_string_equal(judge(), "sends low 400\n");
}

static void a_few_more_do_not_bring_back_the_many(void **state)
{
    struct snapshot *snapshot;

    (void)state;
    add_moment("chan send", 5000, 0);
    snapshot = add_moment("chan send", 5000, 0);
    add_senders_at(snapshot, "main.b|b.go:1", 60);
    assert_string_equal(judge(), "sends low 5060\n");
}

static void an_idle_pool_stays_low(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct snapshot *snapshot = add_moment("chan receive", 40, 0);

        add_senders_at(snapshot, "main.moves|m.go:1", i % 2 ? 12 : 17);
    }
    assert_string_equal(judge(), "receives low 40\n");
}

/* Two moments, of which ages say that they are some minutes apart, with 400
 * goroutines that stay, and one that is new. */
static const char *judge_those_who_stay(const char *state)
{
    for (unsigned i = 0; i < 2; i++) {
        struct snapshot *snapshot = judging_instance(&judging);

        reporting_add(snapshot, &(struct sample){.count = 400,
                                                 .state = state,
                                                 .frames = {"main.a|a.go:1"},
                                                 .wait_min = 3 + i * 5,
                                                 .first_id = 1000});
        reporting_add(snapshot, &(struct sample){.count = 1,
                                                 .state = "running",
                                                 .frames = {"main.b|b.go:1"},
                                                 .first_id = 2000 + i});
    }
    return judge();
}

static void those_who_are_stuck_are_as_bad_as_their_rule_says(void **state)
{
    (void)state;
    assert_string_equal(judge_those_who_stay("chan send"), "sends high 400\n");
    assert_int_equal(findings_get(judging.findings, 0)->tier, 0);
    assert_int_equal(findings_unchanged(judging.findings), CPROF_SEVERITY_OK);
}

static void a_rule_may_say_that_a_wait_should_end(void **state)
{
    (void)state;
    assert_string_equal(judge_those_who_stay("select"), "pool high 400\n");
}

static void waits_that_may_last_are_no_finding(void **state)
{
    (void)state;
    assert_string_equal(judge_those_who_stay("chan receive"), "");
    assert_true(findings_unchanged(judging.findings) >= CPROF_SEVERITY_MEDIUM);
}

static void a_number_that_stays_is_no_finding(void **state)
{
    (void)state;
    assert_string_equal(judge_those_who_stay("sleep"), "");
    assert_true(findings_unchanged(judging.findings) >= CPROF_SEVERITY_MEDIUM);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(what_grew_is_as_bad_as_its_rule_says),
        TEST(what_grew_is_as_bad_as_its_growth),
        TEST(growth_makes_no_finding_less_sure),
        TEST(what_is_bad_needs_no_more_than_ids),
        TEST(without_ids_what_is_bad_is_doubtful_too),
        TEST(what_a_bad_rule_takes_for_healthy_is_doubtful),
        TEST(what_did_not_grow_is_no_finding),
        TEST(what_passes_through_is_traffic),
        TEST(a_few_more_do_not_bring_back_the_many),
        TEST(an_idle_pool_stays_low),
        TEST(those_who_are_stuck_are_as_bad_as_their_rule_says),
        TEST(a_rule_may_say_that_a_wait_should_end),
        TEST(waits_that_may_last_are_no_finding),
        TEST(a_number_that_stays_is_no_finding),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

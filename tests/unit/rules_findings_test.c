#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
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

static const struct finding *first_finding(void)
{
    assert_true(findings_count(judging.findings) > 0);
    return findings_get(judging.findings, 0);
}

/* Two stacks that stand at one line, and one at another. */
static void add_three_stacks(void)
{
    struct snapshot *snapshot = judging_instance(&judging);
    struct sample one = {
        .count = 3,
        .state = "select",
        .frames = {"main.wait|w.go:1", "main.a|a.go:1", "main.main|m.go:1"}};
    struct sample two = {
        .count = 4,
        .state = "select",
        .frames = {"main.wait|w.go:1", "main.b|b.go:1", "main.main|m.go:1"}};

    reporting_add(snapshot, &one);
    reporting_add(snapshot, &two);
    judging_senders(snapshot, "main.c|c.go:1", 5);
}

static void a_finding_collects_the_groups_of_a_site(void **state)
{
    (void)state;
    judging_rules(&judging, "- id: r\n"
                            "  title: T\n"
                            "  when: [{severity: low}]\n");
    add_three_stacks();
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "r low 7\nr low 5\n");
    assert_int_equal(first_finding()->n_groups, 2);
    assert_true(first_finding()->groups[0] < first_finding()->groups[1]);
    assert_int_not_equal(first_finding()->site, FRAME_NONE);
}

static void a_finding_collects_the_groups_of_a_stack(void **state)
{
    (void)state;
    judging_rules(&judging, "- id: r\n"
                            "  title: T\n"
                            "  group_by: stack\n"
                            "  when: [{severity: low}]\n");
    add_three_stacks();
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "r low 5\nr low 4\nr low 3\n");
}

static void a_finding_collects_all_groups_of_its_rule(void **state)
{
    (void)state;
    judging_rules(&judging, "- id: r\n"
                            "  title: T\n"
                            "  group_by: rule\n"
                            "  when: [{severity: low}]\n"
                            "  explain: '{state} at {site}'\n");
    add_three_stacks();
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "r low 12\n");
    assert_int_equal(first_finding()->site, FRAME_NONE);
    assert_int_equal(first_finding()->state, STATE_UNKNOWN);
    assert_string_equal(first_finding()->explain.ptr,
                        "several states at several places");
}

static void goroutines_without_frames_are_kept_apart_by_state(void **state)
{
    struct snapshot *snapshot = judging_instance(&judging);
    struct sample runnable = {.count = 3, .state = "runnable"};
    struct sample idle = {.count = 2, .state = "idle"};

    (void)state;
    judging_rules(&judging, "- id: r\n"
                            "  title: T\n"
                            "  explain: '{state} at {site}'\n"
                            "  when: [{severity: low}]\n");
    reporting_add(snapshot, &runnable);
    reporting_add(snapshot, &idle);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "r low 3\nr low 2\n");
    assert_string_equal(first_finding()->explain.ptr,
                        "runnable at an unknown place");
}

static const char state_rules[] =
    "- id: r\n"
    "  title: T\n"
    "  match: {state: [chan send, chan receive]}\n"
    "  confidence: high\n"
    "  when: [{severity: low}]\n"
    "- id: sure\n"
    "  title: T\n"
    "  confidence: high\n"
    "  when: [{severity: info}]\n";

static void a_state_inferred_from_addresses_lowers_confidence(void **state)
{
    (void)state;
    judging_rules(&judging, state_rules);
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 5);
    judging_analyse(&judging);
    judging_judge(&judging);
    assert_int_equal(first_finding()->confidence, CONFIDENCE_HIGH);
    judging_group(&judging, "main.a")->state_source = STATE_FROM_ADDRESSES;
    judging_judge(&judging);
    assert_int_equal(first_finding()->confidence, CONFIDENCE_MEDIUM);
    assert_int_equal(first_finding()->state_source, STATE_FROM_ADDRESSES);
}

static void a_rule_that_asks_for_no_state_keeps_its_confidence(void **state)
{
    (void)state;
    judging_rules(&judging, state_rules);
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 5);
    judging_analyse(&judging);
    judging_group(&judging, "main.a")->state = STATE_SLEEP;
    judging_group(&judging, "main.a")->state_source = STATE_FROM_ADDRESSES;
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "sure info 5\n");
    assert_int_equal(first_finding()->confidence, CONFIDENCE_HIGH);
}

static void confidence_never_falls_below_low(void **state)
{
    (void)state;
    judging_rules(&judging, "- id: r\n"
                            "  title: T\n"
                            "  match: {state: chan send}\n"
                            "  confidence: low\n"
                            "  when: [{severity: low}]\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 5);
    judging_analyse(&judging);
    judging_group(&judging, "main.a")->state_source = STATE_FROM_ADDRESSES;
    judging_judge(&judging);
    assert_int_equal(first_finding()->confidence, CONFIDENCE_LOW);
}

static void only_goroutines_that_are_all_leaked_are_proof(void **state)
{
    struct joined_extra *extra;

    (void)state;
    judging_rules(&judging, "- id: r\n"
                            "  title: T\n"
                            "  match: {leaked: true}\n"
                            "  explain: '{leaked} of {count}'\n"
                            "  when: [{severity: low}]\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 5);
    judging_analyse(&judging);
    extra = joined_extra_put(judging_group(&judging, "main.a"),
                             analysis_arena(judging.analysis));
    assert_non_null(extra);
    extra->leaked = 4;
    judging_judge(&judging);
    assert_int_equal(first_finding()->confidence, CONFIDENCE_MEDIUM);
    assert_string_equal(first_finding()->explain.ptr, "4 of 5");
    extra->leaked = 5;
    judging_judge(&judging);
    assert_int_equal(first_finding()->confidence, CONFIDENCE_PROVEN);
}

static void placeholders_are_filled_in(void **state)
{
    struct snapshot *snapshot = judging_instance(&judging);

    (void)state;
    judging_rules(&judging,
                  "- id: r\n"
                  "  title: Senders\n"
                  "  match: {site: colly}\n"
                  "  explain: >-\n"
                  "    {title}: {count} ({share}) in {state} at {site},\n"
                  "    {age}, select {}, map[string]struct{}\n"
                  "  when: [{severity: low}]\n");
    judging_senders(snapshot,
                    "github.com/gocolly/colly/v2.(*httpBackend).Do|"
                    "/go/pkg/mod/colly/http_backend.go:172",
                    97908);
    judging_senders(snapshot, "main.b|b.go:1", 18);
    judging_judge(&judging);
    assert_string_equal(
        first_finding()->explain.ptr,
        "Senders: 97,908 (99.98 %) in chan send at (*httpBackend).Do "
        "(http_backend.go:172), an unknown time, select {}, "
        "map[string]struct{}");
}

static void a_rule_without_explanation_says_what_it_sees(void **state)
{
    (void)state;
    judging_rules(&judging, "- {id: r, title: T, when: [{severity: low}]}\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 1);
    judging_judge(&judging);
    assert_string_equal(
        first_finding()->explain.ptr,
        "Goroutines in chan send at main.a (a.go:1): 1 (100 % of all).");
}

static void findings_stand_in_order_of_severity_confidence_and_count(
    void **state)
{
    struct snapshot *snapshot = judging_instance(&judging);

    (void)state;
    judging_rules(&judging, "- id: b\n"
                            "  title: T\n"
                            "  match: {site: 'main\\.b$'}\n"
                            "  when: [{severity: low}]\n"
                            "- id: a\n"
                            "  title: T\n"
                            "  match: {site: 'main\\.[ad]$'}\n"
                            "  when: [{severity: low}]\n"
                            "- id: c\n"
                            "  title: T\n"
                            "  match: {site: 'main\\.c$'}\n"
                            "  confidence: low\n"
                            "  when: [{severity: low}]\n"
                            "- id: e\n"
                            "  title: T\n"
                            "  match: {site: 'main\\.e$'}\n"
                            "  when: [{severity: high}]\n");
    judging_senders(snapshot, "main.a|a.go:1", 3);
    judging_senders(snapshot, "main.b|b.go:1", 3);
    judging_senders(snapshot, "main.c|c.go:1", 99);
    judging_senders(snapshot, "main.d|d.go:1", 4);
    judging_senders(snapshot, "main.e|e.go:1", 1);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging),
                        "e high 1\na low 4\na low 3\nb low 3\nc low 99\n");
}

enum { PLACES = 4000 };

/* Adds as many senders, each at a place of its own, and a few receivers. */
static void add_places(void)
{
    struct snapshot *snapshot = judging_instance(&judging);
    struct sample sample = {
        .count = 1, .state = "chan receive", .frames = {"main.a|a.go:1"}};
    char frame[64];

    reporting_add(snapshot, &sample);
    sample.frames[0] = "main.b|b.go:1";
    reporting_add(snapshot, &sample);
    for (unsigned i = 0; i < PLACES; i++) {
        snprintf(frame, sizeof(frame), "main.f%u|f.go:%u", i, i);
        judging_senders(snapshot, frame, 1);
    }
}

/* The goroutines that findings tell of, of which each has a group of its
 * own. */
static uint64_t count_told(void)
{
    uint64_t count = 0;

    for (size_t i = 0; i < findings_count(judging.findings); i++) {
        const struct finding *finding = findings_get(judging.findings, i);

        count += finding->count;
        assert_int_equal(finding->count, finding->n_groups);
        for (size_t g = 1; g < finding->n_groups; g++)
            assert_true(finding->groups[g - 1] < finding->groups[g]);
    }
    return count;
}

/* Where there is no memory for all findings, the worst have one each. */
static void without_memory_findings_of_a_rule_are_told_together(void **state)
{
    struct cprof_snapshots *snapshots = judging.base.snapshots;

    (void)state;
    judging_rules(&judging, "- id: r\n"
                            "  title: T\n"
                            "  match: {state: [chan send]}\n"
                            "  explain: '{count} at {site}'\n"
                            "  when: [{severity: low}]\n"
                            "- id: e\n"
                            "  title: T\n"
                            "  match: {state: [chan receive]}\n"
                            "  when: [{severity: high}]\n");
    add_places();
    judging_analyse(&judging);
    snapshots->budget.limit =
        atomic_load(&snapshots->budget.used) + PLACES * 128;
    judging_judge(&judging);
    assert_true(findings_count(judging.findings) > 3);
    assert_true(findings_count(judging.findings) < PLACES / 2);
    assert_int_equal(count_told(), PLACES + 2);
    assert_int_equal(findings_get(judging.findings, 0)->n_groups, 1);
    assert_int_equal(findings_get(judging.findings, 1)->n_groups, 1);
    assert_true(findings_get(judging.findings, 2)->n_groups > 1);
    assert_non_null(diag_find(&snapshots->diags, "memory-limit"));
}

/* What a neutral rule, a suspicion and a fault of so many goroutines come out
 * as, all of the same severity. */
static const char *in_order(uint64_t neutral, uint64_t suspect, uint64_t bad)
{
    struct snapshot *snapshot = judging_instance(&judging);

    judging_rules(&judging, "- id: neutral\n"
                            "  title: T\n"
                            "  class: neutral\n"
                            "  match: {site: '^main\\.a$'}\n"
                            "  when: [{severity: high}]\n"
                            "- id: suspect\n"
                            "  title: T\n"
                            "  match: {site: '^main\\.b$'}\n"
                            "  when: [{severity: high}]\n"
                            "- id: bad\n"
                            "  title: T\n"
                            "  class: bad\n"
                            "  match: {site: '^main\\.c$'}\n"
                            "  when: [{severity: high}]\n");
    judging_senders(snapshot, "main.a|a.go:1", neutral);
    judging_senders(snapshot, "main.b|b.go:1", suspect);
    judging_senders(snapshot, "main.c|c.go:1", bad);
    judging_judge(&judging);
    return judging_text(&judging);
}

static void a_cause_comes_before_what_waits_beside_it(void **state)
{
    (void)state;
    assert_string_equal(in_order(100, 95, 91),
                        "bad high 91\nsuspect high 95\nneutral high 100\n");
}

static void what_is_far_more_comes_first(void **state)
{
    (void)state;
    assert_string_equal(in_order(100, 50, 89),
                        "neutral high 100\nbad high 89\nsuspect high 50\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_finding_collects_the_groups_of_a_site),
        TEST(a_finding_collects_the_groups_of_a_stack),
        TEST(a_finding_collects_all_groups_of_its_rule),
        TEST(goroutines_without_frames_are_kept_apart_by_state),
        TEST(a_state_inferred_from_addresses_lowers_confidence),
        TEST(a_rule_that_asks_for_no_state_keeps_its_confidence),
        TEST(confidence_never_falls_below_low),
        TEST(only_goroutines_that_are_all_leaked_are_proof),
        TEST(placeholders_are_filled_in),
        TEST(a_rule_without_explanation_says_what_it_sees),
        TEST(findings_stand_in_order_of_severity_confidence_and_count),
        TEST(without_memory_findings_of_a_rule_are_told_together),
        TEST(a_cause_comes_before_what_waits_beside_it),
        TEST(what_is_far_more_comes_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

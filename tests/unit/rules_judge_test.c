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

static const struct finding *first_finding(void)
{
    assert_true(findings_count(judging.findings) > 0);
    return findings_get(judging.findings, 0);
}

static void a_rule_that_knows_names_beats_one_that_knows_states(void **state)
{
    (void)state;
    judging_rules(&judging, "- id: by-state\n"
                            "  title: T\n"
                            "  match: {state: chan send}\n"
                            "  when: [{severity: critical}]\n"
                            "- id: by-name\n"
                            "  title: T\n"
                            "  match: {site: '^main\\.a$'}\n"
                            "  when: [{severity: info}]\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 5);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "by-name info 5\n");
}

static void a_rule_that_knows_states_beats_one_without_match(void **state)
{
    (void)state;
    judging_rules(&judging, "- id: all\n"
                            "  title: T\n"
                            "  when: [{severity: critical}]\n"
                            "- id: by-state\n"
                            "  title: T\n"
                            "  match: {state: chan send}\n"
                            "  when: [{severity: info}]\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 5);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "by-state info 5\n");
}

static void a_rule_that_asks_for_proof_counts_what_is_proven(void **state)
{
    struct snapshot *snapshot;

    (void)state;
    judging_rules(&judging, "- id: proven\n"
                            "  title: T\n"
                            "  match: {leaked: true}\n"
                            "  when: [{severity: critical, count: '>=100'},\n"
                            "         {severity: low, count: '>=1'}]\n");
    snapshot = judging_instance(&judging);
    judging_senders(snapshot, "main.a|a.go:1", 5000);
    reporting_add(
        snapshot,
        &(struct sample){.count = 3,
                         .state = "chan send",
                         .leaked = true,
                         .frames = {"main.a|a.go:1", "main.main|main.go:9"}});
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "proven low 5003\n");
    assert_int_not_equal(first_finding()->confidence, CONFIDENCE_PROVEN);
}

static void a_normal_rule_takes_its_groups_before_all_others(void **state)
{
    (void)state;
    judging_rules(&judging, "- id: by-name\n"
                            "  title: T\n"
                            "  match: {site: '^main\\.a$'}\n"
                            "  when: [{severity: critical}]\n");
    judging_builtin_rules(&judging, "- id: idle\n"
                                    "  title: T\n"
                                    "  class: normal\n"
                                    "  match: {state: chan send}\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 5);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "");
    assert_string_equal(judging_owner(&judging, "main.a"), "idle");
}

static void a_mass_of_the_normal_is_judged_before_it_is_set_aside(void **state)
{
    (void)state;
    judging_rules(&judging, "- id: mass\n"
                            "  title: T\n"
                            "  before_normal: true\n"
                            "  match: {state: chan send}\n"
                            "  when: [{severity: high, count: '>=10'}]\n");
    judging_builtin_rules(&judging, "- id: idle\n"
                                    "  title: T\n"
                                    "  class: normal\n"
                                    "  match: {state: chan send}\n");
    judging_instance(&judging);
    judging_senders(judging.base.snapshots->items[0], "main.a|a.go:1", 9);
    judging_senders(judging.base.snapshots->items[0], "main.b|b.go:1", 10);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "mass high 10\n");
    assert_string_equal(judging_owner(&judging, "main.a"), "idle");
    assert_string_equal(judging_owner(&judging, "main.b"), "mass");
}

static void a_mass_of_the_normal_is_compared_before_it_is_set_aside(
    void **state)
{
    (void)state;
    judging_rules(&judging, "- id: mass\n"
                            "  title: T\n"
                            "  before_normal: true\n"
                            "  match: {leaf: '^main\\.b$'}\n"
                            "  when:\n"
                            "  - severity: high\n"
                            "    ratio_to: {rule: users, value: '>=2'}\n"
                            "- id: users\n"
                            "  title: T\n"
                            "  match: {leaf: '^main\\.a$'}\n"
                            "  when: [{severity: low}]\n");
    judging_builtin_rules(&judging, "- id: idle\n"
                                    "  title: T\n"
                                    "  class: normal\n"
                                    "  match: {state: chan send}\n");
    judging_instance(&judging);
    judging_senders(judging.base.snapshots->items[0], "main.a|a.go:1", 5);
    judging_senders(judging.base.snapshots->items[0], "main.b|b.go:1", 10);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "mass high 10\n");
    assert_string_equal(judging_owner(&judging, "main.a"), "idle");
}

static void a_rule_without_a_tier_that_holds_leaves_groups_to_others(
    void **state)
{
    (void)state;
    judging_rules(&judging, "- id: by-name\n"
                            "  title: T\n"
                            "  match: {site: '^main\\.a$'}\n"
                            "  when: [{severity: critical, count: '>=100'}]\n"
                            "- id: by-state\n"
                            "  title: T\n"
                            "  match: {state: chan send}\n"
                            "  when: [{severity: low, count: '>=50'}]\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 99);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "by-state low 99\n");
}

static void a_group_whose_rules_all_hold_no_tier_has_no_owner(void **state)
{
    (void)state;
    judging_rules(&judging, "- id: by-state\n"
                            "  title: T\n"
                            "  match: {state: chan send}\n"
                            "  when: [{severity: low, count: '>=50'}]\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 49);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "");
    assert_string_equal(judging_owner(&judging, "main.a"), "");
}

static void what_a_closer_rule_took_does_not_count_for_a_general_one(
    void **state)
{
    struct snapshot *snapshot = judging_instance(&judging);

    (void)state;
    judging_rules(&judging, "- id: all\n"
                            "  title: T\n"
                            "  group_by: rule\n"
                            "  when:\n"
                            "  - {severity: high, count: '>=1500'}\n"
                            "  - {severity: info, count: '>=500'}\n"
                            "- id: by-name\n"
                            "  title: T\n"
                            "  match: {site: '^main\\.a$'}\n"
                            "  when: [{severity: low}]\n");
    judging_senders(snapshot, "main.a|a.go:1", 1000);
    judging_senders(snapshot, "main.b|b.go:1", 500);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging),
                        "by-name low 1000\nall info 500\n");
}

static void among_equals_the_worse_severity_takes_the_group(void **state)
{
    (void)state;
    judging_rules(&judging, "- id: first\n"
                            "  title: T\n"
                            "  match: {site: '^main\\.a$'}\n"
                            "  when: [{severity: low}]\n"
                            "- id: second\n"
                            "  title: T\n"
                            "  match: {any: '^main\\.main$'}\n"
                            "  when: [{severity: high}]\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 5);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "second high 5\n");
}

static void among_equals_of_one_severity_the_first_takes_the_group(void **state)
{
    (void)state;
    judging_rules(&judging, "- id: first\n"
                            "  title: T\n"
                            "  match: {site: '^main\\.a$'}\n"
                            "  when: [{severity: low}]\n"
                            "- id: second\n"
                            "  title: T\n"
                            "  match: {any: '^main\\.main$'}\n"
                            "  when: [{severity: low}]\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 5);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "first low 5\n");
}

static void a_rule_that_loses_groups_is_judged_by_what_is_left(void **state)
{
    struct snapshot *snapshot = judging_instance(&judging);

    (void)state;
    judging_rules(&judging, "- id: wide\n"
                            "  title: T\n"
                            "  match: {any: '^main\\.main$'}\n"
                            "  group_by: rule\n"
                            "  when:\n"
                            "  - {severity: high, count: '>=1000'}\n"
                            "  - {severity: medium, count: '>=500'}\n"
                            "- id: narrow\n"
                            "  title: T\n"
                            "  match: {site: '^main\\.a$'}\n"
                            "  when: [{severity: critical}]\n");
    judging_senders(snapshot, "main.a|a.go:1", 600);
    judging_senders(snapshot, "main.b|b.go:1", 500);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging),
                        "narrow critical 600\nwide medium 500\n");
}

static void a_user_rule_beats_a_built_in_one_of_its_kind(void **state)
{
    (void)state;
    judging_builtin_rules(&judging, "- id: shipped\n"
                                    "  title: T\n"
                                    "  match: {site: '^main\\.a$'}\n"
                                    "  when: [{severity: critical}]\n");
    judging_rules(&judging, "- id: own\n"
                            "  title: T\n"
                            "  match: {any: '^main\\.main$'}\n"
                            "  when: [{severity: info}]\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 5);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "own info 5\n");
}

/* Three of a known symptom are named though no tier holds, last of all; of what
 * is known by its state alone, where the rule has no info tier of its own. */
static void built_in_rules_mention_small_numbers(void **state)
{
    (void)state;
    judging_builtin_rules(&judging, "- id: known\n"
                                    "  title: T\n"
                                    "  match: {site: '^main\\.a$'}\n"
                                    "  when: [{severity: high, count: "
                                    "\">=10\"}]\n"
                                    "- id: any-send\n"
                                    "  title: T\n"
                                    "  match: {state: chan send}\n"
                                    "  when: [{severity: high, count: "
                                    "\">=10\"}]\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 3);
    judging_senders(judging_instance(&judging), "main.b|b.go:1", 3);
    judging_senders(judging_instance(&judging), "main.c|c.go:1", 2);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging),
                        "any-send info 3\nknown info 3\n");
    for (size_t i = 0; i < 2; i++) {
        assert_true(findings_get(judging.findings, i)->is_mention);
        assert_int_equal(findings_get(judging.findings, i)->confidence,
                         CONFIDENCE_LOW);
    }
}

static void a_rule_with_an_info_tier_says_itself_when(void **state)
{
    (void)state;
    judging_builtin_rules(&judging, "- id: any-send\n"
                                    "  title: T\n"
                                    "  match: {state: chan send}\n"
                                    "  when:\n"
                                    "  - {severity: info, count: \">=10\"}\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 9);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "");
}

static void a_mention_takes_nothing_from_a_tier(void **state)
{
    (void)state;
    judging_builtin_rules(&judging, "- id: known\n"
                                    "  title: T\n"
                                    "  match: {site: '^main\\.a$'}\n"
                                    "  when: [{severity: high, count: "
                                    "\">=100\"}]\n"
                                    "- id: any-send\n"
                                    "  title: T\n"
                                    "  match: {state: chan send}\n"
                                    "  when: [{severity: low, count: "
                                    "\">=10\"}]\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 12);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "any-send low 12\n");
}

/* A single one is no finding, but known. */
static void groups_below_every_tier_have_a_name(void **state)
{
    (void)state;
    judging_builtin_rules(&judging, "- id: known\n"
                                    "  title: T\n"
                                    "  match: {site: '^main\\.a$'}\n"
                                    "  when: [{severity: high, count: "
                                    "\">=10\"}]\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 1);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "");
    assert_null(findings_owner(judging.findings, 0));
    assert_string_equal(findings_name(judging.findings, 0)->id.ptr, "known");
}

static void user_rules_mention_nothing(void **state)
{
    (void)state;
    judging_rules(&judging, "- id: own\n"
                            "  title: T\n"
                            "  match: {site: '^main\\.a$'}\n"
                            "  when: [{severity: high, count: \">=10\"}]\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 9);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "");
}

static void the_first_tier_that_holds_decides(void **state)
{
    (void)state;
    judging_rules(&judging, "- id: r\n"
                            "  title: T\n"
                            "  when:\n"
                            "  - {severity: low, count: '>=10'}\n"
                            "  - {severity: critical, count: '>=5'}\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 12);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "r low 12\n");
}

static void tiers_look_at_each_instance_and_the_worst_decides(void **state)
{
    (void)state;
    judging_rules(&judging, "- id: r\n"
                            "  title: T\n"
                            "  when:\n"
                            "  - {severity: high, count: '>=100'}\n"
                            "  - {severity: medium, count: '>=70'}\n"
                            "  - {severity: low, count: '>=40'}\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 40);
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 70);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "r medium 110\n");
}

static void shares_are_of_each_instance(void **state)
{
    struct snapshot *busy = judging_instance(&judging);
    struct snapshot *small = judging_instance(&judging);

    (void)state;
    judging_rules(&judging, "- id: r\n"
                            "  title: T\n"
                            "  match: {site: '^main\\.a$'}\n"
                            "  when: [{severity: high, share: '>=50%'}]\n");
    judging_senders(busy, "main.a|a.go:1", 10);
    judging_senders(busy, "main.b|b.go:1", 990);
    judging_senders(small, "main.a|a.go:1", 50);
    judging_senders(small, "main.b|b.go:1", 50);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "r high 60\n");
    assert_true(first_finding()->share > 0.054);
    assert_true(first_finding()->share < 0.055);
}

static void a_share_is_of_what_the_header_declares(void **state)
{
    struct snapshot *snapshot = judging_instance(&judging);

    (void)state;
    judging_rules(&judging, "- id: r\n"
                            "  title: T\n"
                            "  when:\n"
                            "  - {severity: high, share: '>=0.51'}\n"
                            "  - {severity: low, share: '>=0.5'}\n");
    judging_senders(snapshot, "main.a|a.go:1", 50);
    snapshot_info(snapshot)->has_declared = true;
    snapshot_info(snapshot)->declared = 100;
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "r low 50\n");
}

static void an_unknown_age_reaches_no_bound(void **state)
{
    struct snapshot *snapshot = judging_instance(&judging);
    struct sample old = {.count = 5,
                         .state = "select",
                         .wait_min = 12,
                         .frames = {"main.old|a.go:1"}};
    struct sample perhaps = {.count = 9, /* 11 may be a wait of 9 */
                             .state = "select",
                             .wait_min = 11,
                             .frames = {"main.perhaps|a.go:1"}};

    (void)state;
    judging_rules(&judging, "- id: r\n"
                            "  title: T\n"
                            "  when: [{severity: high, age: '>=10m'}]\n");
    judging_senders(snapshot, "main.a|a.go:1", 50);
    reporting_add(snapshot, &old);
    reporting_add(snapshot, &perhaps);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "r high 5\n");
    assert_true(first_finding()->has_age);
    assert_int_equal(first_finding()->age_max_s, 720);
    assert_string_equal(judging_owner(&judging, "main.a"), "");
}

static void filtered_groups_are_seen_by_no_rule(void **state)
{
    struct snapshot *snapshot = judging_instance(&judging);

    (void)state;
    judging_rules(&judging, "- {id: r, title: T, when: [{severity: low}]}\n");
    judging_senders(snapshot, "main.a|a.go:1", 1);
    judging_senders(snapshot, "main.b|b.go:1", 2);
    judging_analyse(&judging);
    judging_group(&judging, "main.a")->is_filtered = true;
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "r low 2\n");
    assert_string_equal(judging_owner(&judging, "main.a"), "");
}

static void profiles_of_other_things_than_goroutines_are_not_judged(
    void **state)
{
    struct snapshot *threads = judging_instance(&judging);

    (void)state;
    judging_rules(&judging, "- {id: r, title: T, when: [{severity: low}]}\n");
    snapshot_info(threads)->kind = PROFILE_THREADCREATE;
    judging_senders(threads, "main.a|a.go:1", 10);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "");
}

static void a_disabled_rule_takes_no_part(void **state)
{
    struct cprof_error err = {0};

    (void)state;
    judging_rules(&judging,
                  "- {id: one, title: T, when: [{severity: low}]}\n"
                  "- {id: two, title: T, when: [{severity: info}]}\n");
    judging_senders(judging_instance(&judging), "main.a|a.go:1", 3);
    assert_int_equal(rules_disable(judging.rules, STR("one"), &err), 0);
    assert_int_equal(rules_count(judging.rules), 2);
    assert_false(rule_is_enabled(rules_find(judging.rules, STR("one"))));
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "two info 3\n");
}

static void disabling_a_rule_that_is_not_there_names_the_nearest(void **state)
{
    struct cprof_error err = {0};

    (void)state;
    judging_rules(&judging,
                  "- {id: chan-send, title: T, when: [{severity: low}]}\n");
    assert_int_equal(rules_disable(judging.rules, STR("chan-sned"), &err),
                     CPROF_EUSAGE);
    assert_string_equal(
        err.message,
        "there is no rule 'chan-sned' (did you mean 'chan-send'?)");
    assert_int_equal(rules_disable(judging.rules, STR("zzz"), &err),
                     CPROF_EUSAGE);
    assert_string_equal(err.message, "there is no rule 'zzz'");
}

static void a_rule_that_gives_up_is_reported_and_does_not_match(void **state)
{
    struct buf name = {0};
    const struct diag *diag;

    (void)state;
    judging_rules(&judging,
                  "- id: runaway\n"
                  "  title: T\n"
                  "  match: {any: '(a+)+$'}\n"
                  "  when: [{severity: critical}]\n"
                  "- id: excepted\n"
                  "  title: T\n"
                  "  match:\n"
                  "    any: 'aaa'\n"
                  "    not: {any: '(a|aa)+$'}\n"
                  "  when: [{severity: critical}]\n"
                  "- {id: rest, title: T, when: [{severity: low}]}\n");
    buf_add(&name, STR("main."));
    buf_add_repeat(&name, 'a', 10000);
    buf_add(&name, STR("b|a.go:1"));
    judging_senders(judging_instance(&judging), name.ptr, 3);
    buf_done(&name);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "rest low 3\n");
    diag = diag_find(&judging.base.snapshots->diags, "rule-limit");
    assert_non_null(diag);
    assert_int_equal(diag->severity, DIAG_WARNING);
    assert_true(str_starts(diag->message,
                           STR("rule 'runaway' gave up on 1 name, the first "
                               "'main.aaaa")));
    assert_true(str_ends(diag->message,
                         STR("its pattern '(a+)+$' needs too many steps")));
    assert_non_null(diag->next);
    assert_true(str_starts(diag->next->message, STR("rule 'excepted'")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_rule_that_knows_names_beats_one_that_knows_states),
        TEST(a_rule_that_knows_states_beats_one_without_match),
        TEST(a_rule_that_asks_for_proof_counts_what_is_proven),
        TEST(a_normal_rule_takes_its_groups_before_all_others),
        TEST(a_mass_of_the_normal_is_judged_before_it_is_set_aside),
        TEST(a_mass_of_the_normal_is_compared_before_it_is_set_aside),
        TEST(a_rule_without_a_tier_that_holds_leaves_groups_to_others),
        TEST(a_group_whose_rules_all_hold_no_tier_has_no_owner),
        TEST(what_a_closer_rule_took_does_not_count_for_a_general_one),
        TEST(among_equals_the_worse_severity_takes_the_group),
        TEST(among_equals_of_one_severity_the_first_takes_the_group),
        TEST(a_rule_that_loses_groups_is_judged_by_what_is_left),
        TEST(a_user_rule_beats_a_built_in_one_of_its_kind),
        TEST(built_in_rules_mention_small_numbers),
        TEST(a_rule_with_an_info_tier_says_itself_when),
        TEST(a_mention_takes_nothing_from_a_tier),
        TEST(groups_below_every_tier_have_a_name),
        TEST(user_rules_mention_nothing),
        TEST(the_first_tier_that_holds_decides),
        TEST(tiers_look_at_each_instance_and_the_worst_decides),
        TEST(shares_are_of_each_instance),
        TEST(a_share_is_of_what_the_header_declares),
        TEST(an_unknown_age_reaches_no_bound),
        TEST(filtered_groups_are_seen_by_no_rule),
        TEST(profiles_of_other_things_than_goroutines_are_not_judged),
        TEST(a_disabled_rule_takes_no_part),
        TEST(disabling_a_rule_that_is_not_there_names_the_nearest),
        TEST(a_rule_that_gives_up_is_reported_and_does_not_match),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

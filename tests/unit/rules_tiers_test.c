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

/* A rule on every channel send at main.a, with one tier of severity high and
 * these bounds, and one of severity info behind it. */
static void add_rule(const char *bounds)
{
    struct buf text = {0};

    buf_addf(&text,
             "- id: r\n  title: T\n  match: {leaf: '^main\\.a'}\n"
             "  when: [{severity: high, %s}, {severity: info}]\n",
             bounds);
    judging_rules(&judging, text.ptr);
    buf_done(&text);
}

static void add(struct snapshot *snapshot, const char *frame, uint64_t count,
                uint32_t minutes)
{
    struct sample sample = {.count = count,
                            .state = "chan send",
                            .wait_min = minutes,
                            .frames = {frame}};

    reporting_add(snapshot, &sample);
}

/* What the rule finds among n goroutines at main.a beside m at main.b. */
static const char *found(uint64_t n, uint64_t m)
{
    struct snapshot *snapshot = judging_instance(&judging);

    add(snapshot, "main.a|a.go:1", n, 0);
    if (m)
        add(snapshot, "main.b|b.go:1", m, 0);
    judging_judge(&judging);
    return judging_text(&judging);
}

static void bounds_are_turned_both_ways(void **state)
{
    static const struct {
        const char *bound;
        const char *severity;
    } cases[] = {
        {"count: '>=5'", "high"},    {"count: '>=6'", "info"},
        {"count: '>4'", "high"},     {"count: '>5'", "info"},
        {"count: '<=5'", "high"},    {"count: '<=4'", "info"},
        {"count: '<6'", "high"},     {"count: '<5'", "info"},
        {"count: '==5'", "high"},    {"count: '==6'", "info"},
        {"share: '>=25%'", "high"},  {"share: '>25%'", "info"},
        {"share: '<=0.25'", "high"}, {"share: '<0.25'", "info"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf expected = {0};

        judging_done(&judging);
        set_up(state);
        add_rule(cases[i].bound);
        buf_addf(&expected, "r %s 5\n", cases[i].severity);
        assert_string_equal(found(5, 15), expected.ptr);
        buf_done(&expected);
    }
}

static void the_tier_that_decides_is_known(void **state)
{
    (void)state;
    add_rule("count: '>=100'");
    found(5, 0);
    assert_int_equal(findings_get(judging.findings, 0)->tier, 1);
}

static void what_a_dump_does_not_tell_reaches_no_bound(void **state)
{
    static const char *const bounds[] = {
        "age: '<=1d'",
        "age_p50: '<=1d'",
        "growth: low",
        "slope: '<1000'",
        "survivors: '<1'",
        "ids_old: '<1'",
        "ratio_to: {rule: r2, value: '<1000'}",
    };

    for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
        judging_done(&judging);
        set_up(state);
        add_rule(bounds[i]);
        assert_string_equal(found(5, 0), "r info 5\n");
    }
}

/* What a rule with these bounds finds, as found() does, judged anew. */
static void expect_found(const char *bounds, uint64_t n, uint64_t m,
                         const char *expected)
{
    judging_done(&judging);
    set_up(NULL);
    add_rule(bounds);
    assert_string_equal(found(n, m), expected);
}

/* Goroutines that wait for the lock of a type, in one of its methods. */
static void add_waiters(struct snapshot *snapshot, const char *method,
                        uint64_t count)
{
    struct sample sample = {
        .count = count,
        .state = "sync.Mutex.Lock",
        .frames = {"sync.(*Mutex).Lock|mutex.go:90", method}};

    reporting_add(snapshot, &sample);
}

/* What a rule on the lock of main.cache, for that many waiters, finds where so
 * many wait at three places. */
static const char *found_waiting(const char *waiters, uint64_t get,
                                 uint64_t put, uint64_t other)
{
    struct snapshot *snapshot;
    struct buf text = {0};

    judging_done(&judging);
    set_up(NULL);
    buf_addf(&text,
             "- id: r\n  title: T\n  match: {state: [sync.Mutex.Lock]}\n"
             "  when: [{severity: high, waiters: '%s'}, {severity: info}]\n",
             waiters);
    judging_rules(&judging, text.ptr);
    buf_done(&text);
    snapshot = judging_instance(&judging);
    add_waiters(snapshot, "main.(*cache).Get|cache.go:5", get);
    add_waiters(snapshot, "main.(*cache).Put|cache.go:15", put);
    add_waiters(snapshot, "main.(*queue).Put|queue.go:15", other);
    judging_judge(&judging);
    return judging_text(&judging);
}

/* Where most wait for a lock, all of its waiters are asked about. */
static void one_place_speaks_for_all_waiters_of_a_lock(void **state)
{
    (void)state;
    assert_string_equal(found_waiting(">=9", 5, 4, 8),
                        "r high 5\nr info 8\nr info 4\n");
    assert_string_equal(found_waiting(">=10", 5, 4, 8),
                        "r info 8\nr info 5\nr info 4\n");
    assert_string_equal(found_waiting(">=8", 3, 4, 8), "r high 8\nr info 4\n"
                                                       "r info 3\n");
}

/* What waits for no lock is counted. */
static void without_a_lock_waiters_are_the_count(void **state)
{
    (void)state;
    expect_found("waiters: '>=5'", 5, 5, "r high 5\n");
    expect_found("waiters: '>=6'", 5, 5, "r info 5\n");
}

static void the_rank_is_that_among_places(void **state)
{
    (void)state;
    expect_found("rank: '<=1'", 5, 5, "r high 5\n");
    expect_found("rank: '<=1'", 5, 6, "r info 5\n");
}

static void what_is_normal_has_no_rank(void **state)
{
    (void)state;
    add_rule("rank: '<=1'");
    judging_rules(&judging, "- {id: n, title: T, class: normal, match: {leaf: "
                            "'^main\\.b'}}\n");
    assert_string_equal(found(5, 600), "r high 5\n");
}

static void half_of_the_goroutines_must_have_waited(void **state)
{
    struct snapshot *snapshot;

    (void)state;
    add_rule("age_p50: '>=10m'");
    snapshot = judging_instance(&judging);
    add(snapshot, "main.a|a.go:1", 4, 12);
    add(snapshot, "main.a|a.go:1", 5, 0);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "r info 9\n");
    judging_done(&judging);
    set_up(state);
    add_rule("age_p50: '>=10m'");
    snapshot = judging_instance(&judging);
    add(snapshot, "main.a|a.go:1", 6, 12);
    add(snapshot, "main.a|a.go:1", 4, 0);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "r high 10\n");
}

/* Goroutines with ids from first_id on. */
static void add_ids(struct snapshot *snapshot, const char *frame,
                    uint64_t count, uint64_t first_id)
{
    struct sample sample = {.count = count,
                            .state = "chan send",
                            .first_id = first_id,
                            .frames = {frame}};

    reporting_add(snapshot, &sample);
}

static void old_ids_are_those_of_the_lower_half(void **state)
{
    struct snapshot *snapshot;

    (void)state;
    add_rule("ids_old: '>=0.5'");
    snapshot = judging_instance(&judging);
    add_ids(snapshot, "main.a|a.go:1", 10, 41);
    add_ids(snapshot, "main.b|b.go:1", 1, 100);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "r high 10\n");
    judging_done(&judging);
    set_up(state);
    add_rule("ids_old: '>=0.5'");
    snapshot = judging_instance(&judging);
    add_ids(snapshot, "main.a|a.go:1", 10, 47);
    add_ids(snapshot, "main.b|b.go:1", 1, 100);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "r info 10\n");
}

static void ids_of_several_processes_are_not_compared(void **state)
{
    (void)state;
    add_rule("ids_old: '>=0.5'");
    for (uint64_t i = 0; i < 2; i++) {
        struct snapshot *snapshot = judging_instance(&judging);

        add_ids(snapshot, "main.a|a.go:1", 10 + i, 41 + i * 5000);
        add_ids(snapshot, "main.b|b.go:1", 1, 100 + i * 5000);
    }
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "r info 21\n");
}

static void growth_counts_once_it_is_known(void **state)
{
    static const struct group_growth grows = {.confidence = GROWTH_MEDIUM,
                                              .has_slope = true,
                                              .has_survivors = true,
                                              .slope = 60,
                                              .survivors = 0.9};
    static const struct {
        const char *bound;
        const char *severity;
    } cases[] = {
        {"growth: low", "high"},        {"growth: '>=medium'", "high"},
        {"growth: high", "info"},       {"slope: '>=60'", "high"},
        {"slope: '>=60.5'", "info"},    {"survivors: '>=90%'", "high"},
        {"survivors: '>=95%'", "info"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf expected = {0};

        judging_done(&judging);
        set_up(state);
        add_rule(cases[i].bound);
        add(judging_instance(&judging), "main.a|a.go:1", 5, 0);
        judging_analyse(&judging);
        joined_extra_put(judging_group(&judging, "main.a"),
                         analysis_arena(judging.analysis))
            ->growth = &grows;
        judging_judge(&judging);
        buf_addf(&expected, "r %s 5\n", cases[i].severity);
        assert_string_equal(judging_text(&judging), expected.ptr);
        buf_done(&expected);
    }
}

static void a_ratio_compares_with_what_another_rule_matches(void **state)
{
    static const char other[] = "- id: other\n  title: T\n"
                                "  match: {leaf: '^main\\.b'}\n"
                                "  when: [{severity: info, count: '>=1000'}]\n";

    (void)state;
    judging_rules(&judging, other);
    add_rule("ratio_to: {rule: other, value: '>=1.5'}");
    assert_string_equal(found(6, 4), "r high 6\n");
    judging_done(&judging);
    set_up(state);
    judging_rules(&judging, other);
    add_rule("ratio_to: {rule: other, value: '>=1.5'}");
    assert_string_equal(found(5, 4), "r info 5\n");
}

static void beside_none_a_ratio_is_larger_than_any(void **state)
{
    static const char other[] = "- id: other\n  title: T\n"
                                "  match: {leaf: '^main\\.b'}\n"
                                "  when: [{severity: info, count: '>=1000'}]\n";

    (void)state;
    judging_rules(&judging, other);
    add_rule("ratio_to: {rule: other, value: '>=1000000'}");
    assert_string_equal(found(6, 0), "r high 6\n");
    judging_done(&judging);
    set_up(state);
    judging_rules(&judging, other);
    add_rule("ratio_to: {rule: other, value: '<=1000000'}");
    assert_string_equal(found(6, 0), "r info 6\n");
    judging_done(&judging);
    set_up(state);
    add_rule("ratio_to: {rule: other, value: '>=1'}");
    assert_string_equal(found(6, 0), "r info 6\n");
}

static void findings_are_grouped_as_the_rule_says(void **state)
{
    static const struct {
        const char *group_by;
        const char *text;
    } cases[] = {
        {"site", "r info 4\nr info 3\n"},
        {"leaf", "r info 7\n"},
        {"stack", "r info 4\nr info 3\n"},
        {"created_by", "r info 4\nr info 3\n"},
        {"rule", "r info 7\n"},
        {"label:k", "r info 4\nr info 3\n"},
        {"label:other", "r info 7\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf text = {0};
        struct snapshot *snapshot;

        judging_done(&judging);
        set_up(state);
        buf_addf(&text,
                 "- id: r\n  title: T\n  group_by: %s\n"
                 "  when: [{severity: info}]\n",
                 cases[i].group_by);
        judging_rules(&judging, text.ptr);
        snapshot = judging_instance(&judging);
        reporting_add(snapshot, &(struct sample){
                                    .count = 3,
                                    .state = "chan send",
                                    .frames = {"net.F|f.go:1", "main.a|a.go:1"},
                                    .created_by = "main.x|x.go:1",
                                    .key = "k",
                                    .value = "1"});
        reporting_add(snapshot, &(struct sample){
                                    .count = 4,
                                    .state = "chan send",
                                    .frames = {"net.F|f.go:1", "main.b|b.go:1"},
                                    .created_by = "main.y|y.go:1",
                                    .key = "k",
                                    .value = "2"});
        judging_judge(&judging);
        assert_string_equal(judging_text(&judging), cases[i].text);
        buf_done(&text);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(bounds_are_turned_both_ways),
        TEST(the_tier_that_decides_is_known),
        TEST(what_a_dump_does_not_tell_reaches_no_bound),
        TEST(one_place_speaks_for_all_waiters_of_a_lock),
        TEST(without_a_lock_waiters_are_the_count),
        TEST(the_rank_is_that_among_places),
        TEST(what_is_normal_has_no_rank),
        TEST(half_of_the_goroutines_must_have_waited),
        TEST(old_ids_are_those_of_the_lower_half),
        TEST(ids_of_several_processes_are_not_compared),
        TEST(growth_counts_once_it_is_known),
        TEST(a_ratio_compares_with_what_another_rule_matches),
        TEST(beside_none_a_ratio_is_larger_than_any),
        TEST(findings_are_grouped_as_the_rule_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The lines of a monitoring plugin: plugin.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "notify/plugin.h"
#include "notify/words.h"

#include <cmocka.h>

static struct buf out;

static int tear_down(void **state)
{
    (void)state;
    buf_done(&out);
    return 0;
}

/* Writes an outcome and returns the length of its first line. */
static size_t write_lines(const struct outcome *outcome)
{
    struct plugin_ranges ranges = {0};

    plugin_add(&out, outcome, &ranges, 1234);
    assert_false(out.failed);
    return str_find(buf_str(&out), '\n');
}

static void a_healthy_target_takes_one_line(void **state)
{
    struct outcome_target target = {.instance = STR("a"),
                                    .has_snapshot = true,
                                    .is_complete = true,
                                    .goroutines = 12};
    struct outcome outcome = {
        .service = STR("s"), .targets = &target, .n_targets = 1};

    (void)state;
    write_lines(&outcome);
    assert_string_equal(out.ptr,
                        "CPROF_LEAKS OK - 12 goroutines, no finding | "
                        "goroutines=12;;;0 findings=0;;;0 time=1.234s;;;0\n");
}

/* Names of strangers may hold what ends a line, or begins figures. */
static void hostile_texts_stay_texts(void **state)
{
    char *longest = calloc(1, 100001);
    struct outcome_target target = {.instance = STR("a|b\n"),
                                    .status = CHECK_CRITICAL,
                                    .has_snapshot = true,
                                    .goroutines = 12};
    struct outcome_alert alert = {.title = STR("one | two\nCPROF_LEAKS OK"),
                                  .severity = CPROF_SEVERITY_CRITICAL,
                                  .status = CHECK_CRITICAL,
                                  .state = ALERT_FIRING,
                                  .is_seen = true,
                                  .count = 5};
    struct outcome outcome = {.service = STR("s"),
                              .status = CHECK_CRITICAL,
                              .targets = &target,
                              .n_targets = 1,
                              .alerts = &alert,
                              .n_alerts = 1};
    struct str lines;
    size_t first;

    (void)state;
    assert_non_null(longest);
    memset(longest, '|', 100000);
    alert.explain = alert.site = str_from(longest);
    target.error = STR("\x1b[31mred | \xff");
    first = write_lines(&outcome);
    assert_true(first < 4096);
    lines = buf_str(&out);
    assert_true(str_find(lines, '|') < first);
    assert_int_equal(str_find(str_skip(lines, str_find(lines, '|') + 1), '|'),
                     lines.len - str_find(lines, '|') - 1);
    assert_int_equal(str_find(lines, '\x1b'), lines.len);
    assert_false(str_contains(lines, STR("\nCPROF_LEAKS")));
    free(longest);
}

static void of_several_the_largest_has_the_figures(void **state)
{
    struct outcome_target targets[] = {
        {.instance = STR("a"), .has_snapshot = true, .goroutines = 5},
        {.instance = STR("b"), .has_snapshot = true, .goroutines = 70},
        {.instance = STR("c"),
         .status = CHECK_UNKNOWN,
         .error = STR("nobody there")},
    };
    struct outcome outcome = {.service = STR("s"),
                              .status = CHECK_UNKNOWN,
                              .targets = targets,
                              .n_targets = 3};

    (void)state;
    write_lines(&outcome);
    assert_string_equal(
        out.ptr, "CPROF_LEAKS UNKNOWN - 3 targets, 1 unknown; c: nobody "
                 "there; 2 incomplete dumps | goroutines=70;;;0 findings=0;;;0 "
                 "targets=3;;;0 unread=1;;;0 time=1.234s;;;0\n"
                 "a: OK, 5 goroutines, incomplete\n"
                 "b: OK, 70 goroutines, incomplete\n"
                 "c: UNKNOWN\n"
                 "    nobody there\n");
}

/* What is there comes before what was there and was worse. */
static void what_is_seen_comes_first(void **state)
{
    struct outcome_target target = {.instance = STR("a"),
                                    .status = CHECK_CRITICAL,
                                    .has_snapshot = true,
                                    .is_complete = true,
                                    .goroutines = 64};
    struct outcome_alert alerts[] = {
        {.title = STR("old"), .status = CHECK_CRITICAL, .state = ALERT_FIRING},
        {.title = STR("new"),
         .status = CHECK_WARNING,
         .state = ALERT_FIRING,
         .is_seen = true}};
    struct outcome outcome = {.service = STR("s"),
                              .status = CHECK_CRITICAL,
                              .targets = &target,
                              .n_targets = 1,
                              .alerts = alerts,
                              .n_alerts = 2};

    (void)state;
    write_lines(&outcome);
    assert_true(str_starts(buf_str(&out),
                           STR("CPROF_LEAKS CRITICAL - new; 1 more alert, "
                               "CRITICAL (not seen now) | ")));
    buf_done(&out);
    target.has_snapshot = false;
    alerts[1].is_seen = false;
    write_lines(&outcome);
    assert_true(str_starts(buf_str(&out),
                           STR("CPROF_LEAKS CRITICAL - old (not looked for "
                               "now); 1 more alert | ")));
}

static void several_places_stand_where_one_would(void **state)
{
    struct outcome_target target = {
        .instance = STR("a"), .has_snapshot = true, .is_complete = true};
    struct outcome_alert alert = {.title = STR("circle"),
                                  .status = CHECK_WARNING,
                                  .state = ALERT_FIRING,
                                  .is_seen = true,
                                  .places = STR("f a.go:1, g b.go:2"),
                                  .count = 2};
    struct outcome outcome = {.service = STR("s"),
                              .status = CHECK_WARNING,
                              .targets = &target,
                              .n_targets = 1,
                              .alerts = &alert,
                              .n_alerts = 1};
    struct alert_fact facts[ALERT_FACTS];
    struct buf made = {0};

    (void)state;
    write_lines(&outcome);
    assert_true(str_contains(buf_str(&out),
                             STR("2 goroutines at f a.go:1, g b.go:2 | ")));
    assert_true(str_contains(buf_str(&out),
                             STR("    2 goroutines at f a.go:1, g b.go:2\n")));
    alert_facts(&outcome, &alert, &made, facts);
    assert_string_equal(facts[2].name, "At");
    assert_true(str_equal(facts[2].text, alert.places));
    buf_done(&made);
}

static void what_is_away_says_that_it_is_over(void **state)
{
    struct outcome_target targets[] = {{.instance = STR("b"),
                                        .has_snapshot = true,
                                        .is_complete = true,
                                        .goroutines = 12},
                                       {.instance = STR("a"), .is_away = true}};
    struct outcome_alert alert = {.target = 1,
                                  .title = STR("leak"),
                                  .rule = STR("rule"),
                                  .status = CHECK_WARNING,
                                  .state = ALERT_RESOLVED,
                                  .is_changed = true,
                                  .count = 2};
    struct outcome outcome = {.service = STR("s"),
                              .targets = targets,
                              .n_targets = 1,
                              .alerts = &alert,
                              .n_alerts = 1};
    struct buf summary = {0};

    (void)state;
    write_lines(&outcome);
    assert_string_equal(
        out.ptr,
        "CPROF_LEAKS OK - 12 goroutines, no finding; resolved as no longer "
        "watched: leak | goroutines=12;;;0 findings=0;;;0 time=1.234s;;;0\n"
        "a: no run asks for it any more\n"
        "  WARNING, resolved: leak, no longer watched\n"
        "    was 2 goroutines\n"
        "    rule: rule\n");
    alert_add_summary(&summary, &outcome, &alert);
    assert_string_equal(
        summary.ptr,
        "RESOLVED s: leak, was 2 goroutines on a, no longer watched");
    buf_done(&summary);
}

/* Figures of several moments are told apart. */
static void figures_are_those_of_their_run(void **state)
{
    struct outcome_target target = {.instance = STR("a")};
    struct outcome_alert alert = {.title = STR("leak"),
                                  .status = CHECK_WARNING,
                                  .state = ALERT_FIRING,
                                  .count = 1230,
                                  .share = 0.5,
                                  .has_growth = true,
                                  .delta = 1080,
                                  .has_rate = true,
                                  .per_hour = 180,
                                  .has_now = true,
                                  .now = 1300};
    struct outcome outcome = {.service = STR("s"),
                              .targets = &target,
                              .n_targets = 1,
                              .alerts = &alert,
                              .n_alerts = 1};

    (void)state;
    alert_add_figures(&out, &alert);
    buf_add_char(&out, '\n');
    alert_add_summary(&out, &outcome, &alert);
    buf_add_char(&out, '\n');
    alert.state = ALERT_RESOLVED;
    alert.now = 40;
    alert_add_figures(&out, &alert);
    buf_add_char(&out, '\n');
    alert_add_summary(&out, &outcome, &alert);
    assert_string_equal(
        out.ptr, "1,230 goroutines (50.00 %), +1,080, +180 an hour, now 1,300\n"
                 "WARNING s: leak, 1,300 goroutines on a\n"
                 "was 1,230 goroutines (50.00 %), now 40\n"
                 "RESOLVED s: leak, was 1,230 goroutines, now 40 on a");
}

static void no_answer_is_one_line(void **state)
{
    (void)state;
    plugin_add_unknown(&out, STR("no | such\noption"));
    assert_string_equal(out.ptr, "CPROF_LEAKS UNKNOWN - no / such option\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_healthy_target_takes_one_line, tear_down),
        cmocka_unit_test_teardown(hostile_texts_stay_texts, tear_down),
        cmocka_unit_test_teardown(of_several_the_largest_has_the_figures,
                                  tear_down),
        cmocka_unit_test_teardown(what_is_seen_comes_first, tear_down),
        cmocka_unit_test_teardown(several_places_stand_where_one_would,
                                  tear_down),
        cmocka_unit_test_teardown(what_is_away_says_that_it_is_over, tear_down),
        cmocka_unit_test_teardown(figures_are_those_of_their_run, tear_down),
        cmocka_unit_test_teardown(no_answer_is_one_line, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

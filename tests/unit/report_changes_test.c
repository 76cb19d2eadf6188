/* What a comparison says to people and programs: changes.h, text_changes.c,
 * json_changes.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include "report/changes.h"
#include "support/moving.h"

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct moving moving;
static struct buf words;

static int set_up(void **state)
{
    (void)state;
    moving_init(&moving);
    words = (struct buf){0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    buf_done(&words);
    moving_done(&moving);
    return 0;
}

/* --- Figures --- */

static const char *figure(double value)
{
    buf_clear(&words);
    change_add_signed(&words, value);
    return words.ptr;
}

static void figures_have_four_digits_at_most(void **state)
{
    (void)state;
    assert_string_equal(figure(0), "0");
    assert_string_equal(figure(12), "+12");
    assert_string_equal(figure(12.34), "+12.3");
    assert_string_equal(figure(1.234), "+1.23");
    assert_string_equal(figure(-0.5), "-0.50");
    assert_string_equal(figure(123.4), "+123");
    assert_string_equal(figure(-12345.6), "-12,346");
    assert_string_equal(figure(10716), "+10,716");
    assert_string_equal(figure(999999999999999), "+999,999,999,999,999");
    assert_string_equal(figure(-3.159e19), "-3.159e+19");
}

/* --- Words --- */

static const size_t snapshots[] = {0, 1, 2, 3, 4, 5};
static const double hours[] = {0, 0.5, 1, 1.5, 2, 2.5};

static struct site_growth site_of(const struct moments *series,
                                  enum growth_verdict verdict)
{
    return (struct site_growth){.verdict = verdict,
                                .series = series,
                                .n = series->n,
                                .window = "all",
                                .state = STATE_CHAN_SEND,
                                .is_blocking = true,
                                .has_rate = true,
                                .before = 60,
                                .after = 310,
                                .rate = {100, 90, 125}};
}

static const char *say(const struct site_growth *site)
{
    struct change_view view = {.site = site,
                               .delta = site->after - site->before};

    buf_clear(&words);
    change_add_words(&words, &view);
    return words.ptr;
}

static void words_follow_the_evidence(void **state)
{
    struct moments series = {
        .snapshots = snapshots, .n = 6, .hours = hours, .clock = CLOCK_GIVEN};
    struct site_growth site = site_of(&series, GROWTH_GROWING);

    (void)state;
    assert_string_equal(say(&site), "growing from 60 to 310 over 6 snapshots "
                                    "in 2h30m, +100 an hour (90 %: 90 to 125)");
    site.is_whole = true;
    text_has(say(&site), "leak-like growth from 60 to 310");
    site.has_survivors = true;
    site.survivors = 1;
    text_has(say(&site), "; those of the start are still there, by their ids");
    site.survivors = 0.42;
    text_has(say(&site), "; 42 % of the first are still there");
    site.survivors = 0;
    text_has(say(&site), "growing from 60");
    text_has(say(&site), "come and go, by their ids: traffic");
    site.has_survivors = false;
    site.is_of_runtime = true;
    text_lacks(say(&site), "leak");
    site.is_of_runtime = false;
    site.state = STATE_SELECT;
    site.is_blocking = false;
    text_has(say(&site), "growing from 60");
    text_lacks(say(&site), "leak");
}

static void each_verdict_has_its_words(void **state)
{
    struct moments series = {
        .snapshots = snapshots, .n = 2, .hours = hours, .clock = CLOCK_STEPS};
    struct site_growth site = site_of(&series, GROWTH_GREW);

    (void)state;
    assert_string_equal(say(&site), "grew from 60 to 310 over 2 snapshots");
    site.verdict = GROWTH_PLATEAU;
    text_has(say(&site), "filled up and stable, from 60 to 310");
    site.verdict = GROWTH_STUCK;
    assert_string_equal(say(&site),
                        "stuck, none has left: 60 to 310 over 2 snapshots");
    site.after = 60;
    assert_string_equal(say(&site),
                        "stuck, none has left: 60 over 2 snapshots");
    site.verdict = GROWTH_GREW;
    series.instance = STR("pod-7");
    text_has(say(&site), "over 2 snapshots on pod-7");
}

static void what_is_stable_may_have_stood_still(void **state)
{
    static const double level[] = {60, 60, 60};
    static const double wave[] = {60, 90, 60};
    struct moments series = {
        .snapshots = snapshots, .n = 3, .hours = hours, .clock = CLOCK_NAME};
    struct site_growth site = site_of(&series, GROWTH_STABLE);

    (void)state;
    site.counts = level;
    site.after = 60;
    assert_string_equal(say(&site), "unchanged, 60 over 3 snapshots in 1h");
    site.counts = wave;
    text_has(say(&site), "no more than the usual coming and going, from 60 to "
                         "60 over 3 snapshots in 1h, +100 an hour");
    site.still_waits = true;
    text_has(say(&site), "there again, 60 over 3 snapshots in 1h");
    site.never_left = true;
    text_has(say(&site), "still waiting, 60 over 3 snapshots in 1h");
}

static void a_window_is_named(void **state)
{
    struct moments series = {
        .snapshots = snapshots, .n = 6, .hours = hours, .clock = CLOCK_NAME};
    struct site_growth site = site_of(&series, GROWTH_GROWING);

    (void)state;
    site.window = "day";
    text_has(say(&site), "from 60 to 310 over the last day, +100 an hour");
}

/* Long series are judged at fewer points than there are snapshots. */
static void snapshots_are_counted_and_not_points(void **state)
{
    static size_t many[3000];
    static double times[3000];
    struct moments series = {.snapshots = many,
                             .n = COUNT(many),
                             .hours = times,
                             .clock = CLOCK_STEPS};
    struct site_growth site = site_of(&series, GROWTH_GROWING);

    (void)state;
    site.n = 288;
    text_has(say(&site), "from 60 to 310 over 3,000 snapshots, ");
    buf_clear(&words);
    change_add_span(&words, &series);
    assert_string_equal(words.ptr, "3,000 snapshots");
    buf_clear(&words);
    series.first = 1;
    change_add_span(&words, &series);
    assert_string_equal(words.ptr, "the last 2,999 of 3,000 snapshots");
}

static void limits_are_told_with_their_bounds(void **state)
{
    struct moments series = {
        .snapshots = snapshots, .n = 6, .hours = hours, .clock = CLOCK_NAME};
    struct site_growth site = site_of(&series, GROWTH_GROWING);
    struct change_view view = {.site = &site,
                               .has_limit = true,
                               .limit = 10000,
                               .hours_left = 10,
                               .hours_low = 8,
                               .hours_high = 12.5};

    (void)state;
    change_add_words(&words, &view);
    text_has(words.ptr, "; the limit of 10,000 is reached in 10h at this rate "
                        "(8h to 12h30m)");
    view.hours_high = INFINITY;
    change_add_words(&words, &view);
    text_has(words.ptr, "(8h or more)");
    view.hours_left = 0;
    change_add_words(&words, &view);
    text_has(words.ptr, "; the limit of 10,000 is reached");
    site.bytes = 2700;
    view.limit_bytes = (uint64_t)2 << 30;
    change_add_words(&words, &view);
    text_has(words.ptr, "; the limit of 2GB, with 2.64kB or more each, is "
                        "reached");
}

static void what_would_decide_is_said(void **state)
{
    struct moments series = {.snapshots = snapshots, .n = 2, .hours = hours};
    struct site_growth site = site_of(&series, GROWTH_GREW);
    struct str texts[CHANGE_DECIDES];

    (void)state;
    assert_int_equal(change_decides(&site, false, texts), 2);
    text_has(texts[0].ptr, "five or more snapshots");
    text_has(texts[1].ptr, "debug=2");
    assert_int_equal(change_decides(&site, true, texts), 1);
    site.has_survivors = true;
    assert_int_equal(change_decides(&site, false, texts), 1);
    site.verdict = GROWTH_GROWING;
    site.is_whole = true;
    assert_int_equal(change_decides(&site, false, texts), 0);
    site.verdict = GROWTH_STABLE;
    site.has_survivors = false;
    assert_int_equal(change_decides(&site, false, texts), 0);
}

/* --- The table --- */

static void a_course_is_drawn_with_bars(void **state)
{
    static const uint64_t counts[] = {0, 100, 350, 700, 700};
    const char *text;

    (void)state;
    moving_course(&moving, "chan send", counts, 5, 50);
    text = reporting_write(&moving.base, "text");
    text_has(text, "_▂▅██");
    text_has(text, "PER HOUR");
    text_lacks(text, "CHANGE");
}

static void two_moments_have_a_change_and_no_course(void **state)
{
    static const uint64_t counts[] = {100, 400};
    const char *text;

    (void)state;
    moving_course(&moving, "chan send", counts, 2, 50);
    text = reporting_write(&moving.base, "text");
    text_has(text, "Changes over 2 snapshots, 1h");
    text_has(text, "  BEFORE  AFTER  CHANGE  VERDICT  WHERE\n"
                   "     100    400    +300  grew     main.f ");
    text_has(text, "5 places changed by no more than");
}

static void the_same_twice_says_that_nothing_changed(void **state)
{
    static const uint64_t counts[] = {400, 400};
    const char *text;

    (void)state;
    moving_course(&moving, "chan send", counts, 2, 50);
    text = reporting_write(&moving.base, "text");
    assert_int_equal(text_place(text, "OK: nothing changed among 650 "
                                      "goroutines\n"),
                     0);
    text_lacks(text, "Changes over");
}

static void what_rose_a_little_is_neither_growth_nor_unchanged(void **state)
{
    static const uint64_t counts[] = {14, 44};
    const char *text;

    (void)state;
    moving_course(&moving, "select", counts, 2, 0);
    text = reporting_write(&moving.base, "text");
    assert_int_equal(text_place(text, "OK: 1 place rose, by too little to call "
                                      "it growth, among 44 goroutines\n"),
                     0);
    text_lacks(text, "coming and going");
}

static void that_ids_stay_is_said_where_it_does_not_decide(void **state)
{
    const char *text;

    (void)state;
    moving_add(moving_moment(&moving, "a"), "main.f", "chan receive", 100, 10);
    moving_add(moving_moment(&moving, "b"), "main.f", "chan receive", 400, 10);
    text = reporting_write(&moving.base, "text");
    text_has(text, "1 place grew, without showing a leak yet");
    text_has(text, "Those of the start are still there, by their ids, but");
    text_lacks(text, "debug=2 show");
}

static void filters_hold_for_changes_too(void **state)
{
    const char *text;
    struct snapshot *old = moving_moment(&moving, "old");
    struct snapshot *new = moving_moment(&moving, "new");

    (void)state;
    reporting_set(&moving.base, "focus", "main.f|main.gone");
    reporting_set(&moving.base, "min-count", "50");
    moving_add(old, "main.gone", "chan send", 90, 0);
    moving_add(old, "main.f", "chan send", 10, 0);
    moving_add(new, "main.f", "chan send", 90, 0);
    moving_add(new, "main.g", "chan send", 90, 0);
    text = reporting_write(&moving.base, "text");
    text_has(text, "main.f ");
    text_has(text, "main.gone ");
    text_lacks(text, "main.g ");
    text = reporting_write(&moving.base, "json");
    text_lacks(text, "\"main.g\"");
    text_has(text, "\"verdict\": \"gone\"");
}

static void the_largest_changes_come_first_and_the_rest_is_counted(void **state)
{
    const char *text;
    struct snapshot *old = moving_moment(&moving, "old");
    struct snapshot *new = moving_moment(&moving, "new");

    (void)state;
    reporting_set(&moving.base, "top", "1");
    moving_add(old, "main.f", "chan send", 10, 0);
    moving_add(new, "main.f", "chan send", 90, 0);
    moving_add(new, "main.g", "chan send", 100, 0);
    text = reporting_write(&moving.base, "text");
    text_has(text, "main.g ");
    text_lacks(text, "main.f ");
    text_has(text, "... 1 more place (--all shows them)");
}

static void a_restart_is_in_the_title(void **state)
{
    const char *text;

    (void)state;
    for (uint64_t i = 0; i < 4; i++) {
        struct snapshot *snapshot = moving_moment(&moving, "x");

        snapshot_info(snapshot)->go_version =
            i < 2 ? STR("go1.24.4") : STR("go1.26.1");
        moving_add(snapshot, "main.f", "chan send", 10 + 50 * (i % 2), 0);
    }
    text = reporting_write(&moving.base, "text");
    text_has(text, "Changes over the last 2 of 4 snapshots, since a restart");
    text_has(text, "warning: x:1: the process restarted between");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(figures_have_four_digits_at_most),
        TEST(words_follow_the_evidence),
        TEST(each_verdict_has_its_words),
        TEST(what_is_stable_may_have_stood_still),
        TEST(a_window_is_named),
        TEST(snapshots_are_counted_and_not_points),
        TEST(limits_are_told_with_their_bounds),
        TEST(what_would_decide_is_said),
        TEST(a_course_is_drawn_with_bars),
        TEST(two_moments_have_a_change_and_no_course),
        TEST(the_same_twice_says_that_nothing_changed),
        TEST(what_rose_a_little_is_neither_growth_nor_unchanged),
        TEST(that_ids_stay_is_said_where_it_does_not_decide),
        TEST(filters_hold_for_changes_too),
        TEST(the_largest_changes_come_first_and_the_rest_is_counted),
        TEST(a_restart_is_in_the_title),
    };

    return cmocka_run_group_tests_name("report/changes", tests, NULL, NULL);
}

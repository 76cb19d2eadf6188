/* How bad growth is: growth_level.h, and how sure: growth_confidence_of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "rules/growth_level.h"

#include <cmocka.h>

enum survival { UNKNOWN, STAY, PART, FEW, PASS };

struct row {
    const char *what;
    enum growth_verdict verdict;
    bool is_whole;
    bool is_real;
    bool has_load;
    state_id state;
    enum survival survival;
    double before, after, rate; /* rate 0 = times are not known */
    enum cprof_severity severity;
};

static const struct row rows[] = {
    {"nothing", GROWTH_STABLE, 0, 0, 1, STATE_CHAN_SEND, UNKNOWN, 90, 100, 0,
     CPROF_SEVERITY_OK},
    {"filled up", GROWTH_PLATEAU, 0, 0, 1, STATE_CHAN_SEND, STAY, 10, 20000, 0,
     CPROF_SEVERITY_OK},
    {"shrank", GROWTH_SHRANK, 0, 0, 1, STATE_CHAN_SEND, UNKNOWN, 900, 10, 0,
     CPROF_SEVERITY_OK},
    {"gone", GROWTH_GONE, 0, 0, 1, STATE_CHAN_SEND, UNKNOWN, 900, 0, 0,
     CPROF_SEVERITY_OK},

    {"two: grew", GROWTH_GREW, 0, 0, 1, STATE_CHAN_SEND, UNKNOWN, 100, 400, 9,
     CPROF_SEVERITY_LOW},
    {"two: by a thousand", GROWTH_GREW, 0, 0, 1, STATE_CHAN_SEND, UNKNOWN, 100,
     1100, 9, CPROF_SEVERITY_MEDIUM},
    {"two: they stay", GROWTH_GREW, 0, 0, 1, STATE_CHAN_SEND, STAY, 100, 400, 9,
     CPROF_SEVERITY_MEDIUM},
    {"two: receives that stay", GROWTH_GREW, 0, 0, 0, STATE_CHAN_RECEIVE, STAY,
     100, 400, 9, CPROF_SEVERITY_LOW},
    {"two: half stay", GROWTH_GREW, 0, 0, 1, STATE_CHAN_SEND, PART, 100, 400, 9,
     CPROF_SEVERITY_LOW},
    {"two: they pass", GROWTH_GREW, 0, 0, 1, STATE_CHAN_SEND, PASS, 100, 5000,
     9, CPROF_SEVERITY_LOW},
    {"two: never critical", GROWTH_GREW, 0, 0, 1, STATE_CHAN_SEND, STAY, 100,
     90000, 9000, CPROF_SEVERITY_MEDIUM},
    {"two: a thousand that receive", GROWTH_GREW, 0, 0, 0, STATE_CHAN_RECEIVE,
     UNKNOWN, 100, 1100, 9, CPROF_SEVERITY_LOW},
    {"new, a few", GROWTH_APPEARED, 0, 0, 1, STATE_CHAN_SEND, UNKNOWN, 0, 12, 0,
     CPROF_SEVERITY_OK},
    {"new", GROWTH_APPEARED, 0, 1, 1, STATE_CHAN_SEND, UNKNOWN, 0, 200, 0,
     CPROF_SEVERITY_LOW},
    {"new, thousands", GROWTH_APPEARED, 0, 1, 1, STATE_CHAN_SEND, UNKNOWN, 0,
     2000, 0, CPROF_SEVERITY_MEDIUM},

    {"few: growing", GROWTH_GROWING, 0, 0, 1, STATE_CHAN_SEND, UNKNOWN, 100,
     400, 9, CPROF_SEVERITY_MEDIUM},
    {"few: receives, no ids, no load", GROWTH_GROWING, 0, 0, 0,
     STATE_CHAN_RECEIVE, UNKNOWN, 100, 400, 9, CPROF_SEVERITY_LOW},
    {"few: receives beside load", GROWTH_GROWING, 0, 0, 1, STATE_CHAN_RECEIVE,
     UNKNOWN, 100, 400, 9, CPROF_SEVERITY_MEDIUM},
    {"few: receives that stay", GROWTH_GROWING, 0, 0, 0, STATE_CHAN_RECEIVE,
     STAY, 100, 400, 9, CPROF_SEVERITY_LOW},

    {"few: about to run, beside load", GROWTH_GROWING, 0, 0, 1, STATE_RUNNABLE,
     PART, 100, 400, 9, CPROF_SEVERITY_LOW},
    {"few: run on, the same", GROWTH_GROWING, 0, 0, 1, STATE_RUNNING, STAY, 100,
     400, 9, CPROF_SEVERITY_MEDIUM},
    {"few: queues of the runtime", GROWTH_GROWING, 0, 0, 1, STATE_SEMACQUIRE,
     STAY, 100, 400, 9, CPROF_SEVERITY_LOW},

    {"whole", GROWTH_GROWING, 1, 0, 1, STATE_CHAN_SEND, UNKNOWN, 100, 400, 9,
     CPROF_SEVERITY_HIGH},
    {"whole: limit reached", GROWTH_GROWING, 1, 0, 1, STATE_CHAN_SEND, UNKNOWN,
     100, 10000, 9, CPROF_SEVERITY_CRITICAL},
    {"whole: limit today", GROWTH_GROWING, 1, 0, 1, STATE_CHAN_SEND, UNKNOWN,
     100, 400, 400, CPROF_SEVERITY_CRITICAL},
    {"whole: limit tomorrow", GROWTH_GROWING, 1, 0, 1, STATE_CHAN_SEND, UNKNOWN,
     100, 400, 399, CPROF_SEVERITY_HIGH},
    {"whole: limit today, from a glance", GROWTH_GROWING, 1, 0, 1,
     STATE_CHAN_SEND, UNKNOWN, 20, 40, 9000, CPROF_SEVERITY_HIGH},
    {"whole: traffic by ids", GROWTH_GROWING, 1, 0, 1, STATE_CHAN_SEND, PASS,
     100, 20000, 4000, CPROF_SEVERITY_LOW},
    {"whole: select, nothing known", GROWTH_GROWING, 1, 0, 0, STATE_SELECT,
     UNKNOWN, 100, 400, 9, CPROF_SEVERITY_MEDIUM},
    {"whole: select at the limit, nothing known", GROWTH_GROWING, 1, 0, 0,
     STATE_SELECT, UNKNOWN, 100, 20000, 9, CPROF_SEVERITY_HIGH},
    {"whole: select beside load", GROWTH_GROWING, 1, 0, 1, STATE_SELECT,
     UNKNOWN, 100, 400, 9, CPROF_SEVERITY_HIGH},
    {"whole: select beside load, most left", GROWTH_GROWING, 1, 0, 1,
     STATE_SELECT, FEW, 100, 400, 400, CPROF_SEVERITY_MEDIUM},
    {"whole: select that stay", GROWTH_GROWING, 1, 0, 0, STATE_SELECT, STAY,
     100, 400, 9, CPROF_SEVERITY_HIGH},

    {"whole: queues of the runtime", GROWTH_GROWING, 1, 0, 1, STATE_SEMACQUIRE,
     UNKNOWN, 100, 20000, 4000, CPROF_SEVERITY_LOW},

    {"stuck", GROWTH_STUCK, 0, 0, 0, STATE_CHAN_SEND, UNKNOWN, 40, 40, 9,
     CPROF_SEVERITY_MEDIUM},
    {"stuck, the same", GROWTH_STUCK, 0, 0, 0, STATE_CHAN_SEND, STAY, 40, 40, 9,
     CPROF_SEVERITY_HIGH},
    {"stuck, others", GROWTH_STUCK, 0, 0, 0, STATE_CHAN_SEND, PASS, 40, 40, 9,
     CPROF_SEVERITY_LOW},
    {"an idle pool at a Cond", GROWTH_STUCK, 0, 0, 0, STATE_COND_WAIT, STAY, 40,
     40, 9, CPROF_SEVERITY_LOW},
    {"supervisors", GROWTH_STUCK, 0, 0, 0, STATE_WAITGROUP_WAIT, STAY, 40, 40,
     9, CPROF_SEVERITY_MEDIUM},
    {"an idle pool", GROWTH_STUCK, 0, 0, 0, STATE_CHAN_RECEIVE, STAY, 40, 40, 9,
     CPROF_SEVERITY_LOW},
};

static struct site_growth site_of(const struct row *row)
{
    static const double shares[] = {
        [UNKNOWN] = 0, [STAY] = 0.95, [PART] = 0.5, [FEW] = 0.3, [PASS] = 0.05};

    return (struct site_growth){
        .verdict = row->verdict,
        .is_whole = row->is_whole,
        .is_real = row->is_real,
        .has_load = row->has_load,
        .has_rate = row->rate > 0,
        .state = row->state,
        .is_blocking = row->state == STATE_CHAN_SEND ||
                       row->state == STATE_COND_WAIT ||
                       row->state == STATE_WAITGROUP_WAIT,
        .is_of_runtime = row->state == STATE_SEMACQUIRE,
        .has_survivors = row->survival != UNKNOWN,
        .survivors = shares[row->survival],
        .living = shares[row->survival],
        .before = row->before,
        .after = row->after,
        .rate = {row->rate, row->rate * 0.9, row->rate * 1.1},
        .n = row->is_whole ? 8 : 3,
    };
}

static void the_table_of_severities(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct site_growth site = site_of(&rows[i]);
        enum cprof_severity severity = growth_severity(&site, 0);

        if (severity != rows[i].severity)
            fail_msg("%s: %d, not %d", rows[i].what, (int)severity,
                     (int)rows[i].severity);
    }
}

/* Ages that grow with the clock are minutes, and not the seconds between two
 * snapshots. */
static void receives_that_stay_for_minutes_are_medium(void **state)
{
    struct row row = {
        "", GROWTH_GREW,      0, 0, 0, STATE_CHAN_RECEIVE, STAY, 100, 400,
        9,  CPROF_SEVERITY_OK};
    struct site_growth site = site_of(&row);

    (void)state;
    site.ages_advance = true;
    assert_int_equal(growth_severity(&site, 0), CPROF_SEVERITY_MEDIUM);
}

/* Of what a rule of class bad speaks of, healthy code keeps no numbers. */
static void ids_are_enough_for_what_is_bad(void **state)
{
    static const struct {
        enum growth_verdict verdict;
        enum survival survival;
        enum cprof_severity severity;
    } cases[] = {
        {GROWTH_GREW, STAY, CPROF_SEVERITY_MEDIUM},
        {GROWTH_GREW, PART, CPROF_SEVERITY_LOW},
        {GROWTH_GREW, UNKNOWN, CPROF_SEVERITY_LOW},
        {GROWTH_GROWING, STAY, CPROF_SEVERITY_MEDIUM},
        {GROWTH_STUCK, STAY, CPROF_SEVERITY_LOW},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct row row = {.verdict = cases[i].verdict,
                          .state = STATE_SELECT,
                          .survival = cases[i].survival,
                          .before = 100,
                          .after = 400};
        struct site_growth site = site_of(&row);

        assert_int_equal(growth_severity_bad(&site, 0), cases[i].severity);
    }
}

static void a_limit_may_be_given(void **state)
{
    struct row row = {
        "",  GROWTH_GROWING,   1, 0, 1, STATE_CHAN_SEND, UNKNOWN, 100, 400,
        0.1, CPROF_SEVERITY_OK};
    struct site_growth site = site_of(&row);

    (void)state;
    assert_int_equal(growth_severity(&site, 500), CPROF_SEVERITY_HIGH);
    assert_int_equal(growth_severity(&site, 402), CPROF_SEVERITY_CRITICAL);
    assert_int_equal(growth_severity(&site, 400), CPROF_SEVERITY_CRITICAL);
}

/* A rate of steps says nothing of hours. */
static void steps_are_not_projected(void **state)
{
    struct row row = {
        "", GROWTH_GROWING,   1, 0, 1, STATE_CHAN_SEND, UNKNOWN, 100, 400,
        0,  CPROF_SEVERITY_OK};
    struct site_growth site = site_of(&row);

    (void)state;
    site.rate.median = 5000;
    assert_int_equal(growth_severity(&site, 0), CPROF_SEVERITY_HIGH);
}

/* Where no age confirms the ids after minutes, who sends again and again looks
 * the same; and who is at another place by now has not left. */
static void what_ids_alone_say_is_less(void **state)
{
    struct row row = {.verdict = GROWTH_STUCK,
                      .state = STATE_CHAN_SEND,
                      .survival = STAY,
                      .before = 40,
                      .after = 40};
    struct site_growth site = site_of(&row);

    (void)state;
    assert_int_equal(growth_severity(&site, 0), CPROF_SEVERITY_HIGH);
    site.is_unaged = true;
    assert_int_equal(growth_severity(&site, 0), CPROF_SEVERITY_MEDIUM);
    assert_int_equal(growth_confidence_of(&site), GROWTH_LOW);
    row = (struct row){.verdict = GROWTH_GROWING,
                       .is_whole = true,
                       .has_load = true,
                       .state = STATE_SELECT,
                       .survival = FEW,
                       .before = 100,
                       .after = 400};
    site = site_of(&row);
    assert_int_equal(growth_severity(&site, 0), CPROF_SEVERITY_MEDIUM);
    site.living = 1;
    assert_int_equal(growth_severity(&site, 0), CPROF_SEVERITY_HIGH);
}

/* A batch that began a minute ago looks like a leak that did. */
static void an_end_of_minutes_is_medium(void **state)
{
    struct row row = {.verdict = GROWTH_GROWING,
                      .is_whole = true,
                      .has_load = true,
                      .state = STATE_CHAN_SEND,
                      .before = 10,
                      .after = 400,
                      .rate = 9000};
    struct site_growth site = site_of(&row);

    (void)state;
    assert_int_equal(growth_severity(&site, 0), CPROF_SEVERITY_CRITICAL);
    site.window = "end";
    site.hours = 4.9 / 60;
    assert_true(growth_is_early(&site));
    assert_false(growth_is_leak_like(&site));
    assert_int_equal(growth_severity(&site, 0), CPROF_SEVERITY_MEDIUM);
    site.hours = 5.1 / 60;
    assert_true(growth_is_leak_like(&site));
    assert_int_equal(growth_severity(&site, 0), CPROF_SEVERITY_HIGH);
    site.after = 10000;
    assert_int_equal(growth_severity(&site, 0), CPROF_SEVERITY_CRITICAL);
    site.has_rate = false;
    assert_int_equal(growth_severity(&site, 0), CPROF_SEVERITY_MEDIUM);
}

static void the_few_of_a_place_do_not_speak_for_it(void **state)
{
    struct row row = {.verdict = GROWTH_GROWING, .after = 254};
    struct site_growth site = site_of(&row);

    (void)state;
    assert_true(growth_is_of_others(&site, 1));
    assert_true(growth_is_of_others(&site, 63));
    assert_false(growth_is_of_others(&site, 64));
}

/* A process makes its connections in its first seconds. */
static void half_a_minute_of_healthy_waits_is_no_leak(void **state)
{
    struct row row = {
        "",     GROWTH_GROWING,   1, 0, 1, STATE_IO_WAIT, STAY, 95, 1500,
        180000, CPROF_SEVERITY_OK};
    struct site_growth site = site_of(&row);

    (void)state;
    site.hours = 28 / 3600.0;
    assert_int_equal(growth_severity(&site, 0), CPROF_SEVERITY_MEDIUM);
    site.hours = 61 / 3600.0;
    assert_int_equal(growth_severity(&site, 0), CPROF_SEVERITY_CRITICAL);
    site.hours = 28 / 3600.0;
    site.is_blocking = true;
    assert_int_equal(growth_severity(&site, 0), CPROF_SEVERITY_CRITICAL);
}

static void confidence_follows_evidence(void **state)
{
    struct site_growth site = {.verdict = GROWTH_GROWING,
                               .is_whole = true,
                               .has_load = true,
                               .state = STATE_CHAN_SEND,
                               .n = 8};

    (void)state;
    assert_int_equal(growth_confidence_of(&site), GROWTH_HIGH);
    site.n = 6;
    assert_int_equal(growth_confidence_of(&site), GROWTH_MEDIUM);
    site.has_load = false;
    assert_int_equal(growth_confidence_of(&site), GROWTH_LOW);
    site.has_survivors = true;
    site.survivors = site.living = 0.95;
    assert_int_equal(growth_confidence_of(&site), GROWTH_MEDIUM);
    site.survivors = 0.05;
    assert_int_equal(growth_confidence_of(&site), GROWTH_LOW);
    site.survivors = site.living = 0.5;
    site.is_leaked = true;
    site.n = 12;
    assert_int_equal(growth_confidence_of(&site), GROWTH_HIGH);
    site.verdict = GROWTH_PLATEAU;
    assert_int_equal(growth_confidence_of(&site), GROWTH_NONE);
}

static void counts_alone_of_a_busy_wait_are_not_sure(void **state)
{
    struct site_growth site = {.verdict = GROWTH_GROWING,
                               .is_whole = true,
                               .state = STATE_SELECT,
                               .ages_advance = true,
                               .n = 24};

    (void)state;
    assert_int_equal(growth_confidence_of(&site), GROWTH_LOW);
    site.has_load = true;
    assert_int_equal(growth_confidence_of(&site), GROWTH_HIGH);
}

static void two_snapshots_are_low_unless_ids_show_more(void **state)
{
    struct site_growth site = {.verdict = GROWTH_GREW,
                               .has_load = true,
                               .state = STATE_CHAN_SEND,
                               .n = 2};

    (void)state;
    assert_int_equal(growth_confidence_of(&site), GROWTH_LOW);
    site.has_survivors = true;
    site.survivors = site.living = 1;
    assert_int_equal(growth_confidence_of(&site), GROWTH_MEDIUM);
}

static void memory_is_a_limit_too(void **state)
{
    struct site_growth site = {.bytes = 2700};
    struct cprof_options options = {0};
    uint64_t bytes = 1;

    (void)state;
    assert_true(growth_limit(&options, &site, &bytes) == 10000);
    assert_int_equal(bytes, 0);
    options.limit_bytes = 27000000;
    assert_true(growth_limit(&options, &site, &bytes) == 10000);
    assert_int_equal(bytes, 27000000);
    options.limit = 20000;
    assert_true(growth_limit(&options, &site, &bytes) == 10000);
    assert_int_equal(bytes, 27000000);
    options.limit = 500;
    assert_true(growth_limit(&options, &site, &bytes) == 500);
    assert_int_equal(bytes, 0);
    options = (struct cprof_options){.limit_bytes = 1 << 30};
    assert_true(growth_limit(&options, &site, NULL) > 397000);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_of_severities),
        cmocka_unit_test(receives_that_stay_for_minutes_are_medium),
        cmocka_unit_test(ids_are_enough_for_what_is_bad),
        cmocka_unit_test(a_limit_may_be_given),
        cmocka_unit_test(memory_is_a_limit_too),
        cmocka_unit_test(steps_are_not_projected),
        cmocka_unit_test(what_ids_alone_say_is_less),
        cmocka_unit_test(an_end_of_minutes_is_medium),
        cmocka_unit_test(the_few_of_a_place_do_not_speak_for_it),
        cmocka_unit_test(half_a_minute_of_healthy_waits_is_no_leak),
        cmocka_unit_test(confidence_follows_evidence),
        cmocka_unit_test(counts_alone_of_a_busy_wait_are_not_sure),
        cmocka_unit_test(two_snapshots_are_low_unless_ids_show_more),
    };

    return cmocka_run_group_tests_name("rules/growth_level", tests, NULL, NULL);
}

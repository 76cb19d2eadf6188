/* The last week, day and hour of a series, and what stands out in them:
 * growth_parts.h. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "support/moving.h"

#include <cmocka.h>

static struct moving moving;

static int set_up(void **state)
{
    (void)state;
    moving_init(&moving);
    reporting_set(&moving.base, "interval", "5m");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    moving_done(&moving);
    return 0;
}

enum { OTHERS = 6 };

/* Adds a moment: main.f beside others, which have a count each. */
static void add_moment(double count, const double others[OTHERS])
{
    struct snapshot *snapshot = moving_moment(&moving, "dump.txt");

    moving_add(snapshot, "main.f", "select", (uint64_t)count, 0);
    for (unsigned i = 0; i < OTHERS; i++) {
        char name[16];

        snprintf(name, sizeof(name), "main.other%u", i);
        moving_add(snapshot, name, "IO wait", (uint64_t)others[i], 0);
    }
}

static const double flat[OTHERS] = {50, 60, 70, 80, 90, 100};

static const struct site_growth *site(void)
{
    return moving_site(&moving, "main.f");
}

/* Two days of nothing, and a leak of an hour. */
static void a_leak_of_the_last_hour_is_seen_after_days(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 600; i++)
        add_moment(i < 585 ? 100 + i % 3 : 100 + (i - 585) * 20, flat);
    assert_int_equal(site()->verdict, GROWTH_GROWING);
    assert_true(site()->is_whole);
    assert_string_equal(site()->window, "hour");
    assert_true(site()->stands_out);
}

/* Of moments a quarter of an hour apart an hour has too few. */
static void who_looks_rarely_has_six_hours(void **state)
{
    (void)state;
    reporting_set(&moving.base, "interval", "15m");
    for (unsigned i = 0; i < 300; i++)
        add_moment(i < 280 ? 100 + i % 3 : 100 + (i - 280) * 20, flat);
    assert_int_equal(site()->verdict, GROWTH_GROWING);
    assert_true(site()->is_whole);
    assert_string_equal(site()->window, "6 hours");
    assert_float_equal(site()->rate.median, 80, 8);
}

/* Each day is like the one before; the last hour rises as it did then. */
static void a_wave_that_comes_back_is_no_growth(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 600; i++)
        add_moment(500 - 400 * cos(6.283185307 * (i + 20) / 288), flat);
    assert_false(site()->is_whole);
}

/* A series of an hour: f rises by a factor, and the others by theirs. */
static void add_hour(double factor, const double factors[OTHERS])
{
    for (unsigned i = 0; i < 12; i++) {
        double others[OTHERS];

        for (unsigned k = 0; k < OTHERS; k++)
            others[k] = flat[k] * pow(factors[k], i / 11.0);
        add_moment(100 * pow(factor, i / 11.0), others);
    }
}

static void one_that_rises_alone_stands_out(void **state)
{
    static const double factors[OTHERS] = {1, 1, 1, 1, 1, 1};

    (void)state;
    add_hour(3, factors);
    assert_true(site()->is_whole);
    assert_true(site()->stands_out);
}

/* In the morning each place rises in a way of its own. */
static void one_among_many_that_rise_does_not(void **state)
{
    static const double factors[OTHERS] = {1.1, 1.5, 2, 2.5, 1.2, 1.8};

    (void)state;
    add_hour(5, factors);
    assert_false(site()->stands_out);
}

/* Quiet for as long as it rose since, or longer. */
static void what_was_quiet_until_then_is_seen(void **state)
{
    static const unsigned quiet[] = {4, 6, 12};

    (void)state;
    for (unsigned q = 0; q < sizeof(quiet) / sizeof(*quiet); q++) {
        unsigned n = quiet[q] + 6;

        moving_done(&moving);
        moving_init(&moving);
        reporting_set(&moving.base, "interval", "20s");
        for (unsigned i = 0; i < n; i++)
            add_moment(i < quiet[q] ? 3 : 3 + (i - quiet[q] + 1) * 40, flat);
        assert_int_equal(site()->verdict, GROWTH_GROWING);
        assert_true(site()->is_whole);
    }
    assert_string_equal(site()->window, "end");
}

/* One step to another number is no growth that goes on. */
static void a_step_is_no_end(void **state)
{
    static const double counts[] = {1, 1, 2, 1, 1, 4, 4, 6, 8, 205, 253, 254};

    (void)state;
    for (unsigned i = 0; i < 12; i++)
        add_moment(counts[i], flat);
    assert_string_not_equal(site()->window, "end");
}

/* It came back to what it had been; and 40 are too few for so short a time. */
static void an_end_has_to_be_beyond_all_before(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 12; i++)
        add_moment(i < 6 ? 400 - i * 60 : 100 + (i - 6) * 70, flat);
    assert_false(site()->is_whole);
    moving_done(&moving);
    moving_init(&moving);
    for (unsigned i = 0; i < 12; i++)
        add_moment(i < 6 ? 3 : 3 + (i - 6) * 8, flat);
    assert_false(site()->is_whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(who_looks_rarely_has_six_hours, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            a_leak_of_the_last_hour_is_seen_after_days, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_wave_that_comes_back_is_no_growth,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_that_rises_alone_stands_out, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(one_among_many_that_rise_does_not,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_quiet_until_then_is_seen,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_step_is_no_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_end_has_to_be_beyond_all_before,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

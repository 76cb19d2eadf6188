/* Whether a series grows: trend.h and load.h. What the tests are worth over
 * many series is measured in tests/simulation. */
#include <setjmp.h>
#include <stdarg.h>

#include "analysis/load.h"
#include "analysis/trend.h"

#include <cmocka.h>

static struct series_scratch scratch;
static const double steps[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                               10, 11, 12, 13, 14, 15, 16, 17, 18, 19};

static struct trend judge(const double *counts, size_t n, const double *load)
{
    struct trend_series series = {steps, counts, load, n};

    return trend_judge(&series, &scratch);
}

static void one_point_says_nothing(void **state)
{
    static const double counts[] = {97908};
    struct trend trend = judge(counts, 1, NULL);

    (void)state;
    assert_int_equal(trend.verdict, TREND_STABLE);
    assert_false(trend.is_whole);
}

static void two_points_grew_or_shrank(void **state)
{
    static const double grew[] = {100, 300};
    static const double shrank[] = {300, 100};
    static const double little[] = {100, 140};
    static const double large[] = {10000, 10100};

    (void)state;
    assert_int_equal(judge(grew, 2, NULL).verdict, TREND_GREW);
    assert_int_equal(judge(shrank, 2, NULL).verdict, TREND_SHRANK);
    assert_int_equal(judge(little, 2, NULL).verdict, TREND_STABLE);
    assert_int_equal(judge(large, 2, NULL).verdict, TREND_STABLE);
}

static void two_points_that_follow_the_load(void **state)
{
    static const double counts[] = {100, 300};
    static const double load[] = {1, 3};

    (void)state;
    assert_int_equal(judge(counts, 2, load).verdict, TREND_STABLE);
}

static void three_points_are_growing_but_not_whole(void **state)
{
    static const double counts[] = {100, 180, 270};
    struct trend trend = judge(counts, 3, NULL);

    (void)state;
    assert_int_equal(trend.verdict, TREND_GROWING);
    assert_false(trend.is_whole);
}

static void five_points_in_order_are_whole(void **state)
{
    static const double counts[] = {100, 140, 180, 220, 260};
    struct trend trend = judge(counts, 5, NULL);

    (void)state;
    assert_int_equal(trend.verdict, TREND_GROWING);
    assert_true(trend.is_whole);
    assert_true(trend.p < 0.01);
    assert_float_equal(trend.rate.median, 40, 1e-9);
}

/* What it adds is measured by its time: minutes, of which the last are few. */
static void a_short_last_step_may_be_small(void **state)
{
    static const double counts[] = {46, 178, 192};
    static const double level[] = {46, 178, 179};
    static const double times[] = {0, 66, 77};
    struct trend_series series = {times, counts, NULL, 3};

    (void)state;
    assert_int_equal(trend_judge(&series, &scratch).verdict, TREND_GROWING);
    series.counts = level;
    assert_int_equal(trend_judge(&series, &scratch).verdict, TREND_GREW);
    assert_int_equal(judge(counts, 3, NULL).verdict, TREND_GREW);
}

/* A third snapshot of what came at once does not make less of it; of what went
 * again it does, and five tell a plateau from growth. */
static void a_step_that_stays_grew(void **state)
{
    static const double step[] = {25, 220, 220, 219};
    static const double burst[] = {25, 220, 100};
    static const double small[] = {25, 60, 60};
    static const double plateau[] = {25, 220, 220, 220, 220};

    (void)state;
    assert_int_equal(judge(step, 3, NULL).verdict, TREND_GREW);
    assert_int_equal(judge(step, 4, NULL).verdict, TREND_GREW);
    assert_int_equal(judge(burst, 3, NULL).verdict, TREND_STABLE);
    assert_int_equal(judge(small, 3, NULL).verdict, TREND_STABLE);
    assert_int_not_equal(judge(plateau, 5, NULL).verdict, TREND_GREW);
}

/* One goroutine a snapshot on a few is a leak too. */
static void a_small_leak_is_whole(void **state)
{
    double counts[12];
    struct trend trend;

    (void)state;
    for (size_t i = 0; i < 12; i++)
        counts[i] = 5 + (double)i;
    trend = judge(counts, 12, NULL);
    assert_int_equal(trend.verdict, TREND_GROWING);
    assert_true(trend.is_whole);
}

static void less_than_ten_are_not_judged(void **state)
{
    double counts[9];

    (void)state;
    for (size_t i = 0; i < 9; i++)
        counts[i] = (double)i;
    assert_int_equal(judge(counts, 9, NULL).verdict, TREND_STABLE);
}

/* A verdict stays while the series goes on as it did. */
static void a_verdict_does_not_vanish(void **state)
{
    double counts[20];

    (void)state;
    for (size_t i = 0; i < 20; i++)
        counts[i] = 50 + 31 * (double)i + (i % 3 == 1 ? 6 : 0);
    for (size_t n = TREND_FEW; n <= 20; n++)
        assert_int_equal(judge(counts, n, NULL).verdict, TREND_GROWING);
    for (size_t n = TREND_WHOLE; n <= 20; n++)
        assert_true(judge(counts, n, NULL).is_whole);
}

/* A leak that began late in a long series is no pool that fills up, and its
 * rate is that since it began. */
static void a_late_rise_that_goes_on_is_no_plateau(void **state)
{
    double times[200];
    double counts[200];
    struct trend_series series = {times, counts, NULL, 200};

    (void)state;
    for (size_t i = 0; i < 200; i++) {
        times[i] = (double)i;
        counts[i] = i < 140 ? (double)(i % 2) : (double)(i - 140) * 10;
    }
    assert_int_not_equal(trend_judge(&series, &scratch).verdict, TREND_PLATEAU);
    for (size_t i = 180; i < 200; i++)
        counts[i] = 400;
    assert_int_equal(trend_judge(&series, &scratch).verdict, TREND_PLATEAU);
    for (size_t i = 100; i < 200; i++)
        counts[i] = (double)(i - 100) * 10;
    assert_true(trend_judge(&series, &scratch).is_whole);
    assert_float_equal(trend_judge(&series, &scratch).rate.median, 10, 0.1);
}

static void a_pool_that_is_full_is_a_plateau(void **state)
{
    static const double counts[] = {10,  25,  40,  60,  80,  100,
                                    100, 100, 100, 100, 100, 100};
    struct trend trend = judge(counts, 12, NULL);

    (void)state;
    assert_int_equal(trend.verdict, TREND_PLATEAU);
    assert_false(trend.is_whole);
}

static void what_falls_is_never_growing(void **state)
{
    double counts[12];

    (void)state;
    for (size_t i = 0; i < 12; i++)
        counts[i] = 1000 - 20 * (double)i;
    assert_int_equal(judge(counts, 12, NULL).verdict, TREND_STABLE);
    for (size_t i = 0; i < 12; i++)
        counts[i] = 1000 - 80 * (double)i;
    assert_int_equal(judge(counts, 12, NULL).verdict, TREND_SHRANK);
}

/* A series and its mirror are never both growing. */
static void reversed_series_do_not_grow(void **state)
{
    double counts[12];

    (void)state;
    for (size_t i = 0; i < 12; i++)
        counts[11 - i] = 50 + 31 * (double)i;
    assert_int_equal(judge(counts, 12, NULL).verdict, TREND_SHRANK);
}

static const double wave[] = {1,   1.3, 1.5, 1.4, 1.1, 0.8,
                              0.6, 0.5, 0.7, 1,   1.3, 1.6};

static void traffic_follows_the_load(void **state)
{
    double counts[12];

    (void)state;
    for (size_t i = 0; i < 12; i++)
        counts[i] = 400 * wave[i];
    assert_int_equal(judge(counts, 12, wave).verdict, TREND_STABLE);
}

/* The same traffic with a leak below it, which the waves hide. */
static void a_leak_below_waves(void **state)
{
    double counts[12];
    struct trend trend;

    (void)state;
    for (size_t i = 0; i < 12; i++)
        counts[i] = 400 * wave[i] + 40 * (double)i + (double)(i % 2) * 3;
    trend = judge(counts, 12, wave);
    assert_int_equal(trend.verdict, TREND_GROWING);
    assert_true(trend.is_whole);
    assert_int_equal(judge(counts, 12, NULL).verdict, TREND_STABLE);
}

/* Dividing a fixed pool by a load that falls would make it grow. */
static void a_pool_beside_falling_load(void **state)
{
    double counts[12];
    double load[12];

    (void)state;
    for (size_t i = 0; i < 12; i++) {
        counts[i] = 64;
        load[i] = 1.5 - 0.1 * (double)i;
    }
    assert_int_equal(judge(counts, 12, load).verdict, TREND_STABLE);
}

/* What never falls while the load falls by half is not traffic. */
static void rising_against_the_load(void **state)
{
    double counts[12];
    double load[12];
    struct trend trend;

    (void)state;
    for (size_t i = 0; i < 12; i++) {
        counts[i] = 200 + 20 * (double)i;
        load[i] = i < 6 ? 1 + 0.1 * (double)i : 0.7 + 0.1 * (double)i;
    }
    load[6] = 0.5;
    trend = judge(counts, 12, load);
    assert_int_equal(trend.verdict, TREND_GROWING);
    assert_true(trend.is_whole);
}

static void fill(double *counts, size_t n, double value)
{
    for (size_t i = 0; i < n; i++)
        counts[i] = value;
}

static void load_needs_four_others(void **state)
{
    double counts[5][3];
    double busy[3];
    struct load load;

    (void)state;
    load_init(&load, 3);
    for (size_t g = 0; g < 5; g++) {
        fill(counts[g], 3, 20 * (double)(g + 1));
        load_add(&load, counts[g], &scratch);
    }
    load_seal(&load);
    assert_true(load_get(&load, counts[0], busy, &scratch));
    assert_float_equal(busy[2], 1, 1e-12);
    load_init(&load, 3);
    for (size_t g = 0; g < 4; g++)
        load_add(&load, counts[g], &scratch);
    load_seal(&load);
    assert_true(load_get(&load, NULL, busy, &scratch));
    assert_false(load_get(&load, counts[0], busy, &scratch));
}

/* A leak of any size is one group among others. */
static void one_group_does_not_move_the_load(void **state)
{
    double counts[6][4];
    double busy[4];
    struct load load;

    (void)state;
    load_init(&load, 4);
    for (size_t g = 0; g < 6; g++) {
        fill(counts[g], 4, 100);
        if (g == 0) {
            for (size_t i = 0; i < 4; i++)
                counts[g][i] = 100000 * (double)(i + 1);
        }
        load_add(&load, counts[g], &scratch);
    }
    load_seal(&load);
    assert_true(load_get(&load, NULL, busy, &scratch));
    assert_true(busy[3] < 1.2);
}

static void small_groups_are_not_asked(void **state)
{
    double counts[8][3];
    double busy[3];
    struct load load;

    (void)state;
    load_init(&load, 3);
    for (size_t g = 0; g < 8; g++) {
        fill(counts[g], 3, 9);
        load_add(&load, counts[g], &scratch);
    }
    load_seal(&load);
    assert_false(load_get(&load, NULL, busy, &scratch));
}

/* Of more groups than are kept, the largest are. */
static void the_largest_groups_are_asked(void **state)
{
    static double counts[LOAD_MOST * 2][2];
    double busy[2];
    struct load load;

    (void)state;
    load_init(&load, 2);
    for (size_t g = 0; g < LOAD_MOST * 2; g++) {
        bool is_large = g % 2 == 0;

        counts[g][0] = is_large ? 500 + (double)g : 50;
        counts[g][1] = counts[g][0] * (is_large ? 2 : 1);
        load_add(&load, counts[g], &scratch);
    }
    load_seal(&load);
    assert_int_equal(load.n_groups, LOAD_MOST);
    assert_true(load_get(&load, NULL, busy, &scratch));
    assert_true(busy[1] / busy[0] > 1.9);
}

/* Five goroutines for each client that nobody closes, or one and then three,
 * are one thing: they do not explain each other. */
static void groups_of_one_thing_are_not_its_load(void **state)
{
    enum { N = 6, STEADY = 4, PARTS = 5 };
    static double counts[STEADY + PARTS][N];
    double busy[N];
    struct load load;

    (void)state;
    for (unsigned is_unequal = 0; is_unequal < 2; is_unequal++) {
        load_init(&load, N);
        for (size_t g = 0; g < STEADY + PARTS; g++) {
            double times = is_unequal && g == STEADY ? 3 : 1;

            for (size_t i = 0; i < N; i++)
                counts[g][i] = g < STEADY ? 40 + (double)(5 * g + i % 2)
                                          : 60 * times * (double)(i + 1);
            load_add(&load, counts[g], &scratch);
        }
        load_seal(&load);
        assert_true(load_get(&load, counts[STEADY], busy, &scratch));
        assert_true(busy[N - 1] < 1.1);
        assert_true(load_get(&load, NULL, busy, &scratch));
        assert_true(busy[N - 1] < 1.5);
    }
}

/* Those that follow one load by chance are several. */
static void groups_that_follow_a_load_are_several(void **state)
{
    enum { N = 6, GROUPS = 5 };
    static const double shares[GROUPS][N] = {
        {100, 205, 292, 410, 489, 611}, {108, 190, 310, 393, 512, 590},
        {95, 208, 289, 405, 520, 585},  {102, 193, 318, 388, 507, 607},
        {97, 211, 295, 397, 490, 612},
    };
    double busy[N];
    struct load load;

    (void)state;
    load_init(&load, N);
    for (size_t g = 0; g < GROUPS; g++)
        load_add(&load, shares[g], &scratch);
    load_seal(&load);
    assert_true(load_get(&load, shares[0], busy, &scratch));
    assert_true(busy[N - 1] > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_point_says_nothing),
        cmocka_unit_test(two_points_grew_or_shrank),
        cmocka_unit_test(two_points_that_follow_the_load),
        cmocka_unit_test(three_points_are_growing_but_not_whole),
        cmocka_unit_test(a_short_last_step_may_be_small),
        cmocka_unit_test(a_step_that_stays_grew),
        cmocka_unit_test(five_points_in_order_are_whole),
        cmocka_unit_test(a_small_leak_is_whole),
        cmocka_unit_test(less_than_ten_are_not_judged),
        cmocka_unit_test(a_verdict_does_not_vanish),
        cmocka_unit_test(a_late_rise_that_goes_on_is_no_plateau),
        cmocka_unit_test(a_pool_that_is_full_is_a_plateau),
        cmocka_unit_test(what_falls_is_never_growing),
        cmocka_unit_test(reversed_series_do_not_grow),
        cmocka_unit_test(traffic_follows_the_load),
        cmocka_unit_test(a_leak_below_waves),
        cmocka_unit_test(a_pool_beside_falling_load),
        cmocka_unit_test(rising_against_the_load),
        cmocka_unit_test(load_needs_four_others),
        cmocka_unit_test(one_group_does_not_move_the_load),
        cmocka_unit_test(small_groups_are_not_asked),
        cmocka_unit_test(groups_of_one_thing_are_not_its_load),
        cmocka_unit_test(groups_that_follow_a_load_are_several),
        cmocka_unit_test(the_largest_groups_are_asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

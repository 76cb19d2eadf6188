/* Statistics of short series: series.h. */
#include <setjmp.h>
#include <stdarg.h>

#include "analysis/series.h"

#include <cmocka.h>

static struct series_scratch scratch;

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static void median_of_any_order(void **state)
{
    static const double odd[] = {5, 1, 4, 1, 9};
    static const double even[] = {8, 2, 2, 10};

    (void)state;
    assert_float_equal(series_median(odd, 5, &scratch), 4, 0);
    assert_float_equal(series_median(even, 4, &scratch), 5, 0);
    assert_float_equal(series_median(odd, 1, &scratch), 5, 0);
    assert_float_equal(series_median(odd, 0, &scratch), 0, 0);
}

/* Against sorting, for every length and many equal values. */
static void median_as_by_sorting(void **state)
{
    (void)state;
    for (size_t n = 1; n < 60; n++) {
        double values[60];
        double median;
        size_t below = 0;
        size_t above = 0;

        for (size_t i = 0; i < n; i++)
            values[i] = (double)((i * 7919 + n * 31) % 13);
        median = series_median(values, n, &scratch);
        for (size_t i = 0; i < n; i++) {
            below += values[i] < median;
            above += values[i] > median;
        }
        assert_true(below <= n / 2);
        assert_true(above <= n / 2);
    }
}

static void five_in_order_are_one_in_120(void **state)
{
    static const double values[] = {1, 2, 3, 4, 5};
    struct kendall kendall = series_kendall(values, 5, 1);

    (void)state;
    assert_float_equal(kendall.s, 10, 0);
    assert_float_equal(kendall.tau, 1, 0);
    assert_float_equal(kendall.p_rising, 1.0 / 120, 1e-12);
}

static void one_pair_that_falls(void **state)
{
    static const double values[] = {1, 2, 3, 5, 4};
    struct kendall kendall = series_kendall(values, 5, 1);

    (void)state;
    assert_float_equal(kendall.s, 8, 0);
    assert_float_equal(kendall.p_rising, 5.0 / 120, 1e-12);
}

/* 1 1 2 2 in all their six orders: this one alone has no pair that falls. */
static void chance_with_ties_is_exact(void **state)
{
    static const double values[] = {1, 1, 2, 2};
    struct kendall kendall = series_kendall(values, 4, 1);

    (void)state;
    assert_float_equal(kendall.s, 4, 0);
    assert_float_equal(kendall.p_rising, 1.0 / 6, 1e-12);
}

static void equal_values_prove_nothing(void **state)
{
    static const double values[] = {7, 7, 7, 7, 7, 7};
    struct kendall kendall = series_kendall(values, 6, 1);

    (void)state;
    assert_float_equal(kendall.s, 0, 0);
    assert_float_equal(kendall.variance, 0, 0);
    assert_float_equal(kendall.p_rising, 1, 0);
    assert_float_equal(series_kendall(values, 6, 2).p_rising, 1, 0);
}

/* Of 20 values the exact chance and the normal one are close. */
static void normal_chance_is_near_the_exact(void **state)
{
    double values[20];
    double exact;
    double normal;

    (void)state;
    for (size_t i = 0; i < 20; i++)
        values[i] = (double)((i * 11) % 20) + (double)i;
    exact = series_kendall(values, 20, 1).p_rising;
    normal = series_kendall(values, 20, 1 + 1e-9).p_rising;
    assert_float_equal(exact, normal, 0.01);
}

/* p of a series and of its mirror image make 1 and what stands between. */
static void falling_mirrors_rising(void **state)
{
    static const double values[] = {3, 8, 6, 12, 11, 20, 14, 30};
    double mirrored[N_OF(values)];
    struct kendall a;
    struct kendall b;

    (void)state;
    for (size_t i = 0; i < N_OF(values); i++)
        mirrored[i] = -values[i];
    a = series_kendall(values, N_OF(values), 1);
    b = series_kendall(mirrored, N_OF(values), 1);
    assert_float_equal(a.s, -b.s, 0);
    assert_true(a.p_rising < 0.01);
    assert_true(b.p_rising > 0.99);
}

static void slope_of_a_line(void **state)
{
    static const double times[] = {0, 1, 2.5, 4, 7, 8};
    double values[6];
    struct slope slope;

    (void)state;
    for (size_t i = 0; i < 6; i++)
        values[i] = 10 + 3 * times[i];
    slope = series_slope(times, values, 6, &scratch);
    assert_float_equal(slope.median, 3, 1e-12);
    assert_float_equal(slope.low, 3, 1e-12);
    assert_float_equal(slope.high, 3, 1e-12);
}

/* One wild value moves a mean and not a median. */
static void slope_with_one_outlier(void **state)
{
    static const double times[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    static const double values[] = {0, 2, 4, 6, 900, 10, 12, 14, 16};
    struct slope slope = series_slope(times, values, 9, &scratch);

    (void)state;
    assert_float_equal(slope.median, 2, 1e-12);
    assert_true(slope.low <= 2 && slope.high >= 2);
}

static void slope_at_one_time(void **state)
{
    static const double times[] = {5, 5, 5};
    static const double values[] = {1, 2, 3};
    struct slope slope = series_slope(times, values, 3, &scratch);

    (void)state;
    assert_float_equal(slope.median, 0, 0);
    assert_float_equal(slope.low, 0, 0);
}

static void autocorrelation_by_its_signs(void **state)
{
    static const double times[] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const double saw[] = {1, -1, 1, -1, 1, -1, 1, -1};
    static const double wave[] = {1, 1, 1, 1, -1, -1, -1, -1};

    (void)state;
    assert_true(series_autocorrelation(times, saw, 8, 0, &scratch) < -0.8);
    assert_true(series_autocorrelation(times, wave, 8, 0, &scratch) > 0.5);
    assert_float_equal(series_autocorrelation(times, times, 8, 1, &scratch), 0,
                       0);
}

static void thinning_keeps_the_course(void **state)
{
    enum { MANY = 10000 };
    static double times[MANY];
    static double values[MANY];
    size_t n;

    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        times[i] = (double)i;
        values[i] = i == 5000 ? 1e9 : 2 * (double)i;
    }
    n = series_thin(times, values, MANY, &scratch);
    assert_int_equal(n, SERIES_MOST);
    for (size_t i = 1; i < n; i++) {
        assert_true(times[i] > times[i - 1]);
        assert_true(values[i] > values[i - 1]);
    }
    assert_true(values[n - 1] > 1.99 * times[n - 1]);
    assert_true(values[n - 1] < 2.01 * times[n - 1]);
}

static void thinning_leaves_short_series(void **state)
{
    double times[] = {1, 2, 3};
    double values[] = {4, 5, 6};

    (void)state;
    assert_int_equal(series_thin(times, values, 3, &scratch), 3);
    assert_float_equal(values[2], 6, 0);
}

/* All points but one at the same time. */
static void thinning_a_lump(void **state)
{
    enum { MANY = 1000 };
    static double times[MANY];
    static double values[MANY];
    size_t n;

    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        times[i] = i ? 10 : 0;
        values[i] = 3;
    }
    n = series_thin(times, values, MANY, &scratch);
    assert_int_equal(n, 2);
    assert_float_equal(values[1], 3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(median_of_any_order),
        cmocka_unit_test(median_as_by_sorting),
        cmocka_unit_test(five_in_order_are_one_in_120),
        cmocka_unit_test(one_pair_that_falls),
        cmocka_unit_test(chance_with_ties_is_exact),
        cmocka_unit_test(equal_values_prove_nothing),
        cmocka_unit_test(normal_chance_is_near_the_exact),
        cmocka_unit_test(falling_mirrors_rising),
        cmocka_unit_test(slope_of_a_line),
        cmocka_unit_test(slope_with_one_outlier),
        cmocka_unit_test(slope_at_one_time),
        cmocka_unit_test(autocorrelation_by_its_signs),
        cmocka_unit_test(thinning_keeps_the_course),
        cmocka_unit_test(thinning_leaves_short_series),
        cmocka_unit_test(thinning_a_lump),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

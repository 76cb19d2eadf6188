/* Numbers that come from figures and sums: count.h. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "base/count.h"

#include <cmocka.h>

static void the_nearest_whole_number(void **state)
{
    (void)state;
    assert_true(count_near(0) == 0);
    assert_true(count_near(0.49) == 0);
    assert_true(count_near(0.5) == 1);
    assert_true(count_near(7200.2) == 7200);
    assert_true(count_near(0x1p63) == UINT64_C(1) << 63);
}

static void no_figure_is_out_of_range(void **state)
{
    (void)state;
    assert_true(count_near(-1) == 0);
    assert_true(count_near(-1e300) == 0);
    assert_true(count_near(NAN) == 0);
    assert_true(count_near(0x1p64) == UINT64_MAX);
    assert_true(count_near(3.1585e19) == UINT64_MAX);
    assert_true(count_near(INFINITY) == UINT64_MAX);
}

static void sums_end_at_63_bits(void **state)
{
    (void)state;
    assert_true(count_sum(2, 3) == 5);
    assert_true(count_sum(INT64_MAX - 1, 1) == INT64_MAX);
    assert_true(count_sum(INT64_MAX, 1) == INT64_MAX);
    assert_true(count_sum(UINT64_MAX, UINT64_MAX) == INT64_MAX);
}

static void thousands_have_commas(void **state)
{
    (void)state;
    assert_string_equal(count_text(0).text, "0");
    assert_string_equal(count_text(999).text, "999");
    assert_string_equal(count_text(1000).text, "1,000");
    assert_string_equal(count_text(UINT64_MAX).text,
                        "18,446,744,073,709,551,615");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_whole_number),
        cmocka_unit_test(no_figure_is_out_of_range),
        cmocka_unit_test(sums_end_at_63_bits),
        cmocka_unit_test(thousands_have_commas),
    };

    return cmocka_run_group_tests_name("count", tests, NULL, NULL);
}

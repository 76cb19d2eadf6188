/* Sums of what profiles measure, up to the ends of 64 bits: values.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "model/values.h"

#include <cmocka.h>

static void sums_stay_in_64_bits(void **state)
{
    (void)state;
    assert_int_equal(value_sum(7, -9), -2);
    assert_true(value_sum(INT64_MAX, 1) == INT64_MAX);
    assert_true(value_sum(INT64_MIN, -1) == INT64_MIN);
    assert_true(value_sum(INT64_MIN, INT64_MAX) == -1);
}

static void differences_stay_in_64_bits(void **state)
{
    (void)state;
    assert_int_equal(value_difference(7, 9), -2);
    assert_true(value_difference(INT64_MAX, -1) == INT64_MAX);
    assert_true(value_difference(INT64_MIN, 1) == INT64_MIN);
    assert_true(value_difference(0, INT64_MIN) == INT64_MAX);
    assert_true(value_difference(-1, INT64_MAX) == INT64_MIN);
}

static void absolute_of_the_smallest_is_the_largest(void **state)
{
    (void)state;
    assert_int_equal(value_absolute(-3), 3);
    assert_int_equal(value_absolute(3), 3);
    assert_true(value_absolute(INT64_MIN) == INT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_stay_in_64_bits),
        cmocka_unit_test(differences_stay_in_64_bits),
        cmocka_unit_test(absolute_of_the_smallest_is_the_largest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

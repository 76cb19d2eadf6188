/* Moments as numbers and as text: utc.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/utc.h"

#include <cmocka.h>

static void files_of_any_time(void **state)
{
    (void)state;
    assert_int_equal(utc_ns(0, 1), 1);
    assert_int_equal(utc_ns(1795239551, 5), INT64_C(1795239551000000005));
    assert_int_equal(utc_ns(9223372036, 854775807), INT64_MAX);
    assert_int_equal(utc_ns(9223372036, 854775808), 0);
    assert_int_equal(utc_ns(9223372037, 0), 0);
    assert_int_equal(utc_ns(INT64_MAX, 0), 0);
    assert_int_equal(utc_ns(-1, 0), 0);
}

static void text_has_a_fraction_where_there_is_one(void **state)
{
    struct buf buf = {0};

    (void)state;
    utc_add(&buf, INT64_C(1795239551000000000));
    assert_string_equal(buf.ptr, "2026-11-21T05:39:11Z");
    buf_clear(&buf);
    utc_add(&buf, INT64_C(1795239551250000000));
    assert_string_equal(buf.ptr, "2026-11-21T05:39:11.25Z");
    buf_clear(&buf);
    utc_add(&buf, -1);
    assert_string_equal(buf.ptr, "1969-12-31T23:59:59.999999999Z");
    buf_done(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_any_time),
        cmocka_unit_test(text_has_a_fraction_where_there_is_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Numbers and texts as bytes: blob.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "store/blob.h"

#include <cmocka.h>

static void numbers_come_back(void **state)
{
    static const uint64_t numbers[] = {
        0,     1,          127,        128,        16383,
        16384, UINT32_MAX, 1ull << 62, 1ull << 63, UINT64_MAX};
    static const int64_t signs[] = {0, -1, 1, -64, 64, INT64_MIN, INT64_MAX};
    struct buf buf = {0};
    struct blob blob;

    (void)state;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        blob_add(&buf, numbers[i]);
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
        blob_add_signed(&buf, signs[i]);
    blob_add_text(&buf, STR("abc"));
    blob_add_text(&buf, STR(""));
    blob = blob_begin(buf_str(&buf));
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        assert_true(blob_get(&blob) == numbers[i]);
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
        assert_true(blob_get_signed(&blob) == signs[i]);
    assert_true(str_equal(blob_get_text(&blob), STR("abc")));
    assert_int_equal(blob_get_text(&blob).len, 0);
    assert_true(blob_is_done(&blob));
    buf_done(&buf);
}

static void small_numbers_are_one_byte(void **state)
{
    struct buf buf = {0};

    (void)state;
    blob_add(&buf, 127);
    blob_add_signed(&buf, -64);
    assert_int_equal(buf.len, 2);
    buf_done(&buf);
}

static bool fails(const char *bytes, size_t n)
{
    struct blob blob = blob_begin((struct str){bytes, n});
    uint64_t number = blob_get(&blob);

    return number == 0 && blob.failed && !blob_is_done(&blob);
}

static void what_is_no_number_fails(void **state)
{
    (void)state;
    assert_true(fails("", 0));
    assert_true(fails("\x80", 1));
    assert_true(fails("\xff\xff\xff\xff\xff\xff\xff\xff\xff", 9));
    assert_true(fails("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10));
    assert_true(fails("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11));
}

static void after_a_failure_there_are_zeros(void **state)
{
    struct blob blob = blob_begin(STR("\x80"));

    (void)state;
    blob_get(&blob);
    assert_true(blob.failed);
    assert_true(blob_get(&blob) == 0);
    assert_int_equal(blob_get_text(&blob).len, 0);
    assert_int_equal(blob_get_count(&blob, 5), 0);
}

static void bounds_are_held(void **state)
{
    struct blob blob = blob_begin(STR("\x05"));

    (void)state;
    assert_int_equal(blob_get_below(&blob, 4), 0);
    assert_true(blob.failed);
    blob = blob_begin(STR("\x05"));
    assert_int_equal(blob_get_below(&blob, 5), 5);
    assert_true(blob_is_done(&blob));
    /* Two things cannot stand in one byte. */
    blob = blob_begin(STR("\x02\x01"));
    assert_int_equal(blob_get_count(&blob, 100), 0);
    assert_true(blob.failed);
    blob = blob_begin(STR("\x03"
                          "ab"));
    assert_int_equal(blob_get_text(&blob).len, 0);
    assert_true(blob.failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(small_numbers_are_one_byte),
        cmocka_unit_test(what_is_no_number_fails),
        cmocka_unit_test(after_a_failure_there_are_zeros),
        cmocka_unit_test(bounds_are_held),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

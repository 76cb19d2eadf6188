/* Ranges of monitoring plugins: range.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "notify/range.h"

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The table of the guidelines, and what stands between its lines. */
static const struct {
    const char *text;
    double quiet[3];
    double loud[3];
} ranges[] = {
    {"10", {0, 5, 10}, {-1, 10.5, 11}},
    {"10:", {10, 11, 1e9}, {9, 0, -5}},
    {"~:10", {-1e9, 0, 10}, {10.1, 11, 1e9}},
    {"10:20", {10, 15, 20}, {9, 21, -15}},
    {"@10:20", {9, 21, -15}, {10, 15, 20}},
    {"0", {0, 0, 0}, {1, -1, 0.5}},
    {"-5:5", {-5, 0, 5}, {-6, 6, 100}},
    {"0.5:1.5", {0.5, 1, 1.5}, {0.4, 1.6, 2}},
    {":10", {0, 5, 10}, {-1, 11, 12}},
    {"@~:0", {1, 2, 3}, {0, -1, -2}},
};

static void each_alerts_where_it_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(ranges); i++) {
        struct range range = {0};

        if (!range_parse(str_from(ranges[i].text), &range))
            fail_msg("%s is refused", ranges[i].text);
        for (size_t k = 0; k < 3; k++) {
            if (range_alerts(&range, ranges[i].quiet[k]))
                fail_msg("%s alerts at %g", ranges[i].text, ranges[i].quiet[k]);
            if (!range_alerts(&range, ranges[i].loud[k]))
                fail_msg("%s is quiet at %g", ranges[i].text,
                         ranges[i].loud[k]);
        }
    }
}

static void others_are_refused(void **state)
{
    static const char *const wrong[] = {
        "",    "x",      ":",       "@",    "~",      "10:5", "1,5",
        "1e3", "10:20:", "10 : 20", "10:~", "--1",    "0x10", "1.",
        ".",   "@@1:2",  "nan",     "inf",  "~10:20", "5 ",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct range range = {.low = 7};

        if (range_parse(str_from(wrong[i]), &range))
            fail_msg("'%s' is taken", wrong[i]);
        assert_true(range.low > 6.5 && range.low < 7.5);
    }
}

static void it_is_written_as_plugins_write_it(void **state)
{
    static const struct {
        const char *text;
        const char *written;
    } pairs[] = {
        {"10", "10"},       {"0:10", "10"},        {"10:", "10:"},
        {"~:10", "~:10"},   {"10:20", "10:20"},    {"@10:20", "@10:20"},
        {"0:", "0:"},       {"-1.50:2", "-1.5:2"}, {"@0:3", "@3"},
        {"10000", "10000"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++) {
        struct range range = {0};
        struct buf buf = {0};

        assert_true(range_parse(str_from(pairs[i].text), &range));
        range_add(&buf, &range);
        assert_string_equal(buf.ptr, pairs[i].written);
        buf_done(&buf);
    }
}

static void one_that_was_not_given_says_nothing(void **state)
{
    struct range range = {0};
    struct buf buf = {0};

    (void)state;
    range_add(&buf, &range);
    assert_int_equal(buf.len, 0);
    assert_false(range_alerts(&range, 1e9));
    buf_done(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_alerts_where_it_says),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(it_is_written_as_plugins_write_it),
        cmocka_unit_test(one_that_was_not_given_says_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

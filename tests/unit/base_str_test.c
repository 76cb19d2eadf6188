#include <setjmp.h>
#include <stdarg.h>

#include "base/hex.h"
#include "base/str.h"

#include <cmocka.h>

static void order_is_strcmps_and_a_prefix_comes_first(void **state)
{
    (void)state;
    assert_true(str_compare(STR("a"), STR("b")) < 0);
    assert_true(str_compare(STR("b"), STR("a")) > 0);
    assert_true(str_compare(STR("a"), STR("ab")) < 0);
    assert_true(str_compare(STR("ab"), STR("a")) > 0);
    assert_true(str_compare(STR("\xff"), STR("a")) > 0);
    assert_int_equal(str_compare(STR("ab"), STR("ab")), 0);
    assert_int_equal(str_compare((struct str){0}, STR("")), 0);
}

static void an_empty_string_may_have_no_pointer(void **state)
{
    struct str none = {0};

    (void)state;
    assert_true(str_equal(none, STR("")));
    assert_true(str_starts(none, STR("")) && str_ends(none, none));
    assert_int_equal(str_find(none, 'x'), 0);
    assert_int_equal(str_rfind(none, 'x'), 0);
    assert_int_equal(str_search(none, STR("x")), 0);
    assert_null(str_skip(none, 3).ptr);
    assert_int_equal(str_trim(none).len, 0);
    assert_int_equal(str_from(NULL).len, 0);
}

static void a_search_that_finds_nothing_gives_the_length(void **state)
{
    struct str text = STR("main.main");

    (void)state;
    assert_int_equal(str_find(text, 'm'), 0);
    assert_int_equal(str_find(text, '.'), 4);
    assert_int_equal(str_find(text, 'x'), text.len);
    assert_int_equal(str_rfind(text, 'm'), 5);
    assert_int_equal(str_rfind(text, 'x'), text.len);
    assert_int_equal(str_search(text, STR(".m")), 4);
    assert_int_equal(str_search(text, STR("mainly")), text.len);
    assert_int_equal(str_search(text, STR("main.main.")), text.len);
    assert_int_equal(str_search(text, STR("")), 0);
    assert_true(str_contains(text, STR("")));
    assert_true(str_contains(text, STR("n.m")));
    assert_false(str_contains(text, STR("n.n")));
}

static void heads_and_tails_stop_at_the_end(void **state)
{
    (void)state;
    assert_true(str_equal(str_skip(STR("abc"), 1), STR("bc")));
    assert_int_equal(str_skip(STR("abc"), 9).len, 0);
    assert_true(str_equal(str_head(STR("abc"), 2), STR("ab")));
    assert_true(str_equal(str_head(STR("abc"), 9), STR("abc")));
}

static void trimming_takes_blanks_tabs_and_returns(void **state)
{
    (void)state;
    assert_true(str_equal(str_trim(STR("\t a b \r")), STR("a b")));
    assert_int_equal(str_trim(STR(" \t\r")).len, 0);
    assert_true(str_has_blank(STR("a b")) && str_has_blank(STR("ab\t")));
    assert_false(str_has_blank(STR("ab\r")) || str_has_blank(STR("")));
    assert_true(str_equal(str_trim(STR("\va")), STR("\va")));
}

static void cutting_changes_nothing_when_it_fails(void **state)
{
    struct str text = STR("goroutine 7");

    (void)state;
    assert_false(str_cut_prefix(&text, STR("routine")));
    assert_false(str_cut_suffix(&text, STR("8")));
    assert_true(str_equal(text, STR("goroutine 7")));
    assert_true(str_cut_prefix(&text, STR("goroutine ")));
    assert_true(str_cut_suffix(&text, STR("7")));
    assert_int_equal(text.len, 0);
}

static void decimals_that_do_not_fit_are_refused(void **state)
{
    struct str most = STR("18446744073709551615 rest");
    struct str more = STR("18446744073709551616");
    struct str none = STR("x1");
    uint64_t value = 5;

    (void)state;
    assert_false(str_cut_decimal(&more, &value));
    assert_false(str_cut_decimal(&none, &value));
    assert_int_equal(more.len, 20);
    assert_int_equal(value, 5);
    assert_true(str_cut_decimal(&most, &value));
    assert_true(value == UINT64_MAX);
    assert_true(str_equal(most, STR(" rest")));
}

static void hexadecimals_that_do_not_fit_are_refused(void **state)
{
    struct str most = STR("fFfFfFfFfFfFfFfFg");
    struct str more = STR("10000000000000000");
    uint64_t value = 5;

    (void)state;
    assert_false(str_cut_hex(&more, &value));
    assert_int_equal(value, 5);
    assert_true(str_cut_hex(&most, &value));
    assert_true(value == UINT64_MAX);
    assert_true(str_equal(most, STR("g")));
    assert_false(str_cut_hex(&most, &value));
}

/* Every number of digits, with and without memory behind them. */
static void digits_are_cut_alike_however_much_can_be_read(void **state)
{
    static const char text[] = "0123456789abcDEF7, 0x1234567890abcdef";

    (void)state;
    for (size_t n = 0; n <= 18; n++) {
        for (size_t from = 0; from < n; from++) {
            struct str rest = {text + from, n - from};
            const char *end = rest.ptr + rest.len;
            const char *quick = rest.ptr;
            const char *careful = rest.ptr;
            uint64_t values[3] = {1, 1, 1};
            bool is_cut = str_cut_hex(&rest, &values[0]);

            assert_int_equal(
                hex_cut(&quick, end, text + sizeof(text) - 1, &values[1]),
                is_cut);
            assert_int_equal(hex_cut(&careful, end, end, &values[2]), is_cut);
            assert_ptr_equal(careful, quick);
            if (!is_cut)
                continue;
            assert_true(values[1] == values[0] && values[2] == values[0]);
            assert_int_equal(quick - (text + from), n - from - rest.len);
        }
    }
}

static void bytes_around_digits_are_none(void **state)
{
    char text[17];

    (void)state;
    for (unsigned c = 1; c < 256; c++) {
        const char *at = text;
        uint64_t value = 0;
        bool is_digit = strchr("0123456789abcdefABCDEF", (int)c) != NULL;

        memset(text, '1', sizeof(text));
        text[3] = (char)c;
        text[5] = ' ';
        assert_true(hex_cut(&at, text + 12, text + sizeof(text), &value));
        assert_int_equal(at - text, is_digit ? 5 : 3);
        assert_true(is_digit || value == 0x111);
    }
}

static void a_whole_number_has_nothing_behind_it(void **state)
{
    uint64_t value = 5;

    (void)state;
    assert_false(str_to_u64(STR("12 "), &value));
    assert_false(str_to_u64(STR("-1"), &value));
    assert_false(str_to_u64(STR(""), &value));
    assert_int_equal(value, 5);
    assert_true(str_to_u64(STR("0012"), &value));
    assert_int_equal(value, 12);
}

static void distance_counts_edits_up_to_its_limit(void **state)
{
    char many[65];

    (void)state;
    memset(many, 'a', sizeof(many));
    assert_int_equal(str_distance(STR("leaf"), STR("leaf"), 3), 0);
    assert_int_equal(str_distance(STR("leav"), STR("leaf"), 3), 1);
    assert_int_equal(str_distance(STR("kitten"), STR("sitting"), 3), 3);
    assert_int_equal(str_distance(STR("kitten"), STR("sitting"), 2), 3);
    assert_int_equal(str_distance(STR(""), STR("abc"), 5), 3);
    assert_int_equal(str_distance((struct str){many, 64}, STR(""), 99), 64);
    assert_int_equal(str_distance((struct str){many, 65}, STR("a"), 99), 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_strcmps_and_a_prefix_comes_first),
        cmocka_unit_test(an_empty_string_may_have_no_pointer),
        cmocka_unit_test(a_search_that_finds_nothing_gives_the_length),
        cmocka_unit_test(heads_and_tails_stop_at_the_end),
        cmocka_unit_test(trimming_takes_blanks_tabs_and_returns),
        cmocka_unit_test(cutting_changes_nothing_when_it_fails),
        cmocka_unit_test(decimals_that_do_not_fit_are_refused),
        cmocka_unit_test(hexadecimals_that_do_not_fit_are_refused),
        cmocka_unit_test(digits_are_cut_alike_however_much_can_be_read),
        cmocka_unit_test(bytes_around_digits_are_none),
        cmocka_unit_test(a_whole_number_has_nothing_behind_it),
        cmocka_unit_test(distance_counts_edits_up_to_its_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/utc.h"
#include "report/human.h"
#include "report/page.h"
#include "report/text.h"

#include <cmocka.h>

static void shares_in_columns_never_round_to_all_or_nothing(void **state)
{
    static const struct {
        double share;
        const char *words;
    } cases[] = {
        {0, "0.00 %"},           {1e-9, "<0.01 %"},
        {0.0001, "0.01 %"},      {97908.0 / 97926, "99.98 %"},
        {0.99999999, "99.99 %"}, {1, "100.00 %"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf buf = {0};

        share_add_fixed(&buf, cases[i].share);
        assert_string_equal(buf.ptr, cases[i].words);
        buf_done(&buf);
    }
}

static void times_are_written_in_utc(void **state)
{
    static const struct {
        int64_t ns;
        const char *words;
    } cases[] = {
        {1700000000000000000, "2023-11-14T22:13:20Z"},
        {1700000000120000000, "2023-11-14T22:13:20.12Z"},
        {-1, "1969-12-31T23:59:59.999999999Z"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf buf = {0};

        utc_add(&buf, cases[i].ns);
        assert_string_equal(buf.ptr, cases[i].words);
        buf_done(&buf);
    }
}

static void ages_in_columns_have_two_units_at_most(void **state)
{
    static const struct {
        uint64_t seconds;
        const char *words;
    } cases[] = {
        {0, "0s"},    {59, "59s"},     {60, "1m"},        {3660, "1h1m"},
        {7200, "2h"}, {90061, "1d1h"}, {86400 * 9, "9d"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf buf = {0};

        age_add_short(&buf, cases[i].seconds);
        assert_string_equal(buf.ptr, cases[i].words);
        buf_done(&buf);
    }
}

static void text_is_cut_at_whole_characters(void **state)
{
    static const struct {
        const char *text;
        size_t width;
        enum cut cut;
        const char *words;
    } cases[] = {
        {"short", 5, CUT_END, "short"},
        {"longer text", 8, CUT_END, "longe..."},
        {"longer text", 9, CUT_MIDDLE, "lo...text"},
        {"anything", 2, CUT_END, ".."},
        {"anything", 0, CUT_END, ""},
        /* Two columns each: half a character is never shown. */
        {"\u4f60\u597d\u4f60\u597d", 6, CUT_END, "\u4f60..."},
        {"\u4f60\u597d\u4f60\u597d", 7, CUT_MIDDLE, "\u4f60...\u597d"},
        {"e\u0301e\u0301e\u0301e\u0301e\u0301", 4, CUT_END, "e\u0301..."},
        {"a\033bcdefgh", 8, CUT_END, "a\\x1b..."},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf buf = {0};

        fit_add(&buf, str_from(cases[i].text), cases[i].width, cases[i].cut);
        assert_string_equal(buf.ptr ? buf.ptr : "", cases[i].words);
        buf_done(&buf);
    }
}

static void what_is_worth_more_stays_whole_when_text_is_cut(void **state)
{
    static const char words[] = "main.(*session).loop main.go:31";
    static const struct {
        size_t width;
        const char *words;
    } cases[] = {
        {31, "main.(*session).loop main.go:31"},
        {30, "main.(...sion).loop main.go:31"},
        {20, "ma...loop main.go:31"},
        {14, "main...n.go:31"}, /* no room for anything beside it */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf buf = {0};

        fit_add_tail(&buf, str_from(words), strlen(" main.go:31"),
                     cases[i].width, CUT_MIDDLE);
        assert_string_equal(buf.ptr, cases[i].words);
        buf_done(&buf);
    }
}

static void places_keep_their_line_and_the_name_of_a_method(void **state)
{
    static const struct {
        const char *place;
        size_t width;
        const char *words;
    } cases[] = {
        {"main.(*session).loop main.go:31", 31,
         "main.(*session).loop main.go:31"},
        {"main.(*session).loop main.go:31", 28, "main.(*s...).loop main.go:31"},
        {"main.(*session).loop main.go:31", 24, "main...).loop main.go:31"},
        {"main.(*set[...]).Get set.go:5", 26, "main.(*se...).Get set.go:5"},
        {"http_test.TestClientRetry a_test.go:9", 30,
         "http_...lientRetry a_test.go:9"},
        {"http.(*persistConn).writeLoop", 26, "http.(*persi...).writeLoop"},
        {"(no frames)", 8, "(n...es)"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct str place = str_from(cases[i].place);
        size_t file = str_ends(place, STR(")")) ? 0 : str_find(place, ' ');
        struct buf buf = {0};

        text_place_fit(&buf, place, file ? place.len - file : 0,
                       cases[i].width);
        assert_string_equal(buf.ptr, cases[i].words);
        buf_done(&buf);
    }
}

static void cells_are_padded_by_what_is_seen(void **state)
{
    struct buf buf = {0};

    (void)state;
    cell_add(&buf, STR("\u4f60\u597d"), 6, ALIGN_LEFT, CUT_END);
    cell_add(&buf, STR("12"), 4, ALIGN_RIGHT, CUT_END);
    cell_add(&buf, STR("e\u0301"), 2, ALIGN_LEFT, CUT_END);
    buf_add_char(&buf, '|');
    assert_string_equal(buf.ptr, "\u4f60\u597d    12e\u0301 |");
    buf_done(&buf);
}

static void paragraphs_break_at_blanks_only(void **state)
{
    struct buf buf = {0};
    struct page page = page_begin(&buf, 1, false);

    (void)state;
    assert_int_equal(page.columns, PAGE_NARROWEST);
    page_paragraph(&page, 2,
                   STR("one  two\nthree four five six seven eight nine ten "
                       "eleven twelve thirteen "
                       "/a/path/that/is/longer/than/the/line/and/stays/whole/"
                       "as/it/is end"));
    assert_string_equal(
        buf.ptr, "  one two three four five six seven\n"
                 "  eight nine ten eleven twelve thirteen\n"
                 "  /a/path/that/is/longer/than/the/line/and/stays/whole/"
                 "as/it/is\n"
                 "  end\n");
    buf_done(&buf);
}

static void prose_leaves_a_very_wide_page_empty(void **state)
{
    struct buf buf = {0};
    struct page page = page_begin(&buf, 200, false);

    (void)state;
    for (int i = 0; i < 40; i++)
        page_paragraph(&page, 4,
                       STR("seven bytes, seven bytes, seven bytes, "
                           "seven bytes, seven bytes, seven bytes, "
                           "seven bytes, seven bytes, seven bytes."));
    for (struct str rest = buf_str(&buf); rest.len;) {
        assert_true(str_find(rest, '\n') <= 4 + PROSE_MOST);
        rest = str_skip(rest, str_find(rest, '\n') + 1);
    }
    assert_true(str_find(buf_str(&buf), '\n') > 80);
    buf_done(&buf);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_in_columns_never_round_to_all_or_nothing),
        cmocka_unit_test(times_are_written_in_utc),
        cmocka_unit_test(ages_in_columns_have_two_units_at_most),
        cmocka_unit_test(text_is_cut_at_whole_characters),
        cmocka_unit_test(what_is_worth_more_stays_whole_when_text_is_cut),
        cmocka_unit_test(places_keep_their_line_and_the_name_of_a_method),
        cmocka_unit_test(cells_are_padded_by_what_is_seen),
        cmocka_unit_test(paragraphs_break_at_blanks_only),
        cmocka_unit_test(prose_leaves_a_very_wide_page_empty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <wchar.h>

#include "base/escape.h"
#include "base/width.h"

#include <cmocka.h>

static void ranges_are_in_order(void **state)
{
    (void)state;
    for (size_t i = 1; i < n_width_zero; i++)
        assert_true(width_zero[i - 1].last < width_zero[i].first);
    for (size_t i = 1; i < n_width_wide; i++)
        assert_true(width_wide[i - 1].last < width_wide[i].first);
    for (size_t i = 0; i < n_width_wide; i++)
        assert_true(width_wide[i].first <= width_wide[i].last);
}

static void marks_take_none_and_east_asian_letters_two(void **state)
{
    static const struct {
        struct str text;
        size_t columns;
    } cases[] = {
        {STR_INIT("main.(*T).Do"), 12},
        {STR_INIT("\u00fcberlauf"), 8},
        {STR_INIT("u\u0308berlauf"), 8},       /* u and a mark */
        {STR_INIT("\u670d\u52a1"), 4},         /* Chinese */
        {STR_INIT("\uc11c\ubc84"), 4},         /* Korean */
        {STR_INIT("\u1109\u1165"), 2},         /* Korean in pieces */
        {STR_INIT("\u0926\u0941"), 1},         /* Hindi with a vowel mark */
        {STR_INIT("\u05e9\u05b8\u05c1"), 1},   /* Hebrew with points */
        {STR_INIT("\U0001f980\U0001f9ea"), 4}, /* crab, test tube */
        {STR_INIT("\uff21"), 2},               /* a full-width A */
        {STR_INIT("\u2502\u251c\u2588"), 3},   /* lines and bars */
        {STR_INIT("a\u202eb"), 10},            /* an override is escaped */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (display_width(cases[i].text) != cases[i].columns)
            fail_msg("%.*s: %zu", STR_ARG(cases[i].text),
                     display_width(cases[i].text));
    }
}

/* The C library's own table is of another version of Unicode, and calls some
 * characters unprintable; but for a few, the two have to agree. */
static void the_c_library_agrees(void **state)
{
    size_t n = 0;
    size_t n_other = 0;

    (void)state;
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        skip();
    for (uint32_t point = 0x20; point < 0x30000; point++) {
        int columns = wcwidth((wchar_t)point);

        if (columns < 0)
            continue;
        n++;
        n_other += (unsigned)columns != char_width(point);
    }
    assert_true(n > 100000);
    assert_in_range(n_other, 0, n / 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_in_order),
        cmocka_unit_test(marks_take_none_and_east_asian_letters_two),
        cmocka_unit_test(the_c_library_agrees),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

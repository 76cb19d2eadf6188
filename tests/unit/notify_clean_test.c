/* Texts of strangers on their way into a message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "notify/clean.h"

#include <cmocka.h>

static void gives(const char *text, size_t most, enum clean_manner manner,
                  const char *wanted)
{
    struct buf buf = {0};

    buf_add(&buf, STR("> "));
    clean_add(&buf, str_from(text), most, manner);
    assert_string_equal(buf.ptr + 2, wanted);
    assert_int_equal(buf.len, strlen(wanted) + 2);
    buf_done(&buf);
}

static void lines_and_controls_become_one_printable_line(void **state)
{
    (void)state;
    gives("a\nb\tc\rd", 100, CLEAN_PLAIN, "a b c d");
    gives("\x1b[31m\xff", 100, CLEAN_PLAIN, "\\x1b[31m\\xff");
    gives("\xe2\x80\xae", 100, CLEAN_PLAIN, "\\u{202e}");
    gives("gr\xc3\xbc\xc3\x9f", 100, CLEAN_PLAIN, "gr\xc3\xbc\xc3\x9f");
    gives("<&>", 100, CLEAN_PLAIN, "<&>");
    gives("", 100, CLEAN_PLAIN, "");
}

static void slack_s_own_characters_are_escaped(void **state)
{
    (void)state;
    gives("<!channel> &amp;", 100, CLEAN_SLACK, "&lt;!channel&gt; &amp;amp;");
}

static void what_is_too_long_is_cut_between_characters(void **state)
{
    (void)state;
    gives("abcdef", 6, CLEAN_PLAIN, "abcdef");
    gives("abcdefg", 6, CLEAN_PLAIN, "abc...");
    gives("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 7, CLEAN_PLAIN,
          "\xc3\xa4\xc3\xa4...");
    gives("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 8, CLEAN_PLAIN,
          "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4");
    /* An escape is not cut, and it is its length that counts. */
    gives("<<<<", 16, CLEAN_SLACK, "&lt;&lt;&lt;&lt;");
    gives("<<<<<", 16, CLEAN_SLACK, "&lt;&lt;&lt;...");
    gives("abcd", 3, CLEAN_PLAIN, "...");
}

static void every_bound_is_kept(void **state)
{
    static const char text[] = "a<b>&\xc3\xa4\n\x01\xf0\x9f\x98\x80z<<>>&&end";

    (void)state;
    for (size_t most = 3; most < 80; most++) {
        struct buf buf = {0};

        clean_add(&buf, str_from(text), most, CLEAN_SLACK);
        assert_true(buf.len <= most);
        assert_true(str_ends(buf_str(&buf), STR("...")) ||
                    str_ends(buf_str(&buf), STR("end")));
        buf_done(&buf);
    }
}

static void lines_of_our_own_stay(void **state)
{
    struct buf buf = {0};

    (void)state;
    clean_add_lines(&buf, STR("a: <b>\nc: d"), 100, CLEAN_SLACK);
    assert_string_equal(buf.ptr, "a: &lt;b&gt;\nc: d");
    buf_done(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_controls_become_one_printable_line),
        cmocka_unit_test(slack_s_own_characters_are_escaped),
        cmocka_unit_test(what_is_too_long_is_cut_between_characters),
        cmocka_unit_test(every_bound_is_kept),
        cmocka_unit_test(lines_of_our_own_stay),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

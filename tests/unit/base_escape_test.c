#include <setjmp.h>
#include <stdarg.h>

#include "base/buf.h"
#include "base/escape.h"

#include <cmocka.h>

struct example {
    struct str text;
    const char *shown;
};

static void expect_shown(const struct example *examples, size_t count)
{
    struct buf buf = {0};

    for (size_t i = 0; i < count; i++) {
        buf_clear(&buf);
        escape_add(&buf, examples[i].text);
        assert_string_equal(buf.ptr, examples[i].shown);
    }
    buf_done(&buf);
}

#define EXPECT_SHOWN(examples)                                                 \
 expect_shown(examples, sizeof(examples) / sizeof((examples)[0]))

static void printable_text_stays_as_it_is(void **state)
{
    static const struct example examples[] = {
        {STR_INIT("main.(*T[...]).Do ~"), "main.(*T[...]).Do ~"},
        {STR_INIT("main.(*\xe6\x9c\x8d).\xc3\xbc"),
         "main.(*\xe6\x9c\x8d).\xc3\xbc"},
        {STR_INIT("\xf0\x9f\x90\xb9"), "\xf0\x9f\x90\xb9"},
    };

    (void)state;
    EXPECT_SHOWN(examples);
}

static void controls_never_reach_the_terminal(void **state)
{
    static const struct example examples[] = {
        {STR_INIT("a\x1b[31mb"), "a\\x1b[31mb"},
        {STR_INIT("\0\a\b\t\n\r\x7f"), "\\x00\\x07\\x08\\x09\\x0a\\x0d\\x7f"},
        {STR_INIT("\xc2\x9b"
                  "2J"),
         "\\u{9b}2J"},
    };

    (void)state;
    EXPECT_SHOWN(examples);
}

static void characters_that_reorder_or_hide_text_are_named(void **state)
{
    static const struct example examples[] = {
        {STR_INIT("\xe2\x80\xae"
                  "x"),
         "\\u{202e}x"},
        {STR_INIT("\xe2\x80\x8b"), "\\u{200b}"},
        {STR_INIT("\xe2\x81\xa6"), "\\u{2066}"},
        {STR_INIT("\xef\xbb\xbf"), "\\u{feff}"},
        {STR_INIT("\xf3\xa0\x80\x81"), "\\u{e0001}"},
        {STR_INIT("\xef\xbf\xbf"), "\\u{ffff}"},
        {STR_INIT("\xf4\x8f\xbf\xbe"), "\\u{10fffe}"},
    };

    (void)state;
    EXPECT_SHOWN(examples);
}

static void broken_utf8_is_shown_byte_by_byte(void **state)
{
    static const struct example examples[] = {
        {STR_INIT("\xff"
                  "a"),
         "\\xffa"},
        {STR_INIT("\x80"), "\\x80"},
        {STR_INIT("\xc0\xaf"), "\\xc0\\xaf"},
        {STR_INIT("\xe0\x80\x80"), "\\xe0\\x80\\x80"},
        {STR_INIT("\xed\xa0\x80"), "\\xed\\xa0\\x80"},
        {STR_INIT("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80"},
        {STR_INIT("\xe6\x9c"), "\\xe6\\x9c"},
        {STR_INIT("\xe6"
                  "abc"),
         "\\xe6abc"},
        {STR_INIT("\xf8\x88\x80\x80"), "\\xf8\\x88\\x80\\x80"},
    };

    (void)state;
    EXPECT_SHOWN(examples);
}

static void decoding_gives_the_code_point_and_its_length(void **state)
{
    uint32_t point = 0;

    (void)state;
    assert_int_equal(utf8_next(STR("A"), &point), 1);
    assert_int_equal(point, 'A');
    assert_int_equal(utf8_next(STR("\xc3\xbc"), &point), 2);
    assert_int_equal(point, 0xfc);
    assert_int_equal(utf8_next(STR("\xe6\x9c\x8d"), &point), 3);
    assert_int_equal(point, 0x670d);
    assert_int_equal(utf8_next(STR("\xf0\x9f\x90\xb9"), &point), 4);
    assert_int_equal(point, 0x1f439);
    assert_int_equal(utf8_next(STR("\xf0\x9f"), &point), 0);
    assert_int_equal(point, 0x1f439);
}

static void width_is_what_a_terminal_shows(void **state)
{
    (void)state;
    assert_int_equal(display_width(STR("")), 0);
    assert_int_equal(display_width(STR("abc")), 3);
    assert_int_equal(display_width(STR("\xe6\x9c\x8d\xc3\xbc")), 3);
    assert_int_equal(display_width(STR("e\xcc\x81")), 1);
    assert_int_equal(display_width(STR("\x1b")), 4);
    assert_int_equal(display_width(STR("\xe2\x80\xae")), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printable_text_stays_as_it_is),
        cmocka_unit_test(controls_never_reach_the_terminal),
        cmocka_unit_test(characters_that_reorder_or_hide_text_are_named),
        cmocka_unit_test(broken_utf8_is_shown_byte_by_byte),
        cmocka_unit_test(decoding_gives_the_code_point_and_its_length),
        cmocka_unit_test(width_is_what_a_terminal_shows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Gzip'd input: members after each other, what is cut and what is damaged, the
 * same in pieces of any size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "base/buf.h"
#include "input/gzip.h"

#include <cmocka.h>

/* "one\n" and "two\n" as `gzip -n` packs them. */
static const struct str one =
    STR_INIT("\x1f\x8b\x08\0\0\0\0\0\0\x03\xcb\xcf\x4b\xe5\x02\0\x9f\xa8\x17"
             "\xf8\x04\0\0\0");
static const struct str two =
    STR_INIT("\x1f\x8b\x08\0\0\0\0\0\0\x03\x2b\x29\xcf\xe7\x02\0\x74\x08\x17"
             "\x96\x04\0\0\0");

/* Unpacks the bytes, step at a time: what comes, NULL for anything, and the
 * trouble, if any. */
static void expect(struct str bytes, const char *text, const char *trouble)
{
    for (size_t step = 0; step < 4; step++) {
        struct source_memory memory = {bytes, step};
        struct source source = source_from_memory(&memory);
        struct buf buf = {0};
        struct budget budget;
        const char *said;
        char into[3];
        ptrdiff_t n;

        budget_init(&budget, 0);
        assert_int_equal(gzip_unpack(&source, "input", &budget, NULL), 0);
        while ((n = source.read(source.user, into, sizeof(into))) > 0)
            buf_add(&buf, (struct str){into, (size_t)n});
        assert_int_equal(n, 0);
        if (text)
            assert_true(str_equal(buf_str(&buf), str_from(text)));
        said = source.trouble(source.user);
        assert_int_equal(said != NULL, trouble != NULL);
        if (said && trouble)
            assert_non_null(strstr(said, trouble));
        source_close(&source);
        assert_int_equal(budget.used, 0);
        buf_done(&buf);
    }
}

static void expect_joined(struct str first, struct str second, const char *text,
                          const char *trouble)
{
    struct buf buf = {0};

    buf_add(&buf, first);
    buf_add(&buf, second);
    expect(buf_str(&buf), text, trouble);
    buf_done(&buf);
}

static void members_are_one_text(void **state)
{
    (void)state;
    expect(one, "one\n", NULL);
    expect_joined(one, two, "one\ntwo\n", NULL);
}

static void what_is_not_packed_is_passed_on(void **state)
{
    (void)state;
    expect(STR("one\n"), "one\n", NULL);
    expect(STR("\x1f"), "\x1f", NULL);
    expect(STR(""), "", NULL);
}

static void a_cut_is_said(void **state)
{
    (void)state;
    for (size_t len = 2; len < one.len; len++)
        expect(str_head(one, len), NULL, "ends early");
}

/* A few bits may stand for hundreds of bytes, for which there was no room when
 * they were taken in. */
static void all_before_a_cut_is_given(void **state)
{
    char text[4000] = {0};
    unsigned char packed[200];
    z_stream out = {.next_in = (unsigned char *)text,
                    .avail_in = sizeof(text) - 1,
                    .next_out = packed,
                    .avail_out = sizeof(packed)};

    (void)state;
    for (size_t i = 0; i + 1 < sizeof(text); i++)
        text[i] = (char)('a' + i / 1000);
    assert_int_equal(
        deflateInit2(&out, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY),
        Z_OK);
    assert_int_equal(deflate(&out, Z_FINISH), Z_STREAM_END);
    for (unsigned len = 2; len < out.total_out; len++) {
        char given[sizeof(text)] = {0};
        z_stream in = {.next_in = packed,
                       .avail_in = len,
                       .next_out = (unsigned char *)given,
                       .avail_out = sizeof(given)};

        assert_int_equal(inflateInit2(&in, 15 + 16), Z_OK);
        inflate(&in, Z_NO_FLUSH);
        inflateEnd(&in);
        expect((struct str){(char *)packed, len}, given, "ends early");
    }
    deflateEnd(&out);
}

static void a_member_may_be_cut_behind_its_first_byte(void **state)
{
    (void)state;
    expect_joined(one, str_head(two, 1), "one\n", "ends early");
}

static void what_begins_no_member_is_ignored_and_said(void **state)
{
    (void)state;
    expect_joined(one, STR("\0\0\0"), "one\n", "are ignored");
    expect_joined(one, STR("\x1f\x8c\x08\0\0\0"), "one\n", "are ignored");
}

static void text_behind_is_part_of_it(void **state)
{
    static const struct str text = STR_INIT("goroutine 1 [running]:\n\tx\n");

    (void)state;
    expect_joined(one, text, "one\ngoroutine 1 [running]:\n\tx\n", NULL);
    expect_joined(one, STR("!"), "one\n!", NULL);
    expect_joined(one, STR("\x1b[0m"), "one\n\x1b[0m", NULL);
    expect_joined(one, STR("a\0b"), "one\n", "are ignored");
}

/* As curl -i writes them, of redirections as well. */
static void headers_before_are_left_out(void **state)
{
    static const struct str headers =
        STR_INIT("HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n"
                 "HTTP/2 200\r\nContent-Type: application/octet-stream\r\n"
                 "\r\n");

    (void)state;
    expect_joined(headers, one, "one\n", NULL);
    expect(headers, NULL, NULL);
    expect_joined(STR("HTTP/1.1 200 OK\n\n"), one, "one\n", NULL);
    expect_joined(STR("HTTP/1.1 200 OK\n\n"), STR("one\n"),
                  "HTTP/1.1 200 OK\n\none\n", NULL);
    expect(STR("HTTP/1.1 200 OK\r\n"), "HTTP/1.1 200 OK\r\n", NULL);
    expect(STR("HTTP"), "HTTP", NULL);
}

static void damage_ends_the_text(void **state)
{
    (void)state;
    expect_joined(one, STR("\x1f\x8b\xff\0\0\0"), "one\n", "is damaged");
    expect(STR("\x1f\x8b\xff\0\0\0"), "", "is damaged");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_one_text),
        cmocka_unit_test(what_is_not_packed_is_passed_on),
        cmocka_unit_test(a_cut_is_said),
        cmocka_unit_test(all_before_a_cut_is_given),
        cmocka_unit_test(a_member_may_be_cut_behind_its_first_byte),
        cmocka_unit_test(what_begins_no_member_is_ignored_and_said),
        cmocka_unit_test(text_behind_is_part_of_it),
        cmocka_unit_test(headers_before_are_left_out),
        cmocka_unit_test(damage_ends_the_text),
    };

    return cmocka_run_group_tests_name("input_gzip", tests, NULL, NULL);
}

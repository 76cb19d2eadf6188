/* Zeros in place of text, as where a file has a hole: a hole that begins in one
 * record and ends at the same place of another leaves nothing but a whole
 * record, longer than others. */
#include <setjmp.h>
#include <stdarg.h>

#include "support/reading.h"

#include <cmocka.h>

enum { RECORDS = 40, FIRST = 30, LAST = 33 };

/* Where the text what begins for the nth time, from 0. */
static size_t find_nth(struct str text, const char *what, size_t n)
{
    size_t at = str_search(text, str_from(what));

    while (n--)
        at += 1 + str_search(str_skip(text, at + 1), str_from(what));
    assert_true(at < text.len);
    return at;
}

/* Reads the head and 40 records, of which all is zeros from where the text what
 * stands in one to where it stands in another behind it. */
static void expect_hole(const char *head, const char *record, const char *what)
{
    struct reading reading;
    struct buf buf = {0};
    size_t begin;
    size_t end;

    buf_add(&buf, str_from(head));
    for (size_t i = 0; i < RECORDS; i++)
        buf_add(&buf, str_from(record));
    begin = find_nth(buf_str(&buf), what, FIRST);
    end = find_nth(buf_str(&buf), what, LAST);
    reading_init(&reading);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&buf), 0), 0);
    assert_true(reading_is_complete(&reading));
    reading_done(&reading);
    memset(buf.ptr + begin, 0, end - begin);
    reading_init(&reading);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&buf), 0), 0);
    assert_false(reading_is_complete(&reading));
    assert_int_not_equal(strlen(reading_codes(&reading)), 0);
    reading_done(&reading);
    buf_done(&buf);
}

static void a_hole_from_header_to_header_is_said(void **state)
{
    static const char goroutine[] = "goroutine 7 [select] {tenant: acme}:\n"
                                    "main.f(0x1, 0x2)\n"
                                    "\t/m.go:1 +0x1\n\n";

    (void)state;
    expect_hole("", goroutine, "7 [");
    expect_hole("", goroutine, "ect]");
    expect_hole("", goroutine, "ant: ");
}

static void a_hole_from_frame_to_frame_is_said(void **state)
{
    static const char goroutine[] = "goroutine 7 [select]:\n"
                                    "main.f(0x1, 0x2)\n"
                                    "\t/m.go:1 +0x1\n"
                                    "main.g({0x1, 0x2})\n"
                                    "\t/m.go:2 +0x2\n"
                                    "created by main.h in goroutine 1\n"
                                    "\t/m.go:3 +0x3\n\n";

    (void)state;
    expect_hole("", goroutine, "x1, 0x2)\n");
    expect_hole("", goroutine, "x1, 0x2})\n");
    expect_hole("", goroutine, "x2\ncreated");
    expect_hole("", goroutine, "ne 1\n");
}

/* Nothing of it is familiar, but frames are predicted. */
static void a_hole_among_few_goroutines_is_said(void **state)
{
    static const char frames[] = "main.f(0x1, 0x2)\n"
                                 "\t/m.go:1 +0x1\n";

    (void)state;
    expect_hole("goroutine 7 [select]:\n", frames, "x1, 0x2)\n");
    expect_hole("goroutine 7 [select]:\n", frames, "x1\n");
}

static void a_hole_in_a_profile_is_said(void **state)
{
    (void)state;
    expect_hole("goroutine profile: total 37\n",
                "1 @ 0x1 0x2\n#\t0x1\tmain.f+0x1\t/m.go:1\n\n", "main.f");
    expect_hole("heap profile: 0: 0 [40: 40] @ heap/1\n",
                "0: 0 [1: 1] @ 0x1 0x2\n#\t0x1\tmain.f+0x1\t/m.go:1\n\n",
                "x1 0x2");
    expect_hole("--- contention:\ncycles/second=1\n",
                "1 1 @ 0x1 0x2\n#\t0x1\tmain.f+0x1\t/m.go:1\n\n", "x1\t");
}

/* One line is left of several, whose text the log wraps no more. */
static void a_hole_in_what_a_log_adds_is_said(void **state)
{
    static const char lines[] =
        "{\"log\":\"main.f(0x1)\\n\",\"stream\":\"stderr\",\"time\":\"A\"}\n"
        "{\"log\":\"\\t/m.go:1 +0x1\\n\",\"stream\":\"stderr\",\"time\":\"B\""
        "}\n";
    static const char header[] = "{\"log\":\"goroutine 7 [select]:\\n\","
                                 "\"stream\":\"stderr\",\"time\":\"A\"}\n";

    (void)state;
    expect_hole(header, lines, "err\",\"time\":\"A");
    expect_hole(header, lines, "\"}\n{\"log\":\"\\t");
    expect_hole(header, lines, ".f(0x1)");
}

/* Each string is the last of its wrapping. */
static void a_hole_behind_a_whole_dump_is_said(void **state)
{
    static const char line[] =
        "fn(\"goroutine 7 [select]:\\nmain.f(0x1)\\n\\t/m.go:1\\n\") n=12\n";

    (void)state;
    expect_hole("", line, "=12");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hole_from_header_to_header_is_said),
        cmocka_unit_test(a_hole_from_frame_to_frame_is_said),
        cmocka_unit_test(a_hole_among_few_goroutines_is_said),
        cmocka_unit_test(a_hole_in_a_profile_is_said),
        cmocka_unit_test(a_hole_in_what_a_log_adds_is_said),
        cmocka_unit_test(a_hole_behind_a_whole_dump_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

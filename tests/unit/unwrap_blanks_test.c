/* Dumps whose blanks or markup a program on the way made different. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/one_reading.h"

#include <cmocka.h>

static void a_second_carriage_return_is_no_part_of_a_line(void **state)
{
    (void)state;
    expect("goroutine 5 [select]:\r\r\n"
           "main.f(0x1)\r\r\n"
           "\t/m.go:12 +0x1d\r\r\n"
           "\r\r\n"
           "goroutine 6 [select]:\r\r\n"
           "main.f(0x2)\r\r\n"
           "\t/m.go:12 +0x1d\r\r\n",
           "2 select: main.f /m.go:12\n", "");
}

static void so_is_it_in_profiles(void **state)
{
    (void)state;
    expect("goroutine profile: total 2\r\r\n"
           "2 @ 0x1 0x2\r\r\n"
           "#\t0x1\tmain.f+0x1\t/m.go:1\r\r\n",
           "2 unknown: main.f /m.go:1\n", "");
}

static void an_empty_line_may_follow_every_line(void **state)
{
    (void)state;
    expect("goroutine 5 [select]:\n\n"
           "main.f(0x1)\n\n"
           "\t/m.go:12 +0x1d\n\n"
           "main.main()\n\n"
           "\t/m.go:2 +0x1d\n\n"
           "\n\n"
           "goroutine 6 [select]:\n\n"
           "main.f(0x2)\n\n"
           "\t/m.go:12 +0x1d\n\n"
           "main.main()\n\n"
           "\t/m.go:2 +0x1d\n\n",
           "2 select: main.f /m.go:12, main.main /m.go:2\n", "");
    assert_int_equal(snapshot_info(reading_snapshot(&reading, 0))->line, 1);
}

static void so_it_may_in_profiles_and_crashes(void **state)
{
    (void)state;
    expect("goroutine profile: total 3\n\n"
           "2 @ 0x1 0x2\n\n"
           "#\t0x1\tmain.f+0x1\t/m.go:1\n\n"
           "\n\n"
           "1 @ 0x3 0x4\n\n"
           "#\t0x3\tmain.g+0x1\t/m.go:2\n\n",
           "2 unknown: main.f /m.go:1\n1 unknown: main.g /m.go:2\n", "");
    assert_int_equal(reading_add(&reading, "panic: no\n\n\n\n"
                                           "goroutine 1 [running]:\n\n"
                                           "main.main()\n\n"
                                           "\t/m.go:2 +0x1d\n\n"),
                     0);
    assert_non_null(snapshot_info(reading_snapshot(&reading, 1))->crash);
    assert_string_equal(reading_codes(&reading), "");
    assert_non_null(
        strstr(reading_groups(&reading), "--\n1 running: main.main /m.go:2\n"));
}

static void no_break_spaces_may_stand_for_tabs(void **state)
{
    (void)state;
    expect("goroutine 5 [select]:\n"
           "main.f(0x1)\n"
           "\xc2\xa0 \xc2\xa0 C:/Program Files/m.go:12 +0x1d\n",
           "1 select: main.f C:/Program Files/m.go:12\n", "");
}

static void and_for_all_blanks(void **state)
{
    (void)state;
    expect("goroutine\xc2\xa0"
           "5\xc2\xa0[chan\xc2\xa0send,\xc2\xa0"
           "3\xc2\xa0minutes]:\n"
           "main.f(0x1,\xc2\xa0"
           "0x2)\n"
           "\t/m.go:12\xc2\xa0+0x1d\n"
           "created\xc2\xa0"
           "by\xc2\xa0main.main\n"
           "\t/m.go:9\xc2\xa0+0x1d\n",
           "1 chan send: main.f /m.go:12; by main.main /m.go:9\n", "");
}

static void and_for_those_of_profiles(void **state)
{
    (void)state;
    expect("goroutine profile: total 2\n"
           "2 @ 0x1 0x2\n"
           "#\xc2\xa0 0x1\xc2\xa0 main.f+0x1\xc2\xa0 /m.go:1\n",
           "2 unknown: main.f /m.go:1\n", "");
}

static void a_no_break_space_inside_of_a_name_stays(void **state)
{
    (void)state;
    expect("goroutine 5 [select]:\n"
           "main.f(0x1)\n"
           "\t/my\xc2\xa0/m.go:12 +0x1d\n",
           "1 select: main.f /my\xc2\xa0/m.go:12\n", "");
}

static void a_profile_in_markup_has_entities(void **state)
{
    (void)state;
    expect("<pre>goroutine profile: total 2\n"
           "2 @ 0x1 0x2\n"
           "#\t0x1\tmain.f+0x1\t/a&amp;b/m.go:1\n"
           "</pre>\n",
           "2 unknown: main.f /a&b/m.go:1\n", "");
}

/* A number may have more digits than are there. */
static void a_line_that_is_cut_is_cut_inside_too(void **state)
{
    (void)state;
    expect("web-1 | goroutine 5 [select]:\n"
           "web-1 | main.g(0x1)\n"
           "web-1 | \t/m.go:12 +0x1d\n"
           "web-1 | main.f(0x1)\n"
           "web-1 | \t/m.go:1",
           "1 select: main.g /m.go:12 ...\n", "cut-tail");
}

static void blanks_end_a_line_or_a_carriage_return_behind_them(void **state)
{
    const struct diag *diag;

    (void)state;
    expect("goroutine 5 [select]:\r\nmain.f(0x1)  \r\n\t/m.go:12 +0x1d  \r\n",
           "1 select: main.f /m.go:12\n", "");
    reading_add(&reading, "goroutine 6 [select]:\ntext \ntex");
    diag = reading.snapshots->diags.first;
    while (diag && strcmp(diag->code, "skipped-lines") != 0)
        diag = diag->next;
    assert_non_null(diag);
    assert_true(str_starts(diag->message, STR("1 line ")));
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_second_carriage_return_is_no_part_of_a_line),
        CASE(so_is_it_in_profiles),
        CASE(an_empty_line_may_follow_every_line),
        CASE(so_it_may_in_profiles_and_crashes),
        CASE(no_break_spaces_may_stand_for_tabs),
        CASE(and_for_all_blanks),
        CASE(and_for_those_of_profiles),
        CASE(a_no_break_space_inside_of_a_name_stays),
        CASE(a_profile_in_markup_has_entities),
        CASE(a_line_that_is_cut_is_cut_inside_too),
        CASE(blanks_end_a_line_or_a_carriage_return_behind_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

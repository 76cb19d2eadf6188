/* Reports of goleak: the goroutines that outlived a test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/reading.h"
#include "unwrap/begin.h"

#include <cmocka.h>

static struct reading reading;

static int set_up(void **state)
{
    (void)state;
    reading_init(&reading);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    reading_done(&reading);
    return 0;
}

/* One snapshot, with these groups. */
static void expect(const char *input, const char *groups)
{
    assert_int_equal(reading_add(&reading, input), 0);
    assert_int_equal(reading.snapshots->count, 1);
    assert_string_equal(reading_groups(&reading), groups);
}

#define HEAD(id, state)                                                        \
 "Goroutine " #id " in state " state ", with main.f on top of the stack:\n"
#define STACK                                                                  \
 "main.f(0x1)\n\t/m.go:1 +0x1d\ncreated by main.g in goroutine 1\n"            \
 "\t/m.go:9 +0x2b\n"
#define TITLE                                                                  \
 "goleak: Errors on successful test run: found unexpected "                    \
 "goroutines:\n"

static void a_header_of_its_own_is_enough(void **state)
{
    (void)state;
    expect(TITLE "[" HEAD(7, "chan send") STACK " " HEAD(8, "chan send") STACK
           "]\nFAIL\tshop\t0.5s\n",
           "2 chan send: main.f /m.go:1; by main.g /m.go:9\n");
    assert_string_equal(reading_codes(&reading), "skipped-lines");
}

static void the_header_of_go_may_follow(void **state)
{
    (void)state;
    expect(
        TITLE "[" HEAD(
            7,
            "select, 3 minutes") "goroutine 7 [select, 3 minutes]:\n" STACK
                                 "\n " HEAD(
                                     8,
                                     "select") "goroutine 8 [select]:\n" STACK
                                               "]\n",
        "2 select: main.f /m.go:1; by main.g /m.go:9\n");
    assert_non_null(strstr(reading_everything(&reading), "waits 1 3-3"));
}

static void it_says_who_found_them(void **state)
{
    (void)state;
    expect("[" HEAD(7, "select") STACK "]\n",
           "1 select: main.f /m.go:1; by main.g /m.go:9\n");
    reading_everything(&reading);
    assert_non_null(strstr(reading.text.ptr, "found_by"));
}

static void a_test_indents_it(void **state)
{
    (void)state;
    expect("=== RUN   TestF\n"
           "    f_test.go:9: found unexpected goroutines:\n"
           "        [Goroutine 7 in state select, with main.f on top of the "
           "stack:\n"
           "        main.f(0x1)\n"
           "        \t/m.go:1 +0x1d\n"
           "         Goroutine 8 in state select, with main.f on top of the "
           "stack:\n"
           "        main.f(0x1)\n"
           "        \t/m.go:1 +0x1d\n"
           "        ]\n"
           "--- FAIL: TestF (0.52s)\n",
           "2 select: main.f /m.go:1\n");
}

static void what_follows_the_report_is_read_as_ever(void **state)
{
    (void)state;
    assert_int_equal(reading_add(&reading, TITLE "[" HEAD(7, "select") STACK
                                 "]\n"
                                 "FAIL\n\npanic: late\n\n"
                                 "goroutine 9 [running]:\n" STACK),
                     0);
    assert_string_equal(reading_groups(&reading),
                        "1 select: main.f /m.go:1; by main.g /m.go:9\n--\n"
                        "1 running: main.f /m.go:1; by main.g /m.go:9\n");
}

static void prose_is_no_report(void **state)
{
    static const char *const lines[] = {
        "Goroutine 7 in state select, with main.f on top of the stack: why?",
        "Goroutine 7 in state , with main.f on top of the stack:",
        "Goroutine 7 in state select on top of the stack:",
        "Goroutine x in state select, with main.f on top of the stack:",
        "Goroutine 7 in state select, with main.f",
        "[[Goroutine 7 in state select, with main.f on top of the stack:",
    };
    struct begin_report report;

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        assert_false(begin_report_parse(str_from(lines[i]), &report));
    assert_true(reading_add(&reading, HEAD(7, "select") "Nothing more.\n") < 0);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_header_of_its_own_is_enough),
        CASE(the_header_of_go_may_follow),
        CASE(it_says_who_found_them),
        CASE(a_test_indents_it),
        CASE(what_follows_the_report_is_read_as_ever),
        CASE(prose_is_no_report),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

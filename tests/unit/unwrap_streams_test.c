/* Logs of many streams: what stands between the lines of one of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "support/reading.h"

#include <cmocka.h>

static struct reading reading;
static struct buf text;

static int set_up(void **state)
{
    (void)state;
    reading_init(&reading);
    buf_clear(&text);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    reading_done(&reading);
    buf_done(&text);
    return 0;
}

static const char *const dump[] = {
    "goroutine 1 [select]:", "main.f()", "\t/m.go:1 +0x1", "",
    "goroutine 7 [select]:", "main.f()", "\t/m.go:1 +0x1"};

enum { DUMP_LINES = sizeof(dump) / sizeof(dump[0]) };

/* Some lines of the dump behind a prefix. */
static void add_dump(const char *prefix, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        buf_addf(&text, "%s%s\n", prefix, dump[i]);
}

/* Checks that so many processes have a dump of two goroutines each, of which
 * there is nothing to say. */
static void expect_pairs(size_t n)
{
    assert_int_equal(reading_add_bytes(&reading, buf_str(&text), 0), 0);
    assert_int_equal(cprof_snapshots_count(reading.snapshots), n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(
            snapshot_info_get(reading_snapshot(&reading, i))->total, 2);
}

/* Also more than are looked at. */
static void any_lines_may_stand_behind_a_header(void **state)
{
    static const struct {
        const char *first;
        const char *second;
    } forms[] = {
        {"api-1  | ", "api-2  | "},
        {"[pod/api-1/app] ", "[pod/api-2/app] "},
        {"Jan  2 03:04:05 node-1 api[3]: ", "Jan  2 03:04:05 node-1 api[4]: "},
    };
    static const size_t counts[] = {40, 260, 4000};

    (void)state;
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
            reading_done(&reading);
            reading_init(&reading);
            buf_clear(&text);
            add_dump(forms[i].first, 0, 1);
            for (size_t n = 0; n < counts[c]; n++)
                buf_addf(&text, "%sGET /x %zu\n", forms[i].second, n);
            add_dump(forms[i].first, 1, DUMP_LINES);
            expect_pairs(1);
            assert_string_equal(reading_codes(&reading), "skipped-lines");
        }
    }
}

static void a_dump_of_another_may_stand_behind_a_header(void **state)
{
    (void)state;
    add_dump("api-1  | ", 0, 1);
    add_dump("api-2  | ", 0, DUMP_LINES);
    for (size_t n = 0; n < 100; n++)
        buf_addf(&text,
                 "api-2  | \napi-2  | goroutine %zu [select]:\n"
                 "api-2  | main.f()\napi-2  | \t/m.go:1 +0x1\n",
                 n + 10);
    add_dump("api-1  | ", 1, DUMP_LINES);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&text), 0), 0);
    assert_string_equal(reading_groups(&reading),
                        "2 select: main.f /m.go:1\n"
                        "--\n"
                        "102 select: main.f /m.go:1\n");
    assert_string_equal(reading_codes(&reading), "");
}

/* More processes than lines are looked at, each of which writes one in turn. */
static void a_thousand_processes_may_take_turns(void **state)
{
    (void)state;
    for (size_t i = 0; i < DUMP_LINES; i++) {
        for (size_t n = 0; n < 1000; n++)
            buf_addf(&text, "[pod/api-%zu/app] %s\n", n, dump[i]);
    }
    expect_pairs(1000);
    assert_string_equal(reading_codes(&reading), "");
}

/* The panic is of the pod whose goroutine follows. */
static void any_lines_may_stand_behind_a_panic(void **state)
{
    (void)state;
    buf_add(&text, STR("api-1  | panic: boom\n"));
    for (size_t n = 0; n < 300; n++)
        buf_addf(&text, "api-2  | %s %zu\n",
                 n % 2 ? "a goroutine was late" : "GET /x", n);
    buf_add(&text, STR("api-1  | \napi-1  | goroutine 1 [running]:\n"));
    add_dump("api-1  | ", 1, DUMP_LINES);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&text), 0), 0);
    assert_string_equal(reading_groups(&reading), "1 running: main.f /m.go:1\n"
                                                  "1 select: main.f /m.go:1\n");
    assert_non_null(snapshot_info_get(reading_snapshot(&reading, 0))->crash);
}

/* Times and numbers before the lines are no names, even if none is there
 * twice. */
static void what_counts_the_lines_is_no_name(void **state)
{
    static const struct {
        const char *before;
        const char *after;
    } forms[] = {{"[14:02:00.", "] "},
                 {"[", "] "},
                 {"[2026-11-20T14:02:00.", "Z] "},
                 {"[line-", "] "}};

    (void)state;
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        size_t number = 100000;

        buf_clear(&text);
        reading_done(&reading);
        reading_init(&reading);
        for (size_t n = 0; n < 50; n++) {
            buf_addf(&text, "%s%zu%sgoroutine %zu [select]:\n", forms[i].before,
                     number++, forms[i].after, n + 1);
            for (size_t line = 1; line < 4; line++)
                buf_addf(&text, "%s%zu%s%s\n", forms[i].before, number++,
                         forms[i].after, dump[line]);
        }
        assert_int_equal(reading_add_bytes(&reading, buf_str(&text), 0), 0);
        assert_string_equal(reading_groups(&reading),
                            "50 select: main.f /m.go:1\n");
    }
}

static void a_header_without_frames_is_told(void **state)
{
    (void)state;
    add_dump("", 0, 3);
    buf_add(&text, STR("\nthe log goes on\n[pod/api-1/app] goroutine 5 "
                       "[select]:\n[pod/api-2/app] GET /x\n"));
    assert_int_equal(reading_add_bytes(&reading, buf_str(&text), 0), 0);
    assert_string_equal(reading_groups(&reading), "1 select: main.f /m.go:1\n");
    assert_string_equal(reading_codes(&reading),
                        "skipped-lines unread-goroutines");
    assert_false(snapshot_info_get(reading_snapshot(&reading, 0))->complete);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(any_lines_may_stand_behind_a_header),
        TEST(a_dump_of_another_may_stand_behind_a_header),
        TEST(a_thousand_processes_may_take_turns),
        TEST(any_lines_may_stand_behind_a_panic),
        TEST(what_counts_the_lines_is_no_name),
        TEST(a_header_without_frames_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

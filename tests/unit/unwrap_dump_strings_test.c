/* Dumps that stand whole in a string of a log: where a line ends before its
 * string does, as where a log has a limit for its lines, and where it has more
 * strings than one. */
#include <setjmp.h>
#include <stdarg.h>

#include "support/reading.h"

#include <cmocka.h>

static const char goroutines[] =
    "goroutine 1 [running]:\\nmain.f(0x1)\\n\\t/m.go:1 +0x1\\n\\n"
    "goroutine 2 [select]:\\nmain.g(0x1)\\n\\t/m.go:2 +0x2\\n\\n"
    "goroutine 3 [select]:\\nmain.g(0x1)\\n\\t/m.go:2 +0x2\\n\\n";

/* Cuts the string to every length that holds a goroutine or more: what is left
 * is said to be a part wherever it ends. */
static void expect_part(const char *before, const char *behind)
{
    size_t first = str_search(STR(goroutines), STR("\\n\\n")) + 4;

    for (size_t n = first; n < sizeof(goroutines) - 1; n++) {
        struct reading reading;
        struct buf buf = {0};

        buf_add(&buf, str_from(before));
        buf_add(&buf, str_head(STR(goroutines), n));
        buf_add(&buf, str_from(behind));
        reading_init(&reading);
        assert_int_equal(reading_add(&reading, buf.ptr), 0);
        assert_false(reading_is_complete(&reading));
        assert_int_not_equal(strlen(reading_codes(&reading)), 0);
        reading_done(&reading);
        buf_done(&buf);
    }
}

static void a_string_that_the_input_ends_in_is_a_part(void **state)
{
    (void)state;
    expect_part("{\"log\":\"", "");
    expect_part("level=error msg=\"", "");
}

static void a_string_that_its_line_ends_in_is_a_part(void **state)
{
    (void)state;
    expect_part("{\"log\":\"", "\n");
    expect_part("{\"log\":\"", "\n{\"log\":\"done\"}\n");
    expect_part("level=error msg=\"", "\nlevel=info msg=\"done\"\n");
}

/* Longer than what is held of a line at once. */
static void a_long_string_that_ends_early_is_a_part(void **state)
{
    struct reading reading;
    struct buf buf = {0};

    (void)state;
    buf_add(&buf, STR("{\"log\":\""));
    while (buf.len < 300000)
        buf_add(&buf, STR(goroutines));
    buf_add(&buf, STR("goroutine 4 [sel\n{\"log\":\"done\"}\n"));
    reading_init(&reading);
    assert_int_equal(reading_add(&reading, buf.ptr), 0);
    assert_non_null(strstr(reading_codes(&reading), "omitted-lines"));
    reading_done(&reading);
    buf_done(&buf);
}

static void expect_whole(const char *before, const char *behind)
{
    struct reading reading;
    struct buf buf = {0};

    buf_add(&buf, str_from(before));
    buf_add(&buf, STR(goroutines));
    buf_add(&buf, str_from(behind));
    reading_init(&reading);
    assert_int_equal(reading_add(&reading, buf.ptr), 0);
    assert_true(snapshot_info(reading_snapshot(&reading, 0))->complete);
    assert_string_equal(reading_codes(&reading), "");
    assert_int_equal(reading_total(&reading), 3);
    reading_done(&reading);
    buf_done(&buf);
}

static void a_string_that_ends_is_whole(void **state)
{
    (void)state;
    expect_whole("{\"log\":\"", "\"}\n");
    expect_whole("level=error msg=\"", "\"");
}

static void without_quotes_a_line_is_whole(void **state)
{
    (void)state;
    expect_whole("msg=panic \\n", "\n");
    expect_whole("", "\n");
}

/* "fatal: " is no reason of a crash of Go there. */
static void a_string_behind_what_may_be_a_reason_is_read(void **state)
{
    (void)state;
    expect_whole("fatal: [web-1]: FAILED! => {\"rc\": 2, \"stderr\": \"",
                 "\", \"stdout\": \"\"}\n");
}

/* "," parts its cells. */
static void a_cell_of_a_table_that_never_ends_is_a_part(void **state)
{
    static const char lines[] = "time,log\n1,\"goroutine 1 [running]:\n"
                                "main.f(0x1)\n\t/m.go:1 +0x1\n\n"
                                "goroutine 2 [select]:\nmain.g(0x1)\n"
                                "\t/m.go:2 +0x2\n\n";
    struct reading reading;
    struct buf buf = {0};

    (void)state;
    for (int ends = 0; ends < 2; ends++) {
        buf_add(&buf, STR(lines));
        if (ends)
            buf_add(&buf, STR("\"\n"));
        reading_init(&reading);
        assert_int_equal(reading_add(&reading, buf.ptr), 0);
        assert_int_equal(reading_total(&reading), 2);
        assert_int_equal(snapshot_info(reading_snapshot(&reading, 0))->complete,
                         ends);
        reading_done(&reading);
        buf_clear(&buf);
    }
    expect_part("\"", "");
    buf_done(&buf);
}

/* Reads text and checks how many goroutines its dumps have, in order. */
static void expect_totals(const char *text, const uint64_t totals[2])
{
    struct reading reading;
    size_t n = totals[1] ? 2 : 1;

    reading_init(&reading);
    assert_int_equal(reading_add(&reading, text), 0);
    assert_int_equal(cprof_snapshots_count(reading.snapshots), n);
    for (size_t i = 0; i < n; i++) {
        const struct snapshot_info *info =
            snapshot_info(reading_snapshot(&reading, i));

        assert_int_equal(info->total, totals[i]);
        assert_true(info->complete);
    }
    assert_string_equal(reading_codes(&reading), "");
    reading_done(&reading);
}

#define GOROUTINE(id)                                                          \
 "goroutine " #id " [select]:\\nmain.f()\\n\\t/m.go:1\\n\\n"

static void another_string_of_the_line_holds_more(void **state)
{
    (void)state;
    expect_totals("{\"a\":\"" GOROUTINE(1)
                      GOROUTINE(2) "\",\"b\":\"" GOROUTINE(3) "\"}\n",
                  (uint64_t[2]){3, 0});
    expect_totals("a=\"" GOROUTINE(1) "\" b=\"" GOROUTINE(2) "\"\n",
                  (uint64_t[2]){2, 0});
}

static void a_list_of_strings_has_a_goroutine_each(void **state)
{
    (void)state;
    for (size_t form = 0; form < 2; form++) {
        struct buf buf = {0};

        buf_add(&buf, STR("{\"goroutines\":["));
        for (unsigned id = 1; id <= 50; id++)
            buf_addf(&buf,
                     form ? "%s\"goroutine %u [select]:\\nmain.f()\\n"
                            "\\t/m.go:1\\n\""
                          : "%s{\"stack\":\"goroutine %u [select]:\\nmain.f()"
                            "\\n\\t/m.go:1 +0x1\"}",
                     id > 1 ? "," : "", id);
        buf_add(&buf, STR("]}\n"));
        expect_totals(buf.ptr, (uint64_t[2]){50, 0});
        buf_done(&buf);
    }
}

/* The stack of one, and then all. */
static void another_string_of_the_line_begins_again(void **state)
{
    (void)state;
    expect_totals("{\"a\":\"" GOROUTINE(1) "\",\"b\":\"" GOROUTINE(1)
                      GOROUTINE(2) "\"}\n",
                  (uint64_t[2]){1, 2});
}

static void a_long_string_has_another_behind_it(void **state)
{
    struct buf buf = {0};
    uint64_t n = 0;

    (void)state;
    buf_add(&buf, STR("{\"a\":\"goroutine 1 [running]:\\nmain.g()\\n"
                      "\\t/m.go:2\\n\\n"));
    n++;
    while (buf.len < 200000)
        buf_addf(&buf, "goroutine %llu [select]:\\nmain.f()\\n\\t/m.go:1\\n\\n",
                 (unsigned long long)++n);
    buf_add(&buf, STR("\",\"b\":\"goroutine 1 [running]:\\nmain.g()\\n"
                      "\\t/m.go:2\\n\\n" GOROUTINE(2) "\"}\n"));
    expect_totals(buf.ptr, (uint64_t[2]){n, 2});
    buf_done(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_string_that_the_input_ends_in_is_a_part),
        cmocka_unit_test(a_string_that_its_line_ends_in_is_a_part),
        cmocka_unit_test(a_long_string_that_ends_early_is_a_part),
        cmocka_unit_test(a_string_that_ends_is_whole),
        cmocka_unit_test(without_quotes_a_line_is_whole),
        cmocka_unit_test(another_string_of_the_line_holds_more),
        cmocka_unit_test(a_list_of_strings_has_a_goroutine_each),
        cmocka_unit_test(another_string_of_the_line_begins_again),
        cmocka_unit_test(a_long_string_has_another_behind_it),
        cmocka_unit_test(a_cell_of_a_table_that_never_ends_is_a_part),
        cmocka_unit_test(a_string_behind_what_may_be_a_reason_is_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

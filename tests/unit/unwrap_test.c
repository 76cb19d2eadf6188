/* What is recognised as a wrapped dump, what is not, and what is said of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/reading.h"

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

static void expect_groups(const char *input, const char *groups)
{
    assert_int_equal(reading_add(&reading, input), 0);
    assert_string_equal(reading_groups(&reading), groups);
}

static void expect_nothing(const char *input)
{
    assert_int_equal(reading_add(&reading, input), CPROF_EFORMAT);
}

static void prose_that_mentions_a_goroutine_is_no_dump(void **state)
{
    static const char *const inputs[] = {
        "2026-11-20T14:02:00Z I saw goroutine 5 [running]: it hung\n"
        "2026-11-20T14:02:01Z main.f() is slow\n",
        "level=info msg=\"goroutine 5 [running]\" f(x)\n",
        "[shopd] goroutine 5 [running]:\n[shopd] that is all\n"
        "[shopd] really\n",
        "see goroutine 5 [running]:\nand then nothing\n",
        "web-1 | panic: no\nweb-1 | it goes on\n",
        "{\"log\":\"panic: no\\n\"}\n{\"log\":\"it goes on\\n\"}\n",
        "{\"msg\":\"goroutine 5 [running]:\\nno frame\"}\n",
        "user profile: 5 things\nmy profile: total none\n",
        "<pre>\nno dump\n</pre>\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++)
        expect_nothing(inputs[i]);
}

/* The cell's own quote is gone, those inside it are doubled. */
static void a_cell_of_a_table_may_begin_in_its_middle(void **state)
{
    static const char dump[] = "main.f()\n"
                               "\t/srv/m.go:3 +0x1\n"
                               "\n"
                               "goroutine 5 [running]:\n"
                               "main.f()\n"
                               "\t/srv/m.go:3 +0x1\n"
                               "\n"
                               "goroutine 6 [running] {at: %s}:\n"
                               "main.f()\n"
                               "\t/srv/m.go:3 +0x1%s\n";
    char input[512];
    char *expected;

    (void)state;
    snprintf(input, sizeof(input), dump, "\"x, \\\"\"", "");
    assert_int_equal(reading_add(&reading, input), 0);
    expected = strdup(reading_groups(&reading));
    assert_non_null(expected);
    reading_done(&reading);
    reading_init(&reading);
    snprintf(input, sizeof(input), dump, "\"\"x, \\\"\"\"\"", "\",error");
    expect_groups(input, expected);
    free(expected);
}

/* As rsyslog writes a message of several lines; also behind other words, and
 * where several follow. */
static void control_characters_may_be_octal(void **state)
{
    static const char *const befores[] = {
        "Jan  2 03:04:05 h app[3]: ", "",
        "Jan  2 03:04:05 h app[3]: 2026/01/02 03:04:05 stuck: ",
        "Jan  2 03:04:05 h app[3]: panic: no #1\\#012#012"};

    (void)state;
    for (size_t i = 0; i < sizeof(befores) / sizeof(befores[0]); i++) {
        char input[1024];

        reading_done(&reading);
        reading_init(&reading);
        snprintf(input, sizeof(input),
                 "Jan  2 03:04:05 h app[3]: started #012 times\n"
                 "%sgoroutine 5 [running]:#012main.f#1(0x1)#012"
                 "#011/srv/m.go:3 +0x1#012#012goroutine 6 [select]:#012"
                 "main.g()#012#011/srv/m.go:4 +0x1#012\n"
                 "Jan  2 03:04:05 h app[3]: GET /\n",
                 befores[i]);
        expect_groups(input, "1 running: main.f#1 /srv/m.go:3\n"
                             "1 select: main.g /srv/m.go:4\n");
        assert_string_equal(reading_codes(&reading), "skipped-lines");
    }
}

/* As cat -n and nl print them. */
static void numbers_of_lines_may_be_padded(void **state)
{
    (void)state;
    expect_groups("     9\tgoroutine 5 [running]:\n"
                  "    10\tmain.f()\n"
                  "    11\t\t/srv/m.go:3 +0x1\n"
                  "    12\t\n",
                  "1 running: main.f /srv/m.go:3\n");
}

/* RFC 3339 as Go prints it drops the zeros at the end of a fraction. */
static void times_may_have_fractions_of_any_length(void **state)
{
    static const char *const times[] = {
        "2026-01-02T03:04:05Z",      "2026-01-02T03:04:05.1Z",
        "2026-01-02T03:04:05.01Z",   "2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05.9001Z", "2026-01-02T03:04:06.12Z",
        "2026-01-02T03:04:07Z",      "2026-01-02T03:04:07.5Z",
    };
    static const char *const lines[] = {
        "goroutine 5 [select]:", "main.f(0x1)", "\t/m.go:1 +0x1", "",
        "goroutine 6 [select]:", "main.f(0x1)", "\t/m.go:1 +0x1", "",
    };
    static const struct {
        const char *before;
        const char *between;
        const char *behind;
    } logs[] = {
        {"[", "] ", ""},
        {"", "\tapi\t", ""},
        {"1700000000000000000\t", "\t", ""},
        {"time=", " level=info msg=\"", "\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
        for (size_t first = 0; first < 8; first++) {
            struct buf buf = {0};

            for (size_t j = 0; j < 8; j++)
                buf_addf(&buf, "%s%s%s%s%s\n", logs[i].before,
                         times[(first + j) % 8], logs[i].between, lines[j],
                         logs[i].behind);
            reading_done(&reading);
            reading_init(&reading);
            expect_groups(buf.ptr, "2 select: main.f /m.go:1\n");
            assert_string_equal(reading_codes(&reading), "");
            buf_done(&buf);
        }
    }
}

/* grep -n -A 50 "^goroutine ", of one file or of several. */
static void grep_may_number_the_lines(void **state)
{
    (void)state;
    expect_groups("9:goroutine 5 [select]:\n"
                  "10-main.f(0x1)\n"
                  "11-\t/m.go:1 +0x1\n"
                  "12-\n"
                  "13:goroutine 6 [select]:\n"
                  "14-main.f(0x1)\n"
                  "15-\t/m.go:1 +0x1\n",
                  "2 select: main.f /m.go:1\n");
    reading_done(&reading);
    reading_init(&reading);
    expect_groups("dump-2.txt:9:goroutine 5 [select]:\n"
                  "dump-2.txt-10-main.f(0x1)\n"
                  "dump-2.txt-11-\t/m.go:1 +0x1\n",
                  "1 select: main.f /m.go:1\n");
    assert_string_equal(reading_codes(&reading), "");
}

/* Lines that were added, as git diff shows them. */
static void the_mark_of_a_diff_is_no_part_of_a_name(void **state)
{
    (void)state;
    expect_groups("@@ -0,0 +1,6 @@\n"
                  "+panic: oh\n"
                  "+\n"
                  "+goroutine 5 [running]:\n"
                  "+main.f(0x1)\n"
                  "+\t/m.go:1 +0x1\n",
                  "1 running: main.f /m.go:1\n");
}

/* bash switches the pasting of text on and off around what a program prints;
 * what follows a carriage return stands over it. */
static void what_a_shell_prints_before_a_title_is_overwritten(void **state)
{
    (void)state;
    expect_groups("\x1b[?2004h$ curl -s localhost\r\n"
                  "\x1b[?2004l\rgoroutine profile: total 2\r\n"
                  "2 @ 0x2 0x3\r\n"
                  "#\t0x1\tmain.f+0x1\t/m.go:1\r\n"
                  "\r\n"
                  "\x1b[?2004h$ exit\r\n",
                  "2 unknown: main.f /m.go:1\n");
}

/* grep --color=always -E "goroutine|$", or of another word. */
static void colours_may_stand_inside_of_lines(void **state)
{
    static const char *const inputs[] = {
        "\x1b[01;31m\x1b[Kgoroutine\x1b[m\x1b[K 5 [select]:\n"
        "main.f(0x1)\n"
        "\t/m.go:1 +0x1\n"
        "\n"
        "\x1b[01;31m\x1b[Kgoroutine\x1b[m\x1b[K 6 [select]:\n"
        "main.f(0x1)\n"
        "\t/m.go:1 +0x1\n",
        "goroutine \x1b[31m5\x1b[0m [select]:\n"
        "main.f(0x1)\n"
        "\t/m.go:1 +0x1\n"
        "\n"
        "goroutine \x1b[31m6\x1b[0m [select]:\n"
        "main.f(0x1)\n"
        "\t/m.go:1 +0x1\n",
        "goroutine 5 [select]:\n"
        "\x1b[01;31m\x1b[Kmain\x1b[m\x1b[K.f(0x1)\n"
        "\t/m.go:1 +0x1\n"
        "\n"
        "goroutine 6 [select]:\n"
        "\x1b[01;31m\x1b[Kmain\x1b[m\x1b[K.f(0x1)\n"
        "\t/m.go:1 +0x1\n",
        "goroutine 5 [select]:\n"
        "main.f(0x1)\n"
        "\t/m\x1b[01;31m\x1b[K.go\x1b[m\x1b[K:1 +0x1\n"
        "\n"
        "goroutine 6 [select]:\n"
        "main.f(0x1)\n"
        "\t/m\x1b[01;31m\x1b[K.go\x1b[m\x1b[K:1 +0x1\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
        reading_done(&reading);
        reading_init(&reading);
        expect_groups(inputs[i], "2 select: main.f /m.go:1\n");
        assert_string_equal(reading_codes(&reading), "");
    }
}

static void a_plain_dump_keeps_what_looks_like_a_wrapping(void **state)
{
    (void)state;
    expect_groups("goroutine 1 [running]:\n"
                  "main.f(0x1)\n"
                  "\t/srv/<pre>&lt;/m.go:12 +0x1d\n"
                  "main.\x1b[31mg(...)\n"
                  "\t/srv/m.go:13 +0x1d\n"
                  "\n"
                  "goroutine 2 [select]:\n"
                  "main.main()\n"
                  "\t[shopd] goroutine 7 [running]:/m.go:14 +0x1d\n",
                  "1 running: main.f /srv/<pre>&lt;/m.go:12, "
                  "main.\x1b[31mg /srv/m.go:13\n"
                  "1 select: main.main "
                  "[shopd] goroutine 7 [running]:/m.go:14\n");
}

static void a_header_at_the_end_of_a_log_line_begins_a_goroutine(void **state)
{
    (void)state;
    expect_groups("2026/11/20 14:02:00 recovered: goroutine 5 [running]:\n"
                  "main.f(0x1)\n"
                  "\t/srv/m.go:12 +0x1d\n"
                  "\n"
                  "2026/11/20 14:02:01 next\n",
                  "1 running: main.f /srv/m.go:12\n");
}

static void lines_of_others_inside_are_stepped_over(void **state)
{
    (void)state;
    expect_groups("[shopd] goroutine 5 [select]:\n"
                  "[nginx] GET /\n"
                  "[shopd] main.f(0x1)\n"
                  "kernel: hello\n"
                  "[shopd] \t/srv/m.go:12 +0x1d\n"
                  "[shopd] created by main.main in goroutine 1\n"
                  "[nginx] GET /\n"
                  "[shopd] \t/srv/m.go:9 +0x1d\n",
                  "1 select: main.f /srv/m.go:12; by main.main /srv/m.go:9\n");
    assert_string_equal(reading_codes(&reading), "skipped-lines");
}

static void a_plain_dump_behind_a_wrapped_one_is_read_too(void **state)
{
    (void)state;
    expect_groups("web-1 | goroutine profile: total 2\n"
                  "web-1 | 2 @ 0x1 0x2\n"
                  "web-1 | #\t0x1\tmain.f+0x1\t/m.go:1\n"
                  "web-1 | \n"
                  "goroutine 5 [select]:\n"
                  "main.g(0x1)\n"
                  "\t/m.go:12 +0x1d\n",
                  "2 unknown: main.f /m.go:1\n--\n1 select: main.g /m.go:12\n");
}

static void lost_blank_lines_do_not_join_goroutines(void **state)
{
    (void)state;
    expect_groups("Nov 20 14:02:00 h p[1]: goroutine 5 [select]:\n"
                  "Nov 20 14:02:00 h p[1]: main.main()\n"
                  "Nov 20 14:02:00 h p[1]: #011/m.go:1 +0x1d\n"
                  "Nov 20 14:02:00 h p[1]: goroutine 6 [select]:\n"
                  "Nov 20 14:02:00 h p[1]: main.main()\n"
                  "Nov 20 14:02:00 h p[1]: #011/m.go:1 +0x1d\n",
                  "2 select: main.main /m.go:1\n");
}

static void xml_with_line_ends_as_entities_is_read(void **state)
{
    (void)state;
    expect_groups("<failure message=\"goroutine 5 [select]:&#xA;"
                  "main.f({0x1, 0x2})&#xA;"
                  "&#x9;/m.go:1 +0x1d&#xA;main.g()&#xA;"
                  "\t&lt;autogenerated&gt;:1 +0x1d&#xA;\"/>\n",
                  "1 select: main.f /m.go:1, main.g <autogenerated>:1\n");
}

/* Where things stand is said in lines of the input, however they were
 * wrapped. */
static void lines_are_those_of_the_input(void **state)
{
    (void)state;
    assert_int_equal(
        reading_add(&reading,
                    "one\ntwo\n"
                    "2026-11-20T14:02:00Z stderr F goroutine 5 [select]:\n"
                    "2026-11-20T14:02:00Z stderr P main.f\n"
                    "2026-11-20T14:02:00Z stderr F ()\n"
                    "2026-11-20T14:02:00Z stderr F \t/m.go:1 +0x1d\n"
                    "2026-11-20T14:02:00Z stderr F \n"
                    "2026-11-20T14:02:00Z stderr F goroutine profile: total 3\n"
                    "2026-11-20T14:02:00Z stderr F 2 @ 0x1 0x2\n"
                    "2026-11-20T14:02:00Z stderr F #\t0x1\tmain.f+0x1\t/m:1\n"),
        0);
    assert_int_equal(snapshot_info(reading_snapshot(&reading, 0))->line, 3);
    assert_int_equal(snapshot_info(reading_snapshot(&reading, 1))->line, 8);
    assert_int_equal(
        diag_find(&reading.snapshots->diags, "declared-total")->line, 8);
    assert_int_equal(
        diag_find(&reading.snapshots->diags, "skipped-lines")->line, 1);
}

static void every_dump_in_a_string_has_the_line_of_its_string(void **state)
{
    (void)state;
    assert_int_equal(
        reading_add(&reading,
                    "{\"a\":1}\n"
                    "{\"s\":\"goroutine 1 [running]:\\nmain.f()\\n\\t/m.go:1\\n"
                    "\\ngoroutine 2 [select]:\\nmain.f()\\n\\t/m.go:1\\n\"}\n"
                    "{\"a\":1}\n"
                    "{\"s\":\"goroutine 1 [running]:\\nmain.f()\\n\\t/m.go:1\\n"
                    "\\ngoroutine 2 [select]:\\nmain.f()\\n\\t/m.go:1\\n\"}\n"),
        0);
    assert_int_equal(cprof_snapshots_count(reading.snapshots), 2);
    assert_int_equal(snapshot_info(reading_snapshot(&reading, 0))->line, 2);
    assert_int_equal(snapshot_info(reading_snapshot(&reading, 1))->line, 4);
}

static void pods_are_inputs_of_their_own(void **state)
{
    const struct snapshot_info *info;

    (void)state;
    assert_int_equal(reading_add(&reading, "a-1 | goroutine 1 [select]:\n"
                                           "b-1 | goroutine 1 [chan send]:\n"
                                           "b-1 | main.g()\n"
                                           "a-1 | main.f()\n"
                                           "a-1 | \t/m.go:1 +0x1d\n"
                                           "c-1 | nothing\n"
                                           "b-1 | \t/m.go:2 +0x1d\n"),
                     0);
    assert_string_equal(reading_groups(&reading),
                        "1 select: main.f /m.go:1\n--\n"
                        "1 chan send: main.g /m.go:2\n");
    info = snapshot_info(reading_snapshot(&reading, 0));
    assert_true(str_equal(info->instance, STR("a-1")));
    assert_int_equal(info->input, 0);
    assert_int_equal(info->line, 1);
    info = snapshot_info(reading_snapshot(&reading, 1));
    assert_true(str_equal(info->instance, STR("b-1")));
    assert_int_equal(info->input, 1);
    assert_int_equal(info->line, 2);
    assert_int_equal(reading.snapshots->n_inputs, 2);
    assert_int_equal(
        diag_find(&reading.snapshots->diags, "skipped-lines")->line, 6);
}

/* A dump of so many goroutines on one line, longer than a line may be. */
static struct buf long_line(unsigned n)
{
    struct buf text = {0};

    buf_add(&text, STR("{\"x\":1}\n{\"dump\":\""));
    for (unsigned i = 1; i <= n; i++)
        buf_addf(&text,
                 "goroutine %u [select]:\\nmain.f(0x1)\\n"
                 "\\t/srv/\\u00e9/m.go:1 +0x1d\\n\\n",
                 i);
    buf_add(&text, STR("\",\"y\":2}\n{\"x\":2}\n"));
    return text;
}

static void a_line_of_any_length_is_read_to_its_end(void **state)
{
    struct buf text = long_line(70000);

    (void)state;
    assert_true(text.len > 4 * 1024 * 1024);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&text), 100001), 0);
    assert_string_equal(reading_groups(&reading),
                        "70000 select: main.f /srv/\xc3\xa9/m.go:1\n");
    assert_string_equal(reading_codes(&reading), "skipped-lines");
    assert_int_equal(
        diag_find(&reading.snapshots->diags, "skipped-lines")->line, 1);
    buf_done(&text);
}

/* A log of millions of lines takes no more memory than a short one; the bytes
 * that are read twice are the buffers of lines.c. */
static void a_long_log_takes_little_memory(void **state)
{
    struct buf text = {0};

    (void)state;
    for (unsigned i = 1; i <= 100000; i++)
        buf_addf(&text,
                 "a-1 | goroutine %u [select]:\na-1 | main.f()\n"
                 "a-1 | \t/m.go:1 +0x1d\na-1 | \n",
                 i);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&text), 0), 0);
    assert_int_equal(reading_total(&reading), 100000);
    assert_true(reading.snapshots->budget.peak < 4 * 1024 * 1024);
    buf_done(&text);
}

static void lines_of_other_pods_are_kept_within_the_budget(void **state)
{
    struct buf text = {0};

    (void)state;
    reading_done(&reading);
    reading_init_limited(&reading, "6M");
    buf_add(&text, STR("a-1 | goroutine 1 [select]:\na-1 | main.f()\n"
                       "a-1 | \t/m.go:1 +0x1d\na-1 | \n"));
    for (unsigned i = 1; i <= 100000; i++)
        buf_addf(&text,
                 "b-1 | goroutine %u [select]:\nb-1 | main.f()\n"
                 "b-1 | \t/m.go:1 +0x1d\nb-1 | \n",
                 i);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&text), 0), 0);
    assert_non_null(diag_find(&reading.snapshots->diags, "memory-limit"));
    assert_true(reading_total(&reading) < 100000);
    assert_false(snapshot_info(reading_snapshot(&reading, 1))->complete);
    buf_done(&text);
}

/* Each layer is taken off once; what is wrapped too often is left alone. */
static void wrappings_stack_three_deep(void **state)
{
    (void)state;
    expect_groups("2026-11-20T14:02:00Z a-1 | [x] goroutine 1 [select]:\n"
                  "2026-11-20T14:02:00Z a-1 | [x] main.f()\n"
                  "2026-11-20T14:02:00Z a-1 | [x] \t/m.go:1 +0x1d\n",
                  "1 select: main.f /m.go:1\n");
}

static void several_dumps_and_crashes_stand_in_one_log(void **state)
{
    (void)state;
    assert_int_equal(
        reading_add(&reading, "Nov 20 14:02:00 h p[1]: panic: boom\n"
                              "Nov 20 14:02:00 h p[1]: \n"
                              "Nov 20 14:02:00 h p[1]: goroutine 1 [running]:\n"
                              "Nov 20 14:02:00 h p[1]: main.f()\n"
                              "Nov 20 14:02:00 h p[1]: #011/m.go:1 +0x1d\n"
                              "Nov 20 14:02:00 h p[1]: exit status 2\n"
                              "Nov 20 14:02:09 h p[7]: started\n"
                              "Nov 20 14:02:10 h p[7]: panic: again\n"
                              "Nov 20 14:02:10 h p[7]: \n"
                              "Nov 20 14:02:10 h p[7]: goroutine 1 [running]:\n"
                              "Nov 20 14:02:10 h p[7]: main.f()\n"
                              "Nov 20 14:02:10 h p[7]: #011/m.go:1 +0x1d\n"),
        0);
    assert_int_equal(cprof_snapshots_count(reading.snapshots), 2);
    assert_int_equal(snapshot_info(reading_snapshot(&reading, 0))->line, 1);
    assert_int_equal(snapshot_info(reading_snapshot(&reading, 1))->line, 8);
    assert_int_equal(reading.snapshots->n_inputs, 1);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(prose_that_mentions_a_goroutine_is_no_dump),
        CASE(a_cell_of_a_table_may_begin_in_its_middle),
        CASE(control_characters_may_be_octal),
        CASE(numbers_of_lines_may_be_padded),
        CASE(times_may_have_fractions_of_any_length),
        CASE(grep_may_number_the_lines),
        CASE(the_mark_of_a_diff_is_no_part_of_a_name),
        CASE(what_a_shell_prints_before_a_title_is_overwritten),
        CASE(colours_may_stand_inside_of_lines),
        CASE(a_plain_dump_keeps_what_looks_like_a_wrapping),
        CASE(a_header_at_the_end_of_a_log_line_begins_a_goroutine),
        CASE(lines_of_others_inside_are_stepped_over),
        CASE(a_plain_dump_behind_a_wrapped_one_is_read_too),
        CASE(lost_blank_lines_do_not_join_goroutines),
        CASE(xml_with_line_ends_as_entities_is_read),
        CASE(lines_are_those_of_the_input),
        CASE(every_dump_in_a_string_has_the_line_of_its_string),
        CASE(pods_are_inputs_of_their_own),
        CASE(a_line_of_any_length_is_read_to_its_end),
        CASE(a_long_log_takes_little_memory),
        CASE(lines_of_other_pods_are_kept_within_the_budget),
        CASE(wrappings_stack_three_deep),
        CASE(several_dumps_and_crashes_stand_in_one_log),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

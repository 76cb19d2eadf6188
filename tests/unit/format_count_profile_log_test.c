/* debug=1 as logs have it: with lines of others, other dumps behind it, and
 * tabs that were spelled out. */
#include <setjmp.h>
#include <stdarg.h>

#include "support/one_reading.h"

#include <cmocka.h>

/* As rsyslog does, or cat -T. A label keeps what it holds. */
static void tabs_may_be_spelled_out(void **state)
{
    static const char *const tabs[] = {"#011", "\\t", "^I", "\\x09"};

    (void)state;
    for (size_t i = 0; i < sizeof(tabs) / sizeof(tabs[0]); i++) {
        const char *tab = tabs[i];
        struct buf buf = {0};

        buf_addf(&buf,
                 "goroutine profile: total 3\n"
                 "2 @ 0x1 0x2 0x3\n"
                 "# labels: {\"a\":\"x%sy\"}\n"
                 "#%s0x2%smain.(*T[...]).f+0x1%s%s%s/srv/a b/main.go:7\n"
                 "#%s0xXXXX%sos/signal.loop+0x13%s/a#01/m.go:8\n\n"
                 "1 @ 0x46bac1\n"
                 "#%s0x46bac0\n",
                 tab, tab, tab, tab, tab, tab, tab, tab, tab, tab);
        reading_done(&reading);
        reading_init(&reading);
        expect(buf.ptr,
               "2 unknown: main.(*T[...]).f /srv/a b/main.go:7, "
               "os/signal.loop /a#01/m.go:8\n"
               "1 unknown: 0x46bac0\n",
               "");
        buf_done(&buf);
    }
}

static void lines_of_a_logger_are_stepped_over(void **state)
{
    (void)state;
    expect("goroutine profile: total 3\n"
           "2024/01/01 12:00:00 served (5ms)\n"
           "2 @ 0x1 0x5 0x6\n"
           "2024/01/01 12:00:00 served (5ms)\n"
           "#\t0x4\tmain.f+0x1\t/m.go:1\n"
           "2024/01/01 12:00:00 served (5ms)\n"
           "#\t0x5\tmain.g+0x1\t/m.go:2\n"
           "\n"
           "2024/01/01 12:00:00 served (5ms)\n"
           "1 @ 0x1 0x5\n"
           "#\t0x4\tmain.g+0x1\t/m.go:2\n"
           "2024/01/01 12:00:00 the end",
           "2 unknown: main.f /m.go:1, main.g /m.go:2\n"
           "1 unknown: main.g /m.go:2\n",
           "skipped-lines");
}

/* However many they are, and wherever a title is mentioned. */
static void many_lines_of_others_may_stand_between_records(void **state)
{
    struct buf buf = {0};

    (void)state;
    buf_add(&buf, STR("goroutine profile: total 3\n"
                      "2 @ 0x1 0x5\n"
                      "#\t0x4\tmain.f+0x1\t/m.go:1\n\n"));
    for (unsigned i = 0; i < 200; i++)
        buf_addf(&buf, "served user profile: %u\n--- PASS: TestX\n", i);
    buf_add(&buf, STR("1 @ 0x1 0x5\n"
                      "#\t0x4\tmain.g+0x1\t/m.go:2\n"));
    expect(buf.ptr, "2 unknown: main.f /m.go:1\n1 unknown: main.g /m.go:2\n",
           "skipped-lines");
    buf_done(&buf);
}

/* Behind a profile that is whole, lines of others may be another dump. */
static void what_follows_a_whole_profile_is_read_too(void **state)
{
    static const char whole[] = "goroutine profile: total 1\n"
                                "1 @ 0x1 0x5\n"
                                "#\t0x4\tmain.f+0x1\t/m.go:1\n\n";
    static const char *const behind[] = {
        "{\"log\":\"goroutine 7 [select]:\\n\",\"stream\":\"stderr\"}\n"
        "{\"log\":\"main.g()\\n\",\"stream\":\"stderr\"}\n"
        "{\"log\":\"\\t/m.go:2 +0x1\\n\",\"stream\":\"stderr\"}\n",
        "2024/01/01 12:00:00 got goroutine 7 [select]:\n"
        "main.g()\n\t/m.go:2 +0x1\n\n",
        "api-1 | goroutine 7 [select]:\n"
        "api-1 | main.g()\n"
        "api-1 | \t/m.go:2 +0x1\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(behind) / sizeof(behind[0]); i++) {
        struct buf buf = {0};

        buf_addf(&buf, "%s%s", whole, behind[i]);
        reading_done(&reading);
        reading_init(&reading);
        expect(buf.ptr,
               "1 unknown: main.f /m.go:1\n--\n1 select: main.g /m.go:2\n", "");
        buf_done(&buf);
    }
}

static void a_last_line_of_others_cuts_no_whole_profile(void **state)
{
    (void)state;
    expect("goroutine profile: total 1\n"
           "1 @ 0x1 0x5\n"
           "#\t0x4\tmain.f+0x1\t/m.go:1\n"
           "\n"
           "$ exit",
           "1 unknown: main.f /m.go:1\n", "skipped-lines");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(tabs_may_be_spelled_out),
        TEST(lines_of_a_logger_are_stepped_over),
        TEST(many_lines_of_others_may_stand_between_records),
        TEST(what_follows_a_whole_profile_is_read_too),
        TEST(a_last_line_of_others_cuts_no_whole_profile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

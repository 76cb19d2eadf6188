/* Crashes behind other text of their line, and logs that speak of panics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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

static const struct crash *crash_of(const char *input)
{
    assert_int_equal(reading_add(&reading, input), 0);
    return snapshot_info(reading_snapshot(&reading, 0))->crash;
}

static void expect_crash(const char *input, enum crash_kind kind,
                         const char *message)
{
    const struct crash *crash = crash_of(input);

    assert_non_null(crash);
    assert_int_equal(crash->kind, kind);
    assert_true(str_equal(crash->message, str_from(message)));
}

#define STACK "main.f()\n\t/m.go:1 +0x1d\n"

static void a_reason_may_stand_behind_a_text_without_a_line_end(void **state)
{
    (void)state;
    expect_crash("started\n"
                 "loading... fatal error: all goroutines are asleep - "
                 "deadlock!\n\ngoroutine 1 [select]:\n" STACK,
                 CRASH_FATAL, "all goroutines are asleep - deadlock!");
    assert_int_equal(snapshot_info(reading_snapshot(&reading, 0))->line, 2);
}

static void a_panic_needs_the_goroutine_that_runs(void **state)
{
    (void)state;
    expect_crash("waiting...panic: test timed out after 1s\n"
                 "running tests:\n\tTestHang (1s)\n"
                 "\ngoroutine 7 [running]:\n" STACK
                 "\ngoroutine 1 [chan receive]:\n" STACK,
                 CRASH_PANIC,
                 "test timed out after 1s\nrunning tests:\nTestHang (1s)");
}

static void a_signal_needs_its_registers(void **state)
{
    (void)state;
    expect_crash("25 %SIGQUIT: quit\nPC=0x47b0c1 m=0 sigcode=0\n\n"
                 "goroutine 1 [select]:\n" STACK,
                 CRASH_SIGNAL, "SIGQUIT: quit");
}

static void a_panic_that_was_thrown_again_is_one(void **state)
{
    (void)state;
    assert_non_null(crash_of("=== panic: boom [recovered]\n\tpanic: boom\n\n"
                             "goroutine 7 [running]:\nmain.f.func1()\n"
                             "\t/m.go:1 +0x1d\npanic({0x1, 0x2})\n"
                             "\t/go/panic.go:884 +0x212\n" STACK));
}

static void a_wrapped_line_may_be_glued_too(void **state)
{
    (void)state;
    expect_crash("{\"Action\":\"output\",\"Output\":\"wait...panic: no\\n\"}\n"
                 "{\"Action\":\"output\",\"Output\":\"\\n\"}\n"
                 "{\"Action\":\"output\",\"Output\":"
                 "\"goroutine 1 [running]:\\n\"}\n"
                 "{\"Action\":\"output\",\"Output\":\"main.f()\\n\"}\n"
                 "{\"Action\":\"output\",\"Output\":\"\\t/m.go:1 +0x1\\n\"}\n",
                 CRASH_PANIC, "no");
}

static void logs_that_speak_of_panics_hold_no_crash(void **state)
{
    static const char *const inputs[] = {
        "10:00 recovered panic: boom\ngoroutine 5 [running]:\n" STACK,
        "10:00 recovered panic: boom\n\ngoroutine 5 [running]:\n"
        "runtime/debug.Stack()\n\t/go/stack.go:24 +0x65\n" STACK,
        "10:00 recovered panic: boom\n\ngoroutine 5 [running]:\n"
        "main.g.func1()\n\t/m.go:1 +0x1d\npanic({0x1, 0x2})\n"
        "\t/go/panic.go:884 +0x212\n" STACK,
        "10:00 worker panic: boom\n10:01 next\n\n"
        "goroutine 5 [running]:\n" STACK,
        "10:00 panic: boom\n\ngoroutine 5 [select]:\n" STACK,
        "10:00 last fatal error: no\n10:01 next\n\n"
        "goroutine 5 [select]:\n" STACK,
        "10:00 got SIGQUIT: dumping\n\ngoroutine 5 [select]:\n" STACK,
        "{\"m\":\"a panic: no\"}\n{\"m\":\"b\"}\n\n"
        "goroutine 5 [running]:\n" STACK,
    };

    (void)state;
    for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
        assert_int_equal(reading_add(&reading, inputs[i]), 0);
        assert_null(snapshot_info(reading_snapshot(&reading, i))->crash);
    }
    assert_int_equal(reading_total(&reading),
                     sizeof(inputs) / sizeof(inputs[0]));
}

static void a_test_indents_what_follows(void **state)
{
    (void)state;
    assert_int_equal(
        reading_add(&reading,
                    "    x_test.go:9: recovered: goroutine 6 [running]:\n"
                    "        main.f(0xc000007a00)\n"
                    "        \t/m.go:1 +0x25\n"
                    "        created by testing.(*T).Run in goroutine 1\n"
                    "        \t/go/testing.go:1493 +0x35f\n"
                    "    x_test.go:10: no\n"
                    "FAIL\n"),
        0);
    assert_string_equal(
        reading_groups(&reading),
        "1 running: main.f /m.go:1; by testing.(*T).Run /go/testing.go:1493\n");
    assert_string_equal(reading_codes(&reading), "skipped-lines");
    assert_true(snapshot_info(reading_snapshot(&reading, 0))->complete);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_reason_may_stand_behind_a_text_without_a_line_end),
        CASE(a_panic_needs_the_goroutine_that_runs),
        CASE(a_signal_needs_its_registers),
        CASE(a_panic_that_was_thrown_again_is_one),
        CASE(a_wrapped_line_may_be_glued_too),
        CASE(logs_that_speak_of_panics_hold_no_crash),
        CASE(a_test_indents_what_follows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

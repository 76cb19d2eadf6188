/* Crashes among lines of others, and dumps behind them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "support/crash_texts.h"
#include "support/one_reading.h"

#include <cmocka.h>

static void read_text(const char *text)
{
    assert_int_equal(reading_add(&reading, text), 0);
}

static void lines_of_others_part_no_crash(void **state)
{
    (void)state;
    expect("panic: a\n\n" MAIN "\n12:00 GET /\n12:01 GET /\n\n" WORKER(
               "7", "select") "\n" WORKER("8", "select"),
           MAIN_GROUP WORK_GROUP("2", "select"), "skipped-lines");
}

static void another_dump_behind_lines_of_others_is_its_own(void **state)
{
    (void)state;
    expect("panic: a\n\n" MAIN "\n12:00 starting\n\n" MAIN
           "\n" WORKER("7", "select"),
           MAIN_GROUP "--\n" MAIN_GROUP WORK_GROUP("1", "select"),
           "skipped-lines");
    assert_string_equal(
        snapshot_info_get(reading_snapshot(&reading, 1))->format, "debug2");
}

static void lines_of_others_between_reason_and_goroutine_part_nothing(
    void **state)
{
    (void)state;
    expect("panic: a\n\n12:00 GET /\n" MAIN, MAIN_GROUP, "");
    expect_crash(0, CRASH_PANIC, "a", 1);
    read_text("panic: a\n\n12:00 GET /\n12:01 GET /\n" MAIN);
    expect_crash(1, CRASH_PANIC, "a", 1);
    read_text("fatal error: all goroutines are asleep - deadlock!\n\n"
              "12:00 GET /\n" WORKER("7", "chan send"));
    expect_crash(2, CRASH_FATAL, "all goroutines are asleep - deadlock!", 7);
}

/* As in a journal, which drops them. */
static void no_blank_line_is_needed(void **state)
{
    (void)state;
    read_text("panic: a\n12:00 GET /\n" MAIN);
    expect_crash(0, CRASH_PANIC, "a\n12:00 GET /", 1);
    read_text("fatal error: fault\nunexpected fault address 0x7f\n"
              "goroutine 1 [running]:\nruntime.throw(0x1, 0x5)\n"
              "\t/p.go:1 +0x1\n" MAIN_STACK);
    expect_crash(1, CRASH_FATAL, "fault\nunexpected fault address 0x7f", 1);
    read_text("fatal error: sync: unlock of unlocked mutex\n12:00 GET /\n"
              "goroutine 1 [running]:\nsync.fatal({0x1?, 0x2?})\n"
              "\t/p.go:1 +0x1\n" MAIN_STACK);
    expect_crash(2, CRASH_FATAL, "sync: unlock of unlocked mutex\n12:00 GET /",
                 1);
    read_text("fatal error: concurrent map writes\n12:00 GET /\n" MAIN);
    expect_crash(3, CRASH_FATAL, "concurrent map writes\n12:00 GET /", 1);
    read_text("fatal error: 12:00 GET /\nconcurrent map writes12:01 GET /\n"
              "12:02 GET /\n" MAIN);
    expect_crash(4, CRASH_FATAL,
                 "12:00 GET /\nconcurrent map writes12:01 GET /\n12:02 GET /",
                 1);
}

static void lines_of_others_part_no_signal_from_its_pc(void **state)
{
    (void)state;
    read_text("SIGSEGV: segmentation violation\n12:00 GET /\n"
              "PC=0x1 m=0 sigcode=1\n\n" MAIN);
    expect_crash(0, CRASH_SIGNAL, "SIGSEGV: segmentation violation", 1);
    read_text("SIGSEGV: segmentation violation\nPC=0x1 m=0 sigcode=1\n\n"
              "12:00 GET /\n" MAIN);
    expect_crash(1, CRASH_SIGNAL, "SIGSEGV: segmentation violation", 1);
}

static void a_stack_that_was_asked_for_is_not_of_the_reason_before_it(
    void **state)
{
    static const char *const texts[] = {
        "panic: a\n\n12:00 GET /\ngoroutine 1 [running]:\n"
        "runtime/pprof.writeGoroutineStacks(0x1)\n\t/p.go:1 +0x1\n",
        "panic: a\n\n12:00 GET /\ngoroutine 1 [running]:\n"
        "runtime/debug.Stack()\n\t/s.go:1 +0x1\n",
        "panic: a\n\n12:00 GET /\n" WORKER("7", "select"),
        "panic: a\n\n1\n2\n3\n4\n5\n6\n7\n8\n9\n" MAIN,
        "panic: a\n1\n2\n3\n4\n" MAIN,
        "panic: a\n1\n" WORKER("7", "select"),
        "panic: a\n1\ngoroutine 1 [running]:\nmain.f.func1()\n\t/m.go:1 "
        "+0x1\npanic(0x1)\n\t/p.go:1 +0x1\n" MAIN_STACK,
        "fatal error: a\n1\n" MAIN,
        "fatal error: concurrent map writes\n1\n2\n3\n4\n" MAIN,
        "SIGTERM: stopping\n1\n2\n3\n4\n5\nPC=0x1\n\n" MAIN,
        "SIGTERM: stopping\n\nPC=0x1\n\n" MAIN,
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        read_text(texts[i]);
        assert_string_equal(
            snapshot_info_get(reading_snapshot(&reading, i))->format, "debug2");
    }
}

static void a_dump_after_a_restart_is_its_own(void **state)
{
    static const char dump[] =
        "goroutine 1 [running]:\nruntime/pprof.writeGoroutineStacks(0x1)\n"
        "\t/pprof.go:1 +0x1\n\n" WORKER("7", "select");
    static const char *const before[] = {
        "panic: a\n\n" MAIN "12:00 starting\n12:01 listening\n",
        "panic: a\n\n" WORKER("9", "running") "12:00 starting\n",
        "panic: a\n\n" MAIN "\n" WORKER("9", "select") "\n",
        "panic: a\n\n" MAIN,
        THREADS SCHEDULER REGISTERS "12:00 starting\n",
    };
    char text[1000];

    (void)state;
    for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
        snprintf(text, sizeof(text), "%s%s", before[i], dump);
        read_text(text);
        crash_of(2 * i);
        assert_int_equal(reading.snapshots->count, 2 * i + 2);
        assert_int_equal(
            snapshot_info_get(reading_snapshot(&reading, 2 * i + 1))->total, 2);
    }
}

#define ELSEWHERE                                                              \
 "goroutine 8 [running]:\n\tgoroutine running on other thread; stack "         \
 "unavailable\n"

static void lines_of_others_right_behind_a_stack_part_no_crash(void **state)
{
    (void)state;
    expect("panic: a\n\n" MAIN
           "12:00 GET /\n\n" WORKER("7", "select") "12:01 GET /\n\n" ELSEWHERE,
           MAIN_GROUP WORK_GROUP("1", "select") "1 running:\n",
           "skipped-lines");
}

#define ZAP                                                                    \
 "{\"level\":\"error\",\"msg\":\"dump\",\"stack\":\"goroutine 3 [running]:\\n" \
 "main.dump()\\n\\t/m.go:7 +0x1\\n\\ngoroutine 4 [select]:\\n"                 \
 "main.work(0x1)\\n\\t/m.go:5 +0x1\\n\"}\n"

static void a_wrapped_dump_behind_a_crash_is_its_own(void **state)
{
    static const char *const texts[] = {
        "panic: a\n\n" MAIN "12:00 starting\n" ZAP "12:01 done\n",
        "panic: a\n\n" MAIN "\n12:00 starting\n" ZAP,
        "panic: a\n\n" MAIN ZAP,
        "panic: a\n\n" MAIN "12:00 caught: goroutine 3 [running]:\n"
        "main.dump()\n\t/m.go:7 +0x1\n\n" WORKER("4", "select"),
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        read_text(texts[i]);
        assert_int_equal(reading.snapshots->count, 2 * i + 2);
        expect_crash(2 * i, CRASH_PANIC, "a", 1);
        assert_int_equal(
            snapshot_info_get(reading_snapshot(&reading, 2 * i))->total, 1);
        assert_int_equal(
            snapshot_info_get(reading_snapshot(&reading, 2 * i + 1))->total, 2);
    }
}

static void a_wrapped_dump_amid_goroutines_parts_no_crash(void **state)
{
    (void)state;
    expect("panic: a\n\n" MAIN ZAP "\n" WORKER(
               "7", "select") "\n" ZAP
                              "\ngoroutine 8 [select]:\n" ZAP WORK_STACK,
           MAIN_GROUP WORK_GROUP("2", "select"), "skipped-lines");
}

static void panics_of_two_lives_are_two_crashes(void **state)
{
    (void)state;
    expect("panic: a\n\n" WORKER("7", "running") "12:00 starting\n"
                                                 "panic: b\n\n" WORKER(
                                                     "8", "running"),
           WORK_GROUP("1", "running") "--\n" WORK_GROUP("1", "running"),
           "skipped-lines");
    expect_crash(1, CRASH_PANIC, "b", 8);
}

static void race_reports_are_stepped_over(void **state)
{
    (void)state;
    expect("panic: a\n\ngoroutine 1 [running]:\nmain.f()\n\t/m.go:8 +0x1\n" RACE
               MAIN_STACK "\n" RACE "\n" WORKER("7", "select"),
           "1 running: main.f /m.go:8, main.main /m.go:9\n" WORK_GROUP(
               "1", "select"),
           "skipped-lines");
}

/* Windows prints the goroutine that died without its header, and so it stands
 * where that was lost. */
static void a_goroutine_without_a_header_is_the_one_that_died(void **state)
{
    static const struct {
        const char *reason;
        const char *message;
        const char *codes;
    } texts[] = {
        {"Exception 0xc0000005 0x8 0x0 0x0\nPC=0x0\n",
         "Exception 0xc0000005 0x8 0x0 0x0", ""},
        {"Exception 0xc0000005 0x8 0x0 0x0\nPC=0x0\n"
         "signal arrived during external code execution\n",
         "Exception 0xc0000005 0x8 0x0 0x0", ""},
        {"SIGSEGV: segmentation violation\nPC=0x6 m=0 sigcode=1\n",
         "SIGSEGV: segmentation violation", "stray-frames"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        const struct crash *crash;
        const struct group *group;
        struct buf text = {0};

        buf_addf(&text,
                 "%s\nmain.call(0x1)\n\t/m.go:7 +0x1\n" MAIN_STACK
                 "\n" WORKER("7", "select") "rax     0x0\n",
                 texts[i].reason);
        tear_down(NULL);
        set_up(NULL);
        expect(text.ptr,
               "1 running: main.call /m.go:7, main.main /m.go:9\n" WORK_GROUP(
                   "1", "select"),
               texts[i].codes);
        crash = snapshot_info_get(reading_snapshot(&reading, 0))->crash;
        assert_memory_equal(crash->message.ptr, texts[i].message,
                            crash->message.len);
        assert_false(crash->has_goroutine);
        assert_int_equal(crash->n_groups, 1);
        group = snapshot_group(reading_snapshot(&reading, 0), crash->groups[0]);
        assert_int_equal(group->n_ids, 0);
        assert_int_equal(group->count, 1);
        buf_done(&text);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lines_of_others_part_no_crash),
        TEST(another_dump_behind_lines_of_others_is_its_own),
        TEST(lines_of_others_between_reason_and_goroutine_part_nothing),
        TEST(no_blank_line_is_needed),
        TEST(lines_of_others_part_no_signal_from_its_pc),
        TEST(a_stack_that_was_asked_for_is_not_of_the_reason_before_it),
        TEST(a_dump_after_a_restart_is_its_own),
        TEST(lines_of_others_right_behind_a_stack_part_no_crash),
        TEST(a_wrapped_dump_behind_a_crash_is_its_own),
        TEST(a_wrapped_dump_amid_goroutines_parts_no_crash),
        TEST(panics_of_two_lives_are_two_crashes),
        TEST(race_reports_are_stepped_over),
        TEST(a_goroutine_without_a_header_is_the_one_that_died),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What a dying process prints, through the driver, and the words of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "format/crash_text.h"
#include "support/crash_texts.h"
#include "support/one_reading.h"

#include <cmocka.h>

static void read_text(const char *text)
{
    assert_int_equal(reading_add(&reading, text), 0);
}

static void expect_str(struct str text, const char *expected)
{
    assert_int_equal(text.len, strlen(expected));
    assert_memory_equal(text.ptr, expected, text.len);
}

static void a_panic_is_a_snapshot_with_its_reason(void **state)
{
    (void)state;
    expect("panic: boom\n\n" MAIN, MAIN_GROUP, "");
    expect_crash(0, CRASH_PANIC, "boom", 1);
    assert_int_equal(crash_of(0)->n_groups, 1);
    expect_str(symbols_text(reading.snapshots->symbols, crash_of(0)->reason),
               "panic: boom");
}

static void the_line_of_a_crash_is_that_of_its_reason(void **state)
{
    (void)state;
    expect("listening on :80\n\npanic: boom\n\n" MAIN, MAIN_GROUP,
           "skipped-lines");
    assert_int_equal(snapshot_info_get(reading_snapshot(&reading, 0))->line, 3);
}

static void a_signal_line_belongs_to_the_panic(void **state)
{
    (void)state;
    read_text("panic: runtime error: nil\n"
              "[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 "
              "pc=0x4]\n\n" MAIN);
    expect_crash(0, CRASH_PANIC, "runtime error: nil", 1);
    expect_str(crash_of(0)->signal,
               "SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x4");
}

static void panics_within_panics_are_lines_of_the_message(void **state)
{
    (void)state;
    read_text("panic: first\n\tpanic: second\n\tpanic: third\n\n" MAIN);
    expect_crash(0, CRASH_PANIC, "first\npanic: second\npanic: third", 1);
}

static void a_panic_thrown_again_is_said_once(void **state)
{
    (void)state;
    read_text("panic: same [recovered]\n\tpanic: same\n\n" MAIN);
    expect_crash(0, CRASH_PANIC, "same", 1);
    read_text("panic: same [recovered, repanicked]\n\n" MAIN);
    expect_crash(1, CRASH_PANIC, "same", 1);
}

static void lines_of_a_panic_text_may_be_indented_or_not(void **state)
{
    (void)state;
    read_text("panic: code 42\nsecond line\n\n" MAIN);
    expect_crash(0, CRASH_PANIC, "code 42\nsecond line", 1);
    read_text("panic: code 42\n\tsecond line\n\t\n\t\n\n" MAIN);
    expect_crash(1, CRASH_PANIC, "code 42\nsecond line", 1);
}

static void a_long_text_is_cut(void **state)
{
    char text[4000] = "panic: ";

    (void)state;
    memset(text + 7, 'x', 3000);
    strcpy(text + 3007, "\n\n" MAIN);
    read_text(text);
    assert_int_equal(crash_of(0)->message.len, CRASH_MESSAGE_MOST);
}

static void a_text_that_mimics_a_goroutine_is_not_the_one_that_panicked(
    void **state)
{
    (void)state;
    expect("panic: first line\n\ngoroutine 99 [running]:\nmain.fake(...)\n"
           "\t/nowhere/fake.go:1\n\n\n" MAIN,
           "1 running: main.fake /nowhere/fake.go:1\n" MAIN_GROUP,
           "panic-text");
    expect_crash(0, CRASH_PANIC, "first line", 1);
}

static void a_stack_in_a_panic_text_is_replaced_by_the_real_one(void **state)
{
    (void)state;
    expect("panic: boom\n\ngoroutine 1 [running]:\nruntime/debug.Stack()\n"
           "\t/stack.go:1 +0x1\nmain.guard()\n\t/m.go:2 +0x1\n\n\n" MAIN,
           MAIN_GROUP, "");
    expect_crash(0, CRASH_PANIC, "boom", 1);
}

static void a_carried_stack_is_no_goroutine(void **state)
{
    (void)state;
    expect("panic: boom\n\ngoroutine 9 [running]:\nruntime/debug.Stack()\n"
           "\t/stack.go:1 +0x1\npanic({0x1, 0x2})\n\t/panic.go:1 +0x1\n"
           "main.work()\n\t/w.go:3 +0x1\n\n" MAIN,
           MAIN_GROUP, "");
    expect_crash(0, CRASH_PANIC, "boom\nthrown first at main.work /w.go:3", 1);
}

/* What a program prints of a panic that it caught looks so as well. */
static void a_given_stack_that_nothing_follows_is_a_goroutine(void **state)
{
    (void)state;
    expect("panic: boom\n\ngoroutine 9 [running]:\nruntime/debug.Stack()\n"
           "\t/stack.go:1 +0x1\nmain.guard()\n\t/m.go:2 +0x1\n\n",
           "1 running: runtime/debug.Stack /stack.go:1, main.guard /m.go:2\n",
           "");
}

static void a_fatal_error_speaks_of_its_first_goroutine(void **state)
{
    (void)state;
    expect("fatal error: all goroutines are asleep - deadlock!\n\n" WORKER(
               "7", "chan send") "\n" WORKER("8", "chan send"),
           WORK_GROUP("2", "chan send"), "");
    expect_crash(0, CRASH_FATAL, "all goroutines are asleep - deadlock!", 7);
}

static void what_the_runtime_notes_before_and_its_stack_are_passed(void **state)
{
    (void)state;
    expect("runtime: goroutine stack exceeds 1000000000-byte limit\n"
           "runtime: sp=0xc0 stack=[0xc0, 0xc1]\n"
           "fatal error: stack overflow\n\n"
           "runtime stack:\nruntime.throw({0x1})\n\t/panic.go:1 +0x1\n\n" MAIN,
           MAIN_GROUP, "");
    expect_crash(0, CRASH_FATAL,
                 "stack overflow\n"
                 "runtime: goroutine stack exceeds 1000000000-byte limit",
                 1);
    assert_int_equal(snapshot_info_get(reading_snapshot(&reading, 0))->line, 1);
}

/* The journal keeps no blank line. */
static void a_runtime_stack_right_below_is_no_part_of_the_reason(void **state)
{
    (void)state;
    expect("fatal error: unexpected signal during runtime execution\n"
           "[signal SIGBUS: bus error code=0x80 addr=0x0 pc=0x12]\n"
           "runtime stack:\nruntime.throw(0x1)\n\t/panic.go:1 +0x1\n" MAIN,
           MAIN_GROUP, "");
    expect_crash(0, CRASH_FATAL, "unexpected signal during runtime execution",
                 1);
}

static void cgo_says_why_it_aborts(void **state)
{
    (void)state;
    expect("runtime/cgo: pthread_create failed: Resource unavailable\n"
           "SIGABRT: abort\nPC=0x7f m=2 sigcode=0\n\n" MAIN,
           MAIN_GROUP, "");
    expect_crash(0, CRASH_SIGNAL,
                 "SIGABRT: abort\n"
                 "runtime/cgo: pthread_create failed: Resource unavailable",
                 1);
}

static void a_signal_kills_the_goroutine_that_it_hits(void **state)
{
    (void)state;
    expect("SIGSEGV: segmentation violation\n"
           "PC=0x6 m=3 sigcode=1 addr=0x8\n"
           "signal arrived during cgo execution\n\n" WORKER(
               "1", "syscall") "\nrax    0x0\nrflags 0x2\n",
           WORK_GROUP("1", "syscall"), "");
    expect_crash(0, CRASH_SIGNAL, "SIGSEGV: segmentation violation", 1);
}

/* The collector dies on a stack of its own; a deadlock is of who waits. */
static void a_fatal_error_beside_a_goroutine_that_waits_speaks_of_nobody(
    void **state)
{
    (void)state;
    read_text("fatal error: found pointer to free object\n\n"
              "runtime stack:\nruntime.throw(...)\n\t/panic.go:1 +0x1\n\n"
              "goroutine 1 [semacquire]:\nmain.main()\n\t/m.go:1 +0x1\n");
    assert_true(crash_of(0)->is_elsewhere);
    assert_false(crash_of(0)->has_goroutine);
    assert_int_equal(crash_of(0)->n_groups, 1);
    read_text("fatal error: all goroutines are asleep - deadlock!\n\n"
              "goroutine 1 [semacquire]:\nmain.main()\n\t/m.go:1 +0x1\n");
    assert_false(crash_of(1)->is_elsewhere);
    assert_true(crash_of(1)->has_goroutine);
}

static void a_sigquit_speaks_of_nobody(void **state)
{
    (void)state;
    read_text("SIGQUIT: quit\nPC=0x6 m=0 sigcode=0\n\n" MAIN);
    assert_true(crash_of(0)->is_request);
    assert_false(crash_of(0)->has_goroutine);
    assert_int_equal(crash_of(0)->n_groups, 0);
}

static void dumps_of_other_threads_are_not_counted_again(void **state)
{
    (void)state;
    expect(THREADS "goroutine 0 [idle]:\nruntime.futex()\n\t/sys.s:2 +0x1\n"
                   "rax    0x0\nrip    0x7\n",
           "1 idle: runtime.futex /sys.s:1\n" MAIN_GROUP
           "1 running:; by main.main /m.go:3\n",
           "crash-repeats");
}

static void a_stack_that_was_unavailable_comes_from_its_thread(void **state)
{
    (void)state;
    expect(THREADS WORKER("5", "running"),
           "1 idle: runtime.futex /sys.s:1\n" MAIN_GROUP WORK_GROUP("1",
                                                                    "running"),
           "");
}

static void threads_behind_goroutines_without_a_reason_are_known(void **state)
{
    (void)state;
    expect("\t/lost.go:1\n\n" WORKER("5", "running") "\n" WORKER(
               "6", "select") "\n" REGISTERS THREAD(SCHEDULER)
               THREAD(SCHEDULER "\n" WORKER("5", "running")),
           WORK_GROUP("1", "running") WORK_GROUP("1", "select"),
           "crash-repeats skipped-lines");
    assert_int_equal(reading.snapshots->count, 1);
}

static void a_goroutine_that_was_lost_comes_from_its_thread(void **state)
{
    (void)state;
    expect(WORKER("6", "select")
               REGISTERS THREAD(SCHEDULER "\n" WORKER("5", "running")),
           WORK_GROUP("1", "select") WORK_GROUP("1", "running"),
           "crash-repeats skipped-lines");
}

static void another_crash_behind_dashes_is_its_own(void **state)
{
    static const char *const texts[] = {
        /* More goroutines than a thread has. */
        MAIN "\n-----\n\nSIGQUIT: quit\nPC=0x7 m=1 sigcode=0\n\n" SCHEDULER
             "\n" MAIN "\n" WORKER("5", "select") "\n" REGISTERS,
        MAIN THREAD(WORKER("5", "running")), /* nobody knows it */
        MAIN "\n-----\n\npanic: a\n\n" MAIN,
        MAIN "\nSIGQUIT: quit\nPC=0x7 m=1 sigcode=0\n\n" SCHEDULER,
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        read_text(texts[i]);
        crash_of(2 * i + 1);
    }
}

static void a_second_panic_belongs_to_the_same_crash(void **state)
{
    (void)state;
    expect("panic: a\n\n" WORKER("7", "running") "panic: b (c)\n\n" WORKER(
               "8", "running"),
           WORK_GROUP("2", "running"), "");
    expect_crash(0, CRASH_PANIC, "a", 7);
}

static void two_crashes_are_two_snapshots(void **state)
{
    (void)state;
    expect("panic: a\n\n" MAIN "exit status 2\npanic: b\n\n" MAIN
           "panic: c\n\n" MAIN,
           MAIN_GROUP "--\n" MAIN_GROUP "--\n" MAIN_GROUP, "");
    expect_crash(2, CRASH_PANIC, "c", 1);
}

static void what_go_test_adds_ends_a_crash(void **state)
{
    (void)state;
    expect("--- FAIL: TestF (0.00s)\npanic: a\n\n" MAIN
           "FAIL\tpkg\t0.01s\nFAIL\n",
           MAIN_GROUP, "skipped-lines");
    assert_int_equal(reading.snapshots->diags.first->line, 1);
    assert_non_null(
        strstr(reading.snapshots->diags.first->message.ptr, "1 line skipped"));
}

static void a_timed_out_test_is_where_its_code_stands(void **state)
{
    (void)state;
    read_text("panic: test timed out after 2s\n\trunning tests:\n"
              "\t\tTestHang (2s)\n\n"
              "goroutine 20 [running]:\ntesting.(*M).startAlarm.func1()\n"
              "\t/testing.go:2 +0x1\n\n"
              "goroutine 1 [chan receive]:\ntesting.(*T).Run(0x1)\n"
              "\t/testing.go:3 +0x1\nmain.main()\n\t_testmain.go:5 +0x1\n\n"
              "goroutine 6 [chan send]:\npkg.TestHang(0x1)\n\t/x_test.go:7 "
              "+0x1\ntesting.tRunner(0x1)\n\t/testing.go:4 +0x1\n\n"
              "goroutine 7 [select]:\nnet/http_test.TestOther(0x1)\n"
              "\t/y_test.go:7 +0x1\ntesting.tRunner(0x1)\n\t/testing.go:4 "
              "+0x1\n");
    expect_crash(0, CRASH_PANIC,
                 "test timed out after 2s\nrunning tests:\n\tTestHang (2s)", 6);
    assert_int_equal(crash_of(0)->n_groups, 2);
}

/* Tests of other packages and ages, and go test itself. */
#define TESTS                                                                  \
 "goroutine 1 [chan receive, 9 minutes]:\ntesting.(*T).Run(0x1)\n"             \
 "\t/testing.go:3 +0x1\nmain.main()\n\t_testmain.go:5 +0x1\n\n"                \
 "goroutine 6 [chan send]:\npkg.TestShort(0x1)\n\t/x_test.go:7 +0x1\n"         \
 "testing.tRunner(0x1)\n\t/testing.go:4 +0x1\n\n"                              \
 "goroutine 7 [select, 9 minutes]:\npkg.TestHang(0x1)\n\t/y_test.go:7 +0x1\n"  \
 "testing.tRunner(0x1)\n\t/testing.go:4 +0x1\n"

static void of_several_tests_the_one_that_waits_longest_comes_first(
    void **state)
{
    (void)state;
    read_text("panic: test timed out after 10m0s\n\n"
              "goroutine 20 [running]:\ntesting.(*M).startAlarm.func1()\n"
              "\t/testing.go:2 +0x1\n\n" TESTS);
    expect_crash(0, CRASH_PANIC, "test timed out after 10m0s", 7);
    assert_int_equal(crash_of(0)->n_groups, 2);
    assert_int_equal(crash_of(0)->groups[0], 3);
    assert_int_equal(crash_of(0)->groups[1], 2);
}

static void a_test_that_go_test_kills_is_where_its_code_stands(void **state)
{
    (void)state;
    read_text("SIGQUIT: quit\nPC=0x6 m=0 sigcode=0\n\n" TESTS
              "\nrax    0x0\nrip    0x6\n"
              "*** Test killed with quit: ran too long (11m0s).\n"
              "FAIL\tpkg\t660.0s\n");
    expect_crash(
        0, CRASH_SIGNAL,
        "SIGQUIT: quit\n*** Test killed with quit: ran too long (11m0s).", 7);
    assert_false(crash_of(0)->is_request);
    assert_true(crash_is_timeout(crash_of(0)));
    assert_int_equal(crash_of(0)->n_groups, 2);
    assert_int_equal(crash_of(0)->groups[0], 2);
}

static void a_test_that_somebody_asked_stays_a_request(void **state)
{
    (void)state;
    read_text("SIGQUIT: quit\nPC=0x6 m=0 sigcode=0\n\n" TESTS
              "\nexit status 2\nFAIL\tpkg\t660.0s\n");
    assert_true(crash_of(0)->is_request);
    assert_false(crash_of(0)->has_goroutine);
    assert_int_equal(crash_of(0)->n_groups, 0);
}

static void without_a_test_in_the_dump_a_timeout_names_no_goroutine(
    void **state)
{
    (void)state;
    read_text("panic: test timed out after 10m0s\n\n"
              "goroutine 20 [running]:\ntesting.(*M).startAlarm.func1()\n"
              "\t/testing.go:2 +0x1\n");
    assert_false(crash_of(0)->has_goroutine);
    assert_int_equal(crash_of(0)->n_groups, 1);
    read_text("SIGQUIT: quit\nPC=0x6 m=0 sigcode=0\n\n"
              "goroutine 0 [idle]:\nruntime.futex()\n\t/sys.s:1 +0x1\n\n" MAIN
              "*** Test killed with quit: ran too long (11m0s).\n");
    assert_false(crash_of(1)->has_goroutine);
    assert_int_equal(crash_of(1)->n_groups, 1);
    assert_int_equal(crash_of(1)->groups[0], 1);
}

static void a_crash_without_goroutines_is_refused_with_its_cause(void **state)
{
    static const char *const texts[] = {
        "panic: in a goroutine\n",
        "fatal error: fault\n[signal SIGBUS: bus error code=0x2]\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_int_equal(reading_add(&reading, texts[i]), CPROF_EFORMAT);
        assert_non_null(strstr(reading.err.message, "GOTRACEBACK=all"));
    }
}

static void a_line_of_a_log_is_no_reason(void **state)
{
    (void)state;
    expect("panic: said the log\n12:00 GET /\n" WORKER("7", "select"),
           WORK_GROUP("1", "select"), "skipped-lines");
    assert_string_equal(
        snapshot_info_get(reading_snapshot(&reading, 0))->format, "debug2");
}

static void a_cut_crash_says_so(void **state)
{
    (void)state;
    expect("panic: a\n\n" MAIN "\ngoroutine 7 [select]:\nmain.wo",
           MAIN_GROUP "1 select: ...\n", "cut-tail");
    expect_crash(0, CRASH_PANIC, "a", 1);
}

static void any_chunks_read_alike(void **state)
{
    static const char text[] =
        "runtime: sp=0x1\nfatal error: stack overflow\n\n" MAIN "\n" RACE
        "\n" WORKER("7", "select") "exit status 2\n";
    struct buf whole = {0};

    (void)state;
    read_text(text);
    buf_add(&whole, str_from(reading_everything(&reading)));
    for (size_t step = 1; step < 9; step++) {
        reading_done(&reading);
        reading_init(&reading);
        assert_int_equal(reading_add_bytes(&reading, STR(text), step), 0);
        assert_string_equal(reading_everything(&reading), whole.ptr);
    }
    buf_done(&whole);
}

static void lines_around_goroutines_have_their_kinds(void **state)
{
    static const struct {
        const char *line;
        enum crash_line kind;
    } lines[] = {
        {"rax    0xca", CRASH_LINE_REGISTER},
        {"rflags 0x286", CRASH_LINE_REGISTER},
        {"ra  0x1\tsp  0x2", CRASH_LINE_REGISTER},
        {"the 0xca", CRASH_LINE_REGISTER},
        {"the byte 0xca", CRASH_LINE_OTHER},
        {"rax", CRASH_LINE_OTHER},
        {"0x1 0x2", CRASH_LINE_OTHER},
        {"-----", CRASH_LINE_THREAD},
        {"------", CRASH_LINE_OTHER},
        {"exit status 2", CRASH_LINE_LAST},
        {"FAIL\tpkg\t0.1s", CRASH_LINE_LAST},
        {"FAIL", CRASH_LINE_LAST},
        {"FAILED", CRASH_LINE_OTHER},
        {"runtime stack:", CRASH_LINE_STACK},
        {"PC=0x1 m=0 sigcode=0", CRASH_LINE_KNOWN},
        {"", CRASH_LINE_OTHER},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        if (crash_line_kind(str_from(lines[i].line)) != lines[i].kind)
            fail_msg("'%s'", lines[i].line);
    }
}

static void only_a_reason_may_begin_a_crash(void **state)
{
    static const char *const yes[] = {"panic: x",
                                      "fatal error: x",
                                      "SIGQUIT: quit",
                                      "runtime: x",
                                      "fatal: morestack",
                                      "Exception 0xc0000005 0x0 0x0 0x7ff",
                                      "unexpected fault address 0x0"};
    static const char *const no[] = {"",
                                     "panic(0x1)",
                                     "panic:x",
                                     "2026/01/02 panic: x",
                                     "SIG",
                                     "SIG: x",
                                     "SIGQUIT",
                                     "Signal: x",
                                     "runtime.main()",
                                     "created by x"};

    (void)state;
    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
        assert_true(crash_may_begin(str_from(yes[i])));
    for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
        assert_false(crash_may_begin(str_from(no[i])));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_panic_is_a_snapshot_with_its_reason),
        TEST(the_line_of_a_crash_is_that_of_its_reason),
        TEST(a_signal_line_belongs_to_the_panic),
        TEST(panics_within_panics_are_lines_of_the_message),
        TEST(a_panic_thrown_again_is_said_once),
        TEST(lines_of_a_panic_text_may_be_indented_or_not),
        TEST(a_long_text_is_cut),
        TEST(a_text_that_mimics_a_goroutine_is_not_the_one_that_panicked),
        TEST(a_stack_in_a_panic_text_is_replaced_by_the_real_one),
        TEST(a_carried_stack_is_no_goroutine),
        TEST(a_given_stack_that_nothing_follows_is_a_goroutine),
        TEST(a_fatal_error_speaks_of_its_first_goroutine),
        TEST(what_the_runtime_notes_before_and_its_stack_are_passed),
        TEST(a_runtime_stack_right_below_is_no_part_of_the_reason),
        TEST(cgo_says_why_it_aborts),
        TEST(a_signal_kills_the_goroutine_that_it_hits),
        TEST(a_fatal_error_beside_a_goroutine_that_waits_speaks_of_nobody),
        TEST(a_sigquit_speaks_of_nobody),
        TEST(dumps_of_other_threads_are_not_counted_again),
        TEST(a_stack_that_was_unavailable_comes_from_its_thread),
        TEST(threads_behind_goroutines_without_a_reason_are_known),
        TEST(a_goroutine_that_was_lost_comes_from_its_thread),
        TEST(another_crash_behind_dashes_is_its_own),
        TEST(a_second_panic_belongs_to_the_same_crash),
        TEST(two_crashes_are_two_snapshots),
        TEST(what_go_test_adds_ends_a_crash),
        TEST(a_timed_out_test_is_where_its_code_stands),
        TEST(of_several_tests_the_one_that_waits_longest_comes_first),
        TEST(a_test_that_go_test_kills_is_where_its_code_stands),
        TEST(a_test_that_somebody_asked_stays_a_request),
        TEST(without_a_test_in_the_dump_a_timeout_names_no_goroutine),
        TEST(a_crash_without_goroutines_is_refused_with_its_cause),
        TEST(a_line_of_a_log_is_no_reason),
        TEST(a_cut_crash_says_so),
        TEST(any_chunks_read_alike),
        cmocka_unit_test(lines_around_goroutines_have_their_kinds),
        cmocka_unit_test(only_a_reason_may_begin_a_crash),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

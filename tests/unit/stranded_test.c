/* Whether nobody is left to unlock a lock: dumps made by hand, and what is said
 * of their locks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/made_dump.h"

#include <cmocka.h>

static const char minutes[] = ", 3 minutes";

/* Three that wait for a lock each, in one function that nobody else is in. */
static void add_three(const char *age)
{
    static const char *const locks[] = {"@0xc000010010", "@0xc000010020",
                                        "@0xc000010030"};
    char state[64];

    snprintf(state, sizeof(state), "sync.Mutex.Lock%s", age);
    for (unsigned i = 0; i < 3; i++)
        MADE_GOROUTINE(10 + i, state, locks[i], "main.dine(0x0?) 31");
}

static bool is_stranded(void)
{
    return strstr(made_held_at("main.dine"), "nobody is left");
}

static void add_main(void)
{
    MADE_GOROUTINE(1, "select (no cases)", "main.main() 40");
}

static void who_waits_like_all_others_is_stranded(void **state)
{
    (void)state;
    add_three("");
    add_main();
    assert_true(is_stranded());
}

static void a_part_of_a_dump_proves_nothing(void **state)
{
    (void)state;
    add_three(minutes);
    assert_false(is_stranded());
}

static void whoever_may_go_on_may_unlock(void **state)
{
    static const char *const states[] = {
        "running", "runnable",  "sleep",         "IO wait",
        "syscall", "chan send", "GC assist wait"};

    (void)state;
    for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
        made_anew();
        add_three(minutes);
        add_main();
        MADE_GOROUTINE(20, states[i], "os.(*File).Read(0x0?) 8",
                       "example.com/other.work(0x0?) 9");
        if (is_stranded())
            fail_msg("%s", states[i]);
    }
}

/* In the middle of something, even in a state that loops idle in. */
static void whoever_waits_inside_a_call_may_unlock(void **state)
{
    (void)state;
    add_three(minutes);
    add_main();
    MADE_GOROUTINE(20, "select", "example.com/other.ask(0x0?) 9",
                   "example.com/other.work(0x0?) 19");
    assert_false(is_stranded());
    made_anew();
    add_three(minutes);
    add_main();
    MADE_GOROUTINE(20, "select", "net/http.(*persistConn).roundTrip(0x0?) 9",
                   "net/http.Get(0x0?) 9", "example.com/other.poll(0x0?) 19");
    assert_false(is_stranded());
}

static void loops_may_idle_where_the_locks_are_waited_for_long(void **state)
{
    (void)state;
    for (unsigned is_long = 0; is_long < 2; is_long++) {
        made_anew();
        add_three(is_long ? minutes : "");
        add_main();
        MADE_GOROUTINE(20, "chan receive", "example.com/other.loop(0x0?) 9");
        MADE_GOROUTINE(21, "select", "example.com/other.serve(0x0?) 9");
        assert_int_equal(is_stranded(), is_long);
    }
}

static void the_library_alone_holds_no_lock_of_the_program(void **state)
{
    (void)state;
    MADE_GOROUTINE(21, "running", "runtime/pprof.writeGoroutineStacks(0x0?) 9",
                   "net/http/pprof.Index(0x0?) 10");
    add_three("");
    add_main();
    MADE_GOROUTINE(20, "IO wait", "net.(*conn).Read(0x0?) 9",
                   "net/http.(*conn).serve(0x0?) 10");
    MADE_GOROUTINE(22, "IO wait", "internal/poll.(*FD).Accept(0x0?) 9",
                   "net/http.(*Server).Serve(0x0?) 10", "main.main.func1() 11");
    MADE_GOROUTINE(23, "select (no cases)", "main.forever() 11");
    assert_true(is_stranded());
}

/* The lock may be that around the dump. */
static void who_writes_the_dump_by_itself_may_hold_it(void **state)
{
    (void)state;
    for (unsigned is_long = 0; is_long < 2; is_long++) {
        made_anew();
        MADE_GOROUTINE(21, "running",
                       "runtime/pprof.writeGoroutineStacks(0x0?) 9",
                       "main.(*watchdog).check(0x0?) 11");
        add_three(is_long ? minutes : "");
        add_main();
        assert_int_equal(is_stranded(), is_long);
    }
}

static void main_may_wait_for_the_end(void **state)
{
    static const char *const states[] = {"chan receive", "select", "sleep"};

    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        made_anew();
        add_three(i < 3 ? minutes : "");
        MADE_GOROUTINE(1, states[i % 3], "main.(*app).run(0x0?) 9",
                       "main.main() 40", "runtime.main() 250",
                       "runtime.goexit() 1");
        assert_int_equal(is_stranded(), i < 3);
    }
}

/* Their timers, connections and goroutines of the library wake them. */
static void who_waits_for_more_than_a_lock_may_unlock(void **state)
{
    (void)state;
    add_three(minutes);
    add_main();
    MADE_GOROUTINE(20, "sync.Cond.Wait",
                   "sync.runtime_notifyListWait(0xc000010080, 0x0) 1",
                   "sync.(*Cond).Wait(0xc000010080?) 1",
                   "net/http.(*http2pipe).Read(0x0?) 2",
                   "main.(*rates).get(0x0?) 9");
    assert_false(is_stranded());
    made_anew();
    add_three(minutes);
    add_main();
    MADE_GOROUTINE(20, "sync.WaitGroup.Wait",
                   "sync.(*WaitGroup).Wait(0xc000010080?) 1",
                   "main.(*gate).open(0x0?) 9");
    assert_false(is_stranded());
    made_anew();
    add_three(minutes);
    add_main();
    MADE_GOROUTINE(20, "sync.Mutex.Lock", "@0xc000010080",
                   "crypto/tls.(*Conn).ConnectionState(0xc000010000) 1",
                   "main.(*registry).check(0x0?) 9");
    assert_false(is_stranded());
}

static void who_was_woken_may_unlock(void **state)
{
    (void)state;
    add_three(minutes);
    add_main();
    MADE_GOROUTINE(20, "runnable", "@0xc000010010", "main.dine(0x0?) 31");
    assert_false(is_stranded());
}

/* A holder that waits for no lock explains the queue. */
static void a_holder_that_is_known_is_told(void **state)
{
    (void)state;
    add_three(minutes);
    add_main();
    MADE_GOROUTINE(20, "chan receive", "main.keep(0xc000010010) 9");
    assert_non_null(strstr(made_held_at("main.dine"), "held by goroutine 20"));
}

static void locks_of_the_library_are_not_meant(void **state)
{
    (void)state;
    MADE_GOROUTINE(10, "sync.Mutex.Lock", "@0xc000010010",
                   "log.(*Logger).Output(0xc000010000) 1", "main.dine() 31");
    add_main();
    assert_false(is_stranded());
}

static void a_test_waits_for_the_tests_in_it(void **state)
{
    (void)state;
    add_three("");
    MADE_GOROUTINE(1, "chan receive", "testing.(*T).Run(0x0?) 1",
                   "testing.(*M).Run(0x0?) 2", "main.main() 40");
    MADE_GOROUTINE(6, "chan receive", "testing.(*T).Run(0x0?) 1",
                   "example.com/app.TestAll(0x0?) 8",
                   "testing.tRunner(0x0?) 9");
    assert_true(is_stranded());
}

#define TEST(name)                                                             \
 cmocka_unit_test_setup_teardown(name, made_set_up, made_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_waits_like_all_others_is_stranded),
        TEST(a_part_of_a_dump_proves_nothing),
        TEST(whoever_may_go_on_may_unlock),
        TEST(whoever_waits_inside_a_call_may_unlock),
        TEST(loops_may_idle_where_the_locks_are_waited_for_long),
        TEST(the_library_alone_holds_no_lock_of_the_program),
        TEST(who_writes_the_dump_by_itself_may_hold_it),
        TEST(main_may_wait_for_the_end),
        TEST(who_waits_for_more_than_a_lock_may_unlock),
        TEST(who_was_woken_may_unlock),
        TEST(a_holder_that_is_known_is_told),
        TEST(locks_of_the_library_are_not_meant),
        TEST(a_test_waits_for_the_tests_in_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* rivals.h: where somebody else may hold the lock, nobody is certain to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/made_dump.h"

#include <cmocka.h>

/* Three that wait in Get, and one that was in Get and waits in Set, which it
 * has called behind the lock's line: with the lock, or after an Unlock. */
static void add_waiters(const char *state)
{
    for (unsigned i = 2; i <= 4; i++)
        MADE_GOROUTINE(i, state, "@0xc000010000",
                       "main.(*T).Get(0xc000010000) 20",
                       "created by main.main 5");
    MADE_GOROUTINE(5, state, "@0xc000010000", "main.(*T).Set(0xc000010000) 40",
                   "main.(*T).Get(0xc000010000) 25", "created by main.main 5");
}

/* What the circle of goroutine 5 is said to be, beside another goroutine. */
static void expect_circle(const char *wait, const char *certainty,
                          const char *state, const char *call,
                          const char *function)
{
    made_anew();
    MADE_GOROUTINE(1, "select (no cases)", "main.main() 7");
    add_waiters(wait);
    MADE_GOROUTINE(6, state, call, function, "main.work() 70",
                   "created by main.main 6");
    assert_int_equal(strncmp(made_circles(), certainty, strlen(certainty)), 0);
}

static void who_may_have_unlocked_perhaps_waits_for_itself(void **state)
{
    static const char *const calls[] = {"time.Sleep(0x1) 1",
                                        "internal/poll.runtime_pollWait() 1",
                                        "net/http.(*Client).Do() 1"};
    static const char *const states[] = {"sleep", "IO wait", "select"};

    (void)state;
    for (size_t i = 0; i < 3; i++)
        expect_circle(MADE_LOCKED, "low\n", states[i], calls[i],
                      "main.save() 60");
    expect_circle(MADE_LOCKED, "low\n", "chan send", "main.put() 1",
                  "main.save() 60");
    expect_circle(MADE_LOCKED, "low\n", "runnable", "main.count() 1",
                  "main.save() 60");
}

static void who_has_waited_for_minutes_probably_does(void **state)
{
    (void)state;
    expect_circle(MADE_LOCKED ", 5 minutes", "medium\n", "sleep",
                  "time.Sleep(0x1) 1", "main.save() 60");
    expect_circle(MADE_LOCKED ", 2 minutes", "low\n", "sleep",
                  "time.Sleep(0x1) 1", "main.save() 60");
}

/* Code of other packages has no way to the lock. */
static void who_works_elsewhere_is_no_rival(void **state)
{
    (void)state;
    made_anew();
    MADE_GOROUTINE(1, "select (no cases)", "main.main() 7");
    add_waiters(MADE_LOCKED);
    MADE_GOROUTINE(6, "sleep", "time.Sleep(0x1) 1", "shop.save() 60",
                   "shop.work() 70", "created by main.main 6");
    assert_int_equal(strncmp(made_circles(), "high\n", 5), 0);
}

static void who_rests_is_no_rival(void **state)
{
    (void)state;
    made_anew();
    MADE_GOROUTINE(1, "sleep", "time.Sleep(0x1) 1", "main.main() 7");
    add_waiters(MADE_LOCKED);
    MADE_GOROUTINE(6, "select", "main.loop() 70", "created by main.main 6");
    MADE_GOROUTINE(7, "chan receive", "main.loop() 71", "main.main.gowrap1() 6",
                   "created by main.main 6");
    MADE_GOROUTINE(8, "IO wait", "internal/poll.(*FD).Read(0x1) 9",
                   "net.(*conn).Read(0x1) 5", "main.serve() 81",
                   "created by main.main 8");
    MADE_GOROUTINE(9, "chan receive (nil chan)", "main.never() 1",
                   "main.work() 91", "created by main.main 9");
    MADE_GOROUTINE(10, "running", "runtime/pprof.writeGoroutineStacks() 1",
                   "main.dump() 99", "main.watch() 98",
                   "created by main.main 9");
    assert_int_equal(strncmp(made_circles(), "high\n", 5), 0);
}

/* One that sleeps may do so with the lock, wherever it began. */
static void who_sleeps_is_one(void **state)
{
    (void)state;
    made_anew();
    MADE_GOROUTINE(1, "select (no cases)", "main.main() 7");
    add_waiters(MADE_LOCKED);
    MADE_GOROUTINE(6, "sleep", "time.Sleep(0x1) 1", "main.save() 60",
                   "created by main.main 6");
    assert_int_equal(strncmp(made_circles(), "low\n", 4), 0);
}

/* Three that wait, and one behind their line in a request. */
static void add_request(void)
{
    for (unsigned i = 2; i <= 4; i++)
        MADE_GOROUTINE(i, MADE_LOCKED, "@0xc000010000",
                       "main.(*T).Get(0xc000010000) 20");
    MADE_GOROUTINE(5, "select", "net/http.(*Client).Do() 1",
                   "main.(*T).Get(0xc000010000) 25", "main.serve() 50");
}

/* Who is behind the line, and waits for no lock, may have unlocked as well. */
static void a_holder_with_a_rival_is_not_certain(void **state)
{
    (void)state;
    add_request();
    assert_string_equal(made_held_at("main.(*T).Get"),
                        "held by goroutine 5 in (*T).Get (m.go:25), select");
    made_anew();
    add_request();
    MADE_GOROUTINE(6, "chan send", "main.save() 60", "main.work() 70");
    assert_string_equal(made_held_at("main.(*T).Get"),
                        "probably held by goroutine 5 in (*T).Get (m.go:25), "
                        "select");
}

/* Without addresses the locks of a type are one of each kind: behind the line
 * of a Mutex nobody has an RWMutex. */
static void a_line_of_another_kind_says_nothing(void **state)
{
    static const char *const locks[] = {"sync.(*Mutex).Lock(...) 90",
                                        "sync.(*RWMutex).Lock(...) 152"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        made_anew();
        for (unsigned n = 2; n <= 4; n++)
            MADE_GOROUTINE(n, "semacquire",
                           "sync.runtime_SemacquireMutex(...) 77", locks[i],
                           "main.(*DB).Update(...) 20");
        MADE_GOROUTINE(5, "semacquire", "sync.runtime_SemacquireMutex(...) 77",
                       "sync.(*RWMutex).Lock(...) 152",
                       "main.(*DB).remap(...) 40", "main.(*DB).Update(...) 25");
        assert_int_equal(strncmp(made_circles(), "low\n", 4) == 0, !i);
    }
}

/* Dumps of a crash show what the compiler wrote for "go t.loop()". */
static void a_loop_is_idle_with_its_wrapper_as_well(void **state)
{
    static const char *const wrappers[] = {NULL, "main.New.func1() 5"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        made_anew();
        for (unsigned n = 2; n <= 4; n++)
            MADE_GOROUTINE(n, MADE_LOCKED, "@0xc000010000",
                           "main.(*T).Get(0xc000010000) 20");
        if (wrappers[i])
            MADE_GOROUTINE(5, "select", "main.(*T).loop(0xc000010000) 60",
                           wrappers[i], "runtime.goexit() 1",
                           "created by main.New 5");
        else
            MADE_GOROUTINE(5, "select", "main.(*T).loop(0xc000010000) 60",
                           "created by main.New 5");
        assert_string_equal(made_held_at("main.(*T).Get"),
                            "perhaps held by goroutine 5 in (*T).loop "
                            "(m.go:60), select");
    }
}

#define TEST(name)                                                             \
 cmocka_unit_test_setup_teardown(name, made_set_up, made_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_may_have_unlocked_perhaps_waits_for_itself),
        TEST(who_has_waited_for_minutes_probably_does),
        TEST(who_works_elsewhere_is_no_rival),
        TEST(who_rests_is_no_rival),
        TEST(who_sleeps_is_one),
        TEST(a_holder_with_a_rival_is_not_certain),
        TEST(a_line_of_another_kind_says_nothing),
        TEST(a_loop_is_idle_with_its_wrapper_as_well),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

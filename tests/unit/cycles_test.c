/* cycles.h: what looks like a circle of waits and is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/made_dump.h"

#include <cmocka.h>

#define ONCE "sync.(*Once).Do(0xc000010000) 65"

/* One that runs the function of a Once, by its frames, leaf first, and three
 * that wait for it to end, inside of the function of another Once. */
static void add_once(const char *state, const char *leaf)
{
    MADE_GOROUTINE(1, state, leaf, "main.(*Lazy).Init.func1() 66",
                   "sync.(*Once).doSlow(0xc000010000) 74", ONCE,
                   "main.(*Lazy).Init(0x0?) 62");
    for (unsigned i = 2; i < 5; i++)
        MADE_GOROUTINE(
            i, MADE_LOCKED, "@0xc000010008",
            "sync.(*Once).doSlow(0xc000010000) 70", ONCE,
            "main.(*Lazy).Init(0x0?) 62", "main.(*Lazy).Init.func1() 64",
            "sync.(*Once).doSlow(0xc000020000) 74",
            "sync.(*Once).Do(0xc000020000) 65", "main.(*Lazy).Init(0x0?) 62");
}

static void who_waits_inside_a_library_waits_for_no_waiter(void **state)
{
    (void)state;
    add_once("select", "net/http.(*persistConn).roundTrip() 2620");
    assert_string_equal(made_circles(), "");
}

static void who_called_the_function_was_not_started_by_it(void **state)
{
    (void)state;
    add_once("chan receive", "main.load() 12");
    assert_string_equal(made_circles(), "");
}

/* Holds a lock and receives what a goroutine sends that wants the lock. */
static void add_fetch(const char *leaf)
{
    MADE_GOROUTINE(1, "chan receive", leaf,
                   "main.(*cache).Get(0xc000010000) 31", "main.serve() 9");
    MADE_GOROUTINE(2, MADE_LOCKED, "@0xc000010000",
                   "main.(*cache).Get.func1(0xc000010000) 28");
}

static void who_was_started_by_the_holder_is_the_other_side(void **state)
{
    (void)state;
    add_fetch("main.(*cache).wait(0xc000010000) 40");
    assert_string_equal(
        made_circles(),
        "medium\ngoroutine 1 in (*cache).Get (m.go:31) holds sync.Mutex "
        "0xc000010000, waits in chan receive, whose other side is probably\n"
        "goroutine 2 in (*cache).Get.func1 (m.go:28) waits for sync.Mutex "
        "0xc000010000, held by goroutine 1\n");
    made_anew();
    add_fetch("google.golang.org/grpc.(*ClientConn).Invoke() 40");
    assert_string_equal(made_circles(), "");
    made_anew();
    add_fetch("net/http.(*persistConn).roundTrip() 40");
    assert_string_equal(made_circles(), "");
}

/* Sends under a lock to one that wants the lock, in goroutines of a type. */
static void add_push(const char *sends, const char *locks)
{
    MADE_GOROUTINE(1, sends, "main.(*Jobs).Push(0xc000010000) 41",
                   "main.serve() 9");
    MADE_GOROUTINE(2, locks, "sync.runtime_SemacquireMutex(0xc000010004) 77",
                   "sync.(*Mutex).Lock(0xc000010000) 90",
                   "main.(*Jobs).consume(0xc000010000) 45", "main.run() 12");
    for (unsigned i = 3; i < 8; i++)
        MADE_GOROUTINE(i, locks, "sync.runtime_SemacquireMutex(0x4) 77",
                       "sync.(*Mutex).Lock(0xc000010000) 90",
                       "main.(*Jobs).Push(0xc000010000) 31", "main.serve() 9");
}

static void what_stands_for_minutes_is_more_than_possible(void **state)
{
    (void)state;
    add_push("chan send", "sync.Mutex.Lock");
    assert_int_equal(strncmp(made_circles(), "low\n", 4), 0);
    made_anew();
    add_push("chan send, 6 minutes", "sync.Mutex.Lock, 5 minutes");
    assert_int_equal(strncmp(made_circles(), "medium\n", 7), 0);
    made_anew();
    add_push("chan send, 6 minutes", "sync.Mutex.Lock, 4 minutes");
    assert_int_equal(strncmp(made_circles(), "low\n", 4), 0);
}

/* Packages of one module wait for each other, those of two hosts do not. */
static void the_other_side_is_of_the_module(void **state)
{
    static const struct {
        const char *leaf;
        bool is_found;
    } rows[] = {
        {"example.com/shop/app/queue.(*Queue).Pop() 40", true},
        {"example.com/shop/app.(*cache).wait() 40", true},
        {"example.com/shop/other/queue.(*Queue).Pop() 40", false},
        {"example.com/pool/app/queue.(*Queue).Pop() 40", false},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        made_anew();
        MADE_GOROUTINE(1, "chan receive", rows[i].leaf,
                       "example.com/shop/app/store.(*cache).Get(0xc000010000) "
                       "31",
                       "main.serve() 9");
        MADE_GOROUTINE(2, MADE_LOCKED, "@0xc000010000",
                       "example.com/shop/app/store.(*cache).Get.func1("
                       "0xc000010000) 28");
        assert_int_equal(made_circles()[0] == 'm', rows[i].is_found);
    }
}

/* A function takes one lock at line 23 and another at line 26: those that wait
 * for the first have no second, the less where somebody else has its address
 * and goes on. */
static void who_waits_for_the_first_lock_has_no_second(void **state)
{
    (void)state;
    for (unsigned with = 0; with < 2; with++) {
        made_anew();
        for (unsigned i = 1; i < 4; i++)
            MADE_GOROUTINE(i, MADE_LOCKED, "@0xc000010040",
                           "main.(*Node).Append(0xc000010040) 23",
                           "main.serve() 9");
        MADE_GOROUTINE(7, MADE_LOCKED, "@0xc000010050",
                       "main.(*Node).Append(0xc000010040) 26",
                       "main.serve() 9");
        if (with)
            MADE_GOROUTINE(8, "IO wait", "net.(*conn).Write(0xc000090000) 1",
                           "main.ship(0xc000010050) 30");
        if (with)
            assert_string_equal(made_circles(), "");
        else
            assert_int_equal(strncmp(made_circles(), "low\n", 4), 0);
    }
}

/* Two branches of one function take two locks in either order: each waits for
 * what the other has, and nobody else does. */
static void branches_of_a_function_make_a_circle_in_time(void **state)
{
    static const char *const waits[] = {"sync.Mutex.Lock",
                                        "sync.Mutex.Lock, 6 minutes"};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        made_anew();
        MADE_GOROUTINE(1, waits[i],
                       "sync.runtime_SemacquireMutex(0xc000010044) 77",
                       "sync.(*Mutex).Lock(0xc000010040) 90",
                       "main.(*Pair).move(0xc000010000) 23", "main.serve() 9");
        MADE_GOROUTINE(2, waits[i],
                       "sync.runtime_SemacquireMutex(0xc000010054) 77",
                       "sync.(*Mutex).Lock(0xc000010050) 90",
                       "main.(*Pair).move(0xc000010000) 28", "main.serve() 9");
        assert_int_equal(strncmp(made_circles(), i ? "medium" : "low", 3), 0);
    }
}

/* Each may have any of the locks that are taken at the line before: that two of
 * them would close a circle says nothing. */
static void who_only_stands_behind_a_line_is_in_no_circle(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        char lock[24];
        char taken[24];

        snprintf(lock, sizeof(lock), "@0xc0000100%x0", i + 1);
        snprintf(taken, sizeof(taken), "@0xc0000200%x0", i + 1);
        MADE_GOROUTINE(10 + i, MADE_LOCKED, lock, "main.(*List).Next(...) 24",
                       "main.serve() 9");
        MADE_GOROUTINE(20 + i, MADE_LOCKED, taken, "main.(*List).Next(...) 20",
                       "main.serve() 9");
    }
    assert_string_equal(made_circles(), "");
}

#define TEST(name)                                                             \
 cmocka_unit_test_setup_teardown(name, made_set_up, made_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_waits_inside_a_library_waits_for_no_waiter),
        TEST(who_called_the_function_was_not_started_by_it),
        TEST(who_was_started_by_the_holder_is_the_other_side),
        TEST(the_other_side_is_of_the_module),
        TEST(what_stands_for_minutes_is_more_than_possible),
        TEST(who_waits_for_the_first_lock_has_no_second),
        TEST(who_only_stands_behind_a_line_is_in_no_circle),
        TEST(branches_of_a_function_make_a_circle_in_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

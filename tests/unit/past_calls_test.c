/* past_calls.h: who stands behind a call of the function that takes a place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/made_dump.h"

#include <cmocka.h>

#define NOBODY                                                                 \
 "no goroutine in the dump is behind the send: if the channel limits work, "   \
 "its places are lost; if it is a queue, whoever takes from it is busy or "    \
 "gone"
#define THEN                                                                   \
 "; they probably have a place, if that function returns with one; if not, "   \
 "all places are lost; if the channel is a queue, whoever takes from it is "   \
 "busy or gone"

/* Three that wait in a helper, called from line 20 and from line 24. */
static void add_queue(void)
{
    for (unsigned i = 1; i < 3; i++)
        MADE_GOROUTINE(i, "chan send", "shop/limit.Limit.Acquire(0x1) 6",
                       "main.(*app).store(0x1) 24", "main.(*app).handle() 40",
                       "net/http.HandlerFunc.ServeHTTP() 9");
    MADE_GOROUTINE(3, "chan send", "shop/limit.Limit.Acquire(0x1) 6",
                   "main.(*app).store(0x1) 20", "main.(*app).handle() 40",
                   "net/http.HandlerFunc.ServeHTTP() 9");
}

static void behind_the_call_they_have_a_place(void **state)
{
    (void)state;
    add_queue();
    for (unsigned i = 11; i < 13; i++)
        MADE_GOROUTINE(i, "sleep", "time.Sleep(0x1) 195",
                       "main.(*app).store(0x1) 22", "main.(*app).handle() 40",
                       "net/http.HandlerFunc.ServeHTTP() 9");
    MADE_GOROUTINE(13, "IO wait", "main.(*app).store(0x1) 18",
                   "main.(*app).handle() 40",
                   "net/http.HandlerFunc.ServeHTTP() 9");
    assert_string_equal(made_held_at("shop/limit.Limit.Acquire"),
                        "2 goroutines are behind a call of limit.Limit.Acquire"
                        ": 2 in (*app).store (m.go:22), sleep" THEN);
}

/* What the caller of the caller does says nothing: a place is mostly given back
 * where it was taken. */
static void behind_the_call_of_the_caller_is_nobody(void **state)
{
    (void)state;
    add_queue();
    MADE_GOROUTINE(11, "IO wait", "main.(*app).handle() 41",
                   "net/http.HandlerFunc.ServeHTTP() 9");
    assert_string_equal(made_held_at("shop/limit.Limit.Acquire"), NOBODY);
}

static void behind_the_send_is_better_known(void **state)
{
    (void)state;
    add_queue();
    MADE_GOROUTINE(11, "sleep", "main.(*app).store(0x1) 30",
                   "main.(*app).handle() 40");
    MADE_GOROUTINE(12, "sleep", "shop/limit.Limit.Acquire(0x1) 7",
                   "main.(*app).store(0x1) 24", "main.(*app).handle() 40");
    assert_string_equal(made_held_at("shop/limit.Limit.Acquire"),
                        "1 goroutine is behind the send: 1 in "
                        "limit.Limit.Acquire (m.go:7), sleep");
}

/* go func() { defer l.Release(); ... }(), behind the call. */
static void closures_of_the_caller_count_where_nobody_else_is(void **state)
{
    (void)state;
    add_queue();
    for (unsigned i = 11; i < 13; i++)
        MADE_GOROUTINE(i, "sleep", "main.(*app).store.func1() 26",
                       "created by main.(*app).store 25");
    assert_string_equal(
        made_held_at("shop/limit.Limit.Acquire"),
        "2 goroutines run closures of who calls limit.Limit.Acquire: 2 in "
        "(*app).store.func1 (m.go:26), sleep" THEN);
    made_anew();
    add_queue();
    MADE_GOROUTINE(11, "sleep", "main.(*app).store.func1() 26",
                   "created by main.(*app).store 25");
    MADE_GOROUTINE(13, "sleep", "main.(*app).store(0x1) 30",
                   "main.(*app).handle() 40");
    MADE_GOROUTINE(14, "sleep", "main.(*app).store(0x1) 30",
                   "main.(*app).handle() 40");
    assert_string_equal(made_held_at("shop/limit.Limit.Acquire"),
                        "2 goroutines are behind a call of limit.Limit.Acquire"
                        ": 2 in (*app).store (m.go:30), sleep" THEN);
}

/* Each has its own callers. */
static void two_limits_in_one_function(void **state)
{
    (void)state;
    add_queue();
    for (unsigned i = 5; i < 7; i++)
        MADE_GOROUTINE(i, "chan send", "shop/disk.Gate.Enter(0x1) 6",
                       "main.(*app).store(0x1) 28", "main.(*app).handle() 40",
                       "net/http.HandlerFunc.ServeHTTP() 9");
    MADE_GOROUTINE(11, "sleep", "main.(*app).store(0x1) 30",
                   "main.(*app).handle() 40");
    assert_string_equal(
        made_held_at("shop/disk.Gate.Enter"),
        "1 goroutine is behind a call of disk.Gate.Enter: 1 in (*app).store "
        "(m.go:30), sleep; it probably has a place, if that function returns "
        "with one; if not, all places are lost; if the channel is a queue, "
        "whoever takes from it is busy or gone");
    assert_string_equal(
        made_held_at("shop/limit.Limit.Acquire"),
        "3 goroutines are behind a call of limit.Limit.Acquire: 2 in "
        "(*app).store (m.go:28), chan send; 1 in (*app).store (m.go:30), "
        "sleep" THEN);
}

/* Who runs in a loop of a library may be at any place of it. */
static void libraries_are_no_callers(void **state)
{
    (void)state;
    for (unsigned i = 1; i < 4; i++)
        MADE_GOROUTINE(i, "chan send", "main.(*gate).ServeHTTP() 6",
                       "net/http.serverHandler.ServeHTTP() 20",
                       "net/http.(*conn).serve() 90");
    MADE_GOROUTINE(11, "IO wait", "net/http.serverHandler.ServeHTTP() 30",
                   "net/http.(*conn).serve() 90");
    assert_string_equal(made_held_at("main.(*gate).ServeHTTP"), NOBODY);
}

static void of_x_sync_semaphore_too(void **state)
{
    (void)state;
    for (unsigned i = 1; i < 4; i++)
        MADE_GOROUTINE(i, "select",
                       "golang.org/x/sync/semaphore.(*Weighted).Acquire() 74",
                       "main.(*app).enter() 6", "main.(*app).store(0x1) 20",
                       "main.(*app).handle() 40");
    MADE_GOROUTINE(11, "sleep", "main.(*app).store(0x1) 30",
                   "main.(*app).handle() 40");
    assert_string_equal(made_held_at("main.(*app).enter"),
                        "1 goroutine is behind a call of (*app).enter: 1 in "
                        "(*app).store (m.go:30), sleep; it probably has a "
                        "place, if that function returns with one; if not, "
                        "all places are lost");
}

#define TEST(name)                                                             \
 cmocka_unit_test_setup_teardown(name, made_set_up, made_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(behind_the_call_they_have_a_place),
        TEST(behind_the_call_of_the_caller_is_nobody),
        TEST(behind_the_send_is_better_known),
        TEST(closures_of_the_caller_count_where_nobody_else_is),
        TEST(two_limits_in_one_function),
        TEST(libraries_are_no_callers),
        TEST(of_x_sync_semaphore_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Who is no likely holder of a lock, though it has the object, or stands in its
 * functions: loops of the object, and many at one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "support/made_dump.h"

#include <cmocka.h>

static void add_waiters(unsigned first, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        MADE_GOROUTINE(first + i, MADE_LOCKED, "@0xc000010010",
                       "main.(*Link).Count(0xc000010000) 15", "main.serve() 9");
}

/* A loop that has its wait in a method of its own: it lives there. */
static void a_loop_that_reads_in_a_method_is_only_possible(void **state)
{
    (void)state;
    add_waiters(10, 3);
    MADE_GOROUTINE(5, "IO wait", "internal/poll.runtime_pollWait(0x1, 0x72) 1",
                   "internal/poll.(*FD).Read(0x1) 1", "net.(*conn).Read(0x1) 1",
                   "main.(*Link).next(0xc000010000) 23",
                   "main.(*Link).Pump(0xc000010000) 29");
    assert_int_equal(strncmp(made_held_at("main.(*Link).Count"),
                             "perhaps held by goroutine 5", 27),
                     0);
    made_anew();
    add_waiters(10, 3);
    MADE_GOROUTINE(5, "select", "main.(*Link).wait(0xc000010000) 23",
                   "main.(*Link).Run(0xc000010000) 29");
    assert_int_equal(strncmp(made_held_at("main.(*Link).Count"),
                             "perhaps held by goroutine 5", 27),
                     0);
}

/* Who sleeps in a method tries something again, or it waits for a request in
 * one: in the middle of work. */
static void work_in_a_method_is_likely(void **state)
{
    (void)state;
    add_waiters(10, 3);
    MADE_GOROUTINE(5, "sleep", "time.Sleep(0x1) 1",
                   "main.(*Link).apply(0xc000010000) 23",
                   "main.(*Link).Migrate(0xc000010000) 29");
    assert_int_equal(
        strncmp(made_held_at("main.(*Link).Count"), "held by goroutine 5", 19),
        0);
    made_anew();
    add_waiters(10, 3);
    MADE_GOROUTINE(5, "select", "net/http.(*persistConn).roundTrip(0x1) 1",
                   "net/http.(*Client).do(0x1) 1",
                   "main.(*Link).load(0xc000010000) 23",
                   "main.(*Link).Refresh(0xc000010000) 29");
    assert_int_equal(
        strncmp(made_held_at("main.(*Link).Count"), "held by goroutine 5", 19),
        0);
}

/* A closure gets the body of a loop first, and no receiver: it does not tell
 * which object its method was called for. */
static void an_iterator_may_hold_the_lock_of_its_object(void **state)
{
    (void)state;
    MADE_GOROUTINE(5, MADE_LOCKED, "@0xc000010010",
                   "main.(*Store).Delete(0xc000010000) 15",
                   "main.expire-range1(0xc000012000) 52",
                   "main.(*Store).All.func1(0xc000013f40) 23",
                   "main.expire(0xc000010000) 50");
    assert_non_null(strstr(made_held_at("main.(*Store).Delete"),
                           "goroutine 5, which waits for it itself"));
}

/* A mutex has one holder: 25 in one closure that is not behind the line. */
static void many_in_a_closure_hold_no_mutex(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++)
        MADE_GOROUTINE(10 + i, MADE_LOCKED, "@0xc000010010",
                       "main.run.func1() 15");
    for (unsigned i = 0; i < 25; i++)
        MADE_GOROUTINE(30 + i, "select", "net/http.(*Client).do(0x1) 1",
                       "main.run.func2() 23");
    assert_non_null(strstr(made_held_at("main.run.func1"), "no goroutine"));
}

#define TEST(name)                                                             \
 cmocka_unit_test_setup_teardown(name, made_set_up, made_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_loop_that_reads_in_a_method_is_only_possible),
        TEST(work_in_a_method_is_likely),
        TEST(an_iterator_may_hold_the_lock_of_its_object),
        TEST(many_in_a_closure_hold_no_mutex),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

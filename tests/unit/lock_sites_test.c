/* lock_sites.h: which frame takes a lock, or waits for a WaitGroup. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/made_dump.h"

#include <cmocka.h>

#define LOGRUS "github.com/sirupsen/logrus."

/* A method that does nothing but lock returns with the lock: it is held behind
 * the line that called it. */
static void who_calls_a_wrapper_takes_the_lock(void **state)
{
    (void)state;
    for (unsigned i = 1; i < 4; i++)
        MADE_GOROUTINE(i, MADE_LOCKED, "@0xc000010000",
                       LOGRUS "(*MutexWrap).Lock(...) 61",
                       LOGRUS "(*Entry).log(0xc000020000) 233",
                       LOGRUS "(*Entry).Info(...) 321", "main.serve() 9");
    MADE_GOROUTINE(5, "syscall, 2 minutes", "syscall.write() 924",
                   "os.(*File).Write(0xc000030000) 176",
                   LOGRUS "(*Entry).write(0xc000021000) 294",
                   LOGRUS "(*Entry).log(0xc000021000) 252",
                   LOGRUS "(*Entry).Info(...) 321", "main.serve() 9");
    assert_string_equal(made_held_at(LOGRUS "(*MutexWrap).Lock"),
                        "probably held by goroutine 5 in (*Entry).log "
                        "(m.go:252), syscall at (*Entry).write (m.go:294)");
}

/* Without an address, waiters of one wrapper wait for one lock, whoever called
 * it. */
static void a_wrapper_has_one_lock_whoever_calls_it(void **state)
{
    (void)state;
    for (unsigned i = 1; i < 7; i++)
        MADE_GOROUTINE(i, MADE_LOCKED, "sync.runtime_SemacquireMutex(...) 77",
                       "sync.(*Mutex).Lock(...) 90",
                       "example.com/keys.(*Keyed).Lock(...) 30",
                       i % 2 ? "main.(*api).get(...) 12"
                             : "main.(*jobs).put(...) 15",
                       "main.serve() 9");
    assert_int_equal(made_waiters_at("example.com/keys.(*Keyed).Lock"), 6);
}

#define BOLT "go.etcd.io/bbolt.(*DB)."

/* Four that begin an update, and one that does inside of its own. */
static void add_updates(void)
{
    for (unsigned i = 1; i < 5; i++)
        MADE_GOROUTINE(i, MADE_LOCKED, "@0xc000010000",
                       BOLT "beginRWTx(0xc000011000) 640",
                       BOLT "Begin(0x4?) 589", BOLT "Update(0x5?) 725",
                       "main.(*store).Save(0x7?) 23");
    MADE_GOROUTINE(5, MADE_LOCKED, "@0xc000010000",
                   BOLT "beginRWTx(0xc000011000) 640", BOLT "Begin(0x4?) 589",
                   BOLT "Update(0x5?) 725", "main.(*store).bump(0x7?) 17",
                   "main.(*store).Save.func1() 34", BOLT "Update(0x5?) 741",
                   "main.(*store).Save(0x7?) 23");
}

static void an_update_inside_of_an_update_waits_for_itself(void **state)
{
    (void)state;
    add_updates();
    assert_string_equal(
        made_circles(),
        "medium\ngoroutine 5 in (*DB).Update (m.go:741) holds sync.Mutex "
        "0xc000010000, waits for sync.Mutex 0xc000010000, held by goroutine "
        "5\n");
    made_anew();
    add_updates();
    MADE_GOROUTINE(6, "syscall", "main.(*store).Save.func1() 30",
                   BOLT "Update(0x5?) 741", "main.(*store).Save(0x7?) 23");
    assert_string_equal(made_circles(), "");
}

/* The library knows for whom it waits; its caller does not. */
static void a_library_waits_at_its_own_line(void **state)
{
    (void)state;
    for (unsigned i = 1; i < 4; i++)
        MADE_GOROUTINE(
            i, "sync.WaitGroup.Wait",
            "sync.runtime_SemacquireWaitGroup(0x2?) 62",
            "sync.(*WaitGroup).Wait(0x6d4820?) 139",
            "golang.org/x/sync/singleflight.(*Group).Do(0x95cb80) 90",
            "main.main.func1() 33");
    MADE_GOROUTINE(5, "IO wait", "main.load() 18",
                   "golang.org/x/sync/singleflight.(*Group).doCall(0x1?) 191",
                   "golang.org/x/sync/singleflight.(*Group).Do(0x95cb80) 104",
                   "main.main.func1() 33");
    assert_string_equal(made_held_at("main.main.func1"),
                        "they perhaps wait for 1 goroutine behind the Wait: 1 "
                        "in (*Group).Do (m.go:104), IO wait at main.load "
                        "(m.go:18)");
}

#define TEST(name)                                                             \
 cmocka_unit_test_setup_teardown(name, made_set_up, made_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_calls_a_wrapper_takes_the_lock),
        TEST(a_wrapper_has_one_lock_whoever_calls_it),
        TEST(an_update_inside_of_an_update_waits_for_itself),
        TEST(a_library_waits_at_its_own_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

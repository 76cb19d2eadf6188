/* Who probably holds a lock: dumps made by hand, and what is said of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/pointers.h"
#include "support/made_dump.h"

#include <cmocka.h>

static void add_waiters(unsigned first, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        MADE_GOROUTINE(first + i, MADE_LOCKED, "@0xc000010010",
                       "main.(*T).Get(0xc000010000) 15");
}

static void who_is_past_the_lock_beats_who_idles_on_the_object(void **state)
{
    (void)state;
    add_waiters(10, 3);
    MADE_GOROUTINE(5, "select", "main.(*T).loop(0xc000010000) 90");
    MADE_GOROUTINE(6, "sleep", "time.Sleep(0x1) 1", "main.pause() 8",
                   "main.(*T).Get(0xc000010000) 17");
    assert_string_equal(made_held_at("main.(*T).Get"),
                        "held by goroutine 6 in (*T).Get (m.go:17), sleep "
                        "at main.pause (m.go:8)");
}

/* A holder is found by where it has the lock; what it does is further in. A
 * reader whose address is perhaps left over is not as likely. */
static void a_holder_is_told_with_what_it_does(void **state)
{
    (void)state;
    add_waiters(10, 3);
    MADE_GOROUTINE(5, "IO wait", "main.read(0xc000010000?) 90");
    MADE_GOROUTINE(6, "IO wait", "net.(*conn).Read(0x1) 1", "main.fetch() 8",
                   "main.(*T).Get(0x0?) 17");
    assert_string_equal(made_held_at("main.(*T).Get"),
                        "probably held by goroutine 6 in (*T).Get (m.go:17), "
                        "IO wait at main.fetch (m.go:8), waiting for a peer to "
                        "send");
}

static void who_is_not_there_yet_holds_nothing(void **state)
{
    (void)state;
    add_waiters(10, 3);
    MADE_GOROUTINE(6, "sleep", "time.Sleep(0x1) 1", "main.pause() 8",
                   "main.(*T).Get(0x0?) 12");
    assert_non_null(strstr(made_held_at("main.(*T).Get"), "no goroutine"));
}

/* A mutex has one holder: where two of an object stand, it is given back. */
static void who_stands_in_a_crowd_holds_nothing(void **state)
{
    (void)state;
    add_waiters(10, 3);
    for (unsigned i = 0; i < 2; i++)
        MADE_GOROUTINE(20 + i, "sleep", "time.Sleep(0x1) 1", "main.pause() 8",
                       "main.(*T).Get(0xc000010000) 28");
    MADE_GOROUTINE(6, "sleep", "time.Sleep(0x1) 1",
                   "main.(*T).Get(0xc000010000) 17");
    assert_string_equal(made_held_at("main.(*T).Get"),
                        "probably held by goroutine 6 in (*T).Get (m.go:17), "
                        "sleep");
}

/* Of other objects each may have its own. */
static void a_line_where_each_has_its_own_object_is_no_crowd(void **state)
{
    (void)state;
    add_waiters(10, 3);
    MADE_GOROUTINE(6, "sleep", "time.Sleep(0x1) 1",
                   "main.(*T).Get(0xc000010000) 28");
    MADE_GOROUTINE(7, "sleep", "time.Sleep(0x1) 1",
                   "main.(*T).Get(0xc000020000) 28");
    assert_string_equal(made_held_at("main.(*T).Get"),
                        "held by goroutine 6 in (*T).Get (m.go:28), sleep");
}

static void another_object_is_ruled_out(void **state)
{
    (void)state;
    add_waiters(10, 3);
    MADE_GOROUTINE(6, "IO wait", "main.(*T).Get(0xc000020000) 17");
    assert_non_null(strstr(made_held_at("main.(*T).Get"), "no goroutine"));
}

/* The locks are of entries that the object refers to: the receiver says nothing
 * of them, and nobody is ruled out by it. */
static void locks_outside_of_the_receiver_rule_nobody_out(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++)
        MADE_GOROUTINE(10 + i, MADE_LOCKED, "@0xc000010010",
                       "main.(*bank).transfer(0xc000050000, 0x0?, 0x0?) 75");
    MADE_GOROUTINE(6, MADE_LOCKED, "@0xc000010020",
                   "main.(*bank).transfer(0xc000050000, 0x0?, 0x0?) 78");
    MADE_GOROUTINE(7, MADE_LOCKED, "@0xc000010010",
                   "main.(*bank).transfer(0xc000050000, 0x0?, 0x0?) 78");
    assert_string_equal(
        made_circles(),
        "medium\n"
        "goroutine 6 in (*bank).transfer (m.go:78) holds sync.Mutex "
        "0xc000010010, waits for sync.Mutex 0xc000010020, held by\n"
        "goroutine 7 in (*bank).transfer (m.go:78) holds sync.Mutex "
        "0xc000010020, waits for sync.Mutex 0xc000010010, held by goroutine "
        "6\n");
}

/* The receivers of waiters are not told: objects 0x20 apart bound the place of
 * the lock in its object. */
static void the_neighbour_of_the_object_is_ruled_out(void **state)
{
    (void)state;
    MADE_GOROUTINE(10, MADE_LOCKED, "@0xc000010050", "main.(*T).Get(0x0?) 15");
    MADE_GOROUTINE(11, MADE_LOCKED, "@0xc000010050", "main.(*T).Get(0x0?) 15");
    MADE_GOROUTINE(5, "chan send", "main.(*T).Put(0xc000010000) 30");
    MADE_GOROUTINE(6, "chan send", "main.(*T).Put(0xc000010020) 30");
    assert_non_null(strstr(made_held_at("main.(*T).Get"), "no goroutine"));
}

static void an_object_right_before_the_lock_is_likely(void **state)
{
    (void)state;
    MADE_GOROUTINE(10, MADE_LOCKED, "@0xc000010050", "main.(*T).Get(0x0?) 15");
    MADE_GOROUTINE(11, MADE_LOCKED, "@0xc000010050", "main.(*T).Get(0x0?) 15");
    MADE_GOROUTINE(5, "chan send", "main.(*T).Put(0xc000010020) 30");
    MADE_GOROUTINE(6, "chan send", "main.(*T).Put(0xc000010040) 30");
    assert_string_equal(
        made_held_at("main.(*T).Get"),
        "probably held by goroutine 6 in (*T).Put (m.go:30), chan send");
}

static void an_address_that_may_be_left_over_counts_less(void **state)
{
    (void)state;
    add_waiters(10, 3);
    MADE_GOROUTINE(6, "chan send", "main.(*T).Put(0xc000010000?) 30");
    assert_string_equal(
        made_held_at("main.(*T).Get"),
        "perhaps held by goroutine 6 in (*T).Put (m.go:30), chan send");
}

/* (*Cond).Wait gives the lock back. */
static void who_waits_at_a_cond_does_not_hold_its_lock(void **state)
{
    (void)state;
    add_waiters(10, 3);
    MADE_GOROUTINE(
        6, "sync.Cond.Wait", "sync.runtime_notifyListWait(0xc000010040, 0x0) 1",
        "sync.(*Cond).Wait(0xc000010030) 2", "main.(*T).Get(0xc000010000) 18");
    assert_non_null(strstr(made_held_at("main.(*T).Get"), "no goroutine"));
}

/* Everybody comes through a method that calls the one that locks. */
static void callers_of_a_method_that_locks_do_not_hold_it(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++)
        MADE_GOROUTINE(10 + i, MADE_LOCKED, "@0xc000010010",
                       "main.(*T).get(0xc000010000) 15",
                       "main.(*T).Get(0xc000010000) 40");
    assert_non_null(strstr(made_held_at("main.(*T).get"), "no goroutine"));
    assert_string_equal(made_circles(), "");
}

/* Emit calls a listener under its lock, which comes back to On. The receiver of
 * Emit is left over from something else. */
static void an_outer_call_with_a_receiver_left_over_may_hold_it(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++)
        MADE_GOROUTINE(10 + i, MADE_LOCKED, "@0xc000010010",
                       "main.(*T).Emit(0x4c7b25?) 78");
    MADE_GOROUTINE(5, MADE_LOCKED, "@0xc000010010",
                   "main.(*T).On(0xc000010000) 73", "main.listen() 195",
                   "main.(*T).Emit(0x4c7b25?) 81");
    assert_string_equal(made_circles(),
                        "medium\ngoroutine 5 in (*T).Emit (m.go:81) holds "
                        "sync.Mutex 0xc000010010, waits for sync.Mutex "
                        "0xc000010010, held by goroutine 5\n");
}

/* Of two beyond the line where Emit takes the lock, neither has it. */
static void an_outer_call_of_several_has_given_it_back(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++)
        MADE_GOROUTINE(10 + i, MADE_LOCKED, "@0xc000010010",
                       "main.(*T).Emit(0x4c7b25?) 78");
    for (unsigned i = 0; i < 2; i++)
        MADE_GOROUTINE(5 + i, MADE_LOCKED, "@0xc000010010",
                       "main.(*T).On(0xc000010000) 73", "main.listen() 195",
                       "main.(*T).Emit(0x4c7b25?) 81");
    assert_string_equal(made_circles(), "");
}

/* Every caller of a method that locks has the object at hand, and one of them
 * may be a method. */
static void a_method_that_calls_one_that_locks_perhaps_holds_it(void **state)
{
    (void)state;
    add_waiters(10, 4);
    MADE_GOROUTINE(5, MADE_LOCKED, "@0xc000010010",
                   "main.(*T).Get(0xc000010000) 15",
                   "main.(*T).statsLoop(0xc000010000) 22");
    assert_int_equal(strncmp(made_circles(), "low\n", 4), 0);
}

/* Twenty callbacks that Add has started wait to expire; who holds the lock is
 * one that does not wait for it. */
static void many_waiters_do_not_hide_who_holds_it(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++)
        MADE_GOROUTINE(10 + i, MADE_LOCKED, "@0xc000010010",
                       "main.(*T).expire(0x7cad10?) 25",
                       "main.(*T).Add.func1() 33");
    for (unsigned i = 0; i < 21; i++)
        MADE_GOROUTINE(40 + i, MADE_LOCKED, "@0xc000010010",
                       "main.(*T).Get(0x7cad10?) 30", "main.serve() 90");
    MADE_GOROUTINE(5, "chan receive", "main.(*T).Snapshot(0x10?) 41",
                   "main.serve() 91");
    assert_string_equal(made_held_at("main.(*T).Get"),
                        "perhaps held by goroutine 5 in (*T).Snapshot "
                        "(m.go:41), chan receive");
    assert_string_equal(made_circles(), "");
}

/* Emit has given the lock back before it calls listeners; Save has it. */
static void who_works_comes_before_an_outer_call(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++)
        MADE_GOROUTINE(10 + i, MADE_LOCKED, "@0xc000010010",
                       "main.(*T).Emit(0x4c7b25?) 78");
    MADE_GOROUTINE(5, MADE_LOCKED, "@0xc000010010",
                   "main.(*T).Off(0xc000010000) 73", "main.listen() 195",
                   "main.(*T).Emit(0x4c7b25?) 81");
    MADE_GOROUTINE(6, "sleep", "time.Sleep(0x1) 1", "main.write() 8",
                   "main.(*T).Save(0x5f5e100?) 90", "main.main() 9");
    assert_string_equal(made_held_at("main.(*T).Emit"),
                        "perhaps held by goroutine 6 in (*T).Save (m.go:90), "
                        "sleep at main.write (m.go:8)");
    assert_string_equal(made_circles(), "");
}

/* A tree locks itself, and then its branches. */
static void a_function_that_calls_itself_does_so_for_another_object(
    void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++)
        MADE_GOROUTINE(10 + i, MADE_LOCKED, "@0xc000010010",
                       "main.(*T).Add(...) 15", "main.serve() 9");
    MADE_GOROUTINE(5, MADE_LOCKED, "@0xc000010010", "main.(*T).Add(...) 15",
                   "main.(*T).Add(0x4c7b25?) 17");
    assert_string_equal(made_circles(), "");
}

static void a_loop_that_sleeps_between_rounds_perhaps_holds_it(void **state)
{
    (void)state;
    add_waiters(10, 4);
    MADE_GOROUTINE(5, "sleep", "time.Sleep(0x1) 1",
                   "main.(*T).expire(0xc000010000) 24");
    assert_string_equal(made_held_at("main.(*T).Get"),
                        "perhaps held by goroutine 5 in (*T).expire (m.go:24), "
                        "sleep");
}

/* Each waits for one of two locks, with arguments that may be of another. */
static void add_transfers(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        MADE_GOROUTINE(
            10 + i, MADE_LOCKED, i % 2 ? "@0xc000010010" : "@0xc000020010",
            "main.transfer(0xc000030000, 0xc000040000) 15", "main.serve() 9");
}

static void of_more_than_were_kept_any_may_hold_it(void **state)
{
    (void)state;
    add_transfers(POINTERS_GROUP);
    assert_non_null(
        strstr(made_held_at("main.transfer"), "no goroutine in the dump"));
    made_anew();
    add_transfers(POINTERS_GROUP + 1);
    assert_string_equal(made_held_at("main.transfer"),
                        "not every goroutine could be looked at, and of those "
                        "that could none is known to hold it");
}

static void writers_of_a_descriptor_wait_for_the_one_that_writes(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++)
        MADE_GOROUTINE(
            10 + i, "semacquire",
            "internal/poll.runtime_Semacquire(0xc000010090?) 61",
            "internal/poll.(*fdMutex).rwlock(0xc000010060, 0x0) 154",
            "internal/poll.(*FD).writeLock(...) 239",
            "internal/poll.(*FD).Write(0xc000010060, {0x1, 0x2}) 260",
            "os.(*File).Write(0xc000012000, {0x1, 0x2}) 7", "main.print() 3");
    MADE_GOROUTINE(6, "IO wait", "internal/poll.runtime_pollWait(0x7f, 0x77) 1",
                   "internal/poll.(*FD).Write(0xc000010060, {0x1, 0x2}) 300",
                   "os.(*File).Write(0xc000012000, {0x1, 0x2}) 7",
                   "main.print() 3");
    assert_string_equal(
        made_held_at("main.print"),
        "held by goroutine 6 in (*FD).Write (m.go:300), IO wait");
}

/* Locks that are variables of the package, in plain functions. */
static void add_plain_inversion(void)
{
    MADE_GOROUTINE(1, "sleep", "time.Sleep(0x1) 1", "main.main() 40");
    MADE_GOROUTINE(7, MADE_LOCKED, "@0x5a10", "main.f() 12");
    MADE_GOROUTINE(8, MADE_LOCKED, "@0x5a08", "main.g() 22");
}

static void two_that_are_left_over_hold_each_others_lock(void **state)
{
    (void)state;
    add_plain_inversion();
    assert_string_equal(
        made_circles(),
        "low\n"
        "goroutine 7 in main.f (m.go:12) perhaps holds sync.Mutex 0x5a08, "
        "waits for sync.Mutex 0x5a10, held by\n"
        "goroutine 8 in main.g (m.go:22) perhaps holds sync.Mutex 0x5a10, "
        "waits for sync.Mutex 0x5a08, held by goroutine 7\n");
}

static void one_more_candidate_and_nothing_is_said(void **state)
{
    (void)state;
    add_plain_inversion();
    MADE_GOROUTINE(9, MADE_LOCKED, "@0x5a00", "main.h() 32");
    assert_string_equal(made_circles(), "");
}

/* A lock of the package: of the others in the file one stopped in the middle of
 * something, and one waits for work. */
static void who_does_not_idle_in_the_file_perhaps_holds_it(void **state)
{
    (void)state;
    MADE_GOROUTINE(1, MADE_LOCKED, "@0x5d1a20", "main.waiter() 40");
    MADE_GOROUTINE(2, MADE_LOCKED, "@0x5d1a20", "main.waiter() 40");
    MADE_GOROUTINE(3, "sleep", "time.Sleep(0x1) 1", "main.slow() 20");
    MADE_GOROUTINE(4, "select", "main.serve() 30");
    assert_string_equal(made_held_at("main.waiter"),
                        "perhaps held by goroutine 3 in main.slow (m.go:20), "
                        "sleep");
}

static void a_loop_that_accepts_connections_holds_nothing(void **state)
{
    (void)state;
    MADE_GOROUTINE(1, MADE_LOCKED, "@0x5d1a20", "main.waiter() 40");
    MADE_GOROUTINE(2, MADE_LOCKED, "@0x5d1a20", "main.waiter() 40");
    MADE_GOROUTINE(3, "IO wait", "internal/poll.runtime_pollWait(0x7f, 0x72) 1",
                   "internal/poll.(*FD).Accept(0xc000010000) 620",
                   "net.(*TCPListener).Accept(0xc000010000) 380",
                   "main.serve() 30");
    assert_non_null(strstr(made_held_at("main.waiter"), "no goroutine "));
}

/* The receiver has the address of the lock that stands first in it. Who reads
 * in the function it was started with may do so for its whole life; who calls
 * such a method is in the middle of it. */
static void a_loop_that_reads_is_a_doubtful_holder(void **state)
{
    (void)state;
    MADE_GOROUTINE(1, MADE_LOCKED, "@0xc000010000",
                   "main.(*T).call(0xc000010000) 40");
    MADE_GOROUTINE(2, MADE_LOCKED, "@0xc000010000",
                   "main.(*T).call(0xc000010000) 40");
    MADE_GOROUTINE(3, "IO wait", "internal/poll.(*FD).Read(0xc000050000) 165",
                   "net.(*conn).Read(0xc000050000) 189",
                   "main.(*T).readLoop(0xc000010000) 30");
    assert_non_null(
        strstr(made_held_at("main.(*T).call"), "perhaps held by goroutine 3 "));
    made_anew();
    MADE_GOROUTINE(1, MADE_LOCKED, "@0xc000010000",
                   "main.(*T).call(0xc000010000) 40");
    MADE_GOROUTINE(2, MADE_LOCKED, "@0xc000010000",
                   "main.(*T).call(0xc000010000) 40");
    MADE_GOROUTINE(3, "IO wait", "internal/poll.(*FD).Read(0xc000050000) 165",
                   "net.(*conn).Read(0xc000050000) 189",
                   "main.(*T).roundTrip(0xc000010000) 30", "main.handle() 12");
    assert_int_equal(
        strncmp(made_held_at("main.(*T).call"), "held by goroutine 3 ", 20), 0);
}

static void of_two_that_do_not_idle_in_the_file_none_is_named(void **state)
{
    (void)state;
    MADE_GOROUTINE(1, MADE_LOCKED, "@0x5d1a20", "main.waiter() 40");
    MADE_GOROUTINE(2, MADE_LOCKED, "@0x5d1a20", "main.waiter() 40");
    MADE_GOROUTINE(3, "sleep", "time.Sleep(0x1) 1", "main.slow() 20");
    MADE_GOROUTINE(4, "chan send", "main.publish() 30");
    assert_non_null(strstr(made_held_at("main.waiter"), "no goroutine "));
}

/* One of eight goroutines: four wait in two methods, four send in two. */
static void add_one_of_eight(unsigned i)
{
    static const char *const frames[] = {
        "main.(*T).Len(0xc000010000) 25", "main.(*T).Get(0xc000010000) 15",
        "main.(*T).Pop(0x0?) 45", "main.(*T).Put(0x0?) 35"};

    if (i < 4)
        MADE_GOROUTINE(10 + i, MADE_LOCKED, "@0xc000010010", frames[i % 2]);
    else
        MADE_GOROUTINE(10 + i, "chan send", frames[2 + i % 2]);
}

/* The order of goroutines must not matter. */
static void the_order_of_goroutines_changes_nothing(void **state)
{
    char *first;

    (void)state;
    for (unsigned i = 0; i < 8; i++)
        add_one_of_eight(i);
    first = strdup(made_held_at("main.(*T).Get"));
    made_anew();
    for (unsigned i = 8; i-- > 0;)
        add_one_of_eight(i);
    assert_string_equal(made_held_at("main.(*T).Get"), first);
    free(first);
}

/* Libraries whose connections are known by the functions that run with one. */
static void connections_of_a_pool_are_held_by_who_runs_with_one(void **state)
{
    static const struct {
        const char *waits[4];
        const char *holds[4];
        const char *site;
        const char *says;
    } pools[] = {
        {{"database/sql.(*DB).conn(0x1) 1", "main.load(0x1) 7"},
         {"database/sql.(*DB).queryDC(0x1) 2", "main.report(0x1) 9"},
         "main.load",
         "1 goroutine has a database/sql connection: 1 in (*DB).queryDC"},
        {{"net/http.(*Transport).getConn(0x1) 1", "main.call(0x1) 7"},
         {"net/http.(*persistConn).roundTrip(0x1) 2", "main.sync(0x1) 9"},
         "main.call",
         "1 goroutine has an HTTP connection: 1 in "
         "(*persistConn).roundTrip"},
        {{"net/http.(*Transport).getConn(0x1) 1", "main.call(0x1) 7"},
         {"net.(*Resolver).lookupIPAddr(0x1) 2",
          "net/http.(*Transport).dialConnFor(0x1) 3"},
         "main.call",
         "1 goroutine dials and has no HTTP connection yet: 1 in a name "
         "lookup"},
        {{"golang.org/x/sync/errgroup.(*Group).Go(0x1) 4", "main.visit(0x1) 7",
          "golang.org/x/sync/errgroup.(*Group).Go.func1(0x1) 5"},
         {"main.other(0x1) 9"},
         "main.visit",
         "2 of those that wait run as members of a group"},
        {{"github.com/redis/go-redis/v9/internal/pool.(*ConnPool).waitTurn(0x1)"
          " 1",
          "main.get(0x1) 7"},
         {"github.com/redis/go-redis/v9.(*baseClient)._process.func1(0x1) 2",
          "main.scan(0x1) 9"},
         "github.com/redis/go-redis/v9/internal/pool.(*ConnPool).waitTurn",
         "(*baseClient)._process.func1"},
        {{"github.com/gomodule/redigo/redis.(*Pool).waitVacantConn(0x1) 1",
          "main.get(0x1) 7"},
         {"github.com/gomodule/redigo/redis.(*activeConn).Do(0x1) 2",
          "main.scan(0x1) 9"},
         "github.com/gomodule/redigo/redis.(*Pool).waitVacantConn",
         "(*activeConn).Do"},
        {{"golang.org/x/sync/semaphore.(*Weighted).Acquire(0x1) 3",
          "github.com/jackc/puddle/v2.(*Pool[...]).acquire(0x1) 1",
          "main.get(0x1) 7"},
         {"github.com/jackc/pgx/v5/pgxpool.(*Conn).Query(0x1) 2",
          "main.scan(0x1) 9"},
         "github.com/jackc/puddle/v2.(*Pool[...]).acquire",
         "(*Conn).Query"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(pools) / sizeof(pools[0]); i++) {
        made_add(1, "select", pools[i].waits);
        made_add(2, "select", pools[i].waits);
        made_add(3, "IO wait", pools[i].holds);
        if (!strstr(made_held_at(pools[i].site), pools[i].says))
            fail_msg("%s: %s", pools[i].site, made_held_at(pools[i].site));
        made_anew();
    }
}

#define TAKE                                                                   \
 "database/sql.(*DB).conn(0x1) 1", "database/sql.(*DB).QueryContext(0x1) 2"

/* Behind a query whose rows are open, and in the queue for another. */
static void a_waiter_may_have_a_connection_already(void **state)
{
    (void)state;
    MADE_GOROUTINE(1, "select", TAKE, "main.list(0x1) 66", "main.serve(0x1) 9");
    MADE_GOROUTINE(2, "select", TAKE, "main.list(0x1) 66", "main.serve(0x1) 9");
    MADE_GOROUTINE(3, "select", TAKE, "main.items(0x1) 84",
                   "main.list(0x1) 76");
    assert_string_equal(
        made_held_at("main.list"),
        "perhaps 1 of those that wait has one already and wants a second: in "
        "main.list (m.go:76) it is behind the line where others wait for their "
        "first; when all who have one do so, that is a deadlock");
}

static void a_waiter_may_have_one_beside_others(void **state)
{
    (void)state;
    MADE_GOROUTINE(1, "select", TAKE, "main.list(0x1) 66");
    MADE_GOROUTINE(2, "select", TAKE, "main.list(0x1) 70");
    MADE_GOROUTINE(3, "select", TAKE, "main.list(0x1) 70");
    MADE_GOROUTINE(4, "select", "database/sql.(*Rows).awaitDone(0x1) 5");
    assert_string_equal(
        made_held_at("main.list"),
        "1 goroutine has a database/sql connection: 1 in (*Rows).awaitDone "
        "(m.go:5), select; perhaps 2 of those that wait have one already and "
        "want a second: in main.list (m.go:70) they are behind the line where "
        "others wait for their first; when all who have one do so, that is a "
        "deadlock");
}

/* A statement gives its connection back, and what calls it before the first
 * line has none yet. */
static void a_waiter_has_none_where_it_is_given_back(void **state)
{
    (void)state;
    MADE_GOROUTINE(1, "select", "database/sql.(*DB).conn(0x1) 1",
                   "database/sql.(*DB).ExecContext(0x1) 2", "main.add(0x1) 66");
    MADE_GOROUTINE(2, "select", TAKE, "main.items(0x1) 84", "main.add(0x1) 76");
    MADE_GOROUTINE(3, "select", TAKE, "main.list(0x1) 20");
    MADE_GOROUTINE(4, "select", TAKE, "main.items(0x1) 84",
                   "main.list(0x1) 12");
    if (strstr(made_held_at("main.list"), "perhaps"))
        fail_msg("%s", made_held_at("main.list"));
}

static void nobody_holds_what_is_no_lock(void **state)
{
    (void)state;
    MADE_GOROUTINE(5, "select", "main.(*T).loop(0xc000010000) 90");
    assert_string_equal(made_held_at("main.(*T).loop"), "nothing is held");
    assert_string_equal(made_held_by_unknown(), "who holds it is not known");
}

#define TEST(name)                                                             \
 cmocka_unit_test_setup_teardown(name, made_set_up, made_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_is_past_the_lock_beats_who_idles_on_the_object),
        TEST(a_holder_is_told_with_what_it_does),
        TEST(who_is_not_there_yet_holds_nothing),
        TEST(who_stands_in_a_crowd_holds_nothing),
        TEST(a_line_where_each_has_its_own_object_is_no_crowd),
        TEST(another_object_is_ruled_out),
        TEST(locks_outside_of_the_receiver_rule_nobody_out),
        TEST(the_neighbour_of_the_object_is_ruled_out),
        TEST(an_object_right_before_the_lock_is_likely),
        TEST(an_address_that_may_be_left_over_counts_less),
        TEST(who_waits_at_a_cond_does_not_hold_its_lock),
        TEST(callers_of_a_method_that_locks_do_not_hold_it),
        TEST(an_outer_call_with_a_receiver_left_over_may_hold_it),
        TEST(an_outer_call_of_several_has_given_it_back),
        TEST(many_waiters_do_not_hide_who_holds_it),
        TEST(a_method_that_calls_one_that_locks_perhaps_holds_it),
        TEST(who_works_comes_before_an_outer_call),
        TEST(a_function_that_calls_itself_does_so_for_another_object),
        TEST(a_loop_that_sleeps_between_rounds_perhaps_holds_it),
        TEST(of_more_than_were_kept_any_may_hold_it),
        TEST(writers_of_a_descriptor_wait_for_the_one_that_writes),
        TEST(two_that_are_left_over_hold_each_others_lock),
        TEST(one_more_candidate_and_nothing_is_said),
        TEST(who_does_not_idle_in_the_file_perhaps_holds_it),
        TEST(a_loop_that_accepts_connections_holds_nothing),
        TEST(a_loop_that_reads_is_a_doubtful_holder),
        TEST(of_two_that_do_not_idle_in_the_file_none_is_named),
        TEST(the_order_of_goroutines_changes_nothing),
        TEST(connections_of_a_pool_are_held_by_who_runs_with_one),
        TEST(a_waiter_may_have_a_connection_already),
        TEST(a_waiter_may_have_one_beside_others),
        TEST(a_waiter_has_none_where_it_is_given_back),
        TEST(nobody_holds_what_is_no_lock),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Who probably holds a lock: dumps made by hand, and what is said of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "rules/held.h"
#include "support/reading.h"

#include <cmocka.h>

static struct reading reading;
static struct analysis *analysis;
static struct buf dump;
static struct buf words;

static int set_up(void **state)
{
    (void)state;
    reading_init(&reading);
    analysis = NULL;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    analysis_free(analysis);
    reading_done(&reading);
    buf_done(&dump);
    buf_done(&words);
    return 0;
}

/* The frames of a goroutine that waits for the Mutex at an address. */
static void add_mutex(const char *address)
{
    buf_addf(&dump,
             "sync.runtime_SemacquireMutex(0x0?, 0x0?, 0x0?)\n"
             "\t/go/sema.go:77 +0x25\n"
             "sync.(*Mutex).lockSlow(%s)\n\t/go/mutex.go:171 +0x15d\n"
             "sync.(*Mutex).Lock(...)\n\t/go/mutex.go:90\n",
             address);
}

/* Adds a goroutine: its frames are calls with a line of /m.go, as
 * "main.(*T).Get(0x1) 15", leaf first, or "@" and the address of a Mutex that
 * it waits for; NULL ends them. */
static void add_frames(unsigned id, const char *state,
                       const char *const *frames)
{
    buf_addf(&dump, "goroutine %u [%s]:\n", id, state);
    for (; *frames; frames++) {
        size_t blank = str_rfind(str_from(*frames), ' ');

        if (**frames == '@')
            add_mutex(*frames + 1);
        else
            buf_addf(&dump, "%.*s\n\t/m.go:%s +0x1\n", (int)blank, *frames,
                     *frames + blank + 1);
    }
    buf_add(&dump, STR("\n"));
}

#define GOROUTINE(id, state, ...)                                              \
 add_frames(id, state, (const char *const[]){__VA_ARGS__, NULL})

#define LOCKED "sync.Mutex.Lock"

/* Reads the dump and analyses it. */
static void analyse(void)
{
    assert_int_equal(reading_add(&reading, dump.ptr), 0);
    assert_int_equal(analysis_new(&analysis, reading.snapshots, NULL), 0);
}

/* What is said of the lock that the group with that site waits for. */
static const char *held_at(const char *site)
{
    const struct symbols *symbols = reading.snapshots->symbols;

    if (!analysis)
        analyse();
    buf_clear(&words);
    for (size_t i = 0; i < analysis_n_groups(analysis); i++) {
        const struct joined_group *group = analysis_group(analysis, i);
        struct stack stack = symbols_stack(symbols, group->stack);

        if (!joined_extra(group)->holding ||
            !str_equal(symbols_function(symbols, stack.frames[group->site]),
                       str_from(site)))
            continue;
        held_add(&words, symbols, joined_extra(group)->holding);
        return words.ptr;
    }
    return "nothing is held";
}

/* All circles, a step a line. */
static const char *circles(void)
{
    const struct wait_cycle *cycles;
    size_t n = 0;

    if (!analysis)
        analyse();
    cycles = analysis_cycles(analysis, &n);
    buf_clear(&words);
    buf_add(&words, STR(""));
    for (size_t i = 0; i < n; i++) {
        buf_addf(&words, "%s\n", certainty_text(cycles[i].certainty));
        for (size_t k = 0; k < cycles[i].n_links; k++) {
            held_add_link(&words, reading.snapshots->symbols, &cycles[i], k);
            buf_add_char(&words, '\n');
        }
    }
    return words.ptr ? words.ptr : "";
}

static void add_waiters(unsigned first, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        GOROUTINE(first + i, LOCKED, "@0xc000010010",
                  "main.(*T).Get(0xc000010000) 15");
}

static void who_is_past_the_lock_beats_who_idles_on_the_object(void **state)
{
    (void)state;
    add_waiters(10, 3);
    GOROUTINE(5, "select", "main.(*T).loop(0xc000010000) 90");
    GOROUTINE(6, "sleep", "time.Sleep(0x1) 1", "main.pause() 8",
              "main.(*T).Get(0xc000010000) 17");
    assert_string_equal(held_at("main.(*T).Get"),
                        "held by goroutine 6 in (*T).Get (m.go:17), sleep");
}

static void who_is_not_there_yet_holds_nothing(void **state)
{
    (void)state;
    add_waiters(10, 3);
    GOROUTINE(6, "sleep", "time.Sleep(0x1) 1", "main.pause() 8",
              "main.(*T).Get(0x0?) 12");
    assert_non_null(strstr(held_at("main.(*T).Get"), "no goroutine"));
}

static void another_object_is_ruled_out(void **state)
{
    (void)state;
    add_waiters(10, 3);
    GOROUTINE(6, "IO wait", "main.(*T).Get(0xc000020000) 17");
    assert_non_null(strstr(held_at("main.(*T).Get"), "no goroutine"));
}

/* The locks are of entries that the object refers to: the receiver says nothing
 * of them, and nobody is ruled out by it. */
static void locks_outside_of_the_receiver_rule_nobody_out(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++)
        GOROUTINE(10 + i, LOCKED, "@0xc000010010",
                  "main.(*bank).transfer(0xc000050000, 0x0?, 0x0?) 75");
    GOROUTINE(6, LOCKED, "@0xc000010020",
              "main.(*bank).transfer(0xc000050000, 0x0?, 0x0?) 78");
    GOROUTINE(7, LOCKED, "@0xc000010010",
              "main.(*bank).transfer(0xc000050000, 0x0?, 0x0?) 78");
    assert_string_equal(
        circles(),
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
    GOROUTINE(10, LOCKED, "@0xc000010050", "main.(*T).Get(0x0?) 15");
    GOROUTINE(11, LOCKED, "@0xc000010050", "main.(*T).Get(0x0?) 15");
    GOROUTINE(5, "chan send", "main.(*T).Put(0xc000010000) 30");
    GOROUTINE(6, "chan send", "main.(*T).Put(0xc000010020) 30");
    assert_non_null(strstr(held_at("main.(*T).Get"), "no goroutine"));
}

static void an_object_right_before_the_lock_is_likely(void **state)
{
    (void)state;
    GOROUTINE(10, LOCKED, "@0xc000010050", "main.(*T).Get(0x0?) 15");
    GOROUTINE(11, LOCKED, "@0xc000010050", "main.(*T).Get(0x0?) 15");
    GOROUTINE(5, "chan send", "main.(*T).Put(0xc000010020) 30");
    GOROUTINE(6, "chan send", "main.(*T).Put(0xc000010040) 30");
    assert_string_equal(
        held_at("main.(*T).Get"),
        "probably held by goroutine 6 in (*T).Put (m.go:30), chan send");
}

static void an_address_that_may_be_left_over_counts_less(void **state)
{
    (void)state;
    add_waiters(10, 3);
    GOROUTINE(6, "chan send", "main.(*T).Put(0xc000010000?) 30");
    assert_string_equal(
        held_at("main.(*T).Get"),
        "perhaps held by goroutine 6 in (*T).Put (m.go:30), chan send");
}

/* (*Cond).Wait gives the lock back. */
static void who_waits_at_a_cond_does_not_hold_its_lock(void **state)
{
    (void)state;
    add_waiters(10, 3);
    GOROUTINE(
        6, "sync.Cond.Wait", "sync.runtime_notifyListWait(0xc000010040, 0x0) 1",
        "sync.(*Cond).Wait(0xc000010030) 2", "main.(*T).Get(0xc000010000) 18");
    assert_non_null(strstr(held_at("main.(*T).Get"), "no goroutine"));
}

/* Everybody comes through a method that calls the one that locks. */
static void callers_of_a_method_that_locks_do_not_hold_it(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++)
        GOROUTINE(10 + i, LOCKED, "@0xc000010010",
                  "main.(*T).get(0xc000010000) 15",
                  "main.(*T).Get(0xc000010000) 40");
    assert_non_null(strstr(held_at("main.(*T).get"), "no goroutine"));
    assert_string_equal(circles(), "");
}

/* Emit calls a listener under its lock, which comes back to On. The receiver of
 * Emit is left over from something else. */
static void an_outer_call_with_a_receiver_left_over_may_hold_it(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++)
        GOROUTINE(10 + i, LOCKED, "@0xc000010010",
                  "main.(*T).Emit(0x4c7b25?) 78");
    GOROUTINE(5, LOCKED, "@0xc000010010", "main.(*T).On(0xc000010000) 73",
              "main.listen() 195", "main.(*T).Emit(0x4c7b25?) 81");
    assert_string_equal(circles(),
                        "medium\ngoroutine 5 in (*T).Emit (m.go:81) holds "
                        "sync.Mutex 0xc000010010, waits for sync.Mutex "
                        "0xc000010010, held by goroutine 5\n");
}

/* Of two beyond the line where Emit takes the lock, neither has it. */
static void an_outer_call_of_several_has_given_it_back(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++)
        GOROUTINE(10 + i, LOCKED, "@0xc000010010",
                  "main.(*T).Emit(0x4c7b25?) 78");
    for (unsigned i = 0; i < 2; i++)
        GOROUTINE(5 + i, LOCKED, "@0xc000010010",
                  "main.(*T).On(0xc000010000) 73", "main.listen() 195",
                  "main.(*T).Emit(0x4c7b25?) 81");
    assert_string_equal(circles(), "");
}

/* Twenty callbacks that Add has started wait to expire; who holds the lock is
 * one that does not wait for it. */
static void many_waiters_do_not_hide_who_holds_it(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++)
        GOROUTINE(10 + i, LOCKED, "@0xc000010010",
                  "main.(*T).expire(0x7cad10?) 25", "main.(*T).Add.func1() 33");
    for (unsigned i = 0; i < 21; i++)
        GOROUTINE(40 + i, LOCKED, "@0xc000010010",
                  "main.(*T).Get(0x7cad10?) 30", "main.serve() 90");
    GOROUTINE(5, "chan receive", "main.(*T).Snapshot(0x10?) 41",
              "main.serve() 91");
    assert_string_equal(held_at("main.(*T).Get"),
                        "perhaps held by goroutine 5 in (*T).Snapshot "
                        "(m.go:41), chan receive");
    assert_string_equal(circles(), "");
}

static void writers_of_a_descriptor_wait_for_the_one_that_writes(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++)
        GOROUTINE(10 + i, "semacquire",
                  "internal/poll.runtime_Semacquire(0xc000010090?) 61",
                  "internal/poll.(*fdMutex).rwlock(0xc000010060, 0x0) 154",
                  "internal/poll.(*FD).writeLock(...) 239",
                  "internal/poll.(*FD).Write(0xc000010060, {0x1, 0x2}) 260",
                  "os.(*File).Write(0xc000012000, {0x1, 0x2}) 7",
                  "main.print() 3");
    GOROUTINE(6, "IO wait", "internal/poll.runtime_pollWait(0x7f, 0x77) 1",
              "internal/poll.(*FD).Write(0xc000010060, {0x1, 0x2}) 300",
              "os.(*File).Write(0xc000012000, {0x1, 0x2}) 7", "main.print() 3");
    assert_string_equal(
        held_at("main.print"),
        "held by goroutine 6 in (*FD).Write (m.go:300), IO wait");
}

/* Locks that are variables of the package, in plain functions. */
static void add_plain_inversion(void)
{
    GOROUTINE(1, "sleep", "time.Sleep(0x1) 1", "main.main() 40");
    GOROUTINE(7, LOCKED, "@0x5a10", "main.f() 12");
    GOROUTINE(8, LOCKED, "@0x5a08", "main.g() 22");
}

static void two_that_are_left_over_hold_each_others_lock(void **state)
{
    (void)state;
    add_plain_inversion();
    assert_string_equal(
        circles(),
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
    GOROUTINE(9, LOCKED, "@0x5a00", "main.h() 32");
    assert_string_equal(circles(), "");
}

/* One of eight goroutines: four wait in two methods, four send in two. */
/* A lock of the package: of the others in the file one stopped in the middle of
 * something, and one waits for work. */
static void who_does_not_idle_in_the_file_perhaps_holds_it(void **state)
{
    (void)state;
    GOROUTINE(1, LOCKED, "@0x5d1a20", "main.waiter() 40");
    GOROUTINE(2, LOCKED, "@0x5d1a20", "main.waiter() 40");
    GOROUTINE(3, "sleep", "time.Sleep(0x1) 1", "main.slow() 20");
    GOROUTINE(4, "select", "main.serve() 30");
    assert_string_equal(held_at("main.waiter"),
                        "perhaps held by goroutine 3 in main.slow (m.go:20), "
                        "sleep");
}

static void a_loop_that_accepts_connections_holds_nothing(void **state)
{
    (void)state;
    GOROUTINE(1, LOCKED, "@0x5d1a20", "main.waiter() 40");
    GOROUTINE(2, LOCKED, "@0x5d1a20", "main.waiter() 40");
    GOROUTINE(3, "IO wait", "internal/poll.runtime_pollWait(0x7f, 0x72) 1",
              "internal/poll.(*FD).Accept(0xc000010000) 620",
              "net.(*TCPListener).Accept(0xc000010000) 380", "main.serve() 30");
    assert_non_null(strstr(held_at("main.waiter"), "no goroutine "));
}

static void of_two_that_do_not_idle_in_the_file_none_is_named(void **state)
{
    (void)state;
    GOROUTINE(1, LOCKED, "@0x5d1a20", "main.waiter() 40");
    GOROUTINE(2, LOCKED, "@0x5d1a20", "main.waiter() 40");
    GOROUTINE(3, "sleep", "time.Sleep(0x1) 1", "main.slow() 20");
    GOROUTINE(4, "chan send", "main.publish() 30");
    assert_non_null(strstr(held_at("main.waiter"), "no goroutine "));
}

static void add_one_of_eight(unsigned i)
{
    static const char *const frames[] = {
        "main.(*T).Len(0xc000010000) 25", "main.(*T).Get(0xc000010000) 15",
        "main.(*T).Pop(0x0?) 45", "main.(*T).Put(0x0?) 35"};

    if (i < 4)
        GOROUTINE(10 + i, LOCKED, "@0xc000010010", frames[i % 2]);
    else
        GOROUTINE(10 + i, "chan send", frames[2 + i % 2]);
}

/* The order of goroutines must not matter. */
static void the_order_of_goroutines_changes_nothing(void **state)
{
    char *first;

    (void)state;
    for (unsigned i = 0; i < 8; i++)
        add_one_of_eight(i);
    first = strdup(held_at("main.(*T).Get"));
    analysis_free(analysis);
    analysis = NULL;
    reading_done(&reading);
    reading_init(&reading);
    buf_clear(&dump);
    for (unsigned i = 8; i-- > 0;)
        add_one_of_eight(i);
    assert_string_equal(held_at("main.(*T).Get"), first);
    free(first);
}

/* Two stacks that differ only in what the place has called. */
static void holders_in_one_place_are_added_up(void **state)
{
    (void)state;
    GOROUTINE(1, "sync.WaitGroup.Wait",
              "sync.runtime_SemacquireWaitGroup(0xc000010008) 110",
              "sync.(*WaitGroup).Wait(0xc000010000) 118", "main.run() 20");
    GOROUTINE(5, "chan send", "main.put() 30", "main.run.func1() 17");
    GOROUTINE(6, "chan send", "main.put() 31", "main.run.func1() 17");
    assert_string_equal(held_at("main.run"),
                        "it waits for 2 goroutines: 2 in main.run.func1 "
                        "(m.go:17), chan send");
}

/* Three callers that wait for the one who fetches, and that one. */
static void add_single_flight(const char *state, const char *behind)
{
    for (unsigned i = 1; i <= 3; i++)
        GOROUTINE(i, "sync.WaitGroup.Wait, 11 minutes",
                  "sync.runtime_SemacquireWaitGroup(0xc000090008) 110",
                  "sync.(*WaitGroup).Wait(0x6a0000?) 118",
                  "main.(*Group).Do(0xc000010000, 0x1) 31", "main.serve() 9");
    GOROUTINE(5, state, "main.fetch() 50", behind, "main.serve() 9");
}

static void who_is_behind_the_wait_owes_others_a_done(void **state)
{
    (void)state;
    add_single_flight("IO wait, 12 minutes",
                      "main.(*Group).Do(0xc000010000, 0x1) 38");
    assert_string_equal(held_at("main.(*Group).Do"),
                        "it probably waits for 1 goroutine behind the Wait: 1 "
                        "in (*Group).Do (m.go:38), IO wait");
}

static void who_may_have_waited_itself_owes_nothing(void **state)
{
    static const struct {
        const char *state;
        const char *behind;
    } cases[] = {
        /* It has stood there for less long than the others wait. */
        {"IO wait, 10 minutes", "main.(*Group).Do(0xc000010000, 0x1) 38"},
        {"IO wait", "main.(*Group).Do(0xc000010000, 0x1) 38"},
        /* Another object, or not known which. */
        {"IO wait, 12 minutes", "main.(*Group).Do(0xc000020000, 0x1) 38"},
        {"IO wait, 12 minutes", "main.(*Group).Do(0xc000010000?, 0x1) 38"},
        /* Before the Wait. */
        {"IO wait, 12 minutes", "main.(*Group).Do(0xc000010000, 0x1) 28"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tear_down(state);
        set_up(state);
        dump = words = (struct buf){0};
        add_single_flight(cases[i].state, cases[i].behind);
        assert_string_equal(
            held_at("main.(*Group).Do"),
            "no goroutine in the dump is known to owe it a Done");
    }
}

static void who_was_started_comes_before_who_is_behind_the_wait(void **state)
{
    (void)state;
    add_single_flight("IO wait, 12 minutes",
                      "main.(*Group).Do(0xc000010000, 0x1) 38");
    GOROUTINE(6, "select", "main.(*Group).Do.func1() 30");
    assert_string_equal(held_at("main.(*Group).Do"),
                        "it waits for 1 goroutine: 1 in (*Group).Do.func1 "
                        "(m.go:30), select");
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

    for (size_t i = 0; i < sizeof(pools) / sizeof(pools[0]); i++) {
        add_frames(1, "select", pools[i].waits);
        add_frames(2, "select", pools[i].waits);
        add_frames(3, "IO wait", pools[i].holds);
        if (!strstr(held_at(pools[i].site), pools[i].says))
            fail_msg("%s: %s", pools[i].site, held_at(pools[i].site));
        tear_down(state);
        set_up(state);
        dump = (struct buf){0};
        words = (struct buf){0};
    }
}

static void nobody_holds_what_is_no_lock(void **state)
{
    struct buf out = {0};

    (void)state;
    GOROUTINE(5, "select", "main.(*T).loop(0xc000010000) 90");
    assert_string_equal(held_at("main.(*T).loop"), "nothing is held");
    held_add(&out, reading.snapshots->symbols, NULL);
    assert_string_equal(out.ptr, "who holds it is not known");
    buf_done(&out);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_is_past_the_lock_beats_who_idles_on_the_object),
        TEST(who_is_not_there_yet_holds_nothing),
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
        TEST(writers_of_a_descriptor_wait_for_the_one_that_writes),
        TEST(two_that_are_left_over_hold_each_others_lock),
        TEST(one_more_candidate_and_nothing_is_said),
        TEST(who_does_not_idle_in_the_file_perhaps_holds_it),
        TEST(a_loop_that_accepts_connections_holds_nothing),
        TEST(of_two_that_do_not_idle_in_the_file_none_is_named),
        TEST(the_order_of_goroutines_changes_nothing),
        TEST(holders_in_one_place_are_added_up),
        TEST(who_is_behind_the_wait_owes_others_a_done),
        TEST(who_may_have_waited_itself_owes_nothing),
        TEST(who_was_started_comes_before_who_is_behind_the_wait),
        TEST(connections_of_a_pool_are_held_by_who_runs_with_one),
        TEST(nobody_holds_what_is_no_lock),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

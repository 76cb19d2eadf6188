/* waitgroups.h: whom those wait for who wait for a WaitGroup. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/made_dump.h"

#include <cmocka.h>

/* Two stacks that differ only in what the place has called. */
static void holders_in_one_place_are_added_up(void **state)
{
    (void)state;
    MADE_GOROUTINE(1, "sync.WaitGroup.Wait",
                   "sync.runtime_SemacquireWaitGroup(0xc000010008) 110",
                   "sync.(*WaitGroup).Wait(0xc000010000) 118", "main.run() 20");
    MADE_GOROUTINE(5, "chan send", "main.put() 30", "main.run.func1() 17");
    MADE_GOROUTINE(6, "chan send", "main.put() 31", "main.run.func1() 17");
    assert_string_equal(made_held_at("main.run"),
                        "it waits for 2 goroutines: 2 in main.run.func1 "
                        "(m.go:17), chan send");
}

/* Three callers that wait for the one who fetches, and that one. */
static void add_single_flight(const char *state, const char *behind)
{
    for (unsigned i = 1; i <= 3; i++)
        MADE_GOROUTINE(i, "sync.WaitGroup.Wait, 11 minutes",
                       "sync.runtime_SemacquireWaitGroup(0xc000090008) 110",
                       "sync.(*WaitGroup).Wait(0x6a0000?) 118",
                       "main.(*Group).Do(0xc000010000, 0x1) 31",
                       "main.serve() 9");
    MADE_GOROUTINE(5, state, "main.fetch() 50", behind, "main.serve() 9");
}

static void who_is_behind_the_wait_owes_others_a_done(void **state)
{
    (void)state;
    add_single_flight("IO wait, 12 minutes",
                      "main.(*Group).Do(0xc000010000, 0x1) 38");
    assert_string_equal(made_held_at("main.(*Group).Do"),
                        "they probably wait for 1 goroutine behind the Wait: 1 "
                        "in (*Group).Do (m.go:38), IO wait at main.fetch "
                        "(m.go:50)");
}

/* A dump of the first minutes has no ages. */
static void without_ages_who_is_behind_the_wait_perhaps_does(void **state)
{
    (void)state;
    for (unsigned i = 1; i <= 3; i++)
        MADE_GOROUTINE(i, "sync.WaitGroup.Wait",
                       "sync.runtime_SemacquireWaitGroup(0xc000090008) 110",
                       "sync.(*WaitGroup).Wait(0x6a0000?) 118",
                       "main.(*Group).Do(0xc000010000, 0x1) 31",
                       "main.serve() 9");
    MADE_GOROUTINE(5, "IO wait", "main.fetch() 50",
                   "main.(*Group).Do(0xc000010000, 0x1) 38", "main.serve() 9");
    assert_string_equal(made_held_at("main.(*Group).Do"),
                        "they perhaps wait for 1 goroutine behind the Wait: 1 "
                        "in (*Group).Do (m.go:38), IO wait at main.fetch "
                        "(m.go:50)");
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

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        made_anew();
        add_single_flight(cases[i].state, cases[i].behind);
        assert_string_equal(
            made_held_at("main.(*Group).Do"),
            "no goroutine in the dump is known to owe it a Done");
    }
}

/* In debug=1 no object is told; of this package it is known what Do is for. */
static void one_flight_is_behind_the_wait_whatever_the_object(void **state)
{
    (void)state;
    for (unsigned i = 1; i <= 3; i++)
        MADE_GOROUTINE(i, "sync.WaitGroup.Wait",
                       "sync.runtime_SemacquireWaitGroup(...) 110",
                       "sync.(*WaitGroup).Wait(...) 118",
                       "golang.org/x/sync/singleflight.(*Group).Do(...) 31");
    MADE_GOROUTINE(5, "sleep", "main.load(...) 50",
                   "golang.org/x/sync/singleflight.(*Group).doCall(...) 60",
                   "golang.org/x/sync/singleflight.(*Group).Do(...) 38");
    assert_non_null(
        strstr(made_held_at("golang.org/x/sync/singleflight.(*Group).Do"),
               "wait for 1 goroutine behind the Wait: 1 in (*Group).Do"));
}

static void who_was_started_comes_before_who_is_behind_the_wait(void **state)
{
    (void)state;
    add_single_flight("IO wait, 12 minutes",
                      "main.(*Group).Do(0xc000010000, 0x1) 38");
    MADE_GOROUTINE(6, "select", "main.(*Group).Do.func1() 30");
    assert_string_equal(made_held_at("main.(*Group).Do"),
                        "they probably wait for 1 goroutine: 1 in "
                        "(*Group).Do.func1 (m.go:30), select");
}

/* One that waits in (*Agent).Stop for what (*Agent).Start has started. */
static void add_stop(const char *stop)
{
    MADE_GOROUTINE(
        1, "sync.WaitGroup.Wait", "sync.runtime_SemacquireWaitGroup(0x3?) 110",
        "sync.(*WaitGroup).Wait(0x6a0000?) 118", stop, "main.main() 9");
}

static void methods_of_the_object_owe_it_a_done(void **state)
{
    (void)state;
    add_stop("main.(*Agent).Stop(0xc000010000) 140");
    MADE_GOROUTINE(2, "select", "main.(*Agent).loop(0xc000010000) 132");
    MADE_GOROUTINE(3, "select", "main.(*Agent).loop(0xc000020000) 132");
    assert_string_equal(
        made_held_at("main.(*Agent).Stop"),
        "it probably waits for 1 goroutine that runs methods of "
        "its object: 1 in (*Agent).loop (m.go:132), select");
}

static void methods_of_the_type_perhaps_do(void **state)
{
    (void)state;
    add_stop("main.(*Agent).Stop(...) 140");
    MADE_GOROUTINE(2, "select", "main.(*Agent).Go.func1() 132");
    MADE_GOROUTINE(3, "select", "main.(*Agent).loop(0xc000020000) 150");
    assert_string_equal(made_held_at("main.(*Agent).Stop"),
                        "it perhaps waits for 2 goroutines that run methods of "
                        "its type: 1 in (*Agent).Go.func1 (m.go:132), select; "
                        "1 in (*Agent).loop (m.go:150), select");
}

static void methods_of_another_object_or_type_do_not(void **state)
{
    (void)state;
    add_stop("main.(*Agent).Stop(0xc000010000) 140");
    MADE_GOROUTINE(2, "select", "main.(*Agent).loop(0xc000020000) 132");
    MADE_GOROUTINE(3, "select", "main.(*Other).loop(0xc000010000) 232");
    MADE_GOROUTINE(4, "select", "main.(*Agent).Get(0xc000010000) 12",
                   "main.serve() 9");
    assert_string_equal(made_held_at("main.(*Agent).Stop"),
                        "no goroutine in the dump is known to owe it a Done");
}

/* It is a worker itself, and nobody that stops the others. */
static void who_began_with_the_method_that_waits_is_not_asked(void **state)
{
    (void)state;
    MADE_GOROUTINE(1, "sync.WaitGroup.Wait",
                   "sync.runtime_SemacquireWaitGroup(0x3?) 110",
                   "sync.(*WaitGroup).Wait(0x6a0000?) 118",
                   "main.(*Agent).Stop(0xc000010000) 140");
    MADE_GOROUTINE(2, "select", "main.(*Agent).loop(0xc000010000) 132");
    assert_string_equal(made_held_at("main.(*Agent).Stop"),
                        "no goroutine in the dump is known to owe it a Done");
}

/* Stop waits under a lock for a loop that wants the lock. */
static void a_stop_under_the_lock_of_a_worker_is_a_circle(void **state)
{
    (void)state;
    add_stop("main.(*Agent).Stop(0xc000010000) 140");
    MADE_GOROUTINE(2, MADE_LOCKED, "@0xc000010000",
                   "main.(*Agent).tick(0xc000041778?) 136",
                   "main.(*Agent).loop(0xc000010000) 132",
                   "runtime.goexit() 1");
    for (unsigned i = 3; i < 9; i++)
        MADE_GOROUTINE(i, MADE_LOCKED, "@0xc000010000",
                       "main.(*Agent).Status(0xc000059ae0?) 144",
                       "main.serve() 9");
    assert_string_equal(
        made_circles(),
        "medium\ngoroutine 1 in (*Agent).Stop (m.go:140) holds sync.Mutex "
        "0xc000010000, waits for sync.WaitGroup that (*Agent).Stop (m.go:140) "
        "waits for, and so for\ngoroutine 2 in (*Agent).loop (m.go:132) keeps "
        "waiting the sync.WaitGroup that (*Agent).Stop (m.go:140) waits for, "
        "waits for sync.Mutex 0xc000010000, held by goroutine 1\n");
}

/* What a crash prints of the same: frames of the runtime at both ends, and the
 * closure that the compiler wrote for "go f.worker()". */
static void a_crash_tells_the_same_circle(void **state)
{
    (void)state;
    MADE_GOROUTINE(1, "sync.WaitGroup.Wait", "runtime.gopark(0x1, 0x2) 474",
                   "runtime.semacquire1(0xc000010008, 0x1) 150",
                   "sync.runtime_SemacquireWaitGroup(0x3?) 110",
                   "sync.(*WaitGroup).Wait(0x6a0000?) 118",
                   "main.(*Fetcher).Stop(0xc000010000) 38", "main.quit() 60",
                   "main.main.func2() 54", "runtime.goexit() 1594",
                   "created by main.main 54");
    for (unsigned i = 2; i < 5; i++)
        MADE_GOROUTINE(i, MADE_LOCKED, "runtime.gopark(0x1, 0x2) 474",
                       "runtime.semacquire1(0xc000010004, 0x1) 150",
                       "@0xc000010000",
                       "main.(*Fetcher).worker(0xc000010000, 0x0?) 23",
                       "main.main.func3() 51", "runtime.goexit() 1594",
                       "created by main.main 51");
    assert_string_equal(
        made_circles(),
        "medium\ngoroutine 1 in (*Fetcher).Stop (m.go:38) holds sync.Mutex "
        "0xc000010000, waits for sync.WaitGroup that (*Fetcher).Stop (m.go:38) "
        "waits for, and so for\none of 3 goroutines in (*Fetcher).worker "
        "(m.go:23) keeps waiting the sync.WaitGroup that (*Fetcher).Stop "
        "(m.go:38) waits for, waits for sync.Mutex 0xc000010000, held by "
        "goroutine 1\n");
}

/* The frames of a wait whose arguments do not tell which WaitGroup it is. */
#define AT_A_WAITGROUP                                                         \
 "sync.runtime_SemacquireWaitGroup(0x3?) 110",                                 \
     "sync.(*WaitGroup).Wait(0x0?) 118"

/* A method waits for its workers, and a worker, in another method of the type,
 * for what it has started itself: two WaitGroups, though neither is told. */
static void nested_waits_of_a_type_are_no_circle(void **state)
{
    (void)state;
    MADE_GOROUTINE(1, "sync.WaitGroup.Wait, 3 minutes", AT_A_WAITGROUP,
                   "main.(*March).Run(0xc000010000) 213", "main.serve() 9");
    MADE_GOROUTINE(2, "sync.WaitGroup.Wait, 3 minutes", AT_A_WAITGROUP,
                   "main.(*March).job(0xc000010000) 408",
                   "main.(*March).Run.func1() 166");
    MADE_GOROUTINE(3, "IO wait, 3 minutes", "main.list() 50",
                   "main.(*March).job.func1() 396");
    assert_string_equal(made_circles(), "");
    assert_string_equal(made_held_at("main.(*March).Run"),
                        "it waits for 1 goroutine: 1 in (*March).Run.func1 "
                        "(m.go:166), sync.WaitGroup.Wait");
    assert_string_equal(made_held_at("main.(*March).job"),
                        "it waits for 1 goroutine: 1 in (*March).job.func1 "
                        "(m.go:396), IO wait at main.list (m.go:50)");
}

/* The same with a library around the WaitGroup. */
static void nested_groups_of_a_library_are_no_circle(void **state)
{
    (void)state;
    MADE_GOROUTINE(1, "sync.WaitGroup.Wait", AT_A_WAITGROUP,
                   "golang.org/x/sync/errgroup.(*Group).Wait(0xc000030000) 53",
                   "main.(*Walk).Run(0xc000010000) 32", "main.serve() 9");
    MADE_GOROUTINE(2, "sync.WaitGroup.Wait", AT_A_WAITGROUP,
                   "golang.org/x/sync/errgroup.(*Group).Wait(0xc000040000) 53",
                   "main.(*Walk).dir(0xc000010000) 23",
                   "main.(*Walk).Run.func1() 30");
    MADE_GOROUTINE(3, "IO wait", "main.list() 50",
                   "main.(*Walk).dir.func1() 21");
    assert_string_equal(made_circles(), "");
    assert_string_equal(made_held_at("main.(*Walk).dir"),
                        "it waits for 1 goroutine: 1 in (*Walk).dir.func1 "
                        "(m.go:21), IO wait at main.list (m.go:50)");
}

/* More have its address than are listed one by one. */
static void all_that_have_its_address_are_counted(void **state)
{
    (void)state;
    MADE_GOROUTINE(1, "sync.WaitGroup.Wait",
                   "sync.runtime_SemacquireWaitGroup(0x3?) 114",
                   "sync.(*WaitGroup).Wait(0xc000010000) 206",
                   "main.(*Pool).Drain(...) 40", "main.serve() 52");
    for (unsigned i = 2; i < 10; i++)
        MADE_GOROUTINE(i, "chan receive", "main.(*Pool).work(0xc000010000) 28");
    assert_string_equal(made_held_at("main.(*Pool).Drain"),
                        "it waits for 8 goroutines: 8 in (*Pool).work "
                        "(m.go:28), chan receive");
}

/* Two batches, each with a goroutine that only waits, one that feeds workers,
 * and workers. created = whether the dump says who started whom. */
static void add_batches(bool created, unsigned n_feeders)
{
    const char *by_run = created ? "created by main.(*Pool).Run 29" : NULL;

    for (unsigned i = 1; i < 4; i++)
        MADE_GOROUTINE(i, "sync.WaitGroup.Wait", AT_A_WAITGROUP,
                       "main.(*Pool).Run.func2() 38", by_run);
    for (unsigned i = 11; i < 11 + n_feeders; i++)
        MADE_GOROUTINE(i, "chan send", "main.(*Pool).Run.func1() 34", by_run);
    for (unsigned i = 21; i < 26; i++)
        MADE_GOROUTINE(i, "chan send",
                       "main.(*Pool).worker(0xc000010000, 0x0?) 56", by_run);
}

static void who_feeds_the_members_is_not_told_from_them(void **state)
{
    (void)state;
    add_batches(true, 2);
    assert_string_equal(made_held_at("main.(*Pool).Run.func2"),
                        "they perhaps wait for 7 goroutines: 2 in "
                        "(*Pool).Run.func1 (m.go:34), chan send; 5 in "
                        "(*Pool).worker (m.go:56), chan send");
}

/* Where only closures show who started them, and there are fewer than
 * WaitGroups, there must be others. */
static void too_few_closures_are_not_all_members(void **state)
{
    (void)state;
    add_batches(false, 2);
    assert_string_equal(made_held_at("main.(*Pool).Run.func2"),
                        "they perhaps wait for 7 goroutines that run methods "
                        "of their type: 2 in (*Pool).Run.func1 (m.go:34), chan "
                        "send; 5 in (*Pool).worker (m.go:56), chan send");
}

static void closures_beside_one_that_waits_are_perhaps_members(void **state)
{
    (void)state;
    add_batches(false, 3);
    assert_string_equal(made_held_at("main.(*Pool).Run.func2"),
                        "they perhaps wait for 3 goroutines: 3 in "
                        "(*Pool).Run.func1 (m.go:34), chan send");
}

/* Some that only wait, and what the same function has started beside them. */
static void add_beside(const char *started)
{
    for (unsigned i = 1; i < 4; i++)
        MADE_GOROUTINE(i, "sync.WaitGroup.Wait", AT_A_WAITGROUP,
                       "main.main.func2() 38", "created by main.main 29");
    MADE_GOROUTINE(5, "IO wait", "net.(*TCPListener).Accept(0xc000010000) 9",
                   started, "created by main.main 12");
}

/* A server that runs beside them calls nobody's Done. */
static void who_runs_in_the_standard_library_only_is_no_member(void **state)
{
    (void)state;
    add_beside("net/http.ListenAndServe(0xc000010000) 30");
    assert_string_equal(made_held_at("main.main.func2"),
                        "no goroutine in the dump is known to owe it a Done");
    made_anew();
    add_beside("main.serve(0xc000010000) 30");
    assert_string_equal(made_held_at("main.main.func2"),
                        "they wait for 1 goroutine: 1 in main.serve "
                        "(m.go:30), IO wait");
}

/* One that only waits, one that it waits for, and one that is perhaps no
 * member. */
static void add_group(const char *begun, const char *other)
{
    MADE_GOROUTINE(1, "sync.WaitGroup.Wait", AT_A_WAITGROUP,
                   "main.run.func2() 38");
    MADE_GOROUTINE(2, "select", "main.run.func1() 30", begun);
    MADE_GOROUTINE(3, "select", "main.run.func3() 40", other);
}

static void who_began_with_the_go_of_a_group_is_a_member(void **state)
{
    static const char *const begun[] = {
        "sync.(*WaitGroup).Go.func1() 239",
        "golang.org/x/sync/errgroup.(*Group).Go.func1() 75"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        made_anew();
        add_group(begun[i], begun[i]);
        assert_string_equal(made_held_at("main.run.func2"),
                            "it waits for 2 goroutines: 1 in main.run.func1 "
                            "(m.go:30), select; 1 in main.run.func3 (m.go:40), "
                            "select");
    }
    made_anew();
    add_group(begun[0], NULL);
    assert_string_equal(made_held_at("main.run.func2"),
                        "it waits for some or all of 2 goroutines: 1 in "
                        "main.run.func1 (m.go:30), select; 1 in main.run.func3 "
                        "(m.go:40), select");
}

#define TEST(name)                                                             \
 cmocka_unit_test_setup_teardown(name, made_set_up, made_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(holders_in_one_place_are_added_up),
        TEST(who_is_behind_the_wait_owes_others_a_done),
        TEST(without_ages_who_is_behind_the_wait_perhaps_does),
        TEST(who_may_have_waited_itself_owes_nothing),
        TEST(one_flight_is_behind_the_wait_whatever_the_object),
        TEST(who_was_started_comes_before_who_is_behind_the_wait),
        TEST(methods_of_the_object_owe_it_a_done),
        TEST(methods_of_the_type_perhaps_do),
        TEST(methods_of_another_object_or_type_do_not),
        TEST(who_began_with_the_method_that_waits_is_not_asked),
        TEST(a_stop_under_the_lock_of_a_worker_is_a_circle),
        TEST(a_crash_tells_the_same_circle),
        TEST(nested_waits_of_a_type_are_no_circle),
        TEST(all_that_have_its_address_are_counted),
        TEST(nested_groups_of_a_library_are_no_circle),
        TEST(who_feeds_the_members_is_not_told_from_them),
        TEST(too_few_closures_are_not_all_members),
        TEST(closures_beside_one_that_waits_are_perhaps_members),
        TEST(who_runs_in_the_standard_library_only_is_no_member),
        TEST(who_began_with_the_go_of_a_group_is_a_member),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

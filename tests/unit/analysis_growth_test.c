/* Verdicts over the moments of a process: growth_judge.h. Whether a series
 * rises at all is tested in analysis_trend_test.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "support/moving.h"

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct moving moving;

static int set_up(void **state)
{
    (void)state;
    moving_init(&moving);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    moving_done(&moving);
    return 0;
}

static const struct site_growth *site(void)
{
    return moving_site(&moving, "main.f");
}

static void a_leak_is_growing(void **state)
{
    static const uint64_t counts[] = {100, 140, 180, 220, 260, 300};

    (void)state;
    moving_course(&moving, "chan send", counts, COUNT(counts), 50);
    assert_int_equal(site()->verdict, GROWTH_GROWING);
    assert_true(site()->is_whole);
    assert_true(site()->has_load);
    assert_true(site()->has_rate);
    assert_float_equal(site()->rate.median, 40, 1e-9);
    assert_float_equal(site()->share, 1, 1e-9);
    assert_string_equal(site()->window, "all");
    assert_int_equal(growth_confidence_of(site()), GROWTH_MEDIUM);
}

static void the_same_without_others_is_less_sure(void **state)
{
    static const uint64_t counts[] = {100, 140, 180, 220, 260, 300};

    (void)state;
    moving_course(&moving, "chan send", counts, COUNT(counts), 0);
    assert_true(site()->is_whole);
    assert_false(site()->has_load);
    assert_int_equal(growth_confidence_of(site()), GROWTH_LOW);
}

static void what_is_new_and_what_is_gone(void **state)
{
    static const uint64_t counts[] = {0, 300};
    struct snapshot *first;

    (void)state;
    moving_course(&moving, "chan send", counts, COUNT(counts), 50);
    first = moving.base.snapshots->items[0];
    moving_add(first, "main.old", "select", 40, 0);
    assert_int_equal(site()->verdict, GROWTH_APPEARED);
    assert_true(site()->is_real);
    assert_int_equal(moving_site(&moving, "main.old")->verdict, GROWTH_GONE);
    assert_int_equal(moving_site(&moving, "main.other0")->verdict,
                     GROWTH_STABLE);
}

static void a_few_that_are_new_are_not_real(void **state)
{
    static const uint64_t counts[] = {0, 12};

    (void)state;
    moving_course(&moving, "chan send", counts, COUNT(counts), 50);
    assert_int_equal(site()->verdict, GROWTH_APPEARED);
    assert_false(site()->is_real);
}

/* Rose at first, and then no more. */
static void a_pool_fills_up(void **state)
{
    static const uint64_t counts[] = {20,  60, 90,  99,  100, 100,
                                      100, 99, 100, 100, 100, 99};

    (void)state;
    moving_course(&moving, "select", counts, COUNT(counts), 50);
    assert_int_equal(site()->verdict, GROWTH_PLATEAU);
    assert_false(site()->is_whole);
}

/* --- Places that rise together --- */

/* A moment of an hour's distance at which six places have had some come in each
 * hour, all with ids, and as old as they are or of a moment. */
static void add_risen(uint64_t hours, bool has_ages)
{
    static const char *const places[] = {"main.f", "main.g", "main.h",
                                         "main.i", "main.j", "main.k"};
    struct snapshot *snapshot = moving_moment(&moving, "x");

    for (uint64_t i = 0; i < COUNT(places); i++) {
        char frame[32];

        snprintf(frame, sizeof(frame), "%s|/src/main.go:%u", places[i],
                 (unsigned)i + 1);
        for (uint64_t hour = 0; hour <= hours; hour++) {
            struct sample some = {.count =
                                      2 + (hour * 7 + i * 5 + i * hour) % 9,
                                  .state = "select",
                                  .frames = {frame},
                                  .first_id = 1 + i * 1000 + hour * 12};

            if (has_ages)
                some.wait_min =
                    hour < hours ? (uint32_t)((hours - hour) * 60) : 1;
            reporting_add(snapshot, &some);
        }
    }
}

/* Each is the load of the others, as far as counts tell. */
static void many_leaks_are_no_load_of_each_other(void **state)
{
    (void)state;
    reporting_set(&moving.base, "interval", "1h");
    for (uint64_t i = 0; i < 12; i++)
        add_risen(i, true);
    assert_int_equal(site()->verdict, GROWTH_GROWING);
    assert_true(site()->is_whole);
    assert_true(growth_is_leak_like(site()));
}

/* While what comes and goes becomes more, too, they may be idle sessions. */
static void beside_more_traffic_they_may_be_sessions(void **state)
{
    (void)state;
    reporting_set(&moving.base, "interval", "1h");
    for (uint64_t i = 0; i < 12; i++) {
        add_risen(i, true);
        moving_add(moving.base.snapshots->items[i], "main.traffic", "IO wait",
                   40 + i * 10, 100000 + i * 1000);
    }
    assert_false(site()->is_whole);
}

static void without_ages_they_may_be_sessions(void **state)
{
    (void)state;
    reporting_set(&moving.base, "interval", "1h");
    for (uint64_t i = 0; i < 12; i++)
        add_risen(i, false);
    assert_false(site()->is_whole);
}

/* --- What a wait is --- */

static void add_wait(const char *state, const char *leaf, uint64_t count)
{
    struct snapshot *snapshot = moving_moment(&moving, "x");

    reporting_add(snapshot,
                  &(struct sample){.count = count,
                                   .state = state,
                                   .frames = {leaf, "main.f|/src/main.go:1"}});
}

/* Nobody reads what it writes: a send, though its state is a select. */
static void a_write_into_a_pipe_blocks(void **state)
{
    (void)state;
    add_wait("select", "io.(*pipe).write|/go/src/io/pipe.go:80", 100);
    add_wait("select", "io.(*pipe).write|/go/src/io/pipe.go:80", 200);
    assert_true(site()->is_blocking);
    assert_int_equal(site()->state, STATE_SELECT);
}

static void a_read_from_a_pipe_does_not_block(void **state)
{
    (void)state;
    add_wait("select", "io.(*pipe).read|/go/src/io/pipe.go:57", 100);
    add_wait("select", "io.(*pipe).read|/go/src/io/pipe.go:57", 200);
    assert_false(site()->is_blocking);
}

static void a_writer_that_runs_does_not_block(void **state)
{
    (void)state;
    add_wait("runnable", "io.(*pipe).write|/go/src/io/pipe.go:80", 100);
    add_wait("runnable", "io.(*pipe).write|/go/src/io/pipe.go:80", 200);
    assert_false(site()->is_blocking);
}

static void a_queue_of_the_runtime_is_no_lock(void **state)
{
    (void)state;
    add_wait("semacquire", "net/url.parse|/go/src/net/url/url.go:5", 100);
    add_wait("semacquire", "net/url.parse|/go/src/net/url/url.go:5", 200);
    assert_true(site()->is_of_runtime);
    assert_false(site()->is_blocking);
}

static void an_assist_of_the_collector_is_the_runtimes(void **state)
{
    (void)state;
    add_wait("GC assist wait", "net/url.parse|/go/src/net/url/url.go:5", 100);
    add_wait("GC assist wait", "net/url.parse|/go/src/net/url/url.go:5", 200);
    assert_true(site()->is_of_runtime);
    assert_false(site()->is_blocking);
}

static void a_semaphore_by_its_name_is_a_lock(void **state)
{
    (void)state;
    add_wait("semacquire", "sync.runtime_Semacquire|/go/src/sema.go:56", 100);
    add_wait("semacquire", "internal/poll.runtime_Semacquire|/s.go:1", 200);
    assert_false(site()->is_of_runtime);
    assert_true(site()->is_blocking);
}

/* --- Windows --- */

/* Ten days of quiet, then a leak over the last two. Each moment is an hour. */
static void a_window_shows_what_the_whole_hides(void **state)
{
    uint64_t counts[240];

    (void)state;
    for (size_t i = 0; i < COUNT(counts); i++)
        counts[i] = i < 216 ? 300 + i % 7 : 300 + (i - 215) * 8 + i % 7;
    moving_course(&moving, "chan send", counts, COUNT(counts), 50);
    assert_int_equal(site()->verdict, GROWTH_GROWING);
    assert_true(site()->is_whole);
    assert_string_equal(site()->window, "day");
    assert_float_equal(site()->after, (double)counts[239], 0);
}

static void without_times_there_is_no_window(void **state)
{
    (void)state;
    for (size_t i = 0; i < 240; i++) {
        struct snapshot *snapshot = moving_moment(&moving, "x");

        moving_add(snapshot, "main.f", "chan send",
                   i < 216 ? 300 + i % 7 : 300 + (i - 215) * 8, 0);
    }
    assert_string_equal(site()->window, "all");
}

/* --- Starts and restarts --- */

/* The first moment was taken while the process started. */
static void a_start_is_left_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < 8; i++) {
        struct snapshot *snapshot = moving_moment(&moving, "x");

        moving_add(snapshot, "main.f", "chan send", i ? 200 : 10, 0);
        moving_add(snapshot, "main.g", "select", i ? 100 + i % 3 : 10, 0);
    }
    assert_int_equal(site()->n, 7);
    assert_float_equal(site()->before, 200, 0);
    assert_int_equal(site()->verdict, GROWTH_STUCK);
}

static void only_the_last_process_is_judged(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 12; i++) {
        uint64_t step = i % 6;
        struct snapshot *snapshot = moving_moment(&moving, "x");

        moving_add(snapshot, "main.f", "chan send", 100 + step * 40,
                   1000 + step);
        moving_add(snapshot, "main.last", "select", 1, 2000 + step * 900);
    }
    assert_string_equal(moving_codes(&moving), "");
    moving_compare(&moving);
    assert_string_equal(moving_codes(&moving), "restart");
    assert_int_equal(site()->n, 6);
    assert_float_equal(site()->before, 100, 0);
}

/* --- Instances --- */

static void the_worst_instance_decides(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 6; i++) {
        for (uint64_t pod = 0; pod < 3; pod++) {
            struct snapshot *snapshot = moving_moment(&moving, "x");

            snapshot_info(snapshot)->instance = pod == 1 ? STR("pod-1")
                                                : pod    ? STR("pod-2")
                                                         : STR("pod-0");
            moving_add(snapshot, "main.f", "chan send",
                       pod == 1 ? 100 + i * 40 : 50, 0);
        }
    }
    assert_int_equal(site()->verdict, GROWTH_GROWING);
    assert_true(str_equal(site()->series->instance, STR("pod-1")));
    assert_float_equal(site()->after, 300, 0);
}

/* --- Many tests --- */

/* Sixty places that wander, one that leaks a little: what is too weak for how
 * many were asked is growing, but not by the whole test. */
static void of_many_tests_the_weak_ones_are_not_sure(void **state)
{
    static const uint64_t weak[] = {100, 124, 112, 131, 126, 142, 139, 150};

    (void)state;
    for (size_t i = 0; i < COUNT(weak); i++) {
        struct snapshot *snapshot = moving_moment(&moving, "x");

        moving_add(snapshot, "main.f", "chan send", weak[i], 0);
        for (unsigned k = 0; k < 60; k++) {
            char name[16];

            snprintf(name, sizeof(name), "main.g%u", k);
            moving_add(snapshot, name, "select", 40 + (i + k) % 5, 0);
        }
    }
    assert_true(site()->p > 0.001 && site()->p < 0.01);
    assert_false(site()->is_whole);
}

static void ages_that_grow_with_the_clock(void **state)
{
    static const char *const names[] = {"a-20261121-050000",
                                        "a-20261121-053000"};

    (void)state;
    for (unsigned i = 0; i < 2; i++)
        reporting_add(moving_moment(&moving, names[i]),
                      &(struct sample){.count = 100 + i * 200,
                                       .state = "chan send",
                                       .frames = {"main.f|/src/main.go:1"},
                                       .wait_min = 10 + i * 30});
    assert_int_equal(site()->verdict, GROWTH_GREW);
    assert_true(site()->ages_advance);
}

static void ages_that_do_not(void **state)
{
    static const char *const names[] = {"a-20261121-050000",
                                        "a-20261121-053000"};

    (void)state;
    for (unsigned i = 0; i < 2; i++)
        reporting_add(moving_moment(&moving, names[i]),
                      &(struct sample){.count = 100 + i * 200,
                                       .state = "chan send",
                                       .frames = {"main.f|/src/main.go:1"},
                                       .wait_min = 10 - i * 5});
    assert_int_equal(site()->verdict, GROWTH_GREW);
    assert_false(site()->ages_advance);
}

/* A moment with goroutines of main.f that wait at one line, and some that a
 * broadcast has woken there. */
static void add_woken(uint64_t waiting, uint64_t awake, const char *state)
{
    struct snapshot *snapshot = moving_moment(&moving, "a");

    if (waiting)
        moving_add(snapshot, "main.f", "select", waiting, 0);
    if (awake)
        moving_add(snapshot, "main.f", state, awake, 0);
}

static void who_was_just_woken_is_where_it_waits(void **state)
{
    static const char *const states[] = {"runnable", "running"};

    (void)state;
    for (size_t i = 0; i < COUNT(states); i++) {
        add_woken(330, 470, states[i]);
        add_woken(800, 0, states[i]);
        assert_int_equal(site()->verdict, GROWTH_STABLE);
        assert_int_equal(site()->state, STATE_SELECT);
        assert_float_equal(site()->before, 800, 1e-9);
        moving_done(&moving);
        moving_init(&moving);
    }
}

static void who_runs_where_nobody_waits_runs(void **state)
{
    (void)state;
    add_woken(0, 100, "running");
    add_woken(0, 300, "running");
    assert_int_equal(site()->verdict, GROWTH_GREW);
    assert_int_equal(site()->state, STATE_RUNNING);
}

static void more_that_wait_are_more_though_some_were_woken(void **state)
{
    (void)state;
    add_woken(50, 50, "runnable");
    add_woken(400, 0, "runnable");
    assert_int_equal(site()->verdict, GROWTH_GREW);
    assert_float_equal(site()->before, 100, 1e-9);
}

/* Two moments with a hundred goroutines that stay, and one that is new. */
static void add_those_who_stay(const char *const names[2], const char *state,
                               unsigned before, unsigned after)
{
    for (unsigned i = 0; i < 2; i++) {
        struct snapshot *snapshot = moving_moment(&moving, names[i]);

        reporting_add(snapshot,
                      &(struct sample){.count = 100,
                                       .state = state,
                                       .frames = {"main.f|/src/main.go:1"},
                                       .wait_min = i ? after : before,
                                       .first_id = 1000});
        moving_add(snapshot, "main.g", "running", 1, 2000 + i);
    }
}

static const char *const minute_apart[] = {"a-20261121-050000",
                                           "a-20261121-050100"};
static const char *const hour_apart[] = {"a-20261121-050000",
                                         "a-20261121-060000"};
static const char *const without_times[] = {"a", "a"};

static void those_who_stay_a_minute_still_wait(void **state)
{
    (void)state;
    add_those_who_stay(minute_apart, "chan send", 0, 0);
    assert_int_equal(site()->verdict, GROWTH_STABLE);
    assert_true(site()->still_waits);
}

static void some_seconds_show_nothing(void **state)
{
    static const char *const names[] = {"a-20261121-050000",
                                        "a-20261121-050030"};

    (void)state;
    add_those_who_stay(names, "chan send", 20, 20);
    assert_false(site()->still_waits);
}

static void those_who_come_back_do_not_wait_still(void **state)
{
    (void)state;
    add_those_who_stay(hour_apart, "chan send", 0, 2);
    assert_true(growth_stays(site()));
    assert_false(site()->still_waits);
}

/* The runtime counts from when it next collects garbage. */
static void an_age_may_lag_behind_the_clock(void **state)
{
    (void)state;
    add_those_who_stay(hour_apart, "chan send", 0, 58);
    assert_true(site()->still_waits);
}

static void without_times_ages_tell(void **state)
{
    (void)state;
    add_those_who_stay(without_times, "chan send", 5, 16);
    assert_true(site()->still_waits);
}

static void without_times_equal_ages_tell_nothing(void **state)
{
    (void)state;
    add_those_who_stay(without_times, "chan send", 5, 5);
    assert_false(site()->still_waits);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(a_leak_is_growing),
        TEST(the_same_without_others_is_less_sure),
        TEST(what_is_new_and_what_is_gone),
        TEST(a_few_that_are_new_are_not_real),
        TEST(a_pool_fills_up),
        TEST(many_leaks_are_no_load_of_each_other),
        TEST(beside_more_traffic_they_may_be_sessions),
        TEST(without_ages_they_may_be_sessions),
        TEST(a_write_into_a_pipe_blocks),
        TEST(a_read_from_a_pipe_does_not_block),
        TEST(a_writer_that_runs_does_not_block),
        TEST(a_queue_of_the_runtime_is_no_lock),
        TEST(an_assist_of_the_collector_is_the_runtimes),
        TEST(a_semaphore_by_its_name_is_a_lock),
        TEST(a_window_shows_what_the_whole_hides),
        TEST(without_times_there_is_no_window),
        TEST(a_start_is_left_out),
        TEST(only_the_last_process_is_judged),
        TEST(the_worst_instance_decides),
        TEST(of_many_tests_the_weak_ones_are_not_sure),
        TEST(ages_that_grow_with_the_clock),
        TEST(ages_that_do_not),
        TEST(who_was_just_woken_is_where_it_waits),
        TEST(who_runs_where_nobody_waits_runs),
        TEST(more_that_wait_are_more_though_some_were_woken),
        TEST(those_who_stay_a_minute_still_wait),
        TEST(some_seconds_show_nothing),
        TEST(those_who_come_back_do_not_wait_still),
        TEST(an_age_may_lag_behind_the_clock),
        TEST(without_times_ages_tell),
        TEST(without_times_equal_ages_tell_nothing),
    };

    return cmocka_run_group_tests_name("analysis/growth", tests, NULL, NULL);
}

/* Moments in order, their clocks, and where a process began anew: moments.h
 * and restarts.h. */
#include <setjmp.h>
#include <stdarg.h>

#include "analysis/restarts.h"
#include "support/moving.h"

#include <cmocka.h>

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

/* A moment with a few goroutines in it. */
static struct snapshot_info *add(const char *source)
{
    struct snapshot *snapshot = moving_moment(&moving, source);

    moving_add(snapshot, "main.f", "chan send", 10, 0);
    return snapshot_info(snapshot);
}

static const struct moments *series(size_t index)
{
    if (!moving.growth)
        moving_compare(&moving);
    assert_true(index < growth_n_series(moving.growth));
    return growth_series(moving.growth, index);
}

static void without_any_time_distances_are_steps(void **state)
{
    (void)state;
    add("a");
    add("b");
    add("c");
    assert_int_equal(series(0)->n, 3);
    assert_int_equal(series(0)->clock, CLOCK_STEPS);
    assert_float_equal(series(0)->hours[2], 2, 0);
    assert_string_equal(moving_codes(&moving), "");
}

static void times_come_from_names(void **state)
{
    (void)state;
    add("a-20261121-053000");
    add("a-20261121-060000");
    assert_int_equal(series(0)->clock, CLOCK_NAME);
    assert_float_equal(series(0)->hours[1], 0.5, 1e-12);
}

static void profiles_know_better_than_names(void **state)
{
    (void)state;
    add("a-20261121-053000")->taken_ns = 1795239551000000000;
    add("a-20261121-060000")->taken_ns = 1795246751000000000;
    assert_int_equal(series(0)->clock, CLOCK_PROFILE);
    assert_float_equal(series(0)->hours[1], 2, 1e-12);
}

static void one_profile_without_a_time_leaves_it_to_names(void **state)
{
    (void)state;
    add("a-20261121-053000")->taken_ns = 1795239551000000000;
    add("a-20261121-060000");
    assert_int_equal(series(0)->clock, CLOCK_NAME);
}

static void the_user_knows_best(void **state)
{
    (void)state;
    reporting_set(&moving.base, "interval", "30m");
    add("a-20261121-053000")->taken_ns = 1795239551000000000;
    add("a-20261121-060000")->taken_ns = 1795246751000000000;
    assert_int_equal(series(0)->clock, CLOCK_GIVEN);
    assert_float_equal(series(0)->hours[1], 0.5, 1e-12);
}

static void given_times_lie_apart_as_they_say(void **state)
{
    (void)state;
    reporting_set(&moving.base, "times",
                  "2026-11-21T05:00:00Z,2026-11-21T08:00:00Z");
    add("a");
    add("b");
    assert_int_equal(series(0)->clock, CLOCK_GIVEN);
    assert_float_equal(series(0)->hours[1], 3, 1e-12);
}

static void files_written_at_once_have_no_times(void **state)
{
    (void)state;
    add("a")->written_ns = 1795239551000000000;
    add("b")->written_ns = 1795239551000000500;
    assert_int_equal(series(0)->clock, CLOCK_STEPS);
}

static void files_written_hours_apart_have(void **state)
{
    (void)state;
    add("a")->written_ns = 1795239551000000000;
    add("b")->written_ns = 1795243151000000000;
    assert_int_equal(series(0)->clock, CLOCK_FILE);
    assert_float_equal(series(0)->hours[1], 1, 1e-12);
}

static void times_that_fall_are_said_and_the_order_is_kept(void **state)
{
    (void)state;
    add("a-20261121-060000");
    add("a-20261121-053000");
    assert_int_equal(series(0)->clock, CLOCK_STEPS);
    assert_int_equal(series(0)->snapshots[0], 0);
    assert_string_equal(moving_codes(&moving), "time-order");
}

static void moments_sort_when_asked(void **state)
{
    (void)state;
    reporting_set(&moving.base, "sort", "time");
    add("a-20261121-060000");
    add("a-20261121-053000");
    assert_int_equal(series(0)->clock, CLOCK_NAME);
    text_has(snapshot_info(moving.base.snapshots->items[0])->source.ptr,
             "053000");
    assert_true(analysis_is_judged(moving.analysis, 1));
    assert_false(analysis_is_judged(moving.analysis, 0));
    assert_float_equal(series(0)->hours[1], 0.5, 1e-12);
    assert_string_equal(moving_codes(&moving), "");
}

static void times_that_are_given_are_sorted_with_their_snapshots(void **state)
{
    (void)state;
    reporting_set(&moving.base, "sort", "time");
    reporting_set(&moving.base, "times",
                  "2026-11-21T08:00:00Z,2026-11-21T05:00:00Z");
    add("late");
    add("early");
    assert_int_equal(series(0)->clock, CLOCK_GIVEN);
    assert_float_equal(series(0)->hours[1], 3, 1e-12);
    text_has(snapshot_info(moving.base.snapshots->items[0])->source.ptr,
             "early");
}

static void what_has_no_time_cannot_be_sorted(void **state)
{
    (void)state;
    reporting_set(&moving.base, "sort", "time");
    add("b");
    add("a");
    text_has(snapshot_info(moving.base.snapshots->items[0])->source.ptr, "b");
    assert_int_equal(series(0)->clock, CLOCK_STEPS);
    assert_string_equal(moving_codes(&moving), "time-unknown");
}

/* A cut tail would look like goroutines that ended. */
static void an_incomplete_moment_is_left_out(void **state)
{
    (void)state;
    add("a");
    add("b");
    add("c")->complete = false;
    assert_int_equal(series(0)->n, 2);
    assert_true(analysis_is_judged(moving.analysis, 1));
    assert_string_equal(moving_codes(&moving), "left-out");
    assert_int_equal(moments_find(series(0), 1), 1);
    assert_true(moments_find(series(0), 2) == MOMENTS_NONE);
}

static void an_empty_moment_is_left_out(void **state)
{
    (void)state;
    add("a");
    moving_moment(&moving, "empty");
    add("c");
    assert_int_equal(series(0)->n, 2);
    assert_int_equal(series(0)->snapshots[1], 2);
    assert_string_equal(moving_codes(&moving), "left-out");
}

static void of_two_an_incomplete_one_is_compared(void **state)
{
    (void)state;
    add("a");
    add("b")->complete = false;
    assert_int_equal(series(0)->n, 2);
    assert_string_equal(moving_codes(&moving), "");
}

static void the_first_minutes_can_be_left_out(void **state)
{
    (void)state;
    reporting_set(&moving.base, "interval", "5m");
    reporting_set(&moving.base, "skip", "10m");
    for (int i = 0; i < 6; i++)
        add("a");
    assert_int_equal(series(0)->first, 2);
    assert_false(series(0)->has_restart);
    assert_string_equal(moving_codes(&moving), "");
}

static void two_moments_remain_whatever_is_left_out(void **state)
{
    (void)state;
    reporting_set(&moving.base, "interval", "5m");
    reporting_set(&moving.base, "skip", "10h");
    for (int i = 0; i < 6; i++)
        add("a");
    assert_int_equal(series(0)->first, 4);
}

static void without_times_nothing_is_left_out(void **state)
{
    (void)state;
    reporting_set(&moving.base, "skip", "10m");
    add("a");
    add("b");
    add("c");
    assert_int_equal(series(0)->first, 0);
    assert_string_equal(moving_codes(&moving), "time-unknown");
}

static void each_instance_is_a_series(void **state)
{
    (void)state;
    add("a")->instance = STR("pod-1");
    add("b")->instance = STR("pod-2");
    add("c")->instance = STR("pod-1");
    assert_int_equal(series(0)->n, 2);
    assert_int_equal(series(0)->snapshots[1], 2);
    assert_int_equal(series(1)->n, 1);
    assert_int_equal(growth_n_series(moving.growth), 2);
}

static void proofs_and_other_profiles_are_no_moments(void **state)
{
    (void)state;
    add("a");
    add("b")->kind = PROFILE_THREADCREATE;
    add("c")->is_proof = true;
    add("d");
    assert_int_equal(series(0)->n, 2);
    assert_int_equal(series(0)->snapshots[1], 3);
}

/* A moment whose goroutines have ids up to a largest. */
static void add_with_ids(uint64_t largest)
{
    struct snapshot *snapshot = moving_moment(&moving, "dump.txt");

    moving_add(snapshot, "main.f", "chan send", 10, largest - 9);
}

static void ids_that_begin_anew_are_a_restart(void **state)
{
    (void)state;
    add_with_ids(5000);
    add_with_ids(9000);
    add_with_ids(100);
    add_with_ids(700);
    assert_int_equal(series(0)->first, 2);
    assert_string_equal(moving_codes(&moving), "restart");
}

/* The message of the last diagnostic. */
static struct str last_message(void)
{
    return moving.base.snapshots->diags.last->message;
}

static void snapshots_that_are_all_of_others_are_perhaps_replicas(void **state)
{
    (void)state;
    add_with_ids(9000);
    add_with_ids(3000);
    assert_true(series(0)->is_across);
    assert_false(str_contains(last_message(), STR("--instance")));
    tear_down(state);
    set_up(state);
    add_with_ids(9000);
    add_with_ids(3000);
    add_with_ids(100);
    assert_true(series(0)->is_across);
    assert_true(str_contains(last_message(), STR("--instance")));
}

/* The goroutine with the largest id may simply have ended. */
static void ids_that_fall_a_little_are_none(void **state)
{
    (void)state;
    add_with_ids(5000);
    add_with_ids(4000);
    assert_int_equal(series(0)->first, 0);
    assert_string_equal(moving_codes(&moving), "");
}

static void two_snapshots_tell_whether_one_process_made_them(void **state)
{
    struct snapshot *before;
    struct snapshot *after;

    (void)state;
    before = moving_moment(&moving, "a");
    moving_add(before, "main.f", "chan send", 10, 5000);
    after = moving_moment(&moving, "b");
    moving_add(after, "main.f", "chan send", 10, 100);
    assert_string_equal(restart_between(before, after),
                        "goroutine ids begin anew");
    assert_null(restart_between(after, before));
}

static void another_version_of_go_is_a_restart(void **state)
{
    (void)state;
    add("a")->go_version = STR("go1.24.4");
    add("b");
    add("c")->go_version = STR("go1.26.1");
    assert_int_equal(series(0)->first, 1);
    assert_true(series(0)->is_across);
    assert_string_equal(moving_codes(&moving), "restart");
}

static void add_at_address(uint64_t gopark)
{
    struct snapshot *snapshot = moving_moment(&moving, "dump.txt");

    snapshot_info(snapshot)->format = "debug1";
    reporting_add(snapshot,
                  &(struct sample){.count = 10,
                                   .frames = {"main.f|/src/main.go:1"},
                                   .hidden = {2, 2, {gopark, gopark + 400}}});
}

static void code_at_another_address_is_a_restart(void **state)
{
    (void)state;
    add_at_address(0x43d8ce);
    add_at_address(0x43d8ce);
    add("debug2 between them");
    add_at_address(0x43f00e);
    add_at_address(0x43f00e);
    assert_int_equal(series(0)->first, 3);
    assert_false(series(0)->is_across);
    assert_string_equal(moving_codes(&moving), "restart");
}

/* Goroutines that compute were stopped elsewhere than those that wait. */
static void more_that_run_than_wait_are_no_restart(void **state)
{
    struct snapshot *snapshot;

    (void)state;
    add_at_address(0x43d8ce);
    add_at_address(0x43d8ce);
    snapshot = moving.base.snapshots->items[1];
    reporting_add(snapshot,
                  &(struct sample){.count = 50,
                                   .frames = {"main.spin|/src/main.go:9"},
                                   .hidden = {2, 2, {0x46aa01, 0x46bb02}}});
    assert_int_equal(series(0)->first, 0);
    assert_string_equal(moving_codes(&moving), "");
}

static void a_total_that_falls_may_be_a_restart(void **state)
{
    struct snapshot *snapshot;

    (void)state;
    snapshot = moving_moment(&moving, "a");
    moving_add(snapshot, "main.f", "chan send", 400, 0);
    snapshot = moving_moment(&moving, "b");
    moving_add(snapshot, "main.f", "chan send", 100, 0);
    assert_int_equal(series(0)->first, 0);
    assert_string_equal(moving_codes(&moving), "possible-restart");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(without_any_time_distances_are_steps),
        TEST(times_come_from_names),
        TEST(profiles_know_better_than_names),
        TEST(one_profile_without_a_time_leaves_it_to_names),
        TEST(the_user_knows_best),
        TEST(given_times_lie_apart_as_they_say),
        TEST(files_written_at_once_have_no_times),
        TEST(files_written_hours_apart_have),
        TEST(times_that_fall_are_said_and_the_order_is_kept),
        TEST(moments_sort_when_asked),
        TEST(times_that_are_given_are_sorted_with_their_snapshots),
        TEST(what_has_no_time_cannot_be_sorted),
        TEST(an_incomplete_moment_is_left_out),
        TEST(an_empty_moment_is_left_out),
        TEST(of_two_an_incomplete_one_is_compared),
        TEST(the_first_minutes_can_be_left_out),
        TEST(two_moments_remain_whatever_is_left_out),
        TEST(without_times_nothing_is_left_out),
        TEST(each_instance_is_a_series),
        TEST(proofs_and_other_profiles_are_no_moments),
        TEST(ids_that_begin_anew_are_a_restart),
        TEST(snapshots_that_are_all_of_others_are_perhaps_replicas),
        TEST(ids_that_fall_a_little_are_none),
        TEST(two_snapshots_tell_whether_one_process_made_them),
        TEST(another_version_of_go_is_a_restart),
        TEST(code_at_another_address_is_a_restart),
        TEST(more_that_run_than_wait_are_no_restart),
        TEST(a_total_that_falls_may_be_a_restart),
    };

    return cmocka_run_group_tests_name("analysis/moments", tests, NULL, NULL);
}

/* Goroutines that never leave a place: GROWTH_STUCK of growth_sites.h. */
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

/* Moments of which one place moves and another does not. */
static void add_stuck(const char *state, uint64_t count, size_t n, bool moves)
{
    for (size_t i = 0; i < n; i++) {
        struct snapshot *snapshot = moving_moment(&moving, "x");

        moving_add(snapshot, "main.f", state, count, 0);
        moving_add(snapshot, "main.traffic", "IO wait",
                   moves && i % 2 ? 30 : 20, 0);
    }
}

/* The verdict on a place whose count stays while another's does not. */
static enum growth_verdict verdict_beside(const char *function, bool same_ids)
{
    for (size_t i = 0; i < 5; i++) {
        struct snapshot *snapshot = moving_moment(&moving, "x");

        moving_add(snapshot, "main.f", "chan send", 40,
                   same_ids ? 1000 : 1000 + 100 * i);
        moving_add(snapshot, function, "IO wait", i % 2 ? 30 : 20,
                   10000 + 100 * i);
    }
    return site()->verdict;
}

static void others_that_came_are_not_stuck(void **state)
{
    (void)state;
    assert_int_equal(verdict_beside("main.traffic", true), GROWTH_STUCK);
    moving_done(&moving);
    moving_init(&moving);
    assert_int_equal(verdict_beside("main.traffic", false), GROWTH_STABLE);
}

/* The request for the dump is in another state each time. */
static void the_dump_itself_does_not_move_a_process(void **state)
{
    (void)state;
    assert_int_equal(
        verdict_beside("net/http.(*connReader).backgroundRead", true),
        GROWTH_STABLE);
    moving_done(&moving);
    moving_init(&moving);
    assert_int_equal(
        verdict_beside("net/http.(*connReader).startBackgroundRead.gowrap2",
                       true),
        GROWTH_STABLE);
}

static void many_that_never_leave_are_stuck(void **state)
{
    (void)state;
    add_stuck("chan send", 40, 5, true);
    assert_int_equal(site()->verdict, GROWTH_STUCK);
}

static void four_moments_are_too_few_to_be_stuck(void **state)
{
    (void)state;
    add_stuck("chan send", 40, 4, true);
    assert_int_equal(site()->verdict, GROWTH_STABLE);
}

static void nine_goroutines_are_too_few_to_be_stuck(void **state)
{
    (void)state;
    add_stuck("sync.Mutex.Lock", 9, 6, true);
    assert_int_equal(site()->verdict, GROWTH_STABLE);
}

/* Nothing happens at all: perhaps it is the same moment many times. */
static void where_nothing_moves_nothing_is_stuck(void **state)
{
    (void)state;
    add_stuck("chan send", 40, 6, false);
    assert_int_equal(site()->verdict, GROWTH_STABLE);
}

static void waits_that_may_last_are_not_stuck(void **state)
{
    (void)state;
    add_stuck("select", 40, 6, true);
    assert_int_equal(site()->verdict, GROWTH_STABLE);
}

static void one_that_leaves_ends_being_stuck(void **state)
{
    static const uint64_t counts[] = {40, 40, 39, 40, 40, 40};

    (void)state;
    moving_course(&moving, "chan send", counts, COUNT(counts), 50);
    moving_add(moving.base.snapshots->items[2], "main.traffic", "select", 30,
               0);
    assert_int_equal(site()->verdict, GROWTH_STABLE);
}

/* Moments at which more and more send, and from the middle on no more; the ages
 * at the end are those of some of them, or of none. */
static void add_those_who_came(const char *state, unsigned aged)
{
    char name[32];

    for (unsigned i = 0; i < 12; i++) {
        unsigned n = i < 4 ? 10 + 20 * i : 70;
        struct snapshot *snapshot;

        snprintf(name, sizeof(name), "a-20261121-05%02u00", i);
        snapshot = moving_moment(&moving, name);
        reporting_add(snapshot,
                      &(struct sample){.count = n - (i == 11 ? aged : 0),
                                       .state = state,
                                       .frames = {"main.f|/src/main.go:1"},
                                       .first_id = 1000 + aged});
        if (i == 11 && aged)
            reporting_add(snapshot,
                          &(struct sample){.count = aged,
                                           .state = state,
                                           .frames = {"main.f|/src/main.go:1"},
                                           .wait_min = 7,
                                           .first_id = 1000});
        moving_add(snapshot, "main.traffic", "IO wait", i % 2 ? 30 : 20,
                   90000 + 100 * i);
    }
}

static void who_came_and_stays_is_stuck(void **state)
{
    (void)state;
    add_those_who_came("chan send", 0);
    assert_int_equal(site()->verdict, GROWTH_STUCK);
    assert_string_equal(site()->window, "end");
    assert_float_equal(site()->before, 70, 1e-9);
    /* No age confirms the ids. */
    assert_true(site()->is_unaged);
}

static void a_pool_that_filled_up_is_not_stuck(void **state)
{
    (void)state;
    add_those_who_came("select", 0);
    assert_int_equal(site()->verdict, GROWTH_PLATEAU);
}

/* A collection of garbage notes since when all wait: 5 of 70 have an age, so
 * that the others began to wait after it. */
static void who_lacks_the_age_of_others_has_moved(void **state)
{
    (void)state;
    add_those_who_came("chan send", 5);
    assert_int_equal(site()->verdict, GROWTH_PLATEAU);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(others_that_came_are_not_stuck),
        TEST(the_dump_itself_does_not_move_a_process),
        TEST(many_that_never_leave_are_stuck),
        TEST(four_moments_are_too_few_to_be_stuck),
        TEST(nine_goroutines_are_too_few_to_be_stuck),
        TEST(where_nothing_moves_nothing_is_stuck),
        TEST(waits_that_may_last_are_not_stuck),
        TEST(one_that_leaves_ends_being_stuck),
        TEST(who_came_and_stays_is_stuck),
        TEST(a_pool_that_filled_up_is_not_stuck),
        TEST(who_lacks_the_age_of_others_has_moved),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Those who stay where others come and go, by their ids: staying.h. */
#include <setjmp.h>
#include <stdarg.h>

#include "analysis/staying.h"
#include "support/moving.h"

#include <cmocka.h>

static struct moving moving;
static uint64_t next_id;

static int set_up(void **state)
{
    (void)state;
    moving_init(&moving);
    reporting_set(&moving.base, "interval", "1h");
    next_id = 100000;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    moving_done(&moving);
    return 0;
}

/* A moment with so many who are new, beside those who came `each` a moment and
 * stayed; these are as old as they say, in hours. */
static void add_all(const char *wait, uint64_t passing, uint64_t staying,
                    uint32_t hours)
{
    struct snapshot *snapshot = moving_moment(&moving, "x");
    struct sample old = {.count = staying,
                         .state = wait,
                         .frames = {"main.f|/src/main.go:1"},
                         .first_id = 1,
                         .wait_min = hours * 60};
    struct sample other = {.count = passing,
                           .state = wait,
                           .frames = {"main.f|/src/main.go:1"},
                           .first_id = next_id};

    if (staying)
        reporting_add(snapshot, &old);
    reporting_add(snapshot, &other);
    next_id += passing;
}

/* The same without ages. */
static void add(const char *wait, uint64_t passing, uint64_t staying)
{
    add_all(wait, passing, staying, 0);
}

static const struct site_growth *site(void)
{
    return moving_site(&moving, "main.f");
}

/* One in a hundred never ends: the counts are those of a busy place. */
static void add_leak(uint64_t each, bool has_ages)
{
    static const uint64_t passing[] = {200, 190, 215, 180, 205,
                                       190, 210, 185, 195, 200};

    for (uint64_t i = 0; i < 10; i++)
        add_all("select", passing[i], (i + 1) * each,
                has_ages ? (uint32_t)i + 1 : 0);
}

static void a_leak_behind_traffic_is_found(void **state)
{
    (void)state;
    add_leak(5, true);
    assert_int_equal(site()->verdict, GROWTH_GROWING);
    assert_true(site()->is_whole);
    assert_true(site()->staying.decides);
    assert_true(growth_gathers(site()));
    assert_false(growth_is_doubtful(site()));
    assert_true(growth_is_leak_like(site()));
    assert_float_equal(site()->staying.kept, 1, 0);
    assert_float_equal(site()->rate.median, 5, 0.5);
    assert_float_equal(site()->before, 205, 0);
    assert_float_equal(site()->after, 250, 0);
}

/* Who is woken now and then has no age: sessions do so, and stay as well. */
static void without_ages_they_may_be_sessions(void **state)
{
    (void)state;
    add_leak(5, false);
    assert_int_equal(site()->verdict, GROWTH_GROWING);
    assert_true(growth_gathers(site()));
    assert_true(growth_is_doubtful(site()));
    assert_false(growth_is_leak_like(site()));
}

/* Where the counts show it as well, they have the verdict. */
static void what_counts_show_is_no_longer_doubtful(void **state)
{
    (void)state;
    add_leak(80, true);
    assert_int_equal(site()->verdict, GROWTH_GROWING);
    assert_false(site()->staying.decides);
    assert_true(growth_gathers(site()));
    assert_true(growth_is_leak_like(site()));
    assert_float_equal(site()->before, 280, 0);
}

static void traffic_alone_is_none(void **state)
{
    (void)state;
    add_leak(0, true);
    assert_int_equal(site()->verdict, GROWTH_STABLE);
    assert_false(growth_gathers(site()));
}

static void who_stays_and_becomes_no_more_is_none(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 10; i++)
        add("select", 200 + i % 3, 40);
    assert_int_equal(site()->verdict, GROWTH_STABLE);
    assert_false(growth_gathers(site()));
}

/* Each moment's are there at the next three and no more: slow, and no leak,
 * though they become more. */
static void slow_requests_under_load_are_none(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 10; i++) {
        uint64_t first = i * (i + 1) * 5;
        uint64_t end = (i + 4) * (i + 5) * 5;

        moving_add(moving_moment(&moving, "x"), "main.f", "select", end - first,
                   1000 + first);
    }
    assert_int_equal(site()->verdict, GROWTH_GROWING);
    assert_false(growth_gathers(site()));
    assert_true(growth_passes(site()));
}

/* Of few moments they take the doubt away, but are no whole test. */
static void few_moments_are_no_proof(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 4; i++)
        add("select", 60, (i + 1) * 60);
    assert_int_equal(site()->verdict, GROWTH_GROWING);
    assert_false(site()->is_whole);
    assert_true(growth_gathers(site()));
    assert_false(site()->staying.is_whole);
}

/* A group keeps 256 ids: how many stay is estimated then. */
static void samples_tell_it_too(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 12; i++)
        add("select", 20000, (i + 1) * 1000);
    assert_true(growth_gathers(site()));
    assert_in_range((uint64_t)site()->staying.after, 8000, 12000);
}

static void without_ids_nothing_is_known(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 10; i++)
        moving_add(moving_moment(&moving, "x"), "main.f", "select", 200 + i * 5,
                   0);
    assert_false(growth_gathers(site()));
}

static void looks_leave_points_enough(void **state)
{
    (void)state;
    assert_int_equal(staying_lag(3, 0), 0);
    assert_int_equal(staying_lag(4, 0), 1);
    assert_int_equal(staying_lag(6, 0), 1);
    assert_int_equal(staying_lag(6, 1), 0);
    assert_int_equal(staying_lag(8, 0), 1);
    assert_int_equal(staying_lag(8, 1), 3);
    assert_int_equal(staying_lag(64, 0), 15);
    assert_int_equal(staying_lag(64, 1), 31);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(a_leak_behind_traffic_is_found),
        TEST(without_ages_they_may_be_sessions),
        TEST(what_counts_show_is_no_longer_doubtful),
        TEST(traffic_alone_is_none),
        TEST(who_stays_and_becomes_no_more_is_none),
        TEST(slow_requests_under_load_are_none),
        TEST(few_moments_are_no_proof),
        TEST(samples_tell_it_too),
        TEST(without_ids_nothing_is_known),
        TEST(looks_leave_points_enough),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

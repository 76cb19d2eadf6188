/* Which goroutines stay, by their ids: survivors.h, as growth tells it. */
#include <setjmp.h>
#include <stdarg.h>

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

static void add(uint64_t count, uint64_t first_id)
{
    moving_add(moving_moment(&moving, "x"), "main.f", "chan send", count,
               first_id);
}

static void goroutines_that_stay_survive(void **state)
{
    (void)state;
    add(100, 1000);
    add(300, 1000);
    assert_true(moving_site(&moving, "main.f")->has_survivors);
    assert_float_equal(moving_site(&moving, "main.f")->survivors, 1, 0);
}

static void traffic_does_not(void **state)
{
    (void)state;
    add(100, 1000);
    add(300, 2000);
    assert_true(moving_site(&moving, "main.f")->has_survivors);
    assert_float_equal(moving_site(&moving, "main.f")->survivors, 0, 0);
}

static void a_part_is_told_as_a_part(void **state)
{
    (void)state;
    add(100, 1000);
    add(100, 1050);
    assert_float_equal(moving_site(&moving, "main.f")->survivors, 0.5, 1e-9);
}

static void one_moment_given_twice_shows_nothing(void **state)
{
    (void)state;
    add(100, 1000);
    add(100, 1000);
    assert_false(moving_site(&moving, "main.f")->has_survivors);
}

/* A group keeps 256 ids: of 20,000 and of 40,000 goroutines those with the
 * smallest hash, which are compared as far as both samples reach. */
static void samples_of_many_are_of_the_same(void **state)
{
    (void)state;
    add(20000, 1000);
    add(40000, 1000);
    assert_float_equal(moving_site(&moving, "main.f")->survivors, 1, 0);
}

static void half_of_many_is_about_half(void **state)
{
    (void)state;
    add(20000, 1000);
    add(20000, 11000);
    assert_float_equal(moving_site(&moving, "main.f")->survivors, 0.5, 0.15);
}

static void a_few_goroutines_say_nothing(void **state)
{
    (void)state;
    add(3, 1000);
    add(30, 1000);
    assert_false(moving_site(&moving, "main.f")->has_survivors);
}

static void without_ids_nothing_is_known(void **state)
{
    (void)state;
    add(100, 1000);
    add(300, 0);
    assert_false(moving_site(&moving, "main.f")->has_survivors);
}

/* Of a place that was empty at the start, the middle tells. */
static void a_late_place_is_asked_from_the_middle(void **state)
{
    (void)state;
    add(0, 0);
    moving_add(moving.base.snapshots->items[0], "main.other", "select", 9, 1);
    add(50, 1000);
    add(100, 1000);
    add(150, 1000);
    add(200, 1000);
    assert_true(moving_site(&moving, "main.f")->has_survivors);
    assert_float_equal(moving_site(&moving, "main.f")->survivors, 1, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(goroutines_that_stay_survive),
        TEST(traffic_does_not),
        TEST(a_part_is_told_as_a_part),
        TEST(one_moment_given_twice_shows_nothing),
        TEST(samples_of_many_are_of_the_same),
        TEST(half_of_many_is_about_half),
        TEST(a_few_goroutines_say_nothing),
        TEST(without_ids_nothing_is_known),
        TEST(a_late_place_is_asked_from_the_middle),
    };

    return cmocka_run_group_tests_name("analysis/survivors", tests, NULL, NULL);
}

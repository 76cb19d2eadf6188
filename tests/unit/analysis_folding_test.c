/* Long series in little memory: folding.h. */
#include <setjmp.h>
#include <stdarg.h>

#include "analysis/folding.h"
#include "support/moving.h"

#include <cmocka.h>

enum { MOMENTS = 256 };

static struct moving moving;

static int set_up(void **state)
{
    (void)state;
    moving_init(&moving);
    reporting_set(&moving.base, "interval", "5m");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    moving_done(&moving);
    return 0;
}

/* Adds moments of a leak beside traffic, of so many instances in turn. */
static void add_moments(size_t n, size_t instances, bool folds)
{
    static const struct str names[] = {STR_INIT("a"), STR_INIT("b")};

    for (size_t i = 0; i < n; i++) {
        struct snapshot *snapshot = moving_moment(&moving, "dump.txt");

        if (instances > 1)
            snapshot_info(snapshot)->instance = names[i % instances];
        moving_add(snapshot, "main.f", "chan send", 100 + i, 1000);
        moving_add(snapshot, "main.g", "select", 50 + i % 7, 100000 + i * 100);
        if (folds)
            folding_step(moving.base.snapshots);
    }
}

static size_t count_folded(void)
{
    const struct cprof_snapshots *all = moving.base.snapshots;
    size_t folded = 0;
    size_t n;

    for (size_t i = 0; i < all->count; i++)
        folded += snapshot_folded(all->items[i], &n) != NULL;
    return folded;
}

static bool is_folded(size_t index)
{
    size_t n;

    return snapshot_folded(moving.base.snapshots->items[index], &n) != NULL;
}

static void a_short_series_stays_whole(void **state)
{
    (void)state;
    add_moments(64, 1, true);
    assert_int_equal(count_folded(), 0);
}

static void of_a_long_series_some_moments_stay_whole(void **state)
{
    (void)state;
    add_moments(MOMENTS, 1, true);
    assert_true(MOMENTS - count_folded() >= 32);
    assert_true(MOMENTS - count_folded() <= 66);
    assert_false(is_folded(0));
    assert_false(is_folded(MOMENTS - 1));
}

static void verdicts_are_those_of_whole_snapshots(void **state)
{
    struct site_growth whole;
    const struct site_growth *folded;

    (void)state;
    add_moments(MOMENTS, 1, false);
    whole = *moving_site(&moving, "main.f");
    moving_done(&moving);
    set_up(NULL);
    add_moments(MOMENTS, 1, true);
    folded = moving_site(&moving, "main.f");
    assert_true(count_folded() > MOMENTS / 2);
    assert_int_equal(folded->verdict, whole.verdict);
    assert_int_equal(folded->verdict, GROWTH_GROWING);
    assert_float_equal(folded->before, whole.before, 0);
    assert_float_equal(folded->after, whole.after, 0);
    assert_float_equal(folded->rate.median, whole.rate.median, 0);
    assert_float_equal(folded->p, whole.p, 0);
    assert_true(folded->has_survivors);
    assert_float_equal(folded->survivors, whole.survivors, 0);
    assert_float_equal(moving_site(&moving, "main.g")->survivors, 0, 0);
}

static void texts_and_totals_survive(void **state)
{
    const struct snapshot_info *info;

    (void)state;
    add_moments(MOMENTS, 1, true);
    assert_true(is_folded(1));
    info = snapshot_info_get(moving.base.snapshots->items[1]);
    assert_string_equal(info->source.ptr, "dump.txt");
    assert_int_equal(info->total, 101 + 51);
    assert_int_equal(snapshot_n_groups(moving.base.snapshots->items[1]), 0);
}

static void the_last_of_each_instance_stays_whole(void **state)
{
    (void)state;
    add_moments(MOMENTS, 2, true);
    assert_true(count_folded() > 0);
    assert_false(is_folded(MOMENTS - 1));
    assert_false(is_folded(MOMENTS - 2));
    assert_true(is_folded(MOMENTS - 3));
}

static void what_is_still_to_be_sorted_stays_whole(void **state)
{
    (void)state;
    reporting_set(&moving.base, "sort", "time");
    add_moments(MOMENTS, 1, true);
    assert_int_equal(count_folded(), 0);
}

static void cut_snapshots_and_the_last_before_them_stay_whole(void **state)
{
    (void)state;
    add_moments(MOMENTS - 1, 1, true);
    snapshot_info(moving.base.snapshots->items[MOMENTS - 2])->complete = false;
    add_moments(1, 1, false);
    snapshot_info(moving.base.snapshots->items[MOMENTS - 1])->complete = false;
    folding_step(moving.base.snapshots);
    assert_false(is_folded(MOMENTS - 1));
    assert_false(is_folded(MOMENTS - 2));
    assert_false(is_folded(MOMENTS - 3)); /* the last that is complete */
    assert_true(is_folded(MOMENTS - 5));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(a_short_series_stays_whole),
        TEST(of_a_long_series_some_moments_stay_whole),
        TEST(verdicts_are_those_of_whole_snapshots),
        TEST(texts_and_totals_survive),
        TEST(the_last_of_each_instance_stays_whole),
        TEST(what_is_still_to_be_sorted_stays_whole),
        TEST(cut_snapshots_and_the_last_before_them_stay_whole),
    };

    return cmocka_run_group_tests_name("analysis/folding", tests, NULL, NULL);
}

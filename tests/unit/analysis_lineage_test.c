/* Which groups of different snapshots are one: lineage.h. */
#include <setjmp.h>
#include <stdarg.h>

#include "analysis/lineage.h"
#include "support/moving.h"

#include <cmocka.h>

static struct moving moving;
static struct lineage lineage;

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

/* Ten goroutines in a stack of one or two frames. */
static void add(struct snapshot *snapshot, const char *state, const char *leaf,
                const char *root)
{
    reporting_add(
        snapshot,
        &(struct sample){.count = 10, .state = state, .frames = {leaf, root}});
}

static void match(void)
{
    moving_analyse(&moving);
    assert_true(lineage_init(&lineage, moving.analysis,
                             analysis_n_groups(moving.analysis)));
    assert_true(lineage_match(&lineage));
}

/* How many things there are over time. */
static size_t count_sets(void)
{
    size_t n = 0;

    for (size_t i = 0; i < lineage.n; i++)
        n += lineage_find(&lineage, i) == i;
    return n;
}

static void a_rebuild_moves_lines(void **state)
{
    struct snapshot *old = moving_moment(&moving, "old");
    struct snapshot *new = moving_moment(&moving, "new");

    (void)state;
    add(old, "chan send", "main.f|/src/main.go:10", "main.main|/src/main.go:5");
    add(new, "chan send", "main.f|/src/main.go:14", "main.main|/src/main.go:9");
    add(old, "select", "main.g|/src/main.go:20", NULL);
    add(new, "select", "main.g|/build/main.go:24", NULL);
    match();
    assert_int_equal(lineage.n, 4);
    assert_int_equal(count_sets(), 2);
}

/* Two lines of one function at the same time are two places. */
static void lines_that_live_together_stay_apart(void **state)
{
    struct snapshot *old = moving_moment(&moving, "old");
    struct snapshot *new = moving_moment(&moving, "new");

    (void)state;
    add(old, "chan send", "main.f|/src/main.go:10", NULL);
    add(new, "chan send", "main.f|/src/main.go:10", NULL);
    add(new, "chan send", "main.f|/src/main.go:14", NULL);
    match();
    assert_int_equal(count_sets(), 2);
}

static void other_waits_stay_apart(void **state)
{
    struct snapshot *old = moving_moment(&moving, "old");
    struct snapshot *new = moving_moment(&moving, "new");

    (void)state;
    add(old, "chan send", "main.f|/src/main.go:10", NULL);
    add(new, "chan receive", "main.f|/src/main.go:12", NULL);
    match();
    assert_int_equal(count_sets(), 2);
}

static void a_format_that_tells_less_is_not_new(void **state)
{
    struct snapshot *old = moving_moment(&moving, "old");
    struct snapshot *new = moving_moment(&moving, "new");

    (void)state;
    add(old, "chan send", "main.f|/src/main.go:10", NULL);
    add(new, NULL, "main.f|/src/main.go:10", NULL);
    match();
    assert_int_equal(lineage.n, 2);
    assert_int_equal(count_sets(), 1);
}

/* Which of two the vague one is, nobody knows. */
static void a_vague_state_beside_two_stays_apart(void **state)
{
    struct snapshot *old = moving_moment(&moving, "old");
    struct snapshot *new = moving_moment(&moving, "new");

    (void)state;
    add(old, "chan send", "main.f|/src/main.go:10", NULL);
    add(old, "select", "main.f|/src/main.go:10", NULL);
    add(new, NULL, "main.f|/src/main.go:10", NULL);
    match();
    assert_int_equal(count_sets(), 3);
}

static void closures_may_be_renumbered(void **state)
{
    struct snapshot *old = moving_moment(&moving, "old");
    struct snapshot *new = moving_moment(&moving, "new");

    (void)state;
    add(old, "chan send", "main.run.func1|/src/main.go:10", NULL);
    add(new, "chan send", "main.run.func2|/src/main.go:30", NULL);
    match();
    assert_int_equal(count_sets(), 1);
}

static void closures_that_could_be_either_stay_apart(void **state)
{
    struct snapshot *old = moving_moment(&moving, "old");
    struct snapshot *new = moving_moment(&moving, "new");

    (void)state;
    add(old, "chan send", "main.run.func1|/src/main.go:10", NULL);
    add(new, "chan send", "main.run.func2|/src/main.go:30", NULL);
    add(new, "chan send", "main.run.func3|/src/main.go:50", NULL);
    match();
    assert_int_equal(count_sets(), 3);
}

/* Digits in the names of functions that are no closures mean something. */
static void functions_with_numbers_are_other_functions(void **state)
{
    struct snapshot *old = moving_moment(&moving, "old");
    struct snapshot *new = moving_moment(&moving, "new");

    (void)state;
    add(old, "chan send", "main.readV1|/src/main.go:10", NULL);
    add(new, "chan send", "main.readV2|/src/main.go:30", NULL);
    match();
    assert_int_equal(count_sets(), 2);
}

/* A rebuild in the middle of a series: lines move twice. */
static void a_chain_of_rebuilds_is_one(void **state)
{
    static const char *const frames[] = {"main.f|/src/main.go:10",
                                         "main.f|/src/main.go:14",
                                         "main.f|/src/main.go:19"};

    (void)state;
    for (size_t i = 0; i < 6; i++)
        add(moving_moment(&moving, "x"), "chan send", frames[i / 2], NULL);
    match();
    assert_int_equal(lineage.n, 3);
    assert_int_equal(count_sets(), 1);
}

/* Two stacks of the same functions moved: none is taken for the wrong one, as
 * their order says which is which. */
static void two_lines_that_move_together_keep_their_order(void **state)
{
    struct snapshot *old = moving_moment(&moving, "old");
    struct snapshot *new = moving_moment(&moving, "new");
    const struct site_growth *site;

    (void)state;
    moving.base.snapshots->is_series = true;
    for (int i = 0; i < 3; i++)
        add(old, "chan send", "main.f|/src/main.go:10", NULL);
    add(old, "chan send", "main.f|/src/main.go:20", NULL);
    for (int i = 0; i < 3; i++)
        add(new, "chan send", "main.f|/src/main.go:14", NULL);
    add(new, "chan send", "main.f|/src/main.go:24", NULL);
    moving_compare(&moving);
    assert_int_equal(growth_n_sites(moving.growth), 2);
    site = growth_site(moving.growth, 0);
    assert_float_equal(site->before, 30, 0);
    assert_float_equal(site->after, 30, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(a_rebuild_moves_lines),
        TEST(lines_that_live_together_stay_apart),
        TEST(other_waits_stay_apart),
        TEST(a_format_that_tells_less_is_not_new),
        TEST(a_vague_state_beside_two_stays_apart),
        TEST(closures_may_be_renumbered),
        TEST(closures_that_could_be_either_stay_apart),
        TEST(functions_with_numbers_are_other_functions),
        TEST(a_chain_of_rebuilds_is_one),
        TEST(two_lines_that_move_together_keep_their_order),
    };

    return cmocka_run_group_tests_name("analysis/lineage", tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/stuck.h"

#include <cmocka.h>

static void nobody_may_leave(void **state)
{
    static const double same[] = {40, 40, 40, 40, 40};
    static const double more[] = {10, 10, 11, 40, 40};
    static const double one_left[] = {40, 40, 39, 40, 40};
    static const double few[] = {9, 40, 40, 40, 40};

    (void)state;
    assert_true(stuck_holds(same, 5));
    assert_true(stuck_holds(more, 5));
    assert_false(stuck_holds(one_left, 5));
    assert_false(stuck_holds(few, 5));
    assert_false(stuck_holds(same, 4));
}

static bool moves_elsewhere(const double *counts, size_t n, size_t n_places,
                            size_t place)
{
    struct stuck_moves moves = stuck_moves_of(counts, n, n_places);

    return stuck_moves_elsewhere(&moves, counts + place * n, n);
}

static void something_else_must_move(void **state)
{
    static const double counts[] = {
        40, 40, 40, 40, 40, /* the place */
        20, 20, 20, 20, 20, /* a pool */
        3,  5,  4,  3,  5,  /* requests */
    };
    static const double huge[] = {
        40, 40,     /* the place */
        1,  3,      /* requests */
        40, 100000, /* one that only the last test looks at */
    };

    (void)state;
    assert_true(moves_elsewhere(counts, 5, 3, 0));
    assert_false(moves_elsewhere(counts, 5, 2, 0));
    assert_false(moves_elsewhere(counts, 5, 3, 2));
    assert_true(moves_elsewhere(huge, 2, 2, 0));
    assert_false(moves_elsewhere(huge, 2, 3, 2));
}

/* Ten hours at five minutes: few until a moment, and then many. */
static bool stands(double before, double after, size_t since, double falls)
{
    double times[120];
    double counts[120];
    struct stuck_step step;

    for (size_t i = 0; i < 120; i++) {
        times[i] = (double)i / 12;
        counts[i] =
            i < since ? before * (double)(i % 2) : after + (double)(i % 3);
    }
    counts[118] *= falls;
    if (!stuck_stands(times, counts, 120, &step))
        return false;
    assert_int_equal(step.first, since);
    assert_float_equal(step.before, before, 0);
    return true;
}

static void who_came_at_once_and_is_still_there_stands(void **state)
{
    (void)state;
    assert_true(stands(4, 150, 100, 1));
    assert_false(stands(4, 150, 110, 1)); /* for less than an hour */
    assert_false(stands(4, 150, 10, 1));  /* nothing is known of before */
    assert_false(stands(20, 150, 100, 1));
    assert_false(stands(4, 40, 100, 1));
    assert_false(stands(4, 150, 100, 0.8)); /* some left */
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_may_leave),
        cmocka_unit_test(something_else_must_move),
        cmocka_unit_test(who_came_at_once_and_is_still_there_stands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

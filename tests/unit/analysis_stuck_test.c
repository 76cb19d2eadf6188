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

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_may_leave),
        cmocka_unit_test(something_else_must_move),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "format/id_set.h"

#include <cmocka.h>

enum { KEPT = ID_SET_FIRST / 2, MANY = 5000 };

/* How many of the ids from 1 to MANY are known. */
static size_t count_known(const struct id_set *set)
{
    size_t n = 0;

    for (uint64_t id = 1; id <= MANY; id++)
        n += id_set_has(set, id);
    return n;
}

static void add_many(struct id_set *set)
{
    for (uint64_t id = 1; id <= MANY; id++)
        id_set_add(set, id);
}

static void the_first_ids_are_kept_without_memory(void **s)
{
    struct budget budget;
    struct id_set set;

    (void)s;
    budget_init(&budget, 1);
    id_set_init(&set, &budget, 0);
    add_many(&set);
    assert_int_equal(count_known(&set), KEPT);
    assert_true(id_set_has(&set, KEPT));
    id_set_clear(&set);
    assert_int_equal(count_known(&set), 0);
    add_many(&set);
    assert_int_equal(count_known(&set), KEPT);
    id_set_done(&set);
}

static void a_set_keeps_as_many_ids_as_it_is_told(void **s)
{
    struct budget budget;
    struct id_set set;

    (void)s;
    budget_init(&budget, 0);
    id_set_init(&set, &budget, 0);
    add_many(&set);
    assert_int_equal(count_known(&set), ID_SET_MOST);
    id_set_clear(&set);
    assert_int_equal(count_known(&set), 0);
    id_set_done(&set);
    id_set_init(&set, &budget, 3000);
    add_many(&set);
    assert_int_equal(count_known(&set), 3000);
    id_set_done(&set);
    assert_int_equal(atomic_load(&budget.used), 0);
}

/* It is the scheduler's, of every thread. */
static void id_0_is_never_known(void **s)
{
    struct budget budget;
    struct id_set set;

    (void)s;
    budget_init(&budget, 0);
    id_set_init(&set, &budget, 0);
    id_set_add(&set, 0);
    assert_false(id_set_has(&set, 0));
    assert_int_equal(set.count, 0);
    id_set_done(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_ids_are_kept_without_memory),
        cmocka_unit_test(a_set_keeps_as_many_ids_as_it_is_told),
        cmocka_unit_test(id_0_is_never_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

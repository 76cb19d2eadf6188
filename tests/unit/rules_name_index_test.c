#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "rules/name_index.h"

#include <cmocka.h>

enum { N = 1000 };

static char texts[N][16];

static struct str text_of(const void *user, size_t index)
{
    (void)user;
    return str_from(texts[index]);
}

static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++)
        snprintf(texts[i], sizeof(texts[i]), "n%d", i);
    return 0;
}

static size_t find(const struct name_index *index, const char *text, size_t n)
{
    return name_index_find(index, str_from(text), n, text_of, NULL);
}

static void names_are_found_whether_entered_or_not(void **state)
{
    struct budget budget;
    struct name_index index;

    (void)state;
    budget_init(&budget, 0);
    name_index_init(&index, &budget);
    assert_int_equal(find(&index, "n7", N), 7);
    name_index_enter(&index, N / 2, text_of, NULL);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(find(&index, texts[i], N), i);
    assert_int_equal(find(&index, "n1000", N), N);
    assert_int_equal(find(&index, "", N), N);
    name_index_done(&index);
    assert_int_equal(find(&index, "n7", N), 7);
    assert_int_equal(budget.used, 0);
}

static void the_last_of_equal_names_is_found(void **state)
{
    struct budget budget;
    struct name_index index;

    (void)state;
    budget_init(&budget, 0);
    name_index_init(&index, &budget);
    snprintf(texts[5], sizeof(texts[5]), "n3");
    snprintf(texts[9], sizeof(texts[9]), "n3");
    name_index_enter(&index, 7, text_of, NULL);
    assert_int_equal(find(&index, "n3", 5), 3);
    assert_int_equal(find(&index, "n3", 7), 5);
    assert_int_equal(find(&index, "n3", N), 9);
    name_index_done(&index);
}

static void without_memory_names_are_found_all_the_same(void **state)
{
    struct budget budget;
    struct name_index index;

    (void)state;
    budget_init(&budget, 1);
    name_index_init(&index, &budget);
    name_index_enter(&index, N, text_of, NULL);
    assert_int_equal(index.n_entered, 0);
    assert_int_equal(find(&index, "n998", N), 998);
    name_index_done(&index);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(names_are_found_whether_entered_or_not),
        TEST(the_last_of_equal_names_is_found),
        TEST(without_memory_names_are_found_all_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

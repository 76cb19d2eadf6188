/* The hash table and the texts that are kept once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/hash.h"
#include "base/intern.h"

#include <cmocka.h>

static struct str number_text(char *into, size_t size, unsigned number)
{
    snprintf(into, size, "main.handler%u.func1", number);
    return str_from(into);
}

static void every_text_has_one_id_in_order_of_arrival(void **state)
{
    struct budget budget;
    struct intern intern;
    char text[64];

    (void)state;
    budget_init(&budget, 0);
    intern_init(&intern, &budget);
    for (unsigned i = 1; i <= 20000; i++)
        assert_int_equal(
            intern_put(&intern, number_text(text, sizeof(text), i)), i);
    for (unsigned i = 1; i <= 20000; i++) {
        struct str name = number_text(text, sizeof(text), i);

        assert_int_equal(intern_put(&intern, name), i);
        assert_int_equal(intern_find(&intern, name), i);
        assert_true(str_equal(intern_text(&intern, i), name));
        assert_int_equal(intern_text(&intern, i).ptr[name.len], '\0');
    }
    assert_int_equal(intern_count(&intern), 20000);
    intern_done(&intern);
    assert_int_equal(budget.used, 0);
}

static void the_empty_text_is_id_0(void **state)
{
    struct budget budget;
    struct intern intern;

    (void)state;
    budget_init(&budget, 0);
    intern_init(&intern, &budget);
    assert_int_equal(intern_put(&intern, STR("")), 0);
    assert_int_equal(intern_find(&intern, STR("")), 0);
    assert_int_equal(intern_find(&intern, STR("a")), 0);
    assert_int_equal(intern_text(&intern, 0).len, 0);
    intern_done(&intern);
}

static void texts_may_hold_any_byte(void **state)
{
    struct budget budget;
    struct intern intern;

    (void)state;
    budget_init(&budget, 0);
    intern_init(&intern, &budget);
    assert_int_equal(intern_put(&intern, STR("a\0b")), 1);
    assert_int_equal(intern_put(&intern, STR("a\0c")), 2);
    assert_int_equal(intern_put(&intern, STR("a")), 3);
    assert_int_equal(intern_put(&intern, STR("a\0b")), 1);
    intern_done(&intern);
}

static void without_memory_known_texts_stay_and_new_ones_are_refused(
    void **state)
{
    struct budget budget;
    struct intern intern;
    char text[64];
    unsigned known = 0;

    (void)state;
    budget_init(&budget, 100000);
    intern_init(&intern, &budget);
    while (intern_put(&intern, number_text(text, sizeof(text), known)))
        known++;
    assert_true(known > 500);
    assert_int_equal(intern_count(&intern), known);
    for (unsigned i = 0; i < known; i++)
        assert_int_equal(
            intern_put(&intern, number_text(text, sizeof(text), i)), i + 1);
    assert_int_equal(intern_put(&intern, STR("another long text, to be sure "
                                             "that it does not fit")),
                     0);
    intern_done(&intern);
    assert_int_equal(budget.used, 0);
}

/* An input could choose bytes that make one factor of the product 0. */
static void no_word_makes_the_hash_forget_the_other(void **state)
{
    (void)state;
    assert_true(hash_mix(1, 0xd1b54a32d192ed03u) !=
                hash_mix(2, 0xd1b54a32d192ed03u));
    assert_true(hash_mix(0x9e3779b97f4a7c15u, 1) !=
                hash_mix(0x9e3779b97f4a7c15u, 2));
}

static void hashes_of_prefixes_differ(void **state)
{
    static const char zeros[32] = {0};
    uint64_t seen[32];

    (void)state;
    for (size_t i = 0; i < 32; i++) {
        seen[i] = hash_bytes(zeros, i);
        for (size_t j = 0; j < i; j++)
            assert_true(seen[i] != seen[j]);
    }
}

static uint64_t same_hash(const void *user, uint32_t id)
{
    (void)user;
    (void)id;
    return 5;
}

static void ids_with_equal_hashes_are_all_walked(void **state)
{
    struct budget budget;
    struct table table;
    struct table_walk walk;
    unsigned n = 0;

    (void)state;
    budget_init(&budget, 0);
    table_init(&table, &budget);
    walk = table_walk(&table, 5);
    assert_int_equal(table_next(&table, &walk), 0);
    for (uint32_t id = 1; id <= 300; id++)
        assert_true(table_put(&table, 5, id, same_hash, NULL));
    walk = table_walk(&table, 5);
    while (table_next(&table, &walk))
        n++;
    assert_int_equal(n, 300);
    walk = table_walk(&table, (uint64_t)1 << 32 | 5);
    assert_int_equal(table_next(&table, &walk), 0);
    table_done(&table);
    assert_int_equal(budget.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_has_one_id_in_order_of_arrival),
        cmocka_unit_test(the_empty_text_is_id_0),
        cmocka_unit_test(texts_may_hold_any_byte),
        cmocka_unit_test(
            without_memory_known_texts_stay_and_new_ones_are_refused),
        cmocka_unit_test(no_word_makes_the_hash_forget_the_other),
        cmocka_unit_test(hashes_of_prefixes_differ),
        cmocka_unit_test(ids_with_equal_hashes_are_all_walked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

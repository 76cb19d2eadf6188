/* Which of very many locks are looked at, and which arguments near them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include "analysis/most_waited.h"
#include "analysis/page_set.h"

#include <cmocka.h>

enum { WAITERS = MOST_WAITED * 2 };

static int compare_hashes(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

static struct budget budget;
static struct arena arena;
static struct pool waiters;

static int set_up(void **state)
{
    (void)state;
    budget_init(&budget, 0);
    arena_init(&arena, &budget);
    pool_init(&waiters, &budget, sizeof(struct lock_waiters));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    pool_done(&waiters);
    arena_done(&arena);
    return budget.used == 0 ? 0 : -1;
}

/* Makes n waiters for locks 16 bytes apart, each with a count, in an order that
 * says nothing. */
static void make_waiters(size_t n, uint64_t (*count)(size_t index))
{
    pool_done(&waiters);
    for (size_t k = 0; k < n; k++) {
        size_t i = k * 5 % n;
        struct lock_waiters *item = pool_add(&waiters);

        assert_non_null(item);
        *item = (struct lock_waiters){.group = (uint32_t)(i % 3),
                                      .known = LOCK_ADDRESS_EXACT,
                                      .address = 0xc000000000 + 16 * i,
                                      .count = count(i)};
    }
}

static uint64_t count_one(size_t index)
{
    (void)index;
    return 1;
}

static uint64_t count_of_index(size_t index)
{
    return index % 7;
}

static uint64_t count_up(size_t index)
{
    return index + 1;
}

static void expect_order(const struct lock_waiters *found, size_t n)
{
    assert_int_equal(n, MOST_WAITED);
    for (size_t i = 1; i < n; i++)
        assert_true(found[i].address > found[i - 1].address);
}

static void those_with_the_most_waiters_are_chosen(void **state)
{
    size_t n = 0;
    const struct lock_waiters *found;

    (void)state;
    make_waiters(WAITERS, count_up);
    found = most_waited(&arena, &waiters, &n);
    expect_order(found, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(found[i].count, WAITERS - MOST_WAITED + i + 1);

    make_waiters(WAITERS, count_of_index);
    found = most_waited(&arena, &waiters, &n);
    expect_order(found, n);
    /* Of twice as many in seven classes, the upper three and half of the
     * fourth. */
    for (size_t i = 0; i < n; i++)
        assert_true(found[i].count >= 3);

    make_waiters(MOST_WAITED, count_one);
    found = most_waited(&arena, &waiters, &n);
    expect_order(found, n);
    make_waiters(0, count_one);
    found = most_waited(&arena, &waiters, &n);
    assert_non_null(found);
    assert_int_equal(n, 0);
}

static void of_equals_the_hash_of_the_address_decides(void **state)
{
    static uint64_t hashes[WAITERS];
    size_t n = 0;
    const struct lock_waiters *found;

    (void)state;
    make_waiters(WAITERS, count_one);
    for (size_t i = 0; i < WAITERS; i++) {
        const struct lock_waiters *item = pool_at(&waiters, i);

        hashes[i] = id_sample_hash(item->address);
    }
    qsort(hashes, WAITERS, sizeof(*hashes), compare_hashes);
    found = most_waited(&arena, &waiters, &n);
    expect_order(found, n);
    for (size_t i = 0; i < n; i++)
        assert_true(id_sample_hash(found[i].address) < hashes[MOST_WAITED]);
}

/* Many groups wait for one lock, and not all of them can be looked at. */
static void of_one_lock_the_first_groups_are_chosen(void **state)
{
    size_t n = 0;
    const struct lock_waiters *found;

    (void)state;
    make_waiters(WAITERS, count_one);
    for (size_t i = 0; i < WAITERS; i++) {
        struct lock_waiters *item = pool_at(&waiters, i);

        item->group = (uint32_t)(i * 5 % WAITERS);
        item->address = 0xc000000000;
    }
    found = most_waited(&arena, &waiters, &n);
    assert_int_equal(n, MOST_WAITED);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(found[i].group, i);
}

static void what_follows_within_a_page_is_never_missed(void **state)
{
    const uint64_t locks[] = {0xc000012340, 0x1000, UINT64_MAX - 7};
    struct page_set set;
    unsigned n_far = 0;

    (void)state;
    assert_true(page_set_init(&set, &arena));
    assert_false(page_set_may_follow(&set, locks[0]));
    for (unsigned i = 0; i < 3; i++)
        page_set_add(&set, locks[i]);
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned distance = 0; distance < PAGE_SET_REACH; distance++)
            assert_true(page_set_may_follow(&set, locks[i] - distance));
    }
    for (uint64_t i = 0; i < 1000; i++)
        n_far += page_set_may_follow(&set, 0xc100000000 + i * 0x10000);
    assert_true(n_far < 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(those_with_the_most_waiters_are_chosen,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            of_equals_the_hash_of_the_address_decides, set_up, tear_down),
        cmocka_unit_test_setup_teardown(of_one_lock_the_first_groups_are_chosen,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            what_follows_within_a_page_is_never_missed, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

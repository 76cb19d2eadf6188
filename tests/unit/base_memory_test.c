/* Budget, arena, buffer and pool: who has how much memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/pool.h"

#include <cmocka.h>

static void a_budget_is_charged_and_given_back(void **state)
{
    struct budget budget;

    (void)state;
    budget_init(&budget, 100);
    assert_true(budget_take(&budget, 60));
    assert_false(budget_take(&budget, 41));
    assert_false(budget_take(&budget, SIZE_MAX));
    assert_int_equal(budget.used, 60);
    assert_true(budget_take(&budget, 40));
    budget_give(&budget, 100);
    assert_int_equal(budget.used, 0);
    assert_int_equal(budget.peak, 100);
}

static void a_budget_of_nothing_is_the_default(void **state)
{
    struct budget budget;

    (void)state;
    budget_init(&budget, 0);
    assert_int_equal(budget.limit, BUDGET_DEFAULT);
}

static void a_block_that_cannot_grow_stays_as_it_was(void **state)
{
    struct budget budget;
    char *block;

    (void)state;
    budget_init(&budget, 64);
    block = budget_resize(&budget, NULL, 0, 16);
    assert_non_null(block);
    memcpy(block, "0123456789abcdef", 16);
    assert_null(budget_resize(&budget, block, 16, 49));
    assert_int_equal(budget.used, 16);
    block = budget_resize(&budget, block, 16, 40);
    assert_memory_equal(block, "0123456789abcdef", 16);
    block = budget_resize(&budget, block, 40, 4);
    assert_memory_equal(block, "0123", 4);
    assert_int_equal(budget.used, 4);
    budget_free(&budget, block, 4);
    budget_free(&budget, NULL, 4);
    assert_int_equal(budget.used, 0);
}

static void an_arena_gives_aligned_pieces_and_takes_all_back(void **state)
{
    struct budget budget;
    struct arena arena;
    char *first;
    char *second;

    (void)state;
    budget_init(&budget, 0);
    arena_init(&arena, &budget);
    first = arena_take(&arena, 1);
    second = arena_take_zero(&arena, 100000);
    assert_int_equal((uintptr_t)first % _Alignof(max_align_t), 0);
    assert_int_equal((uintptr_t)second % _Alignof(max_align_t), 0);
    assert_int_equal(second[0] | second[99999], 0);
    assert_non_null(arena_take(&arena, 0));
    assert_true(budget.used > 100000);
    arena_done(&arena);
    assert_int_equal(budget.used, 0);
    arena_done(&arena);
}

static void an_arena_beyond_its_budget_gives_null(void **state)
{
    struct budget budget;
    struct arena arena;

    (void)state;
    budget_init(&budget, 10000);
    arena_init(&arena, &budget);
    assert_null(arena_take(&arena, 10000));
    assert_null(arena_take(&arena, SIZE_MAX));
    assert_null(arena_take(&arena, SIZE_MAX - 20));
    assert_null(arena_copy(&arena, (struct str){"x", 20000}).ptr);
    assert_non_null(arena_take(&arena, 5000));
    arena_done(&arena);
    assert_int_equal(budget.used, 0);
}

static void a_reset_arena_keeps_one_chunk(void **state)
{
    struct budget budget;
    struct arena arena;
    size_t used;

    (void)state;
    budget_init(&budget, 0);
    arena_init(&arena, &budget);
    arena_reset(&arena);
    for (int i = 0; i < 1000; i++)
        assert_non_null(arena_take(&arena, 100));
    arena_reset(&arena);
    used = budget.used;
    assert_true(used > 0 && used < 100000);
    assert_non_null(arena_take(&arena, 100));
    assert_int_equal(budget.used, used);
    arena_done(&arena);
    assert_int_equal(budget.used, 0);
}

static void a_copy_in_an_arena_ends_in_nul(void **state)
{
    struct budget budget;
    struct arena arena;
    struct str copy;

    (void)state;
    budget_init(&budget, 0);
    arena_init(&arena, &budget);
    copy = arena_copy(&arena, STR("a\0b"));
    assert_int_equal(copy.len, 3);
    assert_memory_equal(copy.ptr, "a\0b", 4);
    copy = arena_copy(&arena, (struct str){0});
    assert_int_equal(copy.ptr[0], '\0');
    arena_done(&arena);
}

static void a_buffer_grows_and_stays_terminated(void **state)
{
    struct buf buf = {0};

    (void)state;
    buf_add(&buf, STR(""));
    assert_string_equal(buf.ptr, "");
    buf_add(&buf, STR("ab"));
    buf_add_char(&buf, 'c');
    buf_add_repeat(&buf, '-', 3);
    buf_addf(&buf, "%d", 42);
    assert_string_equal(buf.ptr, "abc---42");
    buf_add_repeat(&buf, 'x', 1000);
    assert_int_equal(buf_str(&buf).len, 1008);
    assert_int_equal(buf.ptr[1008], '\0');
    buf_clear(&buf);
    assert_string_equal(buf.ptr, "");
    buf_done(&buf);
    buf_done(&buf);
    assert_null(buf.ptr);
}

static void a_buffer_that_failed_ignores_the_rest(void **state)
{
    struct buf buf = {0};

    (void)state;
    buf_add(&buf, STR("ab"));
    buf_add_repeat(&buf, 'x', SIZE_MAX);
    assert_true(buf.failed);
    buf_add(&buf, STR("cd"));
    assert_string_equal(buf.ptr, "ab");
    buf_clear(&buf);
    buf_add(&buf, STR("cd"));
    assert_string_equal(buf.ptr, "cd");
    buf_done(&buf);
}

static void buffers_that_failed_are_counted_once_each(void **state)
{
    struct buf buf = {0};
    struct buf other = {0};
    size_t before = buf_failures();

    (void)state;
    buf_add(&buf, STR("ab"));
    assert_int_equal(buf_failures(), before);
    buf_add_repeat(&buf, 'x', SIZE_MAX);
    buf_add_repeat(&buf, 'x', SIZE_MAX);
    assert_int_equal(buf_failures(), before + 1);
    buf_add(&other, buf_str(&buf)); /* carries the failure on */
    assert_int_equal(buf_failures(), before + 2);
    buf_clear(&buf);
    buf_add_repeat(&buf, 'x', SIZE_MAX);
    assert_int_equal(buf_failures(), before + 3);
    buf_done(&buf);
    buf_done(&other);
}

static void elements_of_a_pool_never_move(void **state)
{
    struct budget budget;
    struct pool pool;
    uint64_t *first;

    (void)state;
    budget_init(&budget, 0);
    pool_init(&pool, &budget, sizeof(uint64_t));
    first = pool_add(&pool);
    *first = 7;
    for (uint64_t i = 1; i < 10000; i++) {
        uint64_t *next = pool_add(&pool);

        assert_int_equal(*next, 0);
        *next = i;
    }
    assert_ptr_equal(pool_at(&pool, 0), first);
    assert_int_equal(*first, 7);
    for (uint64_t i = 1; i < 10000; i++)
        assert_int_equal(*(uint64_t *)pool_at(&pool, i), i);
    pool_done(&pool);
    assert_int_equal(budget.used, 0);
    assert_int_equal(pool.count, 0);
}

static void a_pool_holds_little_more_than_it_uses(void **state)
{
    struct budget budget;
    struct pool pool;

    (void)state;
    budget_init(&budget, 0);
    pool_init(&pool, &budget, 40);
    for (size_t n = 1; n <= 100000; n++) {
        assert_non_null(pool_add(&pool));
        assert_true(budget.used <= n * 40 / 8 * 9 + 4096);
    }
    pool_done(&pool);
    assert_int_equal(budget.used, 0);
}

static void a_pool_beyond_its_budget_stays_as_it_is(void **state)
{
    struct budget budget;
    struct pool pool;
    size_t n = 0;

    (void)state;
    budget_init(&budget, 4096);
    pool_init(&pool, &budget, 16);
    while (pool_add(&pool))
        n++;
    assert_true(n * 16 <= 4096 && n * 16 > 3072);
    assert_int_equal(pool.count, n);
    pool_done(&pool);
    assert_int_equal(budget.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_budget_is_charged_and_given_back),
        cmocka_unit_test(a_budget_of_nothing_is_the_default),
        cmocka_unit_test(a_block_that_cannot_grow_stays_as_it_was),
        cmocka_unit_test(an_arena_gives_aligned_pieces_and_takes_all_back),
        cmocka_unit_test(an_arena_beyond_its_budget_gives_null),
        cmocka_unit_test(a_reset_arena_keeps_one_chunk),
        cmocka_unit_test(a_copy_in_an_arena_ends_in_nul),
        cmocka_unit_test(a_buffer_grows_and_stays_terminated),
        cmocka_unit_test(a_buffer_that_failed_ignores_the_rest),
        cmocka_unit_test(buffers_that_failed_are_counted_once_each),
        cmocka_unit_test(elements_of_a_pool_never_move),
        cmocka_unit_test(a_pool_holds_little_more_than_it_uses),
        cmocka_unit_test(a_pool_beyond_its_budget_stays_as_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

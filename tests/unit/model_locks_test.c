#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "model/locks.h"

#include <cmocka.h>

static struct budget budget;
static struct symbols *symbols;
static struct arena arena;
static struct lock_table locks;

static int set_up(void **state)
{
    (void)state;
    budget_init(&budget, 0);
    arena_init(&arena, &budget);
    lock_table_init(&locks, &budget);
    return symbols_new(&symbols, &budget, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    symbols_free(symbols);
    lock_table_done(&locks);
    arena_done(&arena);
    return budget.used == 0 ? 0 : -1;
}

enum { MOST_FRAMES = 8 };

static uint8_t find(const char *const functions[MOST_FRAMES])
{
    frame_id frames[MOST_FRAMES];
    size_t n = 0;

    for (; n < MOST_FRAMES && functions[n]; n++)
        frames[n] = symbols_frame_put(
            symbols,
            (struct frame){
                symbols_function_put(symbols, str_from(functions[n])), 0, 0});
    return lock_frame_find(symbols, frames, n);
}

struct example {
    const char *functions[MOST_FRAMES];
    uint8_t frame;
};

static void the_lock_is_the_receiver_of_the_first_lock_method(void **state)
{
    static const struct example examples[] = {
        {{"sync.runtime_SemacquireMutex", "sync.(*Mutex).lockSlow",
          "sync.(*Mutex).Lock", "main.f"},
         1},
        {{"internal/sync.runtime_SemacquireMutex",
          "internal/sync.(*Mutex).lockSlow", "internal/sync.(*Mutex).Lock",
          "sync.(*Mutex).Lock", "main.f"},
         1},
        {{"runtime.gopark", "sync.runtime_SemacquireRWMutexR",
          "sync.(*RWMutex).RLock", "main.f"},
         2},
        {{"sync.runtime_Semacquire", "sync.(*WaitGroup).Wait", "main.f"}, 1},
        {{"sync.runtime_notifyListWait", "sync.(*Cond).Wait", "main.f"}, 1},
        {{"main.f", "sync.(*Mutex).Lock"}, LOCK_FRAME_NONE},
        {{"sync.(*Once).doSlow", "main.f"}, LOCK_FRAME_NONE},
        {{"sync.(*Once).doSlow"}, LOCK_FRAME_NONE},
        {{NULL}, LOCK_FRAME_NONE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++)
        assert_int_equal(find(examples[i].functions), examples[i].frame);
}

static void add(uint32_t group, const char *first, const char *second)
{
    struct str args[] = {str_from(first), str_from(second)};

    lock_table_add(&locks, group, args, 2, 1);
}

static void waiters_are_counted_by_group_and_address(void **state)
{
    const struct lock_waiters *sorted;
    size_t count = 7;

    (void)state;
    assert_null(lock_table_sorted(&locks, &arena, &count));
    assert_int_equal(count, 0);
    add(2, "0xc000020010, 0x1", "");
    add(1, "0xc000020010", "");
    add(1, "0xc000010010?", "");
    add(1, "...", "0xc000020010");
    sorted = lock_table_sorted(&locks, &arena, &count);
    assert_int_equal(count, 3);
    assert_int_equal(sorted[0].address, 0xc000010010);
    assert_int_equal(sorted[1].group, 1);
    assert_int_equal(sorted[1].count, 2);
    assert_int_equal(sorted[2].group, 2);
    assert_int_equal(locks.others, 0);
}

static void what_is_no_address_is_not_counted(void **state)
{
    size_t count;

    (void)state;
    add(1, "", "0x5");
    add(1, "...", "...");
    add(1, "0x0", "");
    add(1, "0x", "");
    add(1, "{0x5}", "");
    add(1, "12", "");
    lock_table_add(&locks, 1, NULL, 0, 1);
    assert_null(lock_table_sorted(&locks, &arena, &count));
    assert_int_equal(locks.others, 0);
}

static void a_million_locks_are_bounded_and_counted(void **state)
{
    size_t count;

    (void)state;
    for (unsigned i = 1; i <= 100000; i++) {
        char text[32];

        snprintf(text, sizeof(text), "0xc000%06x", i * 8);
        add(i % 3, text, "");
    }
    assert_non_null(lock_table_sorted(&locks, &arena, &count));
    assert_int_equal(count, EVIDENCE_LOCKS);
    assert_int_equal(locks.others, 100000 - EVIDENCE_LOCKS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_lock_is_the_receiver_of_the_first_lock_method),
        TEST(waiters_are_counted_by_group_and_address),
        TEST(what_is_no_address_is_not_counted),
        TEST(a_million_locks_are_bounded_and_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

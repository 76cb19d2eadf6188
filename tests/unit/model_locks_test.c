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

static size_t put_frames(const char *const functions[MOST_FRAMES],
                         frame_id frames[MOST_FRAMES])
{
    size_t n = 0;

    for (; n < MOST_FRAMES && functions[n]; n++)
        frames[n] = symbols_frame_put(
            symbols,
            (struct frame){
                symbols_function_put(symbols, str_from(functions[n])), 0, 0});
    return n;
}

static uint8_t find(const char *const functions[MOST_FRAMES])
{
    frame_id frames[MOST_FRAMES];

    return lock_frame_find(symbols, frames, put_frames(functions, frames));
}

struct example {
    const char *functions[MOST_FRAMES];
    uint8_t lock; /* LOCK_FRAME_NONE: no wait for a lock */
    uint8_t owner;
};

static void the_lock_and_the_frame_that_called_it_are_found(void **state)
{
    static const struct example examples[] = {
        {{"sync.runtime_SemacquireMutex", "sync.(*Mutex).lockSlow",
          "sync.(*Mutex).Lock", "main.f"},
         1,
         3},
        {{"internal/sync.runtime_SemacquireMutex",
          "internal/sync.(*Mutex).lockSlow", "internal/sync.(*Mutex).Lock",
          "sync.(*Mutex).Lock", "main.f"},
         1,
         4},
        {{"sync.runtime_SemacquireMutex", "sync.(*Mutex).lockSlow",
          "sync.(*RWMutex).Lock", "main.f", "main.g"},
         1,
         3},
        {{"runtime.gopark", "sync.runtime_SemacquireRWMutexR",
          "sync.(*RWMutex).RLock", "main.f"},
         2,
         3},
        {{"sync.runtime_Semacquire", "sync.(*WaitGroup).Wait", "main.f"}, 1, 2},
        {{"sync.runtime_Semacquire", "sync.(*WaitGroup).Wait"},
         1,
         LOCK_OWNER_NONE},
        {{"sync.runtime_Semacquire", "sync.(*WaitGroup).Wait",
          "runtime.goexit"},
         1,
         LOCK_OWNER_NONE},
        {{"sync.runtime_notifyListWait", "sync.(*Cond).Wait", "main.f"}, 1, 2},
        {{"sync.runtime_SemacquireMutex", "sync.(*Mutex).lockSlow",
          "sync.(*Mutex).Lock", "sync.(*Once).doSlow", "main.f"},
         1,
         3},
        {{"internal/poll.runtime_Semacquire", "internal/poll.(*fdMutex).rwlock",
          "internal/poll.(*FD).writeLock", "internal/poll.(*FD).Write"},
         1,
         3},
        {{"internal/poll.runtime_pollWait", "internal/poll.(*pollDesc).wait"},
         LOCK_FRAME_NONE,
         0},
        {{"main.f", "sync.(*Mutex).Lock"}, LOCK_FRAME_NONE, 0},
        {{"sync.(*Once).doSlow", "main.f"}, LOCK_FRAME_NONE, 0},
        {{"sync.(*Once).doSlow"}, LOCK_FRAME_NONE, 0},
        {{NULL}, LOCK_FRAME_NONE, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        uint8_t found = find(examples[i].functions);

        if (examples[i].lock == LOCK_FRAME_NONE) {
            assert_int_equal(found, LOCK_FRAME_NONE);
            continue;
        }
        assert_int_not_equal(found, LOCK_FRAME_NONE);
        assert_int_equal(lock_frames(found).lock, examples[i].lock);
        assert_int_equal(lock_frames(found).owner, examples[i].owner);
    }
}

/* A stack with the argument texts of its frames, and what they tell. */
struct told {
    const char *functions[MOST_FRAMES];
    const char *args[MOST_FRAMES];
    enum lock_address known;
    uint64_t address;
};

static const struct told tellings[] = {
    /* Go 1.19: lockSlow keeps its receiver. */
    {{"sync.runtime_SemacquireMutex", "sync.(*Mutex).lockSlow",
      "sync.(*Mutex).Lock", "main.(*cache).Get"},
     {"0x93fc00?, 0xc0?", "0xc000014060", "...", "0x67d660?, {0x6f6478}"},
     LOCK_ADDRESS_EXACT,
     0xc000014060},
    /* (*RWMutex).Lock does not; its caller does. */
    {{"sync.runtime_SemacquireRWMutex", "sync.(*RWMutex).Lock",
      "main.(*conf).Write"},
     {"0xc00009c4e0?, 0xd0?", "0x31?", "0xc0000ca040, 0x1"},
     LOCK_ADDRESS_OBJECT,
     0xc0000ca040},
    {{"sync.runtime_SemacquireRWMutexR", "sync.(*RWMutex).RLock",
      "main.(*conf).Read"},
     {"0x0?, 0x0?", "...", "0xc0000ca040?"},
     LOCK_ADDRESS_MAYBE,
     0xc0000ca040},
    /* Go 1.15: the semaphore of the inlined method. */
    {{"sync.runtime_SemacquireMutex", "sync.(*RWMutex).RLock",
      "main.(*conf).Read"},
     {"0xc00001274c, 0x0, 0x0", "...", "0xc000012700, 0x0"},
     LOCK_ADDRESS_EXACT,
     0xc000012740},
    {{"sync.runtime_SemacquireMutex", "sync.(*Mutex).lockSlow",
      "sync.(*Mutex).Lock", "sync.(*RWMutex).Lock", "main.f"},
     {"0x0?", "0xc000012740", "...", "0x0?", ""},
     LOCK_ADDRESS_EXACT,
     0xc000012740},
    {{"sync.runtime_Semacquire", "sync.(*WaitGroup).Wait", "main.f"},
     {"0x10?", "0x0?", ""},
     LOCK_ADDRESS_NONE,
     0},
    {{"sync.runtime_Semacquire", "sync.(*WaitGroup).Wait"},
     {"0x10?", "0x0?"},
     LOCK_ADDRESS_NONE,
     0},
    /* A struct is no receiver. */
    {{"sync.runtime_SemacquireRWMutexR", "sync.(*RWMutex).RLock", "main.f"},
     {"0x0?", "...", "{0xc000010000, 0x5}"},
     LOCK_ADDRESS_NONE,
     0},
};

static void addresses_are_taken_from_the_surest_argument(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(tellings) / sizeof(tellings[0]); i++) {
        const struct told *told = &tellings[i];
        frame_id frames[MOST_FRAMES];
        struct str args[MOST_FRAMES];
        size_t n = put_frames(told->functions, frames);
        struct record record = {.frames = frames, .n_frames = n, .args = args};
        uint64_t address = 7;

        for (size_t k = 0; k < n; k++)
            args[k] = str_from(told->args[k]);
        assert_int_equal(lock_find_address(symbols, &record,
                                           lock_frame_find(symbols, frames, n),
                                           &address),
                         told->known);
        assert_int_equal(address, told->address);
        record.args = NULL;
        assert_int_equal(lock_find_address(symbols, &record,
                                           lock_frame_find(symbols, frames, n),
                                           &address),
                         LOCK_ADDRESS_NONE);
    }
}

static void waiters_are_counted_by_group_and_address(void **state)
{
    const struct lock_waiters *sorted;
    size_t count = 7;

    (void)state;
    assert_null(lock_table_sorted(&locks, &arena, &count));
    assert_int_equal(count, 0);
    lock_table_add(&locks, 2, LOCK_ADDRESS_EXACT, 0xc000020010, 1);
    lock_table_add(&locks, 1, LOCK_ADDRESS_EXACT, 0xc000020010, 1);
    lock_table_add(&locks, 1, LOCK_ADDRESS_OBJECT, 0xc000010010, 1);
    lock_table_add(&locks, 1, LOCK_ADDRESS_EXACT, 0xc000020010, 4);
    sorted = lock_table_sorted(&locks, &arena, &count);
    assert_int_equal(count, 3);
    assert_int_equal(sorted[0].address, 0xc000010010);
    assert_int_equal(sorted[0].known, LOCK_ADDRESS_OBJECT);
    assert_int_equal(sorted[1].group, 1);
    assert_int_equal(sorted[1].count, 5);
    assert_int_equal(sorted[2].group, 2);
    assert_int_equal(locks.others, 0);
}

static void what_is_no_address_is_not_read(void **state)
{
    static const char *const texts[] = {"",         "...",   "0x0", "0x",
                                        "{0x5000}", "12000", "0xg", "0xfff",
                                        "_",        "x1000"};
    bool is_sure = true;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_int_equal(lock_word(str_from(texts[i]), NULL, &is_sure), 0);
        assert_false(is_sure);
    }
    assert_int_equal(lock_word(STR("0x1000, 0x5"), NULL, &is_sure), 0x1000);
    assert_true(is_sure);
    assert_int_equal(lock_word(STR("0x1000?"), NULL, &is_sure), 0x1000);
    assert_false(is_sure);
}

static void a_million_locks_are_bounded_and_counted(void **state)
{
    size_t count;

    (void)state;
    for (unsigned i = 1; i <= 100000; i++)
        lock_table_add(&locks, i % 3, LOCK_ADDRESS_EXACT, 0xc000000000 + i * 8,
                       1);
    assert_non_null(lock_table_sorted(&locks, &arena, &count));
    assert_int_equal(count, EVIDENCE_LOCKS);
    assert_int_equal(locks.others, 100000 - EVIDENCE_LOCKS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_lock_and_the_frame_that_called_it_are_found),
        TEST(addresses_are_taken_from_the_surest_argument),
        TEST(waiters_are_counted_by_group_and_address),
        TEST(what_is_no_address_is_not_read),
        TEST(a_million_locks_are_bounded_and_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

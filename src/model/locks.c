#include "model/locks.h"

#include <stdlib.h>

#include "base/hash.h"
#include "model/name.h"

/* Methods whose receiver is the lock itself (package sync, and internal/sync
 * since Go 1.24). The runtime_Semacquire family below them takes the address
 * of a field inside the lock and is passed over. */
static const struct str lock_methods[] = {
    STR_INIT("(*Mutex).lockSlow"), STR_INIT("(*Mutex).Lock"),
    STR_INIT("(*RWMutex).RLock"),  STR_INIT("(*RWMutex).rlockSlow"),
    STR_INIT("(*RWMutex).Lock"),   STR_INIT("(*WaitGroup).Wait"),
    STR_INIT("(*Cond).Wait"),
};

void lock_table_init(struct lock_table *locks, struct budget *budget)
{
    *locks = (struct lock_table){0};
    pool_init(&locks->waiters, budget, sizeof(struct lock_waiters));
    table_init(&locks->table, budget);
}

void lock_table_done(struct lock_table *locks)
{
    pool_done(&locks->waiters);
    table_done(&locks->table);
}

static bool is_sync(struct str function)
{
    struct str package = name_package(function);

    return str_equal(package, STR("sync")) ||
           str_equal(package, STR("internal/sync"));
}

static bool is_lock_method(struct str function)
{
    struct str symbol = name_symbol(function);

    for (size_t i = 0; i < sizeof(lock_methods) / sizeof(*lock_methods); i++) {
        if (str_equal(symbol, lock_methods[i]))
            return true;
    }
    return false;
}

uint8_t lock_frame_find(const struct symbols *symbols, const frame_id *frames,
                        size_t n_frames)
{
    for (size_t i = 0; i < n_frames && i < LOCK_FRAME_NONE; i++) {
        struct str function = symbols_function(symbols, frames[i]);

        if (is_sync(function)) {
            if (is_lock_method(function))
                return (uint8_t)i;
        } else if (!name_is_runtime(function)) {
            return LOCK_FRAME_NONE;
        }
    }
    return LOCK_FRAME_NONE;
}

static uint64_t hash_waiters(uint32_t group, uint64_t address)
{
    return hash_mix(address, group);
}

static uint64_t rehash(const void *user, uint32_t id)
{
    const struct lock_table *locks = user;
    const struct lock_waiters *waiters = pool_at(&locks->waiters, id - 1);

    return hash_waiters(waiters->group, waiters->address);
}

/* The receiver among the argument texts: the first that is not "...". */
static bool find_address(const struct str *args, size_t n_args, uint64_t *ret)
{
    for (size_t i = 0; i < n_args && i < 3; i++) {
        struct str text = args[i];

        if (str_equal(text, STR("...")))
            continue;
        return str_cut_prefix(&text, STR("0x")) && str_cut_hex(&text, ret) &&
               *ret;
    }
    return false;
}

static void add_address(struct lock_table *locks, uint32_t group,
                        uint64_t address, uint64_t count)
{
    uint64_t hash = hash_waiters(group, address);
    struct table_walk walk = table_walk(&locks->table, hash);
    struct lock_waiters *waiters;
    uint32_t id;

    while ((id = table_next(&locks->table, &walk)) != 0) {
        waiters = pool_at(&locks->waiters, id - 1);
        if (waiters->group == group && waiters->address == address) {
            waiters->count += count;
            return;
        }
    }
    waiters = locks->waiters.count < EVIDENCE_LOCKS ? pool_add(&locks->waiters)
                                                    : NULL;
    if (!waiters) {
        locks->others += count;
        return;
    }
    *waiters = (struct lock_waiters){group, address, count};
    id = (uint32_t)locks->waiters.count;
    if (!table_put(&locks->table, hash, id, rehash, locks)) {
        locks->waiters.count--;
        locks->others += count;
    }
}

void lock_table_add(struct lock_table *locks, uint32_t group,
                    const struct str *args, size_t n_args, uint64_t count)
{
    uint64_t address = 0;

    if (find_address(args, n_args, &address))
        add_address(locks, group, address, count);
}

static int compare(const void *a, const void *b)
{
    const struct lock_waiters *left = a;
    const struct lock_waiters *right = b;

    if (left->address != right->address)
        return left->address < right->address ? -1 : 1;
    return (left->group > right->group) - (left->group < right->group);
}

const struct lock_waiters *lock_table_sorted(const struct lock_table *locks,
                                             struct arena *arena,
                                             size_t *ret_count)
{
    size_t count = locks->waiters.count;
    struct lock_waiters *sorted = NULL;

    if (count)
        sorted = arena_take(arena, count * sizeof(*sorted));
    *ret_count = sorted ? count : 0;
    if (!sorted)
        return NULL;
    for (size_t i = 0; i < count; i++)
        sorted[i] = *(struct lock_waiters *)pool_at(&locks->waiters, i);
    qsort(sorted, count, sizeof(*sorted), compare);
    return sorted;
}

#include "model/locks.h"

#include <stdlib.h>

#include "base/hash.h"
#include "model/name.h"

/* Methods whose receiver is the lock itself (package sync, and internal/sync
 * since Go 1.24; internal/poll for the lock of a file descriptor), and where
 * the semaphore that they wait at stands in the lock: sync/mutex.go (state,
 * sema), sync/rwmutex.go (w, writerSem, readerSem). The Go releases that print
 * it surely, to Go 1.16, all have these. 0 = not known. */
static const struct lock_method {
    struct str symbol;
    uint8_t semaphore; /* bytes */
} lock_methods[] = {
    {STR_INIT("(*Mutex).lockSlow"), 4}, {STR_INIT("(*Mutex).Lock"), 4},
    {STR_INIT("(*RWMutex).RLock"), 12}, {STR_INIT("(*RWMutex).rlockSlow"), 12},
    {STR_INIT("(*RWMutex).Lock"), 8},   {STR_INIT("(*rlocker).Lock"), 12},
    {STR_INIT("(*WaitGroup).Wait"), 0}, {STR_INIT("(*Cond).Wait"), 16},
    {STR_INIT("(*fdMutex).rwlock"), 0}, {STR_INIT("(*FD).readLock"), 0},
    {STR_INIT("(*FD).writeLock"), 0},
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
           str_equal(package, STR("internal/sync")) ||
           str_equal(package, STR("internal/poll"));
}

static const struct lock_method *find_method(struct str function)
{
    struct str symbol = name_symbol(function);

    for (size_t i = 0; i < sizeof(lock_methods) / sizeof(*lock_methods); i++) {
        if (str_equal(symbol, lock_methods[i].symbol))
            return &lock_methods[i];
    }
    return NULL;
}

/* Whether a frame belongs to waiting for a lock: a method of the lock, or the
 * semaphore below it. (*Once).doSlow does not: it has a lock of its own. */
static bool is_waiting(struct str function)
{
    return is_sync(function) &&
           (find_method(function) ||
            str_starts(name_symbol(function), STR("runtime_")));
}

uint8_t lock_frame_find(const struct symbols *symbols, const frame_id *frames,
                        size_t n_frames)
{
    size_t lock = LOCK_OWNER_NONE;
    size_t i;

    for (i = 0; i < n_frames && i < LOCK_OWNER_NONE; i++) {
        struct str function = symbols_function(symbols, frames[i]);

        if (is_waiting(function)) {
            if (lock == LOCK_OWNER_NONE && find_method(function))
                lock = i;
        } else if (lock != LOCK_OWNER_NONE || !name_is_runtime(function)) {
            break;
        }
    }
    if (lock == LOCK_OWNER_NONE)
        return LOCK_FRAME_NONE;
    if (i == n_frames || name_is_runtime(symbols_function(symbols, frames[i])))
        i = LOCK_OWNER_NONE;
    return (uint8_t)(i << 4 | lock);
}

uint64_t lock_word(struct str args, bool *ret_sure)
{
    enum { POINTER_LEAST = 0x1000 };
    uint64_t word = 0;

    *ret_sure = false;
    if (!str_cut_prefix(&args, STR("0x")) || !str_cut_hex(&args, &word) ||
        word < POINTER_LEAST)
        return 0;
    *ret_sure = !str_starts(args, STR("?"));
    return word;
}

/* The semaphore's address minus its place in the lock. Go before 1.24 passes it
 * to sync.runtime_SemacquireMutex and its like, right above the method. */
static uint64_t from_semaphore(const struct symbols *symbols,
                               const struct record *record, uint8_t lock)
{
    const struct lock_method *method =
        find_method(symbols_function(symbols, record->frames[lock]));
    bool is_sure = false;
    uint64_t word;

    if (!lock || !method || !method->semaphore)
        return 0;
    word = lock_word(record->args[lock - 1], &is_sure);
    return is_sure ? word - method->semaphore : 0;
}

enum lock_address lock_find_address(const struct symbols *symbols,
                                    const struct record *record,
                                    uint8_t lock_frame, uint64_t *ret_address)
{
    struct lock_frames at = lock_frames(lock_frame);
    bool is_sure = false;

    *ret_address = 0;
    if (!record->args || at.lock >= record->n_frames)
        return LOCK_ADDRESS_NONE;
    for (size_t i = at.lock; i < at.owner && i < record->n_frames; i++) {
        *ret_address = lock_word(record->args[i], &is_sure);
        if (*ret_address && is_sure)
            return LOCK_ADDRESS_EXACT;
    }
    *ret_address = from_semaphore(symbols, record, at.lock);
    if (*ret_address)
        return LOCK_ADDRESS_EXACT;
    if (at.owner == LOCK_OWNER_NONE || at.owner >= record->n_frames)
        return LOCK_ADDRESS_NONE;
    *ret_address = lock_word(record->args[at.owner], &is_sure);
    if (!*ret_address)
        return LOCK_ADDRESS_NONE;
    return is_sure ? LOCK_ADDRESS_OBJECT : LOCK_ADDRESS_MAYBE;
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

void lock_table_add(struct lock_table *locks, uint32_t group,
                    enum lock_address known, uint64_t address, uint64_t count)
{
    uint64_t hash = hash_waiters(group, address);
    struct table_walk walk = table_walk(&locks->table, hash);
    struct lock_waiters *waiters;
    uint32_t id;

    while ((id = table_next(&locks->table, &walk)) != 0) {
        waiters = pool_at(&locks->waiters, id - 1);
        if (waiters->group == group && waiters->address == address &&
            waiters->known == known) {
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
    *waiters = (struct lock_waiters){group, (uint8_t)known, address, count};
    id = (uint32_t)locks->waiters.count;
    if (!table_put(&locks->table, hash, id, rehash, locks)) {
        locks->waiters.count--;
        locks->others += count;
    }
}

static int compare(const void *a, const void *b)
{
    const struct lock_waiters *left = a;
    const struct lock_waiters *right = b;

    if (left->address != right->address)
        return left->address < right->address ? -1 : 1;
    if (left->group != right->group)
        return left->group < right->group ? -1 : 1;
    return (left->known > right->known) - (left->known < right->known);
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

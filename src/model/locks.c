#include "model/locks.h"

#include <string.h>

#include "base/hash.h"
#include "base/hex.h"
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

uint64_t lock_word(struct str args, const char *readable, bool *ret_sure)
{
    enum { POINTER_LEAST = 0x1000 };
    const char *at;
    const char *end;
    uint64_t word = 0;

    *ret_sure = false;
    if (args.len < 3 || args.ptr[0] != '0' || args.ptr[1] != 'x')
        return 0;
    at = args.ptr + 2;
    end = args.ptr + args.len;
    if (!hex_cut(&at, end, readable ? readable : end, &word) ||
        word < POINTER_LEAST)
        return 0;
    *ret_sure = at == end || *at != '?';
    return word;
}

/* The same of a frame of a record. */
static uint64_t word_of(const struct record *record, size_t frame,
                        bool *ret_sure)
{
    return lock_word(record_args(record, frame), record->args_end, ret_sure);
}

/* The semaphore's address minus its place in the lock. Go before 1.24 passes it
 * to sync.runtime_SemacquireMutex and its like, right above the method. */
static uint64_t from_semaphore(const struct symbols *symbols,
                               const struct record *record, uint8_t lock)
{
    const struct lock_method *method;
    bool is_sure = false;
    uint64_t word = lock ? word_of(record, lock - 1u, &is_sure) : 0;

    if (!is_sure)
        return 0;
    method = find_method(symbols_function(symbols, record->frames[lock]));
    return method && method->semaphore ? word - method->semaphore : 0;
}

enum lock_address lock_find_address(const struct symbols *symbols,
                                    const struct record *record,
                                    uint8_t lock_frame, uint64_t *ret_address)
{
    struct lock_frames at = lock_frames(lock_frame);
    bool is_sure = false;

    *ret_address = 0;
    if (!record_has_args(record) || at.lock >= record->n_frames)
        return LOCK_ADDRESS_NONE;
    for (size_t i = at.lock; i < at.owner && i < record->n_frames; i++) {
        *ret_address = word_of(record, i, &is_sure);
        if (*ret_address && is_sure)
            return LOCK_ADDRESS_EXACT;
    }
    *ret_address = from_semaphore(symbols, record, at.lock);
    if (*ret_address)
        return LOCK_ADDRESS_EXACT;
    if (at.owner == LOCK_OWNER_NONE || at.owner >= record->n_frames)
        return LOCK_ADDRESS_NONE;
    *ret_address = word_of(record, at.owner, &is_sure);
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

static void count_waiters(struct lock_table *locks,
                          const struct lock_waiters *added)
{
    uint64_t hash = hash_waiters(added->group, added->address);
    struct table_walk walk = table_walk(&locks->table, hash);
    struct lock_waiters *waiters;
    uint32_t id;

    while ((id = table_next(&locks->table, &walk)) != 0) {
        waiters = pool_at(&locks->waiters, id - 1);
        if (waiters->group == added->group &&
            waiters->address == added->address &&
            waiters->known == added->known) {
            waiters->count += added->count;
            return;
        }
    }
    waiters = locks->waiters.count < EVIDENCE_LOCKS ? pool_add(&locks->waiters)
                                                    : NULL;
    if (!waiters) {
        locks->others += added->count;
        return;
    }
    *waiters = *added;
    id = (uint32_t)locks->waiters.count;
    if (!table_put(&locks->table, hash, id, rehash, locks)) {
        locks->waiters.count--;
        locks->others += added->count;
    }
}

/* Counts those that were added first, until so many are pending. */
static void settle(struct lock_table *locks, unsigned n)
{
    while (locks->n_pending > n) {
        count_waiters(locks, &locks->pending[locks->oldest]);
        locks->oldest = (locks->oldest + 1) % LOCKS_PENDING;
        locks->n_pending--;
    }
}

void lock_table_settle(struct lock_table *locks)
{
    settle(locks, 0);
}

void lock_table_add(struct lock_table *locks, uint32_t group,
                    enum lock_address known, uint64_t address, uint64_t count)
{
    struct table_walk walk =
        table_walk(&locks->table, hash_waiters(group, address));

    settle(locks, LOCKS_PENDING - 1);
    if (locks->table.size)
        __builtin_prefetch(&locks->table.slots[walk.at]);
    locks->pending[(locks->oldest + locks->n_pending++) % LOCKS_PENDING] =
        (struct lock_waiters){group, (uint8_t)known, address, count};
}

/* A byte of the key by which lock_table_sorted sorts: first `known`, then
 * come four of the group and eight of the address. */
static uint8_t key_byte(const struct lock_waiters *waiters, unsigned which)
{
    if (!which)
        return waiters->known;
    if (which <= 4)
        return (uint8_t)(waiters->group >> (which - 1) * 8);
    return (uint8_t)(waiters->address >> (which - 5) * 8);
}

/* Sorts by one byte of the key, in the order in which they were where it is the
 * same. False, with nothing done, when all have the same. */
static bool sort_by_byte(const struct lock_waiters *from,
                         struct lock_waiters *into, size_t n, unsigned which)
{
    size_t places[257] = {0};

    for (size_t i = 0; i < n; i++)
        places[key_byte(&from[i], which) + 1]++;
    if (places[key_byte(&from[0], which) + 1] == n)
        return false;
    for (unsigned i = 0; i < 256; i++)
        places[i + 1] += places[i];
    for (size_t i = 0; i < n; i++)
        into[places[key_byte(&from[i], which)]++] = from[i];
    return true;
}

/* Sorts by address, then group, then known, with room for as many beside. */
static void sort_waiters(struct lock_waiters *sorted, struct lock_waiters *room,
                         size_t n)
{
    enum { KEY_BYTES = 13 };
    struct lock_waiters *from = sorted;
    struct lock_waiters *into = room;

    for (unsigned i = 0; i < KEY_BYTES; i++) {
        struct lock_waiters *before = from;

        if (!sort_by_byte(from, into, n, i))
            continue;
        from = into;
        into = before;
    }
    if (from != sorted)
        memcpy(sorted, from, n * sizeof(*sorted));
}

const struct lock_waiters *lock_table_sorted(struct lock_table *locks,
                                             struct arena *arena,
                                             size_t *ret_count)
{
    struct lock_waiters *sorted = NULL;
    struct lock_waiters *room = NULL;
    size_t count;
    size_t size;

    lock_table_settle(locks);
    count = locks->waiters.count;
    size = count * sizeof(*sorted);
    *ret_count = 0;
    if (count)
        room = budget_resize(locks->waiters.budget, NULL, 0, size);
    if (room)
        sorted = arena_take(arena, size);
    if (sorted) {
        for (size_t i = 0; i < count; i++)
            sorted[i] = *(struct lock_waiters *)pool_at(&locks->waiters, i);
        sort_waiters(sorted, room, count);
        *ret_count = count;
    }
    budget_free(locks->waiters.budget, room, size);
    return sorted;
}

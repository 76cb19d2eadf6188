#include "analysis/contention.h"

#include <stdlib.h>

#include "analysis/insides.h"
#include "analysis/most_waited.h"

/* What makes a lock, before it has an index. */
struct key {
    uint64_t address; /* 0 = unknown: then kin makes it (lock_sites.h) */
    scope_id scope;
    scope_id kin;
    enum holding_kind kind;
    bool is_object;
    bool is_rest; /* of locks that are not looked at */
    const struct joined_group *joined;
    struct lock_use use;
};

/* --- Groups that wait ---------------------------------------------------- */

/* Whether the state can be that of a lock; the frames are asked then. */
static bool is_lock_state(state_id state)
{
    return state == STATE_SEMACQUIRE || state == STATE_MUTEX_LOCK ||
           state == STATE_RWMUTEX_RLOCK || state == STATE_RWMUTEX_LOCK ||
           state == STATE_WAITGROUP_WAIT || state == STATE_COND_WAIT;
}

static bool collect_waitings(struct contention *contention,
                             struct analysis *analysis, size_t index)
{
    struct snapshot *snapshot = contention->snapshot;
    struct lock_site site;

    for (unsigned pass = 0; pass < 2; pass++) {
        size_t n = 0;

        for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
            const struct group *group = snapshot_group(snapshot, i);

            if (!is_lock_state(group->state) ||
                !lock_site_find(
                    contention->symbols,
                    symbols_stack(contention->symbols, group->stack), &site))
                continue;
            if (pass)
                contention->waitings[n] = (struct waiting){
                    .group = (uint32_t)i,
                    .joined = analysis_find_group(analysis, index, i),
                    .site = site};
            n += !pass || contention->waitings[n].joined;
        }
        contention->n_waitings = n;
        if (pass || !n)
            break;
        contention->waitings =
            arena_take(contention->scratch, n * sizeof(struct waiting));
        if (!contention->waitings)
            return false;
    }
    return true;
}

const struct waiting *contention_waiting(const struct contention *contention,
                                         size_t group)
{
    size_t low = 0;
    size_t high = contention->n_waitings;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (contention->waitings[middle].group < group)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < contention->n_waitings &&
        contention->waitings[low].group == group)
        return &contention->waitings[low];
    return NULL;
}

/* --- Locks --------------------------------------------------------------- */

/* A word with "?" that is no address of the heap is left over from something
 * else: a heap of 64 bits begins far above 4 GiB (runtime/malloc.go:
 * arenaBaseOffset and mallocinit). */
static bool is_likely(uint64_t address)
{
    return address >> 32 != 0 && address >> 48 == 0;
}

/* What a lock is known by to waiters that tell something. */
static struct key key_of(const struct contention *contention,
                         const struct insides *insides,
                         const struct lock_waiters *waiters, uint32_t waiting)
{
    const struct lock_site *site = &contention->waitings[waiting].site;
    struct key key = {.kind = site->kind,
                      .scope = site->scope,
                      .kin = site->kin,
                      .joined = contention->waitings[waiting].joined,
                      .use = {.waiting = waiting,
                              .told = waiters->address,
                              .count = waiters->count,
                              .n_locks = 1}};

    if (waiters->known == LOCK_ADDRESS_EXACT) {
        key.address = waiters->address;
    } else if (site->kind != HOLDING_WAITGROUP && site->kind != HOLDING_COND &&
               (waiters->known == LOCK_ADDRESS_OBJECT ||
                is_likely(waiters->address))) {
        key.address = insides_lock(insides, site->scope, waiters->address);
        key.is_object = !key.address;
        if (key.is_object)
            key.address = waiters->address;
    }
    key.use.is_object = waiters->known != LOCK_ADDRESS_EXACT;
    return key;
}

/* Equal keys are one lock. Two types may know one lock by its address, but an
 * object of two scopes has two locks. */
static int compare_locks(const struct key *left, const struct key *right)
{
    bool by_kin = !left->address || left->is_object;

    if (left->address != right->address)
        return left->address < right->address ? -1 : 1;
    if (left->kind != right->kind)
        return left->kind < right->kind ? -1 : 1;
    if (left->is_object != right->is_object)
        return left->is_object - right->is_object;
    if (left->is_rest != right->is_rest)
        return left->is_rest - right->is_rest;
    if (by_kin && left->kin != right->kin)
        return left->kin < right->kin ? -1 : 1;
    return 0;
}

/* By lock, then by group, in an order that does not depend on that of the
 * input. */
static int compare_keys(const void *a, const void *b)
{
    const struct key *left = a;
    const struct key *right = b;
    int order = compare_locks(left, right);

    if (order)
        return order;
    if (left->joined->id.high != right->joined->id.high)
        return left->joined->id.high < right->joined->id.high ? -1 : 1;
    if (left->joined->id.low != right->joined->id.low)
        return left->joined->id.low < right->joined->id.low ? -1 : 1;
    return (left->use.told > right->use.told) -
           (left->use.told < right->use.told);
}

/* How many waiters of a group tell something of their lock. */
struct told {
    uint64_t all;
    uint64_t chosen;  /* whose locks are looked at */
    uint32_t n_locks; /* of the others */
};

/* A key of so many waiters of a group, whose lock has no address here, or of
 * whose n_rest locks none is looked at. */
static struct key plain_key(const struct contention *contention, size_t index,
                            uint64_t count, uint32_t n_rest)
{
    const struct waiting *waiting = &contention->waitings[index];

    return (struct key){.kind = waiting->site.kind,
                        .scope = waiting->site.scope,
                        .kin = waiting->site.kin,
                        .is_rest = n_rest > 0,
                        .joined = waiting->joined,
                        .use = {.waiting = (uint32_t)index,
                                .count = count,
                                .n_locks = n_rest ? n_rest : 1}};
}

/* Adds the keys of the waiters that tell nothing of their lock, and of those
 * whose locks are not looked at, before the n that end there; returns how many
 * these are. */
static size_t add_plain_keys(const struct contention *contention,
                             const struct told *told, struct key *end)
{
    struct key *key = end;

    for (size_t i = contention->n_waitings; i-- > 0;) {
        uint64_t count =
            snapshot_group(contention->snapshot, contention->waitings[i].group)
                ->count;

        if (count > told[i].all)
            *--key = plain_key(contention, i, count - told[i].all, 0);
        if (told[i].all > told[i].chosen)
            *--key = plain_key(contention, i, told[i].all - told[i].chosen,
                               told[i].n_locks);
    }
    qsort(key, (size_t)(end - key), sizeof(*key), compare_keys);
    return (size_t)(end - key);
}

/* Counts all waiters that tell something, chosen or not. */
static void count_told(const struct contention *contention,
                       const struct pool *waiters, struct told *told)
{
    for (size_t i = 0; i < waiters->count; i++) {
        const struct lock_waiters *item = pool_at(waiters, i);
        const struct waiting *waiting =
            contention_waiting(contention, item->group);

        if (!waiting)
            continue;
        told[waiting - contention->waitings].all += item->count;
        told[waiting - contention->waitings].n_locks++;
    }
}

/* The keys of all waiters in an arena of their own: first of those without an
 * address, then by address, which mostly is their order. NULL without
 * memory. */
static struct key *collect_keys(struct contention *contention,
                                struct arena *arena, size_t *ret_n)
{
    const struct pool *all = snapshot_lock_waiters(contention->snapshot);
    size_t n_waiters = 0;
    size_t n_plain = 2 * contention->n_waitings;
    const struct lock_waiters *waiters = most_waited(arena, all, &n_waiters);
    struct key *keys = arena_take(arena, (n_waiters + n_plain) * sizeof(*keys));
    struct told *told =
        arena_take_zero(arena, contention->n_waitings * sizeof(*told));
    struct insides insides;
    size_t n_silent;
    size_t n = n_plain;

    if (!keys || !told || !waiters ||
        !insides_collect(contention, waiters, n_waiters, &insides))
        return NULL;
    count_told(contention, all, told);
    for (size_t i = 0; i < n_waiters; i++) {
        const struct waiting *waiting =
            contention_waiting(contention, waiters[i].group);

        if (!waiting)
            continue;
        keys[n++] = key_of(contention, &insides, &waiters[i],
                           (uint32_t)(waiting - contention->waitings));
        told[waiting - contention->waitings].chosen += waiters[i].count;
        told[waiting - contention->waitings].n_locks--;
    }
    n_silent = add_plain_keys(contention, told, keys + n_plain);
    *ret_n = n - n_plain + n_silent;
    return keys + n_plain - n_silent;
}

static void sort_keys(struct key *keys, size_t n)
{
    size_t i = 1;

    while (i < n && compare_keys(&keys[i - 1], &keys[i]) <= 0)
        i++;
    if (i < n)
        qsort(keys, n, sizeof(*keys), compare_keys);
}

uint64_t contention_waiter_id(const struct contention *contention,
                              const struct lock_use *use)
{
    const struct waiting *waiting = contention_waiting_of(contention, use);
    const struct pool *pool = snapshot_pointers(contention->snapshot);
    const struct group *group =
        snapshot_group(contention->snapshot, waiting->group);
    uint64_t id = 0;

    for (const struct pointers *at = pointers_get(pool, group->pointers); at;
         at = pointers_get(pool, at->next)) {
        if (at->lock == use->told && (!id || at->id < id))
            id = at->id;
    }
    return id;
}

/* Notes the goroutine that keeps out new readers of an RWMutex. */
static void add_writer(const struct contention *contention,
                       struct holding *holding, const struct key *key)
{
    const struct waiting *waiting = &contention->waitings[key->use.waiting];

    if (!waiting->site.awaits_readers || holding->writer)
        return;
    holding->writer = waiting->joined;
    holding->writer_frame = waiting->site.frame;
    holding->writer_id = contention_waiter_id(contention, &key->use);
}

/* Adds waiters to a lock. */
static void add_use(const struct contention *contention, struct lock *lock,
                    const struct key *key)
{
    const struct waiting *waiting = &contention->waitings[key->use.waiting];
    const struct group *group =
        snapshot_group(contention->snapshot, waiting->group);
    struct holding *holding = lock->holding;

    holding->waiters += key->use.count;
    if (key->use.count > lock->most) {
        lock->most = key->use.count;
        lock->scope = key->scope;
        holding->site = waiting->site.frame;
    }
    if (group->n_waits &&
        (!holding->has_wait || group->wait_max > holding->wait_max)) {
        holding->has_wait = true;
        holding->wait_max = group->wait_max;
    }
    add_writer(contention, holding, key);
}

/* Whether a key, in their order, is of another lock than the one before. */
static bool is_other_lock(const struct key *keys, size_t i)
{
    return !i || compare_locks(&keys[i - 1], &keys[i]) != 0;
}

static size_t count_locks(const struct key *keys, size_t n)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += is_other_lock(keys, i);
    return count;
}

static bool make_locks(struct contention *contention, const struct key *keys,
                       size_t n)
{
    struct arena *scratch = contention->scratch;
    struct lock *lock = NULL;
    size_t n_locks = count_locks(keys, n);

    contention->uses = arena_take(scratch, n * sizeof(struct lock_use));
    contention->by_waiting = arena_take(scratch, n * sizeof(uint32_t));
    contention->locks = arena_take_zero(scratch, n_locks * sizeof(struct lock));
    contention->addresses = arena_take(scratch, n_locks * sizeof(uint64_t));
    if (!page_set_init(&contention->pages, scratch) || !contention->addresses ||
        !contention->uses || !contention->by_waiting || !contention->locks)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (is_other_lock(keys, i)) {
            lock = &contention->locks[contention->n_locks++];
            lock->holding =
                arena_take_zero(contention->arena, sizeof(struct holding));
            if (!lock->holding)
                return false;
            lock->holding->lock = (uint32_t)(contention->n_locks - 1);
            lock->holding->kind = keys[i].kind;
            lock->holding->address = keys[i].address;
            contention->addresses[contention->n_locks - 1] = keys[i].address;
            page_set_add(&contention->pages, keys[i].address);
            lock->holding->is_object = keys[i].is_object;
            lock->holding->is_rest = keys[i].is_rest;
            lock->holding->is_partial = keys[i].is_rest;
            lock->object = keys[i].is_object ? keys[i].address : 0;
            lock->first = (uint32_t)i;
        }
        lock->n++;
        add_use(contention, lock, &keys[i]);
        contention->uses[i] = keys[i].use;
        contention->uses[i].lock = (uint32_t)(contention->n_locks - 1);
    }
    contention->n_uses = n;
    return true;
}

static int compare_uses(const struct lock_use *left,
                        const struct lock_use *right)
{
    if (left->waiting != right->waiting)
        return left->waiting < right->waiting ? -1 : 1;
    if (left->told != right->told)
        return left->told < right->told ? -1 : 1;
    return left->is_object - right->is_object;
}

static int compare_indexes(const void *a, const void *b, void *user)
{
    const struct lock_use *uses = user;
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    int order = compare_uses(&uses[left], &uses[right]);

    return order ? order : (left > right) - (left < right);
}

/* Puts the uses of one waiting in order. They came in that of their locks,
 * which mostly is the same. */
static void sort_uses(struct contention *contention, size_t first, size_t n)
{
    uint32_t *indexes = contention->by_waiting + first;
    size_t i = 1;

    while (i < n &&
           compare_indexes(&indexes[i - 1], &indexes[i], contention->uses) < 0)
        i++;
    if (i < n)
        qsort_r(indexes, n, sizeof(*indexes), compare_indexes,
                contention->uses);
}

/* Fills by_waiting: by waiting first, in one go. */
static bool index_uses(struct contention *contention)
{
    uint32_t *ends = arena_take_zero(
        contention->scratch, (contention->n_waitings + 1) * sizeof(*ends));
    size_t first = 0;

    if (!ends)
        return false;
    for (size_t i = 0; i < contention->n_uses; i++)
        ends[contention->uses[i].waiting + 1]++;
    for (size_t i = 0; i < contention->n_waitings; i++)
        ends[i + 1] += ends[i];
    for (size_t i = 0; i < contention->n_uses; i++)
        contention->by_waiting[ends[contention->uses[i].waiting]++] =
            (uint32_t)i;
    for (size_t i = 0; i < contention->n_waitings; first = ends[i++])
        sort_uses(contention, first, ends[i] - first);
    return true;
}

/* The first use at or behind a place in the order of compare_uses. */
static size_t find_use(const struct contention *contention, uint32_t waiting,
                       uint64_t told)
{
    struct lock_use wanted = {.waiting = waiting, .told = told};
    size_t low = 0;
    size_t high = contention->n_uses;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_uses(contention_use(contention, middle), &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether a frame of those that wait can pass the object around the lock: the
 * one that takes it, and further ones of its type. */
static bool is_inside(const struct contention *contention,
                      const struct waiting *waiting, uint32_t frame)
{
    struct stack stack = symbols_stack(
        contention->symbols,
        snapshot_group(contention->snapshot, waiting->group)->stack);

    return frame == waiting->site.owner ||
           (frame > waiting->site.owner && frame < stack.n_frames &&
            scope_at(contention->symbols, stack, frame) == waiting->site.scope);
}

/* Sets the object around a lock from the arguments of one that waits: the last
 * pointer before the lock. */
static void find_object(const struct contention *contention,
                        const struct waiting *waiting,
                        const struct pointers *pointers, struct lock *lock)
{
    uint64_t end = lock->holding->address;

    for (unsigned i = 0; i < pointers->n; i++) {
        uint64_t address = pointers->addresses[i];

        if ((pointers->flags[i] & POINTER_SURE) && address <= end &&
            end - address < OBJECT_MOST && address > lock->object &&
            is_inside(contention, waiting, pointers->frames[i]))
            lock->object = address;
    }
}

static void find_objects(struct contention *contention)
{
    const struct pool *pool = snapshot_pointers(contention->snapshot);

    for (size_t i = 0; i < contention->n_waitings; i++) {
        const struct waiting *waiting = &contention->waitings[i];
        const struct pointers *at = pointers_get(
            pool,
            snapshot_group(contention->snapshot, waiting->group)->pointers);

        for (; at; at = pointers_get(pool, at->next)) {
            uint32_t index = contention_lock_of(contention, waiting, at->lock);

            if (index == LOCK_NONE)
                continue;
            find_object(contention, waiting, at, &contention->locks[index]);
        }
    }
}

bool contention_init(struct contention *contention, struct analysis *analysis,
                     size_t index, struct arena *scratch)
{
    struct cprof_snapshots *snapshots = analysis_snapshots(analysis);
    struct arena arena; /* of what making the locks takes */
    struct key *keys;
    bool is_made;
    size_t n = 0;

    *contention = (struct contention){.snapshot = snapshots->items[index],
                                      .symbols = snapshots->symbols,
                                      .arena = analysis_arena(analysis),
                                      .scratch = scratch};
    snapshot_settle_pointers(contention->snapshot);
    if (!collect_waitings(contention, analysis, index))
        return false;
    if (!contention->n_waitings)
        return true;
    arena_init(&arena, &snapshots->budget);
    keys = collect_keys(contention, &arena, &n);
    if (keys)
        sort_keys(keys, n);
    is_made = keys && make_locks(contention, keys, n) && index_uses(contention);
    arena_done(&arena);
    if (!is_made)
        return false;
    find_objects(contention);
    return true;
}

/* --- Asking -------------------------------------------------------------- */

size_t contention_uses(const struct contention *contention,
                       const struct waiting *waiting, size_t *ret_count)
{
    uint32_t index = (uint32_t)(waiting - contention->waitings);
    size_t first = find_use(contention, index, 0);
    size_t end = first;

    while (end < contention->n_uses &&
           contention_use(contention, end)->waiting == index)
        end++;
    *ret_count = end - first;
    return first;
}

uint32_t contention_lock_of(const struct contention *contention,
                            const struct waiting *waiting, uint64_t told)
{
    uint32_t index = (uint32_t)(waiting - contention->waitings);
    size_t at = find_use(contention, index, told);
    const struct lock_use *use;

    if (at == contention->n_uses)
        return LOCK_NONE;
    use = contention_use(contention, at);
    return use->waiting == index && use->told == told ? use->lock : LOCK_NONE;
}

uint32_t contention_only_lock(const struct contention *contention,
                              const struct waiting *waiting)
{
    size_t n;
    size_t first = contention_uses(contention, waiting, &n);
    uint32_t lock = n ? contention_use(contention, first)->lock : LOCK_NONE;

    for (size_t i = 1; i < n; i++) {
        if (contention_use(contention, first + i)->lock != lock)
            return LOCK_NONE;
    }
    return lock;
}

size_t contention_find(const struct contention *contention, uint64_t address)
{
    const uint64_t *addresses = contention->addresses;
    size_t low = 0;

    /* Which half it is cannot be foreseen: no branch depends on it. */
    for (size_t n = contention->n_locks; n; n -= n / 2 + (n & 1)) {
        size_t half = n / 2 + (n & 1);

        low += addresses[low + half - 1] < address ? half : 0;
    }
    return low;
}

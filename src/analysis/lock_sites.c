#include "analysis/lock_sites.h"

#include "base/hash.h"
#include "model/locks.h"
#include "model/name.h"

/* What waits there, by the method nearest to the caller. */
static const struct method {
    struct str symbol;
    enum holding_kind kind;
    bool is_reading;
} methods[] = {
    {STR_INIT("(*Mutex).Lock"), HOLDING_MUTEX, false},
    {STR_INIT("(*Mutex).lockSlow"), HOLDING_MUTEX, false},
    {STR_INIT("(*RWMutex).Lock"), HOLDING_RWMUTEX, false},
    {STR_INIT("(*RWMutex).RLock"), HOLDING_RWMUTEX, true},
    {STR_INIT("(*RWMutex).rlockSlow"), HOLDING_RWMUTEX, true},
    {STR_INIT("(*rlocker).Lock"), HOLDING_RWMUTEX, true},
    {STR_INIT("(*WaitGroup).Wait"), HOLDING_WAITGROUP, false},
    {STR_INIT("(*Cond).Wait"), HOLDING_COND, false},
    {STR_INIT("(*fdMutex).rwlock"), HOLDING_FD, false},
    {STR_INIT("(*FD).readLock"), HOLDING_FD, false},
    {STR_INIT("(*FD).writeLock"), HOLDING_FD, false},
};

static const struct method *find_method(struct str function)
{
    struct str symbol = name_symbol(function);

    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        if (str_equal(symbol, methods[i].symbol))
            return &methods[i];
    }
    return NULL;
}

bool lock_site_is_wrapper(struct str function)
{
    return str_ends(function, STR(").Wait"));
}

/* A scope of one function alone. Methods of a type share its locks, but mostly
 * each has a WaitGroup of its own, a local one for what it has started. Of a
 * wrapper, such as errgroup, the function that calls its Wait has it. */
static scope_id whole_function(const struct symbols *symbols,
                               struct stack stack, uint32_t frame)
{
    struct str function = symbols_function(symbols, stack.frames[frame]);

    while (lock_site_is_wrapper(function) && frame + 1 < stack.n_frames)
        function = symbols_function(symbols, stack.frames[++frame]);
    return hash_mix(scope_at(symbols, stack, frame),
                    hash_bytes(function.ptr, function.len));
}

/* Whether a function returns with the lock that it takes, and so does not hold
 * it itself: a method around a Mutex, as logrus.(*MutexWrap).Lock, and what
 * begins a transaction of bolt (bbolt/db.go: beginRWTx). */
static bool returns_locked(struct str function)
{
    return !name_is_std(function) &&
           (str_ends(function, STR(").Lock")) ||
            str_ends(function, STR(").RLock")) ||
            str_ends(function, STR("bolt.(*DB).beginRWTx")) ||
            str_ends(function, STR("bolt.(*DB).beginTx")) ||
            str_ends(function, STR("bolt.(*DB).Begin")));
}

/* The frame that goes on with a lock: not one that returns with it. */
static uint32_t taker_of(const struct symbols *symbols, struct stack stack,
                         uint32_t owner)
{
    while (owner + 1 < stack.n_frames &&
           returns_locked(symbols_function(symbols, stack.frames[owner])))
        owner++;
    return owner;
}

bool lock_site_find(const struct symbols *symbols, struct stack stack,
                    struct lock_site *ret)
{
    uint8_t packed = lock_frame_find(symbols, stack.frames, stack.n_frames);
    const struct method *inner;
    const struct method *outer;
    struct lock_frames at;
    uint32_t owner;

    if (packed == LOCK_FRAME_NONE)
        return false;
    at = lock_frames(packed);
    if (at.owner == LOCK_OWNER_NONE)
        return false;
    inner = find_method(symbols_function(symbols, stack.frames[at.lock]));
    outer = find_method(symbols_function(symbols, stack.frames[at.owner - 1]));
    if (!inner || !outer)
        return false;
    /* (*Cond).Wait takes its mutex again before it returns. */
    if (outer->kind == HOLDING_COND)
        outer = inner;
    owner = outer->kind == HOLDING_MUTEX || outer->kind == HOLDING_RWMUTEX
                ? taker_of(symbols, stack, at.owner)
                : at.owner;
    *ret = (struct lock_site){
        .kind = outer->kind,
        .is_reading = outer->is_reading,
        .awaits_readers = outer->kind == HOLDING_RWMUTEX &&
                          !outer->is_reading && inner->kind == HOLDING_RWMUTEX,
        .owner = owner,
        .frame = stack.frames[owner],
        .scope = scope_at(symbols, stack, owner),
        .kin = scope_at(symbols, stack, at.owner),
    };
    if (str_equal(symbols_function(symbols, ret->frame),
                  STR("sync.(*Once).doSlow")))
        ret->kind = HOLDING_ONCE;
    if (ret->kind == HOLDING_WAITGROUP)
        ret->scope = ret->kin = whole_function(symbols, stack, owner);
    return true;
}

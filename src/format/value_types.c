#include "format/value_types.h"

static size_t find_type(const struct value_type *types, size_t n,
                        const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (str_equal(types[i].name, str_from(name)))
            return i;
    }
    return n;
}

/* The profiles whose count is all they have. */
static enum profile_kind count_kind(struct str name)
{
    if (str_equal(name, STR("goroutine")))
        return PROFILE_GOROUTINE;
    if (str_equal(name, STR("goroutineleak")))
        return PROFILE_GOROUTINELEAK;
    if (str_equal(name, STR("threadcreate")))
        return PROFILE_THREADCREATE;
    return PROFILE_OTHER;
}

/* A unit whose name was cut off is taken for a count, which comes first. */
static bool is_count(struct value_type type)
{
    return !type.unit.len || str_equal(type.unit, STR("count")) ||
           str_equal(type.unit, STR("objects"));
}

static size_t first_count(const struct value_type *types, size_t n)
{
    size_t i = 0;

    while (i < n && !is_count(types[i]))
        i++;
    return i;
}

/* Profiles that are known by the types they have. ORDER: the first that fits
 * has it. */
static const struct known_class {
    const char *has;      /* a sample type */
    const char *has_unit; /* its unit, or NULL for any */
    const char *first;    /* shown first when the profile does not say */
    const char *count;
    const char *name;
    enum profile_kind kind;
} known_classes[] = {
    {"inuse_space", NULL, "inuse_space", "inuse_objects", "heap", PROFILE_HEAP},
    {"alloc_space", NULL, "alloc_space", "alloc_objects", "allocs",
     PROFILE_ALLOCS},
    {"delay", NULL, "delay", "contentions", "contention", PROFILE_CONTENTION},
    {"cpu", "nanoseconds", "cpu", "samples", "cpu", PROFILE_CPU},
    {"space", "bytes", "space", "objects", "heap", PROFILE_HEAP},
};

static const struct known_class *find_class(const struct value_type *types,
                                            size_t n)
{
    for (size_t i = 0; i < sizeof(known_classes) / sizeof(known_classes[0]);
         i++) {
        const struct known_class *known = &known_classes[i];
        size_t at = find_type(types, n, known->has);

        if (at < n && (!known->has_unit ||
                       str_equal(types[at].unit, str_from(known->has_unit))))
            return known;
    }
    return NULL;
}

struct profile_class profile_class_of(const struct value_type *types, size_t n,
                                      struct str default_name)
{
    struct profile_class class = {.kind = PROFILE_OTHER, .count = n};
    const struct known_class *known = find_class(types, n);
    size_t wanted = n;

    if (default_name.len)
        wanted = find_type(types, n, default_name.ptr);
    if (!n) {
        return class;
    } else if (known) {
        class.kind = known->kind;
        class.name = str_from(known->name);
        class.first = find_type(types, n, known->first);
        class.count = find_type(types, n, known->count);
    } else {
        /* pprof shows the last type when a profile does not say. */
        class.first = n - 1;
        class.name = types[wanted < n ? wanted : n - 1].name;
        if (n == 1 && is_count(types[0]))
            class.kind = count_kind(class.name);
    }
    if (wanted < n)
        class.first = wanted;
    /* The same four values, but those since the start come first. */
    if (class.kind == PROFILE_HEAP &&
        str_equal(default_name, STR("alloc_space"))) {
        class.kind = PROFILE_ALLOCS;
        class.name = STR("allocs");
        class.count = find_type(types, n, "alloc_objects");
    }
    if (class.count == n)
        class.count = first_count(types, n);
    return class;
}

/* The leaves of block profiles. */
static const struct str waits[] = {
    STR_INIT("runtime.chanrecv1"),
    STR_INIT("runtime.chanrecv2"),
    STR_INIT("runtime.chansend1"),
    STR_INIT("runtime.selectgo"),
    STR_INIT("runtime.block"),
    STR_INIT("sync.(*Mutex).Lock"),
    STR_INIT("sync.(*Mutex).lockSlow"),
    STR_INIT("internal/sync.(*Mutex).Lock"),
    STR_INIT("internal/sync.(*Mutex).lockSlow"),
    STR_INIT("sync.(*RWMutex).Lock"),
    STR_INIT("sync.(*RWMutex).RLock"),
    STR_INIT("sync.(*WaitGroup).Wait"),
    STR_INIT("sync.(*Cond).Wait"),
    STR_INIT("reflect.chanrecv"),
    STR_INIT("reflect.chansend"),
    STR_INIT("reflect.chansend0"),
    STR_INIT("reflect.rselect"),
};

/* The leaves of mutex profiles; since Go 1.22 the runtime's own locks are
 * there too. */
static const struct str releases[] = {
    STR_INIT("sync.(*Mutex).Unlock"),
    STR_INIT("sync.(*Mutex).unlockSlow"),
    STR_INIT("internal/sync.(*Mutex).Unlock"),
    STR_INIT("internal/sync.(*Mutex).unlockSlow"),
    STR_INIT("sync.(*RWMutex).Unlock"),
    STR_INIT("sync.(*RWMutex).RUnlock"),
    STR_INIT("sync.(*RWMutex).rUnlockSlow"),
    STR_INIT("runtime.unlock"),
    STR_INIT("runtime.unlock2"),
    STR_INIT("runtime.unlockWithRank"),
    STR_INIT("runtime._LostContendedRuntimeLock"),
};

static bool is_among(struct str name, const struct str *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (str_equal(name, names[i]))
            return true;
    }
    return false;
}

enum profile_kind contention_kind(const struct symbols *symbols,
                                  const frame_id *frames, size_t n)
{
    /* Inlined runtime functions may stand above the one that is known. */
    for (size_t i = 0; i < n && i < 3; i++) {
        struct str name = symbols_function(symbols, frames[i]);

        if (is_among(name, waits, sizeof(waits) / sizeof(waits[0])))
            return PROFILE_BLOCK;
        if (is_among(name, releases, sizeof(releases) / sizeof(releases[0])))
            return PROFILE_MUTEX;
    }
    return PROFILE_CONTENTION;
}

void contention_settle(struct snapshot_info *info, uint64_t n_block,
                       uint64_t n_mutex)
{
    if (info->kind != PROFILE_CONTENTION || n_block == n_mutex)
        return;
    info->kind = n_block > n_mutex ? PROFILE_BLOCK : PROFILE_MUTEX;
    info->profile = n_block > n_mutex ? STR("block") : STR("mutex");
}

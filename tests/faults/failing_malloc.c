/* failing_malloc.c - an allocator that refuses, to be loaded before a program
 * by LD_PRELOAD.
 *
 *     FAULT_AT=N       the N-th call of malloc, calloc, realloc and their like
 *                      that could fail does, from 1 on; 0 or nothing = none
 *     FAULT_LASTS=1    so do all that follow
 *     FAULT_COUNT=FILE gets the number of calls, at the end of the process
 *     FAULT_TRACE=FILE gets the callers of the first that failed, for addr2line
 *     FAULT_CHAINS=FILE gets, at the end of the process, the numbers of the
 *                      calls that are worth a refusal each: those whose
 *                      callers, the nearest 48 of them, were not often there
 *                      before, see is_known
 *     FAULT_OFTEN=N    how often that is
 *
 * All libraries of the process are served, libc's own calls too; what a process
 * does before main counts like the rest. Children start at 0 again. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The allocator behind this one, of libc or of a sanitizer. */
static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*memalign)(size_t, size_t);
    void (*free)(void *);
} next;

static atomic_bool is_ready;
static atomic_ullong n_calls;
static unsigned long long fault_at;
static bool fault_lasts;
static const char *count_file;
static const char *trace_file;
static const char *chains_file;

/* What is asked for while the allocator behind is being looked for: dlsym
 * itself may allocate, and so does the C++ library of a sanitizer, 72 KiB when
 * it is loaded. It is never given back. */
static _Alignas(16) char early[1024 * 1024];
static atomic_size_t early_used;

static bool is_early(const void *ptr)
{
    uintptr_t at = (uintptr_t)ptr;

    return at >= (uintptr_t)early && at < (uintptr_t)early + sizeof(early);
}

static void *take_early(size_t size)
{
    size_t at = atomic_fetch_add(&early_used, (size + 15) & ~(size_t)15);

    if (at + size > sizeof(early))
        abort();
    return early + at;
}

/* A pointer from dlsym as a function; ISO C has no cast for it. */
static void find(void *ret, const char *name)
{
    void *symbol = dlsym(RTLD_NEXT, name);

    memcpy(ret, &symbol, sizeof(symbol));
}

enum { CALLERS_MOST = 48, CHAINS_MOST = 1 << 16, LISTED_MOST = 1 << 18 };

/* How often callers, one calling the next, asked for memory. */
static struct chain {
    uint64_t hash; /* of their addresses; 0 = none */
    uint64_t n_asked;
} chains[CHAINS_MOST];

static unsigned long long known_at; /* so often asked, they are known */
static unsigned long long listed[LISTED_MOST]; /* calls worth a refusal */
static size_t n_listed;
static atomic_flag is_listing = ATOMIC_FLAG_INIT; /* guards the three */

/* Finds the chain, or the place for it, or one that it shares where all places
 * are taken. */
static struct chain *find_chain(void *const *callers, int n)
{
    uint64_t hash = 1;
    size_t at;

    for (int i = 0; i < n; i++)
        hash = (hash ^ (uintptr_t)callers[i]) * UINT64_C(0x9E3779B97F4A7C15);
    at = hash >> 48;
    for (size_t i = 0; i < CHAINS_MOST; i++, at = (at + 1) % CHAINS_MOST) {
        if (!chains[at].hash || chains[at].hash == hash)
            break;
    }
    chains[at].hash = hash;
    return &chains[at];
}

/* Whether a chain is passed over that has asked n times: one that is known only
 * counts where its calls have doubled. A reader of rules asks from the same
 * place for each word of them, and what it then has to give back grows, but is
 * of one kind. */
static bool is_known(uint64_t n)
{
    return n > known_at && (n & (n - 1));
}

/* Puts the n-th call into the list if it is worth a refusal. */
static void list(unsigned long long n)
{
    void *callers[CALLERS_MOST];
    int n_callers = backtrace(callers, CALLERS_MOST);

    while (atomic_flag_test_and_set(&is_listing))
        ;
    if (!is_known(++find_chain(callers, n_callers)->n_asked)) {
        if (n_listed == LISTED_MOST)
            abort();
        listed[n_listed++] = n;
    }
    atomic_flag_clear(&is_listing);
}

__attribute__((constructor)) static void begin(void)
{
    void *callers[CALLERS_MOST];
    const char *at = getenv("FAULT_AT");
    const char *lasts = getenv("FAULT_LASTS");
    const char *often = getenv("FAULT_OFTEN");

    if (atomic_load(&is_ready))
        return;
    find(&next.calloc, "calloc");
    find(&next.malloc, "malloc");
    find(&next.realloc, "realloc");
    find(&next.memalign, "aligned_alloc");
    find(&next.free, "free");
    count_file = getenv("FAULT_COUNT");
    trace_file = getenv("FAULT_TRACE");
    chains_file = getenv("FAULT_CHAINS");
    known_at = often ? strtoull(often, NULL, 10) : 1;
    if (trace_file) /* the first call loads a library, which allocates */
        backtrace(callers, CALLERS_MOST);
    fault_lasts = lasts && *lasts;
    fault_at = at ? strtoull(at, NULL, 10) : 0;
    atomic_store(&is_ready, true);
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;

    if (fd < 0)
        return;
    if (write(fd, bytes, size) != (ssize_t)size)
        abort();
    close(fd);
}

__attribute__((destructor)) static void end(void)
{
    char text[32];
    int n = snprintf(text, sizeof(text), "%llu\n", atomic_load(&n_calls));

    write_file(count_file, text, (size_t)n);
    write_file(chains_file, listed, n_listed * sizeof(listed[0]));
}

/* Notes who asked for what is refused. */
static void trace(void)
{
    void *callers[CALLERS_MOST];
    int fd = open(trace_file, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    if (fd < 0)
        return;
    backtrace_symbols_fd(callers, backtrace(callers, CALLERS_MOST), fd);
    close(fd);
}

/* Counts a call, and says whether it is to fail. */
static bool refuses(void)
{
    unsigned long long n = atomic_fetch_add(&n_calls, 1) + 1;

    if (chains_file)
        list(n);
    if (!fault_at || n < fault_at || (n > fault_at && !fault_lasts))
        return false;
    if (trace_file && n == fault_at)
        trace();
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    if (!atomic_load(&is_ready))
        return take_early(size);
    return refuses() ? NULL : next.malloc(size);
}

void *calloc(size_t n, size_t size)
{
    if (!atomic_load(&is_ready))
        return take_early(n * size);
    return refuses() ? NULL : next.calloc(n, size);
}

void *realloc(void *ptr, size_t size)
{
    size_t behind;
    void *moved;

    if (atomic_load(&is_ready) && !is_early(ptr))
        return refuses() ? NULL : next.realloc(ptr, size);
    moved = malloc(size);
    if (moved && ptr) {
        behind = (size_t)(early + sizeof(early) - (char *)ptr);
        memcpy(moved, ptr, size < behind ? size : behind);
    }
    return moved;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    if (!atomic_load(&is_ready))
        return take_early(size);
    return refuses() ? NULL : next.memalign(alignment, size);
}

int posix_memalign(void **ret, size_t alignment, size_t size)
{
    void *ptr = aligned_alloc(alignment, size);

    if (!ptr)
        return ENOMEM;
    *ret = ptr;
    return 0;
}

void free(void *ptr)
{
    if (ptr && !is_early(ptr))
        next.free(ptr);
}

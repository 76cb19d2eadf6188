/* failing_malloc.c - an allocator that refuses, to be loaded before a program
 * by LD_PRELOAD.
 *
 *     FAULT_AT=N       the N-th call of malloc, calloc, realloc and their like
 *                      that could fail does, from 1 on; 0 or nothing = none
 *     FAULT_LASTS=1    so do all that follow
 *     FAULT_COUNT=FILE gets the number of calls, at the end of the process
 *     FAULT_TRACE=FILE gets the callers of the first that failed, for addr2line
 *     FAULT_FORKS=FD   a socket: only a copy of the process (fork) meets the
 *                      fault, and prints to FILE.out and FILE.err, FILE of
 *                      FAULT_TRACE. What became of it is sent to the socket
 *                      (copied.h); the number of the next call that is to fail
 *                      comes back, or 0. So a program need not begin anew for
 *                      each fault. Not for one with threads or with a database
 *                      open. A call whose callers, the nearest 48 of them, have
 *                      often been refused is passed over for one behind it, see
 *                      is_known: it is the same fault again.
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
#include <sys/wait.h>
#include <unistd.h>

#include "faults/copied.h"

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
static int forks = -1;

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

enum { CALLERS_MOST = 48 };

__attribute__((constructor)) static void begin(void)
{
    void *callers[CALLERS_MOST];
    const char *at = getenv("FAULT_AT");
    const char *lasts = getenv("FAULT_LASTS");
    const char *socket = getenv("FAULT_FORKS");

    if (atomic_load(&is_ready))
        return;
    find(&next.calloc, "calloc");
    find(&next.malloc, "malloc");
    find(&next.realloc, "realloc");
    find(&next.memalign, "aligned_alloc");
    find(&next.free, "free");
    count_file = getenv("FAULT_COUNT");
    trace_file = getenv("FAULT_TRACE");
    if (trace_file) /* the first call loads a library, which allocates */
        backtrace(callers, CALLERS_MOST);
    fault_lasts = lasts && *lasts;
    fault_at = at ? strtoull(at, NULL, 10) : 0;
    forks = socket && trace_file ? atoi(socket) : -1;
    atomic_store(&is_ready, true);
}

__attribute__((destructor)) static void end(void)
{
    char text[32];
    int n = snprintf(text, sizeof(text), "%llu\n", atomic_load(&n_calls));
    int fd =
        count_file ? open(count_file, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;

    if (fd < 0)
        return;
    if (write(fd, text, (size_t)n) != n)
        abort();
    close(fd);
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

/* Lets the copy print to a file of its own, behind what was printed. */
static void print_to(int fd, const char *ending)
{
    char path[512];
    char printed[4096];
    ssize_t n;
    off_t at = 0;
    int file;

    snprintf(path, sizeof(path), "%s.%s", trace_file, ending);
    file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    while ((n = pread(fd, printed, sizeof(printed), at)) > 0) {
        if (write(file, printed, (size_t)n) != n)
            abort();
        at += n;
    }
    if (file < 0 || dup2(file, fd) < 0)
        abort();
    close(file);
}

enum { COPY_SECONDS = 120 }; /* only a hang takes so long */

enum {
    CHAINS_MOST = 1 << 16,
    REFUSED_ALWAYS = 16, /* so many times a chain is refused each time */
};

/* How often callers, one calling the next, asked for memory. */
static struct chain {
    uint64_t hash; /* of their addresses; 0 = none */
    uint64_t n_asked;
} chains[CHAINS_MOST];

/* Finds the chain, or the place for it, or one that it shares where all places
 * are taken. */
static struct chain *find_chain(void)
{
    void *callers[CALLERS_MOST];
    int n = backtrace(callers, CALLERS_MOST);
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

/* Whether the callers of this call were refused before: from the 17th time on
 * they are at the 32nd, the 64th, and so on only. A reader of rules asks from
 * the same place for each word of them, and what it then has to give back
 * grows, but is of one kind. */
static bool is_known(void)
{
    uint64_t n = ++find_chain()->n_asked;

    return n > REFUSED_ALWAYS && (n & (n - 1));
}

/* Whether this is the copy, which meets the fault of the n-th call; the other
 * one comes back when the copy has ended. */
static bool is_copy(unsigned long long n)
{
    struct copied copied = {.at = n};
    pid_t copy = fork();

    if (copy < 0)
        abort();
    if (copy == 0) {
        close(forks);
        forks = -1;
        count_file = NULL;
        print_to(1, "out");
        print_to(2, "err");
        alarm(COPY_SECONDS);
        return true;
    }
    if (waitpid(copy, &copied.status, 0) < 0 ||
        write(forks, &copied, sizeof(copied)) != sizeof(copied) ||
        read(forks, &fault_at, sizeof(fault_at)) != sizeof(fault_at))
        abort();
    return false;
}

/* Counts a call, and says whether it is to fail. */
static bool refuses(void)
{
    unsigned long long n = atomic_fetch_add(&n_calls, 1) + 1;

    if (!fault_at || n < fault_at)
        return false;
    if (forks >= 0) {
        if (is_known() || !is_copy(n))
            return false;
        fault_at = n;
    } else if (n > fault_at && !fault_lasts) {
        return false;
    }
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

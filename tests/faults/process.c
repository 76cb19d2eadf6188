#include "faults/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { HANG_SECONDS = 120 }; /* only a hang takes so long, valgrind or not */

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "faults: %s: %s\n", what, strerror(errno));
    exit(2);
}

static uint64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void path_aside(char ret[static 512], const struct stage *stage,
                       const char *name)
{
    snprintf(ret, 512, "%s/%s", stage->aside, name);
}

static void set_number(const char *name, uint64_t number)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRIu64, number);
    setenv(name, text, 1);
}

/* The environment of a run whose allocator fails or counts. */
static void set_allocator(const struct stage *stage, enum fault fault,
                          uint64_t at)
{
    char count[512];
    char trace[512];
    char chains[512];

    path_aside(count, stage, "count");
    path_aside(chains, stage, "chains");
    path_aside(trace, stage, "trace");
    setenv("FAULT_TRACE", trace, 1);
    setenv("LD_PRELOAD", stage->allocator, 1);
    setenv("CPROF_LEAKS_NOCONFINE", "1", 1); /* the files lie aside */
    setenv("FAULT_COUNT", count, 1);
    if (fault == FAULT_MEMORY || fault == FAULT_LASTING)
        set_number("FAULT_AT", at);
    else if (stage->often) {
        setenv("FAULT_CHAINS", chains, 1);
        set_number("FAULT_OFTEN", stage->often);
    }
    if (fault == FAULT_LASTING)
        setenv("FAULT_LASTS", "1", 1);
}

/* In the child: it never returns. */
static _Noreturn void start(const struct stage *stage, char *const *words,
                            const int err[2], enum fault fault, uint64_t at)
{
    struct rlimit size = {at, at};
    int in = open("/dev/null", O_RDONLY);
    char path[512];
    int out;

    path_aside(path, stage, "out");
    out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 ||
        dup2(err[1], 2) < 0 || chdir(stage->folder) < 0)
        _exit(126);
    close(in);
    close(out);
    close(err[0]);
    close(err[1]);
    if (fault == FAULT_DISK && setrlimit(RLIMIT_FSIZE, &size) < 0)
        _exit(126);
    if (stage->allocator)
        set_allocator(stage, fault, at);
    execv(stage->program, words);
    _exit(127);
}

/* Waits until the process has ended, or for so long; whether it has. */
static bool has_ended(int process, uint64_t for_us)
{
    struct timespec left = {.tv_sec = (time_t)(for_us / 1000000),
                            .tv_nsec = (long)(for_us % 1000000) * 1000};
    struct pollfd poll = {.fd = process, .events = POLLIN};
    int n = ppoll(&poll, 1, &left, NULL);

    if (n < 0)
        fail("cannot wait");
    return n > 0;
}

static int shell_status(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Waits for the end, and sends the signal, if there is one, when it is time. */
static int wait_for(pid_t pid, uint64_t after_us, int signal_number,
                    bool *ret_is_late)
{
    int process = pidfd_open(pid, 0);
    int status = 0;

    if (process < 0)
        fail("cannot watch a process");
    if (signal_number && !has_ended(process, after_us))
        kill(pid, signal_number);
    *ret_is_late = !has_ended(process, HANG_SECONDS * UINT64_C(1000000));
    if (*ret_is_late)
        kill(pid, SIGKILL);
    close(process);
    if (waitpid(pid, &status, 0) < 0)
        fail("cannot wait");
    return shell_status(status);
}

/* What it printed is bounded: more than a pipe holds would stop it. */
static void read_errors(struct buf *into, int fd)
{
    char piece[4096];
    ssize_t n;

    while ((n = read(fd, piece, sizeof(piece))) > 0)
        buf_add(into, (struct str){piece, (size_t)n});
    close(fd);
}

/* Moves a file that lies aside into memory. */
static void take_aside(struct buf *into, const struct stage *stage,
                       const char *name)
{
    char path[512];

    path_aside(path, stage, name);
    file_read(into, path);
    unlink(path);
}

static void read_count(struct run *run, const struct stage *stage)
{
    struct buf text = {0};
    char path[512];

    path_aside(path, stage, "count");
    if (file_read(&text, path) && text.len)
        run->n_calls = strtoull(text.ptr, NULL, 10);
    unlink(path);
    buf_done(&text);
}

void run_program(struct run *ret, const struct stage *stage, char *const *words,
                 enum fault fault, uint64_t at, int signal_number)
{
    uint64_t began = now_us();
    char path[512];
    int err[2];
    pid_t pid;

    *ret = (struct run){0};
    if (pipe2(err, O_CLOEXEC) < 0)
        fail("cannot make a pipe");
    fcntl(err[1], F_SETPIPE_SZ, 1 << 20);
    pid = fork();
    if (pid < 0)
        fail("cannot fork");
    if (pid == 0)
        start(stage, words, err, fault, at);
    close(err[1]);
    ret->status = wait_for(pid, at, fault == FAULT_SIGNAL ? signal_number : 0,
                           &ret->is_late);
    ret->took_us = now_us() - began;
    read_errors(&ret->err, err[0]);
    path_aside(path, stage, "out");
    file_read(&ret->out, path);
    take_aside(&ret->trace, stage, "trace");
    take_aside(&ret->chains, stage, "chains");
    read_count(ret, stage);
    folder_read(&ret->after, stage->folder);
}

void run_done(struct run *run)
{
    buf_done(&run->out);
    buf_done(&run->err);
    buf_done(&run->trace);
    buf_done(&run->chains);
    folder_done(&run->after);
}

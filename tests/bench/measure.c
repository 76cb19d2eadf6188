/* measure.c - runs a command and says how long it took and how much memory it
 * used at most.
 *
 *     measure [-n RUNS] [-i INPUT] [-o RESULTS] COMMAND [ARGUMENT]...
 *     measure --spin
 *
 * Each run appends a line to RESULTS (without -o: prints it to stderr):
 *
 *     WALL-SECONDS CPU-SECONDS PEAK-KIBIBYTES STATUS
 *
 * The time is that from before the start of the process to after its end. The
 * peak is the kernel's ru_maxrss, which begins with what this program itself
 * has at the time of the start, about 1.5 MB. INPUT becomes the command's
 * standard input in every run. The status is that of the last run, 128 and the
 * signal's number when it was killed, and 127 when it could not be started.
 *
 * --spin prints by how much two processes that only count are faster side by
 * side than one after the other: what threads can gain on this machine. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct options {
    unsigned runs;
    const char *input;   /* or NULL */
    const char *results; /* or NULL */
    char **command;
};

struct result {
    double wall_s, cpu_s;
    long peak_kib;
    int status;
};

static _Noreturn void fail(const char *what, const char *name)
{
    fprintf(stderr, "measure: %s '%s': %s\n", what, name, strerror(errno));
    exit(2);
}

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double time_s(const struct timeval *time)
{
    return (double)time->tv_sec + (double)time->tv_usec * 1e-6;
}

/* What the child does; it never returns. */
static _Noreturn void start(const struct options *options)
{
    if (options->input) {
        int fd = open(options->input, O_RDONLY | O_CLOEXEC);

        if (fd < 0 || dup2(fd, STDIN_FILENO) < 0)
            fail("cannot read", options->input);
    }
    execvp(options->command[0], options->command);
    fprintf(stderr, "measure: cannot run '%s': %s\n", options->command[0],
            strerror(errno));
    _exit(127);
}

static int status_of(int wait_status)
{
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status)
                                    : WEXITSTATUS(wait_status);
}

static struct result run(const struct options *options)
{
    struct result result;
    struct rusage usage;
    int wait_status = 0;
    double begin = now_s();
    pid_t child = fork();

    if (child < 0)
        fail("cannot start", options->command[0]);
    if (child == 0)
        start(options);
    while (wait4(child, &wait_status, 0, &usage) < 0)
        if (errno != EINTR)
            fail("cannot wait for", options->command[0]);
    result.wall_s = now_s() - begin;
    result.cpu_s = time_s(&usage.ru_utime) + time_s(&usage.ru_stime);
    result.peak_kib = usage.ru_maxrss;
    result.status = status_of(wait_status);
    return result;
}

/* Counts to a fixed number in that many processes at once and returns the time
 * it takes. */
static double spin_s(unsigned processes)
{
    double begin = now_s();

    for (unsigned i = 0; i < processes; i++) {
        pid_t child = fork();

        if (child < 0)
            fail("cannot start", "a process");
        if (child == 0) {
            for (volatile uint32_t n = 0; n < 200000000; n = n + 1)
                continue;
            _exit(0);
        }
    }
    while (wait(NULL) > 0)
        continue;
    return now_s() - begin;
}

static void spin(void)
{
    double one = spin_s(1);
    double two = spin_s(2);

    for (unsigned i = 0; i < 2; i++) {
        double again_one = spin_s(1);
        double again_two = spin_s(2);

        one = again_one < one ? again_one : one;
        two = again_two < two ? again_two : two;
    }
    printf("%.2f\n", 2 * one / two);
}

static void options_read(struct options *options, int argc, char **argv)
{
    int option;

    while ((option = getopt(argc, argv, "+n:i:o:")) != -1) {
        if (option == 'n')
            options->runs = (unsigned)strtoul(optarg, NULL, 10);
        else if (option == 'i')
            options->input = optarg;
        else if (option == 'o')
            options->results = optarg;
        else
            exit(2);
    }
    options->command = argv + optind;
    if (optind == argc || options->runs == 0) {
        fputs("measure: what is to be run, and how often?\n", stderr);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    struct options options = {.runs = 1};
    struct result result = {.status = 0};
    FILE *results = stderr;

    if (argc == 2 && strcmp(argv[1], "--spin") == 0) {
        spin();
        return 0;
    }
    options_read(&options, argc, argv);
    if (options.results)
        results = fopen(options.results, "ae");
    if (!results)
        fail("cannot write", options.results);
    for (unsigned i = 0; i < options.runs; i++) {
        result = run(&options);
        fprintf(results, "%.6f %.6f %ld %d\n", result.wall_s, result.cpu_s,
                result.peak_kib, result.status);
    }
    if (fflush(results) != 0)
        fail("cannot write", options.results ? options.results : "stderr");
    return result.status;
}

#include "cli/check_guard.h"

#include <signal.h>
#include <unistd.h>

#include "notify/outcome.h"

/* The signals that people and systems end a program with. */
static const int ends[] = {SIGALRM, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXCPU};

enum { N_ENDS = sizeof(ends) / sizeof(ends[0]) };

/* Only what a signal handler may do: the answer has not been written yet, and
 * files that are being written have no name before they are whole. */
static void answer(int number)
{
    static const char late[] = "CPROF_LEAKS UNKNOWN - the run took longer than "
                               "--timeout allows\n";
    static const char stopped[] =
        "CPROF_LEAKS UNKNOWN - the run was ended by a signal\n";
    ssize_t n;

    if (number == SIGALRM)
        n = write(STDOUT_FILENO, late, sizeof(late) - 1);
    else
        n = write(STDOUT_FILENO, stopped, sizeof(stopped) - 1);
    (void)n;
    _exit(CHECK_UNKNOWN);
}

/* A part of the answer may be out: two would be none. */
static void leave(int number)
{
    (void)number;
    _exit(CHECK_UNKNOWN);
}

static void handle(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};

    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < N_ENDS; i++)
        sigaction(ends[i], &action, NULL);
}

void guard_begin(uint64_t timeout_s)
{
    handle(answer);
    alarm((unsigned)timeout_s);
}

void guard_answer(void)
{
    handle(leave);
}

void guard_end(void)
{
    sigset_t waiting;

    sigemptyset(&waiting);
    for (size_t i = 0; i < N_ENDS; i++)
        sigaddset(&waiting, ends[i]);
    sigprocmask(SIG_BLOCK, &waiting, NULL);
    alarm(0);
}

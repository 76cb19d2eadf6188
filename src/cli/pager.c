#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a shell exits with when there is no such program, or it is none. */
enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 };

/* What the user named, for a shell; NULL = nothing. */
static const char *command_of_user(void)
{
    const char *command = getenv("CPROF_LEAKS_PAGER");

    return command ? command : getenv("PAGER");
}

static bool is_wanted(const struct arguments *arguments, const char *command)
{
    if (command && (!*command || str_equal(str_from(command), STR("cat"))))
        return false;
    return !arguments->no_pager && !arguments->quiet &&
           !arguments->output_file && !arguments->to && isatty(STDOUT_FILENO) &&
           str_equal(str_from(arguments->output), STR("text"));
}

/* The options of less, as git gives them: -F ends at once where all fits on the
 * screen, -R lets colours through, -X leaves the text on the screen. Those of
 * the user remain, with -R before them: without it colours were shown as codes.
 */
static void settle_less(void)
{
    const char *own = getenv("LESS");
    char options[4096];

    if (!own)
        setenv("LESS", "FRX", 1);
    else if (snprintf(options, sizeof(options), "-R %s", own) <
             (int)sizeof(options))
        setenv("LESS", options, 1);
}

/* In the child. */
static void run(const char *command, const int ends[2])
{
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    settle_less();
    setenv("LV", "-c", 0);
    if (command)
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    else /* in silence, where it is not installed */
        execlp("less", "less", (char *)NULL);
    _exit(NOT_FOUND);
}

struct pager pager_start(const struct arguments *arguments)
{
    const char *command = command_of_user();
    struct pager pager = {0, STDOUT_FILENO};
    int ends[2];

    if (!is_wanted(arguments, command) || pipe2(ends, O_CLOEXEC) < 0)
        return pager;
    fflush(NULL);
    pager.pid = fork();
    if (pager.pid == 0)
        run(command, ends);
    close(ends[0]);
    if (pager.pid < 0) {
        close(ends[1]);
        return (struct pager){0, STDOUT_FILENO};
    }
    /* The keys that end this program are the pager's while it runs. */
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    pager.fd = ends[1];
    return pager;
}

bool pager_wait(struct pager *pager)
{
    int status = 0;
    pid_t pid;

    close(pager->fd);
    do
        pid = waitpid(pager->pid, &status, 0);
    while (pid < 0 && errno == EINTR);
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    pager->pid = 0;
    return pid < 0 || !WIFEXITED(status) ||
           (WEXITSTATUS(status) != NOT_FOUND &&
            WEXITSTATUS(status) != NOT_EXECUTABLE);
}

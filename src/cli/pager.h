/* pager.h - a program that shows long text page by page, as git has it. */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include <sys/types.h>

#include "cli/cli.h"

/* A pager that runs, or none. */
struct pager {
    pid_t pid; /* 0 = none */
    int fd;    /* what is written there it shows */
};

/* Starts the pager that CPROF_LEAKS_PAGER or else PAGER names, or else less, if
 * what a command prints is text that goes to a terminal. Without one, or with
 * "cat", none is started: pid is 0. */
struct pager pager_start(const struct arguments *arguments);

/* Waits until the user has seen enough. False when the pager could not be run
 * at all, so that nothing was shown. */
bool pager_wait(struct pager *pager);

#endif

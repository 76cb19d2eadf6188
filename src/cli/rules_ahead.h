/* rules_ahead.h - rules that are loaded while a large input is read.
 *
 * Loading them takes some milliseconds, in which a second processor would have
 * nothing to do: reading takes to several threads only when the first of them
 * has learned the stacks. Rules that are loaded so are those that a report
 * would load itself. */
#ifndef CLI_RULES_AHEAD_H
#define CLI_RULES_AHEAD_H

#include <pthread.h>

#include "base/budget.h"
#include "cli/cli.h"
#include "rules/rules.h"

struct rules_ahead {
    const struct arguments *arguments;
    struct budget budget;
    struct rules *rules; /* NULL = a report loads its own */
    struct cprof_error err;
    int rc;
    pthread_t thread;
    bool has_thread;
};

/* Begins to load the rules that the options name, when a file among the inputs
 * is large, there may be threads, and one can be had. The options must be
 * settled, and stay as they are until rules_ahead_wait. */
void rules_ahead_begin(struct rules_ahead *ahead,
                       const struct arguments *arguments);

/* Waits for them: then rules says which they are. An error is that of
 * rules_load_chosen. */
int rules_ahead_wait(struct rules_ahead *ahead, struct cprof_error *err);

/* Waits as well, and frees them. */
void rules_ahead_done(struct rules_ahead *ahead);

#endif

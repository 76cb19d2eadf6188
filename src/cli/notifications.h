/* notifications.h - telling others what a run of check found: the textfile of
 * node_exporter, and the receivers of alerts.
 *
 * Nothing here changes what check says or its status: a receiver that cannot be
 * told is a line on standard error, and is tried again at the next run. */
#ifndef CLI_NOTIFICATIONS_H
#define CLI_NOTIFICATIONS_H

#include "cli/cli.h"
#include "notify/outcome.h"

/* Sets an option by its long name; CPROF_EUSAGE says what it takes. */
int notify_option_set(struct notify_arguments *arguments, const char *name,
                      const char *value, struct cprof_error *err);

struct notifications;

/* Takes in who is to be told: by the options, else by the environment. Reads
 * their secrets. *ret is NULL when nobody is. Its errors are about usage, so
 * that this belongs before the run. */
int notifications_new(struct notifications **ret,
                      const struct arguments *arguments,
                      struct cprof_error *err);
void notifications_free(struct notifications *notifications);

/* Writes the textfile and posts what there is to tell, within most_ms (0: 20
 * s). What check prints has to be out before, and the history safe. unsent,
 * which may be NULL, holds a mask for each alert, in and out, as delivery_run
 * has it: the history keeps it. Failures are printed; returns how many. */
size_t notifications_send(struct notifications *notifications,
                          const struct outcome *outcome, uint32_t *unsent,
                          uint64_t most_ms);

#endif

/* check_lock.h - one run a target at a time.
 *
 * Two runs at once, a slow one and the next of cron, would count one moment
 * twice and send alerts twice. The lock is a byte of the file HISTORY.lock, one
 * for each instance, and ends with the process that holds it. */
#ifndef CLI_CHECK_LOCK_H
#define CLI_CHECK_LOCK_H

#include "base/error.h"

struct check_lock {
    int fd;     /* -1 = not open */
    int64_t at; /* the byte that is held; -1 = none */
};

/* Opens the file of locks beside a history. */
int check_lock_open(struct check_lock *ret, const char *history,
                    struct cprof_error *err);
void check_lock_close(struct check_lock *lock);

/* Takes the lock of an instance, without waiting, and gives back one that is
 * held. CPROF_ELIMIT: another run has it. */
int check_lock_take(struct check_lock *lock, struct str instance,
                    struct cprof_error *err);

#endif

/* check.h - one run of check, in parts. */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "cli/addresses.h"
#include "cli/check_lock.h"
#include "cli/history_place.h"
#include "cli/notifications.h"
#include "notify/alerts.h"
#include "store/store.h"

/* One target, and what was found of it. */
struct check_target {
    const char *input; /* a file, "-"; NULL = an address */
    size_t address;    /* its index */
    struct outcome_target outcome;
    struct alerts alerts;
    bool is_remembered; /* they are in the history */
};

struct check {
    struct arguments arguments;
    struct history_place place;
    struct store *store;        /* NULL = it could not be opened: */
    struct cprof_error trouble; /* why */
    struct addresses *addresses;
    struct notifications *notifications; /* NULL = nobody is to be told */
    struct check_lock lock;
    struct check_target *targets;
    size_t n_targets;
    struct check_target *away; /* of the history, which the run does not ask
                                  for (check_away.h); in arena */
    size_t n_away;
    struct budget budget;
    struct arena arena; /* of all that an outcome points to */
    int64_t now_ns;     /* when the run began */
    int64_t before_ns; /* the last run before it that read a target; 0 = none */
    uint64_t began_ms;
    uint64_t until_ms; /* no target is begun from then on */
};

/* Lists the targets: files and addresses in their order, then those of the file
 * of targets. Each is an instance: by --instance, by its label, by its host and
 * port, or "default", as which all files and standard input are one.
 * CPROF_EUSAGE: two are the same. */
int check_targets_list(struct check *check, struct cprof_error *err);

/* Reads a target, judges it and remembers what was found. Whatever fails
 * becomes a part of its outcome. */
void check_target(struct check *check, struct check_target *target);

/* The time of the system's clock. */
int64_t check_now_ns(void);

#endif

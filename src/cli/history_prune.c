/* history prune: drops what is old. */
#include <stdio.h>
#include <time.h>

#include "base/count.h"
#include "base/error.h"
#include "cli/history_shared.h"
#include "model/options.h"

static const int64_t second_ns = 1000000000;

static int wrong_value(const char *option, const char *value,
                       const char *wanted, struct cprof_error *err)
{
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "option --%s takes %s, not '%.100s'", option, wanted,
                     value);
}

/* Reads the limits of the options; without any they are those of check. */
static int read_limits(const struct arguments *arguments,
                       struct store_limits *ret, struct cprof_error *err)
{
    int64_t now_ns = (int64_t)time(NULL) * second_ns;
    uint64_t seconds = STORE_KEPT_NS / second_ns;
    uint64_t keep = 0;

    if (arguments->older_than &&
        !duration_parse(str_from(arguments->older_than), &seconds))
        return wrong_value("older-than", arguments->older_than,
                           "a time such as 35d", err);
    if (arguments->keep && (!str_to_u64(str_from(arguments->keep), &keep) ||
                            !keep || keep > INT32_MAX))
        return wrong_value("keep", arguments->keep, "a number from 1 on", err);
    /* Nothing is older than 1970. */
    if ((arguments->older_than || !keep) &&
        seconds < (uint64_t)(now_ns / second_ns))
        ret->before_ns = now_ns - (int64_t)seconds * second_ns;
    ret->keep = (size_t)keep;
    ret->compact = arguments->compact;
    return 0;
}

static int prune(const struct arguments *arguments, struct store_limits *limits,
                 struct cprof_error *err)
{
    struct history_spec spec;
    struct store *store = NULL;
    uint64_t dropped;
    int rc = history_spec_open(&spec, arguments->inputs[0], STORE_WRITE, &store,
                               err);

    if (rc == 0 && spec.has_which)
        rc = error_set(err, CPROF_EUSAGE, (struct place){0},
                       "prune takes no snapshots ('#'): say --older-than or "
                       "--keep");
    limits->has_instance = spec.query.has_instance;
    limits->instance = spec.query.instance;
    if (rc == 0)
        rc = store_prune(store, limits, &dropped, err);
    if (rc == 0 && !arguments->quiet)
        printf("%s: %s snapshot%s dropped\n", spec.place.service,
               count_text(dropped).text, dropped == 1 ? "" : "s");
    store_close(store);
    history_spec_done(&spec);
    return rc;
}

int history_prune_run(const struct arguments *arguments)
{
    struct store_limits limits = {0};
    struct cprof_error err = {0};
    int rc = history_need_one(arguments, &err);

    if (rc == 0)
        rc = read_limits(arguments, &limits, &err);
    if (rc == 0)
        rc = prune(arguments, &limits, &err);
    return history_end(rc, &err);
}

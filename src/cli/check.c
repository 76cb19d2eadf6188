/* check: all targets, one answer. */
#include "cli/check.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fd.h"
#include "cli/check_away.h"
#include "cli/check_guard.h"
#include "cli/check_memory.h"
#include "cli/notifications.h"
#include "model/options.h"

enum {
    REQUEST_MOST_S = 30,    /* of one request, where the run has more time */
    MARGIN_LEAST_MS = 2000, /* of the run, after the last answer came: a tenth
                               of it, but at least and at most so much */
    MARGIN_MOST_MS = 10000,
    SHARE_MOST_MS = 10000, /* that a request has for sure, however many others
                              wait: a quarter of the run, but at most this */
    STORE_WAIT_LEAST_MS = 1000,
    NOTIFY_LEAST_MS = 1000,
    NOTIFY_MOST_MS = 20000,
};

static enum check_status print(struct buf *out, enum check_status status)
{
    /* It needs no memory: there is none. */
    static const struct str lost =
        STR_INIT("CPROF_LEAKS UNKNOWN - out of memory\n");
    struct str text = out->failed ? lost : buf_str(out);

    if (out->failed)
        status = CHECK_UNKNOWN;
    /* A closed pipe wants no more. */
    if (!fd_write(STDOUT_FILENO, text.ptr, text.len) && errno != EPIPE) {
        struct cprof_error err = {0};

        error_system(&err, (struct place){"<stdout>", 0, 0}, "cannot write");
        error_print(&err);
        if (status == CHECK_OK) /* which nobody has heard */
            status = CHECK_UNKNOWN;
    }
    buf_done(out);
    return status;
}

int check_refuse(const struct cprof_error *err)
{
    struct buf why = {0};
    struct buf out = {0};

    if (err->source[0])
        buf_addf(&why, "%s: ", err->source);
    buf_add(&why, str_from(err->message));
    plugin_add_unknown(&out, buf_str(&why));
    buf_done(&why);
    return (int)print(&out, CHECK_UNKNOWN);
}

/* What is kept of a run for judging, writing and telling. */
static uint64_t margin_of(uint64_t run_ms)
{
    uint64_t margin = run_ms / 10;

    if (margin < MARGIN_LEAST_MS)
        margin = MARGIN_LEAST_MS;
    if (margin > MARGIN_MOST_MS)
        margin = MARGIN_MOST_MS;
    return margin < run_ms / 2 ? margin : run_ms / 2;
}

/* The time of a run is that of all its requests, so that the answer names the
 * targets that were slow and those that no time was left for, and has what was
 * found at the others. */
static void settle_times(struct check *check)
{
    struct address_arguments *address = &check->arguments.address;
    uint64_t run_ms = check->arguments.check.timeout_s * 1000;
    uint64_t margin_ms = margin_of(run_ms);
    uint64_t share_ms = (run_ms - margin_ms) / 4;

    address->timeout_s = REQUEST_MOST_S;
    address->until_ms = check->began_ms + run_ms - margin_ms;
    address->least_ms = share_ms < SHARE_MOST_MS ? share_ms : SHARE_MOST_MS;
    check->until_ms = check->began_ms + run_ms - margin_ms / 2;
}

/* When a target of the history was last read well; 0 = never. */
static int64_t last_success(struct check *check)
{
    struct store_instance *instances = NULL;
    struct cprof_error err = {0};
    int64_t last_ns = 0;
    size_t n = 0;

    if (store_instances(check->store, &check->arena, &instances, &n, &err) < 0)
        return 0;
    for (size_t i = 0; i < n; i++) {
        if (instances[i].last_success_ns > last_ns)
            last_ns = instances[i].last_success_ns;
    }
    return last_ns;
}

/* Opens the history. Where that fails the dumps are judged without it, and the
 * answer says so. */
static void open_history(struct check *check)
{
    uint64_t wait_ms = check->arguments.check.timeout_s * 1000 / 4;
    struct store_options options = {.mode = STORE_CREATE};
    int rc = history_place_make(&check->place, &check->trouble);

    options.wait_ms = wait_ms < STORE_WAIT_LEAST_MS ? STORE_WAIT_LEAST_MS
                      : wait_ms < STORE_WAIT_MS     ? wait_ms
                                                    : STORE_WAIT_MS;
    if (rc == 0)
        rc = check_lock_open(&check->lock, check->place.path, &check->trouble);
    if (rc == 0)
        rc = store_open(&check->store, check->place.path, &options,
                        &check->trouble);
    if (rc < 0)
        check->store = NULL;
    else
        check->before_ns = last_success(check);
}

/* Everything that makes a run senseless when it is wrong. */
static int prepare(struct check *check, struct cprof_error *err)
{
    struct arguments *arguments = &check->arguments;
    int rc = user_rules_settle(arguments, err);

    if (rc == 0)
        rc = inputs_check(arguments, err);
    if (rc == 0)
        rc = history_place_find(&check->place, arguments->history,
                                arguments->service, err);
    if (rc == 0)
        rc = notifications_new(&check->notifications, arguments, err);
    if (rc == 0)
        rc = addresses_new(&check->addresses, arguments, err);
    if (rc == 0)
        rc = check_targets_list(check, err);
    if (rc == 0 && check->n_targets > 1 && arguments->options->write_baseline)
        rc = error_set(err, CPROF_EUSAGE, (struct place){0},
                       "--write-baseline takes what one target shows; with "
                       "several each would undo the others'");
    return rc;
}

/* Old snapshots go once a run; that some could not is no matter of today. A
 * clock that jumps ahead does not make all of them old: no more than a day is
 * taken to have passed since the run before. */
static void prune(struct check *check)
{
    static const int64_t day_ns = (int64_t)24 * 3600 * 1000000000;
    int64_t now_ns = check->now_ns;
    struct store_limits limits = {0};
    struct cprof_error err = {0};

    if (check->before_ns && now_ns - check->before_ns > day_ns)
        now_ns = check->before_ns + day_ns;
    limits.before_ns =
        now_ns - (int64_t)check->arguments.check.older_s * 1000000000;

    if (check->store && store_prune(check->store, &limits, NULL, &err) < 0)
        error_print(&err);
}

/* Whether other runs have all targets in work: what these find is newer than
 * anything that could be told here. */
static bool is_all_busy(const struct check *check)
{
    for (size_t i = 0; i < check->n_targets; i++) {
        if (!check->targets[i].outcome.is_busy)
            return false;
    }
    return true;
}

/* --- The answer ----------------------------------------------------------- */

/* Takes over what is remembered of runs: the last one that went well. */
static void settle_successes(struct check *check)
{
    struct store_instance *instances = NULL;
    struct cprof_error err = {0};
    size_t n = 0;

    if (!check->store ||
        store_instances(check->store, &check->arena, &instances, &n, &err) < 0)
        n = 0;
    for (size_t i = 0; i < check->n_targets; i++) {
        struct outcome_target *target = &check->targets[i].outcome;

        if (!target->error.len)
            target->last_success_ns = check->now_ns;
        for (size_t k = 0; k < n && target->error.len; k++) {
            if (str_equal(instances[k].name, target->instance))
                target->last_success_ns = instances[k].last_success_ns;
        }
    }
}

/* Those of the run, and behind them those that are away. */
static size_t count_targets(const struct check *check)
{
    return check->n_targets + check->n_away;
}

static struct check_target *get_target(const struct check *check, size_t i)
{
    return i < check->n_targets ? &check->targets[i]
                                : &check->away[i - check->n_targets];
}

/* Whether an outcome has an alert. Of a target that is away it has what is
 * over: who still asks for it tells what fires. */
static bool is_shown(const struct check_target *target,
                     const struct alert *alert)
{
    return !target->outcome.is_away || alert->shown.state == ALERT_RESOLVED;
}

static bool settle(struct check *check, struct outcome *ret, uint32_t **unsent)
{
    size_t n_targets = count_targets(check);
    size_t most = 0;
    struct outcome_target *targets;
    struct outcome_alert *alerts;

    for (size_t i = 0; i < n_targets; i++)
        most += get_target(check, i)->alerts.n;
    targets = arena_take(&check->arena, n_targets * sizeof(*targets));
    alerts = arena_take(&check->arena, most * sizeof(*alerts));
    *unsent = arena_take(&check->arena, most * sizeof(**unsent));
    if (!targets || !alerts || !*unsent)
        return false;
    for (size_t i = 0; i < n_targets; i++) {
        const struct check_target *target = get_target(check, i);

        targets[i] = target->outcome;
        ret->status = check_status_worse(ret->status, target->outcome.status);
        for (size_t k = 0; k < target->alerts.n; k++) {
            if (!is_shown(target, &target->alerts.items[k]))
                continue;
            alerts[ret->n_alerts] = target->alerts.items[k].shown;
            alerts[ret->n_alerts].target = i;
            (*unsent)[ret->n_alerts++] = target->alerts.items[k].unsent;
        }
    }
    ret->targets = targets;
    ret->n_targets = check->n_targets;
    ret->alerts = alerts;
    return true;
}

/* Whether something ended in this run: who was told of it by cron's mail alone
 * hears of it in the same way. */
static bool has_resolved(const struct outcome *outcome)
{
    for (size_t i = 0; i < outcome->n_alerts; i++) {
        const struct outcome_alert *alert = &outcome->alerts[i];

        if (alert->state == ALERT_RESOLVED && alert->is_changed)
            return true;
    }
    return false;
}

static enum check_status answer(struct check *check,
                                const struct outcome *outcome)
{
    uint64_t ran_ms = progress_now_ms(NULL) - check->began_ms;
    size_t n_failures = buf_failures();
    struct buf out = {0};

    if (!check->arguments.quiet || outcome->status != CHECK_OK ||
        has_resolved(outcome))
        plugin_add(&out, outcome, &check->arguments.check.ranges, ran_ms);
    out.failed = out.failed || buf_failures() != n_failures;
    guard_answer();
    return print(&out, outcome->status);
}

/* Keeps which receivers are still to be told, where that changed. */
static void remember_unsent(struct check *check, const uint32_t *unsent)
{
    struct cprof_error err = {0};
    size_t next = 0;

    for (size_t i = 0; i < count_targets(check); i++) {
        struct check_target *target = get_target(check, i);
        bool has_changed = false;

        for (size_t k = 0; k < target->alerts.n; k++) {
            struct alert *alert = &target->alerts.items[k];

            if (!is_shown(target, alert))
                continue;
            has_changed = has_changed || alert->unsent != unsent[next];
            alert->unsent = unsent[next++];
        }
        if (has_changed && target->is_remembered &&
            check_memory_write(check->store, target->outcome.instance,
                               &target->alerts, &err) < 0)
            error_print(&err);
    }
}

/* Tells others, in what is left of the time. */
static void notify(struct check *check, const struct outcome *outcome,
                   uint32_t *unsent)
{
    uint64_t ran_ms = progress_now_ms(NULL) - check->began_ms;
    uint64_t run_ms = check->arguments.check.timeout_s * 1000;
    uint64_t left_ms = run_ms > ran_ms ? run_ms - ran_ms : 0;

    if (!check->notifications || is_all_busy(check))
        return;
    if (left_ms < NOTIFY_LEAST_MS)
        left_ms = NOTIFY_LEAST_MS;
    notifications_send(check->notifications, outcome, unsent,
                       left_ms < NOTIFY_MOST_MS ? left_ms : NOTIFY_MOST_MS);
    remember_unsent(check, unsent);
}

static enum check_status run(struct check *check)
{
    const struct check_arguments *arguments = &check->arguments.check;
    struct outcome outcome = {
        .service = str_from(check->place.service),
        .now_ns = check->now_ns,
        .interval_ns = (int64_t)arguments->interval_s * 1000000000,
    };
    uint32_t *unsent = NULL;
    enum check_status status;
    struct buf out = {0};

    open_history(check);
    for (size_t i = 0; i < check->n_targets; i++)
        check_target(check, &check->targets[i]);
    if (!is_all_busy(check))
        check_away(check);
    prune(check);
    settle_successes(check);
    if (!settle(check, &outcome, &unsent)) {
        out.failed = true;
        return print(&out, CHECK_UNKNOWN);
    }
    status = answer(check, &outcome);
    guard_end();
    notify(check, &outcome, unsent);
    return status;
}

static void done(struct check *check)
{
    store_close(check->store);
    check_lock_close(&check->lock);
    addresses_free(check->addresses);
    notifications_free(check->notifications);
    history_place_done(&check->place);
    free(check->targets);
    arena_done(&check->arena);
}

int check_run(const struct arguments *arguments)
{
    struct check check = {.arguments = *arguments,
                          .lock = {-1, -1},
                          .now_ns = check_now_ns(),
                          .began_ms = progress_now_ms(NULL)};
    struct cprof_error err = {0};
    int status;

    budget_init(&check.budget, arguments->options->max_memory);
    arena_init(&check.arena, &check.budget);
    guard_begin(arguments->check.timeout_s);
    settle_times(&check);
    arguments->options->now_ns = check.now_ns; /* by which a baseline expires */
    if (prepare(&check, &err) < 0)
        status = check_refuse(&err);
    else
        status = (int)run(&check);
    done(&check);
    return status;
}

/* One target of check: read, stored, compared, judged, remembered. */
#include <time.h>

#include "analysis/restarts.h"
#include "base/error.h"
#include "cli/check.h"
#include "cli/check_memory.h"
#include "cli/check_save.h"
#include "cli/check_series.h"
#include "input/source.h"
#include "model/collection.h"
#include "model/name_time.h"
#include "model/options.h"
#include "notify/places.h"
#include "report/answer_words.h"

enum {
    SERIES_LEAST = 5,   /* snapshots that show growth */
    LATELY = 25,        /* snapshots that are looked at for restarts */
    RESTARTS_LEAST = 5, /* among them, that no service has */
};

/* A target while it is judged. */
struct judging {
    struct check *check;
    struct check_target *target;
    struct cprof_snapshots *dump;   /* what was read */
    struct cprof_report *now;       /* and found in it */
    struct cprof_snapshots *series; /* it among those of the history */
    struct cprof_report *compared;  /* NULL = there is nothing to compare */
    struct snapshot *snapshot;      /* the one that is judged */
    struct alerts before;
    struct spool bytes; /* as they were received */
    bool has_bytes;     /* all of them */
    int64_t taken_ns;
    bool is_repeat;    /* the same dump was judged before */
    bool is_forgetful; /* what is remembered could not be read, and must not
                          be written over */
};

int64_t check_now_ns(void)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Says in the outcome why there is no full answer. The first reason counts;
 * what comes on top of it stands on standard error. */
static void blame(struct judging *judging, const struct cprof_error *err)
{
    struct check *check = judging->check;
    struct outcome_target *outcome = &judging->target->outcome;
    struct buf text = {0};

    if (err->source[0])
        buf_addf(&text, "%s: ", err->source);
    buf_add(&text, str_from(err->message));
    if (outcome->error.len) {
        if (!str_equal(outcome->error, buf_str(&text)))
            error_print(err);
        buf_done(&text);
        return;
    }
    outcome->error = arena_copy(&check->arena, buf_str(&text));
    if (!outcome->error.len)
        outcome->error = STR("out of memory");
    if (err->code == CPROF_EFORMAT)
        outcome->remedy = arena_copy(&check->arena, str_from(err->detail));
    buf_done(&text);
}

/* --- Reading -------------------------------------------------------------- */

static int read_file(struct judging *judging, struct capture *capture,
                     struct cprof_error *err)
{
    const char *input = judging->target->input;
    struct source source;
    struct source captured;
    int rc = source_open(&source, input, err);

    if (rc < 0)
        return rc;
    captured = capture_source(capture, source);
    rc = cprof_snapshots_read(judging->dump,
                              judging->target->outcome.address.ptr,
                              captured.read, captured.user, err);
    source_close(&source);
    return rc;
}

/* Reads the dump, and the proof of leaks that was asked for. */
static int read_target(struct judging *judging, struct cprof_error *err)
{
    struct check *check = judging->check;
    const struct option_list *proofs = &check->arguments.options->leak_profile;
    struct check_target *target = judging->target;
    struct capture capture = {
        .into = check->arguments.check.save ? &judging->bytes : NULL};
    int rc;

    if (target->input)
        rc = read_file(judging, &capture, err);
    else
        rc = addresses_read(check->addresses, target->address, judging->dump,
                            &capture, err);
    target->outcome.bytes = capture.bytes;
    judging->has_bytes = capture.into && !capture.is_broken;
    for (size_t i = 0; i < proofs->count && rc == 0; i++) {
        if (!str_equal(str_from(proofs->values[i]), STR("auto")))
            rc = cprof_snapshots_read_leaks(judging->dump, proofs->values[i],
                                            err);
        else if (!target->input)
            rc = addresses_read_leak(check->addresses, target->address,
                                     judging->dump, err);
    }
    return rc;
}

/* Finds the snapshot that a series is made of: the judged one of goroutines. */
static int find_snapshot(struct judging *judging, struct cprof_error *err)
{
    struct analysis *analysis = report_analysis(judging->now);

    for (size_t i = judging->dump->count; i-- > 0;) {
        struct snapshot *snapshot = judging->dump->items[i];
        const struct snapshot_info *info = snapshot_info_get(snapshot);

        if (info->kind != PROFILE_GOROUTINE || info->is_proof ||
            !analysis_is_judged(analysis, i))
            continue;
        if (!judging->snapshot) {
            judging->snapshot = snapshot;
        } else if (!str_equal(info->instance,
                              snapshot_info_get(judging->snapshot)->instance)) {
            return error_set(
                err, CPROF_EFORMAT, (struct place){info->source.ptr, 0, 0},
                "it holds dumps of several processes, and a target "
                "is one");
        }
    }
    if (judging->snapshot)
        return 0;
    return error_set(err, CPROF_EFORMAT,
                     (struct place){judging->target->outcome.address.ptr, 0, 0},
                     "it holds no goroutine profile, which is what check "
                     "compares over time");
}

/* When the dump of a file was taken: as it says, or its name, or when it was
 * last written. So one that nobody wrote since is the same one, and an equal
 * one of another time is another. One that was fetched, or came by a pipe, was
 * taken when it came: by this machine's clock, as all others of its series. */
static int64_t time_of(const struct judging *judging)
{
    const struct check_target *target = judging->target;
    const struct snapshot_info *info = snapshot_info_get(judging->snapshot);
    int64_t ns = 0;

    if (!target->input)
        return check_now_ns();
    if (info->taken_ns)
        return info->taken_ns;
    if (name_time_find(str_from(target->input), &ns) && ns)
        return ns;
    ns = source_written_ns(target->input);
    return ns ? ns : check_now_ns();
}

/* What could not be read may be what fires: that is no answer, and nothing to
 * compare later dumps with. */
static int refuse_unread(const struct judging *judging, struct cprof_error *err)
{
    struct buf words = {0};
    int rc;

    words_of_unjudged(&words, judging->now);
    rc = error_set(err, CPROF_EFORMAT,
                   (struct place){judging->target->outcome.address.ptr, 0, 0},
                   STR_FORMAT, STR_ARG(buf_str(&words)));
    buf_done(&words);
    return rc;
}

/* Reads the dump and judges it alone. */
static int judge_dump(struct judging *judging, struct cprof_error *err)
{
    struct check *check = judging->check;
    struct outcome_target *outcome = &judging->target->outcome;
    int rc = cprof_snapshots_new(&judging->dump, check->arguments.options, err);

    if (rc == 0)
        rc = read_target(judging, err);
    if (rc >= 0)
        rc = cprof_report_new(&judging->now, judging->dump,
                              check->arguments.options, err);
    if (rc == 0)
        rc = find_snapshot(judging, err);
    if (rc == 0 && !cprof_report_is_judged(judging->now))
        rc = refuse_unread(judging, err);
    if (rc == 0)
        rc = places_take(outcome, judging->now, &check->arena, err);
    if (rc < 0)
        return rc;
    judging->taken_ns = time_of(judging);
    outcome->has_snapshot = true;
    outcome->is_complete = snapshot_info_get(judging->snapshot)->complete;
    outcome->taken_ns = judging->taken_ns;
    return 0;
}

/* --- History -------------------------------------------------------------- */

/* Whether the process is another one than that of the newest snapshot. */
static int find_restart(struct judging *judging, bool *ret,
                        struct cprof_error *err)
{
    struct check *check = judging->check;
    struct store_query query = {.has_instance = true,
                                .instance = judging->target->outcome.instance,
                                .to_ns = judging->taken_ns,
                                .newest = 1};
    struct cprof_snapshots *prior = NULL;
    size_t n = 0;
    int rc = cprof_snapshots_new(&prior, check->arguments.options, err);

    if (rc == 0)
        rc = store_read(check->store, &query, 1, prior, &n, err);
    *ret = rc == 0 && n &&
           restart_between(prior->items[prior->count - 1], judging->snapshot);
    cprof_snapshots_free(prior);
    return rc;
}

/* Whether the last runs met another process again and again, as behind an
 * address that shares requests out. A crash at each second run looks the same,
 * and lets growth be judged as little. */
static int find_several(struct judging *judging, struct cprof_error *err)
{
    struct check *check = judging->check;
    struct store_query query = {.has_instance = true,
                                .instance = judging->target->outcome.instance,
                                .to_ns = judging->taken_ns,
                                .newest = LATELY};
    struct store_entry *entries = NULL;
    size_t n_restarts = 0;
    size_t n = 0;
    int rc = store_list(check->store, &query, &check->arena, &entries, &n, err);

    if (rc < 0)
        return rc;
    for (size_t i = 1; i < n; i++)
        n_restarts += entries[i].segment != entries[i - 1].segment;
    judging->target->outcome.is_several = n_restarts >= RESTARTS_LEAST;
    return 0;
}

static int store_dump(struct judging *judging, struct cprof_error *err)
{
    struct check *check = judging->check;
    struct outcome_target *outcome = &judging->target->outcome;
    struct store_snapshot stored = {
        .instance = outcome->instance,
        .address = outcome->address,
        .snapshot = judging->snapshot,
        .taken_ns = judging->taken_ns,
        .is_timed = true,
    };
    struct store_added added = {0};
    int rc = find_restart(judging, &stored.is_new_segment, err);

    if (rc == 0)
        rc = store_add(check->store, &stored, &added, err);
    if (rc < 0)
        return rc;
    outcome->is_stored = true;
    outcome->is_baseline = added.is_first;
    outcome->is_restarted = stored.is_new_segment && !added.was_known;
    judging->is_repeat = added.was_known;
    return 0;
}

/* Reads what is stored of the process that runs now, and compares it. */
static int judge_series(struct judging *judging, struct cprof_error *err)
{
    struct check *check = judging->check;
    const struct cprof_options *options = check->arguments.options;
    struct outcome_target *outcome = &judging->target->outcome;
    int rc =
        check_series_read(&judging->series, check->store, outcome->instance,
                          judging->taken_ns, options, err);

    if (rc < 0)
        return rc;
    outcome->n_snapshots = judging->series->count;
    if (judging->series->count)
        outcome->since_ns =
            snapshot_info_get(judging->series->items[0])->taken_ns;
    return judging->series->count < 2
               ? 0
               : cprof_report_new(&judging->compared, judging->series, options,
                                  err);
}

/* --- Alerts --------------------------------------------------------------- */

static int see(struct judging *judging, struct sightings *ret,
               struct cprof_error *err)
{
    const struct check_arguments *arguments = &judging->check->arguments.check;
    struct alert_levels levels = {arguments->warning_at,
                                  arguments->critical_at};
    struct outcome_target *outcome = &judging->target->outcome;
    struct arena *arena = &judging->check->arena;
    int rc = sightings_take(ret, judging->now, judging->compared, &levels,
                            arena, err);

    if (rc < 0)
        return rc;
    outcome->n_findings = ret->n_findings;
    outcome->n_accepted = ret->n_accepted;
    return sightings_add_ranges(ret, &arguments->ranges, outcome->goroutines,
                                arena, err);
}

/* Steps the alerts by what was seen, or by nothing where nobody could look. */
static void step(struct judging *judging)
{
    struct check *check = judging->check;
    struct check_target *target = judging->target;
    struct alert_run run = {
        .needed = check->arguments.check.runs,
        .now_ns = judging->taken_ns ? judging->taken_ns : check->now_ns,
        .goroutines = target->outcome.goroutines,
        .is_repeat = judging->is_repeat,
        .is_young = target->outcome.n_snapshots < SERIES_LEAST,
        .is_partial = !target->outcome.is_complete,
    };
    struct sightings seen;
    struct cprof_error err = {0};
    bool has_seen = target->outcome.has_snapshot;

    if (has_seen && see(judging, &seen, &err) < 0) {
        blame(judging, &err);
        has_seen = false;
    }
    if (alerts_step(&target->alerts, &judging->before, has_seen ? &seen : NULL,
                    &run, &check->arena, &err) < 0)
        blame(judging, &err);
    if (!has_seen)
        return;
    alerts_hush(&target->alerts, &seen);
    target->outcome.remarks = seen.remarks;
    target->outcome.n_remarks = seen.n_remarks;
}

/* --- Evidence ------------------------------------------------------------- */

static const char *name_of_dump(const struct judging *judging)
{
    struct str format = str_from(snapshot_info_get(judging->snapshot)->format);

    return str_equal(format, STR("debug0")) ? "dump.pb.gz" : "dump.txt";
}

/* Keeps the stacks beside the dump, where an address can be asked for them; the
 * dump may have them already. */
static void save_stacks(struct judging *judging, const struct save_name *name,
                        struct buf *path)
{
    struct check *check = judging->check;
    struct save_name stacks = *name;
    struct cprof_error err = {0};
    struct spool spool;

    if (judging->target->input ||
        str_equal(str_from(snapshot_info_get(judging->snapshot)->format),
                  STR("debug2")))
        return;
    spool_init(&spool, addresses_temporary_folder(), SPOOL_MEMORY);
    stacks.what = "stacks.txt";
    if (addresses_fetch_stacks(check->addresses, judging->target->address,
                               &spool, SAVE_BYTES, &err) < 0 ||
        save_spool(check->arguments.check.save, &stacks, &spool, path, &err) <
            0)
        if (err.code != CPROF_EUSAGE)
            error_print(&err);
    spool_done(&spool);
}

/* Keeps what was judged when an alert became what it is in this run. */
static void save(struct judging *judging)
{
    struct check *check = judging->check;
    const struct check_arguments *arguments = &check->arguments.check;
    struct save_name name = {check->place.service,
                             judging->target->outcome.instance,
                             judging->taken_ns, NULL};
    struct cprof_error err = {0};
    struct buf path = {0};
    struct buf stacks = {0}; /* tells more, and lies beside it */
    struct str kept = {0};
    struct alerts *alerts = &judging->target->alerts;

    for (size_t i = 0; i < alerts->n; i++) {
        struct outcome_alert *shown = &alerts->items[i].shown;

        if (!shown->is_changed || shown->state != ALERT_FIRING)
            continue;
        if (!path.len) {
            name.what = name_of_dump(judging);
            if (save_spool(arguments->save, &name, &judging->bytes, &path,
                           &err) < 0) {
                error_print(&err);
                break;
            }
            save_stacks(judging, &name, &stacks);
            kept = arena_copy(&check->arena,
                              buf_str(stacks.len ? &stacks : &path));
            save_prune(arguments->save, arguments->save_most);
        }
        shown->evidence = kept;
    }
    buf_done(&stacks);
    buf_done(&path);
}

/* --- The whole ------------------------------------------------------------ */

static void settle_status(struct check_target *target)
{
    enum check_status status =
        target->outcome.error.len ? CHECK_UNKNOWN : CHECK_OK;

    for (size_t i = 0; i < target->alerts.n; i++) {
        const struct outcome_alert *shown = &target->alerts.items[i].shown;

        if (shown->state == ALERT_FIRING)
            status = check_status_worse(status, shown->status);
    }
    target->outcome.status = status;
}

/* Writes what is to be remembered, all of it or nothing. */
static void remember(struct judging *judging)
{
    struct check *check = judging->check;
    struct outcome_target *outcome = &judging->target->outcome;
    struct cprof_error err = {0};
    int rc;

    if (!check->store || judging->is_forgetful)
        return;
    rc = store_begin(check->store, &err);
    if (rc == 0)
        rc = check_memory_write(check->store, outcome->instance,
                                &judging->target->alerts, &err);
    if (rc == 0)
        rc = store_run_write(check->store, outcome->instance, check->now_ns,
                             outcome->error, &err);
    if (rc == 0)
        rc = store_commit(check->store, &err);
    if (rc < 0) {
        store_rollback(check->store);
        blame(judging, &err);
    }
    judging->target->is_remembered = rc == 0;
}

/* Accepts what a report found. What comes behind begins with what was written:
 * an alert is of the dump alone or of its series, and both are accepted. */
static void accept_found(struct judging *judging,
                         const struct cprof_report *report)
{
    const struct arguments *arguments = &judging->check->arguments;
    struct cprof_options *options = arguments->options;
    struct cprof_error err = {0};

    if (!options->write_baseline)
        return;
    if (baseline_write(arguments, report, &err) < 0 ||
        cprof_options_set(options, "baseline", options->write_baseline, &err) <
            0)
        blame(judging, &err);
}

/* What needs the history, and can be done without: a dump is judged even where
 * its history is broken. */
static void use_history(struct judging *judging)
{
    struct cprof_error err = {0};
    int rc = 0;

    if (judging->check->store)
        rc = store_dump(judging, &err);
    if (judging->check->store && rc == 0)
        rc = find_several(judging, &err);
    if (judging->check->store && rc == 0)
        rc = judge_series(judging, &err);
    if (rc < 0)
        blame(judging, &err);
}

/* Takes the lock and reads what is remembered, which needs none: what fires
 * does so, too, while another run has the target. */
static void begin(struct judging *judging)
{
    struct check *check = judging->check;
    struct outcome_target *outcome = &judging->target->outcome;
    struct cprof_error err = {0};
    int rc;

    if (!check->store)
        return;
    rc = check_lock_take(&check->lock, outcome->instance, &err);
    outcome->is_busy = rc == CPROF_ELIMIT;
    if (rc < 0)
        blame(judging, &err);
    judging->is_forgetful = rc < 0;
    if (rc < 0 && !outcome->is_busy)
        return;
    if (check_memory_read(check->store, outcome->instance, &judging->before,
                          &check->arena, &err) < 0) {
        blame(judging, &err);
        judging->is_forgetful = true;
    }
}

/* The time is kept before it is up, for what was found of the others. */
static int check_time(const struct judging *judging, struct cprof_error *err)
{
    const char *name = judging->target->outcome.address.ptr;

    if (progress_now_ms(NULL) < judging->check->until_ms)
        return 0;
    return error_set(err, CPROF_EIO, (struct place){name, 0, 0},
                     "no time was left for it: --timeout allows more");
}

/* Reads the dump, judges it, and remembers what it shows. */
static void judge(struct judging *judging)
{
    const struct check *check = judging->check;
    struct cprof_error err = {0};
    bool is_judged =
        check_time(judging, &err) == 0 && judge_dump(judging, &err) == 0;

    if (!is_judged)
        blame(judging, &err);
    if (judging->now)
        accept_found(judging, judging->now);
    /* Of all that cannot be judged, it is enough that the first says it. */
    if (check->trouble.code < 0 &&
        (is_judged || judging->target == check->targets))
        blame(judging, &check->trouble);
    if (is_judged)
        use_history(judging);
    if (judging->compared)
        accept_found(judging, judging->compared);
    step(judging);
    if (judging->has_bytes && judging->target->outcome.has_snapshot)
        save(judging);
    remember(judging);
}

static void done(struct judging *judging)
{
    cprof_report_free(judging->compared);
    cprof_snapshots_free(judging->series);
    cprof_report_free(judging->now);
    cprof_snapshots_free(judging->dump);
    spool_done(&judging->bytes);
}

void check_target(struct check *check, struct check_target *target)
{
    struct judging judging = {.check = check, .target = target};
    uint64_t began_ms = progress_now_ms(NULL);

    spool_init(&judging.bytes, addresses_temporary_folder(), SPOOL_MEMORY);
    begin(&judging);
    if (target->outcome.is_busy)
        step(&judging);
    else
        judge(&judging);
    settle_status(target);
    target->outcome.duration_ms = progress_now_ms(NULL) - began_ms;
    done(&judging);
}

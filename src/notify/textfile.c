#include "notify/textfile.h"

#include <inttypes.h>

#include "notify/clean.h"
#include "notify/notifier.h"
#include "notify/words.h"

enum { LABEL_MOST = 250, NAME_MOST = 100 };

/* A file while it is written. */
struct file {
    struct buf *out;
    const struct outcome *outcome;
    const struct undelivered *undelivered;
};

/* A figure of a snapshot, by the type of its field in struct outcome_target. */
enum figure { FIGURE_NONE, FIGURE_U64, FIGURE_SIZE, FIGURE_FLAG };

/* One metric: what it is called, what it says, and the series of one target: a
 * figure that stands in it, or what add makes. Names and texts are frozen:
 * node_exporter drops series of files that disagree about them. */
struct metric {
    const char *name; /* behind "cprof_leaks_" */
    const char *help;
    void (*add)(const struct file *file, const char *name,
                const struct outcome_target *target);
    enum figure figure;
    size_t offset;
};

static void add_label(struct buf *out, const char *name, struct str value)
{
    struct buf clean = {0};

    clean_add(&clean, value, LABEL_MOST, CLEAN_PLAIN);
    buf_addf(out, "%s=\"", name);
    for (size_t i = 0; i < clean.len; i++) {
        char c = clean.ptr[i];

        if (c == '"' || c == '\\')
            buf_add_char(out, '\\');
        buf_add_char(out, c);
    }
    buf_add_char(out, '"');
    out->failed |= clean.failed;
    buf_done(&clean);
}

/* Begins a series: its name, and the labels that all have. */
static void open_series(const struct file *file, const char *name,
                        const struct outcome_target *target)
{
    buf_addf(file->out, "cprof_leaks_%s{", name);
    add_label(file->out, "service", file->outcome->service);
    buf_add_char(file->out, ',');
    add_label(file->out, "target", target->instance);
}

static void more(const struct file *file, const char *name, struct str value)
{
    buf_add_char(file->out, ',');
    add_label(file->out, name, value);
}

static void close_series(const struct file *file, uint64_t value)
{
    buf_addf(file->out, "} %" PRIu64 "\n", value);
}

static void add_number(const struct file *file, const char *name,
                       const struct outcome_target *target, uint64_t value)
{
    open_series(file, name, target);
    close_series(file, value);
}

/* Seconds with their milliseconds. */
static void add_seconds(const struct file *file, const char *name,
                        const struct outcome_target *target, int64_t ms)
{
    open_series(file, name, target);
    buf_addf(file->out, "} %" PRId64 ".%03d\n", ms / 1000, (int)(ms % 1000));
}

static void add_success(const struct file *file, const char *name,
                        const struct outcome_target *target)
{
    add_number(file, name, target, target->has_snapshot && !target->error.len);
}

static void add_status(const struct file *file, const char *name,
                       const struct outcome_target *target)
{
    add_number(file, name, target, (uint64_t)target->status);
}

static void add_last_run(const struct file *file, const char *name,
                         const struct outcome_target *target)
{
    add_seconds(file, name, target, file->outcome->now_ns / 1000000);
}

static void add_last_success(const struct file *file, const char *name,
                             const struct outcome_target *target)
{
    if (target->last_success_ns)
        add_seconds(file, name, target, target->last_success_ns / 1000000);
}

static void add_interval(const struct file *file, const char *name,
                         const struct outcome_target *target)
{
    if (file->outcome->interval_ns)
        add_seconds(file, name, target, file->outcome->interval_ns / 1000000);
}

static void add_duration(const struct file *file, const char *name,
                         const struct outcome_target *target)
{
    add_seconds(file, name, target, (int64_t)target->duration_ms);
}

static void add_places(const struct file *file, const char *name,
                       const struct outcome_target *target)
{
    for (size_t i = 0; target->has_snapshot && i < target->n_places; i++) {
        const struct outcome_place *place = &target->places[i];

        open_series(file, name, target);
        more(file, "id", place->id);
        more(file, "function", place->function);
        more(file, "state", place->state);
        close_series(file, place->count);
    }
    if (!target->has_snapshot)
        return;
    open_series(file, name, target);
    more(file, "id", STR("other"));
    more(file, "function", (struct str){0});
    more(file, "state", (struct str){0});
    close_series(file, target->other);
}

static bool is_of(const struct file *file, const struct outcome_alert *alert,
                  const struct outcome_target *target)
{
    return alert_target(file->outcome, alert) == target;
}

/* How many alerts of a target stand somewhere; there is a number for each, so
 * that none of them ever is missing. */
static void add_alerts(const struct file *file, const char *name,
                       const struct outcome_target *target)
{
    static const struct {
        enum check_status status;
        enum alert_state state;
        struct str status_text;
        struct str state_text;
    } kinds[] = {
        {CHECK_WARNING, ALERT_FIRING, STR_INIT("warning"), STR_INIT("firing")},
        {CHECK_WARNING, ALERT_PENDING, STR_INIT("warning"),
         STR_INIT("pending")},
        {CHECK_CRITICAL, ALERT_FIRING, STR_INIT("critical"),
         STR_INIT("firing")},
        {CHECK_CRITICAL, ALERT_PENDING, STR_INIT("critical"),
         STR_INIT("pending")},
    };

    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        uint64_t n = 0;

        for (size_t i = 0; i < file->outcome->n_alerts; i++) {
            const struct outcome_alert *alert = &file->outcome->alerts[i];

            n += is_of(file, alert, target) &&
                 alert->status == kinds[k].status &&
                 alert->state == kinds[k].state;
        }
        open_series(file, name, target);
        more(file, "status", kinds[k].status_text);
        more(file, "state", kinds[k].state_text);
        close_series(file, n);
    }
}

/* The labels of one alert: those of its identity, and what people read. The
 * site is not among them, because its line changes with a build. */
static void open_alert(const struct file *file, const char *name,
                       const struct outcome_target *target,
                       const struct outcome_alert *alert)
{
    open_series(file, name, target);
    more(file, "id", alert->key);
    more(file, "rule", alert->rule);
    more(file, "function", alert->function);
}

static void add_alert_status(const struct file *file, const char *name,
                             const struct outcome_target *target)
{
    for (size_t i = 0; i < file->outcome->n_alerts; i++) {
        const struct outcome_alert *alert = &file->outcome->alerts[i];

        if (!is_of(file, alert, target) || !alert_counts(alert))
            continue;
        open_alert(file, name, target, alert);
        close_series(file, (uint64_t)alert->status);
    }
}

static void add_alert_goroutines(const struct file *file, const char *name,
                                 const struct outcome_target *target)
{
    for (size_t i = 0; i < file->outcome->n_alerts; i++) {
        const struct outcome_alert *alert = &file->outcome->alerts[i];

        if (!is_of(file, alert, target) || !alert_counts(alert))
            continue;
        open_alert(file, name, target, alert);
        close_series(file, alert_count_now(alert));
    }
}

static void add_undelivered(const struct file *file, const char *name,
                            const struct outcome_target *target)
{
    const struct undelivered *undelivered = file->undelivered;

    for (size_t kind = 0; kind < N_NOTIFIERS; kind++) {
        uint32_t bit = 1u << kind;
        uint64_t n = 0;

        if (!(undelivered->kinds & bit))
            continue;
        for (size_t i = 0; undelivered->masks && i < file->outcome->n_alerts;
             i++)
            n += is_of(file, &file->outcome->alerts[i], target) &&
                 (undelivered->masks[i] & bit);
        open_series(file, name, target);
        more(file, "receiver", str_from(notifiers[kind].label));
        close_series(file, n);
    }
}

#define MADE(function) .add = (function)
#define U64(member)                                                            \
 .figure = FIGURE_U64, .offset = offsetof(struct outcome_target, member)
#define SIZE(member)                                                           \
 .figure = FIGURE_SIZE, .offset = offsetof(struct outcome_target, member)
#define FLAG(member)                                                           \
 .figure = FIGURE_FLAG, .offset = offsetof(struct outcome_target, member)

static const struct metric metrics[] = {
    {"success", "Whether the last run of check could judge the target.",
     MADE(add_success)},
    {"status",
     "What the last run of check said: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN.",
     MADE(add_status)},
    {"last_run_timestamp_seconds", "When check last ran.", MADE(add_last_run)},
    {"last_success_timestamp_seconds",
     "When check could last judge the target.", MADE(add_last_success)},
    {"interval_seconds", "How far the runs of check lie apart.",
     MADE(add_interval)},
    {"run_duration_seconds",
     "How long it took to fetch, read and judge the dump.", MADE(add_duration)},
    {"dump_bytes", "Bytes of the dump.", U64(bytes)},
    {"goroutines", "Goroutines of the process.", U64(goroutines)},
    {"normal_goroutines", "Goroutines that were set aside as normal.",
     U64(normal)},
    {"dump_complete", "Whether the dump holds all goroutines.",
     FLAG(is_complete)},
    {"restarted", "Whether the process is another one than at the run before.",
     FLAG(is_restarted)},
    {"compared_snapshots", "Snapshots that the judgement rests on.",
     SIZE(n_snapshots)},
    {"findings", "Findings of severity low and above, alerting or not.",
     U64(n_findings)},
    {"place_goroutines",
     "Goroutines at one place of the code in one state; id other is the rest.",
     MADE(add_places)},
    {"alerts", "Alerts by what they amount to and where they stand.",
     MADE(add_alerts)},
    {"alert_status", "Alerts that fire: 1 WARNING, 2 CRITICAL.",
     MADE(add_alert_status)},
    {"alert_goroutines", "Goroutines of the alerts that fire.",
     MADE(add_alert_goroutines)},
    {"undelivered_alerts",
     "Alerts that a receiver could not be told of in the last run.",
     MADE(add_undelivered)},
};

static uint64_t figure_of(const struct metric *metric,
                          const struct outcome_target *target)
{
    const void *field = (const char *)target + metric->offset;

    switch (metric->figure) {
    case FIGURE_U64:
        return *(const uint64_t *)field;
    case FIGURE_SIZE:
        return *(const size_t *)field;
    case FIGURE_FLAG:
        return *(const bool *)field;
    case FIGURE_NONE:
        break;
    }
    return 0;
}

/* The series of one target; figures are those of a snapshot. */
static void add_metric(const struct file *file, const struct metric *metric,
                       const struct outcome_target *target)
{
    if (metric->add)
        metric->add(file, metric->name, target);
    else if (target->has_snapshot)
        add_number(file, metric->name, target, figure_of(metric, target));
}

void textfile_write(struct buf *out, const struct outcome *outcome,
                    const struct undelivered *undelivered)
{
    struct file file = {out, outcome, undelivered};

    for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
        const struct metric *metric = &metrics[i];
        size_t start = out->len;
        size_t head;

        buf_addf(out, "# HELP cprof_leaks_%s %s\n# TYPE cprof_leaks_%s gauge\n",
                 metric->name, metric->help, metric->name);
        head = out->len;
        for (size_t k = 0; k < outcome->n_targets; k++)
            add_metric(&file, metric, &outcome->targets[k]);
        if (out->len == head && !out->failed)
            out->len = start;
    }
    /* Sets the NUL behind what may have become shorter. */
    buf_add(out, (struct str){0});
}

/* Appends text with everything but letters, digits, "-" and "." as "_". */
static void add_safe(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len && i < NAME_MOST; i++) {
        char c = text.ptr[i];
        bool is_safe = ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
                       (c >= '0' && c <= '9') || c == '-' || c == '.';

        buf_add_char(out, is_safe ? c : '_');
    }
}

void textfile_add_name_of(struct buf *out, const struct outcome *outcome,
                          const struct outcome_target *target)
{
    buf_add(out, STR("cprof_leaks_"));
    add_safe(out, outcome->service);
    if (target) {
        buf_add_char(out, '_');
        add_safe(out, target->instance);
    }
    buf_add(out, STR(".prom"));
}

void textfile_add_name(struct buf *out, const struct outcome *outcome)
{
    textfile_add_name_of(out, outcome,
                         outcome->n_targets == 1 ? &outcome->targets[0] : NULL);
}

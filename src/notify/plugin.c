#include "notify/plugin.h"

#include "base/count.h"
#include "base/utc.h"
#include "notify/clean.h"
#include "notify/words.h"

enum {
    SUMMARY_MOST = 2048, /* bytes before the figures */
    TEXT_MOST = 400,     /* of a title, a name or an error in the summary */
    LONG_MOST = 4096,    /* of one in the lines below */
};

const char *const range_names[N_RANGES] = {"goroutines", "findings"};

/* Appends a text of others as a part of a line. */
static void add_text(struct buf *out, struct str text, size_t most)
{
    size_t from = out->len;

    clean_add(out, text, most, CLEAN_PLAIN);
    for (size_t i = from; !out->failed && i < out->len; i++) {
        if (out->ptr[i] == '|')
            out->ptr[i] = '/';
    }
}

static void add_number(struct buf *out, uint64_t number, const char *noun)
{
    buf_addf(out, "%s %s%s", count_text(number).text, noun,
             number == 1 ? "" : "s");
}

/* --- The first line ------------------------------------------------------- */

/* Whether an alert was looked for in this run and not found. */
static bool is_missed(const struct outcome *outcome,
                      const struct outcome_alert *alert)
{
    return !alert->is_seen && alert_target(outcome, alert)->has_snapshot;
}

/* Whether an alert comes before another: what was found comes before what is
 * only remembered, however bad that was. */
static bool is_before(const struct outcome *outcome,
                      const struct outcome_alert *alert,
                      const struct outcome_alert *other)
{
    bool is_gone = is_missed(outcome, alert);

    if (is_gone != is_missed(outcome, other))
        return !is_gone;
    return alert->status > other->status;
}

/* The alert that a summary begins with: the worst that fires. */
static const struct outcome_alert *find_worst(const struct outcome *outcome)
{
    const struct outcome_alert *worst = NULL;

    for (size_t i = 0; i < outcome->n_alerts; i++) {
        const struct outcome_alert *alert = &outcome->alerts[i];

        if (alert_counts(alert) && (!worst || is_before(outcome, alert, worst)))
            worst = alert;
    }
    return worst;
}

/* What went in an earlier run is there for its receivers only. */
static bool is_past(const struct outcome_alert *alert)
{
    return alert->state == ALERT_RESOLVED && !alert->is_changed;
}

static size_t count_alerts(const struct outcome *outcome,
                           enum alert_state state)
{
    size_t n = 0;

    for (size_t i = 0; i < outcome->n_alerts; i++)
        n += outcome->alerts[i].state == state && !is_past(&outcome->alerts[i]);
    return n;
}

/* The first target of that status. */
static const struct outcome_target *find_target(const struct outcome *outcome,
                                                enum check_status status)
{
    for (size_t i = 0; i < outcome->n_targets; i++) {
        if (outcome->targets[i].status == status)
            return &outcome->targets[i];
    }
    return NULL;
}

/* "5 targets, 1 critical, 2 unknown: " */
static void add_targets(struct buf *out, const struct outcome *outcome)
{
    static const struct {
        enum check_status status;
        const char *word;
    } words[] = {{CHECK_CRITICAL, "critical"},
                 {CHECK_WARNING, "warning"},
                 {CHECK_UNKNOWN, "unknown"}};

    if (outcome->n_targets < 2)
        return;
    add_number(out, outcome->n_targets, "target");
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        size_t n = 0;

        for (size_t k = 0; k < outcome->n_targets; k++)
            n += outcome->targets[k].status == words[i].status;
        if (n)
            buf_addf(out, ", %zu %s", n, words[i].word);
    }
    buf_add(out, STR("; "));
}

/* "; 2 more alerts", and why the line is of a worse status than the alert that
 * it begins with. */
static void add_others(struct buf *out, const struct outcome *outcome,
                       const struct outcome_alert *worst)
{
    size_t n = count_alerts(outcome, ALERT_FIRING) - 1;

    if (!n)
        return;
    buf_add(out, STR("; "));
    add_number(out, n, "more alert");
    for (size_t i = 0; i < outcome->n_alerts; i++) {
        const struct outcome_alert *alert = &outcome->alerts[i];

        if (!alert_counts(alert) || alert->status <= worst->status)
            continue;
        buf_addf(out, "%s %s (not seen now)", n > 1 ? ", one" : ",",
                 check_status_text(alert->status));
        return;
    }
}

static void add_worst(struct buf *out, const struct outcome *outcome,
                      const struct outcome_alert *worst)
{
    struct buf figures = {0};

    if (outcome->n_targets > 1) {
        add_text(out, alert_target(outcome, worst)->instance, TEXT_MOST);
        buf_add(out, STR(": "));
    }
    add_text(out, worst->title, TEXT_MOST);
    alert_add_figures(&figures, worst);
    if (figures.len) {
        buf_add(out, STR(", "));
        add_text(out, buf_str(&figures), TEXT_MOST);
    }
    buf_done(&figures);
    if (alert_where(worst).len) {
        buf_add(out, STR(" at "));
        add_text(out, alert_where(worst), TEXT_MOST);
    }
    if (worst->is_gathering)
        buf_add(out, STR(" (gathers again after a restart)"));
    else if (!worst->is_seen)
        buf_add(out, alert_target(outcome, worst)->has_snapshot
                         ? STR(" (not seen now)")
                         : STR(" (not looked for now)"));
    add_others(out, outcome, worst);
}

/* "not read: ..." of the first target that has no answer. */
static bool add_trouble(struct buf *out, const struct outcome *outcome)
{
    for (size_t i = 0; i < outcome->n_targets; i++) {
        const struct outcome_target *target = &outcome->targets[i];

        if (!target->error.len)
            continue;
        if (outcome->n_targets > 1) {
            add_text(out, target->instance, TEXT_MOST);
            buf_add(out, STR(": "));
        }
        add_text(out, target->error, TEXT_MOST);
        return true;
    }
    return false;
}

/* Whether the first snapshot of a target was stored. One of a part of the
 * goroutines is nothing to compare with: growth leaves it out. */
static bool has_baseline(const struct outcome_target *target)
{
    return target->is_baseline && target->is_stored && target->is_complete;
}

static bool is_partial(const struct outcome_target *target)
{
    return target->has_snapshot && !target->is_complete;
}

/* Of a healthy run. */
static void add_healthy(struct buf *out, const struct outcome *outcome)
{
    const struct outcome_target *target = find_target(outcome, CHECK_OK);
    uint64_t findings = 0;
    uint64_t goroutines = 0;

    for (size_t i = 0; i < outcome->n_targets; i++) {
        goroutines += outcome->targets[i].goroutines;
        findings += outcome->targets[i].n_findings;
    }
    add_number(out, goroutines, "goroutine");
    if (findings) {
        buf_add(out, STR(", "));
        add_number(out, findings, "finding");
        buf_add(out, STR(" below an alert"));
    } else {
        buf_add(out, STR(", no finding"));
    }
    if (outcome->n_targets == 1 && target && has_baseline(target))
        buf_add(out, STR("; baseline stored"));
    if (outcome->n_targets == 1 && target && target->is_restarted)
        buf_add(out, STR("; the process restarted"));
}

/* Says of which dumps there is only a part, whatever was found in it. */
static void add_partial(struct buf *out, const struct outcome *outcome)
{
    size_t n = 0;

    for (size_t i = 0; i < outcome->n_targets; i++)
        n += is_partial(&outcome->targets[i]);
    if (n && outcome->n_targets == 1)
        buf_add(out, STR("; the dump is incomplete"));
    else if (n)
        buf_addf(out, "; %zu incomplete dump%s", n, n == 1 ? "" : "s");
}

/* What makes all that is said of growth doubtful. */
static void add_several(struct buf *out, const struct outcome *outcome)
{
    size_t n = 0;

    for (size_t i = 0; i < outcome->n_targets; i++)
        n += outcome->targets[i].is_several;
    if (n && outcome->n_targets == 1)
        buf_add(out, STR("; perhaps several processes answer as this target"));
    else if (n)
        buf_addf(out, "; perhaps several processes answer as one target (%zu)",
                 n);
}

static void add_accepted(struct buf *out, const struct outcome *outcome)
{
    uint64_t n = 0;

    for (size_t i = 0; i < outcome->n_targets; i++)
        n += outcome->targets[i].n_accepted;
    if (!n)
        return;
    buf_add(out, STR("; "));
    add_number(out, n, "finding");
    buf_add(out, STR(" accepted by the baseline"));
}

/* What is pending, or has just gone. */
static void add_moves(struct buf *out, const struct outcome *outcome)
{
    for (size_t i = 0; outcome->alerts && i < outcome->n_alerts; i++) {
        const struct outcome_alert *alert = &outcome->alerts[i];

        if (alert->state == ALERT_FIRING || is_past(alert))
            continue;
        if (alert->state == ALERT_PENDING)
            buf_addf(out, "; pending (%u of %u): ", alert->runs_held,
                     alert->runs_needed);
        else if (alert_target(outcome, alert)->is_away)
            buf_add(out, STR("; resolved as no longer watched: "));
        else
            buf_add(out, alert->is_accepted ? STR("; resolved as accepted: ")
                                            : STR("; resolved: "));
        add_text(out, alert->title, TEXT_MOST);
        if (count_alerts(outcome, ALERT_PENDING) +
                count_alerts(outcome, ALERT_RESOLVED) >
            1)
            buf_add(out, STR(" and more"));
        return;
    }
}

static void add_summary(struct buf *out, const struct outcome *outcome)
{
    const struct outcome_alert *worst = find_worst(outcome);

    add_targets(out, outcome);
    if (worst) {
        add_worst(out, outcome, worst);
        buf_add(out, STR("; "));
    }
    if (!add_trouble(out, outcome)) {
        if (!worst)
            add_healthy(out, outcome);
        else if (!out->failed)
            out->len -= 2;
    }
    add_partial(out, outcome);
    add_several(out, outcome);
    add_accepted(out, outcome);
    add_moves(out, outcome);
}

/* --- Figures -------------------------------------------------------------- */

static void add_figure(struct buf *out, unsigned which, uint64_t value,
                       const struct plugin_ranges *ranges)
{
    buf_addf(out, "%s=%llu;", range_names[which], (unsigned long long)value);
    range_add(out, &ranges->warning[which]);
    buf_add_char(out, ';');
    range_add(out, &ranges->critical[which]);
    buf_add(out, STR(";0 "));
}

/* Those of the target that has the most; of none that was read, none. */
static void add_figures(struct buf *out, const struct outcome *outcome,
                        const struct plugin_ranges *ranges,
                        uint64_t duration_ms)
{
    uint64_t most[N_RANGES] = {0};
    size_t n_read = 0;

    for (size_t i = 0; i < outcome->n_targets; i++) {
        const struct outcome_target *target = &outcome->targets[i];

        if (!target->has_snapshot)
            continue;
        n_read++;
        if (target->goroutines > most[RANGE_GOROUTINES])
            most[RANGE_GOROUTINES] = target->goroutines;
        if (target->n_findings > most[RANGE_FINDINGS])
            most[RANGE_FINDINGS] = target->n_findings;
    }
    buf_add(out, STR(" | "));
    for (unsigned i = 0; i < N_RANGES && n_read; i++)
        add_figure(out, i, most[i], ranges);
    if (outcome->n_targets > 1)
        buf_addf(out, "targets=%zu;;;0 unread=%zu;;;0 ", outcome->n_targets,
                 outcome->n_targets - n_read);
    buf_addf(out, "time=%llu.%03llus;;;0\n",
             (unsigned long long)(duration_ms / 1000),
             (unsigned long long)(duration_ms % 1000));
}

/* --- The lines below ------------------------------------------------------ */

static void add_line(struct buf *out, const char *label, struct str text)
{
    if (!text.len)
        return;
    buf_addf(out, "    %s", label);
    add_text(out, text, LONG_MOST);
    buf_add_char(out, '\n');
}

static void add_since(struct buf *out, const struct outcome_alert *alert,
                      const struct outcome_target *target)
{
    if (alert->state == ALERT_PENDING)
        buf_addf(out, " (%u of %u runs)", alert->runs_held, alert->runs_needed);
    else if (target->is_away)
        buf_add(out, STR(", no longer watched"));
    else if (alert->is_accepted)
        buf_add(out, STR(", accepted by the baseline"));
    else if (alert->is_gathering)
        buf_add(out, STR(", gathers again in a process that is too young to be "
                         "judged"));
    else if (!alert->is_seen && alert->state == ALERT_FIRING &&
             is_partial(target))
        buf_add(out, STR(", not seen in this incomplete dump"));
    else if (!alert->is_seen && !alert->runs_missed)
        buf_add(out, STR(", not looked for now"));
    else if (!alert->is_seen && alert->state == ALERT_FIRING)
        buf_addf(out, ", not seen in the last %u of %u runs",
                 alert->runs_missed, alert->runs_needed);
    if (alert->first_seen_ns) {
        buf_add(out, STR(", found since "));
        utc_add(out, alert->first_seen_ns / 1000000000 * 1000000000);
    }
}

static void add_alert(struct buf *out, const struct outcome_alert *alert,
                      const struct outcome_target *target)
{
    struct buf figures = {0};

    buf_addf(out, "  %s, %s: ", check_status_text(alert->status),
             alert_state_text(alert->state));
    add_text(out, alert->title, LONG_MOST);
    add_since(out, alert, target);
    buf_add_char(out, '\n');
    alert_add_figures(&figures, alert);
    if (figures.len && alert_where(alert).len)
        buf_addf(&figures, " at " STR_FORMAT, STR_ARG(alert_where(alert)));
    if (figures.len && alert->state_text.len)
        buf_addf(&figures, ", " STR_FORMAT, STR_ARG(alert->state_text));
    add_line(out, "", buf_str(&figures));
    buf_done(&figures);
    add_line(out, "", alert->explain);
    add_line(out, "to do: ", alert->advice);
    add_line(out, "rule: ", alert->rule);
    add_line(out, "evidence: ", alert->evidence);
}

/* What a target is like, where the first line does not say it. */
static void add_target(struct buf *out, const struct outcome_target *target)
{
    add_text(out, target->instance, LONG_MOST);
    buf_addf(out, ": %s", check_status_text(target->status));
    if (target->has_snapshot) {
        buf_add(out, STR(", "));
        add_number(out, target->goroutines, "goroutine");
    }
    if (target->is_restarted)
        buf_add(out, STR(", the process restarted"));
    if (has_baseline(target))
        buf_add(out, STR(", baseline stored"));
    else if (target->n_snapshots > 1)
        buf_addf(out, ", compared with %zu earlier", target->n_snapshots - 1);
    if (is_partial(target))
        buf_add(out, STR(", incomplete"));
    buf_add_char(out, '\n');
    add_line(out, "", target->error);
    add_line(out, "to do: ", target->remedy);
    if (!target->is_several)
        return;
    add_line(out, "",
             STR("Many of the last runs met another process than the run "
                 "before: perhaps several answer as this target, which makes "
                 "its growth mean nothing, or it restarts all the time."));
    add_line(out, "to do: ",
             STR("Give the address of each process (of each pod, not of what "
                 "shares requests out), each as a target of its own."));
}

static bool has_alerts(const struct outcome *outcome, size_t target)
{
    for (size_t i = 0; i < outcome->n_alerts; i++) {
        if (outcome->alerts[i].target == target &&
            !is_past(&outcome->alerts[i]))
            return true;
    }
    return false;
}

static void add_details(struct buf *out, const struct outcome *outcome,
                        size_t index)
{
    const struct outcome_target *target = &outcome->targets[index];

    /* Of one target the first line says it all. */
    if (outcome->n_targets < 2 && !has_alerts(outcome, index) &&
        !target->n_remarks && !target->is_several)
        return;
    add_target(out, target);
    for (size_t i = 0; i < outcome->n_alerts; i++) {
        if (outcome->alerts[i].target == index && !is_past(&outcome->alerts[i]))
            add_alert(out, &outcome->alerts[i], target);
    }
    for (size_t i = 0; i < target->n_remarks; i++) {
        buf_add(out, STR("  no alert: "));
        add_text(out, target->remarks[i], LONG_MOST);
        buf_add_char(out, '\n');
    }
}

/* What ended because no run asks for its instance any more. */
static void add_away(struct buf *out, const struct outcome *outcome)
{
    const struct outcome_target *last = NULL;

    for (size_t i = 0; i < outcome->n_alerts; i++) {
        const struct outcome_alert *alert = &outcome->alerts[i];
        const struct outcome_target *target = alert_target(outcome, alert);

        if (!target->is_away || is_past(alert))
            continue;
        if (target != last) {
            add_text(out, target->instance, LONG_MOST);
            buf_add(out, STR(": no run asks for it any more\n"));
        }
        add_alert(out, alert, target);
        last = target;
    }
}

void plugin_add(struct buf *out, const struct outcome *outcome,
                const struct plugin_ranges *ranges, uint64_t duration_ms)
{
    struct buf summary = {0};

    buf_addf(out, "CPROF_LEAKS %s - ", check_status_text(outcome->status));
    add_summary(&summary, outcome);
    clean_add(out, buf_str(&summary), SUMMARY_MOST, CLEAN_PLAIN);
    out->failed = out->failed || summary.failed;
    buf_done(&summary);
    add_figures(out, outcome, ranges, duration_ms);
    for (size_t i = 0; i < outcome->n_targets; i++)
        add_details(out, outcome, i);
    add_away(out, outcome);
}

void plugin_add_unknown(struct buf *out, struct str why)
{
    buf_add(out, STR("CPROF_LEAKS UNKNOWN - "));
    add_text(out, why, SUMMARY_MOST);
    buf_add_char(out, '\n');
}

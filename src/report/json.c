/* docs/report.schema.json says what stands where; fields are written in its
 * order. */
#include "base/utc.h"
#include "base/version.h"
#include "report/json_fields.h"

static void put_time(struct json *json, int64_t unix_ns)
{
    struct buf text = {0};

    json_put_key(json, "taken_at");
    if (unix_ns) {
        utc_add(&text, unix_ns);
        json_put_string(json, buf_str(&text));
    } else {
        json_put_null(json);
    }
    buf_done(&text);
}

static void put_crash(struct json *json, const struct crash_view *view)
{
    const struct crash *crash = view->crash;

    if (!crash) {
        field_null(json, "crash");
        return;
    }
    json_put_key(json, "crash");
    json_open_object(json);
    field_text(json, "kind", view->kind);
    field_str(json, "message", crash->message);
    field_str_or_null(json, "signal", crash->signal);
    field_u64_or_null(json, "goroutine", crash->has_goroutine,
                      crash->goroutine);
    field_place(json, "site", &view->site);
    json_close_object(json);
}

/* What was measured, in all; null in profiles that only count. */
static void put_totals(struct json *json, const struct snapshot_info *info)
{
    json_put_key(json, "values");
    if (!info->n_types) {
        json_put_null(json);
        return;
    }
    json_open_object_flat(json);
    for (size_t i = 0; i < info->n_types; i++) {
        json_put_key_str(json, info->types[i].name);
        json_put_i64(json, info->totals[i]);
    }
    json_close_object(json);
}

/* When a snapshot was taken, as a comparison takes it: hours since the first of
 * its instance, and who says so. */
static void put_moment(struct json *json, struct snapshot_moment moment)
{
    bool has_time = moment.series && moment.series->clock != CLOCK_STEPS;

    json_put_key(json, "hours");
    if (has_time)
        json_put_double(json, moment.series->hours[moment.index], 6);
    else
        json_put_null(json);
    if (moment.series)
        field_text(json, "clock", clock_source_text(moment.series->clock));
    else
        field_null(json, "clock");
}

/* What a list of targets says of the one that was asked. */
static void put_labels(struct json *json, const struct snapshot_info *info)
{
    json_put_key(json, "labels");
    if (!info->n_labels) {
        json_put_null(json);
        return;
    }
    json_open_object_flat(json);
    for (size_t i = 0; i < info->n_labels; i++) {
        json_put_key_str(json, info->labels[i].key);
        json_put_string(json, info->labels[i].value);
    }
    json_close_object(json);
}

static void put_snapshot(struct json *json, const struct snapshot_info *info,
                         const struct crash_view *crash,
                         struct snapshot_moment moment, bool is_judged)
{
    json_open_object(json);
    field_str(json, "source", info->source);
    field_u64(json, "line", info->line);
    field_str_or_null(json, "instance", info->instance);
    put_labels(json, info);
    field_bool(json, "judged", is_judged);
    field_bool(json, "proof", info->is_proof);
    field_text(json, "format", info->format);
    field_str(json, "profile", info->profile);
    put_time(json, info->taken_ns);
    put_moment(json, moment);
    field_str_or_null(json, "go_version", info->go_version);
    field_u64_or_null(json, "declared_total", info->has_declared,
                      info->declared);
    field_u64(json, "total", info->total);
    field_u64(json, "other", info->other);
    put_totals(json, info);
    field_bool(json, "complete", info->complete);
    field_u64_or_null(json, "max_goroutine_id", info->max_id > 0, info->max_id);
    put_crash(json, crash);
    json_close_object(json);
}

static void put_snapshots(struct json *json, const struct cprof_report *report)
{
    const struct analysis *analysis = report_analysis(report);
    const struct cprof_snapshots *snapshots = analysis_snapshots(analysis);

    json_put_key(json, "snapshots");
    json_open_array(json);
    for (size_t i = 0; i < snapshots->count; i++) {
        struct crash_view crash = report_crash(report, i);

        put_snapshot(json, snapshot_info_get(snapshots->items[i]), &crash,
                     report_moment(report, i), analysis_is_judged(analysis, i));
    }
    json_close_array(json);
}

void json_put_summary(struct json *json, const struct report_summary *sum)
{
    json_put_key(json, "summary");
    json_open_object(json);
    field_str(json, "profile", sum->profile);
    field_u64(json, "goroutines", sum->goroutines);
    field_u64_or_null(json, "declared", sum->has_declared, sum->declared);
    field_u64(json, "share_of", sum->share_of);
    field_u64(json, "groups", sum->n_groups);
    field_u64(json, "shown", sum->shown);
    field_u64(json, "normal", sum->normal);
    field_u64_or_null(json, "leaked", sum->knows_leaked, sum->leaked);
    field_u64(json, "other", sum->other);
    field_bool(json, "complete", sum->is_complete);
    json_put_key(json, "by_state");
    json_open_object(json);
    for (size_t i = 0; i < sum->n_states; i++) {
        json_put_key_str(json, sum->states[i].state);
        json_put_u64(json, sum->states[i].count);
    }
    json_close_object(json);
    json_close_object(json);
}

static void put_finding_groups(struct json *json,
                               const struct analysis *analysis,
                               const struct finding *finding)
{
    const struct symbols *symbols = analysis_snapshots(analysis)->symbols;

    json_put_key(json, "groups");
    json_open_array(json);
    for (size_t i = 0; i < finding->n_groups; i++)
        json_put_text(
            json,
            signature_text(
                joined_signature(analysis_group(analysis, finding->groups[i]),
                                 symbols))
                .text);
    json_close_array(json);
    json_put_key(json, "group_ids");
    json_open_array(json);
    for (size_t i = 0; i < finding->n_groups; i++)
        json_put_text(
            json,
            signature_text(analysis_group(analysis, finding->groups[i])->id)
                .text);
    json_close_array(json);
}

static void put_finding(struct json *json, const struct cprof_report *report,
                        const struct finding_view *view)
{
    const struct finding *finding = view->finding;
    const struct rule_info *rule = finding->rule;

    json_open_object(json);
    field_str(json, "rule", rule->id);
    field_str(json, "title", rule->title);
    field_text(json, "class", rule_class_text(rule->class));
    field_text(json, "severity", severity_text(finding->severity));
    field_text(json, "confidence", confidence_text(finding->confidence));
    field_u64(json, "count", finding->count);
    field_share(json, finding->share);
    field_u64_or_null(json, "age_max_s", finding->has_age, finding->age_max_s);
    field_str_or_null(json, "state", view->state);
    field_text(json, "state_source", view->state_source);
    field_place(json, "site", &view->site);
    put_finding_groups(json, report_analysis(report), finding);
    field_str(json, "explain", finding->explain);
    field_str(json, "cause", rule->cause);
    field_texts(json, "advice", rule->advice);
    json_put_decides(json, report, finding);
    field_texts(json, "false_positives", rule->false_positives);
    field_texts(json, "references", rule->references);
    json_put_growth(json, report, finding->growth);
    field_holding(json, "holder", report, finding);
    field_cycle(json, "cycle", report, finding);
    json_put_acceptance(json, finding);
    json_close_object(json);
}

static void put_diagnostics(struct json *json, const struct diags *diags)
{
    json_put_key(json, "diagnostics");
    json_open_array(json);
    for (const struct diag *diag = diags->first; diag; diag = diag->next) {
        json_open_object(json);
        field_text(json, "severity", diag_severity_text(diag->severity));
        field_text(json, "code", diag->code);
        field_text(json, "source", diag->source);
        field_u64_or_null(json, "line", diag->line > 0, diag->line);
        field_str(json, "message", diag->message);
        field_u64(json, "repeats", diag->repeats);
        json_close_object(json);
    }
    json_close_array(json);
}

static void put_head(struct json *json, const struct cprof_report *report)
{
    const struct report_summary *sum = report_summary(report);

    field_text(json, "schema", "cprof-leaks/report/v1");
    json_put_key(json, "tool");
    json_open_object_flat(json);
    field_text(json, "name", "cprof-leaks");
    field_text(json, "version", cprof_version_text);
    json_close_object(json);
    field_text(json, "command", report_growth(report) ? "diff" : "analyze");
    field_text(json, "verdict", sum->word);
}

int json_write(const struct cprof_report *report, struct output *out,
               struct cprof_error *err)
{
    const struct cprof_snapshots *snapshots =
        analysis_snapshots(report_analysis(report));
    size_t n_findings = report_n_findings(report) + report_n_accepted(report);
    struct json json = json_begin(&out->buf);
    int rc = 0;

    json_open_object(&json);
    put_head(&json, report);
    put_snapshots(&json, report);
    json_put_summary(&json, report_summary(report));
    json_put_baseline(&json, report);
    json_put_key(&json, "findings");
    json_open_array(&json);
    for (size_t i = 0; rc == 0 && i < n_findings; i++) {
        struct finding_view view = report_finding(report, i);

        put_finding(&json, report, &view);
        rc = output_relieve(out, err);
    }
    json_close_array(&json);
    json_put_cycles(&json, report);
    if (rc == 0)
        rc = json_put_groups(&json, report, out, err);
    if (rc < 0)
        return rc;
    json_put_changes(&json, report);
    json_put_breakdown(&json, report);
    json_put_measures(&json, report);
    put_diagnostics(&json, &snapshots->diags);
    json_close_object(&json);
    return 0;
}

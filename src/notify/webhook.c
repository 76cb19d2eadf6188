/* The message for programs of one's own: everything that is known of the alerts
 * that changed, and of all targets, raw. docs/alerts.schema.json describes
 * it. */
#include "base/version.h"
#include "model/options.h"
#include "notify/fields.h"
#include "report/json_fields.h"

enum { FIGURE_DIGITS = 4, SUMMARY_MOST = 1024 };

static void put_labels(struct json *json, const struct outcome_target *target)
{
    json_put_key(json, "labels");
    json_open_object(json);
    for (size_t i = 0; i < target->n_labels; i++) {
        json_put_key_str(json, target->labels[i].key);
        json_put_string(json, target->labels[i].value);
    }
    json_close_object(json);
}

static void put_target(struct json *json, const struct outcome_target *target)
{
    bool is_read = target->has_snapshot;

    json_open_object(json);
    field_str(json, "instance", target->instance);
    field_str(json, "address", target->address);
    put_labels(json, target);
    field_text(json, "status", check_status_text(target->status));
    field_str_or_null(json, "error", target->error);
    field_time(json, "taken_at", is_read ? target->taken_ns : 0);
    field_u64_or_null(json, "goroutines", is_read, target->goroutines);
    field_u64_or_null(json, "normal", is_read, target->normal);
    field_u64_or_null(json, "findings", is_read, target->n_findings);
    field_bool(json, "complete", target->is_complete);
    field_bool(json, "baseline", target->is_baseline);
    field_bool(json, "restarted", target->is_restarted);
    field_bool(json, "several_processes", target->is_several);
    field_time(json, "last_success_at", target->last_success_ns);
    json_close_object(json);
}

static void put_growth(struct json *json, const struct outcome_alert *alert)
{
    json_put_key(json, "growth");
    if (!alert->has_growth) {
        json_put_null(json);
        return;
    }
    json_open_object_flat(json);
    json_put_key(json, "delta");
    json_put_double(json, alert->delta, FIGURE_DIGITS);
    json_put_key(json, "per_hour");
    if (alert->has_rate)
        json_put_double(json, alert->per_hour, FIGURE_DIGITS);
    else
        json_put_null(json);
    json_close_object(json);
}

/* Why an alert is over. */
static struct str ending_of(const struct message *message,
                            const struct outcome_alert *alert)
{
    if (alert_event_now(alert) != EVENT_RESOLVED)
        return (struct str){0};
    if (alert_target(message->outcome, alert)->is_away)
        return STR("unwatched");
    return alert->is_accepted ? STR("accepted") : STR("gone");
}

static void put_alert(struct json *json, const struct message *message,
                      const struct outcome_alert *alert)
{
    json_open_object(json);
    field_str(json, "id", alert->key);
    field_text(json, "event", event_text(alert_event_now(alert)));
    field_str(json, "instance",
              alert_target(message->outcome, alert)->instance);
    field_summary(json, "summary", message, alert, SUMMARY_MOST, CLEAN_PLAIN);
    field_str(json, "rule", alert->rule);
    field_str(json, "title", alert->title);
    field_text(json, "status", check_status_text(alert->status));
    field_text(json, "severity", severity_text(alert->severity));
    field_str_or_null(json, "confidence", alert->confidence);
    field_u64(json, "runs_held", alert->runs_held);
    field_time(json, "first_seen_at", alert->first_seen_ns);
    field_time(json, "fired_at", alert->fired_ns);
    field_time(json, "resolved_at", alert->resolved_ns);
    field_str_or_null(json, "resolved_as", ending_of(message, alert));
    field_u64(json, "goroutines", alert->count);
    field_u64_or_null(json, "goroutines_now", alert->has_now, alert->now);
    field_share(json, alert->share);
    put_growth(json, alert);
    field_str_or_null(json, "state", alert->state_text);
    field_str_or_null(json, "site", alert->site);
    field_str_or_null(json, "places", alert->places);
    field_str_or_null(json, "explain", alert->explain);
    field_str_or_null(json, "advice", alert->advice);
    field_str_or_null(json, "evidence", alert->evidence);
    json_close_object(json);
}

static void put_tool(struct json *json)
{
    json_put_key(json, "tool");
    json_open_object_flat(json);
    field_text(json, "name", "cprof-leaks");
    field_text(json, "version", cprof_version_text);
    json_close_object(json);
}

void webhook_write(struct json *json, const struct message *message)
{
    const struct outcome *outcome = message->outcome;
    struct buf title = {0};

    message_add_title(&title, message);
    json_open_object(json);
    field_text(json, "schema", "cprof-leaks/alerts/v1");
    put_tool(json);
    field_str(json, "service", outcome->service);
    field_time(json, "at", outcome->now_ns);
    field_text(json, "status", check_status_text(outcome->status));
    field_clean(json, "summary", buf_str(&title), SUMMARY_MOST, CLEAN_PLAIN);
    json_put_key(json, "alerts");
    json_open_array(json);
    for (size_t i = 0; i < message->n_alerts; i++)
        put_alert(json, message, message_alert(message, i));
    json_close_array(json);
    json_put_key(json, "targets");
    json_open_array(json);
    for (size_t i = 0; i < outcome->n_targets; i++)
        put_target(json, &outcome->targets[i]);
    json_close_array(json);
    json_close_object(json);
    json->out->failed |= title.failed;
    buf_done(&title);
}

/* Alertmanager's API v2: an array of alerts. What identifies an alert there are
 * its labels, all of them, so that nothing stands among them that changes while
 * it fires; counts and texts are annotations. An alert without an end is taken
 * for resolved five minutes after it was last sent (resolve_timeout), which is
 * sooner than the next run of many a cron job: so each has its end. */
#include "notify/fields.h"
#include "report/json_fields.h"

enum {
    LABEL_MOST = 500,
    TEXT_MOST = 2000,
    INTERVALS = 3, /* missed runs after which an alert ends */
};

static const int64_t interval_default_ns = INT64_C(300) * 1000000000;
/* By how much clocks may differ. An end that lies ahead of Alertmanager's clock
 * resolves nothing, and is sent once. */
static const int64_t clocks_apart_ns = INT64_C(60) * 1000000000;

static const char *const own_labels[] = {
    "alertname", "service", "instance", "severity", "rule", "id", NULL};

/* The severity that routes are made for: "warning" or "critical". */
static const char *severity_of(enum check_status status)
{
    return status == CHECK_CRITICAL ? "critical" : "warning";
}

static void put_labels(struct json *json, const struct message *message,
                       const struct outcome_alert *alert,
                       enum check_status status)
{
    const struct outcome_target *target = alert_target(message->outcome, alert);

    json_put_key(json, "labels");
    json_open_object(json);
    field_text(json, "alertname", "CprofLeaks");
    field_clean(json, "service", message->outcome->service, LABEL_MOST,
                CLEAN_PLAIN);
    field_clean(json, "instance", target->instance, LABEL_MOST, CLEAN_PLAIN);
    field_text(json, "severity", severity_of(status));
    field_clean(json, "rule", alert->rule, LABEL_MOST, CLEAN_PLAIN);
    field_clean(json, "id", alert->key, LABEL_MOST, CLEAN_PLAIN);
    field_target_labels(json, target, own_labels);
    json_close_object(json);
}

static void put_annotations(struct json *json, const struct message *message,
                            const struct outcome_alert *alert)
{
    static const char *const keys[ALERT_FACTS] = {
        NULL,         "figures",     "site",   "state",   "judgement",
        "first_seen", "description", "advice", "evidence"};
    struct alert_fact facts[ALERT_FACTS];
    struct buf made = {0};

    alert_facts(message->outcome, alert, &made, facts);
    json_put_key(json, "annotations");
    json_open_object(json);
    field_summary(json, "summary", message, alert, TEXT_MOST, CLEAN_PLAIN);
    for (size_t i = 0; i < ALERT_FACTS; i++) {
        if (keys[i])
            field_clean_if(json, keys[i], facts[i].text, TEXT_MOST,
                           CLEAN_PLAIN);
    }
    json_close_object(json);
    json->out->failed |= made.failed;
    buf_done(&made);
}

/* The end of what is over: behind its start, and as far back as it takes. */
static int64_t past_end(int64_t start_ns, int64_t now_ns)
{
    int64_t end_ns = now_ns - clocks_apart_ns;

    return end_ns > start_ns ? end_ns : start_ns + (now_ns - start_ns + 1) / 2;
}

/* One alert from when it fired on; it ends at once, or when three runs have not
 * sent it again. */
static void put_alert(struct json *json, const struct message *message,
                      const struct outcome_alert *alert,
                      enum check_status status, bool is_over)
{
    const struct outcome *outcome = message->outcome;
    int64_t interval =
        outcome->interval_ns ? outcome->interval_ns : interval_default_ns;
    bool is_known = alert->fired_ns && alert->fired_ns <= outcome->now_ns;
    int64_t start_ns = is_known ? alert->fired_ns : outcome->now_ns;

    json_open_object(json);
    put_labels(json, message, alert, status);
    put_annotations(json, message, alert);
    field_time(json, "startsAt", start_ns);
    field_time(json, "endsAt",
               is_over ? past_end(start_ns, outcome->now_ns)
                       : outcome->now_ns + INTERVALS * interval);
    json_close_object(json);
}

/* Whether an alert that fires was of the other severity until this run: for
 * Alertmanager that was another alert, which has to end. */
static bool has_other_severity(const struct outcome *outcome,
                               const struct outcome_alert *alert)
{
    return alert->is_changed && alert_counts(alert) && alert->fired_ns &&
           alert->fired_ns < outcome->now_ns;
}

void alertmanager_write(struct json *json, const struct message *message)
{
    json_open_array(json);
    for (size_t i = 0; i < message->n_alerts; i++) {
        const struct outcome_alert *alert = message_alert(message, i);

        put_alert(json, message, alert, alert->status,
                  alert_event_now(alert) == EVENT_RESOLVED);
        if (has_other_severity(message->outcome, alert))
            put_alert(json, message, alert,
                      alert->status == CHECK_CRITICAL ? CHECK_WARNING
                                                      : CHECK_CRITICAL,
                      true);
    }
    json_close_array(json);
}

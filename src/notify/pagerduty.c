/* An event of PagerDuty's Events API v2. The dedup_key names the incident: the
 * same in every run, so that `resolve` ends what `trigger` began and a repeated
 * trigger is no second incident. Limits (PagerDuty, "Send an alert event"):
 * 1,024 characters a summary, 255 a dedup_key. */
#include "model/options.h"
#include "model/signature.h"
#include "notify/fields.h"
#include "report/json_fields.h"

enum { SUMMARY_MOST = 1024, KEY_MOST = 255, FIELD_MOST = 1024 };

/* Whether a text can be shown as it is. */
static bool is_clean(struct str text)
{
    struct buf cleaned = {0};
    bool is;

    clean_add(&cleaned, text, KEY_MOST, CLEAN_PLAIN);
    is = !cleaned.failed && str_equal(buf_str(&cleaned), text);
    buf_done(&cleaned);
    return is;
}

/* "api/host:6060/KEY"; where that is too long, or nothing to show to people, a
 * hash of the first two. */
static void put_dedup_key(struct json *json, const struct message *message,
                          const struct outcome_alert *alert)
{
    struct str parts[] = {message->outcome->service,
                          alert_target(message->outcome, alert)->instance};
    struct buf key = {0};

    buf_add(&key, STR("cprof-leaks/"));
    if (parts[0].len + parts[1].len + alert->key.len + key.len + 2 > KEY_MOST ||
        !is_clean(parts[0]) || !is_clean(parts[1])) {
        struct signature_text hash =
            signature_text(signature_of_texts(parts, 2));

        buf_add(&key, str_from(hash.text));
    } else {
        buf_add(&key, parts[0]);
        buf_add_char(&key, '/');
        buf_add(&key, parts[1]);
    }
    buf_add_char(&key, '/');
    buf_add(&key, alert->key);
    field_str(json, "dedup_key", buf_str(&key));
    json->out->failed |= key.failed;
    buf_done(&key);
}

static void put_details(struct json *json, const struct message *message,
                        const struct outcome_alert *alert)
{
    struct alert_fact facts[ALERT_FACTS];
    struct buf made = {0};

    alert_facts(message->outcome, alert, &made, facts);
    json_put_key(json, "custom_details");
    json_open_object(json);
    field_clean(json, "Finding", alert->title, FIELD_MOST, CLEAN_PLAIN);
    for (size_t i = 0; i < ALERT_FACTS; i++)
        field_clean_if(json, facts[i].name, facts[i].text, FIELD_MOST,
                       CLEAN_PLAIN);
    json_close_object(json);
    json->out->failed |= made.failed;
    buf_done(&made);
}

static void put_payload(struct json *json, const struct message *message,
                        const struct outcome_alert *alert)
{
    json_put_key(json, "payload");
    json_open_object(json);
    field_summary(json, "summary", message, alert, SUMMARY_MOST, CLEAN_PLAIN);
    field_clean(json, "source", alert_target(message->outcome, alert)->instance,
                FIELD_MOST, CLEAN_PLAIN);
    field_text(json, "severity",
               alert->status == CHECK_CRITICAL ? "critical" : "warning");
    field_time(json, "timestamp", message->outcome->now_ns);
    field_clean(json, "component", message->outcome->service, FIELD_MOST,
                CLEAN_PLAIN);
    field_clean(json, "class", alert->rule, FIELD_MOST, CLEAN_PLAIN);
    put_details(json, message, alert);
    json_close_object(json);
}

void pagerduty_write(struct json *json, const struct message *message)
{
    const struct outcome_alert *alert = message_alert(message, 0);
    bool is_over = alert_event_now(alert) == EVENT_RESOLVED;

    json_open_object(json);
    field_text(json, "routing_key", message->key);
    field_text(json, "event_action", is_over ? "resolve" : "trigger");
    put_dedup_key(json, message, alert);
    field_text(json, "client", "cprof-leaks");
    if (!is_over)
        put_payload(json, message, alert);
    json_close_object(json);
}

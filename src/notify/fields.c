#include "notify/fields.h"

#include "report/json_fields.h"

static void put_buf(struct json *json, const char *key, struct buf *buf)
{
    field_str(json, key, buf_str(buf));
    json->out->failed |= buf->failed;
    buf_done(buf);
}

void field_clean(struct json *json, const char *key, struct str text,
                 size_t most, enum clean_manner manner)
{
    struct buf buf = {0};

    clean_add(&buf, text, most, manner);
    put_buf(json, key, &buf);
}

void field_clean_if(struct json *json, const char *key, struct str text,
                    size_t most, enum clean_manner manner)
{
    if (text.len)
        field_clean(json, key, text, most, manner);
}

void field_summary(struct json *json, const char *key,
                   const struct message *message,
                   const struct outcome_alert *alert, size_t most,
                   enum clean_manner manner)
{
    struct buf buf = {0};

    alert_add_summary(&buf, message->outcome, alert);
    field_clean(json, key, buf_str(&buf), most, manner);
    json->out->failed |= buf.failed;
    buf_done(&buf);
}

const struct outcome_alert *message_alert(const struct message *message,
                                          size_t index)
{
    return &message->outcome->alerts[message->alerts[index]];
}

void message_add_title(struct buf *buf, const struct message *message)
{
    enum check_status worst = CHECK_OK;
    size_t n_resolved = 0;
    size_t n_firing;

    if (message->n_alerts == 1) {
        alert_add_summary(buf, message->outcome, message_alert(message, 0));
        return;
    }
    for (size_t i = 0; i < message->n_alerts; i++) {
        const struct outcome_alert *alert = message_alert(message, i);

        if (alert_event_now(alert) == EVENT_RESOLVED)
            n_resolved++;
        else
            worst = check_status_worse(worst, alert->status);
    }
    n_firing = message->n_alerts - n_resolved;
    buf_add(buf,
            n_firing ? str_from(check_status_text(worst)) : STR("RESOLVED"));
    buf_add_char(buf, ' ');
    buf_add(buf, message->outcome->service);
    buf_add(buf, STR(": "));
    if (n_firing)
        buf_addf(buf, "%zu alert%s%s", n_firing, n_firing == 1 ? "" : "s",
                 n_resolved ? ", " : "");
    if (n_resolved)
        buf_addf(buf, "%zu resolved", n_resolved);
}

/* [a-zA-Z_][a-zA-Z0-9_]*, not "__...", which is Prometheus' own. */
static bool is_label_name(struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool is_letter = ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';

        if (!is_letter && (i == 0 || c < '0' || c > '9'))
            return false;
    }
    return name.len && !str_starts(name, STR("__"));
}

static bool is_one_of(struct str name, const char *const *list)
{
    while (*list && !str_equal(name, str_from(*list)))
        list++;
    return *list != NULL;
}

void field_target_labels(struct json *json, const struct outcome_target *target,
                         const char *const *taken)
{
    enum { VALUE_MOST = 500 };

    for (size_t i = 0; i < target->n_labels; i++) {
        const struct outcome_label *label = &target->labels[i];
        struct buf value = {0};

        if (!is_label_name(label->key) || is_one_of(label->key, taken) ||
            !label->value.len)
            continue;
        clean_add(&value, label->value, VALUE_MOST, CLEAN_PLAIN);
        json_put_key_str(json, label->key);
        json_put_string(json, buf_str(&value));
        json->out->failed |= value.failed;
        buf_done(&value);
    }
}

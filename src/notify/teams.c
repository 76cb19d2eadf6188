/* An Adaptive Card inside a message, as Teams' Workflows take it ("post to a
 * channel when a webhook request is received"); the older connectors with their
 * MessageCard are gone. Texts stand in text runs, which know no Markdown, so
 * that "*" and "[...](...)" of a dump mean nothing. A message may have 28 KB.
 * */
#include "notify/fields.h"
#include "report/json_fields.h"

enum {
    TITLE_MOST = 300,
    FACT_MOST = 300,
    BODY_MOST = 24 * 1024,
    SHOWN_MOST = 10,
};

/* A run of text. */
static void put_run(struct json *json, struct str text, size_t most,
                    bool is_bold)
{
    json_open_object_flat(json);
    field_text(json, "type", "TextRun");
    field_clean(json, "text", text, most, CLEAN_PLAIN);
    if (is_bold) {
        field_text(json, "weight", "Bolder");
    }
    json_close_object(json);
}

/* A paragraph: a bold head, and a text behind it. */
static void put_paragraph(struct json *json, struct str head, struct str text,
                          bool is_separate)
{
    json_open_object(json);
    field_text(json, "type", "RichTextBlock");
    field_text(json, "spacing", is_separate ? "Medium" : "None");
    if (is_separate) {
        field_bool(json, "separator", true);
    }
    json_put_key(json, "inlines");
    json_open_array(json);
    put_run(json, head, TITLE_MOST, true);
    if (text.len)
        put_run(json, text, FACT_MOST, false);
    json_close_array(json);
    json_close_object(json);
}

static void put_alert(struct json *json, const struct message *message,
                      const struct outcome_alert *alert)
{
    struct alert_fact facts[ALERT_FACTS];
    struct buf made = {0};
    struct buf head = {0};

    alert_facts(message->outcome, alert, &made, facts);
    alert_add_headword(&head, alert);
    buf_add(&head, STR(": "));
    buf_add(&head, alert->title);
    put_paragraph(json, buf_str(&head), (struct str){0}, true);
    for (size_t i = 0; i < ALERT_FACTS; i++) {
        buf_clear(&head);
        buf_addf(&head, "%s: ", facts[i].name);
        if (facts[i].text.len)
            put_paragraph(json, buf_str(&head), facts[i].text, false);
    }
    json->out->failed |= made.failed || head.failed;
    buf_done(&made);
    buf_done(&head);
}

/* The first n alerts, and how many are left out. */
static void put_body(struct json *json, const struct message *message, size_t n)
{
    struct buf text = {0};

    message_add_title(&text, message);
    json_put_key(json, "body");
    json_open_array(json);
    put_paragraph(json, buf_str(&text), (struct str){0}, false);
    for (size_t i = 0; i < n; i++)
        put_alert(json, message, message_alert(message, i));
    if (n < message->n_alerts) {
        buf_clear(&text);
        buf_addf(&text, "and %zu more", message->n_alerts - n);
        put_paragraph(json, buf_str(&text), (struct str){0}, true);
    }
    json_close_array(json);
    json->out->failed |= text.failed;
    buf_done(&text);
}

static void put_card(struct json *json, const struct message *message, size_t n)
{
    json_open_object(json);
    field_text(json, "contentType", "application/vnd.microsoft.card.adaptive");
    field_null(json, "contentUrl");
    json_put_key(json, "content");
    json_open_object(json);
    field_text(json, "$schema",
               "http://adaptivecards.io/schemas/adaptive-card.json");
    field_text(json, "type", "AdaptiveCard");
    field_text(json, "version", "1.4");
    put_body(json, message, n);
    json_close_object(json);
    json_close_object(json);
}

void teams_write(struct json *json, const struct message *message)
{
    size_t n = message->n_alerts < SHOWN_MOST ? message->n_alerts : SHOWN_MOST;
    struct json start = *json;
    size_t len = json->out->len;

    for (;; n--) {
        *json = start;
        json_open_object(json);
        field_text(json, "type", "message");
        json_put_key(json, "attachments");
        json_open_array(json);
        put_card(json, message, n);
        json_close_array(json);
        json_close_object(json);
        if (json->out->failed || json->out->len - len <= BODY_MOST || n <= 1)
            return;
        json->out->len = len;
    }
}

/* A message of Slack's incoming webhooks: `text` is what a notification shows,
 * `blocks` what the channel does. Texts of a dump stand in blocks as
 * plain_text, where "*" and "_" of Go's names mean nothing, and with "&", "<"
 * and ">" escaped, so that no name can call a channel. Limits (Slack, Block Kit
 * reference): 150 characters a header, 3,000 a section, 50 blocks a message. */
#include "notify/fields.h"
#include "report/json_fields.h"

enum {
    HEADER_MOST = 150,
    SECTION_MOST = 3000,
    LINE_MOST = 600, /* of one fact, so that the others are seen, too */
    SHOWN_MOST = 20,
};

static void put_text(struct json *json, const char *key, struct str text,
                     size_t most)
{
    struct buf buf = {0};

    clean_add_lines(&buf, text, most, CLEAN_SLACK);
    json_put_key(json, key);
    json_open_object_flat(json);
    field_text(json, "type", "plain_text");
    field_str(json, "text", buf_str(&buf));
    field_bool(json, "emoji", false);
    json_close_object(json);
    json->out->failed |= buf.failed;
    buf_done(&buf);
}

static void put_block(struct json *json, const char *type, struct str text,
                      size_t most)
{
    json_open_object(json);
    field_text(json, "type", type);
    put_text(json, "text", text, most);
    json_close_object(json);
}

/* The headline of an alert and a line for each fact. */
static void put_alert(struct json *json, const struct message *message,
                      const struct outcome_alert *alert)
{
    struct alert_fact facts[ALERT_FACTS];
    struct buf made = {0};
    struct buf text = {0};

    alert_facts(message->outcome, alert, &made, facts);
    alert_add_headword(&text, alert);
    buf_add(&text, STR(": "));
    clean_add(&text, alert->title, LINE_MOST, CLEAN_PLAIN);
    for (size_t i = 0; i < ALERT_FACTS; i++) {
        if (!facts[i].text.len)
            continue;
        buf_addf(&text, "\n%s: ", facts[i].name);
        clean_add(&text, facts[i].text, LINE_MOST, CLEAN_PLAIN);
    }
    put_block(json, "section", buf_str(&text), SECTION_MOST);
    json->out->failed |= made.failed || text.failed;
    buf_done(&made);
    buf_done(&text);
}

static void put_rest(struct json *json, size_t n)
{
    struct buf text = {0};

    buf_addf(&text, "and %zu more", n);
    put_block(json, "section", buf_str(&text), SECTION_MOST);
    json->out->failed |= text.failed;
    buf_done(&text);
}

void slack_write(struct json *json, const struct message *message)
{
    size_t n = message->n_alerts < SHOWN_MOST ? message->n_alerts : SHOWN_MOST;
    struct buf title = {0};

    message_add_title(&title, message);
    json_open_object(json);
    field_clean(json, "text", buf_str(&title), SECTION_MOST, CLEAN_SLACK);
    field_bool(json, "mrkdwn", false);
    json_put_key(json, "blocks");
    json_open_array(json);
    put_block(json, "header", buf_str(&title), HEADER_MOST);
    for (size_t i = 0; i < n; i++)
        put_alert(json, message, message_alert(message, i));
    if (n < message->n_alerts)
        put_rest(json, message->n_alerts - n);
    json_close_array(json);
    json_close_object(json);
    json->out->failed |= title.failed;
    buf_done(&title);
}

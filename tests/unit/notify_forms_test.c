/* The body of each message: as a whole, and what no text of a stranger may do
 * to it. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/outcomes.h"

#include <cmocka.h>

static const size_t changed[] = {SAMPLE_CRITICAL, SAMPLE_RESOLVED};

static void compare(enum notifier_kind kind, const size_t *alerts, size_t n,
                    const char *name)
{
    char *body = outcome_body(kind, outcome_sample(), alerts, n);

    golden_compare(name, body);
    free(body);
}

static void alertmanager_gets_what_fires_and_what_is_resolved(void **state)
{
    (void)state;
    compare(NOTIFY_ALERTMANAGER, changed, 2, "notify/alertmanager.json");
}

/* Its severity is a label: for Alertmanager it is another alert. */
static void an_alert_that_became_worse_replaces_the_milder_one(void **state)
{
    static const size_t first[] = {0};
    struct outcome outcome = *outcome_sample();
    struct outcome_alert worse = outcome.alerts[SAMPLE_CRITICAL];
    json_t *document;
    json_t *old;
    char *body;

    (void)state;
    worse.fired_ns -= INT64_C(300000000000);
    outcome.alerts = &worse;
    outcome.n_alerts = 1;
    body = outcome_body(NOTIFY_ALERTMANAGER, &outcome, first, 1);
    document = json_loads(body, 0, NULL);
    free(body);
    assert_int_equal(json_array_size(document), 2);
    old = json_array_get(document, 1);
    assert_string_equal(json_string_value(json_object_get(
                            json_object_get(old, "labels"), "severity")),
                        "warning");
    assert_string_equal(json_string_value(json_object_get(old, "endsAt")),
                        "2026-11-21T08:59:00Z");
    json_decref(document);
}

static void a_webhook_gets_everything(void **state)
{
    (void)state;
    compare(NOTIFY_WEBHOOK, changed, 2, "notify/webhook.json");
}

static void slack_gets_blocks(void **state)
{
    (void)state;
    compare(NOTIFY_SLACK, changed, 2, "notify/slack.json");
    compare(NOTIFY_SLACK, changed, 1, "notify/slack-one.json");
}

static void teams_gets_a_card(void **state)
{
    (void)state;
    compare(NOTIFY_TEAMS, changed, 2, "notify/teams.json");
}

static void pagerduty_gets_an_event_an_alert(void **state)
{
    (void)state;
    compare(NOTIFY_PAGERDUTY, changed, 1, "notify/pagerduty-trigger.json");
    compare(NOTIFY_PAGERDUTY, changed + 1, 1, "notify/pagerduty-resolve.json");
}

/* --- Attacks -------------------------------------------------------------- */

/* Looks at every string of a document. */
static void each_string(json_t *value, void (*look)(const char *text, size_t n))
{
    const char *key;
    json_t *item;
    size_t i;

    if (json_is_string(value))
        look(json_string_value(value), json_string_length(value));
    json_array_foreach(value, i, item) each_string(item, look);
    json_object_foreach(value, key, item) each_string(item, look);
}

static json_t *hostile(enum notifier_kind kind)
{
    static const size_t first[] = {0};
    json_error_t error;
    char *body = outcome_body(kind, outcome_hostile(), first, 1);
    json_t *document = json_loads(body, 0, &error);

    if (!document)
        fail_msg("line %d: %s\n%s", error.line, error.text, body);
    free(body);
    return document;
}

/* No terminal escape, no line that nobody wrote, no letter that turns the
 * direction of writing or hides. */
static void is_harmless(const char *text, size_t n)
{
    static const char *const bad[] = {"\x1b", "\r", "\t", "\xe2\x80\xae",
                                      "\xe2\x80\x8b"};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        if (strstr(text, bad[i]))
            fail_msg("'%.200s' has %s", text, bad[i]);
    }
    assert_true(n <= 3000);
}

static void calls_nobody(const char *text, size_t n)
{
    (void)n;
    assert_null(strchr(text, '<'));
    assert_null(strchr(text, '>'));
    for (const char *at = strchr(text, '&'); at; at = strchr(at + 1, '&'))
        assert_true(strncmp(at, "&amp;", 5) == 0 ||
                    strncmp(at, "&lt;", 4) == 0 || strncmp(at, "&gt;", 4) == 0);
}

static void texts_of_a_dump_are_harmless_to_people(void **state)
{
    static const enum notifier_kind kinds[] = {
        NOTIFY_ALERTMANAGER, NOTIFY_SLACK, NOTIFY_TEAMS, NOTIFY_PAGERDUTY};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        json_t *document = hostile(kinds[i]);

        each_string(document, is_harmless);
        json_decref(document);
    }
}

static void no_name_calls_a_channel_of_slack(void **state)
{
    json_t *document = hostile(NOTIFY_SLACK);

    (void)state;
    each_string(document, calls_nobody);
    json_decref(document);
}

static void a_webhook_has_texts_as_they_are(void **state)
{
    json_t *document = hostile(NOTIFY_WEBHOOK);
    json_t *alert = json_array_get(json_object_get(document, "alerts"), 0);
    const char *title = json_string_value(json_object_get(alert, "title"));

    (void)state;
    assert_non_null(title);
    assert_non_null(strstr(title, "\"q\" \\ <!channel> <@everyone>"));
    assert_non_null(strstr(title, "\nsecond\ttab"));
    assert_non_null(strstr(title, "\xef\xbf\xbd\xef\xbf\xbd bad"));
    json_decref(document);
}

static size_t length_of(json_t *value, const char *key)
{
    json_t *text = json_object_get(value, key);

    assert_true(json_is_string(text));
    return json_string_length(text);
}

static void slack_is_given_no_more_than_it_takes(void **state)
{
    json_t *document = hostile(NOTIFY_SLACK);
    json_t *blocks = json_object_get(document, "blocks");
    json_t *header = json_object_get(json_array_get(blocks, 0), "text");
    json_t *section = json_object_get(json_array_get(blocks, 1), "text");

    (void)state;
    assert_true(length_of(header, "text") <= 150);
    assert_true(length_of(section, "text") <= 3000);
    assert_true(length_of(section, "text") > 2900);
    json_decref(document);
}

static void pagerduty_is_given_no_more_than_it_takes(void **state)
{
    json_t *document = hostile(NOTIFY_PAGERDUTY);
    json_t *payload = json_object_get(document, "payload");

    (void)state;
    assert_true(length_of(payload, "summary") <= 1024);
    assert_true(length_of(payload, "summary") > 1000);
    assert_true(length_of(document, "dedup_key") <= 255);
    json_decref(document);
}

/* Many alerts, all the longest there are. */
static void many_alerts_fit_into_one_message(void **state)
{
    enum { MANY = 70 };
    struct outcome outcome = *outcome_hostile();
    struct outcome_alert alerts[MANY];
    size_t indices[MANY];
    json_t *document;
    char *body;

    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        alerts[i] = outcome.alerts[0];
        indices[i] = i;
    }
    outcome.alerts = alerts;
    outcome.n_alerts = MANY;
    body = outcome_body(NOTIFY_TEAMS, &outcome, indices, MANY);
    assert_true(strlen(body) <= (size_t)24 * 1024);
    assert_non_null(strstr(body, " more\""));
    free(body);
    body = outcome_body(NOTIFY_SLACK, &outcome, indices, MANY);
    document = json_loads(body, 0, NULL);
    assert_true(json_array_size(json_object_get(document, "blocks")) <= 50);
    assert_non_null(strstr(body, "and 50 more"));
    json_decref(document);
    free(body);
    body = outcome_body(NOTIFY_ALERTMANAGER, &outcome, indices, MANY);
    document = json_loads(body, 0, NULL);
    assert_int_equal(json_array_size(document), MANY);
    json_decref(document);
    free(body);
}

static const char *label(json_t *alert, const char *name)
{
    return json_string_value(
        json_object_get(json_object_get(alert, "labels"), name));
}

static void labels_of_an_alert_do_not_change_with_its_counts(void **state)
{
    static const size_t first[] = {0};
    struct outcome outcome = *outcome_sample();
    struct outcome_alert later = outcome.alerts[SAMPLE_CRITICAL];
    char *before = outcome_body(NOTIFY_ALERTMANAGER, &outcome, first, 1);
    json_t *one = json_loads(before, 0, NULL);
    char *after;
    json_t *other;

    (void)state;
    later.count = 120000;
    later.share = 0.5;
    later.site = STR("elsewhere f.go:1");
    later.runs_held = 17;
    later.is_changed = false;
    outcome.alerts = &later;
    outcome.n_alerts = 1;
    outcome.now_ns += INT64_C(300000000000);
    after = outcome_body(NOTIFY_ALERTMANAGER, &outcome, first, 1);
    other = json_loads(after, 0, NULL);
    assert_true(
        json_equal(json_object_get(json_array_get(one, 0), "labels"),
                   json_object_get(json_array_get(other, 0), "labels")));
    assert_string_equal(label(json_array_get(one, 0), "zone"), "b");
    assert_null(label(json_array_get(one, 0), "__scheme__"));
    assert_null(label(json_array_get(one, 0), "not a name"));
    assert_string_equal(label(json_array_get(one, 0), "severity"), "critical");
    assert_true(
        json_equal(json_object_get(json_array_get(one, 0), "startsAt"),
                   json_object_get(json_array_get(other, 0), "startsAt")));
    json_decref(one);
    json_decref(other);
    free(before);
    free(after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alertmanager_gets_what_fires_and_what_is_resolved),
        cmocka_unit_test(an_alert_that_became_worse_replaces_the_milder_one),
        cmocka_unit_test(a_webhook_gets_everything),
        cmocka_unit_test(slack_gets_blocks),
        cmocka_unit_test(teams_gets_a_card),
        cmocka_unit_test(pagerduty_gets_an_event_an_alert),
        cmocka_unit_test(texts_of_a_dump_are_harmless_to_people),
        cmocka_unit_test(no_name_calls_a_channel_of_slack),
        cmocka_unit_test(a_webhook_has_texts_as_they_are),
        cmocka_unit_test(slack_is_given_no_more_than_it_takes),
        cmocka_unit_test(pagerduty_is_given_no_more_than_it_takes),
        cmocka_unit_test(many_alerts_fit_into_one_message),
        cmocka_unit_test(labels_of_an_alert_do_not_change_with_its_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

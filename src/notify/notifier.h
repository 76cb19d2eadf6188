/* notifier.h - the forms in which alerts are posted, one file each.
 *
 * A form is a pure function of an outcome: it writes the body of one message
 * about some of its alerts as JSON, and knows nothing of requests. To add one:
 * docs/alerts.md. */
#ifndef NOTIFY_NOTIFIER_H
#define NOTIFY_NOTIFIER_H

#include "base/json.h"
#include "notify/outcome.h"

/* The kinds of receivers. Their numbers stand in the history, as bits of what
 * is still to be told: never change one. ORDER NOTIFIER: as the table in
 * notifier.c. */
enum notifier_kind {
    NOTIFY_ALERTMANAGER,
    NOTIFY_WEBHOOK,
    NOTIFY_SLACK,
    NOTIFY_TEAMS,
    NOTIFY_PAGERDUTY,
    N_NOTIFIERS
};

/* What one message is about: the alerts with these indices, of which each has
 * an event. */
struct message {
    const struct outcome *outcome;
    const size_t *alerts;
    size_t n_alerts; /* 1 at least */
    const char *key; /* PagerDuty's secret; NULL = none */
};

struct notifier {
    const char *name;     /* in messages: "Slack" */
    const char *label;    /* in metrics: "slack" */
    const char *option;   /* "slack-file" */
    const char *variable; /* of the environment, when there is no option */
    const char *path;     /* added to an address without it; NULL = none */
    bool is_one_by_one;   /* a message is about one alert */
    bool is_every_run;    /* is told what fires also when nothing changed */
    bool is_key;          /* the secret is a key, not an address */
    void (*write)(struct json *json, const struct message *message);
};

/* All of them, by their kind. */
extern const struct notifier notifiers[N_NOTIFIERS];

/* alertmanager.c: POST /api/v2/alerts. Labels never change while an alert
 * fires; it ends by itself three intervals after the last run that sent it. */
void alertmanager_write(struct json *json, const struct message *message);

/* webhook.c: docs/alerts.schema.json. */
void webhook_write(struct json *json, const struct message *message);

/* slack.c: an incoming webhook's message, as blocks. */
void slack_write(struct json *json, const struct message *message);

/* teams.c: an Adaptive Card, as the Workflows of Teams take it. */
void teams_write(struct json *json, const struct message *message);

/* pagerduty.c: an event of Events API v2, trigger or resolve. */
void pagerduty_write(struct json *json, const struct message *message);

#endif

#include "notify/notifier.h"

/* ORDER NOTIFIER: as enum notifier_kind. */
const struct notifier notifiers[N_NOTIFIERS] = {
    {
        .name = "Alertmanager",
        .label = "alertmanager",
        .option = "alertmanager",
        .variable = "CPROF_LEAKS_ALERTMANAGER",
        .path = "/api/v2/alerts",
        .is_every_run = true,
        .write = alertmanager_write,
    },
    {
        .name = "webhook",
        .label = "webhook",
        .option = "webhook-file",
        .variable = "CPROF_LEAKS_WEBHOOK",
        .write = webhook_write,
    },
    {
        .name = "Slack",
        .label = "slack",
        .option = "slack-file",
        .variable = "CPROF_LEAKS_SLACK",
        .write = slack_write,
    },
    {
        .name = "Teams",
        .label = "teams",
        .option = "teams-file",
        .variable = "CPROF_LEAKS_TEAMS",
        .write = teams_write,
    },
    {
        .name = "PagerDuty",
        .label = "pagerduty",
        .option = "pagerduty-file",
        .variable = "CPROF_LEAKS_PAGERDUTY",
        .is_one_by_one = true,
        .is_key = true,
        .write = pagerduty_write,
    },
};

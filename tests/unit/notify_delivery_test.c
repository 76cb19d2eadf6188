/* Who is told what and when, over a libcurl that is written down. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "notify/delivery.h"
#include "support/fake_curl.h"
#include "support/outcomes.h"

#include <cmocka.h>

enum { MOST = 4 };

static struct receiver receivers[MOST];
static size_t n_receivers;
static uint32_t unsent[N_SAMPLE_ALERTS];
static struct cprof_error last;
static size_t n_said;

static void add(enum notifier_kind kind, const char *text)
{
    assert_int_equal(receiver_parse(&receivers[n_receivers++], kind,
                                    str_from(text), "file", NULL, NULL),
                     0);
}

static int clear(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_receivers; i++)
        receiver_done(&receivers[i]);
    n_receivers = 0;
    n_said = 0;
    memset(unsent, 0, sizeof(unsent));
    return 0;
}

static void note(void *user, const struct cprof_error *err)
{
    (void)user;
    last = *err;
    n_said++;
}

/* A run with attempts as they are written down; how many messages failed. */
static size_t run(const struct outcome *outcome,
                  const struct fake_attempt *attempts, size_t n_attempts)
{
    struct http_options options = fake_options(3);
    struct delivery delivery = {.api = fake_api(),
                                .options = &options,
                                .most_ms = 20000,
                                .receivers = receivers,
                                .n_receivers = n_receivers,
                                .failed = note};
    size_t n_failed;

    fake_begin(attempts, n_attempts);
    n_failed = delivery_run(&delivery, outcome, unsent);
    assert_int_equal(fake_n_open(), 0);
    return n_failed;
}

static void has(const char *text, const char *what)
{
    if (!strstr(text, what))
        fail_msg("'%s' has no '%s'", text, what);
}

static const struct fake_attempt taken[] = {
    {.status = 200}, {.status = 202}, {.status = 204}, {.status = 200}};

static void changes_are_told_once(void **state)
{
    struct outcome outcome = *outcome_sample();
    struct outcome_alert alerts[N_SAMPLE_ALERTS];

    (void)state;
    add(NOTIFY_SLACK, "https://hooks/T0/secret");
    assert_int_equal(run(&outcome, taken, 4), 0);
    assert_int_equal(fake_n_asked(), 1);
    assert_string_equal(fake_asked(0)->url, "https://hooks/T0/secret");
    has(fake_asked(0)->fields, "Content-Type: application/json; charset=utf-8");
    has(fake_asked(0)->body, "CRITICAL api: 1 alert, 1 resolved");
    for (size_t i = 0; i < N_SAMPLE_ALERTS; i++) {
        alerts[i] = outcome.alerts[i];
        alerts[i].is_changed = false;
    }
    outcome.alerts = alerts;
    assert_int_equal(run(&outcome, taken, 4), 0);
    assert_int_equal(fake_n_asked(), 0);
}

static void alertmanager_is_told_of_what_fires_at_every_run(void **state)
{
    struct outcome outcome = *outcome_sample();
    struct outcome_alert alerts[N_SAMPLE_ALERTS];

    (void)state;
    add(NOTIFY_ALERTMANAGER, "http://am:9093");
    for (size_t i = 0; i < N_SAMPLE_ALERTS; i++) {
        alerts[i] = outcome.alerts[i];
        alerts[i].is_changed = false;
    }
    outcome.alerts = alerts;
    assert_int_equal(run(&outcome, taken, 4), 0);
    assert_int_equal(fake_n_asked(), 1);
    assert_string_equal(fake_asked(0)->url, "http://am:9093/api/v2/alerts");
    has(fake_asked(0)->body, "0123456789abcdef0123456789abcdef");
    assert_null(strstr(fake_asked(0)->body, "3333333333333333"));
    outcome.n_alerts = 0;
    assert_int_equal(run(&outcome, taken, 4), 0);
    assert_int_equal(fake_n_asked(), 0);
}

static void pagerduty_gets_one_message_an_alert(void **state)
{
    (void)state;
    add(NOTIFY_PAGERDUTY, "k3y");
    assert_int_equal(run(outcome_sample(), taken, 4), 0);
    assert_int_equal(fake_n_asked(), 2);
    has(fake_asked(0)->body, "\"event_action\": \"trigger\"");
    has(fake_asked(1)->body, "\"event_action\": \"resolve\"");
}

static void what_was_refused_is_said_without_secrets_and_kept(void **state)
{
    const struct fake_attempt attempts[] = {
        {.status = 404, .body = "Cannot POST /services/T01234/xyzzy42\nmore"},
        {.status = 200},
    };

    (void)state;
    add(NOTIFY_SLACK, "https://hooks/services/T01234/xyzzy42");
    assert_int_equal(run(outcome_sample(), attempts, 2), 1);
    assert_int_equal(fake_n_asked(), 1);
    assert_int_equal(n_said, 1);
    assert_string_equal(last.source, "Slack (hooks)");
    has(last.message, "status 404, 'Cannot POST /***/***/***'");
    has(last.message, "revoked");
    assert_int_equal(unsent[SAMPLE_CRITICAL], 1u << NOTIFY_SLACK);
    assert_int_equal(unsent[SAMPLE_PENDING], 0);
    assert_int_equal(unsent[SAMPLE_LOW], 0);
    assert_int_equal(unsent[SAMPLE_RESOLVED], 1u << NOTIFY_SLACK);
}

static void what_was_kept_is_told_at_the_next_run(void **state)
{
    struct outcome outcome = *outcome_sample();
    struct outcome_alert alerts[N_SAMPLE_ALERTS];

    (void)state;
    add(NOTIFY_SLACK, "https://hooks/x");
    add(NOTIFY_PAGERDUTY, "k3y");
    for (size_t i = 0; i < N_SAMPLE_ALERTS; i++) {
        alerts[i] = outcome.alerts[i];
        alerts[i].is_changed = false;
        unsent[i] = 1u << NOTIFY_SLACK;
    }
    outcome.alerts = alerts;
    assert_int_equal(run(&outcome, taken, 4), 0);
    assert_int_equal(fake_n_asked(), 1);
    assert_string_equal(fake_asked(0)->url, "https://hooks/x");
    for (size_t i = 0; i < N_SAMPLE_ALERTS; i++)
        assert_int_equal(unsent[i], 0);
}

/* Who is asked no more is forgotten. */
static void a_receiver_that_is_gone_is_told_nothing(void **state)
{
    (void)state;
    add(NOTIFY_SLACK, "https://hooks/x");
    unsent[SAMPLE_CRITICAL] = 1u << NOTIFY_TEAMS;
    assert_int_equal(run(outcome_sample(), taken, 4), 0);
    assert_int_equal(unsent[SAMPLE_CRITICAL], 0);
}

static void one_that_fails_does_not_hold_up_the_others(void **state)
{
    const struct fake_attempt attempts[] = {
        {.code = CURL_COULDNT_CONNECT, .os_error = ECONNREFUSED},
        {.status = 200},
        {.status = 202},
        {.status = 202},
        {.code = CURL_COULDNT_CONNECT, .os_error = ECONNREFUSED},
        {.code = CURL_COULDNT_CONNECT, .os_error = ECONNREFUSED},
        {.code = CURL_COULDNT_CONNECT, .os_error = ECONNREFUSED},
    };

    (void)state;
    add(NOTIFY_WEBHOOK, "https://u:hunter2@down/hooks/T9");
    add(NOTIFY_SLACK, "https://hooks/x");
    add(NOTIFY_PAGERDUTY, "k3y");
    assert_int_equal(run(outcome_sample(), attempts, 7), 1);
    assert_int_equal(unsent[SAMPLE_CRITICAL], 1u << NOTIFY_WEBHOOK);
    assert_string_equal(last.source, "webhook (down)");
    has(last.message, "not delivered: cannot connect: Connection refused");
    assert_null(strstr(last.message, "hunter2"));
}

static void a_redirect_is_not_followed(void **state)
{
    const struct fake_attempt attempts[] = {{.status = 302}};

    (void)state;
    add(NOTIFY_WEBHOOK, "http://h/x");
    assert_int_equal(run(outcome_sample(), attempts, 1), 1);
    has(last.message, "status 302");
    has(last.message, "redirects");
}

static void the_time_for_everything_is_bounded(void **state)
{
    enum { MANY = 40 };
    struct fake_attempt attempts[MANY];
    struct outcome outcome = *outcome_sample();
    struct outcome_alert alerts[MANY];
    uint32_t masks[MANY] = {0};
    struct http_options options = fake_options(3);
    struct delivery delivery = {.api = fake_api(),
                                .options = &options,
                                .most_ms = 4000,
                                .receivers = receivers,
                                .failed = note};
    size_t n_left = 0;

    (void)state;
    add(NOTIFY_PAGERDUTY, "k3y");
    delivery.n_receivers = 1;
    for (size_t i = 0; i < MANY; i++) {
        attempts[i] = (struct fake_attempt){.status = 202, .turns = 15};
        alerts[i] = outcome.alerts[SAMPLE_CRITICAL];
    }
    outcome.alerts = alerts;
    outcome.n_alerts = MANY;
    fake_begin(attempts, MANY);
    assert_true(delivery_run(&delivery, &outcome, masks) > 0);
    for (size_t i = 0; i < MANY; i++)
        n_left += masks[i] != 0;
    /* Four at a time, 1.5 s each: two rounds begin within 2 s. */
    assert_int_equal(fake_n_asked(), MANY - n_left);
    assert_int_equal(n_left, MANY - 8);
    assert_int_equal(n_said, n_left);
    assert_int_equal(fake_asked(0)->timeout_ms, 2000);
    has(last.message, "no time was left");
}

static void without_libcurl_everything_is_kept(void **state)
{
    struct http_options options = fake_options(0);
    struct delivery delivery = {
        .options = &options, .receivers = receivers, .failed = note};

    (void)state;
    add(NOTIFY_SLACK, "https://hooks/x");
    delivery.n_receivers = n_receivers;
    delivery_refuse(&delivery, outcome_sample(), unsent);
    assert_int_equal(unsent[SAMPLE_CRITICAL], 1u << NOTIFY_SLACK);
    assert_int_equal(unsent[SAMPLE_PENDING], 0);
}

/* A file that was empty for a moment costs no message. */
static void a_receiver_without_its_address_is_told_later(void **state)
{
    struct http_options options = fake_options(0);
    struct delivery delivery = {.api = fake_api(),
                                .options = &options,
                                .receivers = receivers,
                                .n_receivers = 1,
                                .failed = note};

    (void)state;
    assert_int_equal(receiver_absent(&receivers[0], NOTIFY_SLACK, NULL), 0);
    n_receivers = 1;
    fake_begin(NULL, 0);
    assert_int_equal(delivery_run(&delivery, outcome_sample(), unsent), 1);
    assert_int_equal(fake_n_asked(), 0);
    assert_int_equal(unsent[SAMPLE_CRITICAL], 1u << NOTIFY_SLACK);
    has(last.message, "could not be read");
}

/* That run knows better, be it that the alert is over. */
static void what_another_run_has_in_work_is_left_to_it(void **state)
{
    struct outcome outcome = *outcome_sample();
    struct outcome_target *targets =
        calloc(outcome.n_targets, sizeof(*targets));
    struct delivery delivery = {
        .api = fake_api(), .receivers = receivers, .failed = note};
    struct http_options options = fake_options(0);

    (void)state;
    assert_non_null(targets);
    for (size_t i = 0; i < outcome.n_targets; i++) {
        targets[i] = outcome.targets[i];
        targets[i].is_busy = true;
    }
    outcome.targets = targets;
    delivery.options = &options;
    add(NOTIFY_SLACK, "https://hooks/x");
    add(NOTIFY_ALERTMANAGER, "https://am");
    delivery.n_receivers = n_receivers;
    unsent[SAMPLE_RESOLVED] = 1u << NOTIFY_SLACK;
    fake_begin(NULL, 0);
    assert_int_equal(delivery_run(&delivery, &outcome, unsent), 0);
    assert_int_equal(fake_n_asked(), 0);
    assert_int_equal(unsent[SAMPLE_RESOLVED], 1u << NOTIFY_SLACK);
    delivery_refuse(&delivery, &outcome, unsent);
    assert_int_equal(unsent[SAMPLE_RESOLVED], 1u << NOTIFY_SLACK);
    assert_int_equal(unsent[SAMPLE_CRITICAL], 0);
    free(targets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(changes_are_told_once, clear),
        cmocka_unit_test_teardown(
            alertmanager_is_told_of_what_fires_at_every_run, clear),
        cmocka_unit_test_teardown(pagerduty_gets_one_message_an_alert, clear),
        cmocka_unit_test_teardown(
            what_was_refused_is_said_without_secrets_and_kept, clear),
        cmocka_unit_test_teardown(what_was_kept_is_told_at_the_next_run, clear),
        cmocka_unit_test_teardown(a_receiver_that_is_gone_is_told_nothing,
                                  clear),
        cmocka_unit_test_teardown(one_that_fails_does_not_hold_up_the_others,
                                  clear),
        cmocka_unit_test_teardown(a_redirect_is_not_followed, clear),
        cmocka_unit_test_teardown(the_time_for_everything_is_bounded, clear),
        cmocka_unit_test_teardown(without_libcurl_everything_is_kept, clear),
        cmocka_unit_test_teardown(a_receiver_without_its_address_is_told_later,
                                  clear),
        cmocka_unit_test_teardown(what_another_run_has_in_work_is_left_to_it,
                                  clear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

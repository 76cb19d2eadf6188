/* Where alerts go to: what a secret may be, and that it is shown nowhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "notify/receiver.h"

#include <cmocka.h>

static struct receiver parsed(enum notifier_kind kind, const char *text)
{
    struct receiver receiver = {0};
    struct cprof_error err = {0};

    if (receiver_parse(&receiver, kind, str_from(text), "file", NULL, &err) < 0)
        fail_msg("%s", err.message);
    return receiver;
}

static void url_is(enum notifier_kind kind, const char *text, const char *url,
                   const char *name)
{
    struct receiver receiver = parsed(kind, text);

    assert_string_equal(receiver.url, url);
    assert_string_equal(receiver.name, name);
    receiver_done(&receiver);
}

static void an_address_is_called_by_its_host(void **state)
{
    (void)state;
    url_is(NOTIFY_SLACK, "https://hooks.slack.com/services/T0/B0/s3cret\n",
           "https://hooks.slack.com/services/T0/B0/s3cret",
           "Slack (hooks.slack.com)");
    url_is(NOTIFY_WEBHOOK, "\n  http://u:p@[::1]:8080?sig=x  \r\n",
           "http://u:p@[::1]:8080?sig=x", "webhook ([::1]:8080)");
}

static void alertmanager_s_path_is_added(void **state)
{
    static const char full[] = "http://am:9093/api/v2/alerts";

    (void)state;
    url_is(NOTIFY_ALERTMANAGER, "http://am:9093", full,
           "Alertmanager (am:9093)");
    url_is(NOTIFY_ALERTMANAGER, "http://am:9093/", full,
           "Alertmanager (am:9093)");
    url_is(NOTIFY_ALERTMANAGER, full, full, "Alertmanager (am:9093)");
    url_is(NOTIFY_ALERTMANAGER, "https://u:p@host/am",
           "https://u:p@host/am/api/v2/alerts", "Alertmanager (host)");
}

static void pagerduty_has_a_key_and_one_address(void **state)
{
    struct receiver receiver = parsed(NOTIFY_PAGERDUTY, "abc123\n");
    struct cprof_error err = {0};

    (void)state;
    assert_string_equal(receiver.key, "abc123");
    assert_string_equal(receiver.url, receiver_pagerduty_url);
    receiver_done(&receiver);
    assert_int_equal(receiver_parse(&receiver, NOTIFY_PAGERDUTY, STR("k"), "f",
                                    "http://eu/v2", &err),
                     0);
    assert_string_equal(receiver.url, "http://eu/v2");
    receiver_done(&receiver);
    /* Whoever puts an address there has taken the wrong file. */
    assert_int_equal(receiver_parse(&receiver, NOTIFY_PAGERDUTY,
                                    STR("https://hooks/s3cret"), "f", NULL,
                                    &err),
                     CPROF_EUSAGE);
    assert_null(strstr(err.message, "s3cret"));
}

static void further_lines_are_fields_of_the_header(void **state)
{
    struct receiver receiver =
        parsed(NOTIFY_WEBHOOK,
               "https://h/x\n\nAuthorization: Bearer abc def\nX-Key:1\n");

    (void)state;
    assert_string_equal(receiver.fields[0],
                        "Content-Type: application/json; charset=utf-8");
    assert_string_equal(receiver.fields[1], "Authorization: Bearer abc def");
    assert_string_equal(receiver.fields[2], "X-Key:1");
    assert_null(receiver.fields[3]);
    receiver_done(&receiver);
}

static void what_is_no_receiver_is_refused_and_not_quoted(void **state)
{
    static const char *const texts[] = {
        "",
        " \n ",
        "s3cret",
        "ftp://h/s3cret",
        "https:///s3cret",
        "https://:80/s3cret",
        "https://u:s3cret@/x",
        "https://h/a s3cret",
        "https://h/\x01s3cret",
        "https://h/\ns3cret",
        "https://h/\nna me: s3cret",
        "https://h/\n: s3cret",
        "https://h/\nA: \x7fs3cret",
        "https://h/\nA:1\nA:2\nA:3\nA:4\nA:5\nA:6\nA:7\nA:8\nA:s3cret",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct receiver receiver = {0};
        struct cprof_error err = {0};
        int rc = receiver_parse(&receiver, NOTIFY_WEBHOOK, str_from(texts[i]),
                                "secret.txt", NULL, &err);

        if (rc != CPROF_EUSAGE)
            fail_msg("'%s' was taken", texts[i]);
        assert_string_equal(err.source, "secret.txt");
        assert_null(strstr(err.message, "s3cret"));
    }
}

static void hides(const struct receiver *receiver, const char *text,
                  const char *shown)
{
    struct buf buf = {0};

    receiver_hide(&buf, receiver, str_from(text));
    assert_string_equal(buf.ptr, shown);
    buf_done(&buf);
}

static void nothing_secret_is_quoted(void **state)
{
    struct receiver receiver = parsed(
        NOTIFY_WEBHOOK,
        "https://ann:hunter2@h.example/T01234/B%2F4567ab/xyzzy42?sig=AbC-d_e"
        "\n"
        "Authorization: Bearer t0k3n7.x9y8z7\n");

    (void)state;
    hides(&receiver, "Cannot POST /T01234/B%2F4567ab/xyzzy42",
          "Cannot POST /***/B%2F***/***");
    hides(&receiver, "path T01234/B/4567ab/xyzzy42?sig=AbC-d_e",
          "path ***/B/***/***?sig=***");
    hides(&receiver, "user ann:hunter2 with t0k3n7.x9y8z7 at h.example",
          "user *** with ***.*** at h.example");
    hides(&receiver, "xyzzy42xyzzy42", "******");
    receiver_done(&receiver);
    receiver = parsed(NOTIFY_PAGERDUTY, "0123456789abcdef");
    hides(&receiver, "enqueue: bad key 0123456789abcdef",
          "enqueue: bad key ***");
    receiver_done(&receiver);
    receiver = parsed(NOTIFY_ALERTMANAGER, "http://am:9093");
    hides(&receiver, "bad alerts", "bad alerts");
    receiver_done(&receiver);
}

static void secrets_are_known_in_every_spelling(void **state)
{
    struct receiver receiver =
        parsed(NOTIFY_WEBHOOK,
               "http://us%65r:p%40ss%2Fw0rd@h/hook/S%45CRETPATH?tok=QS%45CRET");

    (void)state;
    hides(&receiver, "us%65r p%40ss%2Fw0rd user:p@ss/w0rd", "us%65r *** ***");
    hides(&receiver, "Basic dXNlcjpwQHNzL3cwcmQ=", "Basic ***=");
    hides(&receiver, "/hook/S%45CRETPATH?tok=QS%45CRET", "/hook/***?tok=***");
    hides(&receiver, "/hook/SECRETPATH?tok=QSECRET", "/hook/***?tok=***");
    hides(&receiver, "/hook/S%45CRETPA", "/hook/***");
    receiver_done(&receiver);
}

static void an_empty_receiver_is_fine(void **state)
{
    struct receiver receiver = {0};

    (void)state;
    receiver_done(&receiver);
    assert_null(receiver.url);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_is_called_by_its_host),
        cmocka_unit_test(alertmanager_s_path_is_added),
        cmocka_unit_test(pagerduty_has_a_key_and_one_address),
        cmocka_unit_test(further_lines_are_fields_of_the_header),
        cmocka_unit_test(what_is_no_receiver_is_refused_and_not_quoted),
        cmocka_unit_test(nothing_secret_is_quoted),
        cmocka_unit_test(secrets_are_known_in_every_spelling),
        cmocka_unit_test(an_empty_receiver_is_fine),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

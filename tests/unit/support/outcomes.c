#include "support/outcomes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define S(literal) STR_INIT(literal)

/* 2026-11-21T09:00:00Z and minutes before it. */
#define NOW        INT64_C(1795251600000000000)
#define MINUTES(n) (NOW - INT64_C(60000000000) * (n))

static const struct outcome_label zone[] = {
    {S("zone"), S("b")},
    {S("__scheme__"), S("https")},
    {S("not a name"), S("x")},
    {S("severity"), S("mine")},
};

static const struct outcome_place places[] = {
    {S("00112233445566778899aabbccddeeff"),
     S("github.com/gocolly/colly/v2.(*httpBackend).Do"),
     S("github.com/gocolly/colly/v2.(*httpBackend).Do http_backend.go:172"),
     S("chan send"), 97908},
    {S("ffeeddccbbaa99887766554433221100"), S("net/http.(*conn).serve"),
     S("net/http.(*conn).serve server.go:1995"), S("IO wait"), 3},
};

static const struct outcome_target targets[] = {
    {.instance = S("api-1:6060"),
     .address = S("http://api-1:6060/debug/pprof/goroutine"),
     .labels = zone,
     .n_labels = 4,
     .status = CHECK_CRITICAL,
     .has_snapshot = true,
     .is_complete = true,
     .is_stored = true,
     .has_declared = true,
     .goroutines = 97926,
     .declared = 97926,
     .normal = 3,
     .n_findings = 3,
     .duration_ms = 1234,
     .bytes = 5678,
     .taken_ns = NOW,
     .last_success_ns = NOW,
     .n_snapshots = 12,
     .since_ns = MINUTES(55),
     .places = places,
     .n_places = 2,
     .other = 15},
    {.instance = S("api-2:6060"),
     .address = S("http://api-2:6060/debug/pprof/goroutine"),
     .status = CHECK_UNKNOWN,
     .error = S("cannot connect: Connection refused"),
     .last_success_ns = MINUTES(10)},
};

static const struct outcome_alert alerts[N_SAMPLE_ALERTS] = {
    [SAMPLE_CRITICAL] = {.target = 0,
                         .key = S("0123456789abcdef0123456789abcdef"),
                         .rule = S("colly-limit-rule"),
                         .title =
                             S("Requests queued on the semaphore of colly's "
                               "LimitRule"),
                         .severity = CPROF_SEVERITY_CRITICAL,
                         .status = CHECK_CRITICAL,
                         .confidence = S("medium"),
                         .state = ALERT_FIRING,
                         .is_changed = true,
                         .is_seen = true,
                         .runs_held = 3,
                         .runs_needed = 3,
                         .first_seen_ns = MINUTES(10),
                         .fired_ns = NOW,
                         .count = 97908,
                         .share = 0.999816,
                         .has_growth = true,
                         .delta = 1200,
                         .has_rate = true,
                         .per_hour = 14400,
                         .state_text = S("chan send"),
                         .function =
                             S("github.com/gocolly/colly/v2.(*httpBackend).Do"),
                         .site = S("colly.(*httpBackend).Do "
                                   "http_backend.go:172"),
                         .explain = S("97,908 goroutines wait for a slot."),
                         .advice = S("Bound the producer."),
                         .evidence = S("/var/lib/cprof-leaks/dumps/api-1.txt")},
    [SAMPLE_PENDING] = {.target = 0,
                        .key = S("11111111111111111111111111111111"),
                        .rule = S("growth"),
                        .title = S("Goroutines that only grow"),
                        .severity = CPROF_SEVERITY_HIGH,
                        .status = CHECK_WARNING,
                        .state = ALERT_PENDING,
                        .is_seen = true,
                        .runs_held = 1,
                        .runs_needed = 3,
                        .count = 12},
    [SAMPLE_LOW] = {.target = 0,
                    .key = S("22222222222222222222222222222222"),
                    .rule = S("select-blocked"),
                    .title = S("Waits in a select"),
                    .severity = CPROF_SEVERITY_LOW,
                    .status = CHECK_OK,
                    .state = ALERT_FIRING,
                    .is_changed = true,
                    .is_seen = true,
                    .count = 14},
    [SAMPLE_RESOLVED] = {.target = 0,
                         .key = S("33333333333333333333333333333333"),
                         .rule = S("mutex-blocked"),
                         .title = S("A lock that many wait for"),
                         .severity = CPROF_SEVERITY_HIGH,
                         .status = CHECK_WARNING,
                         .confidence = S("high"),
                         .state = ALERT_RESOLVED,
                         .is_changed = true,
                         .runs_missed = 3,
                         .runs_needed = 3,
                         .first_seen_ns = MINUTES(60),
                         .fired_ns = MINUTES(50),
                         .resolved_ns = NOW,
                         .count = 500,
                         .share = 0.05,
                         .state_text = S("sync.Mutex.Lock"),
                         .site = S("example.com/api.(*cache).Get cache.go:40")},
};

const struct outcome *outcome_sample(void)
{
    static const struct outcome outcome = {
        .service = S("api"),
        .status = CHECK_CRITICAL,
        .targets = targets,
        .n_targets = 2,
        .alerts = alerts,
        .n_alerts = N_SAMPLE_ALERTS,
        .now_ns = NOW,
        .interval_ns = INT64_C(300000000000),
    };

    return &outcome;
}

/* --- Attacks -------------------------------------------------------------- */

#define ATTACK                                                                 \
 "\"q\" \\ <!channel> <@everyone> &amp; *b* _i_ `c` [x](http://evil)\n"        \
 "second\ttab\r\x1b[31mred \xe2\x80\xae"                                       \
 "rtl \xe2\x80\x8bzero \xff\xfe bad {{.Labels}} $(id) '"

/* The attack, and more than any receiver takes; one alert, one target. */
static char long_text[8000];

const struct outcome *outcome_hostile(void)
{
    static struct outcome_place place;
    static struct outcome_target target;
    static struct outcome_alert alert;
    static struct outcome outcome;
    static const struct outcome_label label = {S("zone"), S(ATTACK)};
    size_t n = strlen(ATTACK);
    struct str text = {long_text, sizeof(long_text)};

    memcpy(long_text, ATTACK, n);
    for (size_t i = n; i < sizeof(long_text); i++)
        long_text[i] = "<&>x\xc3\xa4"[i % 6];
    place = (struct outcome_place){.id = text, .function = text, .count = 1};
    target = (struct outcome_target){.instance = text,
                                     .address = text,
                                     .labels = &label,
                                     .n_labels = 1,
                                     .status = CHECK_WARNING,
                                     .error = text,
                                     .has_snapshot = true,
                                     .places = &place,
                                     .n_places = 1};
    alert = outcome_sample()->alerts[SAMPLE_CRITICAL];
    alert.rule = alert.title = alert.site = alert.state_text = text;
    alert.explain = alert.advice = alert.evidence = alert.confidence = text;
    outcome = *outcome_sample();
    outcome.service = text;
    outcome.targets = &target;
    outcome.n_targets = 1;
    outcome.alerts = &alert;
    outcome.n_alerts = 1;
    return &outcome;
}

char *outcome_body(enum notifier_kind kind, const struct outcome *outcome,
                   const size_t *indices, size_t n_indices)
{
    struct message message = {.outcome = outcome,
                              .alerts = indices,
                              .n_alerts = n_indices,
                              .key = "k3y"};
    struct buf buf = {0};
    struct json json = json_begin(&buf);

    notifiers[kind].write(&json, &message);
    assert_false(buf.failed);
    return buf.ptr;
}

void golden_compare(const char *name, const char *text)
{
    char path[256];
    char wanted[65536] = {0};
    bool is_blessed = getenv("BLESS") != NULL;
    FILE *file;

    snprintf(path, sizeof(path), "tests/unit/golden/%s", name);
    file = fopen(path, is_blessed ? "w" : "r");
    assert_non_null(file);
    if (is_blessed)
        fputs(text, file);
    else
        assert_true(fread(wanted, 1, sizeof(wanted) - 1, file) > 0);
    fclose(file);
    if (!is_blessed && strcmp(wanted, text) != 0)
        fail_msg("%s is not what was written:\n%s", path, text);
}

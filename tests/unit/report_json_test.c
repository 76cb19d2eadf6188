#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/reporting.h"

#include <cmocka.h>

static const char rules_text[] =
    "version: 1\n"
    "rules:\n"
    "- id: idle-workers\n"
    "  title: Workers waiting for work\n"
    "  class: normal\n"
    "  match: {any: ['^main\\.worker$']}\n"
    "- id: send-queue\n"
    "  title: Goroutines queue to send\n"
    "  class: suspect\n"
    "  match: {state: [chan send]}\n"
    "  when:\n"
    "  - {severity: high, count: '>=100'}\n"
    "  explain: '{count} wait.'\n"
    "  cause: Nobody receives.\n"
    "  decide: [Take a second dump.]\n"
    "  advice: [Bound the queue.]\n"
    "  false_positives: [It moves.]\n"
    "  references: ['https://example.com/queue']\n";

static struct reporting reporting;
static json_t *parsed;

static int set_up(void **state)
{
    (void)state;
    reporting_init(&reporting, rules_text);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    json_decref(parsed);
    parsed = NULL;
    reporting_done(&reporting);
    return 0;
}

/* Makes the report anew and parses it; duplicate keys are errors. */
static json_t *answer(void)
{
    json_error_t error;

    cprof_report_free(reporting.report);
    reporting.report = NULL;
    json_decref(parsed);
    parsed = json_loads(reporting_write(&reporting, "json"),
                        JSON_REJECT_DUPLICATES, &error);
    if (!parsed)
        fail_msg("line %d: %s", error.line, error.text);
    return parsed;
}

/* The value at a path such as "groups/0/stack/1/line"; fails when there is
 * none. */
static json_t *at(json_t *value, const char *path)
{
    char part[64];

    for (const char *rest = path; *rest;) {
        size_t n = strcspn(rest, "/");

        snprintf(part, sizeof(part), "%.*s", (int)n, rest);
        value = json_is_array(value) ? json_array_get(value, (size_t)atoi(part))
                                     : json_object_get(value, part);
        if (!value)
            fail_msg("no '%s' of %s", part, path);
        rest += n + (rest[n] == '/');
    }
    return value;
}

static json_int_t int_at(json_t *root, const char *path)
{
    json_t *value = at(root, path);

    if (!json_is_integer(value))
        fail_msg("%s is no integer", path);
    return json_integer_value(value);
}

static const char *text_at(json_t *root, const char *path)
{
    json_t *value = at(root, path);

    if (!json_is_string(value))
        fail_msg("%s is no string", path);
    return json_string_value(value);
}

static bool is_null_at(json_t *root, const char *path)
{
    return json_is_null(at(root, path));
}

static void add_senders(struct snapshot *snapshot, uint64_t count)
{
    reporting_add(snapshot,
                  &(struct sample){.count = count,
                                   .state = "chan send",
                                   .frames = {"internal/poll.Wait|/go/p.go:9",
                                              "acme.com/q/v2.(*Queue).Put|"
                                              "/src/acme/q/queue.go:41",
                                              "main.feed|/src/main.go:12"}});
}

static void add_workers(struct snapshot *snapshot, uint64_t count)
{
    reporting_add(snapshot,
                  &(struct sample){.count = count,
                                   .state = "select",
                                   .frames = {"main.worker|/src/main.go:77"}});
}

static void every_field_of_the_contract_is_there(void **state)
{
    static const char *const top[] = {
        "schema",      "tool/name", "tool/version", "command",  "verdict",
        "snapshots/0", "summary",   "findings/0",   "groups/0", "diagnostics"};
    static const char *const snapshot_fields[] = {
        "source",         "format", "profile",  "taken_at",        "go_version",
        "declared_total", "total",  "complete", "max_goroutine_id"};
    static const char *const summary_fields[] = {
        "goroutines", "groups", "normal", "leaked", "by_state"};
    static const char *const finding_fields[] = {
        "rule",      "title",  "class",  "severity",   "confidence", "count",
        "share",     "site",   "groups", "group_ids",  "explain",    "cause",
        "age_max_s", "advice", "decide", "references", "growth",     "holder"};
    static const char *const group_fields[] = {
        "id",         "signature", "count",
        "share",      "state",     "state_source",
        "class",      "leaked",    "locked_to_thread",
        "age_min_s",  "age_max_s", "goroutine_ids",
        "created_by", "labels",    "counts",
        "site",       "stack",     "elided"};
    json_t *root;

    (void)state;
    add_senders(reporting_snapshot(&reporting, "x", "debug1"), 200);
    root = answer();
    for (size_t i = 0; i < sizeof(top) / sizeof(top[0]); i++)
        at(root, top[i]);
    for (size_t i = 0; i < sizeof(snapshot_fields) / sizeof(char *); i++)
        at(at(root, "snapshots/0"), snapshot_fields[i]);
    for (size_t i = 0; i < sizeof(summary_fields) / sizeof(char *); i++)
        at(at(root, "summary"), summary_fields[i]);
    for (size_t i = 0; i < sizeof(finding_fields) / sizeof(char *); i++)
        at(at(root, "findings/0"), finding_fields[i]);
    for (size_t i = 0; i < sizeof(group_fields) / sizeof(char *); i++)
        at(at(root, "groups/0"), group_fields[i]);
    assert_string_equal(text_at(root, "schema"), "cprof-leaks/report/v1");
    assert_string_equal(text_at(root, "tool/version"), cprof_version());
    assert_string_equal(text_at(root, "command"), "analyze");
}

static void a_finding_says_all_that_its_rule_says(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    json_t *finding;

    (void)state;
    add_senders(snapshot, 2500);
    add_workers(snapshot, 3);
    finding = at(answer(), "findings/0");
    assert_string_equal(text_at(parsed, "verdict"), "high");
    assert_string_equal(text_at(finding, "rule"), "send-queue");
    assert_string_equal(text_at(finding, "title"), "Goroutines queue to send");
    assert_string_equal(text_at(finding, "class"), "suspect");
    assert_string_equal(text_at(finding, "severity"), "high");
    assert_int_equal(int_at(finding, "count"), 2500);
    assert_string_equal(text_at(finding, "state"), "chan send");
    assert_string_equal(text_at(finding, "state_source"), "header");
    assert_string_equal(text_at(finding, "site/function"),
                        "acme.com/q/v2.(*Queue).Put");
    assert_string_equal(text_at(finding, "site/file"), "/src/acme/q/queue.go");
    assert_int_equal(int_at(finding, "site/line"), 41);
    assert_string_equal(text_at(finding, "explain"), "2,500 wait.");
    assert_string_equal(text_at(finding, "cause"), "Nobody receives.");
    assert_string_equal(text_at(finding, "advice/0"), "Bound the queue.");
    assert_string_equal(text_at(finding, "decide/0"), "Take a second dump.");
    assert_string_equal(text_at(finding, "false_positives/0"), "It moves.");
    assert_string_equal(text_at(finding, "references/0"),
                        "https://example.com/queue");
    assert_true(is_null_at(finding, "age_max_s"));
    assert_true(is_null_at(finding, "growth"));
    assert_true(is_null_at(finding, "holder"));
    assert_string_equal(text_at(finding, "groups/0"),
                        text_at(parsed, "groups/0/signature"));
    assert_string_equal(text_at(finding, "group_ids/0"),
                        text_at(parsed, "groups/0/id"));
}

static void shares_are_of_the_larger_total_with_six_digits(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug1");
    json_t *root;

    (void)state;
    add_senders(snapshot, 97908);
    add_workers(snapshot, 3);
    snapshot_info(snapshot)->has_declared = true;
    snapshot_info(snapshot)->declared = 97926;
    root = answer();
    assert_int_equal(int_at(root, "summary/goroutines"), 97911);
    assert_int_equal(int_at(root, "summary/declared"), 97926);
    assert_int_equal(int_at(root, "summary/share_of"), 97926);
    assert_int_equal(int_at(root, "summary/normal"), 3);
    assert_int_equal(int_at(root, "summary/groups"), 2);
    assert_int_equal(int_at(root, "summary/by_state/chan send"), 97908);
    assert_int_equal(int_at(root, "summary/by_state/select"), 3);
    assert_int_equal(int_at(root, "snapshots/0/declared_total"), 97926);
    assert_int_equal(int_at(root, "snapshots/0/total"), 97911);
    assert_float_equal(json_number_value(at(root, "groups/0/share")), 0.999816,
                       1e-12);
    assert_float_equal(json_number_value(at(root, "findings/0/share")),
                       0.999816, 1e-12);
}

static void a_group_says_where_it_stands(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    json_t *group;

    (void)state;
    add_senders(snapshot, 5);
    add_workers(snapshot, 3);
    group = at(answer(), "groups/0");
    assert_int_equal(json_array_size(at(parsed, "groups")), 2);
    assert_int_equal(int_at(group, "count"), 5);
    assert_int_equal(int_at(group, "site"), 1);
    assert_int_equal(json_array_size(at(group, "stack")), 3);
    assert_string_equal(text_at(group, "stack/0/function"),
                        "internal/poll.Wait");
    assert_string_equal(text_at(group, "stack/2/file"), "/src/main.go");
    assert_int_equal(int_at(group, "stack/2/line"), 12);
    assert_true(is_null_at(group, "stack/2/address"));
    assert_string_equal(text_at(group, "class"), "neutral");
    assert_true(is_null_at(group, "rule"));
    assert_int_equal(int_at(group, "elided"), 0);
    assert_int_equal(strlen(text_at(group, "id")), 32);
    group = at(parsed, "groups/1");
    assert_string_equal(text_at(group, "class"), "normal");
    assert_string_equal(text_at(group, "rule"), "idle-workers");
    assert_string_equal(text_at(group, "state_source"), "header");
}

/* A channel send of Go 1.24 on amd64, as debug=1 tells it. */
static void inferred_states_name_their_source(void **state)
{
    struct sample sample = {
        .count = 2,
        .hidden = {.count = 3, .n_pc = 3, .pc = {0x4aa18e, 0x43e1ab, 0x43ddf7}},
        .frames = {"main.feed|/src/main.go:12"},
    };

    (void)state;
    reporting_add(reporting_snapshot(&reporting, "x", "debug1"), &sample);
    assert_string_equal(text_at(answer(), "groups/0/state"), "chan send");
    assert_string_equal(text_at(parsed, "groups/0/state_source"), "addresses");
}

static void evidence_is_bounded_and_in_order(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    struct sample sample = {.count = 20,
                            .state = "chan send",
                            .frames = {"main.feed|/src/main.go:12"},
                            .first_id = 101,
                            .wait_min = 9,
                            .created_by = "main.start|/src/main.go:3",
                            .key = "tenant",
                            .value = "blue"};
    json_t *group;

    (void)state;
    reporting_add(snapshot, &sample);
    sample.count = 2;
    sample.first_id = 7;
    sample.wait_min = 2;
    sample.created_by = "main.other|/src/main.go:4";
    sample.value = "";
    sample.locked = true;
    reporting_add(snapshot, &sample);
    group = at(answer(), "groups/0");
    assert_int_equal(json_array_size(at(group, "goroutine_ids")), 8);
    assert_int_equal(int_at(group, "goroutine_ids/0"), 7);
    assert_int_equal(int_at(group, "goroutine_ids/1"), 8);
    assert_int_equal(int_at(group, "goroutine_ids/2"), 101);
    assert_int_equal(int_at(group, "age_min_s"), 120);
    assert_int_equal(int_at(group, "age_median_s"), 540);
    assert_int_equal(int_at(group, "age_max_s"), 540);
    assert_string_equal(text_at(group, "created_by/function"), "main.start");
    assert_int_equal(int_at(group, "created_by/line"), 3);
    assert_string_equal(text_at(group, "labels/0/key"), "tenant");
    assert_string_equal(text_at(group, "labels/0/value"), "blue");
    assert_int_equal(int_at(group, "labels/0/count"), 20);
    assert_string_equal(text_at(group, "labels/1/value"), "");
    assert_int_equal(int_at(group, "labels/1/count"), 2);
    assert_int_equal(int_at(group, "locked_to_thread"), 2);
    assert_int_equal(int_at(parsed, "snapshots/0/max_goroutine_id"), 120);
}

static void label_values_that_were_not_kept_are_one_null(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    char value[16];
    json_t *labels;

    (void)state;
    for (int i = 0; i < EVIDENCE_VALUES + 5; i++) {
        snprintf(value, sizeof(value), "v%d", i);
        reporting_add(snapshot,
                      &(struct sample){.count = 1,
                                       .state = "sleep",
                                       .frames = {"main.f|/src/main.go:1"},
                                       .key = "request",
                                       .value = value});
    }
    labels = at(answer(), "groups/0/labels");
    assert_int_equal(json_array_size(labels), EVIDENCE_VALUES + 1);
    assert_true(is_null_at(labels, "16/value"));
    assert_int_equal(int_at(labels, "16/count"), 5);
}

static void what_a_format_does_not_tell_is_null(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug1");
    json_t *root;

    (void)state;
    reporting_add(snapshot, &(struct sample){.count = 2,
                                             .frames = {"main.f|:0"},
                                             .elided = ELIDED_SOME});
    reporting_add(snapshot, &(struct sample){.count = 1});
    root = answer();
    assert_true(is_null_at(root, "groups/0/locked_to_thread"));
    assert_true(is_null_at(root, "groups/0/leaked"));
    assert_true(is_null_at(root, "groups/0/age_max_s"));
    assert_true(is_null_at(root, "groups/0/created_by"));
    assert_true(is_null_at(root, "groups/0/elided"));
    assert_true(is_null_at(root, "groups/0/stack/0/file"));
    assert_true(is_null_at(root, "groups/0/stack/0/line"));
    assert_true(is_null_at(root, "groups/1/site"));
    assert_int_equal(json_array_size(at(root, "groups/1/stack")), 0);
    assert_true(is_null_at(root, "summary/leaked"));
    assert_true(is_null_at(root, "summary/declared"));
    assert_true(is_null_at(root, "snapshots/0/taken_at"));
    assert_true(is_null_at(root, "snapshots/0/go_version"));
    assert_true(is_null_at(root, "snapshots/0/declared_total"));
    assert_true(is_null_at(root, "snapshots/0/max_goroutine_id"));
    assert_true(is_null_at(root, "breakdown"));
}

static void leaked_is_counted_once_the_runtime_says_it(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");

    (void)state;
    reporting_add(snapshot,
                  &(struct sample){.count = 4,
                                   .state = "chan receive",
                                   .frames = {"main.f|/src/main.go:1"},
                                   .leaked = true});
    add_workers(snapshot, 3);
    answer();
    assert_int_equal(int_at(parsed, "summary/leaked"), 4);
    assert_int_equal(int_at(parsed, "groups/0/leaked"), 4);
    assert_int_equal(int_at(parsed, "groups/1/leaked"), 0);
}

static void counts_belong_to_snapshots(void **state)
{
    struct snapshot *one = reporting_snapshot(&reporting, "one", "debug2");
    struct snapshot *two = reporting_snapshot(&reporting, "two", "debug2");

    (void)state;
    add_senders(one, 7);
    add_senders(two, 2);
    add_workers(two, 1);
    snapshot_info(two)->taken_ns = 1700000000000000000;
    snapshot_info(two)->go_version = STR("go1.27.3");
    snapshot_info(two)->instance = STR("pod-2");
    answer();
    assert_int_equal(int_at(parsed, "groups/0/count"), 9);
    assert_int_equal(int_at(parsed, "groups/0/counts/0"), 7);
    assert_int_equal(int_at(parsed, "groups/0/counts/1"), 2);
    assert_int_equal(int_at(parsed, "groups/1/counts/0"), 0);
    assert_int_equal(int_at(parsed, "groups/1/counts/1"), 1);
    assert_string_equal(text_at(parsed, "snapshots/1/taken_at"),
                        "2023-11-14T22:13:20Z");
    assert_string_equal(text_at(parsed, "snapshots/1/go_version"), "go1.27.3");
    assert_string_equal(text_at(parsed, "snapshots/1/instance"), "pod-2");
}

static void top_cuts_groups_only_when_it_is_given(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    char frame[64];

    (void)state;
    for (int i = 1; i <= 30; i++) {
        snprintf(frame, sizeof(frame), "main.f|/src/main.go:%d", i);
        reporting_add(snapshot, &(struct sample){.count = (uint64_t)i,
                                                 .state = "sleep",
                                                 .frames = {frame}});
    }
    assert_int_equal(json_array_size(at(answer(), "groups")), 30);
    reporting_set(&reporting, "top", "4");
    assert_int_equal(json_array_size(at(answer(), "groups")), 4);
    assert_int_equal(int_at(parsed, "groups/3/count"), 27);
    assert_int_equal(int_at(parsed, "summary/groups"), 30);
    reporting_set(&reporting, "all", NULL);
    assert_int_equal(json_array_size(at(answer(), "groups")), 30);
}

static void hidden_frames_are_out_and_the_site_moves(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");

    (void)state;
    add_senders(snapshot, 2);
    reporting_set(&reporting, "hide", "^internal/poll");
    assert_int_equal(int_at(answer(), "groups/0/site"), 0);
    assert_int_equal(json_array_size(at(parsed, "groups/0/stack")), 2);
    reporting_set(&reporting, "hide", "Queue");
    assert_true(is_null_at(answer(), "groups/0/site"));
    assert_int_equal(json_array_size(at(parsed, "groups/0/stack")), 1);
}

static void filters_leave_shares_alone(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");

    (void)state;
    add_senders(snapshot, 3);
    add_workers(snapshot, 1);
    reporting_set(&reporting, "focus", "worker");
    answer();
    assert_int_equal(json_array_size(at(parsed, "groups")), 1);
    assert_float_equal(json_number_value(at(parsed, "groups/0/share")), 0.25,
                       1e-12);
    assert_int_equal(int_at(parsed, "summary/shown"), 1);
    assert_int_equal(int_at(parsed, "summary/goroutines"), 4);
    assert_int_equal(json_object_size(at(parsed, "summary/by_state")), 1);
}

static void a_breakdown_adds_up(void **state)
{
    static const char *const keys[] = {"site",    "function", "package",
                                       "creator", "state",    "label:tenant"};
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");

    (void)state;
    add_senders(snapshot, 5);
    add_workers(snapshot, 4);
    reporting_add(snapshot,
                  &(struct sample){.count = 3,
                                   .state = "select",
                                   .frames = {"main.worker|/src/main.go:78"},
                                   .created_by = "main.main|/src/main.go:1",
                                   .key = "tenant",
                                   .value = "blue"});
    reporting_add(snapshot, &(struct sample){.count = 2});
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        json_int_t sum = 0;
        json_t *rows;

        reporting_set(&reporting, "group-by", keys[i]);
        rows = at(answer(), "breakdown/rows");
        assert_string_equal(text_at(parsed, "breakdown/by"), keys[i]);
        for (size_t k = 0; k < json_array_size(rows); k++)
            sum += int_at(json_array_get(rows, k), "count");
        assert_int_equal(sum, 14);
    }
    assert_string_equal(text_at(parsed, "breakdown/rows/0/key"), "blue");
    assert_true(is_null_at(parsed, "breakdown/rows/1/key"));
    assert_int_equal(int_at(parsed, "breakdown/rows/1/count"), 11);
    reporting_set(&reporting, "group-by", "function");
    assert_string_equal(text_at(answer(), "breakdown/rows/0/place/function"),
                        "main.worker");
    assert_int_equal(int_at(parsed, "breakdown/rows/0/groups"), 2);
}

static void hostile_names_are_valid_json(void **state)
{
    static const char hostile[] =
        "main.\"\\\033[1m\xff\xc0\x80\xed\xa0\x80\u202e</script>\t\x7f";
    struct snapshot *snapshot =
        reporting_snapshot(&reporting, hostile, "debug2");
    char frame[128];

    (void)state;
    snprintf(frame, sizeof(frame), "%s|%s:3", hostile, hostile);
    reporting_add(snapshot, &(struct sample){.count = 200,
                                             .state = hostile,
                                             .frames = {frame},
                                             .created_by = frame,
                                             .key = hostile,
                                             .value = hostile});
    answer();
    assert_string_equal(text_at(parsed, "snapshots/0/source"),
                        "main.\"\\\033[1m\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd"
                        "\u202e</script>\t\x7f");
    assert_non_null(strstr(reporting.out.ptr, "\\u001b[1m"));
    assert_null(strchr(reporting.out.ptr, '\033'));
    assert_null(strchr(reporting.out.ptr, '\x7f'));
}

static void diagnostics_keep_their_order_and_place(void **state)
{
    struct diags *diags = &reporting.snapshots->diags;
    json_t *root;

    (void)state;
    add_workers(reporting_snapshot(&reporting, "x", "debug2"), 1);
    for (int i = 0; i < DIAG_MOST + 3; i++)
        diag_add(diags, DIAG_WARNING, "odd",
                 (struct place){.source = "x", .line = 4}, "odd line %d", i);
    diag_add(diags, DIAG_INFO, "note", (struct place){0}, "a note");
    root = answer();
    assert_string_equal(text_at(root, "diagnostics/0/severity"), "warning");
    assert_string_equal(text_at(root, "diagnostics/0/code"), "odd");
    assert_string_equal(text_at(root, "diagnostics/0/source"), "x");
    assert_int_equal(int_at(root, "diagnostics/0/line"), 4);
    assert_int_equal(json_array_size(at(root, "diagnostics")), DIAG_MOST + 1);
    assert_string_equal(text_at(root, "diagnostics/20/message"), "a note");
    assert_true(is_null_at(root, "diagnostics/20/source"));
    assert_true(is_null_at(root, "diagnostics/20/line"));
}

/* More than the writer's buffer, so that it is handed on in pieces. */
static void a_long_answer_arrives_whole(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    char frame[64];

    (void)state;
    for (int i = 1; i <= 3000; i++) {
        snprintf(frame, sizeof(frame), "main.f%d|/src/main.go:%d", i, i);
        reporting_add(
            snapshot,
            &(struct sample){.count = 2, .state = "sleep", .frames = {frame}});
    }
    assert_int_equal(json_array_size(at(answer(), "groups")), 3000);
}

static void text_and_json_say_the_same_count(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    char line[64];

    (void)state;
    add_senders(snapshot, 640);
    add_workers(snapshot, 360);
    answer();
    snprintf(line, sizeof(line), "%d of 1,000 goroutines (%g %%)",
             (int)int_at(parsed, "findings/0/count"),
             json_number_value(at(parsed, "findings/0/share")) * 100);
    assert_non_null(strstr(reporting_write(&reporting, "text"), line));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(every_field_of_the_contract_is_there),
        CASE(a_finding_says_all_that_its_rule_says),
        CASE(shares_are_of_the_larger_total_with_six_digits),
        CASE(a_group_says_where_it_stands),
        CASE(inferred_states_name_their_source),
        CASE(evidence_is_bounded_and_in_order),
        CASE(label_values_that_were_not_kept_are_one_null),
        CASE(what_a_format_does_not_tell_is_null),
        CASE(leaked_is_counted_once_the_runtime_says_it),
        CASE(counts_belong_to_snapshots),
        CASE(top_cuts_groups_only_when_it_is_given),
        CASE(hidden_frames_are_out_and_the_site_moves),
        CASE(filters_leave_shares_alone),
        CASE(a_breakdown_adds_up),
        CASE(hostile_names_are_valid_json),
        CASE(diagnostics_keep_their_order_and_place),
        CASE(a_long_answer_arrives_whole),
        CASE(text_and_json_say_the_same_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

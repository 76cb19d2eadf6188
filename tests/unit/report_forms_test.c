/* The outputs that go to other tools: Markdown, JUnit, SARIF, GitHub. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/escape.h"
#include "support/reporting.h"

#include <cmocka.h>

static struct reporting reporting;

static int set_up(void **state)
{
    (void)state;
    reporting_init(&reporting, reporting_rules);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    reporting_done(&reporting);
    return 0;
}

/* A name with markup of every kind, a mention, a terminal escape, a
 * right-to-left override and bytes that are no UTF-8. */
static const char hostile[] =
    "main.`</script>@octocat\033[31m\u202e%0A::error::\xff[x](y)"
    "|/src/]]>&\"#1`/main.go:1";

static void add_hostile(uint64_t count)
{
    struct snapshot *snapshot =
        reporting_snapshot(&reporting, "a\033[1m|<b>", "debug2");

    reporting_add(snapshot, &(struct sample){.count = count,
                                             .state = "chan send",
                                             .frames = {hostile},
                                             .created_by = hostile,
                                             .key = "k|</b>",
                                             .value = "@all\n::stop"});
    diag_add(&reporting.snapshots->diags, DIAG_WARNING, "odd",
             (struct place){.source = "a\033[1m|<b>", .line = 3},
             "odd \033[1m\n::error::<b>");
}

/* Only line ends and printable characters. */
static void assert_printable(const char *text)
{
    struct str rest = str_from(text);

    while (rest.len) {
        uint32_t point = 0;
        size_t n = utf8_next(rest, &point);

        assert_true(n > 0);
        assert_true(point == '\n' || point >= ' ');
        assert_false(point >= 0x7f && point < 0xa0);
        assert_false(point >= 0x200b && point <= 0x202e);
        rest = str_skip(rest, n);
    }
}

/* Sends 200 goroutines, which is loud by the rules of the tests, and others
 * that are not. */
static void add_usual(void)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");

    reporting_add_senders(snapshot, 200);
    reporting_add_receivers(snapshot, 40);
    reporting_add_workers(snapshot, 5);
}

/* --- Markdown ------------------------------------------------------------- */

static void markdown_begins_with_verdict_and_findings(void **state)
{
    const char *text;

    (void)state;
    add_usual();
    text = reporting_write(&reporting, "markdown");
    assert_int_equal(text_place(text, "## MEDIUM: Goroutines queue to send\n\n"
                                      "200 of 245 goroutines (81.63 %).\n\n"
                                      "| severity | finding | goroutines |"),
                     0);
    text_has(text, "| **medium** | Goroutines queue to send | 200 | 81.63 % | "
                   "chan send | `q.(*Queue).Put queue.go:41` |\n");
    text_has(text, "| info | Goroutines waiting to receive | 40 | 16.33 % | "
                   "chan receive | `main.drain main.go:30` |\n");
    text_has(text, "\n<details open>\n<summary><b>medium</b>: Goroutines queue "
                   "to send (200)</summary>\n\n"
                   "- **at:** `acme.com/q/v2.(*Queue).Put`, "
                   "`/src/acme/q/queue.go:41`\n"
                   "- **state:** chan send\n");
    text_has(text, "\n**Cause:** Nobody receives.\n");
    text_has(
        text,
        "\n**To decide**\n\n- Take a second dump.\n- Look for the receiver.\n");
    text_has(text, "\n**To do**\n\n- Bound the queue.\n");
    text_has(text, "\n- <https://example.com/queue>\n");
    text_lacks(text, "Largest groups"); /* the table has them all */
    text_has(text, "<summary>Normal, set aside</summary>\n\n```text\n");
}

static void markdown_of_a_calm_dump_has_no_findings(void **state)
{
    const char *text;

    (void)state;
    reporting_add_receivers(reporting_snapshot(&reporting, "x", "debug1"), 3);
    text = reporting_write(&reporting, "markdown");
    assert_int_equal(
        text_place(text, "## OK: nothing stands out among 3 goroutines\n"), 0);
    text_has(text, "\n\ndebug=1 carries no ages. Growth shows only against a");
    text_lacks(text, "| severity |");
    text_lacks(text, "<details open>");
}

static void names_are_no_markdown(void **state)
{
    const char *text;

    (void)state;
    add_hostile(2000);
    text = reporting_write(&reporting, "markdown");
    assert_printable(text);
    text_lacks(text, "| a\\x1b");
    text_has(text, "- **warning:** a\\\\x1b\\[1m\\|\\<b\\>:3: odd ");
    /* In code nothing is a mention; a fence is longer than what it holds. */
    text_has(text, "- **at:** `` main.`</script>@octocat\\x1b[31m");
    text_has(text, "k\\|\\</b\\>=@<!-- -->all");
}

/* GitHub takes 65,536 characters. */
static void a_comment_has_room_for_the_answer(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    char *name = malloc(40000);
    const char *text;

    (void)state;
    assert_non_null(name);
    for (int i = 0; i < 60; i++) {
        int n = snprintf(name, 40000, "main.f%d_", i);

        memset(name + n, '*', 30000);
        strcpy(name + n + 30000, "|/src/main.go:1");
        reporting_add(snapshot, &(struct sample){.count = 2000,
                                                 .state = "chan send",
                                                 .frames = {name, name, name},
                                                 .created_by = name});
    }
    free(name);
    text = reporting_write(&reporting, "markdown");
    assert_true(strlen(text) < 65536);
    text_has(text, "<b>medium</b>: Goroutines queue to send (2,000)");
    reporting_set(&reporting, "all", NULL);
    text_has(reporting_write(&reporting, "markdown"), "main.f59");
}

/* --- JUnit ---------------------------------------------------------------- */

static void a_rule_that_found_nothing_bad_is_a_test_that_passed(void **state)
{
    const char *text;

    (void)state;
    add_usual();
    reporting_set(&reporting, "fail-on", "medium");
    text = reporting_write(&reporting, "junit");
    text_has(text, " tests=\"3\" failures=\"1\" errors=\"0\" ");
    text_has(text, "name=\"complete\" time=\"0\"/>");
    text_has(text, "name=\"receive\" time=\"0\"/>");
    text_has(text, "name=\"send-queue\" time=\"0\">\n"
                   "      <failure message=\"Goroutines queue to send: 200 of "
                   "245 goroutines (81.63 %)\" type=\"medium\">MEDIUM: ");
    text_has(text, "<property name=\"goroutines\" value=\"245\"/>");
    text_lacks(text, "more finding");
    text_has(text, "<system-out>MEDIUM: Goroutines queue to send\n");
}

static void fail_on_says_what_fails(void **state)
{
    (void)state;
    add_usual();
    reporting_set(&reporting, "fail-on", "critical");
    text_has(reporting_write(&reporting, "junit"), "failures=\"0\"");
    reporting_set(&reporting, "fail-on", "info");
    text_has(reporting_write(&reporting, "junit"), "failures=\"2\"");
    reporting_set(&reporting, "fail-on", "none");
    text_has(reporting_write(&reporting, "junit"), "failures=\"0\"");
}

static void an_incomplete_input_is_an_error_only_if_strict(void **state)
{
    (void)state;
    add_usual();
    snapshot_info(reporting.snapshots->items[0])->complete = false;
    text_has(reporting_write(&reporting, "junit"), "errors=\"0\"");
    reporting_set(&reporting, "strict", NULL);
    text_has(reporting_write(&reporting, "junit"), "errors=\"1\"");
    text_has(reporting_write(&reporting, "junit"),
             "name=\"complete\" time=\"0\">\n      <error message=\"");
}

static void a_test_report_tells_the_time_it_is_given(void **state)
{
    (void)state;
    add_usual();
    text_lacks(reporting_write(&reporting, "junit"), "timestamp");
    reporting_set(&reporting, "now", "2026-11-21T04:01:10.5Z");
    text_has(reporting_write(&reporting, "junit"),
             " timestamp=\"2026-11-21T04:01:10\" ");
}

static void names_are_no_xml(void **state)
{
    const char *text;

    (void)state;
    add_hostile(2000);
    reporting_set(&reporting, "color", NULL);
    text = reporting_write(&reporting, "junit");
    assert_printable(text);
    text_lacks(text, "</script>");
    text_lacks(text, "]]>");
    text_has(text, "main.`&lt;/script&gt;@octocat");
}

/* --- SARIF ---------------------------------------------------------------- */

/* What stands at a path below the first run; freed by the caller with the root
 * that is left in *ret. */
static json_t *sarif_run(json_t **ret)
{
    json_error_t why;

    *ret = json_loads(reporting_write(&reporting, "sarif"), 0, &why);
    if (!*ret)
        fail_msg("%s", why.text);
    return json_array_get(json_object_get(*ret, "runs"), 0);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    assert_non_null(text);
    return text;
}

static void a_result_points_to_its_rule_and_place(void **state)
{
    json_t *root;
    json_t *run;
    json_t *result;
    json_t *physical;

    (void)state;
    add_usual();
    reporting_set(&reporting, "source-root", "/src/acme=queue/go");
    run = sarif_run(&root);
    result = json_array_get(json_object_get(run, "results"), 0);
    assert_string_equal(text_of(result, "ruleId"), "send-queue");
    assert_string_equal(text_of(result, "level"), "warning");
    assert_int_equal(
        json_integer_value(json_object_get(result, "occurrenceCount")), 200);
    physical =
        json_object_get(json_array_get(json_object_get(result, "locations"), 0),
                        "physicalLocation");
    assert_string_equal(
        text_of(json_object_get(physical, "artifactLocation"), "uri"),
        "queue/go/q/queue.go");
    assert_string_equal(
        text_of(json_object_get(physical, "artifactLocation"), "uriBaseId"),
        "SRCROOT");
    assert_int_equal(json_integer_value(json_object_get(
                         json_object_get(physical, "region"), "startLine")),
                     41);
    assert_string_equal(text_of(json_object_get(result, "partialFingerprints"),
                                "cprofLeaksFinding/v1"),
                        "send-queue:acme.com/q/v2.(*Queue).Put");
    result = json_array_get(json_object_get(run, "results"), 1);
    assert_string_equal(text_of(result, "level"), "note");
    assert_int_equal(json_integer_value(json_object_get(result, "ruleIndex")),
                     1);
    json_decref(root);
}

/* Counts, lines and severities change from run to run. */
static void a_fingerprint_outlives_an_edit(void **state)
{
    static const char *const frames[] = {"main.f|/a/main.go:3",
                                         "main.f|/b/c/main.go:99"};
    char *first = NULL;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct snapshot *snapshot =
            reporting_snapshot(&reporting, "x", "debug2");
        json_t *root;
        json_t *prints;

        reporting_add(snapshot, &(struct sample){.count = i ? 20 : 5000,
                                                 .state = "chan send",
                                                 .frames = {frames[i]}});
        prints = json_object_get(
            json_array_get(json_object_get(sarif_run(&root), "results"), 0),
            "partialFingerprints");
        if (first)
            assert_string_equal(first, text_of(prints, "cprofLeaksFinding/v1"));
        else
            first = strdup(text_of(prints, "cprofLeaksFinding/v1"));
        json_decref(root);
        reporting_done(&reporting);
        reporting_init(&reporting, reporting_rules);
    }
    free(first);
}

static void two_findings_of_one_function_have_two_fingerprints(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    const char *text;

    (void)state;
    reporting_add(snapshot, &(struct sample){.count = 20,
                                             .state = "chan send",
                                             .frames = {"main.f|/main.go:3"}});
    reporting_add(snapshot, &(struct sample){.count = 30,
                                             .state = "chan send",
                                             .frames = {"main.f|/main.go:9"}});
    text = reporting_write(&reporting, "sarif");
    text_has(text, "\"cprofLeaksFinding/v1\": \"send-queue:main.f\",");
    text_has(text, "\"cprofLeaksFinding/v1\": \"send-queue:main.f:2\",");
    assert_true(text_place(text, "send-queue:main.f:2") <
                text_place(text, "\"send-queue:main.f\""));
}

static void names_are_no_links_of_sarif(void **state)
{
    json_t *root;
    json_t *run;
    const char *text;

    (void)state;
    add_hostile(2000);
    run = sarif_run(&root);
    text = text_of(
        json_object_get(json_array_get(json_object_get(run, "results"), 0),
                        "message"),
        "text");
    text_lacks(text, "](");
    text_has(text, "[x] (y)");
    assert_printable(text);
    text = reporting_write(&reporting, "sarif");
    text_has(text, "\"uri\": \"file:///src/%5D%5D%3E%26%22%231%60/main.go\"");
    json_decref(root);
}

static void a_dump_without_files_is_pointed_to_itself(void **state)
{
    struct snapshot *snapshot =
        reporting_snapshot(&reporting, "dump 1.txt", "debug2");
    const char *text;

    (void)state;
    reporting_add(snapshot, &(struct sample){.count = 20,
                                             .state = "chan send",
                                             .frames = {"main.f"}});
    text = reporting_write(&reporting, "sarif");
    text_has(text, "\"artifactLocation\": {\"uri\": \"dump%201.txt\"}");
}

/* --- GitHub --------------------------------------------------------------- */

static void annotations_are_one_line_each(void **state)
{
    const char *text;

    (void)state;
    add_usual();
    reporting_set(&reporting, "source-root", "/src/acme/");
    text = reporting_write(&reporting, "github");
    assert_int_equal(
        text_place(text, "::warning file=q/queue.go,line=41,"
                         "title=medium%3A Goroutines queue to send::200 of 245 "
                         "goroutines (81.63 %25)%0Aat: acme.com/q/v2"),
        0);
    text_has(text, "%0A%0ATo do:%0A- Bound the queue.\n"
                   "cprof-leaks: verdict medium, 245 goroutines, 2 findings\n");
    text_lacks(text, "::notice"); /* info stays out, but for --all */
    reporting_set(&reporting, "all", NULL);
    text_has(reporting_write(&reporting, "github"), "\n::notice title=info%3A");
}

static void names_are_no_commands(void **state)
{
    const char *text;
    struct str rest;
    size_t n = 0;

    (void)state;
    add_hostile(2000);
    text = reporting_write(&reporting, "github");
    assert_printable(text);
    text_has(text, "main.`</script>@octocat\\x1b[31m\\u{202e}%250A::error::");
    for (rest = str_from(text); rest.len; n++)
        rest = str_skip(rest, str_find(rest, '\n') + 1);
    assert_int_equal(n, 3); /* a finding, a warning, the verdict */
}

/* --- Where to point to ---------------------------------------------------- */

static void expect_location(const char *begin)
{
    text_has(reporting_write(&reporting, "github"), begin);
}

static void library_code_is_shown_where_it_was_called(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");

    (void)state;
    reporting_add(
        snapshot,
        &(struct sample){
            .count = 200,
            .state = "chan send",
            .frames = {
                "example.com/lib.Send|/go/pkg/mod/example.com/lib/a.go:1",
                "example.com/v.Call|/app/vendor/example.com/v/v.go:2",
                "main.handle|/app/api/handle.go:3",
                "main.main|/app/main.go:4"}});
    expect_location("::warning title=");
    reporting_set(&reporting, "source-root", "/app");
    expect_location("::warning file=api/handle.go,line=3,title=");
}

static void code_that_only_started_it_is_better_than_none(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");

    (void)state;
    reporting_add(
        snapshot,
        &(struct sample){
            .count = 200,
            .state = "chan send",
            .frames =
                {"example.com/lib.Send|/go/pkg/mod/example.com/lib/a.go:1"},
            .created_by = "main.main|C:\\src\\app\\cmd\\main.go:7"});
    reporting_set(&reporting, "source-root", "C:/src/app");
    expect_location("::warning file=cmd/main.go,line=7,title=");
}

static void the_longest_root_decides(void **state)
{
    (void)state;
    reporting_add_senders(reporting_snapshot(&reporting, "x", "debug2"), 200);
    reporting_set(&reporting, "source-root", "/src/acme/q=lib");
    reporting_set(&reporting, "source-root", "/src=all/");
    reporting_set(&reporting, "source-root", "/sr=wrong");
    expect_location("::warning file=lib/queue.go,line=41,title=");
}

int main(void)
{
#define TEST(function)                                                         \
 cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(markdown_begins_with_verdict_and_findings),
        TEST(markdown_of_a_calm_dump_has_no_findings),
        TEST(names_are_no_markdown),
        TEST(a_comment_has_room_for_the_answer),
        TEST(a_rule_that_found_nothing_bad_is_a_test_that_passed),
        TEST(fail_on_says_what_fails),
        TEST(an_incomplete_input_is_an_error_only_if_strict),
        TEST(a_test_report_tells_the_time_it_is_given),
        TEST(names_are_no_xml),
        TEST(a_result_points_to_its_rule_and_place),
        TEST(a_fingerprint_outlives_an_edit),
        TEST(two_findings_of_one_function_have_two_fingerprints),
        TEST(names_are_no_links_of_sarif),
        TEST(a_dump_without_files_is_pointed_to_itself),
        TEST(annotations_are_one_line_each),
        TEST(names_are_no_commands),
        TEST(library_code_is_shown_where_it_was_called),
        TEST(code_that_only_started_it_is_better_than_none),
        TEST(the_longest_root_decides),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

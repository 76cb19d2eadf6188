#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/html_assets.h"
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

static struct snapshot *dump(void)
{
    return reporting_snapshot(&reporting, "x", "debug2");
}

static size_t count_of(const char *text, const char *what)
{
    size_t n = 0;

    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        n++;
    return n;
}

/* The data of the script, parsed. */
static json_t *data_of(const char *page)
{
    static const char mark[] = "<script type=\"application/json\" id=\"data\">";
    const char *start = strstr(page, mark);
    const char *end = start ? strstr(start, "</script>") : NULL;
    json_error_t error;
    json_t *data;

    assert_non_null(end);
    start += strlen(mark);
    data = json_loadb(start, (size_t)(end - start), JSON_REJECT_DUPLICATES,
                      &error);
    if (!data)
        fail_msg("line %d: %s", error.line, error.text);
    return data;
}

static void a_page_runs_its_own_style_and_script_and_no_other(void **state)
{
    char policy[300];
    const char *page;

    (void)state;
    reporting_add_senders(dump(), 2000);
    page = reporting_write(&reporting, "html");
    snprintf(policy, sizeof(policy),
             "style-src 'sha256-%s'; script-src 'sha256-%s';",
             html_style.sha256, html_script.sha256);
    text_has(page, "content=\"default-src 'none';");
    text_has(page, policy);
    assert_int_equal(count_of(page, "<style>"), 1);
    assert_int_equal(count_of(page, "<script>"), 1);
    text_lacks(page, " style=");
    text_lacks(page, " src=");
    text_lacks(page, " onclick=");
}

static void the_worst_finding_is_the_heading(void **state)
{
    const char *page;

    (void)state;
    reporting_add_senders(dump(), 2000);
    page = reporting_write(&reporting, "html");
    assert_int_equal(count_of(page, "<h1"), 1);
    text_has(page, "<span class=\"severity critical\">critical</span>");
    text_has(page, "2,000 of 2,000 goroutines (100 %)");
    assert_true(text_place(page, "<h1") < text_place(page, "id=\"stacks\""));
}

static void a_calm_dump_says_so(void **state)
{
    const char *page;

    (void)state;
    reporting_add_workers(dump(), 7);
    page = reporting_write(&reporting, "html");
    text_has(page, "<h1>Nothing stands out among 7 goroutines</h1>");
    text_lacks(page, "<article");
    text_has(page, "id=\"normal\"");
}

static void names_stay_text_in_every_part(void **state)
{
    static const char name[] =
        "main.</script><img onerror=a>&\"'|/src/</script><b>.go:1";
    struct snapshot *snapshot = dump();
    const char *page;
    json_t *data;

    (void)state;
    reporting_add(snapshot, &(struct sample){.count = 2000,
                                             .state = "chan send",
                                             .frames = {name},
                                             .created_by = name,
                                             .first_id = 1,
                                             .wait_min = 9,
                                             .key = "</script><i>",
                                             .value = "</SCRIPT><!--\u202e"});
    reporting_add(snapshot, &(struct sample){.count = 12,
                                             .state = "</td><script>",
                                             .frames = {name}});
    reporting_set(&reporting, "source-link", "https://x.org/{file}#{function}");
    page = reporting_write(&reporting, "html");
    text_lacks(page, "<img");
    text_lacks(page, "<b>.go");
    text_lacks(page, "<i>");
    text_lacks(page, "</td><script>");
    text_lacks(page, "</SCRIPT>");
    text_lacks(page, "\u202e");
    assert_int_equal(count_of(page, "</script>"), 2);
    text_has(page, "main.&lt;/script&gt;&lt;img onerror=a&gt;&amp;&quot;'");
    text_has(page, "https://x.org/src/%3C/script%3E%3Cb%3E.go#main.%3C/script");
    data = data_of(page);
    assert_string_equal(
        json_string_value(json_object_get(
            json_array_get(json_object_get(data, "functions"), 0), "name")),
        "main.</script><img onerror=a>&\"'");
    json_decref(data);
}

/* How many groups are in the table, and how many in the data. */
static void assert_groups(const char *page, size_t n_rows, size_t n_data)
{
    json_t *data = data_of(page);
    const char *table = strstr(page, "id=\"group-table\"");

    assert_non_null(table);
    assert_int_equal(count_of(table, "<tr><td class=\"num\">"), n_rows);
    assert_int_equal(json_array_size(json_object_get(data, "groups")), n_data);
    json_decref(data);
}

static void the_data_holds_all_groups_and_the_table_the_largest(void **state)
{
    struct snapshot *snapshot = dump();
    char name[32];

    (void)state;
    for (unsigned i = 0; i < 90; i++) {
        snprintf(name, sizeof(name), "main.f%u|/src/f.go:%u", i, i + 1);
        reporting_add(snapshot, &(struct sample){.count = 1 + i,
                                                 .state = "select",
                                                 .frames = {name}});
    }
    assert_groups(reporting_write(&reporting, "html"), 30, 90);
    reporting_set(&reporting, "top", "5");
    assert_groups(reporting_write(&reporting, "html"), 5, 5);
}

static void frames_are_linked_when_they_are_known(void **state)
{
    const char *page;

    (void)state;
    reporting_add_senders(dump(), 2000);
    text_lacks(reporting_write(&reporting, "html"), "class=\"at\" rel");
    reporting_set(&reporting, "source-link",
                  "https://git.org/x/{path:acme.com/q}#L{line}");
    page = reporting_write(&reporting, "html");
    text_has(page, "<a class=\"at\" rel=\"noreferrer\" "
                   "href=\"https://git.org/x/");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_page_runs_its_own_style_and_script_and_no_other, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(the_worst_finding_is_the_heading,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_calm_dump_says_so, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_stay_text_in_every_part, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            the_data_holds_all_groups_and_the_table_the_largest, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(frames_are_linked_when_they_are_known,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

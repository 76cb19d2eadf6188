/* The reason of a crash in the answer. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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

static struct crash plain_crash(void)
{
    return (struct crash){.kind = CRASH_PANIC,
                          .message = STR("boom"),
                          .has_goroutine = true,
                          .goroutine = 7,
                          .n_groups = 1};
}

/* A process that died while it sent at acme.com/q/v2.(*Queue).Put. */
static void add_crash(struct crash *crash, const char *source)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, source, "crash");

    reporting_add_senders(snapshot, 1);
    snapshot_info(snapshot)->crash = crash;
}

static void text_begins_with_the_reason_and_its_place(void **state)
{
    struct crash crash = plain_crash();
    const char *text;

    (void)state;
    add_crash(&crash, "x");
    text = reporting_write(&reporting, "text");
    assert_int_equal(text_place(text, "Crashed: panic: boom in goroutine 7 at "
                                      "q.(*Queue).Put (queue.go:41)\n\nOK: "),
                     0);
    text_has(text, "x: crash output, 1 goroutine");
}

static void a_crash_outside_of_goroutines_names_none(void **state)
{
    struct crash crash = plain_crash();
    const char *text;

    (void)state;
    crash.kind = CRASH_FATAL;
    crash.is_elsewhere = true;
    crash.has_goroutine = false;
    add_crash(&crash, "x");
    text = reporting_write(&reporting, "text");
    assert_int_equal(text_place(text, "Crashed: fatal error: boom on a stack "
                                      "of the runtime, outside of any "
                                      "goroutine\n"),
                     0);
    text_has(reporting_write(&reporting, "json"), "\"goroutine\": null");
}

static void further_lines_and_the_signal_stand_below(void **state)
{
    struct crash crash = plain_crash();

    (void)state;
    crash.message = STR("boom\npanic: again");
    crash.signal = STR("SIGSEGV: segmentation violation");
    add_crash(&crash, "x");
    text_has(reporting_write(&reporting, "text"),
             "\n         panic: again\n"
             "         SIGSEGV: segmentation violation\n\n");
}

static void a_request_is_no_crash(void **state)
{
    struct crash crash = {.kind = CRASH_SIGNAL,
                          .message = STR("SIGQUIT: quit"),
                          .signal = STR("SIGQUIT: quit"),
                          .is_request = true};

    (void)state;
    add_crash(&crash, "x");
    assert_int_equal(text_place(reporting_write(&reporting, "text"),
                                "Stopped: SIGQUIT: quit, which asks for a "
                                "dump\n\n"),
                     0);
}

static void a_request_says_where_the_main_goroutine_stands(void **state)
{
    struct crash crash = {.kind = CRASH_SIGNAL,
                          .message = STR("SIGQUIT: quit"),
                          .signal = STR("SIGQUIT: quit"),
                          .is_request = true};
    struct sample other = {.count = 1,
                           .state = "select",
                           .first_id = 5,
                           .frames = {"main.worker|main.go:40"}};
    struct sample sample = {
        .count = 1,
        .state = "IO wait",
        .first_id = 1,
        .frames = {"net.(*conn).Read|net.go:189", "main.main|main.go:30"}};
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "crash");

    (void)state;
    reporting_add(snapshot, &other);
    reporting_add(snapshot, &sample);
    snapshot_info(snapshot)->crash = &crash;
    text_has(
        reporting_write(&reporting, "text"),
        "Stopped: SIGQUIT: quit, which asks for a dump; goroutine 1 stands "
        "in IO wait at\n         main.main (main.go:30)\n\n");
    text_has(reporting_write(&reporting, "html"),
             "which asks for a dump; goroutine 1 stands in IO wait at "
             "main.main (main.go:30)");
}

static void many_crashes_are_cut_without_all(void **state)
{
    struct crash crashes[5];
    const char *text;

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        char name[] = "a";

        name[0] = (char)('a' + i);
        crashes[i] = plain_crash();
        add_crash(&crashes[i], name);
    }
    text = reporting_write(&reporting, "text");
    text_has(text, "\n         2 more (--all lists them)\n");
}

static void controls_in_a_message_are_escaped(void **state)
{
    struct crash crash = plain_crash();

    (void)state;
    crash.message = STR("a\x1b[31mb\n\x1b[2Jc");
    add_crash(&crash, "x");
    text_lacks(reporting_write(&reporting, "text"), "\x1b");
    text_lacks(reporting_write(&reporting, "json"), "\x1b");
}

/* Its goroutine is a finding of the rules of these tests. */
static void add_found_crash(struct crash *crash)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "crash");

    reporting_add_senders(snapshot, 100);
    snapshot_info(snapshot)->crash = crash;
}

static void tools_get_the_words_of_the_crash(void **state)
{
    struct crash crash = plain_crash();

    (void)state;
    crash.message = STR("50%: boom\n\tpanic: a]](b)\x1b<i>");
    crash.signal = STR("SIGSEGV: segmentation violation");
    add_found_crash(&crash);
    reporting_set(&reporting, "fail-on", "medium");
    text_has(reporting_write(&reporting, "github"),
             "::panic: 50%25: boom%0Apanic: a]](b)\\x1b<i>%0A"
             "SIGSEGV: segmentation violation%0A100 of 100 goroutines");
    text_has(reporting_write(&reporting, "sarif"),
             " The process said: panic: 50%: boom panic: a]] (b)\\\\x1b<i> "
             "SIGSEGV: segmentation violation\"");
    text_has(reporting_write(&reporting, "junit"),
             ">panic: 50%: boom\npanic: a]](b)\\x1b&lt;i&gt;\n"
             "SIGSEGV: segmentation violation\n\n");
    text_has(reporting_write(&reporting, "html"),
             "<br>panic: a]](b)\\x1b&lt;i&gt;<br>"
             "SIGSEGV: segmentation violation</p>");
}

static void tools_get_no_words_of_the_crash_of_others(void **state)
{
    struct crash crash = plain_crash();

    (void)state;
    crash.n_groups = 0;
    add_found_crash(&crash);
    text_lacks(reporting_write(&reporting, "github"), "boom");
    text_lacks(reporting_write(&reporting, "sarif"), "boom");
}

static json_t *parse_crash(json_t **ret_root)
{
    *ret_root = json_loads(reporting_write(&reporting, "json"), 0, NULL);
    assert_non_null(*ret_root);
    return json_object_get(
        json_array_get(json_object_get(*ret_root, "snapshots"), 0), "crash");
}

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void json_has_every_field_of_the_crash(void **state)
{
    struct crash crash = plain_crash();
    json_t *root;
    json_t *parsed;
    const json_t *site;

    (void)state;
    add_crash(&crash, "x");
    parsed = parse_crash(&root);
    assert_string_equal(text_of(parsed, "kind"), "panic");
    assert_string_equal(text_of(parsed, "message"), "boom");
    assert_true(json_is_null(json_object_get(parsed, "signal")));
    assert_int_equal(json_integer_value(json_object_get(parsed, "goroutine")),
                     7);
    site = json_object_get(parsed, "site");
    assert_string_equal(text_of(site, "function"),
                        "acme.com/q/v2.(*Queue).Put");
    assert_int_equal(json_integer_value(json_object_get(site, "line")), 41);
    json_decref(root);
}

static void other_dumps_have_none(void **state)
{
    json_t *root;
    const json_t *crash;

    (void)state;
    reporting_add_senders(reporting_snapshot(&reporting, "x", "debug2"), 1);
    crash = parse_crash(&root);
    assert_true(json_is_null(crash));
    json_decref(root);
}

static void the_site_is_where_the_first_panic_began(void **state)
{
    struct crash crash = plain_crash();
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "crash");
    struct sample sample = {
        .count = 1,
        .state = "running",
        .frames = {"main.deferred|m.go:3", "panic|p.go:2", "main.middle|m.go:2",
                   "panic|p.go:1", "runtime.panicmem|p.go:4",
                   "main.cause|m.go:1", "main.main|m.go:9"}};

    (void)state;
    reporting_add(snapshot, &sample);
    snapshot_info(snapshot)->crash = &crash;
    text_has(reporting_write(&reporting, "text"), "at main.cause (m.go:1)");
    text_has(reporting_write(&reporting, "json"), "\"site\": 5");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(text_begins_with_the_reason_and_its_place),
        TEST(a_crash_outside_of_goroutines_names_none),
        TEST(further_lines_and_the_signal_stand_below),
        TEST(a_request_is_no_crash),
        TEST(a_request_says_where_the_main_goroutine_stands),
        TEST(many_crashes_are_cut_without_all),
        TEST(controls_in_a_message_are_escaped),
        TEST(tools_get_the_words_of_the_crash),
        TEST(tools_get_no_words_of_the_crash_of_others),
        TEST(json_has_every_field_of_the_crash),
        TEST(other_dumps_have_none),
        TEST(the_site_is_where_the_first_panic_began),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

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

static void the_first_line_is_the_worst_finding(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    const char *text;

    (void)state;
    reporting_add_receivers(snapshot, 40);
    reporting_add_senders(snapshot, 97908);
    snapshot_info(snapshot)->has_declared = true;
    snapshot_info(snapshot)->declared = 97960;
    text = reporting_write(&reporting, "text");
    assert_int_equal(text_place(text, "CRITICAL: Goroutines queue to send\n"
                                      "          97,908 of 97,960 goroutines "
                                      "(99.95 %)\n"),
                     0);
    text_has(text, "\n  at       acme.com/q/v2.(*Queue).Put\n"
                   "           /src/acme/q/queue.go:41\n");
    text_has(text, "\n  state    chan send\n");
    text_has(text, "97,908 goroutines (99.95 %) wait to send at");
    text_has(text, "\n  Cause: Nobody receives.\n");
    text_has(text, "\n  - Look for the receiver.\n");
    text_has(text, "\n  - Bound the queue.\n");
    text_has(text, "\n  See https://example.com/queue\n");
    text_has(text, "    q.(*Queue).Put  q/queue.go:41\n"
                   "    main.feed       src/main.go:12\n");
    text_lacks(text, "No problem if");
}

static void quiet_findings_take_one_line_below_the_loud_ones(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    const char *text;

    (void)state;
    reporting_add_senders(snapshot, 200);
    reporting_add_receivers(snapshot, 40);
    text = reporting_write(&reporting, "text");
    text_has(text, "\nMinor findings (--all explains them)\n"
                   "  info  40  receive  main.drain main.go:30  "
                   "Goroutines waiting to receive\n");
    text_lacks(text, "They wait.");
}

static void a_calm_dump_says_what_it_cannot_show(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug1");
    const char *text;

    (void)state;
    reporting_add_receivers(snapshot, 3);
    text = reporting_write(&reporting, "text");
    assert_int_equal(
        text_place(text, "OK: nothing stands out among 3 goroutines\n"), 0);
    text_has(text, "debug=1 carries no ages. Growth shows only against a");
}

static void a_quiet_verdict_is_not_called_alarming(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    const char *text;

    (void)state;
    reporting_add_senders(snapshot, 12);
    text = reporting_write(&reporting, "text");
    assert_int_equal(text_place(text,
                                "LOW: nothing of medium severity or above "
                                "among 12 goroutines\n"),
                     0);
    text_lacks(text, "carries no ages");
}

static void one_goroutine_is_not_called_goroutines(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");

    (void)state;
    reporting_add_receivers(snapshot, 1);
    text_has(reporting_write(&reporting, "text"), "among 1 goroutine\n");
}

static void an_empty_leak_profile_proves_nothing_leaked(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug1");
    const char *text;

    (void)state;
    snapshot_info(snapshot)->kind = PROFILE_GOROUTINELEAK;
    text = reporting_write(&reporting, "text");
    text_has(text, "OK: the runtime has proven no goroutine leaked\n");
    text_has(text, "still reachable");
}

/* A channel send of Go 1.24 on amd64, as debug=1 tells it. */
static const struct hidden send_pcs = {
    .count = 3, .n_pc = 3, .pc = {0x4aa18e, 0x43e1ab, 0x43ddf7}};

static void states_inferred_from_addresses_say_so(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug1");
    const char *text;

    (void)state;
    reporting_add(snapshot,
                  &(struct sample){.count = 120,
                                   .hidden = send_pcs,
                                   .frames = {"main.feed|/src/main.go:12"}});
    reporting_add(snapshot,
                  &(struct sample){.count = 5,
                                   .hidden = send_pcs,
                                   .frames = {"main.feed2|/src/main.go:13"}});
    text = reporting_write(&reporting, "text");
    text_has(text, "\n  state    chan send, inferred from addresses; debug=1 "
                   "carries no state or age\n");
    text_has(text, "STATE (inferred)");
    text_lacks(text, "~");
}

static void inferred_states_are_marked_among_read_ones(void **state)
{
    const char *text;

    (void)state;
    reporting_add(reporting_snapshot(&reporting, "one", "debug1"),
                  &(struct sample){.count = 7,
                                   .hidden = send_pcs,
                                   .frames = {"main.feed|/src/main.go:12"}});
    reporting_add_receivers(reporting_snapshot(&reporting, "two", "debug2"), 5);
    text = reporting_write(&reporting, "text");
    text_has(text, "chan send~         1  main.feed main.go:12\n");
    text_has(text, "chan receive       1  main.drain main.go:30\n");
    text_has(text, "~ inferred, not written in the dump");
}

static void ages_are_told_as_lower_bounds(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    struct sample sample = {.count = 100,
                            .state = "chan send",
                            .frames = {"main.feed|/src/main.go:12"},
                            .first_id = 7,
                            .wait_min = 3,
                            .created_by = "main.main|/src/main.go:5",
                            .key = "tenant",
                            .value = "blue"};
    const char *text;

    (void)state;
    reporting_add(snapshot, &sample);
    sample.count = 30;
    sample.first_id = 1000;
    sample.wait_min = 65;
    sample.value = "red";
    reporting_add(snapshot, &sample);
    reporting_add_receivers(snapshot, 1);
    text = reporting_write(&reporting, "text");
    text_has(text, "at least 63 minutes for the longest");
    text_has(text, ", 1 minute for half of them");
    text_has(text, "\n  creator  main.main main.go:5\n");
    text_has(text, "\n  labels   tenant=blue (100), red (30)\n");
    text_has(text, " and 122 more\n");
    text_has(text, "1h3m+");
}

static void normal_goroutines_are_set_aside_and_counted(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    const char *text;

    (void)state;
    reporting_add_workers(snapshot, 1500);
    reporting_add_receivers(snapshot, 2);
    text = reporting_write(&reporting, "text");
    text_has(text, "\nNormal, set aside\n"
                   "  1,500  Workers waiting for work  main.worker\n");
    assert_true(text_place(text, "main.drain main.go:30") <
                text_place(text, "Normal, set aside"));
    text_lacks(text, "main.worker main.go:77");
}

static void top_cuts_the_list_and_says_so(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    char frame[64];
    const char *text;

    (void)state;
    for (int i = 1; i <= 14; i++) {
        snprintf(frame, sizeof(frame), "main.f%02d|/src/main.go:%d", i, i);
        reporting_add(snapshot, &(struct sample){.count = (uint64_t)i,
                                                 .state = "sleep",
                                                 .frames = {frame}});
    }
    text = reporting_write(&reporting, "text");
    text_has(text, "main.f05 main.go:5\n");
    text_lacks(text, "main.f04");
    text_has(text, "... 4 more groups (--all shows them)\n");
    assert_true(text_place(text, "main.f14") < text_place(text, "main.f13"));
    reporting_set(&reporting, "top", "2");
    text = reporting_write(&reporting, "text");
    text_lacks(text, "main.f12");
    text_has(text, "... 12 more groups (--all shows them)\n");
    reporting_set(&reporting, "all", NULL);
    text = reporting_write(&reporting, "text");
    text_has(text, "    main.f01\n        /src/main.go:1\n");
    text_lacks(text, "more groups");
}

static void goroutines_that_did_not_fit_are_counted(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");

    (void)state;
    reporting_add_receivers(snapshot, 3);
    snapshot_info(snapshot)->total += 1200;
    snapshot_info(snapshot)->other += 1200;
    text_has(reporting_write(&reporting, "text"),
             "  1,200 goroutines in stacks that memory had no room for");
}

static void filters_say_what_they_keep(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    const char *text;

    (void)state;
    reporting_add_receivers(snapshot, 3);
    reporting_add_senders(snapshot, 200);
    reporting_set(&reporting, "focus", "drain");
    text = reporting_write(&reporting, "text");
    text_has(text, "The filters keep 3 of 203 goroutines in 1 group.\n");
    text_has(text, "main.drain main.go:30\n");
    text_lacks(text, "Queue");
}

static void runs_of_the_standard_library_are_folded(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    struct sample sample = {
        .count = 200,
        .state = "chan send",
        .frames = {"internal/poll.runtime_pollWait|/go/src/a.go:1",
                   "internal/poll.(*FD).Read|/go/src/a.go:2",
                   "net.(*conn).Read|/go/src/b.go:3",
                   "net/http.(*Client).Do|/go/src/c.go:4",
                   "main.call|/src/main.go:5",
                   "net/http.HandlerFunc.ServeHTTP|/go/src/d.go:6",
                   "net/http.(*conn).serve|/go/src/d.go:7"},
        .elided = ELIDED_SOME};
    const char *text;

    (void)state;
    reporting_add(snapshot, &sample);
    text = reporting_write(&reporting, "text");
    text_has(text, "    ... 3 frames of internal/poll, net\n"
                   "    http.(*Client).Do           src/c.go:4\n"
                   "    main.call                   src/main.go:5\n"
                   "    http.HandlerFunc.ServeHTTP  src/d.go:6\n"
                   "    http.(*conn).serve          src/d.go:7\n"
                   "    ... frames that the dump left out\n");
}

static void hidden_frames_are_counted_but_not_shown(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    const char *text;

    (void)state;
    reporting_add_senders(snapshot, 200);
    reporting_set(&reporting, "hide", "^main\\.feed$");
    text = reporting_write(&reporting, "text");
    text_lacks(text, "main.feed");
    text_has(text, "    ... 1 hidden\n");
}

/* --- Views --------------------------------------------------------------- */

static void a_recursion_is_told_once(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");

    (void)state;
    reporting_add(
        snapshot,
        &(struct sample){.count = 200,
                         .state = "chan send",
                         .frames = {"main.leaf|/a.go:1", "main.walk|/a.go:7",
                                    "main.walk|/a.go:7", "main.walk|/a.go:7",
                                    "main.walk|/a.go:9", "main.walk|/a.go:9",
                                    "main.main|/main.go:3"}});
    text_has(reporting_write(&reporting, "text"),
             "    main.leaf  /a.go:1\n"
             "    main.walk  /a.go:7\n"
             "    ... the same 2 times more\n"
             "    main.walk  /a.go:9\n"
             "    main.walk  /a.go:9\n"
             "    main.main  /main.go:3\n");
}

static void each_view_groups_by_its_key(void **state)
{
    static const struct {
        const char *by;
        const char *row;
    } cases[] = {
        {"site", "STATE         SITE\n     12   85.71 %       1  chan send     "
                 "q.(*Queue).Put queue.go:41\n"},
        {"function", "STATE         FUNCTION\n     12   85.71 %       1  chan "
                     "send     q.(*Queue).Put\n"},
        {"package", "      2   14.29 %       1  chan receive  main           "
                    "main.drain main.go:30\n"},
        {"state",
         "STATE         MOSTLY AT\n     12   85.71 %       1  chan send "
         "    q.(*Queue).Put queue.go:41\n"},
        {"creator", "STATE           CREATOR\n     14  100.00 %       2  chan "
                    "send, ...  (none)\n"},
        {"label:tenant",
         "STATE           LABEL    MOSTLY AT\n     14  100.00 % "
         "      2  chan send, ...  (none)   q.(*Queue).Put "
         "queue.go:41\n"},
    };
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");
    const char *text;

    (void)state;
    reporting_add_senders(snapshot, 12);
    reporting_add_receivers(snapshot, 2);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        reporting_set(&reporting, "group-by", cases[i].by);
        cprof_report_free(reporting.report);
        reporting.report = NULL;
        text = reporting_write(&reporting, "text");
        text_has(text, "\n  COUNT     SHARE  GROUPS  ");
        text_has(text, cases[i].row);
    }
}

static void every_snapshot_is_listed(void **state)
{
    const char *text;

    (void)state;
    reporting_add_receivers(reporting_snapshot(&reporting, "one.txt", "debug2"),
                            2);
    reporting_add_receivers(reporting_snapshot(&reporting, "two.txt", "debug2"),
                            3);
    text = reporting_write(&reporting, "text");
    text_has(text, "  one.txt: debug=2, 2 goroutines\n");
    text_has(text, "  two.txt: debug=2, 3 goroutines\n");
}

static void each_stack_says_in_how_many_dumps_it_stands(void **state)
{
    struct snapshot *one = reporting_snapshot(&reporting, "one", "debug2");
    struct snapshot *two = reporting_snapshot(&reporting, "two", "debug2");
    const char *text;

    (void)state;
    reporting_add_senders(one, 300);
    reporting_add_receivers(one, 4);
    reporting_add_receivers(two, 50);
    text = reporting_write(&reporting, "text");
    text_has(text, "300 of 354 goroutines (84.75 %), in 1 of 2 dumps\n");
    text_has(text, "     54   15.25 %  chan receive      2  main.drain");
}

static void diagnostics_name_their_place(void **state)
{
    struct diags *diags = &reporting.snapshots->diags;
    const char *text;

    (void)state;
    reporting_add_receivers(reporting_snapshot(&reporting, "x", "debug2"), 2);
    diag_add(diags, DIAG_WARNING, "cut-tail",
             (struct place){.source = "x", .line = 9}, "the dump ends early");
    diag_add(diags, DIAG_INFO, "note", (struct place){0}, "by the way");
    text = reporting_write(&reporting, "text");
    text_has(text, "  warning: x:9: the dump ends early\n"
                   "  1 more (-v shows it)\n");
    reporting_set(&reporting, "verbose", NULL);
    text_has(reporting_write(&reporting, "text"), "  info: by the way\n");
}

/* --- Errors -------------------------------------------------------------- */

static int refuse(void *user, const char *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    (void)size;
    return 1;
}

static void an_unknown_format_is_answered_with_the_known_ones(void **state)
{
    struct cprof_error err = {0};

    (void)state;
    reporting_add_receivers(reporting_snapshot(&reporting, "x", "debug2"), 2);
    reporting_write(&reporting, "text");
    assert_int_equal(
        cprof_report_write(reporting.report, "jsno", refuse, NULL, &err),
        CPROF_EUSAGE);
    text_has(err.message, "no output format 'jsno', did you mean 'json'? "
                          "(there are: text, json, ");
    assert_int_equal(
        cprof_report_write(reporting.report, "pdf", refuse, NULL, &err),
        CPROF_EUSAGE);
    text_has(err.message, "no output format 'pdf' (there are: text, json, ");
}

static void a_receiver_that_stops_ends_the_writing(void **state)
{
    struct cprof_error err = {0};

    (void)state;
    reporting_add_receivers(reporting_snapshot(&reporting, "x", "debug2"), 2);
    reporting_write(&reporting, "text");
    assert_int_equal(
        cprof_report_write(reporting.report, "text", refuse, NULL, &err),
        CPROF_EIO);
}

static void a_bad_hide_expression_names_the_option(void **state)
{
    struct cprof_error err = {0};
    struct cprof_report *report = NULL;

    (void)state;
    reporting_add_receivers(reporting_snapshot(&reporting, "x", "debug2"), 2);
    reporting_set(&reporting, "hide", "(");
    assert_int_equal(
        cprof_report_new(&report, reporting.snapshots, reporting.options, &err),
        CPROF_EUSAGE);
    text_has(err.message, "option --hide '(': ");
    assert_null(report);
}

static void freeing_nothing_is_fine(void **state)
{
    (void)state;
    cprof_report_free(NULL);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(the_first_line_is_the_worst_finding),
        CASE(quiet_findings_take_one_line_below_the_loud_ones),
        CASE(a_calm_dump_says_what_it_cannot_show),
        CASE(a_quiet_verdict_is_not_called_alarming),
        CASE(one_goroutine_is_not_called_goroutines),
        CASE(an_empty_leak_profile_proves_nothing_leaked),
        CASE(states_inferred_from_addresses_say_so),
        CASE(inferred_states_are_marked_among_read_ones),
        CASE(ages_are_told_as_lower_bounds),
        CASE(normal_goroutines_are_set_aside_and_counted),
        CASE(top_cuts_the_list_and_says_so),
        CASE(goroutines_that_did_not_fit_are_counted),
        CASE(filters_say_what_they_keep),
        CASE(runs_of_the_standard_library_are_folded),
        CASE(hidden_frames_are_counted_but_not_shown),
        CASE(a_recursion_is_told_once),
        CASE(each_view_groups_by_its_key),
        CASE(every_snapshot_is_listed),
        CASE(each_stack_says_in_how_many_dumps_it_stands),
        CASE(diagnostics_name_their_place),
        CASE(an_unknown_format_is_answered_with_the_known_ones),
        CASE(a_receiver_that_stops_ends_the_writing),
        CASE(a_bad_hide_expression_names_the_option),
        cmocka_unit_test(freeing_nothing_is_fine),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Metrics for node_exporter: as a whole, and as its parser wants them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "notify/textfile.h"
#include "support/outcomes.h"

#include <cmocka.h>

static const struct undelivered nothing = {NULL, 0};

static struct buf metrics_of(const struct outcome *outcome,
                             const struct undelivered *undelivered)
{
    struct buf text = {0};

    textfile_write(&text, outcome, undelivered);
    assert_false(text.failed);
    return text;
}

static void has(const struct buf *text, const char *line)
{
    if (!strstr(text->ptr, line))
        fail_msg("no '%s' in\n%s", line, text->ptr);
}

static void a_run_gives_these_metrics(void **state)
{
    static const uint32_t masks[N_SAMPLE_ALERTS] = {[SAMPLE_CRITICAL] =
                                                        1u << NOTIFY_SLACK};
    struct undelivered undelivered = {masks, 1u << NOTIFY_SLACK |
                                                 1u << NOTIFY_ALERTMANAGER};
    struct buf text = metrics_of(outcome_sample(), &undelivered);

    (void)state;
    golden_compare("notify/metrics.prom", text.ptr);
    buf_done(&text);
}

/* Of a family the HELP line, the TYPE line and the series stand together, once,
 * and the last line has its end. */
static void families_stand_together(void **state)
{
    struct buf text = metrics_of(outcome_sample(), &nothing);
    struct str rest = buf_str(&text);
    struct str family = {0};

    (void)state;
    assert_true(str_ends(rest, STR("\n")));
    while (rest.len) {
        struct str line = str_head(rest, str_find(rest, '\n'));

        rest = str_skip(rest, line.len + 1);
        if (str_cut_prefix(&line, STR("# HELP "))) {
            family = str_head(line, str_find(line, ' '));
        } else {
            str_cut_prefix(&line, STR("# TYPE "));
            assert_true(str_starts(line, family));
        }
    }
    buf_done(&text);
}

static void a_target_that_failed_has_no_figures(void **state)
{
    struct buf text = metrics_of(outcome_sample(), &nothing);

    (void)state;
    has(&text,
        "cprof_leaks_success{service=\"api\",target=\"api-2:6060\"} 0\n");
    has(&text, "cprof_leaks_last_success_timestamp_seconds{service=\"api\","
               "target=\"api-2:6060\"} 1795251000.000\n");
    assert_null(strstr(text.ptr, "cprof_leaks_goroutines{service=\"api\","
                                 "target=\"api-2:6060\"}"));
    buf_done(&text);
}

static void labels_are_escaped_and_bounded(void **state)
{
    struct buf text = metrics_of(outcome_hostile(), &nothing);
    struct str rest = buf_str(&text);

    (void)state;
    has(&text, "service=\"\\\"q\\\" \\\\ <!channel> <@everyone>");
    has(&text, "\\\\x1b[31mred \\\\u{202e}rtl \\\\u{200b}zero \\\\xff\\\\xfe");
    while (rest.len) {
        struct str line = str_head(rest, str_find(rest, '\n'));

        assert_true(line.len < 4000);
        assert_true(str_starts(line, STR("# ")) ||
                    str_starts(line, STR("cprof_leaks_")));
        rest = str_skip(rest, line.len + 1);
    }
    buf_done(&text);
}

static void a_run_has_a_file_of_its_own(void **state)
{
    struct outcome outcome = *outcome_sample();
    struct buf name = {0};

    (void)state;
    textfile_add_name(&name, &outcome);
    assert_string_equal(name.ptr, "cprof_leaks_api.prom");
    buf_clear(&name);
    outcome.n_targets = 1;
    textfile_add_name(&name, &outcome);
    assert_string_equal(name.ptr, "cprof_leaks_api_api-1_6060.prom");
    buf_clear(&name);
    textfile_add_name(&name, outcome_hostile());
    assert_null(strchr(name.ptr, '/'));
    assert_true(name.len < 255);
    buf_done(&name);
}

static void a_run_without_targets_gives_nothing(void **state)
{
    struct outcome outcome = *outcome_sample();
    struct buf text;

    (void)state;
    outcome.n_targets = 0;
    outcome.n_alerts = 0;
    text = metrics_of(&outcome, &nothing);
    assert_string_equal(text.ptr, "");
    buf_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_gives_these_metrics),
        cmocka_unit_test(families_stand_together),
        cmocka_unit_test(a_target_that_failed_has_no_figures),
        cmocka_unit_test(labels_are_escaped_and_bounded),
        cmocka_unit_test(a_run_has_a_file_of_its_own),
        cmocka_unit_test(a_run_without_targets_gives_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

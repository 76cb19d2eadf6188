/* The end of an alert that a receiver was not told of: remembered for it, and
 * for nobody else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/budget.h"
#include "notify/alerts.h"
#include "notify/delivery.h"
#include "support/outcomes.h"

#include <cmocka.h>

#define HOUR INT64_C(3600000000000)

static struct budget budget;
static struct arena arena;

static int begin(void **state)
{
    (void)state;
    budget_init(&budget, SIZE_MAX);
    arena_init(&arena, &budget);
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_done(&arena);
    return 0;
}

/* An alert that went in the run before, and who still has to be told. */
static struct alert gone(uint32_t unsent)
{
    return (struct alert){.shown = outcome_sample()->alerts[SAMPLE_RESOLVED],
                          .memory = {.is_known = true,
                                     .state = ALERT_RESOLVED,
                                     .status = CHECK_WARNING,
                                     .is_changed = true},
                          .unsent = unsent};
}

/* The alerts of a run that finds nothing, some time after that one. */
static struct alerts later(struct alert *before, int64_t after_ns,
                           bool is_readable)
{
    struct alerts old = {before, 1};
    struct alerts ret = {0};
    struct sightings nothing = {0};
    struct alert_run run = {.needed = 3,
                            .now_ns = before->shown.resolved_ns + after_ns};

    assert_int_equal(alerts_step(&ret, &old, is_readable ? &nothing : NULL,
                                 &run, &arena, NULL),
                     0);
    return ret;
}

static void what_everybody_knows_is_forgotten(void **state)
{
    struct alert before = gone(0);

    (void)state;
    assert_int_equal(later(&before, HOUR, true).n, 0);
    assert_int_equal(later(&before, HOUR, false).n, 0);
}

static void what_somebody_has_to_be_told_stays_for_a_day(void **state)
{
    struct alert before = gone(1u << NOTIFY_PAGERDUTY);

    (void)state;
    for (int readable = 0; readable < 2; readable++) {
        struct alerts alerts = later(&before, 23 * HOUR, readable != 0);

        assert_int_equal(alerts.n, 1);
        assert_int_equal(alerts.items[0].shown.state, ALERT_RESOLVED);
        assert_false(alerts.items[0].shown.is_changed);
        assert_int_equal(alerts.items[0].unsent, before.unsent);
        assert_int_equal(later(&before, 25 * HOUR, readable != 0).n, 0);
    }
}

static void a_plugin_speaks_of_it_once(void **state)
{
    struct plugin_ranges ranges = {0};
    struct outcome outcome = *outcome_sample();
    struct outcome_alert alert = outcome.alerts[SAMPLE_RESOLVED];
    struct buf text = {0};

    (void)state;
    outcome.status = CHECK_OK;
    outcome.alerts = &alert;
    outcome.n_alerts = 1;
    outcome.n_targets = 1;
    plugin_add(&text, &outcome, &ranges, 1);
    assert_non_null(strstr(text.ptr, "; resolved: A lock that many wait for"));
    buf_clear(&text);
    alert.is_changed = false;
    plugin_add(&text, &outcome, &ranges, 1);
    assert_null(strstr(text.ptr, "A lock that many wait for"));
    buf_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_everybody_knows_is_forgotten,
                                        begin, end),
        cmocka_unit_test_setup_teardown(
            what_somebody_has_to_be_told_stays_for_a_day, begin, end),
        cmocka_unit_test(a_plugin_speaks_of_it_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The alerts of a target from one run to the next: alerts.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "notify/alerts.h"

#include <cmocka.h>

static struct budget budget;
static struct arena arena;
static struct alerts alerts;
static int64_t now_ns;
static bool is_partial; /* what the runs look at */
static bool is_young;

static int set_up(void **state)
{
    (void)state;
    budget_init(&budget, 0);
    arena_init(&arena, &budget);
    alerts = (struct alerts){0};
    now_ns = 1000000000;
    is_partial = false;
    is_young = false;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_done(&arena);
    return 0;
}

/* A place that grew to a count. */
static struct sighting grown(const char *function, uint64_t count)
{
    struct str name = str_from(function);

    return (struct sighting){.key = alert_key(STR("rule"), name, &arena),
                             .rule = STR("rule"),
                             .function = name,
                             .severity = CPROF_SEVERITY_HIGH,
                             .grown = CHECK_WARNING,
                             .has_growth = true,
                             .count = count};
}

/* One run; seen is NULL when the target could not be read. */
static void run(const struct sightings *seen)
{
    struct alert_run how = {.needed = 3,
                            .now_ns = now_ns,
                            .goroutines = 200,
                            .is_partial = is_partial,
                            .is_young = is_young};
    struct alerts next;
    struct cprof_error err = {0};

    assert_int_equal(alerts_step(&next, &alerts, seen, &how, &arena, &err), 0);
    alerts = next;
    now_ns += (int64_t)300 * 1000000000;
}

/* Three runs that find a place, so that it fires. */
static void fire(const char *function, uint64_t count)
{
    struct sighting sighting = grown(function, count);
    struct sightings seen = {.items = &sighting, .n_items = 1};

    for (unsigned i = 0; i < 3; i++)
        run(&seen);
    assert_int_equal(alerts.n, 1);
    assert_int_equal(alerts.items[0].shown.state, ALERT_FIRING);
}

static void what_fires_says_when_and_how_often(void **state)
{
    (void)state;
    fire("main.f", 100);
    assert_true(alerts.items[0].shown.is_changed);
    assert_true(alerts.items[0].shown.is_seen);
    assert_int_equal(alerts.items[0].shown.runs_held, 3);
    assert_int_equal(alerts.items[0].shown.runs_needed, 3);
    assert_int_equal(alerts.items[0].shown.first_seen_ns, 1000000000);
    assert_int_equal(alerts.items[0].shown.fired_ns,
                     1000000000 + (int64_t)600 * 1000000000);
}

static void an_unread_target_keeps_its_alerts(void **state)
{
    (void)state;
    fire("main.f", 100);
    for (unsigned i = 0; i < 10; i++)
        run(NULL);
    assert_int_equal(alerts.n, 1);
    assert_int_equal(alerts.items[0].shown.state, ALERT_FIRING);
    assert_false(alerts.items[0].shown.is_seen);
    assert_false(alerts.items[0].shown.is_changed);
}

/* What is missing, or milder, may be in the part that was not read. */
static void a_part_of_a_dump_ends_nothing(void **state)
{
    struct sightings empty = {0};
    struct sighting milder;
    struct sightings seen = {.items = &milder, .n_items = 1};

    (void)state;
    fire("main.f", 100);
    alerts.items[0].memory.status = CHECK_CRITICAL;
    milder = grown("main.f", 5);
    is_partial = true;
    for (unsigned i = 0; i < 10; i++)
        run(i % 2 ? &seen : &empty);
    assert_int_equal(alerts.n, 1);
    assert_int_equal(alerts.items[0].shown.state, ALERT_FIRING);
    assert_int_equal(alerts.items[0].shown.status, CHECK_CRITICAL);
    is_partial = false;
    for (unsigned i = 0; i < 3; i++)
        run(&empty);
    assert_int_equal(alerts.items[0].shown.state, ALERT_RESOLVED);
}

static void a_part_of_a_dump_may_raise_an_alert(void **state)
{
    (void)state;
    is_partial = true;
    fire("main.f", 100);
    assert_true(alerts.items[0].shown.is_changed);
}

/* Runs that find nothing new while so many goroutines are at the place. Returns
 * how many until the alert was resolved, at most 1000. */
static unsigned runs_until_resolved(uint64_t count, bool is_full)
{
    struct sighted_place place = {
        .function = STR("main.f"), .count = count, .is_full = is_full};
    struct sightings seen = {.places = &place, .n_places = 1};

    for (unsigned i = 1; i <= 1000; i++) {
        run(&seen);
        if (alerts.items[0].shown.state == ALERT_RESOLVED)
            return i;
    }
    return 0;
}

/* One run that finds nothing new while so many goroutines are at the place. */
static void run_resting(uint64_t count)
{
    struct sighted_place place = {.function = STR("main.f"), .count = count};
    struct sightings seen = {.places = &place, .n_places = 1};

    run(&seen);
}

static void a_leak_that_rests_is_one_for_a_day(void **state)
{
    unsigned runs;

    (void)state;
    fire("main.f", 100);
    runs = runs_until_resolved(95, false);
    assert_in_range(runs, 288, 292);
}

/* Nobody looked for three days, in which a leak may have gone on. */
static void a_pause_of_the_job_is_no_rest(void **state)
{
    (void)state;
    fire("main.f", 100);
    now_ns += (int64_t)3 * 24 * 3600 * 1000000000;
    for (unsigned i = 0; i < 6; i++)
        run_resting(105);
    assert_int_equal(alerts.items[0].shown.state, ALERT_FIRING);
    assert_in_range(runs_until_resolved(105, false), 278, 284);
}

/* Behind a pause a leak looks like a place that is full, until it is found
 * again. */
static void behind_a_pause_no_place_is_full(void **state)
{
    (void)state;
    fire("main.f", 100);
    now_ns += (int64_t)3 * 24 * 3600 * 1000000000;
    assert_in_range(runs_until_resolved(105, true), 284, 290);
    fire("main.f", 105);
    assert_int_equal(runs_until_resolved(105, true), 3);
}

/* One run of a young process, with so many goroutines at the place. */
static void run_young(uint64_t before, uint64_t count)
{
    struct sighted_place place = {
        .function = STR("main.f"), .count = count, .before = before};
    struct sightings seen = {.places = &place, .n_places = 1};

    is_young = true;
    run(&seen);
    is_young = false;
}

/* Out of memory, started anew, and it leaks again. */
static void a_leak_that_gathers_again_is_not_missed(void **state)
{
    (void)state;
    fire("main.f", 100);
    for (unsigned life = 0; life < 20; life++) {
        run_young(0, 15);
        for (unsigned i = 0; i < 3; i++)
            run_young(5, 15 + 5 * i);
        assert_true(alerts.items[0].shown.is_gathering);
        assert_false(alerts.items[0].shown.is_seen);
        assert_int_equal(alerts.items[0].shown.state, ALERT_FIRING);
    }
    assert_int_equal(alerts.items[0].shown.runs_missed, 0);
    run_resting(95);
    assert_false(alerts.items[0].shown.is_gathering);
}

/* A build without it, or a pool that is as it always was. */
static void what_does_not_gather_is_missed(void **state)
{
    (void)state;
    fire("main.f", 100);
    for (unsigned i = 0; i < 3; i++)
        run_young(0, 0);
    assert_int_equal(alerts.items[0].shown.state, ALERT_RESOLVED);
    alerts = (struct alerts){0};
    fire("main.f", 100);
    run_young(0, 12);
    for (unsigned i = 0; i < 3; i++)
        run_young(12, 12);
    assert_int_equal(alerts.items[0].shown.state, ALERT_RESOLVED);
    /* A few come and go. */
    alerts = (struct alerts){0};
    fire("main.f", 100);
    for (unsigned i = 0; i < 3; i++)
        run_young(0, 4);
    assert_int_equal(alerts.items[0].shown.state, ALERT_RESOLVED);
}

static void it_gathers_for_a_day_at_most(void **state)
{
    unsigned runs = 0;

    (void)state;
    fire("main.f", 100);
    while (alerts.items[0].shown.state == ALERT_FIRING && runs++ < 1000)
        run_young(0, 15);
    assert_in_range(runs, 288, 292);
}

/* Growth that no longer stands out would raise no alert, and holds one up. */
static void growth_that_goes_on_holds_its_alert(void **state)
{
    struct sighting on = grown("main.f", 300);
    struct sighting other = grown("main.f", 300);
    struct sightings seen = {.going_on = &on, .n_going_on = 1};

    (void)state;
    fire("main.f", 100);
    on.grown = CHECK_OK;
    for (unsigned i = 0; i < 400; i++)
        run(&seen);
    assert_int_equal(alerts.n, 1);
    assert_int_equal(alerts.items[0].shown.state, ALERT_FIRING);
    assert_int_equal(alerts.items[0].shown.status, CHECK_WARNING);
    assert_int_equal(alerts.items[0].shown.count, 300);
    assert_false(alerts.items[0].shown.has_now);
    /* Another alert of the same function, by another rule. */
    other.key = alert_key(STR("rule2"), STR("main.f"), &arena);
    seen.going_on = &other;
    for (unsigned i = 0; i < 3; i++)
        run(&seen);
    assert_int_equal(alerts.items[0].shown.state, ALERT_RESOLVED);
}

/* The figures of an alert that rests are those of the run that found it, beside
 * how many there are now; the most that there was is what it stays by. */
static void one_that_rests_says_how_many_there_are(void **state)
{
    const struct outcome_alert *shown;

    (void)state;
    fire("main.f", 100);
    assert_false(alerts.items[0].shown.has_now);
    assert_int_equal(runs_until_resolved(0, false), 3);
    assert_true(alerts.items[0].shown.has_now);
    assert_int_equal(alerts.items[0].shown.now, 0);
    fire("main.f", 100);
    run_resting(130);
    run_resting(120);
    shown = &alerts.items[0].shown;
    assert_int_equal(shown->state, ALERT_FIRING);
    assert_int_equal(shown->count, 100);
    assert_true(shown->has_now);
    assert_int_equal(shown->now, 120);
    assert_int_equal(runs_until_resolved(110, false), 3);
    fire("main.f", 100);
    run(NULL);
    assert_false(alerts.items[0].shown.has_now);
}

static void what_fires_is_not_said_to_be_no_alert(void **state)
{
    struct str remarks[] = {STR("of f"), STR("of g"), STR("of none")};
    struct str remarked[] = {STR("main.f"), STR("main.g"), {0}};
    struct sightings seen = {
        .remarks = remarks, .remarked = remarked, .n_remarks = 3};

    (void)state;
    fire("main.f", 100);
    alerts_hush(&alerts, &seen);
    assert_int_equal(seen.n_remarks, 2);
    assert_true(str_equal(remarks[0], STR("of g")));
    assert_true(str_equal(remarks[1], STR("of none")));
}

static void one_whose_goroutines_went_is_over(void **state)
{
    (void)state;
    fire("main.f", 100);
    assert_int_equal(runs_until_resolved(80, false), 3);
    assert_true(alerts.items[0].shown.resolved_ns > 0);
}

static void so_is_a_pool_that_filled_up(void **state)
{
    (void)state;
    fire("main.f", 100);
    assert_int_equal(runs_until_resolved(100, true), 3);
}

/* One run of others, which do not ask for the instance. */
static void run_elsewhere(int64_t later_s)
{
    struct alerts next;
    struct cprof_error err = {0};

    now_ns += later_s * 1000000000;
    assert_int_equal(alerts_step_away(&next, &alerts, now_ns, &arena, &err), 0);
    alerts = next;
}

static void what_nobody_asks_for_ends_after_a_day(void **state)
{
    unsigned runs = 0;

    (void)state;
    fire("main.f", 100);
    while (alerts.items[0].shown.state == ALERT_FIRING && runs++ < 1000)
        run_elsewhere(300);
    assert_in_range(runs, 288, 292);
    assert_true(alerts.items[0].shown.is_changed);
    assert_int_equal(alerts.items[0].shown.resolved_ns, now_ns);
    assert_false(alerts.items[0].shown.is_seen);
    run_elsewhere(300);
    assert_int_equal(alerts.n, 0);
}

static void what_is_pending_is_forgotten_then(void **state)
{
    struct sighting sighting = grown("main.f", 100);
    struct sightings seen = {.items = &sighting, .n_items = 1};

    (void)state;
    run(&seen);
    for (unsigned i = 0; i < 40; i++)
        run_elsewhere(3600);
    assert_int_equal(alerts.n, 0);
}

/* Two jobs over halves of a service do not end each other's alerts. */
static void runs_of_another_half_end_nothing(void **state)
{
    (void)state;
    fire("main.f", 100);
    for (unsigned i = 0; i < 100; i++) {
        for (unsigned k = 0; k < 20; k++)
            run_elsewhere(3600);
        run(NULL);
    }
    assert_int_equal(alerts.items[0].shown.state, ALERT_FIRING);
}

/* Nobody ran for a week, the other half's job neither. */
static void a_pause_of_all_is_not_being_away(void **state)
{
    (void)state;
    fire("main.f", 100);
    run_elsewhere(150);
    run_elsewhere((int64_t)7 * 24 * 3600);
    run_elsewhere(300);
    assert_int_equal(alerts.items[0].shown.state, ALERT_FIRING);
}

/* A receiver that could not be told is still to be told. */
static void who_was_not_told_of_the_end_is_owed_it(void **state)
{
    (void)state;
    fire("main.f", 100);
    for (unsigned i = 0; i < 26; i++)
        run_elsewhere(3600);
    assert_int_equal(alerts.items[0].shown.state, ALERT_RESOLVED);
    alerts.items[0].unsent = 1;
    run_elsewhere(300);
    assert_int_equal(alerts.n, 1);
    assert_false(alerts.items[0].shown.is_changed);
    run_elsewhere((int64_t)25 * 3600);
    assert_int_equal(alerts.n, 0);
}

static void a_range_comes_and_goes_at_once(void **state)
{
    struct sighting none[N_RANGES];
    struct sightings seen = {.items = none};
    struct sightings empty = {0};
    struct plugin_ranges ranges = {0};
    struct cprof_error err = {0};

    (void)state;
    assert_true(range_parse(STR("10"), &ranges.warning[RANGE_GOROUTINES]));
    assert_true(range_parse(STR("20"), &ranges.critical[RANGE_GOROUTINES]));
    assert_int_equal(sightings_add_ranges(&seen, &ranges, 15, &arena, &err), 0);
    assert_int_equal(seen.n_items, 1);
    run(&seen);
    assert_int_equal(alerts.items[0].shown.status, CHECK_WARNING);
    assert_int_equal(alerts.items[0].shown.state, ALERT_FIRING);
    seen.n_items = 0;
    assert_int_equal(sightings_add_ranges(&seen, &ranges, 25, &arena, &err), 0);
    run(&seen);
    assert_int_equal(alerts.n, 1);
    assert_int_equal(alerts.items[0].shown.status, CHECK_CRITICAL);
    run(&empty);
    assert_int_equal(alerts.items[0].shown.state, ALERT_RESOLVED);
    run(&empty);
    assert_int_equal(alerts.n, 0);
}

/* As the reports have them, whatever their counts; those that were not seen
 * come behind. */
static void alerts_stand_in_the_order_of_the_report(void **state)
{
    struct sighting items[] = {grown("main.circle", 2),
                               grown("main.victim", 40),
                               grown("main.gone", 1000)};
    struct sightings seen = {.items = items, .n_items = 3};

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        seen.n_items = i < 3 ? 3 : 2;
        run(&seen);
        assert_int_equal(alerts.n, 3);
        for (size_t k = 0; k < 3; k++)
            assert_ptr_equal(alerts.items[k].shown.function.ptr,
                             items[k].function.ptr);
    }
    assert_int_equal(alerts.items[2].shown.state, ALERT_FIRING);
    assert_false(alerts.items[2].shown.is_seen);
}

static void keys_tell_rules_and_functions_apart(void **state)
{
    struct str key = alert_key(STR("a"), STR("b"), &arena);

    (void)state;
    assert_int_equal(key.len, 32);
    assert_true(str_equal(key, alert_key(STR("a"), STR("b"), &arena)));
    assert_false(str_equal(key, alert_key(STR("ab"), STR(""), &arena)));
    assert_false(str_equal(key, alert_key(STR("a"), STR("c"), &arena)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_fires_says_when_and_how_often,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_unread_target_keeps_its_alerts,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_part_of_a_dump_ends_nothing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_part_of_a_dump_may_raise_an_alert,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_leak_that_rests_is_one_for_a_day,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_pause_of_the_job_is_no_rest, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(behind_a_pause_no_place_is_full, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_leak_that_gathers_again_is_not_missed,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_does_not_gather_is_missed, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(it_gathers_for_a_day_at_most, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(growth_that_goes_on_holds_its_alert,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_that_rests_says_how_many_there_are,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_fires_is_not_said_to_be_no_alert,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_whose_goroutines_went_is_over,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(so_is_a_pool_that_filled_up, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_nobody_asks_for_ends_after_a_day,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_pending_is_forgotten_then,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(runs_of_another_half_end_nothing,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_pause_of_all_is_not_being_away,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_was_not_told_of_the_end_is_owed_it,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_range_comes_and_goes_at_once, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(alerts_stand_in_the_order_of_the_report,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(keys_tell_rules_and_functions_apart,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

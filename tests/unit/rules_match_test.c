#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include "support/judging.h"

#include <cmocka.h>

/* What every match below is asked about, but for its state. */
static const struct sample sample = {
    .count = 3,
    .state = "sync.Mutex.Lock",
    .frames = {"runtime.gopark|/go/src/runtime/proc.go:1",
               "sync.runtime_SemacquireMutex|/go/src/runtime/sema.go:77",
               "sync.(*Mutex).Lock|/go/src/sync/mutex.go:90",
               "example.com/app.(*Cache).Get|/srv/app/cache.go:10",
               "example.com/app.(*Cache).Warm|/srv/app/cache.go:20",
               "main.serve|/srv/app/main.go:7",
               "runtime.goexit|/go/src/runtime/asm_amd64.s:1"},
    .created_by = "main.start|/srv/app/main.go:3",
    .locked = true,
    .key = "tenant",
    .value = "acme",
};

struct row {
    const char *match;
    bool holds;
    state_id state; /* 0 = that of the sample */
};

static void check(const struct row *row)
{
    struct judging judging;
    struct joined_group *group;
    struct buf rule = {0};

    judging_init(&judging);
    buf_addf(&rule,
             "- id: r\n  title: T\n  match: %s\n"
             "  when: [{severity: low}]\n",
             row->match);
    judging_rules(&judging, rule.ptr);
    buf_done(&rule);
    reporting_add(judging_instance(&judging), &sample);
    judging_analyse(&judging);
    group = analysis_group(judging.analysis, 0);
    if (row->state)
        group->state = row->state - 1;
    judging_judge(&judging);
    if ((findings_count(judging.findings) == 1) != row->holds)
        fail_msg("match: %s", row->match);
    judging_done(&judging);
}

static void check_all(const struct row *cases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        check(&cases[i]);
}

#define CHECK(cases) check_all(cases, sizeof(cases) / sizeof((cases)[0]))

static void leaf_site_and_bottom_look_at_one_frame(void **state)
{
    static const struct row cases[] = {
        {"{leaf: '^sync\\.runtime_SemacquireMutex$'}", true, 0},
        {"{leaf: gopark}", false, 0},
        {"{leaf: Cache}", false, 0},
        {"{leaf: [nothing, Semacquire]}", true, 0},
        {"{site: '\\(\\*Cache\\)\\.Get$'}", true, 0},
        {"{site: Warm}", false, 0},
        {"{bottom: '^main\\.serve$'}", true, 0},
        {"{bottom: goexit}", false, 0},
        {"{bottom: Warm}", false, 0},
    };

    (void)state;
    CHECK(cases);
}

static void any_needs_one_pattern_and_all_needs_every_one(void **state)
{
    static const struct row cases[] = {
        {"{any: Lock}", true, 0},
        {"{any: [nothing, Warm]}", true, 0},
        {"{any: [nothing, nowhere]}", false, 0},
        {"{all: [Warm, Lock, serve]}", true, 0},
        {"{all: [Warm, nothing]}", false, 0},
        {"{file: '/srv/app/'}", true, 0},
        {"{file: '/srv/other/'}", false, 0},
        {"{any: '/srv/app/'}", false, 0},
    };

    (void)state;
    CHECK(cases);
}

static void a_chain_follows_frames_from_the_leaf_down(void **state)
{
    static const struct row cases[] = {
        {"{chain: [Semacquire, 'Mutex\\).Lock', Get]}", true, 0},
        {"{chain: [Semacquire, Get]}", false, 0},
        {"{chain: ['Mutex\\).Lock', Get]}", false, 0},
        {"{chain: [Semacquire]}", true, 0},
        {"{chain: Semacquire}", true, 0},
        {"{chain: [gopark]}", false, 0},
        {"{chain: [Semacquire, '...', Warm, serve]}", true, 0},
        {"{chain: ['...', Get, Warm]}", true, 0},
        {"{chain: ['...', Warm, Get]}", false, 0},
        /* The first Cache is not followed by serve, the second is. */
        {"{chain: ['...', Cache, serve]}", true, 0},
        {"{chain: ['...', Cache, '...', serve]}", true, 0},
        {"{chain: ['...', Cache, '...', Cache, '...', Cache]}", false, 0},
        {"{chain: [Semacquire, '...', '...', Warm, '...']}", true, 0},
        {"{chain: ['...', serve, '...']}", true, 0},
        {"{chain: ['...', serve, serve]}", false, 0},
    };

    (void)state;
    CHECK(cases);
}

static void all_keys_must_hold(void **state)
{
    static const struct row cases[] = {
        {"{leaf: Semacquire, site: Get, created_by: start}", true, 0},
        {"{leaf: Semacquire, site: Get, created_by: other}", false, 0},
        {"{state: sync.Mutex.Lock, site: Get}", true, 0},
        {"{state: sleep, site: Get}", false, 0},
        {"{state: [sleep, sync.Mutex.Lock]}", true, 0},
        {"{}", true, 0},
    };

    (void)state;
    CHECK(cases);
}

static void labels_flags_and_creators_are_looked_at(void **state)
{
    static const struct row cases[] = {
        {"{labels: {tenant: '^acme$'}}", true, 0},
        {"{labels: {tenant: [other, acme]}}", true, 0},
        {"{labels: {tenant: other}}", false, 0},
        {"{labels: {user: acme}}", false, 0},
        {"{labels: {tenant: acme, user: bob}}", false, 0},
        {"{locked: true}", true, 0},
        {"{locked: false}", false, 0},
        {"{leaked: true}", false, 0},
        {"{leaked: false}", true, 0},
        {"{created_by: '^main\\.start$'}", true, 0},
        {"{created_by: '^main\\.serve$'}", false, 0},
    };

    (void)state;
    CHECK(cases);
}

static void nothing_of_not_may_match(void **state)
{
    static const struct row cases[] = {
        {"{site: Get, not: {any: nothing}}", true, 0},
        {"{site: Get, not: {any: Warm}}", false, 0},
        {"{site: Get, not: {any: nothing, leaf: Semacquire}}", false, 0},
        {"{site: Get, not: {state: [sleep, sync.Mutex.Lock]}}", false, 0},
        {"{site: Get, not: {state: sleep}}", true, 0},
        {"{site: Get, not: {locked: true}}", false, 0},
        {"{site: Get, not: {leaked: true}}", true, 0},
        {"{site: Get, not: {labels: {tenant: acme}}}", false, 0},
        {"{site: Get, not: {labels: {tenant: other}}}", true, 0},
        {"{site: Get, not: {all: [Warm, nothing]}}", true, 0},
        {"{site: Get, not: {all: [Warm, serve]}}", false, 0},
        {"{site: Get, not: {chain: [Semacquire]}}", false, 0},
        {"{site: Get, not: {created_by: start}}", false, 0},
    };

    (void)state;
    CHECK(cases);
}

/* The state of a case is one more than its id, because 0 means none. */
#define IN(state) ((state) + 1)

static void a_half_known_state_fails_no_rule_that_knows_names(void **state)
{
    static const struct row cases[] = {
        {"{state: sleep, site: Get}", true, IN(STATE_UNKNOWN)},
        {"{state: sleep}", false, IN(STATE_UNKNOWN)},
        {"{state: sleep, locked: true}", false, IN(STATE_UNKNOWN)},
        {"{state: [sleep, unknown]}", true, IN(STATE_UNKNOWN)},
        {"{site: Get, not: {state: sleep}}", true, IN(STATE_UNKNOWN)},
        {"{state: sleep, site: Get}", true, IN(STATE_WAITING)},
        {"{state: sleep}", false, IN(STATE_WAITING)},
        {"{state: waiting}", true, IN(STATE_WAITING)},
        {"{state: [running, syscall], site: Get}", false, IN(STATE_WAITING)},
        {"{state: chan send, site: Get}", true, IN(STATE_CHAN_OPERATION)},
        {"{state: chan receive, site: Get}", true, IN(STATE_CHAN_OPERATION)},
        {"{state: chan send (nil chan), site: Get}", false,
         IN(STATE_CHAN_OPERATION)},
        {"{state: select, site: Get}", false, IN(STATE_CHAN_OPERATION)},
        {"{state: chan send}", false, IN(STATE_CHAN_OPERATION)},
        {"{state: chan operation}", true, IN(STATE_CHAN_OPERATION)},
    };

    (void)state;
    CHECK(cases);
}

static void a_state_that_no_table_knows_is_none_of_those_listed(void **state)
{
    struct judging judging;
    struct sample newer = sample;

    (void)state;
    newer.state = "glacial wait";
    judging_init(&judging);
    judging_rules(&judging, "- id: listed\n"
                            "  title: T\n"
                            "  match: {state: sleep, site: Get}\n"
                            "  when: [{severity: high}]\n"
                            "- id: named\n"
                            "  title: T\n"
                            "  match: {site: Get}\n"
                            "  explain: '{state}'\n"
                            "  when: [{severity: low}]\n");
    reporting_add(judging_instance(&judging), &newer);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "named low 3\n");
    assert_string_equal(findings_get(judging.findings, 0)->explain.ptr,
                        "glacial wait");
    judging_done(&judging);
}

static void a_state_that_was_let_pass_lowers_confidence(void **state)
{
    struct judging judging;

    (void)state;
    judging_init(&judging);
    judging_rules(&judging, "- id: r\n"
                            "  title: T\n"
                            "  match: {state: sleep, site: Get}\n"
                            "  confidence: high\n"
                            "  when: [{severity: low}]\n");
    reporting_add(judging_instance(&judging), &sample);
    judging_analyse(&judging);
    analysis_group(judging.analysis, 0)->state = STATE_UNKNOWN;
    judging_judge(&judging);
    assert_int_equal(findings_get(judging.findings, 0)->confidence,
                     CONFIDENCE_MEDIUM);
    judging_done(&judging);
}

static void goroutines_without_frames_match_no_name(void **state)
{
    static const struct sample empty = {.count = 3, .state = "sleep"};
    struct judging judging;

    (void)state;
    judging_init(&judging);
    judging_rules(&judging, "- id: named\n"
                            "  title: T\n"
                            "  match:\n"
                            "    leaf: .\n"
                            "    site: .\n"
                            "    bottom: .\n"
                            "  when: [{severity: high}]\n"
                            "- id: chained\n"
                            "  title: T\n"
                            "  match: {chain: ['...', .]}\n"
                            "  when: [{severity: high}]\n"
                            "- id: slept\n"
                            "  title: T\n"
                            "  match: {state: sleep}\n"
                            "  when: [{severity: low}]\n");
    reporting_add(judging_instance(&judging), &empty);
    judging_judge(&judging);
    assert_string_equal(judging_text(&judging), "slept low 3\n");
    judging_done(&judging);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaf_site_and_bottom_look_at_one_frame),
        cmocka_unit_test(any_needs_one_pattern_and_all_needs_every_one),
        cmocka_unit_test(a_chain_follows_frames_from_the_leaf_down),
        cmocka_unit_test(all_keys_must_hold),
        cmocka_unit_test(labels_flags_and_creators_are_looked_at),
        cmocka_unit_test(nothing_of_not_may_match),
        cmocka_unit_test(a_half_known_state_fails_no_rule_that_knows_names),
        cmocka_unit_test(a_state_that_no_table_knows_is_none_of_those_listed),
        cmocka_unit_test(a_state_that_was_let_pass_lowers_confidence),
        cmocka_unit_test(goroutines_without_frames_match_no_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

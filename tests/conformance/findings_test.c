/* What is said of the corpus: healthy programs give nothing of medium or above,
 * and each planted group of 10 or more is named, as loud as one dump allows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"

#include <cmocka.h>

enum { NAMED_FROM = 10, RANK_ANY = 100 };

/* --- Healthy programs --- */

static const char *const healthy[] = {
    "idle_http",      "http_load",       "sleep_ticker",
    "series_diurnal", "series_sawtooth",
};

static bool is_healthy(const struct dump *dump)
{
    for (size_t i = 0; i < LENGTH(healthy); i++) {
        if (strcmp(healthy[i], dump->scenario) == 0)
            return true;
    }
    return false;
}

static void healthy_programs_give_nothing_of_medium_or_above(void **state)
{
    size_t checked = 0;

    (void)state;
    for (size_t i = 0; i < corpus()->count; i++) {
        const struct dump *dump = &corpus()->dumps[i];
        const json_t *findings = get_array(dump->answer.json, "findings");

        if (!is_healthy(dump))
            continue;
        checked++;
        for (size_t j = 0; j < json_array_size(findings); j++) {
            const json_t *finding = json_array_get(findings, j);

            if (severity_rank(get_text(finding, "severity")) >= RANK_MEDIUM)
                fail_msg("%s: %s is %s", dump->name, get_text(finding, "rule"),
                         get_text(finding, "severity"));
        }
        assert_true(severity_rank(get_text(dump->answer.json, "verdict")) <
                    RANK_MEDIUM);
        assert_int_equal(0, dump->answer.status);
    }
    assert_int_equal(94, checked);
}

/* Threads are no goroutines: nothing is judged in their profile. */
static void threads_are_counted_and_not_judged(void **state)
{
    size_t checked = 0;

    (void)state;
    for (size_t i = 0; i < corpus()->count; i++) {
        const struct dump *dump = &corpus()->dumps[i];

        if (dump->is_goroutines)
            continue;
        checked++;
        assert_int_equal(
            0, json_array_size(get_array(dump->answer.json, "findings")));
        assert_int_equal(0, dump->answer.status);
    }
    assert_true(checked >= 10);
}

/* --- Planted groups --- */

/* How loud a wait of 10 to 999 goroutines may be, seen in one dump. A wait that
 * healthy programs show too is at most low; one that they do not keep in such
 * numbers is at least low, and may be more. */
static const struct {
    const char *class;
    int least;
    int most;
} levels[] = {
    {"chan send", RANK_LOW, RANK_ANY},
    {"chan send (nil chan)", RANK_LOW, RANK_ANY},
    {"chan receive (nil chan)", RANK_LOW, RANK_ANY},
    {"mutex", RANK_LOW, RANK_ANY},
    {"rwmutex read", RANK_LOW, RANK_ANY},
    {"rwmutex write", RANK_LOW, RANK_ANY},
    {"waitgroup", RANK_LOW, RANK_ANY},
    {"cond wait", RANK_LOW, RANK_LOW},
    {"select (no cases)", RANK_LOW, RANK_ANY},
    {"chan receive", RANK_INFO, RANK_LOW},
    {"select", RANK_INFO, RANK_LOW},
    {"sleep or select", RANK_INFO, RANK_LOW},
    {"sleep", RANK_INFO, RANK_LOW},
    {"IO wait", RANK_INFO, RANK_LOW},
    {"syscall", RANK_INFO, RANK_LOW},
};

/* Groups whose stack is known, so that more may be said of them. */
static const struct {
    const char *scenario;
    const char *group;
    const char *why;
} known[] = {
    {"sql_pool", "queries waiting for a connection",
     "all stand in database/sql.(*DB).conn: the pool is used up"},
    {"http_client_leak", "callers without timeout",
     "all stand in net/http.(*persistConn).roundTrip"},
};

static bool is_known(const struct dump *dump, const json_t *planted)
{
    for (size_t i = 0; i < LENGTH(known); i++) {
        if (strcmp(known[i].scenario, dump->scenario) == 0 &&
            strcmp(known[i].group, get_text(planted, "name")) == 0)
            return true;
    }
    return false;
}

static size_t level_of(const char *class)
{
    for (size_t i = 0; i < LENGTH(levels); i++) {
        if (strcmp(levels[i].class, class) == 0)
            return i;
    }
    fail_msg("no level for '%s'", class);
    return 0;
}

/* The finding that a group of the answer stands under, or NULL. */
static const json_t *finding_of(const struct dump *dump, const json_t *group)
{
    const json_t *findings = get_array(dump->answer.json, "findings");

    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *finding = json_array_get(findings, i);

        if (has_text(get_array(finding, "group_ids"), get_text(group, "id")))
            return finding;
    }
    return NULL;
}

/* What the runtime has proven, and age, may raise any finding. */
static bool is_raised(const json_t *group)
{
    return number_or(group, "leaked", 0) > 0 ||
           number_or(group, "age_max_s", 0) > 0;
}

static void check_level(const struct dump *dump, const json_t *planted,
                        const json_t *group, const json_t *finding)
{
    size_t level = level_of(get_text(planted, "class"));
    int rank = severity_rank(get_text(finding, "severity"));

    if (rank < levels[level].least ||
        (rank > levels[level].most && !is_known(dump, planted) &&
         !is_raised(group)))
        fail_msg("%s: %s: %s says %s", dump->name, get_text(planted, "name"),
                 get_text(finding, "rule"), get_text(finding, "severity"));
}

/* How many goroutines of the planted group are in that state. */
static long long count_in_state(const struct dump *dump, const json_t *planted,
                                const char *state)
{
    const json_t *groups = get_array(dump->answer.json, "groups");
    long long count = 0;

    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *group = json_array_get(groups, i);

        if (is_planted(dump, group, planted) &&
            strcmp(get_text(group, "state"), state) == 0)
            count += get_number(group, "count");
    }
    return count;
}

/* Of the planted group, all goroutines of which there are so many in one state
 * are under a finding; returns how many these are. */
static long long check_named(const struct dump *dump, const json_t *planted,
                             long long named_from)
{
    const json_t *groups = get_array(dump->answer.json, "groups");
    long long count = 0;

    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *group = json_array_get(groups, i);
        const char *state = get_text(group, "state");
        const json_t *finding = finding_of(dump, group);

        if (!is_planted(dump, group, planted) ||
            count_in_state(dump, planted, state) < named_from)
            continue;
        if (!finding)
            fail_msg("%s: %s: %lld goroutines in '%s' are in no finding",
                     dump->name, get_text(planted, "name"),
                     get_number(group, "count"), state);
        count += get_number(group, "count");
        check_level(dump, planted, group, finding);
    }
    return count;
}

static void planted_groups_of_ten_are_named_as_loud_as_they_may_be(void **state)
{
    size_t named = 0;

    (void)state;
    for (size_t i = 0; i < corpus()->count; i++) {
        const struct dump *dump = &corpus()->dumps[i];
        const json_t *planted = dump_planted(dump);

        if (!dump->is_goroutines)
            continue;
        for (size_t j = 0; j < json_array_size(planted); j++)
            named +=
                check_named(dump, json_array_get(planted, j), NAMED_FROM) > 0;
    }
    assert_true(named > 250);
}

/* The seed of the project, built anew: a channel used as a semaphore. */
static void a_semaphore_of_five_thousand_is_critical(void **state)
{
    static const char *const names[] = {
        "backend_semaphore_5000/1.24/big.debug1.txt",
        "backend_semaphore_5000/1.24/big.debug2.txt",
        "backend_semaphore_5000/1.27/big.debug1.txt",
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(names); i++) {
        const struct dump *dump = corpus_dump(names[i]);
        const json_t *first =
            json_array_get(get_array(dump->answer.json, "findings"), 0);
        const json_t *site = get_object(first, "site");

        assert_string_equal("critical", get_text(first, "severity"));
        assert_int_equal(5000, get_number(first, "count"));
        assert_string_equal("main.(*httpBackend).Do",
                            get_text(site, "function"));
        assert_int_equal(21, get_number(site, "line"));
        assert_int_equal(1, dump->answer.status);
    }
}

/* A finding's count is that of its groups, and no group is under two. */
static void findings_share_the_groups_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < corpus()->count; i++) {
        const struct dump *dump = &corpus()->dumps[i];
        const json_t *groups = get_array(dump->answer.json, "groups");
        const json_t *findings = get_array(dump->answer.json, "findings");
        long long in_groups = 0;
        size_t ids = 0;

        for (size_t j = 0; j < json_array_size(groups); j++) {
            if (finding_of(dump, json_array_get(groups, j)))
                in_groups += get_number(json_array_get(groups, j), "count");
        }
        for (size_t j = 0; j < json_array_size(findings); j++)
            ids += json_array_size(
                get_array(json_array_get(findings, j), "group_ids"));
        assert_int_equal(in_groups, sum_of(findings, "count"));
        assert_true(ids <= json_array_size(groups));
    }
}

/* The finalizer goroutine is one for the whole process: one that is stuck stops
 * every finalizer (runtime/mfinal.go). Before Go 1.25 a debug=2 text hides the
 * one frame that tells it from any other goroutine. */
static void one_stuck_finalizer_is_enough(void **state)
{
    size_t checked = 0;

    (void)state;
    for (size_t i = 0; i < corpus()->count; i++) {
        const struct dump *dump = &corpus()->dumps[i];
        const json_t *planted = dump_planted(dump);

        if (strcmp(dump->scenario, "finalizer_gc") != 0 ||
            (dump->is_leak && dump->is_debug1) ||
            (!dump->is_debug1 && strcmp(dump->version, "1.25") < 0))
            continue;
        assert_int_equal(1, check_named(dump, json_array_get(planted, 0), 1));
        checked++;
    }
    assert_int_equal(7, checked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(healthy_programs_give_nothing_of_medium_or_above),
        cmocka_unit_test(threads_are_counted_and_not_judged),
        cmocka_unit_test(
            planted_groups_of_ten_are_named_as_loud_as_they_may_be),
        cmocka_unit_test(a_semaphore_of_five_thousand_is_critical),
        cmocka_unit_test(findings_share_the_groups_out),
        cmocka_unit_test(one_stuck_finalizer_is_enough),
    };

    return cmocka_run_group_tests(tests, corpus_setup, corpus_teardown);
}

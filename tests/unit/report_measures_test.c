/* Two profiles that measure something are compared: heap, block, mutex
 * (measures.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/measures.h"
#include "support/reading.h"
#include "support/reporting.h"

#include <cmocka.h>

struct fixture {
    struct reading reading;
    struct cprof_report *report;
    struct buf out;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));

    assert_non_null(fixture);
    reading_init(&fixture->reading);
    cprof_snapshots_compare(fixture->reading.snapshots);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    cprof_report_free(fixture->report);
    reading_done(&fixture->reading);
    buf_done(&fixture->out);
    free(fixture);
    return 0;
}

/* Compares profiles and gives the table of the first. */
static const struct measures *compare(struct fixture *fixture,
                                      const char *const *texts, size_t n)
{
    struct cprof_error err = {0};

    for (size_t i = 0; i < n; i++)
        assert_int_equal(reading_add(&fixture->reading, texts[i]), 0);
    if (cprof_report_new(&fixture->report, fixture->reading.snapshots,
                         fixture->reading.options, &err) < 0)
        fail_msg("%s", err.message);
    assert_true(report_n_measures(fixture->report) > 0);
    return report_measures(fixture->report, 0);
}

/* The rows by function, "FUNCTION FLAT CUM", and behind a line "--" those by
 * site, "FUNCTION VALUE = AFTER - BEFORE". */
static const char *table(struct fixture *fixture,
                         const struct measures *measures)
{
    buf_clear(&fixture->out);
    for (size_t i = 0; i < measures->n_rows; i++) {
        const struct measure_row *row = &measures->rows[i];

        buf_addf(&fixture->out, STR_FORMAT " %lld %lld\n",
                 STR_ARG(row->function), (long long)row->flat,
                 (long long)row->cum);
    }
    buf_add(&fixture->out, STR("--\n"));
    for (size_t i = 0; i < measures->n_sites; i++) {
        const struct measure_site *site = &measures->sites[i];

        buf_addf(&fixture->out, STR_FORMAT " %lld = %lld - %lld\n",
                 STR_ARG(site->place.function), (long long)site->value,
                 (long long)site->after, (long long)site->before);
    }
    return fixture->out.ptr;
}

#define F "#\t0x1000\tmain.f+0x1\t/src/m.go:11\n"
#define G "#\t0x2000\tmain.g+0x1\t/src/m.go:22\n"
#define H "#\t0x3000\tmain.h+0x1\t/src/m.go:33\n"

static const char heap_before[] =
    "heap profile: 3: 3000 [3: 3000] @ heap/2\n"
    "2: 2000 [2: 2000] @ 0x1001\n" F "1: 1000 [1: 1000] @ 0x2001\n" G;
static const char heap_after[] =
    "heap profile: 6: 5200 [9: 8200] @ heap/2\n"
    "1: 500 [3: 2500] @ 0x1001\n" F "4: 4000 [5: 5000] @ 0x2001\n" G
    "1: 700 [1: 700] @ 0x3001\n" H;

static void heaps_are_compared_by_what_is_in_use(void **state)
{
    static const char *const texts[] = {heap_before, heap_after};
    const struct measures *measures = compare(*state, texts, 2);

    assert_true(measures->is_comparison);
    assert_true(str_equal(measures->type.name, STR("inuse_space")));
    assert_string_equal(table(*state, measures), "main.g 3000 3000\n"
                                                 "main.f -1500 -1500\n"
                                                 "main.h 700 700\n"
                                                 "--\n"
                                                 "main.g 3000 = 4000 - 1000\n"
                                                 "main.f -1500 = 500 - 2000\n"
                                                 "main.h 700 = 700 - 0\n");
}

static void turned_around_every_sign_turns(void **state)
{
    static const char *const texts[] = {heap_after, heap_before};

    assert_string_equal(table(*state, compare(*state, texts, 2)),
                        "main.g -3000 -3000\n"
                        "main.f 1500 1500\n"
                        "main.h -700 -700\n"
                        "--\n"
                        "main.g -3000 = 1000 - 4000\n"
                        "main.f 1500 = 2000 - 500\n"
                        "main.h -700 = 0 - 700\n");
}

static void the_same_twice_is_no_difference(void **state)
{
    static const char *const texts[] = {heap_after, heap_after};
    const struct measures *measures = compare(*state, texts, 2);

    assert_int_equal(measures->n_rows, 0);
    assert_int_equal(measures->n_sites, 0);
}

static void of_several_the_first_and_the_last_count(void **state)
{
    static const char *const texts[] = {heap_before, heap_after, heap_before,
                                        heap_after};

    text_has(table(*state, compare(*state, texts, 4)), "main.g 3000 3000\n");
}

#define IDLE                                                                   \
 "#\t0x4000\tnet/http.(*persistConn).writeLoop+0x1\t/usr/lib/go/src/net/"      \
 "http/transport.go:2382\n"

static const char with_a_library[] =
    "heap profile: 6: 9700 [6: 9700] @ heap/2\n"
    "3: 9000 [3: 9000] @ 0x4001\n" IDLE "1: 500 [1: 500] @ 0x1001\n" F
    "2: 200 [2: 200] @ 0x2001\n" G;

static void own_code_comes_before_the_standard_library(void **state)
{
    static const char *const texts[] = {
        "heap profile: 1: 100 [1: 100] @ heap/2\n1: 100 [1: 100] @ 0x1001\n" F,
        with_a_library};
    const struct measures *measures = compare(*state, texts, 2);

    text_has(table(*state, measures),
             "--\n"
             "main.f 400 = 500 - 100\n"
             "main.g 200 = 200 - 0\n"
             "net/http.(*persistConn).writeLoop 9000 = 9000 - 0\n");
    assert_int_equal(measures->n_own, 2);
    assert_int_equal(measures->library.value, 9000);
    assert_int_equal(measures->library.count, 3);
}

static void values_far_apart_stay_readable(void **state)
{
    struct unit hours = unit_choose(STR("nanoseconds"), 3845, 436581950000000);
    struct unit seconds = unit_choose(STR("nanoseconds"), 190, 1310000000);

    (void)state;
    assert_string_equal(hours.text, "s");
    assert_string_equal(seconds.text, "us");
}

static void another_type_may_be_asked_for(void **state)
{
    static const char *const texts[] = {heap_before, heap_after};
    struct fixture *fixture = *state;

    assert_int_equal(cprof_options_set(fixture->reading.options, "sample-type",
                                       "alloc_objects", NULL),
                     0);
    assert_string_equal(table(*state, compare(*state, texts, 2)),
                        "main.g 4 4\n"
                        "main.f 1 1\n"
                        "main.h 1 1\n"
                        "--\n"
                        "main.g 4 = 5 - 1\n"
                        "main.f 1 = 3 - 2\n"
                        "main.h 1 = 1 - 0\n");
}

#define LOCK "#\t0x9000\tsync.(*Mutex).Unlock+0x1\t/usr/mutex.go:8\n"

/* The leaf is the runtime's, the site the user's. */
static void contentions_are_compared_by_delay(void **state)
{
    static const char *const heads[] = {"mutex", "contention"};

    for (size_t i = 0; i < 2; i++) {
        char before[256];
        char after[512];
        const char *const texts[] = {before, after};

        snprintf(before, sizeof(before),
                 "--- %s:\ncycles/second=1000000000\n%s"
                 "500 3 @ 0x9001 0x1001\n" LOCK F "\n",
                 heads[i], i ? "" : "sampling period=1\n");
        snprintf(after, sizeof(after),
                 "--- %s:\ncycles/second=1000000000\n%s"
                 "900 5 @ 0x9001 0x1001\n" LOCK F "\n"
                 "80 2 @ 0x9001 0x2001\n" LOCK G "\n",
                 heads[i], i ? "" : "sampling period=1\n");
        assert_string_equal(table(*state, compare(*state, texts, 2)),
                            "sync.(*Mutex).Unlock 480 480\n"
                            "main.f 0 400\n"
                            "main.g 0 80\n"
                            "--\n"
                            "main.f 400 = 900 - 500\n"
                            "main.g 80 = 80 - 0\n");
        tear_down(state);
        set_up(state);
    }
}

static void a_memory_profile_gives_no_verdict(void **state)
{
    static const char *const texts[] = {heap_before, heap_after};

    compare(*state, texts, 2);
    assert_int_equal(cprof_report_verdict(((struct fixture *)*state)->report),
                     CPROF_SEVERITY_OK);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(heaps_are_compared_by_what_is_in_use),
        TEST(turned_around_every_sign_turns),
        TEST(the_same_twice_is_no_difference),
        TEST(of_several_the_first_and_the_last_count),
        TEST(own_code_comes_before_the_standard_library),
        TEST(values_far_apart_stay_readable),
        TEST(another_type_may_be_asked_for),
        TEST(contentions_are_compared_by_delay),
        TEST(a_memory_profile_gives_no_verdict),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

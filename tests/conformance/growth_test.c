/* diff over the series of the corpus: what leaked on purpose is named first and
 * with its rate, what only moved is not, in every format and mixed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#include <cmocka.h>

enum { MOMENTS_MOST = 12, N_FORMATS = 4 };

static const char *const names[] = {"debug0.pb.gz", "debug1.txt", "debug2.txt"};

/* A series, and moments of it in a format; format 3 takes turns. */
struct series {
    const char *scenario;
    const char *version;
    unsigned format;
    size_t n;
};

static struct answer answer;

static int tear_down(void **state)
{
    (void)state;
    answer_done(&answer);
    answer = (struct answer){0};
    return 0;
}

static json_t *load_truth(const char *scenario)
{
    json_error_t error;
    json_t *truth =
        json_load_file(fixture("corpus/%s/truth.json", scenario), 0, &error);

    if (!truth)
        fail_msg("%s: %s", scenario, error.text);
    return truth;
}

/* The interval of a series in seconds, and the counts of a planted group. */
static unsigned read_truth(const struct series *series, const char *group,
                           double counts[MOMENTS_MOST])
{
    json_t *truth = load_truth(series->scenario);
    const json_t *version =
        get_object(get_object(truth, "versions"), series->version);
    const json_t *moments = get_array(version, "snapshots");
    unsigned interval = (unsigned)get_number(version, "interval_s");

    for (size_t i = 0; group && i < series->n; i++)
        counts[i] = (double)get_number(
            get_object(json_array_get(moments, i), "after"), group);
    json_decref(truth);
    return interval;
}

/* Copies the path of a moment's dump. */
static void path_of(const struct series *series, size_t moment, char path[512])
{
    unsigned format =
        series->format < 3 ? series->format : (unsigned)moment % 3;

    snprintf(path, 512, "%s",
             fixture("corpus/%s/%s/snap%02zu.%s", series->scenario,
                     series->version, moment, names[format]));
}

/* Compares the moments of a series. */
static const json_t *compare(const struct series *series)
{
    static char paths[MOMENTS_MOST][512];
    char interval[32];
    const char *arguments[MOMENTS_MOST + 8] = {"diff", "-o", "json",
                                               "--interval", interval};

    answer_done(&answer);
    snprintf(interval, sizeof(interval), "%us", read_truth(series, NULL, NULL));
    for (size_t i = 0; i < series->n; i++) {
        path_of(series, i, paths[i]);
        arguments[5 + i] = paths[i];
    }
    answer = run(NULL, arguments);
    assert_non_null(answer.json);
    return answer.json;
}

/* The change at a function, NULL when it has none. */
static const json_t *change_at(const json_t *json, const char *function)
{
    const json_t *changes = get_array(json, "changes");

    for (size_t i = 0; i < json_array_size(changes); i++) {
        const json_t *change = json_array_get(changes, i);
        const json_t *site = json_object_get(change, "site");

        if (json_is_object(site) &&
            strcmp(get_text(site, "function"), function) == 0)
            return change;
    }
    return NULL;
}

static const json_t *finding_at(const json_t *json, const char *function)
{
    const json_t *findings = get_array(json, "findings");

    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *finding = json_array_get(findings, i);
        const json_t *site = json_object_get(finding, "site");

        if (json_is_object(site) &&
            strcmp(get_text(site, "function"), function) == 0)
            return finding;
    }
    return NULL;
}

static const json_t *find(const struct series *series, const char *function)
{
    const json_t *finding = finding_at(answer.json, function);

    if (!finding)
        fail_msg("%s %s, format %u, %zu moments: no finding at %s",
                 series->scenario, series->version, series->format, series->n,
                 function);
    return finding;
}

static double figure(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    assert_true(json_is_number(value));
    return json_number_value(value);
}

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;

    return (left > right) - (left < right);
}

/* The slope of Theil and Sen, an hour. */
static double slope_of(const double *counts, size_t n, unsigned interval)
{
    double slopes[MOMENTS_MOST * MOMENTS_MOST];
    size_t pairs = 0;

    for (size_t i = 0; i < n; i++) {
        for (size_t k = i + 1; k < n; k++)
            slopes[pairs++] =
                (counts[k] - counts[i]) * 3600 / ((double)(k - i) * interval);
    }
    qsort(slopes, pairs, sizeof(*slopes), compare_doubles);
    return (slopes[(pairs - 1) / 2] + slopes[pairs / 2]) / 2;
}

/* --- What leaks --- */

static void expect_leak(const struct series *series)
{
    static const char function[] = "main.(*auditor).record";
    double counts[MOMENTS_MOST];
    unsigned interval = read_truth(series, "audit writers", counts);
    double slope = slope_of(counts, series->n, interval);
    const json_t *growth;
    double rate;

    compare(series);
    assert_int_equal(answer.status, 1);
    assert_ptr_equal(find(series, function),
                     json_array_get(get_array(answer.json, "findings"), 0));
    assert_ptr_equal(change_at(answer.json, function),
                     json_array_get(get_array(answer.json, "changes"), 0));
    assert_true(severity_rank(get_text(find(series, function), "severity")) >
                RANK_MEDIUM);
    growth = get_object(find(series, function), "growth");
    assert_string_equal(get_text(growth, "verdict"), "growing");
    assert_true(json_is_true(json_object_get(growth, "leak_like")));
    rate = figure(growth, "per_hour");
    if (rate < slope * 0.9 || rate > slope * 1.1)
        fail_msg("%s %s, format %u, %zu moments: %f an hour, not %f",
                 series->scenario, series->version, series->format, series->n,
                 rate, slope);
}

static void the_leak_is_first_with_its_rate_in_every_format(void **state)
{
    static const char *const versions[] = {"1.24", "1.27"};

    (void)state;
    for (unsigned v = 0; v < 2; v++) {
        for (unsigned format = 0; format < N_FORMATS; format++) {
            for (size_t n = 5; n <= 8; n++)
                expect_leak(
                    &(struct series){"series_leak", versions[v], format, n});
        }
    }
}

static void goroutine_ids_show_that_they_stay(void **state)
{
    struct series series = {"series_leak", "1.27", 2, 8};

    (void)state;
    compare(&series);
    assert_float_equal(
        figure(get_object(find(&series, "main.(*auditor).record"), "growth"),
               "survivors"),
        1, 0);
    assert_string_equal(
        get_text(find(&series, "main.(*auditor).record"), "confidence"),
        "high");
}

/* --- What moves --- */

static void controls_give_nothing_above_low(void **state)
{
    static const struct {
        const char *scenario;
        const char *version;
    } controls[] = {
        {"series_diurnal", "1.21"},
        {"series_diurnal", "1.27"},
        {"series_sawtooth", "1.23"},
        {"series_sawtooth", "1.26"},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(controls); i++) {
        for (unsigned format = 0; format < N_FORMATS; format++) {
            for (size_t n = 2; n <= 8; n++) {
                struct series series = {controls[i].scenario,
                                        controls[i].version, format, n};

                compare(&series);
                if (answer.status != 0 ||
                    severity_rank(get_text(answer.json, "verdict")) > RANK_LOW)
                    fail_msg("%s %s, format %u, %zu moments: %s",
                             series.scenario, series.version, format, n,
                             get_text(answer.json, "verdict"));
            }
        }
    }
}

/* --- Leaks that do not grow, or hardly --- */

static void expect_flat_and_slow(const struct series *series)
{
    static const char flat[] = "main.(*topic).publish";
    static const char slow[] = "main.(*batch).finish";
    static const char traffic[] = "main.(*session).loop";
    const json_t *sessions;
    int severity;

    compare(series);
    assert_true(severity_rank(get_text(find(series, flat), "severity")) >=
                RANK_MEDIUM);
    assert_string_equal(
        get_text(get_object(find(series, flat), "growth"), "verdict"), "stuck");
    assert_true(severity_rank(get_text(find(series, slow), "severity")) >=
                RANK_MEDIUM);
    assert_string_equal(
        get_text(get_object(find(series, slow), "growth"), "verdict"),
        "growing");
    sessions = find(series, traffic);
    severity = severity_rank(get_text(sessions, "severity"));
    assert_string_equal(get_text(sessions, "confidence"), "low");
    if (series->format == 2) {
        assert_true(severity <= RANK_LOW);
        assert_true(figure(get_object(sessions, "growth"), "survivors") < 0.1);
    } else {
        assert_true(severity <= RANK_MEDIUM);
        assert_non_null(strstr(
            json_string_value(json_array_get(get_array(sessions, "decide"), 0)),
            "debug=2"));
    }
}

static void flat_and_slow_leaks_are_named_beside_traffic(void **state)
{
    static const char *const versions[] = {"1.24", "1.27"};

    (void)state;
    for (unsigned v = 0; v < 2; v++) {
        for (unsigned format = 0; format < 3; format++)
            expect_flat_and_slow(
                &(struct series){"series_flat_slow", versions[v], format, 12});
    }
}

/* --- One and the same --- */

static void mixed_formats_give_the_verdicts_of_pure_ones(void **state)
{
    static const char *const functions[] = {"main.(*auditor).record",
                                            "main.idleWorker"};

    (void)state;
    for (size_t n = 5; n <= 8; n++) {
        for (size_t f = 0; f < LENGTH(functions); f++) {
            char *verdicts[N_FORMATS];

            for (unsigned format = 0; format < N_FORMATS; format++) {
                compare(&(struct series){"series_leak", "1.24", format, n});
                verdicts[format] = strdup(
                    get_text(change_at(answer.json, functions[f]), "verdict"));
            }
            for (unsigned format = 1; format < N_FORMATS; format++)
                assert_string_equal(verdicts[format], verdicts[0]);
            for (unsigned format = 0; format < N_FORMATS; format++)
                free(verdicts[format]);
        }
    }
}

/* Two paths compared, or three. */
static const json_t *compare_paths(const char *a, const char *b, const char *c)
{
    const char *arguments[] = {"diff", "-o", "json", "--interval", "25s",
                               a,      b,    c,      NULL};

    answer_done(&answer);
    answer = run(NULL, arguments);
    assert_non_null(answer.json);
    return answer.json;
}

static void a_snapshot_and_itself_differ_in_nothing(void **state)
{
    (void)state;
    for (unsigned format = 0; format < 3; format++) {
        char path[512];
        const json_t *changes;

        path_of(&(struct series){"series_leak", "1.27", format, 1}, 7, path);
        changes = get_array(compare_paths(path, path, NULL), "changes");
        assert_int_equal(answer.status, 0);
        assert_string_equal(get_text(answer.json, "verdict"), "ok");
        assert_true(json_array_size(changes) > 3);
        for (size_t i = 0; i < json_array_size(changes); i++) {
            const json_t *change = json_array_get(changes, i);

            assert_string_equal(get_text(change, "verdict"), "stable");
            assert_int_equal(get_number(change, "delta"), 0);
        }
    }
}

static const char *mirrored(const char *verdict)
{
    return strcmp(verdict, "new") == 0      ? "gone"
           : strcmp(verdict, "gone") == 0   ? "new"
           : strcmp(verdict, "grew") == 0   ? "shrank"
           : strcmp(verdict, "shrank") == 0 ? "grew"
                                            : verdict;
}

static bool is_mirror(const json_t *one, const json_t *two)
{
    return json_equal(json_object_get(one, "site"),
                      json_object_get(two, "site")) &&
           strcmp(get_text(one, "state"), get_text(two, "state")) == 0 &&
           get_number(one, "delta") == -get_number(two, "delta") &&
           get_number(one, "before") == get_number(two, "after") &&
           strcmp(mirrored(get_text(one, "verdict")),
                  get_text(two, "verdict")) == 0;
}

static void backwards_is_the_mirror_of_forwards(void **state)
{
    static const char *const scenarios[][2] = {{"series_leak", "1.24"},
                                               {"series_diurnal", "1.27"},
                                               {"series_flat_slow", "1.24"}};

    (void)state;
    for (size_t s = 0; s < LENGTH(scenarios) * 3; s++) {
        struct series series = {scenarios[s / 3][0], scenarios[s / 3][1],
                                (unsigned)(s % 3), 2};
        char paths[2][512];
        json_t *there;
        const json_t *back;

        path_of(&series, 1, paths[0]);
        path_of(&series, 6, paths[1]);
        there = json_deep_copy(
            get_array(compare_paths(paths[0], paths[1], NULL), "changes"));
        back = get_array(compare_paths(paths[1], paths[0], NULL), "changes");
        assert_int_equal(json_array_size(there), json_array_size(back));
        for (size_t i = 0; i < json_array_size(there); i++) {
            bool found = false;

            for (size_t k = 0; k < json_array_size(back) && !found; k++)
                found = is_mirror(json_array_get(there, i),
                                  json_array_get(back, k));
            if (!found)
                fail_msg("%s: no mirror of %s", series.scenario,
                         json_dumps(json_array_get(there, i), 0));
        }
        json_decref(there);
    }
}

/* A verdict that was reached stays while the leak goes on, and what changed
 * keeps its order. */
static void more_snapshots_take_nothing_back(void **state)
{
    (void)state;
    for (unsigned format = 0; format < N_FORMATS; format++) {
        for (size_t n = 5; n <= 12; n++) {
            struct series series = {"series_flat_slow", "1.24", format, n};

            compare(&series);
            assert_string_equal(
                get_text(get_object(find(&series, "main.(*topic).publish"),
                                    "growth"),
                         "verdict"),
                "stuck");
        }
    }
}

/* --- Snapshots that are odd --- */

/* Whether some diagnostic has that code. */
static bool has_code(const json_t *json, const char *code)
{
    const json_t *diagnostics = get_array(json, "diagnostics");

    for (size_t i = 0; i < json_array_size(diagnostics); i++) {
        if (strcmp(get_text(json_array_get(diagnostics, i), "code"), code) == 0)
            return true;
    }
    return false;
}

/* Writes a part of a fixture into a file of its own. */
static void write_part(const char *path, const char *from, size_t part)
{
    size_t len;
    char *text = read_file(from, &len);
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fwrite(text, 1, part < 100 ? len * part / 100 : len, file);
    assert_int_equal(fclose(file), 0);
    free(text);
}

static void a_snapshot_with_a_cut_tail_is_left_out(void **state)
{
    static const char cut[] = "/tmp/growth_test.cut.txt";
    char paths[2][512];

    (void)state;
    for (unsigned format = 1; format < 3; format++) {
        struct series series = {"series_leak", "1.24", format, 2};

        path_of(&series, 0, paths[0]);
        path_of(&series, 7, paths[1]);
        write_part(cut, paths[1], 57);
        compare_paths(paths[0], paths[1], cut);
        assert_true(has_code(answer.json, "left-out"));
        assert_string_equal(
            get_text(change_at(answer.json, "main.(*auditor).record"),
                     "verdict"),
            "grew");
        remove(cut);
    }
}

static void an_empty_snapshot_is_left_out(void **state)
{
    static const char empty[] = "/tmp/growth_test.empty.txt";
    struct series series = {"series_leak", "1.24", 1, 2};
    char paths[2][512];
    FILE *file = fopen(empty, "w");

    (void)state;
    assert_non_null(file);
    fputs("goroutine profile: total 0\n", file);
    assert_int_equal(fclose(file), 0);
    path_of(&series, 0, paths[0]);
    path_of(&series, 7, paths[1]);
    compare_paths(paths[0], empty, paths[1]);
    assert_true(has_code(answer.json, "left-out"));
    assert_string_equal(
        get_text(change_at(answer.json, "main.(*auditor).record"), "verdict"),
        "grew");
    remove(empty);
}

/* Go 1.24 yesterday, another build with Go 1.27 today. */
static void another_process_is_a_restart(void **state)
{
    char paths[3][512];

    (void)state;
    for (unsigned format = 1; format < 3; format++) {
        path_of(&(struct series){"series_leak", "1.24", format, 1}, 7,
                paths[0]);
        path_of(&(struct series){"series_leak", "1.27", format, 1}, 0,
                paths[1]);
        path_of(&(struct series){"series_leak", "1.27", format, 1}, 7,
                paths[2]);
        compare_paths(paths[0], paths[1], paths[2]);
        assert_true(has_code(answer.json, "restart"));
        assert_string_equal(
            get_text(change_at(answer.json, "main.(*auditor).record"),
                     "verdict"),
            "grew");
    }
}

static void times_that_run_backwards_are_said(void **state)
{
    char paths[2][512];
    const char *arguments[] = {"diff",
                               "-o",
                               "json",
                               "--times",
                               "2026-11-21T06:00:00Z,2026-11-21T05:00:00Z",
                               paths[0],
                               paths[1],
                               NULL};
    struct series series = {"series_leak", "1.24", 2, 2};

    (void)state;
    path_of(&series, 0, paths[0]);
    path_of(&series, 7, paths[1]);
    answer = run(NULL, arguments);
    assert_non_null(answer.json);
    assert_true(has_code(answer.json, "time-order"));
    assert_string_equal(
        get_text(change_at(answer.json, "main.(*auditor).record"), "verdict"),
        "grew");
}

/* Every beginning of a series and every order of three of its snapshots gets an
 * answer. */
static void no_order_of_snapshots_is_without_an_answer(void **state)
{
    (void)state;
    for (size_t i = 0; i < 27; i++) {
        char paths[3][512];
        struct series series = {"series_diurnal", "1.21", 3, 8};

        path_of(&series, i % 3 * 2, paths[0]);
        path_of(&series, i / 3 % 3 * 3, paths[1]);
        path_of(&series, i / 9 * 3 + 1, paths[2]);
        compare_paths(paths[0], paths[1], paths[2]);
        assert_true(json_array_size(get_array(answer.json, "changes")) > 3);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(the_leak_is_first_with_its_rate_in_every_format),
        TEST(goroutine_ids_show_that_they_stay),
        TEST(controls_give_nothing_above_low),
        TEST(flat_and_slow_leaks_are_named_beside_traffic),
        TEST(mixed_formats_give_the_verdicts_of_pure_ones),
        TEST(a_snapshot_and_itself_differ_in_nothing),
        TEST(backwards_is_the_mirror_of_forwards),
        TEST(more_snapshots_take_nothing_back),
        TEST(a_snapshot_with_a_cut_tail_is_left_out),
        TEST(an_empty_snapshot_is_left_out),
        TEST(another_process_is_a_restart),
        TEST(times_that_run_backwards_are_said),
        TEST(no_order_of_snapshots_is_without_an_answer),
    };

    return cmocka_run_group_tests_name("growth", tests, NULL, NULL);
}

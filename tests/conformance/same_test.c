/* What must not change an answer, and what may change it only so far. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#include <cmocka.h>

/* Dumps of both formats, old and new, with labels, locks, cut stacks. */
static const char *const names[] = {
    "seed.debug1.txt",
    "corpus/everything/1.15/everything.debug1.txt",
    "corpus/everything/1.27/everything.debug1.txt",
    "corpus/everything/1.15-ancestors/everything.debug2.txt",
    "corpus/everything/1.27/everything.debug2.txt",
    "corpus/labels/1.27/labels.debug1.txt",
    "corpus/labels/1.27/labels.debug2.txt",
    "corpus/mutex_contention/1.19/mutex_contention.debug1.txt",
    "corpus/sql_pool/1.27/sql_pool.debug2.txt",
    "corpus/winpaths/1.27/win.debug2.txt",
    "corpus/worker_pipeline/1.25/worker_pipeline.debug2.txt",
};

static struct {
    char *bytes;
    size_t len;
    struct answer answer; /* of the file */
} dumps[LENGTH(names)];

/* --- Comparing answers --- */

/* Empties the member "source" wherever it is, as it names the input. */
static void strip_source(json_t *value)
{
    const char *key;
    json_t *member;
    size_t i;

    json_array_foreach(value, i, member)
    {
        strip_source(member);
    }
    json_object_foreach(value, key, member)
    {
        if (strcmp(key, "source") == 0)
            json_string_set(member, "");
        else
            strip_source(member);
    }
}

static void assert_same(const char *name, const struct answer *one,
                        const struct answer *other)
{
    json_t *left = json_deep_copy(one->json);
    json_t *right = json_deep_copy(other->json);
    const char *key;
    json_t *member;

    strip_source(left);
    strip_source(right);
    assert_int_equal(json_object_size(left), json_object_size(right));
    json_object_foreach(left, key, member)
    {
        if (!json_equal(member, json_object_get(right, key)))
            fail_msg("%s: '%s' differs", name, key);
    }
    assert_int_equal(one->status, other->status);
    json_decref(left);
    json_decref(right);
}

/* Compares the answer for some bytes with that of the file itself. */
static void assert_answer(size_t dump, const char *bytes, size_t len,
                          size_t step)
{
    struct answer answer = run_bytes(bytes, len, step);

    assert_same(names[dump], &dumps[dump].answer, &answer);
    answer_done(&answer);
}

/* --- Nothing changes --- */

static void a_pipe_gives_the_answer_of_a_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(names); i++) {
        assert_answer(i, dumps[i].bytes, dumps[i].len, 0);
        assert_answer(i, dumps[i].bytes, dumps[i].len, 4093);
    }
}

static void single_bytes_give_the_answer_of_a_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(names); i++)
        assert_answer(i, dumps[i].bytes, dumps[i].len, 1);
}

/* The text with "\r\n" line ends, behind a byte order mark; freed by the
 * caller. */
static char *as_windows(const char *bytes, size_t len, size_t *ret_len)
{
    char *copy = malloc(2 * len + 3);
    size_t n = 3;

    assert_non_null(copy);
    memcpy(copy, "\xef\xbb\xbf", 3);
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] == '\n')
            copy[n++] = '\r';
        copy[n++] = bytes[i];
    }
    *ret_len = n;
    return copy;
}

static void line_ends_of_windows_change_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(names); i++) {
        size_t len;
        char *copy = as_windows(dumps[i].bytes, dumps[i].len, &len);

        assert_answer(i, copy, len, 0);
        free(copy);
    }
}

static void gzip_changes_nothing(void **state)
{
    static const char *const packed[] = {
        "corpus/http_load/1.27/http_load.debug2.txt",
        "corpus/backend_semaphore_5000/1.24/big.debug2.txt",
        "probe/dumps/1.15.d1",
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(packed); i++) {
        const char *path = fixture("%s", packed[i]);
        struct answer answer = run_json(path);
        struct answer plain;
        size_t len;
        char *bytes = read_file(path, &len);

        assert_true(ends_with(path, ".gz"));
        plain = run_bytes(bytes, len, 0);
        assert_same(path, &answer, &plain);
        answer_done(&answer);
        answer_done(&plain);
        free(bytes);
    }
}

/* The goroutines of a debug=2 text from the last to the first, behind the one
 * that wrote the dump: it stands first in every dump, so that a program may
 * tell by it where the next dump begins. Freed by the caller. */
static char *reversed(const char *bytes, size_t len)
{
    const char *rest = strstr(bytes, "\n\n") + 2;
    const char *end = bytes + len;
    char *copy = malloc(len + 3);
    size_t n = (size_t)(rest - bytes);

    assert_non_null(copy);
    memcpy(copy, bytes, n);
    while (end > rest && end[-1] == '\n')
        end--;
    while (end > rest) {
        const char *begin = end;

        while (begin > rest && memcmp(begin - 2, "\n\n", 2) != 0)
            begin--;
        memcpy(copy + n, begin, (size_t)(end - begin));
        n += (size_t)(end - begin);
        memcpy(copy + n, "\n\n", 2);
        n += 2;
        end = begin - 2;
    }
    copy[n - 1] = '\0';
    return copy;
}

static void the_order_of_goroutines_does_not_matter(void **state)
{
    size_t checked = 0;

    (void)state;
    for (size_t i = 0; i < LENGTH(names); i++) {
        char *copy;

        /* Of more label keys than a group keeps, it keeps the first ones. */
        if (!strstr(names[i], "debug2") || strstr(names[i], "/labels/"))
            continue;
        copy = reversed(dumps[i].bytes, dumps[i].len);
        assert_true(strcmp(copy, dumps[i].bytes) != 0);
        assert_true(strlen(copy) + 2 > dumps[i].len);
        assert_answer(i, copy, strlen(copy), 0);
        free(copy);
        checked++;
    }
    assert_int_equal(5, checked);
}

/* --- Several inputs --- */

static void the_same_dump_twice_counts_once_where_ids_tell(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(names); i++) {
        const char *path = fixture("%s", names[i]);
        const char *arguments[] = {"-o", "json", "--all", path, path, NULL};
        struct answer twice = run(NULL, arguments);
        const json_t *ones = get_array(dumps[i].answer.json, "groups");
        const json_t *twos = get_array(twice.json, "groups");
        long long times = strstr(names[i], "debug2") ? 1 : 2;

        assert_non_null(strstr(twice.text, "\"same-dump\""));
        assert_int_equal(json_array_size(ones), json_array_size(twos));
        for (size_t j = 0; j < json_array_size(ones); j++) {
            const json_t *one = json_array_get(ones, j);
            const json_t *two = json_array_get(twos, j);

            assert_string_equal(get_text(one, "id"), get_text(two, "id"));
            assert_int_equal(times * get_number(one, "count"),
                             get_number(two, "count"));
        }
        assert_string_equal(get_text(dumps[i].answer.json, "verdict"),
                            get_text(twice.json, "verdict"));
        assert_int_equal(dumps[i].answer.status, twice.status);
        answer_done(&twice);
    }
}

/* Inputs that are one process: only the last is judged. */
static void inputs_of_one_process_are_not_added_up(void **state)
{
    static const struct {
        const char *first;
        const char *second;
        long long goroutines;
    } pairs[] = {
        {"chan_send_leak/1.24/chan_send_leak.debug1.txt",
         "chan_send_leak/1.24/chan_send_leak.debug2.txt", 243},
        {"series_leak/1.24/snap00.debug2.txt",
         "series_leak/1.24/snap01.debug2.txt", 183},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(pairs); i++) {
        const char *arguments[] = {"-o", "json",
                                   fixture("corpus/%s", pairs[i].first),
                                   fixture("corpus/%s", pairs[i].second), NULL};
        struct answer answer = run(NULL, arguments);
        const json_t *summary = get_object(answer.json, "summary");

        assert_int_equal(pairs[i].goroutines,
                         get_number(summary, "goroutines"));
        assert_non_null(strstr(answer.text, "\"same-process\""));
        answer_done(&answer);
    }
}

/* Two dumps after each other in one input are two moments: both are listed,
 * and the last is judged. */
static void dumps_after_each_other_are_moments(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(names); i++) {
        size_t next = (i + 1) % LENGTH(names);
        size_t len = dumps[i].len + dumps[next].len;
        char *both = malloc(len);
        struct answer answer;
        const json_t *snapshots;

        assert_non_null(both);
        memcpy(both, dumps[i].bytes, dumps[i].len);
        memcpy(both + dumps[i].len, dumps[next].bytes, dumps[next].len);
        answer = run_bytes(both, len, 0);
        snapshots = get_array(answer.json, "snapshots");
        if (json_array_size(snapshots) != 2)
            fail_msg("%s and %s: %zu snapshots", names[i], names[next],
                     json_array_size(snapshots));
        for (size_t j = 0; j < 2; j++) {
            const json_t *alone = json_array_get(
                get_array(dumps[j ? next : i].answer.json, "snapshots"), 0);
            const json_t *snapshot = json_array_get(snapshots, j);

            assert_int_equal(get_number(alone, "total"),
                             get_number(snapshot, "total"));
        }
        answer_done(&answer);
        free(both);
    }
}

/* --- Cut dumps --- */

/* The header of the goroutine in which a text is cut. */
static const char *last_header(const char *bytes, const char *cut)
{
    const char *at = cut;

    while (at > bytes && (at[-1] != '\n' || strncmp(at, "goroutine ", 10) != 0))
        at--;
    return at;
}

/* Whether a debug=2 text may end there: behind the last line of a goroutine, or
 * in the offset " +0x1c9" at its end, of which no digit is missed. Goroutine 1
 * may end behind any frame, as nothing created it; ancestors end anywhere. */
static bool is_whole(size_t dump, size_t len)
{
    const char *bytes = dumps[dump].bytes;
    const char *cut = bytes + len;
    const char *begin = cut;
    bool is_main = strncmp(last_header(bytes, cut), "goroutine 1 ", 12) == 0;

    if (strstr(names[dump], "-ancestors"))
        return true;
    while (begin > bytes && begin[-1] != '\n')
        begin--;
    if (begin == cut)
        return is_main || *cut == '\n' || (len > 1 && cut[-2] == '\n');
    return (is_main || strncmp(strchr(cut, '\n'), "\n\n", 2) == 0) &&
           memmem(begin, (size_t)(cut - begin), " +0x", strlen(" +0x"));
}

/* Of a cut dump there is an answer that says so, with status 2 where most is
 * gone, or an error that says why not; what was read is never more than there
 * is. */
static void check_cut(size_t dump, size_t len, long long total)
{
    static const char *const arguments[] = {"-o", "json", "--all", "-", NULL};
    struct feed feed = {dumps[dump].bytes, len, 0};
    struct answer answer = run(&feed, arguments);

    if (answer.status == 2) {
        assert_true(strlen(answer.error) > 20);
        assert_int_equal('\n', answer.error[strlen(answer.error) - 1]);
    }
    if (answer.json) {
        const json_t *summary = get_object(answer.json, "summary");
        long long count = get_number(summary, "goroutines");

        assert_true(count <= total);
        if (json_array_size(get_array(answer.json, "diagnostics")) == 0 &&
            (strstr(names[dump], "debug1") ? count < total
                                           : !is_whole(dump, len)))
            fail_msg("%s: cut at byte %zu and not said to be", names[dump],
                     len);
    }
    answer_done(&answer);
}

static void a_cut_dump_is_answered_and_said_to_be_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(names); i++) {
        const json_t *summary = get_object(dumps[i].answer.json, "summary");
        size_t len = dumps[i].len;

        for (size_t cut = 1; cut < len; cut += 1 + len / 61)
            check_cut(i, cut, get_number(summary, "goroutines"));
    }
}

static int setup(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(names); i++) {
        const char *path = fixture("%s", names[i]);

        dumps[i].bytes = read_file(path, &dumps[i].len);
        dumps[i].answer = run_json(path);
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(names); i++) {
        free(dumps[i].bytes);
        answer_done(&dumps[i].answer);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pipe_gives_the_answer_of_a_file),
        cmocka_unit_test(single_bytes_give_the_answer_of_a_file),
        cmocka_unit_test(line_ends_of_windows_change_nothing),
        cmocka_unit_test(gzip_changes_nothing),
        cmocka_unit_test(the_order_of_goroutines_does_not_matter),
        cmocka_unit_test(the_same_dump_twice_counts_once_where_ids_tell),
        cmocka_unit_test(inputs_of_one_process_are_not_added_up),
        cmocka_unit_test(dumps_after_each_other_are_moments),
        cmocka_unit_test(a_cut_dump_is_answered_and_said_to_be_cut),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}

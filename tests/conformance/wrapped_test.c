/* Dumps that came through other hands, and what is no dump at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "texts.h"

#include <cmocka.h>

/* Each file is made of dumps of the corpus; see its truth.json. */
static const struct {
    const char *file;
    const char *code;    /* a diagnostic that is in the answer, or NULL */
    size_t snapshots;    /* dumps in it */
    long long totals[2]; /* goroutines of each */
} dumps[] = {
    {"crlf.debug1.txt", NULL, 1, {243}},
    {"crlf.debug2.txt", NULL, 1, {243}},
    {"bom-crlf.debug2.txt", NULL, 1, {66}},
    {"anonymised.debug2.txt", NULL, 1, {66}},
    {"gzip.debug2.txt", NULL, 1, {66}},
    {"curl-headers.debug2.txt", "skipped-lines", 1, {66}},
    {"concat-2debug2.txt", "other-processes", 2, {243, 66}},
    {"concat-debug1-debug2.txt", NULL, 2, {243, 243}},
    {"truncated-a.debug2.txt", "cut-tail", 1, {79}},
    {"truncated-c.debug2.txt", "cut-tail", 1, {242}},
    {"truncated.debug1.txt", "declared-total", 1, {242}},
};

static const char *logs(const char *file)
{
    return fixture("corpus/logs_wrapped/%s", file);
}

static bool has_code(const json_t *diagnostics, const char *code)
{
    for (size_t i = 0; i < json_array_size(diagnostics); i++) {
        if (strcmp(get_text(json_array_get(diagnostics, i), "code"), code) == 0)
            return true;
    }
    return false;
}

static void damaged_dumps_are_read_as_far_as_they_go(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(dumps); i++) {
        struct answer answer = run_json(logs(dumps[i].file));
        const json_t *snapshots = get_array(answer.json, "snapshots");
        const json_t *diagnostics = get_array(answer.json, "diagnostics");

        if (json_array_size(snapshots) != dumps[i].snapshots)
            fail_msg("%s: %zu dumps", dumps[i].file,
                     json_array_size(snapshots));
        for (size_t j = 0; j < dumps[i].snapshots; j++)
            assert_int_equal(dumps[i].totals[j],
                             get_number(json_array_get(snapshots, j), "total"));
        if (dumps[i].code && !has_code(diagnostics, dumps[i].code))
            fail_msg("%s: no diagnostic %s", dumps[i].file, dumps[i].code);
        if (!dumps[i].code && json_array_size(diagnostics) > 0)
            fail_msg("%s: %s", dumps[i].file,
                     get_text(json_array_get(diagnostics, 0), "message"));
        answer_done(&answer);
    }
}

/* The same dump, and what hands did to it. */
static void damage_does_not_change_groups(void **state)
{
    static const struct {
        const char *file;
        const char *source;
    } copies[] = {
        {"crlf.debug1.txt", "chan_send_leak/1.24/chan_send_leak.debug1.txt"},
        {"crlf.debug2.txt", "chan_send_leak/1.24/chan_send_leak.debug2.txt"},
        {"bom-crlf.debug2.txt",
         "worker_pipeline/1.25/worker_pipeline.debug2.txt"},
        {"anonymised.debug2.txt",
         "worker_pipeline/1.25/worker_pipeline.debug2.txt"},
        {"gzip.debug2.txt", "worker_pipeline/1.25/worker_pipeline.debug2.txt"},
        {"curl-headers.debug2.txt",
         "worker_pipeline/1.25/worker_pipeline.debug2.txt"},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(copies); i++) {
        struct answer copy = run_json(logs(copies[i].file));
        struct answer source = run_json(fixture("corpus/%s", copies[i].source));

        if (!json_equal(get_array(copy.json, "groups"),
                        get_array(source.json, "groups")) ||
            !json_equal(get_array(copy.json, "findings"),
                        get_array(source.json, "findings")))
            fail_msg("%s: another answer", copies[i].file);
        answer_done(&copy);
        answer_done(&source);
    }
}

/* One clear line with the likely cause and status 2, and never an answer. */
static void what_is_no_dump_is_said_to_be_none(void **state)
{
    static const struct {
        const char *file;
        const char *words;
    } others[] = {
        {"empty.txt", "the input is empty"},
        {"html-error.txt", "this is a web page"},
        {"unknown-profile.txt", "no profile of that name"},
        {"applog-only.txt", "no goroutine dump recognised"},
        {"truth.json", "no goroutine dump recognised"},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(others); i++) {
        const char *path = logs(others[i].file);
        const char *arguments[] = {"-o", "json", path, NULL};
        struct answer answer = run(NULL, arguments);
        const char *end = strchr(answer.error, '\n');

        assert_int_equal(2, answer.status);
        assert_int_equal(0, answer.len);
        assert_true(end && !end[1]);
        assert_non_null(strstr(answer.error, path));
        if (!strstr(answer.error, others[i].words))
            fail_msg("%s: %s", others[i].file, answer.error);
        answer_done(&answer);
    }
}

/* --strict takes an incomplete dump for none. */
static void strict_refuses_an_incomplete_dump(void **state)
{
    static const char *const files[] = {"truncated-a.debug2.txt",
                                        "truncated.debug1.txt"};

    (void)state;
    for (size_t i = 0; i < LENGTH(files); i++) {
        const char *arguments[] = {"--strict", "-q", logs(files[i]), NULL};
        struct answer answer = run(NULL, arguments);

        assert_int_equal(2, answer.status);
        answer_done(&answer);
    }
}

/* What stands in a dump reaches a terminal only escaped. */
static void control_characters_do_not_reach_the_terminal(void **state)
{
    static const char hostile[] =
        "goroutine profile: total 1234\n"
        "1234 @ 0x439ec5 0x4059aa 0x405755 0x7750bc\n"
        "# labels: {\"\\x1b[31mkey\":\"\\x1b]0;title\\a\"}\n"
        "#\t0x7750bb\tmain.\x1b[2J\x07run+0x3b\t/tmp/\x1b[31m\x9b/m\x7f.go:21\n"
        "\n";
    static const char *const arguments[] = {"--all", "-v", "--color=never", "-",
                                            NULL};
    struct feed feed = {hostile, sizeof(hostile) - 1, 0};
    struct answer answer = run(&feed, arguments);

    (void)state;
    assert_non_null(strstr(answer.text, "1,234"));
    for (size_t i = 0; i < answer.len; i++) {
        unsigned char byte = (unsigned char)answer.text[i];

        if ((byte < 0x20 && byte != '\n') || byte == 0x7f ||
            (byte == 0xc2 && (unsigned char)answer.text[i + 1] < 0xa0))
            fail_msg("byte %#x at %zu", byte, i);
    }
    answer_done(&answer);
}

/* UTF-16, as a console of Windows redirects text into a file. */
static void utf_16_is_converted(void **state)
{
    const char *file = "worker_pipeline/1.25/worker_pipeline.debug2.txt";
    size_t len;
    char *bytes = read_file(fixture("corpus/%s", file), &len);
    struct answer expected = run_json(fixture("corpus/%s", file));

    (void)state;
    for (int big = 0; big < 2; big++) {
        struct text text = {0};
        struct answer answer;

        text_add(&text, big ? "\xfe\xff" : "\xff\xfe", 2);
        for (size_t i = 0; i < len; i++) {
            char unit[2] = {0, 0};

            unit[big] = bytes[i];
            text_add(&text, unit, 2);
        }
        answer = run_bytes(text.bytes, text.len, 0);
        assert_true(json_equal(get_array(answer.json, "groups"),
                               get_array(expected.json, "groups")));
        answer_done(&answer);
        free(text.bytes);
    }
    answer_done(&expected);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_dumps_are_read_as_far_as_they_go),
        cmocka_unit_test(damage_does_not_change_groups),
        cmocka_unit_test(utf_16_is_converted),
        cmocka_unit_test(what_is_no_dump_is_said_to_be_none),
        cmocka_unit_test(strict_refuses_an_incomplete_dump),
        cmocka_unit_test(control_characters_do_not_reach_the_terminal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

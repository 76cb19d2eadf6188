/* Logs in which the lines of several processes are mixed: each is read as if it
 * stood alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "texts.h"

#include <cmocka.h>

enum { N_SOURCES = 3 };

/* The last one is a crash. */
static const char *const sources[N_SOURCES] = {
    "corpus/worker_pipeline/1.25/worker_pipeline.debug2.txt",
    "corpus/labels/1.27/labels.debug2.txt",
    "corpus/crash/1.27/gopanic.GOTRACEBACK-all.panic.txt"};

static const char *const names[N_SOURCES] = {
    "api-7d9c5-x2x4k", "api-7d9c5-bb7vz", "api-7d9c5-9wq2h"};

/* How a line of a process looks. "%s" in before and after is its name. */
static const struct form {
    const char *before;
    const char *after;
    const char *instance; /* what it is called in the answer; NULL = its name */
    bool is_quoted;
} forms[] = {
    {"[pod/%s/app] ", "", NULL, false},
    {"%s app ", "", NULL, false},
    {"shop %s app ", "", NULL, false},
    {"shop/%s[app]: ", "", NULL, false},
    {"[%s] ", "", NULL, false},
    {"%s  | ", "", NULL, false},
    {"web.1.%s@node-3    | ", "", "web.1.%s@node-3", false},
    {"[%s app] ", "", NULL, false},
    {"0|%s  | ", "", "0|%s", false},
    {"%s: ", "", NULL, false},
    {"2026-11-20T14:02:00Z {pod=\"%s\"}   ", "", NULL, false},
    {"2026-11-20T14:02:00Z {app=\"api\", stream=\"stderr\", unit=\"%s\"} ", "",
     "api/%s", false},
    {"Nov 20 14:02:00 %s shopd[24117]: ", "", NULL, false},
    {"<11>1 2026-11-20T14:02:00Z %s shopd 24117 - - ", "", NULL, false},
    {"{\"log\":\"",
     "\\n\",\"stream\":\"stderr\",\"kubernetes\":{\"pod_name\":\"%s\","
     "\"container_name\":\"app\",\"host\":\"node-3\"}}",
     NULL, true},
    {"{\"labels\":{\"pod\":\"%s\",\"stream\":\"stderr\"},\"line\":\"",
     "\",\"timestamp\":\"2026-11-20T14:02:00Z\"}", NULL, true},
    {"{\"kubernetes\": {\"container_name\": \"app\", \"pod_name\": \"%s\"}, "
     "\"message\": \"",
     "\", \"stream\": \"stderr\"}", NULL, true},
    {"{\"insertId\":\"a\",\"textPayload\":\"",
     "\",\"resource\":{\"labels\":{\"pod_name\":\"%s\"}}}", NULL, true},
    {"{\"host\":{\"os\":{\"name\":\"linux\"},\"name\":\"node-3\"},"
     "\"kubernetes\":{\"pod\":{\"uid\":\"0\",\"name\":\"%s\"}},\"message\":\"",
     "\"}", NULL, true},
    {"{\"host\":{\"os\":{\"name\":\"linux\"},\"name\":\"%s\"},\"message\":\"",
     "\"}", NULL, true},
    {"{\"log_stream\":\"%s\",\"instance\":\"i-1\",\"message\":\"", "\"}", NULL,
     true},
    {"[0] x: [[1763647331.0, {}], {\"log\"=>\"",
     "\", \"kubernetes\"=>{\"pod_name\"=>\"%s\"}}]", NULL, true},
    {"{\"_HOSTNAME\":\"%s\",\"_PID\":\"4711\",\"MESSAGE\":\"", "\"}", NULL,
     true},
    {"{\"Action\":\"output\",\"Package\":\"shop/%s\",\"Output\":\"", "\\n\"}",
     "shop/%s", true},
};

/* Answers of stores of logs: a document around lines, each of them a record. */
static const struct document {
    const char *head;
    struct form form;
    const char *tail;
} documents[] = {
    {"{\"took\":3,\"hits\":{\"total\":{\"value\":9},\"hits\":[\n",
     {"{\"_index\":\"logs\",\"_source\":{\"message\":\"",
      "\",\"kubernetes\":{\"pod_name\":\"%s\"}},\"sort\":[1]},", NULL, true},
     "]}}\n"},
    {"{\"data\":[\n",
     {"{\"id\":\"AQ\",\"attributes\":{\"host\":\"node-3\",\"message\":\"",
      "\",\"tags\":[\"env:prod\",\"pod_name:%s\"]}},", NULL, true},
     "]}\n"},
    {"{\"data\":[\n",
     {"{\"attributes\":{\"host\":\"%s\",\"message\":\"", "\"}},", NULL, true},
     "]}\n"},
    {"{\"events\":[\n",
     {"{\"logStreamName\":\"%s\",\n  \"message\":\n    \"", "\\n\"},", NULL,
      true},
     "]}\n"},
    {"[\n",
     {"{\"insertId\": \"a\",\n    \"textPayload\": \"",
      "\",\n \"resource\": {\"labels\": {\"pod_name\": \"%s\"} }\n  },", NULL,
      true},
     "]\n"},
    {"{\"data\":{\"result\":[\n",
     {"{\"stream\":{\"pod\":\"%s\"},\n\"values\":[[\"17636473\",\n\"",
      "\",{}]\n]\n},", NULL, true},
     "]}}\n"},
    {"", {"{\n  \"log\": \"", "\\n\",\n  \"pod\": \"%s\"\n}", NULL, true}, ""},
};

/* Appends a format in which "%s" is that name. */
static void add_named(struct text *out, const char *format, const char *name)
{
    const char *at = strstr(format, "%s");

    text_add(out, format, at ? (size_t)(at - format) : strlen(format));
    if (at) {
        text_add_string(out, name);
        text_add_string(out, at + 2);
    }
}

static void add_line(struct text *out, const struct form *form,
                     const char *name, const char *line, size_t len)
{
    add_named(out, form->before, name);
    if (form->is_quoted)
        text_add_quoted(out, line, len);
    else
        text_add(out, line, len);
    add_named(out, form->after, name);
    text_add_string(out, "\n");
}

/* The lines of texts in turns, some of one in a row now and then. */
static struct text mix(const struct form *form, char *const *texts)
{
    const char *at[N_SOURCES];
    const char *end[N_SOURCES];
    struct text out = {0};
    size_t left = N_SOURCES;

    for (size_t i = 0; i < N_SOURCES; i++) {
        at[i] = texts[i];
        end[i] = texts[i] + strlen(texts[i]);
    }
    for (unsigned turn = 0; left; turn++) {
        size_t i = turn * 7 / 3 % N_SOURCES;
        const char *stop = at[i] == end[i] ? at[i] : line_end(at[i], end[i]);

        if (at[i] == end[i])
            continue;
        add_line(&out, form, names[i], at[i], (size_t)(stop - at[i]));
        at[i] = stop == end[i] ? stop : stop + 1;
        left -= at[i] == end[i];
    }
    return out;
}

/* The snapshot of a name, or NULL. */
static const json_t *find_snapshot(const struct answer *answer,
                                   const char *instance)
{
    const json_t *snapshots = get_array(answer->json, "snapshots");

    for (size_t i = 0; i < json_array_size(snapshots); i++) {
        const json_t *snapshot = json_array_get(snapshots, i);

        if (strcmp(get_text(snapshot, "instance"), instance) == 0)
            return snapshot;
    }
    return NULL;
}

static void expect_alike(const struct form *form, const struct answer *mixed,
                         const struct answer *alone, const char *name)
{
    const json_t *expected =
        json_array_get(get_array(alone->json, "snapshots"), 0);
    struct text instance = {0};
    const json_t *snapshot;

    add_named(&instance, form->instance ? form->instance : "%s", name);
    snapshot = find_snapshot(mixed, instance.bytes);
    if (!snapshot)
        fail_msg("'%s': nothing of %s", form->before, instance.bytes);
    if (get_number(snapshot, "total") != get_number(expected, "total"))
        fail_msg("'%s': %lld goroutines of %s", form->before,
                 get_number(snapshot, "total"), name);
    if (!json_equal(json_object_get(snapshot, "crash"),
                    json_object_get(expected, "crash")))
        fail_msg("'%s': another crash of %s", form->before, name);
    free(instance.bytes);
}

/* All lines as one. */
static void join_lines(struct text *text)
{
    size_t len = 0;

    for (size_t i = 0; i < text->len; i++) {
        if (text->bytes[i] != '\n')
            text->bytes[len++] = text->bytes[i];
    }
    text->len = len;
}

/* n_others is how many diagnostics there are. */
static void expect_apart_from(const struct form *form, const struct text *text,
                              const struct answer *alone, size_t n_others)
{
    struct answer mixed = run_bytes(text->bytes, text->len, 0);

    if (json_array_size(get_array(mixed.json, "snapshots")) != N_SOURCES ||
        json_array_size(get_array(mixed.json, "diagnostics")) != n_others)
        fail_msg("'%s': %.400s", form->before, mixed.text);
    for (size_t i = 0; i < N_SOURCES; i++)
        expect_alike(form, &mixed, &alone[i], names[i]);
    answer_done(&mixed);
}

static void expect_apart(const struct form *form, const struct text *text,
                         const struct answer *alone)
{
    expect_apart_from(form, text, alone, 0);
}

struct alone {
    char *texts[N_SOURCES];
    struct answer answers[N_SOURCES];
};

static struct alone read_alone(void)
{
    struct alone alone;
    size_t len;

    for (size_t i = 0; i < N_SOURCES; i++) {
        alone.texts[i] = read_file(fixture("%s", sources[i]), &len);
        alone.answers[i] = run_json(fixture("%s", sources[i]));
    }
    return alone;
}

static void alone_done(struct alone *alone)
{
    for (size_t i = 0; i < N_SOURCES; i++) {
        answer_done(&alone->answers[i]);
        free(alone->texts[i]);
    }
}

static void lines_that_are_mixed_are_told_apart(void **state)
{
    struct alone alone = read_alone();

    (void)state;
    for (size_t i = 0; i < LENGTH(forms); i++) {
        struct text text = mix(&forms[i], alone.texts);

        expect_apart(&forms[i], &text, alone.answers);
        free(text.bytes);
    }
    alone_done(&alone);
}

/* Spread over lines, on one, and with another page behind it, whose line is
 * skipped. */
static void records_of_a_document_are_told_apart(void **state)
{
    struct alone alone = read_alone();

    (void)state;
    for (size_t i = 0; i < LENGTH(documents); i++) {
        const struct document *document = &documents[i];
        struct text records = mix(&document->form, alone.texts);
        struct text text = {0};

        text_add_string(&text, document->head);
        text_add(&text, records.bytes, records.len);
        text_add_string(&text, document->tail);
        expect_apart(&document->form, &text, alone.answers);
        if (document->head[0]) {
            join_lines(&text);
            expect_apart(&document->form, &text, alone.answers);
            text_add_string(&text, "\n{\"events\":[]}\n");
            expect_apart_from(&document->form, &text, alone.answers, 1);
        }
        free(records.bytes);
        free(text.bytes);
    }
    alone_done(&alone);
}

/* What is added up over the processes is what they have. */
static void processes_are_instances(void **state)
{
    const char *arguments[] = {"-o", "json", "--all", NULL, NULL, NULL, NULL};
    char paths[N_SOURCES][256];
    char *texts[N_SOURCES];
    struct answer apart;
    struct answer mixed;
    struct text text;

    (void)state;
    for (size_t i = 0; i < N_SOURCES; i++) {
        size_t len;

        snprintf(paths[i], sizeof(paths[i]), "%s", fixture("%s", sources[i]));
        arguments[3 + i] = paths[i];
        texts[i] = read_file(paths[i], &len);
    }
    text = mix(&forms[0], texts);
    apart = run(NULL, arguments);
    mixed = run_bytes(text.bytes, text.len, 0);
    assert_true(json_equal(get_object(apart.json, "summary"),
                           get_object(mixed.json, "summary")));
    answer_done(&apart);
    answer_done(&mixed);
    free(text.bytes);
    for (size_t i = 0; i < N_SOURCES; i++)
        free(texts[i]);
}

/* The lines of a text, as those of a process of one host. */
static void add_process(struct text *out, const char *source, unsigned number)
{
    size_t len;
    char *dump = read_file(fixture("%s", source), &len);
    char before[64];

    snprintf(before, sizeof(before),
             "Nov 20 14:02:00 node-3 shopd[%u]: ", number);
    for (const char *at = dump; at < dump + len;
         at = line_end(at, dump + len) + 1) {
        text_add_string(out, before);
        text_add(out, at, (size_t)(line_end(at, dump + len) - at));
        text_add_string(out, "\n");
    }
    free(dump);
}

static long long goroutines_judged(const struct text *text)
{
    struct answer answer = run_bytes(text->bytes, text->len, 0);
    long long n = get_number(get_object(answer.json, "summary"), "goroutines");

    answer_done(&answer);
    return n;
}

/* A number of its own makes a process of a host an instance, but for one that
 * began when another had died: only the crash of that is judged beside it. */
static void a_process_is_told_by_its_number(void **state)
{
    struct text apart = {0};
    struct text alike = {0};
    struct text anew = {0};

    (void)state;
    add_process(&apart, sources[0], 100);
    add_process(&apart, sources[1], 101);
    assert_int_equal(66 + 88, goroutines_judged(&apart));
    add_process(&alike, sources[0], 100);
    add_process(&alike, sources[1], 100);
    assert_int_equal(88, goroutines_judged(&alike));
    add_process(&anew, sources[0], 100);
    add_process(&anew, sources[2], 100);
    add_process(&anew, sources[1], 101);
    assert_int_equal(9 + 88, goroutines_judged(&anew));
    free(apart.bytes);
    free(alike.bytes);
    free(anew.bytes);
}

/* Two streams of one process, and the requests that it goes on to serve. */
static void lines_of_another_stream_do_not_part_frames(void **state)
{
    size_t len;
    char *dump = read_file(fixture("%s", sources[2]), &len);
    struct answer alone = run_json(fixture("%s", sources[2]));
    struct text text = {0};
    struct answer answer;

    (void)state;
    for (const char *at = dump; at < dump + len;
         at = line_end(at, dump + len) + 1) {
        text_add_string(&text, "{\"log\":\"");
        text_add_quoted(&text, at, (size_t)(line_end(at, dump + len) - at));
        text_add_string(&text,
                        "\\n\",\"stream\":\"stderr\"}\n"
                        "{\"log\":\"GET /\\n\",\"stream\":\"stdout\"}\n");
    }
    answer = run_bytes(text.bytes, text.len, 0);
    assert_true(json_equal(get_array(answer.json, "groups"),
                           get_array(alone.json, "groups")));
    assert_true(json_equal(get_array(answer.json, "findings"),
                           get_array(alone.json, "findings")));
    answer_done(&alone);
    answer_done(&answer);
    free(text.bytes);
    free(dump);
}

/* --- A journal ------------------------------------------------------------ */

static void as_bytes(struct text *out, const char *line, size_t len)
{
    text_add_string(out, "{\"_PID\":\"4711\",\"MESSAGE\":[");
    for (size_t i = 0; i < len; i++) {
        char number[8];

        snprintf(number, sizeof(number), "%s%d", i ? "," : "",
                 (unsigned char)line[i]);
        text_add_string(out, number);
    }
    text_add_string(out, "]}\n");
}

static void as_object(struct text *out, const char *line, size_t len)
{
    text_add_string(out, "{\n\t\"_PID\" : \"4711\",\n\t\"MESSAGE\" : \"");
    text_add_quoted(out, line, len);
    text_add_string(out, "\",\n\t\"_UID\" : \"0\"\n}\n");
}

/* All of it is one message of several lines. */
static void as_further_line(struct text *out, const char *line, size_t len)
{
    static const char first[] = "Nov 20 14:02:00 node-3 shopd[24117]: ";

    if (out->len)
        for (size_t i = 0; i < sizeof(first) - 1; i++)
            text_add_string(out, " ");
    else
        text_add_string(out, first);
    text_add(out, line, len);
    text_add_string(out, "\n");
}

static void every_form_of_a_journal_is_read(void **state)
{
    static void (*const ways[])(struct text * out, const char *line,
                                size_t len) = {as_bytes, as_object,
                                               as_further_line};
    size_t len;
    char *dump = read_file(fixture("%s", sources[2]), &len);
    struct answer alone = run_json(fixture("%s", sources[2]));

    (void)state;
    for (size_t i = 0; i < LENGTH(ways); i++) {
        struct text text = {0};
        struct answer answer;

        for (const char *at = dump; at < dump + len;
             at = line_end(at, dump + len) + 1)
            ways[i](&text, at, (size_t)(line_end(at, dump + len) - at));
        answer = run_bytes(text.bytes, text.len, 0);
        if (!json_equal(get_array(answer.json, "groups"),
                        get_array(alone.json, "groups")) ||
            !json_equal(get_array(answer.json, "findings"),
                        get_array(alone.json, "findings")))
            fail_msg("another answer for\n%.300s", text.bytes);
        answer_done(&answer);
        free(text.bytes);
    }
    answer_done(&alone);
    free(dump);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_that_are_mixed_are_told_apart),
        cmocka_unit_test(records_of_a_document_are_told_apart),
        cmocka_unit_test(processes_are_instances),
        cmocka_unit_test(a_process_is_told_by_its_number),
        cmocka_unit_test(lines_of_another_stream_do_not_part_frames),
        cmocka_unit_test(every_form_of_a_journal_is_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Dumps inside logs: whatever wraps a dump, its groups stay the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "texts.h"

#include <cmocka.h>

/* --- Stored logs ---------------------------------------------------------- */

/* Each was made of a dump of the corpus; see truth.json beside them. */
static const char *const logs[] = {
    "k8s-cri.panic.log",        "kubectl-timestamps.debug2.log",
    "docker-json.panic.log",    "journald.panic.log",
    "glog.debug2.log",          "rsyslog-escaped-tab.panic.log",
    "json-embedded.debug2.log", "spaces-for-tabs.debug2.txt",
    "noindent.debug2.txt",      "spaces-for-tabs.debug1.txt",
    "quit-prefixed.panic.log",  "indented.debug2.txt",
};

static void assert_same_groups(const char *what, const struct answer *answer,
                               const struct answer *expected)
{
    const json_t *groups = get_array(answer->json, "groups");
    const json_t *others = get_array(expected->json, "groups");

    assert_true(json_array_size(others) > 0);
    if (json_array_size(groups) != json_array_size(others))
        fail_msg("%s: %zu groups instead of %zu", what, json_array_size(groups),
                 json_array_size(others));
    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *group = json_array_get(groups, i);
        const json_t *other = json_array_get(others, i);

        if (!json_equal(group, other))
            fail_msg("%s: another group: %s\ninstead of: %s", what,
                     json_dumps(group, 0), json_dumps(other, 0));
    }
}

static long long total_of(const struct answer *answer)
{
    return sum_of(get_array(answer->json, "snapshots"), "total");
}

static void stored_logs_agree_with_their_truth(void **state)
{
    json_t *truth =
        json_load_file(fixture("corpus/logs_wrapped/truth.json"), 0, NULL);
    json_t *files = get_object(truth, "files");

    (void)state;
    for (size_t i = 0; i < LENGTH(logs); i++) {
        json_t *about = get_object(files, logs[i]);
        struct answer source =
            run_json(fixture("corpus/%s", get_text(about, "made_from")));
        struct answer answer =
            run_json(fixture("corpus/logs_wrapped/%s", logs[i]));
        bool is_text = json_object_get(about, "goroutines") != NULL;
        long long expected =
            get_number(about, is_text ? "goroutines" : "total");

        if (total_of(&answer) != expected)
            fail_msg("%s: %lld goroutines instead of %lld", logs[i],
                     total_of(&answer), expected);
        assert_same_groups(logs[i], &answer, &source);
        answer_done(&source);
        answer_done(&answer);
    }
    json_decref(truth);
}

static void a_log_that_lost_its_head_is_read_from_the_next_header(void **state)
{
    struct answer answer =
        run_json(fixture("corpus/logs_wrapped/head-lost.panic.log"));

    (void)state;
    assert_int_equal(7, total_of(&answer));
    answer_done(&answer);
}

/* --- Generated logs ------------------------------------------------------- */

static const char *const dumps[] = {
    "corpus/worker_pipeline/1.25/worker_pipeline.debug2.txt",
    "corpus/labels/1.27/labels.debug2.txt",
    "corpus/chan_send_leak/1.24/chan_send_leak.debug1.txt",
    "corpus/crash/1.27/gopanic.GOTRACEBACK-all.panic.txt",
    "corpus/mutex_contention/1.19/mutex_contention.debug1.txt",
};

/* Each dies for a reason of another form, some with lines before it. */
static const char *const crashes[] = {
    "corpus/crash/1.27/overflow.panic.txt",
    "corpus/crash/1.23/nilptr.panic.txt",
    "corpus/crash/1.15/multiline.panic.txt",
    "corpus/crash/1.21/nested.panic.txt",
    "corpus/crash/1.25/quit.panic.txt",
    "corpus/crash/1.27/gopanic.GOTRACEBACK-crash.panic.txt",
    "corpus/crash/1.21/deadlock.panic.txt",
};

/* Ways to spell a line's bytes. */
typedef void encode_fn(struct text *out, const char *line, size_t len);

static void as_string_twice(struct text *out, const char *line, size_t len)
{
    struct text once = {0};

    text_add_string(&once, "{\"msg\":\"");
    text_add_quoted(&once, line, len);
    text_add_string(&once, "\"}\n");
    text_add_quoted(out, once.bytes, once.len);
    free(once.bytes);
}

static void as_html(struct text *out, const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (line[i] == '<')
            text_add_string(out, "&lt;");
        else if (line[i] == '>')
            text_add_string(out, "&gt;");
        else if (line[i] == '"')
            text_add_string(out, "&#34;");
        else if (line[i] == '&')
            text_add_string(out, "&amp;");
        else
            text_add(out, line + i, 1);
    }
}

static void as_syslog(struct text *out, const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (line[i] == '\t' || line[i] == '\n')
            text_add_string(out, line[i] == '\t' ? "#011" : "#012");
        else
            text_add(out, line + i, 1);
    }
}

/* The first half as a part that goes on. */
static void as_parts(struct text *out, const char *line, size_t len)
{
    if (len < 40) {
        text_add_string(out, "F ");
        text_add(out, line, len);
        return;
    }
    text_add_string(out, "P ");
    text_add(out, line, 20);
    text_add_string(out, "\n2026-11-20T14:02:00.5Z stdout F other\n"
                         "2026-11-20T14:02:00.5Z stderr F ");
    text_add(out, line + 20, len - 20);
}

static void as_tabless(struct text *out, const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++)
        text_add(out, line[i] == '\t' ? "        " : line + i,
                 line[i] == '\t' ? 8 : 1);
}

static void add_doubled(struct text *out, const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++)
        text_add(out, line[i] == '"' ? "\"\"" : line + i,
                 line[i] == '"' ? 2 : 1);
}

static void as_field(struct text *out, const char *line, size_t len)
{
    text_add_string(out, "\"");
    add_doubled(out, line, len);
    text_add_string(out, "\"");
}

/* A string of JSON inside of a field. */
static void as_quoted_in_field(struct text *out, const char *line, size_t len)
{
    struct text quoted = {0};

    text_add_quoted(&quoted, line, len);
    add_doubled(out, quoted.bytes, quoted.len);
    free(quoted.bytes);
}

/* Quotes only what needs it. */
static void as_needed_field(struct text *out, const char *line, size_t len)
{
    if (memchr(line, ',', len) || memchr(line, '"', len))
        as_field(out, line, len);
    else
        text_add(out, line, len);
}

/* How a line is wrapped: "%d" in before and after is a number that grows. */
static const struct wrapping {
    const char *name;
    const char *head; /* lines before the dump, as they are */
    const char *before;
    encode_fn *encode;
    const char *after;
    const char *end; /* of a line; NULL = "\n" */
    const char *tail;
    bool is_whole;     /* before and after stand around the whole dump */
    bool is_turned;    /* the last line of the dump comes first */
    bool trims_blanks; /* a line that is blank has no blank at its end */
} wrappings[] = {
    {.name = "docker json-file",
     .head = "{\"log\":\"ready\\n\",\"stream\":\"stdout\"}\n",
     .before = "{\"log\":\"",
     .encode = text_add_quoted,
     .after =
         "\\n\",\"stream\":\"stderr\",\"time\":\"2026-11-20T14:02:00.%dZ\"}"},
    {.name = "docker json-file, JSON logger",
     .before = "{\"log\":\"",
     .encode = as_string_twice,
     .after = "\",\"stream\":\"stderr\",\"time\":\"2026-11-20T14:02:00.%dZ\"}"},
    {.name = "docker build",
     .head = "{\"stream\":\"Step 7/9 : RUN go test ./...\\n\"}\n",
     .before = "{\"stream\":\"",
     .encode = text_add_quoted,
     .after = "\\n\"}"},
    {.name = "CRI", .before = "2026-11-20T14:02:00.%dZ stderr F "},
    {.name = "CRI, partial lines",
     .before = "2026-11-20T14:02:00.%dZ stderr ",
     .encode = as_parts},
    {.name = "kubectl --timestamps",
     .head = "2026-11-20T14:01:59Z level=info msg=\"goroutine 5 [running]\"\n",
     .before = "2026-11-20T14:02:00.%dZ "},
    {.name = "kubectl --prefix", .before = "[pod/api-7d9c5-x2x4k/app] "},
    {.name = "kubectl --prefix --timestamps",
     .before = "[pod/api-7d9c5-x2x4k/app] 2026-11-20T14:02:00.%dZ "},
    {.name = "compose",
     .head = "db-1      | ready\n",
     .before = "web-1     | "},
    {.name = "compose, colours",
     .before = "\x1b[36mweb-1     |\x1b[0m ",
     .trims_blanks = true},
    {.name = "foreman", .before = "14:02:00 web.1  | "},
    {.name = "pm2", .before = "0|api  | "},
    {.name = "kubetail", .before = "[api-7d9c5-x2x4k app] "},
    {.name = "pdsh", .before = "web-1: "},
    {.name = "logcli",
     .head = "2026-11-20T14:01:59Z {pod=\"b\"} ready\n",
     .before = "2026-11-20T14:02:00Z {pod=\"api-1\"} "},
    {.name = "journald", .before = "Nov 20 14:02:00 node-3 shopd[24117]: "},
    {.name = "rsyslog",
     .before = "Nov  2 14:02:00 node-3 shopd[24117]: ",
     .encode = as_syslog},
    {.name = "syslog with an ISO time",
     .before = "<11>2026-11-20T14:02:00.%d+01:00 node-3 shopd: "},
    {.name = "RFC 5424",
     .before = "<11>1 2026-11-20T14:02:00.%dZ node-3 shopd 24117 ID7 "
               "[meta sequenceId=\"%d\" x=\"a\\]b\"] "},
    {.name = "glog on every line",
     .before = "I1120 14:02:11.%d   24117 dump.go:41] "},
    {.name = "a supervisor", .before = "[shopd] "},
    {.name = "a name", .before = "shopd: "},
    {.name = "a logger of JSON",
     .before = "{\"level\":\"error\",\"ts\":17634.%d,\"msg\":\"",
     .encode = text_add_quoted,
     .after = "\",\"n\":%d}"},
    {.name = "one string of JSON",
     .head = "{\"level\":\"info\",\"msg\":\"up\"}\n",
     .before = "{\"level\":\"error\",\"msg\":\"stuck\",\"stacks\": \"",
     .encode = text_add_quoted,
     .after = "\",\"n\":1}\n",
     .is_whole = true,
     .tail = "{\"level\":\"info\",\"msg\":\"down\"}\n"},
    {.name = "one string of logfmt",
     .before =
         "ts=2026-11-20T14:02:00Z level=error msg=\"it is stuck\" stack=\"",
     .encode = text_add_quoted,
     .after = "\" n=1\n",
     .is_whole = true},
    {.name = "go test -json",
     .head = "{\"Action\":\"run\",\"Package\":\"x/y\",\"Test\":\"TestA\"}\n",
     .before = "{\"Time\":\"2026-11-20T14:02:00.%dZ\",\"Action\":\"output\","
               "\"Package\":\"x/y\",\"Test\":\"TestA\",\"Output\":\"",
     .encode = text_add_quoted,
     .after = "\\n\"}"},
    {.name = "Fluent Bit",
     .before = "[%d] kube.x: [[1700000000.%d, {}], {\"log\"=>\"",
     .encode = text_add_quoted,
     .after = "\", \"stream\"=>\"stderr\"}]"},
    {.name = "Fluent Bit, one key",
     .before = "[%d] tail.0: [[1700000000.%d, {}], {\"log\"=>\"",
     .after = "\"}]"},
    {.name = "Fluent Bit of old, as bytes",
     .before = "[%d] tail.0: [1700000000.%d, {\"log\"=>\"",
     .encode = text_add_quoted,
     .after = "\"}]"},
    {.name = "Fluent Bit, in a map",
     .before = "[%d] x: [[1700000000.%d, {}], {\"time\"=>\"t\", "
               "\"a\"=>{\"log\"=>\"",
     .after = "\"}, \"b\"=>{\"c\"=>\"d\"}}]"},
    {.name = "journalctl -o export",
     .before = "__CURSOR=s=1;i=%d\n__REALTIME_TIMESTAMP=17636473%d\n"
               "_HOSTNAME=node-3\nMESSAGE=",
     .after = "\n_PID=24117\n"},
    {.name = "journalctl -o verbose",
     .before = "Fri 2026-11-20 14:02:00.%d UTC [s=7;i=%d;b=1;m=2;t=3;x=4]\n"
               "    PRIORITY=6\n    MESSAGE=",
     .after = "\n    _PID=24117"},
    {.name = "CSV",
     .head = "\"time\",\"host\",\"message\"\n",
     .before = "\"Nov 20, 2026 @ 14:02:00.%d\",\"node-3\",",
     .encode = as_field},
    {.name = "CSV, quoted where needed",
     .head = "time,host,message\n",
     .before = "2026-11-20T14:02:00.%dZ,node-3,",
     .encode = as_needed_field},
    {.name = "CSV, quoted where needed, more behind it",
     .head = "time,message,level\n",
     .before = "2026-11-20 14:02:00.%dZ,",
     .encode = as_needed_field,
     .after = ",error"},
    {.name = "a log in CSV",
     .head = "timestamp,message\n",
     .before = "17636473%d,\"{\"\"log\"\":\"\"",
     .encode = as_quoted_in_field,
     .after = "\\n\"\",\"\"stream\"\":\"\"stderr\"\"}\""},
    {.name = "one cell of CSV",
     .head = "time,host,message,level\n2026-11-20T14:01:59Z,b,started,info\n",
     .before = "2026-11-20T14:02:00.%dZ,node-3,",
     .encode = as_field,
     .after = ",error",
     .tail = "2026-11-20T14:02:01Z,b,\"stopped\",info\n",
     .is_whole = true},
    {.name = "a list of strings",
     .head = "{\n  \"stack\": [\n",
     .before = "    \"",
     .encode = text_add_quoted,
     .after = "\",",
     .tail = "    \"\"\n  ]\n}\n"},
    {.name = "a list of strings on one line",
     .head = "{\"at\":\"x\",\"stack\":[",
     .before = "\"",
     .encode = text_add_quoted,
     .after = "\", ",
     .end = " ",
     .tail = "\"\"]}\n"},
    {.name = "CloudWatch on one line",
     .head = "{\"events\": [",
     .before = "{\"timestamp\": %d, \"message\": \"",
     .encode = text_add_quoted,
     .after = "\\n\", \"eventId\": \"%d\"}",
     .end = ", ",
     .tail = "{\"timestamp\": 1}]}\n"},
    {.name = "Loki",
     .head = "{\"data\":{\"result\":[{\"stream\":{\"app\":\"x\"},\"values\":[",
     .before = "[\"17636473%d\",\"",
     .encode = text_add_quoted,
     .after = "\"]",
     .end = ",",
     .tail = "[\"17636473\",\"\"]]}]}}\n"},
    {.name = "Loki with metadata",
     .head = "{\"data\":{\"result\":[{\"stream\":{\"app\":\"x\"},\"values\":[",
     .before = "[\"17636473%d\",\"",
     .encode = text_add_quoted,
     .after = "\",{\"parsed\":{\"level\":\"[\"}}]",
     .end = ", ",
     .tail = "[\"17636473\",\"\"]]}]}}\n"},
    {.name = "octal escapes",
     .before = "Nov 20 14:02:00 node-3 shopd[3]: ",
     .encode = as_syslog,
     .after = "\n",
     .is_whole = true},
    {.name = "%q",
     .before = "2026/11/20 14:02:00 it is stuck: \"",
     .encode = text_add_quoted,
     .after = "\"\n",
     .is_whole = true},
    {.name = "a quoted string alone",
     .before = "\"",
     .encode = text_add_quoted,
     .after = "\"\n",
     .is_whole = true},
    {.name = "blanks at line ends", .after = "  "},
    {.name = "times of Buildkite", .before = "\x1b_bk;t=17636473%d\a"},
    {.name = "colours", .before = "\x1b[1;31m", .after = "\x1b[0m"},
    {.name = "HTML",
     .head = "<html><body>\n<pre class=\"dump\">\n",
     .encode = as_html,
     .tail = "</pre>\n</body></html>\n"},
    {.name = "a fence", .head = "# Stuck\n\n```\n", .tail = "```\n"},
    {.name = "a quote", .before = "> ", .trims_blanks = true},
    {.name = "an indentation", .before = "    ", .trims_blanks = true},
    {.name = "an indentation without tabs",
     .before = "    ",
     .encode = as_tabless},
    {.name = "line ends of Windows", .before = "web-1 | ", .after = "\r"},
    {.name = "newest line first", .is_turned = true},
    {.name = "newest line first, timestamps",
     .before = "2026-11-20T14:02:00.%dZ ",
     .is_turned = true},
    {.name = "newest line first, CSV",
     .head = "\"time\",\"host\",\"message\"\n",
     .before = "\"Nov 20, 2026 @ 14:02:00.%d\",\"node-3\",",
     .encode = as_field,
     .is_turned = true},
    {.name = "newest line first, a list of objects",
     .head = "[\n",
     .before = "  {\n    \"insertId\": \"%d\",\n    \"textPayload\": \"",
     .encode = text_add_quoted,
     .after = "\",\n    \"timestamp\": \"2026-11-20T14:02:00.%dZ\"\n  },",
     .tail = "  {}\n]\n",
     .is_turned = true},
    {.name = "newest line first, Loki",
     .head = "{\"data\":{\"result\":[{\"stream\":{\"app\":\"x\"},\"values\":[",
     .before = "[\"17636473%d\",\"",
     .encode = text_add_quoted,
     .after = "\"]",
     .end = ",",
     .tail = "[\"17636473\",\"ready\"]]}]}}\n",
     .is_turned = true},
    {.name = "newest line first, Elasticsearch",
     .head = "{\"took\":3,\"hits\":{\"hits\":[",
     .before = "{\"_id\":\"%d\",\"_source\":{\"message\":\"",
     .encode = text_add_quoted,
     .after = "\",\"log\":{\"offset\":%d}},\"sort\":[%d]}",
     .end = ",",
     .tail = "{\"_id\":\"1\"}]}}\n",
     .is_turned = true},
    {.name = "timestamps around compose around colours",
     .before = "2026-11-20T14:02:00.%dZ web-1 | \x1b[31m",
     .after = "\x1b[0m"},
};

/* Adds a format in which every "%d" is that number. */
static void add_numbered(struct text *out, const char *format, unsigned n)
{
    char number[16];

    snprintf(number, sizeof(number), "%u", n);
    for (const char *at; format && (at = strstr(format, "%d"));
         format = at + 2) {
        text_add(out, format, (size_t)(at - format));
        text_add_string(out, number);
    }
    text_add_string(out, format ? format : "");
}

static void trim_blanks(struct text *out)
{
    while (out->len && out->bytes[out->len - 1] == ' ')
        out->len--;
}

static void wrap_lines(struct text *out, const struct wrapping *wrapping,
                       const char *dump, size_t len)
{
    encode_fn *encode = wrapping->encode ? wrapping->encode : text_add;
    unsigned n = 100;

    for (const char *at = dump; at < dump + len;) {
        const char *end = memchr(at, '\n', (size_t)(dump + len - at));
        size_t length = end ? (size_t)(end - at) : (size_t)(dump + len - at);

        add_numbered(out, wrapping->before, n);
        encode(out, at, length);
        if (!length && wrapping->trims_blanks)
            trim_blanks(out);
        add_numbered(out, wrapping->after, n++);
        text_add_string(out, wrapping->end ? wrapping->end : "\n");
        at += length + 1;
    }
}

static struct text wrap(const struct wrapping *wrapping, const char *dump,
                        size_t len)
{
    struct text out = {0};
    struct text turned = {0};

    text_add_string(&out, wrapping->head ? wrapping->head : "");
    if (wrapping->is_whole) {
        text_add_string(&out, wrapping->before);
        wrapping->encode(&out, dump, len);
        text_add_string(&out, wrapping->after);
    } else {
        if (wrapping->is_turned)
            text_add_turned(&turned, dump, len);
        wrap_lines(&out, wrapping, wrapping->is_turned ? turned.bytes : dump,
                   len);
        free(turned.bytes);
    }
    text_add_string(&out, wrapping->tail ? wrapping->tail : "");
    return out;
}

static void check_wrapping(const struct wrapping *wrapping, const char *dump,
                           size_t step)
{
    size_t len;
    char *bytes = read_file(fixture("%s", dump), &len);
    struct text text = wrap(wrapping, bytes, len);
    struct answer expected = run_json(fixture("%s", dump));
    struct answer answer = run_bytes(text.bytes, text.len, step);
    char what[256];

    snprintf(what, sizeof(what), "%s in %s", dump, wrapping->name);
    assert_same_groups(what, &answer, &expected);
    answer_done(&expected);
    answer_done(&answer);
    free(text.bytes);
    free(bytes);
}

static void every_wrapping_keeps_every_group(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(wrappings); i++) {
        for (size_t j = 0; j < LENGTH(dumps); j++)
            check_wrapping(&wrappings[i], dumps[j], 0);
    }
}

/* Why the process died, which goroutine it was, and what was found. */
static void assert_same_crash(const char *what, const struct answer *answer,
                              const struct answer *expected)
{
    const json_t *snapshots = get_array(answer->json, "snapshots");
    const json_t *others = get_array(expected->json, "snapshots");
    const json_t *crash = get_object(json_array_get(snapshots, 0), "crash");
    const json_t *findings = get_array(answer->json, "findings");

    assert_int_equal(1, json_array_size(snapshots));
    if (!json_equal(crash, get_object(json_array_get(others, 0), "crash")))
        fail_msg("%s: another crash: %s", what, json_dumps(crash, 0));
    if (!json_equal(findings, get_array(expected->json, "findings")))
        fail_msg("%s: other findings: %s", what, json_dumps(findings, 0));
}

static void every_wrapping_keeps_the_crash(void **state)
{
    (void)state;
    for (size_t j = 0; j < LENGTH(crashes); j++) {
        struct answer expected = run_json(fixture("%s", crashes[j]));
        size_t len;
        char *bytes = read_file(fixture("%s", crashes[j]), &len);

        for (size_t i = 0; i < LENGTH(wrappings); i++) {
            struct text text = wrap(&wrappings[i], bytes, len);
            struct answer answer = run_bytes(text.bytes, text.len, 0);
            char what[256];

            snprintf(what, sizeof(what), "%s in %s", crashes[j],
                     wrappings[i].name);
            assert_same_groups(what, &answer, &expected);
            assert_same_crash(what, &answer, &expected);
            answer_done(&answer);
            free(text.bytes);
        }
        answer_done(&expected);
        free(bytes);
    }
}

static void small_reads_change_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(wrappings); i++)
        check_wrapping(&wrappings[i], dumps[3], 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_logs_agree_with_their_truth),
        cmocka_unit_test(a_log_that_lost_its_head_is_read_from_the_next_header),
        cmocka_unit_test(every_wrapping_keeps_every_group),
        cmocka_unit_test(every_wrapping_keeps_the_crash),
        cmocka_unit_test(small_reads_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

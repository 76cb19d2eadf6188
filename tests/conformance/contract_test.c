/* The answer as JSON has the fields of "cprof-leaks/report/v1", each of its
 * type, in every answer. docs/report.schema.json says the same in more words;
 * tests/live/schema.sh holds the answers to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"

#include <cmocka.h>

/* The types a field may have: one letter each. */
enum { TYPES = 8 };
static const struct {
    char letter;
    const char *name;
} type_names[] = {
    {'s', "a text"}, {'i', "a whole number"}, {'n', "a number"},
    {'b', "a bool"}, {'o', "an object"},      {'a', "an array"},
    {'0', "null"},
};

struct field {
    const char *name;
    char types[TYPES];
};

static const struct field report_fields[] = {
    {"schema", "s"},    {"tool", "o"},      {"command", "s"},
    {"verdict", "s"},   {"snapshots", "a"}, {"summary", "o"},
    {"findings", "a"},  {"groups", "a"},    {"diagnostics", "a"},
    {"baseline", "o0"}, {NULL, ""},
};

static const struct field tool_fields[] = {
    {"name", "s"},
    {"version", "s"},
    {NULL, ""},
};

static const struct field snapshot_fields[] = {
    {"source", "s"},    {"format", "s"},      {"profile", "s"},
    {"taken_at", "s0"}, {"go_version", "s0"}, {"declared_total", "i0"},
    {"total", "i"},     {"complete", "b"},    {"max_goroutine_id", "i0"},
    {"instance", "s0"}, {"labels", "o0"},     {NULL, ""},
};

static const struct field summary_fields[] = {
    {"goroutines", "i"}, {"groups", "i"},   {"normal", "i"},
    {"leaked", "i0"},    {"by_state", "o"}, {NULL, ""},
};

static const struct field finding_fields[] = {
    {"accepted", "o0"},  {"not_accepted", "o0"}, {"rule", "s"},
    {"title", "s"},      {"class", "s"},         {"severity", "s"},
    {"confidence", "s"}, {"count", "i"},         {"share", "n"},
    {"age_max_s", "i0"}, {"site", "o0"},         {"groups", "a"},
    {"group_ids", "a"},  {"explain", "s"},       {"cause", "s0"},
    {"advice", "a"},     {"decide", "a"},        {"references", "a"},
    {"growth", "o0"},    {"holder", "o0"},       {NULL, ""},
};

static const struct field place_fields[] = {
    {"function", "s"},
    {"file", "s0"},
    {"line", "i0"},
    {NULL, ""},
};

static const struct field group_fields[] = {
    {"id", "s"},          {"signature", "s"},  {"count", "i"},
    {"share", "n"},       {"state", "s"},      {"state_source", "s"},
    {"class", "s"},       {"leaked", "i0"},    {"locked_to_thread", "i0"},
    {"age_min_s", "i0"},  {"age_max_s", "i0"}, {"goroutine_ids", "a"},
    {"created_by", "o0"}, {"labels", "a"},     {"counts", "a"},
    {"site", "i0"},       {"stack", "a"},      {"elided", "i0"},
    {NULL, ""},
};

static const struct field frame_fields[] = {
    {"function", "s"}, {"file", "s0"}, {"line", "i0"},
    {"address", "s0"}, {NULL, ""},
};

static const struct field label_fields[] = {
    {"key", "s"},
    {"value", "s"},
    {"count", "i"},
    {NULL, ""},
};

static const struct field diagnostic_fields[] = {
    {"severity", "s"}, {"code", "s"},    {"source", "s0"},
    {"line", "i0"},    {"message", "s"}, {NULL, ""},
};

/* The words that a field may be, NULL ends them. */
static const char *const verdicts[] = {"ok",   "info",     "low", "medium",
                                       "high", "critical", NULL};
static const char *const confidences[] = {"low", "medium", "high", "proven",
                                          NULL};
static const char *const sources[] = {"header", "frames", "addresses", "none",
                                      NULL};

static bool is_type(const json_t *value, char letter)
{
    switch (letter) {
    case 's':
        return json_is_string(value);
    case 'i':
        return json_is_integer(value) && json_integer_value(value) >= 0;
    case 'n':
        return json_is_number(value);
    case 'b':
        return json_is_boolean(value);
    case 'o':
        return json_is_object(value);
    case 'a':
        return json_is_array(value);
    default:
        return json_is_null(value);
    }
}

static const char *type_name(char letter)
{
    for (size_t i = 0; i < LENGTH(type_names); i++) {
        if (type_names[i].letter == letter)
            return type_names[i].name;
    }
    return "?";
}

static void check_fields(const char *where, const json_t *object,
                         const struct field *fields)
{
    for (; fields->name; fields++) {
        const json_t *value = json_object_get(object, fields->name);
        bool is_right = false;

        if (!value)
            fail_msg("%s: no '%s'", where, fields->name);
        for (const char *type = fields->types; *type; type++)
            is_right |= is_type(value, *type);
        if (!is_right)
            fail_msg("%s: '%s' is not %s", where, fields->name,
                     type_name(fields->types[0]));
    }
}

static void check_each(const char *where, const json_t *array,
                       const struct field *fields)
{
    for (size_t i = 0; i < json_array_size(array); i++)
        check_fields(where, json_array_get(array, i), fields);
}

static void check_texts(const char *where, const json_t *array)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        if (!json_is_string(json_array_get(array, i)))
            fail_msg("%s: not all are texts", where);
    }
}

static void check_word(const json_t *object, const char *key,
                       const char *const *words)
{
    const char *word = get_text(object, key);

    while (*words && strcmp(*words, word) != 0)
        words++;
    if (!*words)
        fail_msg("%s: '%s'", key, word);
}

static bool is_hex(const char *text, size_t len)
{
    return strlen(text) == len && strspn(text, "0123456789abcdef") == len;
}

static void check_finding(const json_t *finding)
{
    const json_t *site = json_object_get(finding, "site");

    check_fields("finding", finding, finding_fields);
    check_word(finding, "severity", verdicts + 1);
    check_word(finding, "confidence", confidences);
    if (!json_is_null(site))
        check_fields("finding.site", site, place_fields);
    check_texts("finding.groups", get_array(finding, "groups"));
    check_texts("finding.group_ids", get_array(finding, "group_ids"));
    check_texts("finding.advice", get_array(finding, "advice"));
    check_texts("finding.decide", get_array(finding, "decide"));
    check_texts("finding.references", get_array(finding, "references"));
    assert_true(json_array_size(get_array(finding, "group_ids")) > 0);
    assert_true(get_text(finding, "explain")[0] &&
                get_text(finding, "title")[0]);
}

/* Ids rise and are no more than goroutines. */
static void check_ids(const json_t *group)
{
    const json_t *ids = get_array(group, "goroutine_ids");
    long long last = -1;

    if ((long long)json_array_size(ids) > get_number(group, "count"))
        fail_msg("more ids than goroutines");
    for (size_t i = 0; i < json_array_size(ids); i++) {
        long long id = json_integer_value(json_array_get(ids, i));

        assert_true(id > last);
        last = id;
    }
}

static void check_group(const json_t *group, size_t snapshots)
{
    const json_t *creator = json_object_get(group, "created_by");
    const json_t *stack = get_array(group, "stack");

    check_fields("group", group, group_fields);
    check_word(group, "state_source", sources);
    check_each("group.stack", stack, frame_fields);
    check_each("group.labels", get_array(group, "labels"), label_fields);
    if (!json_is_null(creator))
        check_fields("group.created_by", creator, place_fields);
    check_ids(group);
    assert_int_equal(snapshots, json_array_size(get_array(group, "counts")));
    assert_true(is_hex(get_text(group, "id"), 32));
    assert_true(is_hex(get_text(group, "signature"), 32));
    assert_true(number_or(group, "site", -1) <
                (long long)json_array_size(stack));
}

static void check_shares(const json_t *groups, const json_t *findings)
{
    double sum = 0;

    for (size_t i = 0; i < json_array_size(groups); i++)
        sum += json_number_value(
            json_object_get(json_array_get(groups, i), "share"));
    assert_true(sum < 1.001);
    for (size_t i = 0; i < json_array_size(findings); i++) {
        double share = json_number_value(
            json_object_get(json_array_get(findings, i), "share"));

        assert_true(share >= 0 && share <= 1);
    }
}

static void check_ids_are_unique(const json_t *groups)
{
    json_t *seen = json_object();

    for (size_t i = 0; i < json_array_size(groups); i++)
        json_object_set_new(seen, get_text(json_array_get(groups, i), "id"),
                            json_true());
    assert_int_equal(json_array_size(groups), json_object_size(seen));
    json_decref(seen);
}

/* The verdict is the worst severity, and findings are ordered by it. */
static void check_order(const json_t *report)
{
    const json_t *findings = get_array(report, "findings");
    int last = severity_rank("critical");

    for (size_t i = 0; i < json_array_size(findings); i++) {
        int rank =
            severity_rank(get_text(json_array_get(findings, i), "severity"));

        assert_true(rank <= last);
        if (i == 0)
            assert_int_equal(rank, severity_rank(get_text(report, "verdict")));
        last = rank;
    }
    if (json_array_size(findings) == 0)
        assert_string_equal("ok", get_text(report, "verdict"));
}

static void check_report(const json_t *report)
{
    const json_t *snapshots = get_array(report, "snapshots");
    const json_t *findings = get_array(report, "findings");
    const json_t *groups = get_array(report, "groups");
    const json_t *summary = get_object(report, "summary");
    const json_t *by_state = get_object(summary, "by_state");
    const char *word;
    json_t *count;
    long long sum = 0;

    check_fields("report", report, report_fields);
    check_fields("tool", get_object(report, "tool"), tool_fields);
    check_each("snapshot", snapshots, snapshot_fields);
    check_fields("summary", summary, summary_fields);
    check_each("diagnostic", get_array(report, "diagnostics"),
               diagnostic_fields);
    assert_string_equal("cprof-leaks/report/v1", get_text(report, "schema"));
    assert_string_equal("analyze", get_text(report, "command"));
    check_word(report, "verdict", verdicts);
    for (size_t i = 0; i < json_array_size(findings); i++)
        check_finding(json_array_get(findings, i));
    for (size_t i = 0; i < json_array_size(groups); i++)
        check_group(json_array_get(groups, i), json_array_size(snapshots));
    json_object_foreach((json_t *)(uintptr_t)by_state, word, count)
    {
        sum += json_integer_value(count);
    }
    assert_int_equal(get_number(summary, "goroutines"), sum);
    assert_int_equal(get_number(summary, "groups"), json_array_size(groups));
    check_ids_are_unique(groups);
    check_shares(groups, findings);
    check_order(report);
}

static void every_answer_has_every_field(void **state)
{
    for (size_t i = 0; i < corpus()->count; i++) {
        *state = corpus()->dumps[i].name;
        check_report(corpus()->dumps[i].answer.json);
    }
}

/* Which dump was looked at when a check failed. */
static int name_last(void **state)
{
    print_message("# the last one was %s\n", (const char *)*state);
    return 0;
}

static void the_seed_has_every_field_and_its_missing_goroutines(void **state)
{
    struct answer answer = run_json(fixture("seed.debug1.txt"));
    const json_t *finding =
        json_array_get(get_array(answer.json, "findings"), 0);
    const json_t *group = json_array_get(get_array(answer.json, "groups"), 0);
    const json_t *diagnostic =
        json_array_get(get_array(answer.json, "diagnostics"), 0);

    (void)state;
    check_report(answer.json);
    assert_int_equal(1, answer.status);
    assert_string_equal("critical", get_text(finding, "severity"));
    assert_int_equal(97908, get_number(finding, "count"));
    assert_int_equal(172, get_number(get_object(finding, "site"), "line"));
    assert_true(json_number_value(json_object_get(finding, "share")) ==
                0.999816);
    assert_string_equal("chan send", get_text(group, "state"));
    assert_string_equal("addresses", get_text(group, "state_source"));
    assert_int_equal(3,
                     get_number(get_object(answer.json, "summary"), "normal"));
    assert_string_equal("declared-total", get_text(diagnostic, "code"));
    assert_non_null(strstr(get_text(diagnostic, "message"), "15"));
    answer_done(&answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_answer_has_every_field, name_last),
        cmocka_unit_test(the_seed_has_every_field_and_its_missing_goroutines),
    };

    return cmocka_run_group_tests(tests, corpus_setup, corpus_teardown);
}

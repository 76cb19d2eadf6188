/* Files of targets: what Prometheus takes, and where they are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fetch/targets.h"

#include <cmocka.h>

static struct targets targets;
static struct cprof_error error;

static int parse(const char *text)
{
    error = (struct cprof_error){0};
    return targets_parse(&targets, "t.yml", str_from(text), &error);
}

/* Whether a target has a label with that value; NULL = it has none. */
static void label(size_t index, const char *key, const char *value)
{
    const struct target_group *group;

    assert_true(index < targets.count);
    group = &targets.groups[targets.items[index].group];
    if (value)
        assert_string_equal(target_label(group, key), value);
    else
        assert_null(target_label(group, key));
}

static void is(size_t index, const char *address, const char *instance)
{
    assert_true(index < targets.count);
    assert_string_equal(targets.items[index].address, address);
    label(index, "instance", instance);
}

static void yaml_and_json_say_the_same(void **state)
{
    static const char *const texts[] = {
        "- targets: ['a:1', 'b:2']\n  labels:\n    job: api\n"
        "- labels: {instance: canary}\n  targets:\n  - c:3\n",
        "[{\"targets\": [\"a:1\",\"b:2\"], \"labels\": {\"job\":\"api\"}},\n"
        "\t{\"labels\":{\"instance\":\"canary\"},\"targets\":[\"c:3\"]}]\n",
        "---\n# comment\n- {targets: [a:1, b:2]}\n"
        "- {targets: ['c:3'], labels: {instance: canary}}\n...\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_int_equal(parse(texts[i]), 0);
        assert_int_equal(targets.count, 3);
        is(0, "http://a:1", NULL);
        is(1, "http://b:2", NULL);
        is(2, "http://c:3", "canary");
        label(2, "job", NULL);
        targets_done(&targets);
    }
}

static void labels_complete_addresses_that_say_less(void **state)
{
    (void)state;
    assert_int_equal(parse("- labels: {__scheme__: https,"
                           " __profile_path__: /x/debug/pprof/}\n"
                           "  targets: ['a:1', 'b:2/p', 'http://c:3',"
                           " 'unix:/s']\n"),
                     0);
    is(0, "https://a:1/x/debug/pprof/", NULL);
    is(1, "https://b:2/p", NULL);
    is(2, "http://c:3", NULL);
    is(3, "unix:/s", NULL);
    targets_done(&targets);
}

static void what_is_wrong_has_a_place(void **state)
{
    static const struct {
        const char *text;
        unsigned line; /* 0 = the file as a whole */
        const char *says;
    } cases[] = {
        {"", 1, "no targets"},
        {"[]", 0, "names no target"},
        {"- targets: []", 0, "names no target"},
        {"targets: ['a:1']", 1, "list of groups"},
        {"- 'a:1'", 1, "group of targets"},
        {"- labels: {a: b}", 1, "has to have targets"},
        {"- targets: 'a:1'", 1, "have to be a list"},
        {"- targets:\n  - {a: 1}", 2, "has to be a text"},
        {"- targets: ['']", 1, "has to be a text"},
        {"- target: ['a:1']", 1, "targets or labels"},
        {"- targets: ['a:1']\n  labels: [x]", 2, "a mapping"},
        {"- targets: ['a:1']\n  labels: {x: [y]}", 2, "value of a label"},
        {"- targets: ['a:1']\n  labels: {a: b, a: c}", 2, "twice"},
        {"- targets: ['a:1']\n  labels: {__scheme__: ftp}", 2, "http or https"},
        {"- targets: ['a:1']\n  labels: {__profile_path__: p}", 2, "with /"},
        {"- targets: ['a:1', 'b:1']\n  labels: {instance: x}", 1, "several"},
        {"- targets: ['a:1'", 2, ""},
        {"- targets: &x ['a:1']\n- targets: *x", 2, "have to be a list"},
        {"\t- targets", 1, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (parse(cases[i].text) != CPROF_EFORMAT)
            fail_msg("'%s' was taken", cases[i].text);
        assert_string_equal(error.source, "t.yml");
        assert_int_equal(error.line, cases[i].line);
        if (!strstr(error.message, cases[i].says))
            fail_msg("'%s': %s", cases[i].text, error.message);
    }
}

/* The parser of YAML asserts that there is a text. */
static void a_file_of_no_bytes_is_wrong_too(void **state)
{
    (void)state;
    error = (struct cprof_error){0};
    assert_int_equal(targets_parse(&targets, "t.yml", (struct str){0}, &error),
                     CPROF_EFORMAT);
    assert_non_null(strstr(error.message, "there are no targets"));
}

static void depth_ends_at_the_first_bracket_too_many(void **state)
{
    char text[4096];

    (void)state;
    memset(text, '[', sizeof(text));
    assert_int_equal(targets_parse(&targets, "t.yml",
                                   (struct str){text, sizeof(text)}, &error),
                     CPROF_EFORMAT);
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yaml_and_json_say_the_same),
        cmocka_unit_test(labels_complete_addresses_that_say_less),
        cmocka_unit_test(what_is_wrong_has_a_place),
        cmocka_unit_test(a_file_of_no_bytes_is_wrong_too),
        cmocka_unit_test(depth_ends_at_the_first_bracket_too_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A dump that was exported for pprof is read back as what it was. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#include <cmocka.h>

/* What a pprof profile has no place for, and our labels do. */
static const char *const members[] = {
    "signature",    "profile",   "count",     "share",
    "state",        "class",     "rule",      "state_source",
    "leaked",       "age_min_s", "age_max_s", "locked_to_thread",
    "age_median_s", "elided",    "site",      "stack",
    "values",       "created_by"};

/* The group with an id; NULL when there is none. */
static const json_t *find_group(const json_t *groups, const char *id)
{
    const json_t *group;
    size_t i;

    json_array_foreach(groups, i, group)
    {
        if (strcmp(get_text(group, "id"), id) == 0)
            return group;
    }
    return NULL;
}

static void assert_same_group(const char *path, const json_t *one,
                              const json_t *other)
{
    for (size_t i = 0; i < LENGTH(members); i++) {
        const json_t *left = json_object_get(one, members[i]);
        const json_t *right = json_object_get(other, members[i]);

        assert_non_null(left);
        if (!json_equal(left, right))
            fail_msg("%s: '%s' of group %s is another after its export", path,
                     members[i], get_text(one, "id"));
    }
}

static struct answer read_back(const char *path)
{
    const char *arguments[] = {"export", "-q", "--to", "pprof", path, NULL};
    struct answer exported = run(NULL, arguments);
    struct answer answer;

    if (exported.status != 0)
        fail_msg("%s: %s", path, exported.error);
    answer = run_bytes(exported.text, exported.len, 0);
    answer_done(&exported);
    return answer;
}

static void check_file(const char *path)
{
    struct answer before = run_json(path);
    struct answer after = read_back(path);
    const json_t *groups = get_array(before.json, "groups");
    const json_t *others = get_array(after.json, "groups");
    const json_t *group;
    size_t i;

    assert_int_equal(json_array_size(groups), json_array_size(others));
    assert_string_equal(get_text(before.json, "verdict"),
                        get_text(after.json, "verdict"));
    json_array_foreach(groups, i, group)
    {
        const json_t *other = find_group(others, get_text(group, "id"));

        if (!other)
            fail_msg("%s: group %s is lost", path, get_text(group, "id"));
        assert_same_group(path, group, other);
    }
    answer_done(&before);
    answer_done(&after);
}

/* Counts of which the declared total is larger than what is there have other
 * shares. */
static void an_export_is_read_back_as_what_it_was(void **state)
{
    static const char *const patterns[] = {
        "corpus/*/*/*.debug0.pb.gz",
        "corpus/*/*/*.debug1.txt",
        "corpus/*/*/*.debug2.txt",
    };
    size_t files = 0;

    (void)state;
    for (size_t i = 0; i < LENGTH(patterns); i++) {
        glob_t found = {0};

        glob(fixture("%s", patterns[i]), 0, NULL, &found);
        for (size_t j = 0; j < found.gl_pathc; j++, files++)
            check_file(found.gl_pathv[j]);
        globfree(&found);
    }
    assert_true(files > 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_export_is_read_back_as_what_it_was),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

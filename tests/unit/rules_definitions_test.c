#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "support/loading.h"

#include <cmocka.h>

static struct loading loading;

static int set_up(void **state)
{
    (void)state;
    loading_init(&loading);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    loading_done(&loading);
    return 0;
}

/* A file with a rule that matches PATTERN, behind what it defines. */
#define USING(definitions, pattern)                                            \
 "version: 1\n" definitions "rules:\n- id: a\n  title: T\n  match: {any: "     \
 "'" pattern "'}\n  when: [{severity: low}]\n"

/* The first pattern of rule a, as it is compiled. */
static const char *pattern_of_a(void)
{
    const struct rule *rule = loading_rule(&loading, "a");

    assert_int_equal(rule->match.any.count, 1);
    return pattern_expression(rule->match.any.items[0]).ptr;
}

static void a_list_stands_for_one_of_its_items(void **state)
{
    (void)state;
    assert_string_equal(
        loading_check(&loading, USING("lists: {l: ['^x', 'y$']}\n", "p${l}q")),
        "");
    assert_string_equal(pattern_of_a(), "p(?:^x|y$)q");
}

static void a_macro_stands_for_its_text(void **state)
{
    (void)state;
    assert_string_equal(
        loading_check(&loading,
                      USING("macros: {v: '(?:/v\\d+)?'}\n", "^a${v}\\.F$")),
        "");
    assert_string_equal(pattern_of_a(), "^a(?:(?:/v\\d+)?)\\.F$");
}

static void definitions_use_each_other_in_any_order(void **state)
{
    (void)state;
    assert_string_equal(
        loading_check(&loading, USING("lists: {l: ['a${m}', 'b']}\n"
                                      "macros: {m: 'x${n}', n: 'y'}\n",
                                      "${l}")),
        "");
    assert_string_equal(pattern_of_a(), "(?:a(?:x(?:y))|b)");
}

static void keys_of_a_file_may_stand_in_any_order(void **state)
{
    (void)state;
    assert_string_equal(
        loading_check(&loading,
                      "rules:\n- id: a\n  title: T\n  match: {any: '${m}x'}\n"
                      "  when: [{severity: low}]\nmacros: {m: 'q'}\n"
                      "version: 1\n"),
        "");
    assert_string_equal(pattern_of_a(), "(?:q)x");
}

static void later_files_know_the_names_of_earlier_ones(void **state)
{
    (void)state;
    assert_string_equal(
        loading_check(&loading, "version: 1\nmacros: {m: 'q'}\n"), "");
    assert_string_equal(loading_check(&loading, USING("", "${m}x")), "");
    assert_string_equal(pattern_of_a(), "(?:q)x");
}

static void a_file_may_give_a_name_its_own_meaning(void **state)
{
    (void)state;
    loading_check(&loading, "version: 1\nmacros: {m: 'q'}\n");
    assert_string_equal(
        loading_check(&loading, USING("macros: {m: 'r'}\n", "${m}x")), "");
    assert_string_equal(pattern_of_a(), "(?:r)x");
}

static void a_file_that_is_refused_defines_nothing(void **state)
{
    (void)state;
    assert_int_equal(rules_load_text(loading.rules, "bad.yaml",
                                     STR("version: 2\nmacros: {m: 'q'}\n"),
                                     &loading.err),
                     CPROF_ERULE);
    assert_string_equal(loading_check(&loading, USING("", "${m}x")),
                        "5:17 unknown list or macro 'm'; define it under "
                        "'lists' or 'macros'\n");
}

static void an_unknown_name_is_shown_with_the_nearest(void **state)
{
    (void)state;
    assert_string_equal(
        loading_check(&loading, USING("lists: {pools: ['a']}\n", "x${pool}")),
        "6:18 unknown list or macro 'pool' (did you mean 'pools'?)\n");
}

static void a_circle_is_named_and_ends(void **state)
{
    (void)state;
    assert_string_equal(
        loading_check(&loading,
                      USING("macros: {m: 'x${n}', n: 'y${m}'}\n", "${m}")),
        "2:27 'm' is made of itself: it uses a name that uses it\n");
    assert_int_equal(rules_count(loading.rules), 0);
}

static void a_wrong_definition_is_said_once(void **state)
{
    (void)state;
    assert_string_equal(
        loading_check(&loading, USING("macros: {m: 'x('}\n", "${m}")),
        "2:16 bad regular expression: missing closing parenthesis; write \\( "
        "for the parenthesis itself\n");
}

static void a_dollar_that_is_escaped_is_a_dollar(void **state)
{
    (void)state;
    assert_string_equal(loading_check(&loading, USING("", "a\\${2}b")), "");
    assert_string_equal(pattern_of_a(), "a\\${2}b");
}

static void wrong_forms_are_refused(void **state)
{
    (void)state;
    assert_string_equal(
        loading_check(&loading, "version: 1\nlists: {a: b}\nmacros: [x]\n"),
        "2:12 'a' must be a list of patterns, not a text\n"
        "3:9 'macros' must be a mapping such as {pool: '^a'}, not a list\n");
    assert_string_equal(
        loading_check(&loading, "version: 1\nlists: {A: [b], c: []}\n"
                                "macros: {l: x}\n"),
        "2:9 the name 'A' may hold only a-z, 0-9 and '_'\n"
        "2:20 'c' must be a list of patterns, not an empty one\n");
    assert_string_equal(loading_check(&loading, "version: 1\nlists: {a: [b]}\n"
                                                "macros: {a: x}\n"),
                        "3:10 'a' is defined twice (first on line 2)\n");
    assert_string_equal(
        loading_check(&loading, USING("", "${x")),
        "5:17 '${' begins the name of a list or macro, such as ${pools}; write "
        "\\$\\{ for the bare characters\n");
}

static void names_within_names_cannot_grow_without_end(void **state)
{
    struct buf text = {0};

    (void)state;
    buf_add(&text, STR("version: 1\nmacros:\n  m0: 'xxxxxxxxxxxxxxxx'\n"));
    for (int i = 1; i < 12; i++)
        buf_addf(&text, "  m%d: '${m%d}${m%d}${m%d}${m%d}'\n", i, i - 1, i - 1,
                 i - 1, i - 1);
    assert_string_equal(loading_check(&loading, text.ptr),
                        "7:7 with all names replaced this is longer than 4096 "
                        "bytes\n");
    buf_clear(&text);
    buf_add(&text, STR("version: 1\nmacros:\n"));
    for (int i = 0; i < 40; i++)
        buf_addf(&text, "  m%d: 'x${m%d}'\n", i, i + 1);
    buf_add(&text, STR("  m40: 'y'\n"));
    assert_string_equal(loading_check(&loading, text.ptr),
                        "19:3 names within names, more than 16 deep\n"
                        "36:3 names within names, more than 16 deep\n");
    buf_done(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_list_stands_for_one_of_its_items),
        TEST(a_macro_stands_for_its_text),
        TEST(definitions_use_each_other_in_any_order),
        TEST(keys_of_a_file_may_stand_in_any_order),
        TEST(later_files_know_the_names_of_earlier_ones),
        TEST(a_file_may_give_a_name_its_own_meaning),
        TEST(a_file_that_is_refused_defines_nothing),
        TEST(an_unknown_name_is_shown_with_the_nearest),
        TEST(a_circle_is_named_and_ends),
        TEST(a_wrong_definition_is_said_once),
        TEST(a_dollar_that_is_escaped_is_a_dollar),
        TEST(wrong_forms_are_refused),
        TEST(names_within_names_cannot_grow_without_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

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

#define GOOD "- {id: good, title: T, when: [{severity: low}]}\n"

static void all_mistakes_are_found_in_order_of_place(void **state)
{
    (void)state;
    assert_string_equal(
        loading_check(
            &loading,
            "version: 2\n"
            "rules:\n"
            "- id: A b\n"
            "  match: {leav: x, state: [chan sedn, select, sleeep], any: ['(', "
            "ok, '[']}\n"
            "  when: [{severity: hihg, count: 100}, {count: '>=1'}]\n"
            "  references: [here, 'https://x', there]\n" GOOD
            "- {id: good, title: T}\n"
            "lsits: {}\n"),
        "1:10 this program knows 'version: 1' of rule files only\n"
        "3:3 a rule needs a key 'title'\n"
        "3:7 rule id 'A b' may hold only a-z, 0-9 and '-', such as 'a-b'\n"
        "4:11 unknown key 'leav' (did you mean 'leaf'?)\n"
        "4:28 unknown state 'chan sedn' (did you mean 'chan send'?)\n"
        "4:47 unknown state 'sleeep' (did you mean 'sleep'?)\n"
        "4:64 bad regular expression: missing closing parenthesis; write \\( "
        "for the parenthesis itself\n"
        "4:73 bad regular expression: missing terminating ] for character "
        "class\n"
        "5:21 unknown severity 'hihg' (did you mean 'high'?)\n"
        "5:34 'count' needs a comparison: write \">=100\", or >, <=, < or == "
        "in front of it\n"
        "5:41 a tier of 'when' needs a key 'severity'\n"
        "6:16 'here' is no http or https address\n"
        "6:35 'there' is no http or https address\n"
        "8:8 rule id 'good' is already used by r.yaml:7; 'override' changes a "
        "rule\n"
        "9:1 unknown key 'lsits' (did you mean 'lists'?)\n");
    assert_int_equal(rules_count(loading.rules), 1);
    assert_string_equal(loading_rule(&loading, "good")->info.title.ptr, "T");
}

static void loading_stops_with_the_first_and_counts_the_others(void **state)
{
    (void)state;
    assert_int_equal(rules_load_text(loading.rules, "r.yaml",
                                     STR("version: 1\nrules:\n"
                                         "- {id: a, title: T, wehn: 1}\n"
                                         "- {id: b, titel: T}\n"),
                                     &loading.err),
                     CPROF_ERULE);
    assert_int_equal(loading.err.line, 3);
    assert_string_equal(loading.err.message,
                        "unknown key 'wehn' (did you mean 'when'?)");
    assert_string_equal(
        loading.err.detail,
        "    3 | - {id: a, title: T, wehn: 1}\n"
        "      |                     ^~~~\n"
        "and 1 more; 'cprof-leaks rules check r.yaml' shows all");
    assert_int_equal(rules_count(loading.rules), 0);
}

static void of_one_file_so_many_are_kept_and_all_are_counted(void **state)
{
    struct buf text = {0};

    (void)state;
    buf_add(&text, STR("version: 1\nrules:\n"));
    for (int i = 0; i < 70; i++)
        buf_add(&text, STR("- {id: a, title: T, wehn: 1}\n"));
    for (int file = 1; file < 3; file++) {
        assert_int_equal(rules_check_text(loading.rules, "r.yaml",
                                          buf_str(&text), &loading.problems,
                                          &loading.err),
                         0);
        assert_int_equal(loading.problems.count, file * PROBLEMS_MOST);
        assert_int_equal(loading.problems.n_errors, file * 70);
        assert_int_equal(problems_lost(&loading.problems),
                         file * (70 - PROBLEMS_MOST));
    }
    buf_done(&text);
}

static void yaml_that_cannot_be_read_is_one_problem(void **state)
{
    (void)state;
    assert_string_equal(loading_check(&loading, "version: 1\nrules: [a\n"),
                        "2:8 this '[' is never closed\n");
}

static void a_file_may_need_a_newer_program(void **state)
{
    (void)state;
    assert_string_equal(
        loading_check(&loading, "version: 1\nrequires: '>=0.1'\nrules:\n" GOOD),
        "");
    assert_non_null(strstr(
        loading_check(&loading, "version: 1\nrequires: '>=99.1'\nmacros: {}\n"),
        "2:11 this file needs cprof-leaks 99.1 or newer; this is "));
    assert_non_null(strstr(
        loading_check(&loading, "version: 1\nrequires: '0.1'\nmacros: {}\n"),
        "2:11 'requires' must be a version of this program such as "));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_mistakes_are_found_in_order_of_place),
        TEST(loading_stops_with_the_first_and_counts_the_others),
        TEST(of_one_file_so_many_are_kept_and_all_are_counted),
        TEST(yaml_that_cannot_be_read_is_one_problem),
        TEST(a_file_may_need_a_newer_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "rules/rule_test.h"
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

#define RULES "version: 1\nrules:\n"

/* A rule of an earlier file. */
#define BASE                                                                   \
 RULES "- id: a\n  title: T\n  match: {state: select}\n"                       \
       "  when: [{severity: low, count: '>=10'}]\n  advice: [one]\n"           \
       "  exceptions: [{name: e, any: x}]\n"

static const struct rule *check_over(const char *patch)
{
    assert_string_equal(loading_check(&loading, BASE), "");
    assert_string_equal(loading_check(&loading, patch), "");
    return loading_rule(&loading, "a");
}

static void keys_that_are_named_are_replaced(void **state)
{
    const struct rule *rule =
        check_over(RULES "- id: a\n  override: {when: replace, title: "
                         "replace, go: replace}\n  title: U\n"
                         "  go: '>=1.21'\n"
                         "  when: [{severity: high}]\n");

    (void)state;
    assert_int_equal(rules_count(loading.rules), 1);
    assert_string_equal(rule->info.title.ptr, "U");
    assert_int_equal(rule->when.count, 1);
    assert_int_equal(rule->when.items[0].severity, CPROF_SEVERITY_HIGH);
    assert_string_equal(rule->go_text.ptr, ">=1.21");
    assert_int_equal(rule->info.advice.count, 1);
    assert_int_equal(rule->match.states, (state_set)1 << STATE_SELECT);
    assert_string_equal(rule->overridden->info.title.ptr, "T");
}

static void lists_are_appended_to(void **state)
{
    const struct rule *rule = check_over(
        RULES "- id: a\n  override: {when: append, advice: append, "
              "exceptions: append, tests: append}\n"
              "  when: [{severity: info}]\n  advice: [two, three]\n"
              "  exceptions: [{name: f, any: y}]\n"
              "  tests: [{name: t, expect: [], stacks: [{state: select, "
              "frames: [f]}]}]\n");

    (void)state;
    assert_int_equal(rule->when.count, 2);
    assert_int_equal(rule->when.items[0].severity, CPROF_SEVERITY_LOW);
    assert_int_equal(rule->when.items[1].severity, CPROF_SEVERITY_INFO);
    assert_int_equal(rule->info.advice.count, 3);
    assert_string_equal(rule->info.advice.items[2].ptr, "three");
    assert_string_equal(rule->exceptions->name.ptr, "e");
    assert_string_equal(rule->exceptions->next->name.ptr, "f");
    assert_null(rule->overridden->exceptions->next);
    assert_string_equal(rule->tests->name.ptr, "t");
    assert_null(rule->overridden->tests);
}

static void a_match_is_replaced_with_what_follows_from_it(void **state)
{
    const struct rule *rule =
        check_over(RULES "- id: a\n  override: {match: replace}\n"
                         "  match: {leaf: '^x'}\n");

    (void)state;
    assert_int_equal(rule->match.states, 0);
    assert_int_equal(rule->specificity, MATCHES_NAMES);
    assert_int_equal(rule->overridden->specificity, MATCHES_STATE);
}

static void rules_are_switched_off_by_id(void **state)
{
    (void)state;
    loading_check(&loading, BASE);
    assert_string_equal(loading_check(&loading, "version: 1\ndisable: [a]\n"),
                        "");
    assert_false(rule_is_enabled(loading_rule(&loading, "a")));
    assert_string_equal(
        loading_check(&loading, "version: 1\ndisable: [a, chan]\n"),
        "2:14 there is no rule 'chan' to disable\n");
}

static void a_rule_may_be_switched_off_where_it_stands(void **state)
{
    (void)state;
    loading_check(&loading, RULES "- {id: a, title: T, enabled: false, when: "
                                  "[{severity: low}]}\n");
    assert_false(rule_is_enabled(loading_rule(&loading, "a")));
    assert_string_equal(loading_check(&loading,
                                      RULES "- {id: a, override: {enabled: "
                                            "replace}, enabled: true}\n"),
                        "");
    assert_true(rule_is_enabled(loading_rule(&loading, "a")));
}

static void a_file_that_is_refused_leaves_no_trace(void **state)
{
    (void)state;
    loading_check(&loading, BASE);
    assert_int_equal(
        rules_load_text(loading.rules, "bad.yaml",
                        STR("version: 1\ndisable: [a]\nrules:\n"
                            "- {id: a, override: {title: replace}, title: "
                            "U}\n- {id: b, title: T}\n"),
                        &loading.err),
        CPROF_ERULE);
    assert_int_equal(rules_count(loading.rules), 1);
    assert_string_equal(loading_rule(&loading, "a")->info.title.ptr, "T");
    assert_true(rule_is_enabled(loading_rule(&loading, "a")));
    assert_null(loading_rule(&loading, "a")->overridden);
}

static void mistakes_say_what_to_change(void **state)
{
    static const struct {
        const char *patch;
        const char *problems;
    } wrongs[] = {
        {"- {id: b, override: {when: replace}, when: [{severity: low}]}\n",
         "3:8 there is no rule 'b' to override (did you mean 'a'?)\n"},
        {"- {id: a, override: {}}\n",
         "3:21 'override' must be a mapping such as {when: replace, advice: "
         "append}, not an empty one\n"},
        {"- {id: a, override: {when: replace}}\n",
         "3:22 'override' names 'when', but the rule does not give it\n"},
        {"- {id: a, override: {title: replace}, title: U, cause: C}\n",
         "3:49 'cause' is given, but 'override' does not say whether to "
         "replace or append it\n"},
        {"- {id: a, override: {title: append}, title: U}\n",
         "3:29 'title' can only be replaced\n"},
        {"- {id: a, override: {title: change}, title: U}\n",
         "3:29 'title' must be replace or append, not 'change'\n"},
        {"- {id: a, override: {titel: replace, title: replace}, title: U}\n",
         "3:22 'override' names an unknown key 'titel' (did you mean "
         "'title'?)\n"},
        {"- {id: a, override: {id: replace}}\n",
         "3:22 'override' cannot change a key 'id'\n"},
        {"- {id: a, override: {class: replace}, class: normal}\n",
         "3:11 a rule of class normal has no 'when'; the rule could be "
         "disabled and another one written\n"},
    };
    struct buf text = {0};

    (void)state;
    loading_check(&loading, BASE);
    for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
        buf_clear(&text);
        buf_addf(&text, RULES "%s", wrongs[i].patch);
        assert_string_equal(loading_check(&loading, text.ptr),
                            wrongs[i].problems);
        assert_null(loading_rule(&loading, "a")->overridden);
    }
    buf_done(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(keys_that_are_named_are_replaced),
        TEST(lists_are_appended_to),
        TEST(a_match_is_replaced_with_what_follows_from_it),
        TEST(rules_are_switched_off_by_id),
        TEST(a_rule_may_be_switched_off_where_it_stands),
        TEST(a_file_that_is_refused_leaves_no_trace),
        TEST(mistakes_say_what_to_change),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

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

/* What lint says of a rule with these lines, the first of which is line 5 of
 * its file. */
static const char *lint(const char *lines)
{
    struct buf text = {0};

    tear_down(NULL);
    loading_init(&loading);
    buf_addf(&text, "version: 1\nrules:\n- id: a\n  title: T\n%s", lines);
    assert_string_equal(loading_check(&loading, text.ptr), "");
    buf_done(&text);
    return loading_lint(&loading);
}

#define WHEN "  when: [{severity: low}]\n"

static void a_good_rule_is_left_alone(void **state)
{
    (void)state;
    assert_string_equal(
        lint("  class: bad\n"
             "  match: {leaf: '^net/http\\.\\(\\*conn\\)\\.serve$', "
             "created_by: 'x', not: {created_by: '.'}, file: '/vendor/'}\n"
             "  needs: debug2\n"
             "  when:\n  - {severity: high, count: '>=10', age: '>=1m'}\n"
             "  - {severity: low, count: '>=5'}\n"
             "  - {severity: info, share: '>=50%'}\n"
             "  advice: do\n  references: https://x\n"),
        "");
}

static void a_tier_behind_one_that_holds_too_is_never_reached(void **state)
{
    static const struct {
        const char *first;
        const char *second;
        bool is_hidden;
    } cases[] = {
        {"", ", count: '>=1'", true},
        {", count: '>=10'", ", count: '>=10'", true},
        {", count: '>=10'", ", count: '>9'", false},
        {", count: '>10'", ", count: '>=10'", false},
        {", count: '>10'", ", count: '>=11'", true},
        {", count: '>10'", ", count: '==11'", true},
        {", count: '>10'", ", count: '==10'", false},
        {", count: '>=10'", ", count: '<=20'", false},
        {", count: '<=10'", ", count: '<10'", true},
        {", count: '<10'", ", count: '<=10'", false},
        {", count: '==10'", ", count: '==10'", true},
        {", count: '==10'", ", count: '>=10'", false},
        {", count: '>=10'", ", count: '>=10', age: '>=1m'", true},
        {", count: '>=10', age: '>=1m'", ", count: '>=10'", false},
        {", ratio_to: {rule: a1, value: '>=1'}",
         ", ratio_to: {rule: a2, value: '>=2'}", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf lines = {0};

        buf_addf(&lines,
                 "  when:\n  - {severity: high%s}\n  - {severity: low%s}\n",
                 cases[i].first, cases[i].second);
        if (cases[i].is_hidden !=
            (strstr(lint(lines.ptr), "warning 7:5 this tier is never reached: "
                                     "whenever it holds, tier 1 holds too and "
                                     "comes first\n") != NULL))
            fail_msg("case %zu: %s", i, loading.out.ptr);
        buf_done(&lines);
    }
}

static void a_rule_should_be_heard_on_every_dump(void **state)
{
    (void)state;
    assert_string_equal(
        lint("  when: [{severity: high, growth: low}]\n"),
        "warning 5:10 one dump never reaches a tier: all ask for growth, slope "
        "or survivors; add one that does not\n");
    assert_string_equal(
        lint("  when: [{severity: high, age: '>=1m'}]\n"),
        "warning 5:10 a debug=1 dump never reaches a tier: it tells no ages "
        "and no ids; add a tier without, or say 'needs: debug2'\n");
    assert_string_equal(
        lint("  match: {created_by: x}\n" WHEN),
        "warning 5:3 only debug=2 tells 'created_by' and 'locked', so a "
        "debug=1 dump never matches; say 'needs: debug2' if that is meant\n");
    assert_string_equal(
        lint("  needs: debug2\n" WHEN),
        "warning 3:3 'needs: debug2' is said, but debug=1 tells all that the "
        "rule asks for\n");
    assert_string_equal(
        lint("  needs: debug2\n  when: [{severity: high, age: '>=1m'}]\n"), "");
}

static void patterns_that_run_away_are_named(void **state)
{
    static const char *const bad[] = {"(a+)+$", "^(?:\\w+)*x", "(x*y*)*z",
                                      "(?:a|b+)+c", "^(a{1,}){2,}$"};
    static const char *const good[] = {"a(?:/v\\d+)?$", "^(?:\\w+\\.)+x$",
                                       "a.*b.*c", "^(?:ab)+c", "\\(a+\\)+x"};
    struct buf lines = {0};

    (void)state;
    for (size_t i = 0; i < 10; i++) {
        buf_clear(&lines);
        buf_addf(&lines, "  match: {leaf: '%s'}\n" WHEN,
                 i < 5 ? bad[i] : good[i - 5]);
        if ((i < 5) != (strstr(lint(lines.ptr), "run away") != NULL))
            fail_msg("%s%s", lines.ptr, loading.out.ptr);
    }
    buf_done(&lines);
}

static void patterns_that_say_nothing_are_named(void **state)
{
    (void)state;
    assert_string_equal(
        lint("  match: {any: ['.', x], not: {leaf: '.+'}}\n" WHEN),
        "warning 5:17 this matches every name; leave it out\n"
        "warning 5:38 this matches every name, so 'not' excludes everything\n");
}

static void patterns_that_no_name_matches_are_named(void **state)
{
    static const struct {
        const char *pattern;
        const char *message;
    } cases[] = {
        {"sql\\.(\\*DB)\\.conn", "these parentheses make a group"},
        {"main\\.run main", "no name of a function holds a blank"},
        {"a/vendor/b", "folders up to /vendor/ are cut"},
        {"gopkg%2ein", "names are matched decoded"},
        {"main\\.f\\(0x1", "arguments are not part of a name"},
        {"main\\.go:12", "this looks like a place"},
        {"^net/http.Get$", "a '.' matches any character"},
        {"^sql.\\(\\*DB", "a '.' matches any character"},
    };
    struct buf lines = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        buf_clear(&lines);
        buf_addf(&lines, "  match: {leaf: '%s'}\n" WHEN, cases[i].pattern);
        if (!strstr(lint(lines.ptr), cases[i].message))
            fail_msg("%s%s", lines.ptr, loading.out.ptr);
    }
    assert_string_equal(
        lint("  match: {leaf: 'a\\.b', any: 'x.*y|z.+'}\n" WHEN), "");
    buf_done(&lines);
}

static void references_must_lead_somewhere(void **state)
{
    (void)state;
    assert_string_equal(
        lint("  with: {any_of: [bb, a]}\n" WHEN "- id: b\n  title: T\n" WHEN),
        "5:19 there is no rule 'bb' (did you mean 'b'?)\n"
        "5:23 a rule cannot depend on itself\n");
    assert_string_equal(
        lint("  with: {any_of: b}\n" WHEN "- id: b\n  title: T\n"
             "  when: [{severity: low, ratio_to: {rule: c, value: '>=1'}}, "
             "{severity: info}]\n"
             "- id: c\n  title: T\n  with: {none_of: a}\n" WHEN),
        "5:18 'b' depends on this rule in turn, so neither can be found "
        "first\n"
        "9:43 'c' depends on this rule in turn, so neither can be found "
        "first\n"
        "12:19 'a' depends on this rule in turn, so neither can be found "
        "first\n");
    assert_string_equal(lint("  with: {any_of: b}\n" WHEN
                             "- id: b\n  title: T\n  enabled: false\n" WHEN),
                        "warning 5:18 rule 'b' is switched off, so it is never "
                        "found\n");
}

static void a_rule_that_is_wrong_is_there_for_others(void **state)
{
    (void)state;
    assert_string_equal(
        loading_check(&loading,
                      "version: 1\nrules:\n- id: a\n  title: T\n"
                      "  with: {any_of: b}\n" WHEN "- id: b\n  title: T\n"),
        "7:3 a rule needs a key 'when' (unless its class is normal)\n");
    assert_string_equal(loading_lint(&loading), "");
}

static void people_need_advice_and_tests_both_kinds(void **state)
{
    (void)state;
    assert_string_equal(
        lint("  class: bad\n" WHEN),
        "warning 3:3 a rule of class bad should say what to do, under "
        "'advice'\n"
        "warning 3:3 a rule of class bad should have 'references': where "
        "others met it, or what documents it\n");
    assert_string_equal(
        lint(WHEN "  tests: [{name: t, expect: [{rule: b}], stacks: [{state: "
                  "select, frames: [f]}]}]\n"),
        "6:30 a test expects a rule 'b', which does not exist (did you mean "
        "'a'?)\n");
}

/* How many problems say that a stable rule needs tests. */
static size_t count_untested(const char *rest)
{
    struct buf text = {0};
    size_t count;

    tear_down(NULL);
    loading_init(&loading);
    buf_addf(&text, "version: 1\nrules:\n- id: a\n  title: T\n" WHEN "%s",
             rest);
    assert_string_equal(loading_check(&loading, text.ptr), "");
    assert_int_equal(
        rules_lint(loading.rules, false, &loading.problems, &loading.err), 0);
    count = loading.problems.n_warnings;
    buf_done(&text);
    return count;
}

static void a_stable_rule_needs_tests_of_both_kinds(void **state)
{
#define STACKS "stacks: [{state: select, frames: [f]}]"

    (void)state;
    assert_int_equal(count_untested(""), 1);
    assert_int_equal(count_untested("  status: experimental\n"), 0);
    assert_int_equal(
        count_untested("  tests: [{name: t, expect: [], " STACKS "}]\n"), 1);
    assert_int_equal(
        count_untested("  tests: [{name: t, expect: [{}], " STACKS "}]\n"), 1);
    assert_int_equal(count_untested("  tests: [{name: t, expect: [], " STACKS
                                    "}, {name: u, expect: [{count: 1}], " STACKS
                                    "}]\n"),
                     0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_good_rule_is_left_alone),
        TEST(a_tier_behind_one_that_holds_too_is_never_reached),
        TEST(a_rule_should_be_heard_on_every_dump),
        TEST(patterns_that_run_away_are_named),
        TEST(patterns_that_say_nothing_are_named),
        TEST(patterns_that_no_name_matches_are_named),
        TEST(references_must_lead_somewhere),
        TEST(a_rule_that_is_wrong_is_there_for_others),
        TEST(people_need_advice_and_tests_both_kinds),
        TEST(a_stable_rule_needs_tests_of_both_kinds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

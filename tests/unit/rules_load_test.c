#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "rules/rules.h"

#include <cmocka.h>

static struct budget budget;
static struct rules *rules;
static struct cprof_error err;

static int set_up(void **state)
{
    (void)state;
    budget_init(&budget, 0);
    err = (struct cprof_error){0};
    return rules_new(&rules, &budget, &err);
}

static int tear_down(void **state)
{
    (void)state;
    rules_free(rules);
    assert_int_equal(budget.used, 0);
    return 0;
}

static int load(const char *text)
{
    return rules_load_text(rules, "r.yaml", str_from(text), &err);
}

/* A rule file that is wrong, and what is said about it. */
struct wrong {
    const char *text;
    uint64_t line;
    uint64_t column;
    const char *message;
};

static void check(const struct wrong *wrong)
{
    int code = load(wrong->text);

    if (code != CPROF_ERULE || err.line != wrong->line ||
        err.column != wrong->column ||
        !str_equal(str_from(err.message), str_from(wrong->message)))
        fail_msg("%s\nexpected %d:%llu:%llu: %s\n     got %d:%llu:%llu: %s",
                 wrong->text, CPROF_ERULE, (unsigned long long)wrong->line,
                 (unsigned long long)wrong->column, wrong->message, code,
                 (unsigned long long)err.line, (unsigned long long)err.column,
                 err.message);
    assert_string_equal(err.source, "r.yaml");
    assert_non_null(strchr(err.detail, '^'));
    assert_int_equal(rules_count(rules), 0);
}

static void check_all(const struct wrong *wrongs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        check(&wrongs[i]);
}

#define CHECK(wrongs) check_all(wrongs, sizeof(wrongs) / sizeof((wrongs)[0]))

/* A rule begun; what is wrong with it stands on line 5 or later. */
#define HEAD "version: 1\nrules:\n- id: a\n  title: T\n"
#define WHEN "  when: [{severity: low}]\n"

static void wrong_keys_are_named_with_the_right_ones(void **state)
{
    static const struct wrong wrongs[] = {
        {HEAD WHEN "  match: {leav: x}\n", 6, 11,
         "unknown key 'leav' (did you mean 'leaf'?)"},
        {HEAD WHEN "  mach: {leaf: x}\n", 6, 3,
         "unknown key 'mach' (did you mean 'match'?)"},
        {HEAD WHEN "  leaf: x\n", 6, 3,
         "unknown key 'leaf' in a rule; it belongs in 'match'"},
        {HEAD "  when: [{severity: low, site: x}]\n", 5, 26,
         "unknown key 'site' in a tier of 'when'; it belongs in 'match'"},
        {HEAD WHEN "  severity: low\n", 6, 3,
         "unknown key 'severity' in a rule; it belongs in a tier of 'when'"},
        {HEAD WHEN "  match: {not: {not: {leaf: x}}}\n", 6, 17,
         "unknown key 'not' in 'not'; it belongs in 'match'"},
        {"version: 1\nrule:\n- id: a\n", 2, 1,
         "unknown key 'rule' (did you mean 'rules'?)"},
        {"version: 1\nfoo: {}\nrules: [{id: a, title: T, class: normal, match: "
         "{leaf: x}}]\n",
         2, 1,
         "unknown key 'foo' in a rule file, which knows version, requires, "
         "lists, macros, disable, rules"},
        {HEAD "  when: [{severity: low, frob: 1}]\n", 5, 26,
         "unknown key 'frob' in a tier of 'when', which knows severity, "
         "count, share, waiters, rank, age, age_p50, growth, slope, survivors, "
         "ids_old, ratio_to"},
        {HEAD WHEN "  title: U\n", 6, 3,
         "key 'title' is given twice (first on line 4)"},
        {HEAD WHEN "  match: {leaf: x, leaf: y}\n", 6, 20,
         "key 'leaf' is given twice (first on line 6)"},
        {HEAD WHEN "  match: {labels: {a: x, b: y, a: z}}\n", 6, 32,
         "label 'a' is given twice"},
    };

    (void)state;
    CHECK(wrongs);
}

static void missing_keys_are_named(void **state)
{
    static const struct wrong wrongs[] = {
        {"version: 1\nrules:\n- title: T\n" WHEN, 3, 3,
         "a rule needs a key 'id'"},
        {"version: 1\nrules:\n- id: a\n" WHEN, 3, 3,
         "a rule needs a key 'title'"},
        {HEAD, 3, 3, "a rule needs a key 'when' (unless its class is normal)"},
        {HEAD "  when: [{count: '>=10'}]\n", 5, 11,
         "a tier of 'when' needs a key 'severity'"},
        {"rules:\n- id: a\n", 1, 1, "a rule file needs a key 'version'"},
        {"version: 1\n", 1, 1, "a rule file needs a key 'rules'"},
        {"version: 1\nrules:\n- {}\n", 3, 3, "a rule needs a key 'id'"},
    };

    (void)state;
    CHECK(wrongs);
}

static void wrong_words_are_named_with_the_right_ones(void **state)
{
    static const struct wrong wrongs[] = {
        {HEAD "  when: [{severity: hihg}]\n", 5, 21,
         "unknown severity 'hihg' (did you mean 'high'?)"},
        {HEAD "  when: [{severity: ok}]\n", 5, 21,
         "'severity' must be info, low, medium, high or critical, not 'ok'"},
        {HEAD WHEN "  class: suspicious\n", 6, 10,
         "'class' must be normal, neutral, suspect or bad, not 'suspicious'"},
        {HEAD WHEN "  status: beta\n", 6, 11,
         "'status' must be stable or experimental, not 'beta'"},
        {HEAD WHEN "  group_by: sites\n", 6, 13,
         "unknown group_by 'sites' (did you mean 'site'?)"},
        {HEAD WHEN "  confidence: proven\n", 6, 15,
         "'confidence' must be low, medium or high, not 'proven'"},
        {HEAD WHEN "  match: {locked: yes}\n", 6, 19,
         "'locked' must be true or false, not 'yes'"},
        {HEAD WHEN "  match: {state: chan recv}\n", 6, 18,
         "unknown state 'chan recv' (did you mean 'chan receive'?)"},
        {HEAD WHEN "  match:\n    state:\n    - select\n    - io wait\n", 9, 7,
         "unknown state 'io wait' (did you mean 'IO wait'?)"},
        {HEAD WHEN "  match: {state: [zebra crossing]}\n", 6, 19,
         "unknown state 'zebra crossing'; the words are those of Go, such as "
         "'chan send' or 'sync.Mutex.Lock'"},
        {"version: 2\nrules: []\n", 1, 10,
         "this program knows 'version: 1' of rule files only"},
        {"version: 1\nrules:\n- id: My_Rule\n  title: T\n" WHEN, 3, 7,
         "rule id 'My_Rule' may hold only a-z, 0-9 and '-', such as 'my-rule'"},
        {"version: 1\nrules:\n- id: 'my rule'\n  title: T\n" WHEN, 3, 10,
         "rule id 'my rule' may hold only a-z, 0-9 and '-', such as 'my-rule'"},
    };

    (void)state;
    CHECK(wrongs);
}

static void wrong_bounds_say_how_to_write_them(void **state)
{
    static const struct wrong wrongs[] = {
        {HEAD "  when: [{severity: low, count: 100}]\n", 5, 33,
         "'count' needs a comparison: write \">=100\", or >, <=, < or == in "
         "front of it"},
        {HEAD "  when: [{severity: low, count: '100+'}]\n", 5, 33,
         "'count' must be a bound such as \">=100\", not '100+'"},
        {HEAD "  when: [{severity: low, count: '<0'}]\n", 5, 33,
         "a count is never below 0"},
        {HEAD "  when: [{severity: low, count: '>=1k'}]\n", 5, 33,
         "'1k' is no whole number, expected digits only, such as \">=1000\""},
        {HEAD "  when: [{severity: low, count: '>=0'}]\n", 5, 33,
         "a count of 0 is always reached; leave it out"},
        {HEAD "  when: [{severity: low, share: '>=50'}]\n", 5, 33,
         "a share is at most 1, the whole process; write \">=0.5\" or "
         "\">=50%\" for a half"},
        {HEAD "  when: [{severity: low, share: '>=half'}]\n", 5, 33,
         "'half' is no fraction, expected such as \">=0.5\" or \">=50%\""},
        {HEAD "  when: [{severity: low, share: '>=0.0'}]\n", 5, 33,
         "a share of 0 is always reached; leave it out"},
        {HEAD "  when: [{severity: low, age: '>=10'}]\n", 5, 31,
         "an age needs a unit, such as \">=10m\""},
        {HEAD "  when: [{severity: low, age: '>=10 min'}]\n", 5, 31,
         "'10 min' is no duration, expected such as \">=90s\", \">=10m\" or "
         "\">=2h\""},
        {HEAD "  when: [{severity: low, age: {m: 10}}]\n", 5, 31,
         "'age' must be a bound such as \">=10m\", not a mapping"},
    };

    (void)state;
    CHECK(wrongs);
}

static void wrong_patterns_are_shown_at_the_wrong_byte(void **state)
{
    static const struct wrong wrongs[] = {
        {HEAD WHEN "  match: {leaf: 'ab(c'}\n", 6, 22,
         "bad regular expression: missing closing parenthesis; write \\( for "
         "the parenthesis itself"},
        {HEAD WHEN "  match: {any: [ok, 'it''s a[b']}\n", 6, 31,
         "bad regular expression: missing terminating ] for character class"},
        {HEAD WHEN "  match: {leaf: \"\\\\(a(b\"}\n", 6, 24,
         "bad regular expression: missing closing parenthesis; write \\( for "
         "the parenthesis itself"},
        {HEAD WHEN "  match: {site: net/http.(*conn).serve}\n", 6, 26,
         "bad regular expression: '(*' begins no group; write \\(\\* for the "
         "receiver of a Go method"},
        {HEAD WHEN "  match: {leaf: 'a*'}\n", 6, 17,
         "pattern 'a*' matches the empty text, so it says nothing about a "
         "name"},
        {HEAD WHEN "  match: {leaf: ''}\n", 6, 17,
         "expected a pattern, not an empty text"},
        {HEAD WHEN "  match: {leaf: []}\n", 6, 17,
         "expected at least one pattern"},
        {HEAD WHEN "  match: {leaf: {a: b}}\n", 6, 17,
         "expected a pattern, not a mapping"},
        {HEAD WHEN "  match: {chain: ['...', '...']}\n", 6, 18,
         "a chain of '...' alone holds for every stack"},
        {HEAD WHEN "  match: {labels: {tenant: '('}}\n", 6, 30,
         "bad regular expression: missing closing parenthesis; write \\( for "
         "the parenthesis itself"},
    };

    (void)state;
    CHECK(wrongs);
}

static void values_of_the_wrong_kind_are_refused(void **state)
{
    static const struct wrong wrongs[] = {
        {"version: 1\nrules:\n  a: b\n", 3, 3,
         "'rules' must be a list of rules, not a mapping: begin each with "
         "'- '"},
        {"version: 1\nrules: []\n", 2, 8,
         "'rules' must be a list of rules, not an empty one"},
        {"version: 1\nrules:\n- text\n", 3, 3,
         "a rule must be a mapping of keys to values, not a text"},
        {"version: 1\nrules:\n- id:a\n", 3, 3,
         "a rule is a mapping; put a blank behind each ':'"},
        {"- id: a\n", 1, 1,
         "a rule file must be a mapping of keys to values, not a list: leave "
         "out the '-'"},
        {"", 1, 1, "no rules here, expected 'version: 1' and 'rules:'"},
        {"# nothing\n", 1, 1,
         "no rules here, expected 'version: 1' and 'rules:'"},
        {"version: 1\nrules:\n- id:\n  title: T\n" WHEN, 3, 6,
         "'id' must be a text, not nothing"},
        {HEAD WHEN "  match: [a]\n", 6, 10,
         "'match' must be a mapping of keys to values, not a list: leave out "
         "the '-'"},
        {HEAD WHEN "  match: {not: {}}\n", 6, 16, "'not' is empty"},
        {HEAD WHEN "  match: {labels: [a]}\n", 6, 19,
         "'labels' must be a mapping such as {tenant: '^acme$'}, not a list"},
        {HEAD "  when: {severity: low}\n", 5, 9,
         "'when' must be a list of tiers such as {severity: high, count: "
         "\">=100\"}, not a mapping: begin each with '- '"},
        {HEAD "  when: []\n", 5, 9,
         "'when' must be a list of tiers such as {severity: high, count: "
         "\">=100\"}, not an empty one"},
        {HEAD WHEN "  advice:\n  - Note: do this\n", 7, 5,
         "'advice' must be a text or a list of texts, not a mapping; a text "
         "that holds ': ' needs quotes"},
        {HEAD WHEN "  advice: []\n", 6, 11, "'advice' is an empty list"},
        {HEAD WHEN "  references: [issue 7]\n", 6, 16,
         "'issue 7' is no http or https address"},
        {"version: 1\nrules:\n- id: a\n  title: |\n    one\n    two\n" WHEN, 4,
         10, "'title' must fit one line"},
        {"version: 1\nrules:\n- id: a\n  [b]: c\n", 4, 3,
         "expected a key, not a list"},
    };

    (void)state;
    CHECK(wrongs);
}

static void rules_that_make_no_sense_are_refused(void **state)
{
    static const struct wrong wrongs[] = {
        {HEAD WHEN "- id: b\n  title: U\n" WHEN "- id: a\n  title: V\n" WHEN, 9,
         7,
         "rule id 'a' is already used by r.yaml:3; 'override' changes a rule"},
        {HEAD "  class: normal\n  match: {leaf: x}\n" WHEN, 7, 3,
         "a rule of class normal has no 'when': what it matches is set aside"},
        {HEAD "  class: normal\n  match: {}\n", 3, 3,
         "a rule of class normal needs a 'match', or it sets everything "
         "aside"},
        {HEAD WHEN "  explain: '{cuont} of them'\n", 6, 13,
         "unknown placeholder '{cuont}' (did you mean '{count}'?)"},
        {HEAD WHEN "  explain: >-\n    Some {count}\n    or {number}.\n", 8, 8,
         "unknown placeholder '{number}', known are {count}, {share}, {age}, "
         "{site}, {state}, {leaked}, {holder} and {title}"},
        {HEAD WHEN "  cause: '{count} of them'\n", 6, 10,
         "placeholders work in 'explain' only"},
        {HEAD WHEN "  advice: [one, '{site}']\n", 6, 17,
         "placeholders work in 'explain' only"},
    };

    (void)state;
    CHECK(wrongs);
}

static void yaml_mistakes_are_explained(void **state)
{
    static const struct wrong wrongs[] = {
        {HEAD "\twhen: []\n", 5, 1, "a tab cannot indent YAML; use blanks"},
        {"version: 1\nrules:\n\t- id: a\n", 3, 1,
         "a tab cannot indent YAML; use blanks"},
        {HEAD "  when: [{severity: low, count: >=10}]\n", 5, 33,
         "a text that begins with '>' needs quotes, such as \">=10\""},
        {HEAD "  when:\n  - severity: low\n    count: >=10\n", 7, 12,
         "a text that begins with '>' needs quotes, such as \">=10\""},
        {HEAD WHEN "  match: {leaf: *conn}\n", 6, 17,
         "YAML aliases ('*name') are not read here; quote the text if it "
         "begins with this character"},
        {HEAD WHEN "  match: {leaf: &x y}\n", 6, 17,
         "YAML anchors ('&name') are not read here; quote the text if it "
         "begins with this character"},
        {HEAD WHEN "  match: {leaf: !x y}\n", 6, 17,
         "YAML tags ('!name') are not read here; quote the text if it "
         "begins with this character"},
        {HEAD WHEN "  match: {leaf: *.go$}\n", 6, 17,
         "a text that begins with '*' needs quotes"},
        {HEAD WHEN "  cause: @home\n", 6, 10,
         "a text that begins with '@' needs quotes"},
        {"version: 1\nrules:\n- id: a\n  title: T: U\n", 4, 11,
         "a text that holds ': ' needs quotes"},
        {HEAD "   class: bad\n", 5, 4,
         "a key cannot stand here; check the indentation, and the ':' of the "
         "line above"},
        {"version: 1\nrules:\n- id: a\n title: T\n", 4, 2,
         "this line is indented like no key above it"},
        {HEAD WHEN "  cause: 'it's'\n", 6, 14,
         "the quoted text ended before this; a ' inside '...' is written ''"},
        {HEAD WHEN "  match: {}\n  cause: [a] b\n", 7, 14,
         "nothing can follow the ']' before this; put the whole text into "
         "quotes"},
        {HEAD WHEN "  cause: \"never\n", 6, 10, "this quote is never closed"},
        {HEAD WHEN "  match: {leaf: \"\\.go\"}\n", 6, 18,
         "'\\.' is no escape of a \"...\" text; write patterns in '...'"},
        {HEAD WHEN "  advice: [one, two\n", 6, 11, "this '[' is never closed"},
        {HEAD WHEN "  match: {leaf: a site: b}\n", 6, 23,
         "expected ',' or '}' before this (the '{' stands on line 6)"},
        {"version: 1\n---\nrules: []\n", 2, 1,
         "the file must hold one YAML document, this begins another"},
        {"version: 1\x01\n", 1, 11,
         "a control character (0x01) cannot stand in YAML"},
        {HEAD WHEN "  cause: caf\xe9\n", 6, 13,
         "byte 0xe9 is not UTF-8, as the file must be"},
    };

    (void)state;
    CHECK(wrongs);
}

static void the_place_is_shown_with_a_caret(void **state)
{
    (void)state;
    load(HEAD WHEN "  match: {leav: x}\n");
    assert_string_equal(err.detail, "    6 |   match: {leav: x}\n"
                                    "      |           ^~~~");
}

static void the_caret_stands_right_under_wide_and_cut_lines(void **state)
{
    struct buf text = {0};

    (void)state;
    load(HEAD "  cause: '\xe4\xb8\xad\xc3\xa4'\n  leav: x\n");
    assert_int_equal(err.column, 3);
    load(HEAD WHEN "  match: {leaf: '\xe4\xb8\xad\xc3\xa4', \xc3\xa4: 1}\n");
    assert_int_equal(err.line, 6);
    assert_int_equal(err.column, 26);
    assert_string_equal(
        err.detail,
        "    6 |   match: {leaf: '\xe4\xb8\xad\xc3\xa4', \xc3\xa4: 1}\n"
        "      |                        ^");
    buf_add(&text, STR(HEAD "  when: [{severity: low, count: '>="));
    buf_add_repeat(&text, '0', 300);
    buf_add(&text, STR("1', cuont: x}]\n"));
    load(text.ptr);
    assert_string_equal(err.detail,
                        "    5 | ...0000000000000000000000000000000000000000"
                        "0000000000001', cuont: x}]\n"
                        "      | "
                        "                                        "
                        "                   ^~~~~");
    buf_done(&text);
}

static void a_byte_order_mark_and_crlf_change_no_place(void **state)
{
    (void)state;
    load("\xef\xbb\xbfversion: 1\r\nrules:\r\n- id: a\r\n  titel: T\r\n");
    assert_int_equal(err.line, 4);
    assert_int_equal(err.column, 3);
    assert_string_equal(err.detail, "    4 |   titel: T\n"
                                    "      |   ^~~~~");
}

static void deep_nesting_is_refused_at_once(void **state)
{
    struct buf text = {0};

    (void)state;
    buf_add(&text, STR("version: 1\nrules: "));
    buf_add_repeat(&text, '[', 500000);
    assert_int_equal(load(text.ptr), CPROF_ERULE);
    assert_string_equal(err.message, "nested deeper than 16 levels");
    assert_int_equal(err.line, 2);
    buf_done(&text);
}

static void a_file_that_is_too_large_is_refused(void **state)
{
    struct buf text = {0};

    (void)state;
    buf_add_repeat(&text, '#', (1 << 20) + 1);
    assert_int_equal(rules_load_text(rules, "r.yaml", buf_str(&text), &err),
                     CPROF_ERULE);
    assert_string_equal(err.message,
                        "a file of more than 1048576 bytes is not read");
    buf_done(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(wrong_keys_are_named_with_the_right_ones),
        TEST(missing_keys_are_named),
        TEST(wrong_words_are_named_with_the_right_ones),
        TEST(wrong_bounds_say_how_to_write_them),
        TEST(wrong_patterns_are_shown_at_the_wrong_byte),
        TEST(values_of_the_wrong_kind_are_refused),
        TEST(rules_that_make_no_sense_are_refused),
        TEST(yaml_mistakes_are_explained),
        TEST(the_place_is_shown_with_a_caret),
        TEST(the_caret_stands_right_under_wide_and_cut_lines),
        TEST(a_byte_order_mark_and_crlf_change_no_place),
        TEST(deep_nesting_is_refused_at_once),
        TEST(a_file_that_is_too_large_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

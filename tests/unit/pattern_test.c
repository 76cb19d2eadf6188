#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "rules/pattern.h"

#include <cmocka.h>

static struct budget budget;
static struct symbols *symbols;

static int set_up(void **state)
{
    (void)state;
    budget_init(&budget, 0);
    return symbols_new(&symbols, &budget, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    symbols_free(symbols);
    assert_int_equal(budget.used, 0);
    return 0;
}

static struct pattern *compile(const char *expression)
{
    struct cprof_error err = {0};
    struct pattern *pattern = NULL;

    if (pattern_new(&pattern, str_from(expression), &err) < 0)
        fail_msg("%s: %s", expression, err.message);
    return pattern;
}

static enum pattern_answer match(const char *expression, const char *text)
{
    struct pattern *pattern = compile(expression);
    enum pattern_answer answer = pattern_match(pattern, str_from(text));

    pattern_free(pattern);
    return answer;
}

static void an_expression_matches_anywhere_unless_anchored(void **state)
{
    (void)state;
    assert_int_equal(match("Lock", "sync.(*Mutex).Lock"), PATTERN_YES);
    assert_int_equal(match("^Lock", "sync.(*Mutex).Lock"), PATTERN_NO);
    assert_int_equal(match("\\(\\*Mutex\\)\\.Lock$", "sync.(*Mutex).Lock"),
                     PATTERN_YES);
    assert_int_equal(match("Lock", ""), PATTERN_NO);
}

static void a_name_may_hold_any_byte(void **state)
{
    (void)state;
    assert_int_equal(match("^a.c$", "a\xff"
                                    "c"),
                     PATTERN_YES);
    assert_int_equal(match("\\xff", "a\xff"
                                    "c"),
                     PATTERN_YES);
    assert_int_equal(match("\xc3\xa4", "main.\xc3\xa4"), PATTERN_YES);
}

static void a_dollar_matches_at_the_very_end_only(void **state)
{
    (void)state;
    assert_int_equal(match("a$", "a\n"), PATTERN_NO);
    assert_int_equal(match("a$", "a"), PATTERN_YES);
}

static void a_wrong_expression_is_refused_with_its_place(void **state)
{
    struct cprof_error err = {0};
    struct pattern *pattern = NULL;

    (void)state;
    assert_int_equal(pattern_new(&pattern, STR("ab(c"), &err), CPROF_ERULE);
    assert_null(pattern);
    assert_int_equal(err.column, 5);
    assert_string_equal(err.message,
                        "bad regular expression: missing closing parenthesis");
    assert_int_equal(pattern_new(&pattern, STR("a[z-b]"), &err), CPROF_ERULE);
    assert_int_equal(pattern_new(&pattern, STR("(*UTF)a"), &err), CPROF_ERULE);
}

static void an_expression_without_end_is_refused(void **state)
{
    struct cprof_error err = {0};
    struct pattern *pattern = NULL;
    struct buf text = {0};

    (void)state;
    buf_add_repeat(&text, 'a', 5000);
    assert_int_equal(pattern_new(&pattern, buf_str(&text), &err), CPROF_ERULE);
    assert_null(pattern);
    buf_done(&text);
}

static void the_expression_is_kept_as_written(void **state)
{
    struct pattern *pattern = compile("^a\\.b$");

    (void)state;
    assert_true(str_equal(pattern_expression(pattern), STR("^a\\.b$")));
    pattern_free(pattern);
    pattern_free(NULL);
}

static void an_answer_is_remembered_by_the_id_of_its_text(void **state)
{
    struct pattern *pattern = compile("7$");
    char name[32];

    (void)state;
    for (unsigned i = 1; i <= 500; i++) {
        snprintf(name, sizeof(name), "main.f%u", i);
        assert_int_equal(symbols_text_put(symbols, str_from(name)), i);
    }
    for (unsigned round = 0; round < 3; round++) {
        for (text_id id = 1; id <= 500; id++)
            assert_int_equal(pattern_match_id(pattern, symbols, id),
                             id % 10 == 7 ? PATTERN_YES : PATTERN_NO);
    }
    pattern_free(pattern);
}

static void texts_that_come_later_are_answered_too(void **state)
{
    struct pattern *pattern = compile("^b");
    text_id first = symbols_text_put(symbols, STR("a"));
    text_id later;

    (void)state;
    assert_int_equal(pattern_match_id(pattern, symbols, first), PATTERN_NO);
    for (unsigned i = 0; i < 1000; i++) {
        char name[32];

        snprintf(name, sizeof(name), "b%u", i);
        later = symbols_text_put(symbols, str_from(name));
        assert_int_equal(pattern_match_id(pattern, symbols, later),
                         PATTERN_YES);
    }
    assert_int_equal(pattern_match_id(pattern, symbols, first), PATTERN_NO);
    assert_int_equal(pattern_match_id(pattern, symbols, 0), PATTERN_NO);
    pattern_free(pattern);
}

static void without_memory_for_the_memo_answers_stay_right(void **state)
{
    struct pattern *pattern = compile("^a");
    text_id id = symbols_text_put(symbols, STR("abc"));

    (void)state;
    budget.limit = budget.used;
    assert_int_equal(pattern_match_id(pattern, symbols, id), PATTERN_YES);
    assert_int_equal(pattern_match_id(pattern, symbols, id), PATTERN_YES);
    budget.limit = BUDGET_DEFAULT;
    pattern_free(pattern);
}

static void many_matches_give_the_same_answers(void **state)
{
    struct pattern *pattern = compile("^main\\.f[0-9]*5$");
    char name[32];

    (void)state;
    for (unsigned i = 0; i < 10000; i++) {
        snprintf(name, sizeof(name), "main.f%u", i);
        assert_int_equal(pattern_match(pattern, str_from(name)),
                         i % 10 == 5 ? PATTERN_YES : PATTERN_NO);
    }
    pattern_free(pattern);
}

static void preparing_gives_the_same_answers_as_asking(void **state)
{
    static const char *const expressions[] = {"7$", "^main\\.f1", "nothing",
                                              "(?i)MAIN", "."};
    struct pattern *prepared[5];
    struct pattern *asked[5];
    text_id ids[300];
    char name[32];

    (void)state;
    for (unsigned i = 0; i < 300; i++) {
        snprintf(name, sizeof(name), "main.f%u", i);
        ids[i] = symbols_text_put(symbols, str_from(name));
    }
    for (unsigned p = 0; p < 5; p++) {
        prepared[p] = compile(expressions[p]);
        asked[p] = compile(expressions[p]);
    }
    /* Some answers are known before. */
    for (unsigned i = 0; i < 300; i += 7)
        pattern_match_id(prepared[1], symbols, ids[i]);
    assert_true(patterns_prepare(prepared, 5, symbols, ids, 300));
    for (unsigned p = 0; p < 5; p++) {
        assert_int_equal(pattern_may_match(prepared[p]), p != 2);
        for (unsigned i = 0; i < 300; i++)
            assert_int_equal(pattern_match_id(prepared[p], symbols, ids[i]),
                             pattern_match_id(asked[p], symbols, ids[i]));
        pattern_free(prepared[p]);
        pattern_free(asked[p]);
    }
}

static void preparing_without_memory_says_so(void **state)
{
    struct pattern *pattern = compile("^a");
    text_id id = symbols_text_put(symbols, STR("abc"));

    (void)state;
    budget.limit = budget.used;
    assert_false(patterns_prepare(&pattern, 1, symbols, &id, 1));
    assert_int_equal(pattern_match_id(pattern, symbols, id), PATTERN_YES);
    pattern_free(pattern);
}

/* Puts "aaa...b" of that many a into the symbols. */
static text_id put_runaway(size_t n)
{
    struct buf text = {0};
    text_id id;

    buf_add_repeat(&text, 'a', n);
    buf_add_char(&text, 'b');
    id = symbols_text_put(symbols, buf_str(&text));
    buf_done(&text);
    return id;
}

static void a_runaway_expression_stops_and_says_where(void **state)
{
    struct pattern *pattern = compile("(a+)+$");
    text_id harmless = symbols_text_put(symbols, STR("aaa"));
    text_id name = put_runaway(10000);
    text_id first = 0;

    (void)state;
    assert_int_equal(pattern_match_id(pattern, symbols, harmless), PATTERN_YES);
    assert_int_equal(pattern_limit_hits(pattern, &first), 0);
    assert_int_equal(first, 0);
    assert_int_equal(pattern_match_id(pattern, symbols, name), PATTERN_LIMIT);
    assert_int_equal(pattern_match_id(pattern, symbols, name), PATTERN_LIMIT);
    assert_int_equal(pattern_limit_hits(pattern, &first), 1);
    assert_int_equal(first, name);
    pattern_free(pattern);
}

static void a_runaway_expression_is_not_tried_without_end(void **state)
{
    struct pattern *pattern = compile("(a+)+$");
    text_id first = 0;
    text_id begin = put_runaway(100);

    (void)state;
    for (unsigned i = 1; i < 1000; i++)
        put_runaway(100 + i);
    for (text_id id = begin; id < begin + 1000; id++)
        assert_int_equal(pattern_match_id(pattern, symbols, id), PATTERN_LIMIT);
    assert_int_equal(pattern_limit_hits(pattern, &first), 1000);
    assert_int_equal(first, begin);
    /* By now it is not run any more, even where it would match. */
    assert_int_equal(pattern_match(pattern, STR("aaa")), PATTERN_LIMIT);
    pattern_free(pattern);
}

static void plain_expressions_stay_below_the_limit_on_long_names(void **state)
{
    struct buf text = {0};

    (void)state;
    buf_add_repeat(&text, 'a', 1000);
    assert_int_equal(match(".*b", text.ptr), PATTERN_NO);
    assert_int_equal(match("^.*b.*c$", text.ptr), PATTERN_NO);
    assert_int_equal(match("a.*a$", text.ptr), PATTERN_YES);
    assert_int_equal(match("(?:aa)*b|x", text.ptr), PATTERN_NO);
    buf_done(&text);
}

static void only_the_first_1024_bytes_of_a_text_are_looked_at(void **state)
{
    struct buf text = {0};

    (void)state;
    buf_add_repeat(&text, 'a', 1024);
    assert_int_equal(match("a$", text.ptr), PATTERN_YES);
    buf_add(&text, STR("b"));
    assert_int_equal(match("^a+$", text.ptr), PATTERN_NO);
    assert_int_equal(match("b", text.ptr), PATTERN_NO);
    buf_done(&text);
}

static struct pattern *new_known(struct str expression)
{
    struct sieve_bits room[SIEVE_CHOICES_MOST];
    struct sieve sieve = sieve_of_expression(expression, room);
    struct pattern *pattern = pattern_new_known(expression, &sieve);

    assert_non_null(pattern);
    return pattern;
}

static void a_known_expression_is_compiled_when_it_is_first_run(void **state)
{
    struct pattern *pattern = new_known(STR("^a+$"));

    (void)state;
    assert_string_equal(pattern_expression(pattern).ptr, "^a+$");
    assert_int_equal(pattern_match(pattern, STR("aa")), PATTERN_YES);
    assert_int_equal(pattern_match(pattern, STR("ab")), PATTERN_NO);
    pattern_free(pattern);
    pattern = new_known(STR("a("));
    assert_int_equal(pattern_match(pattern, STR("a")), PATTERN_LIMIT);
    pattern_free(pattern);
}

static void a_known_expression_keeps_its_choices(void **state)
{
    struct pattern *pattern = new_known(STR("^(?:worker|consumer)$"));
    const struct sieve *sieve = pattern_sieve(pattern);
    struct sieve_texts texts = {.count = 0};

    (void)state;
    sieve_texts_add(&texts, STR("worker"));
    sieve_texts_add(&texts, STR("producer"));
    sieve_texts_add(&texts, STR("consumer"));
    assert_int_equal(sieve->n_choices, 2);
    assert_int_equal(sieve_pass(sieve, &texts).words[0], 5);
    pattern_free(pattern);
}

static void a_pattern_is_marked_once(void **state)
{
    struct pattern *pattern = compile("a");

    (void)state;
    assert_true(pattern_mark(pattern));
    assert_false(pattern_mark(pattern));
    pattern_unmark(pattern);
    assert_true(pattern_mark(pattern));
    pattern_free(pattern);
}

static void answers_can_be_forgotten(void **state)
{
    struct pattern *pattern = compile("a");
    struct symbols *others = NULL;
    text_id a = symbols_text_put(symbols, STR("a"));
    text_id b;

    (void)state;
    assert_int_equal(symbols_new(&others, &budget, NULL), 0);
    b = symbols_text_put(others, STR("b"));
    assert_int_equal(a, b);
    assert_true(patterns_prepare(&pattern, 1, symbols, &a, 1));
    assert_true(pattern_may_match(pattern));
    assert_int_equal(pattern_match_id(pattern, symbols, a), PATTERN_YES);
    pattern_forget(pattern);
    assert_false(pattern_may_match(pattern));
    assert_int_equal(pattern_match_id(pattern, others, b), PATTERN_NO);
    pattern_free(pattern);
    symbols_free(others);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const char *found_in(const char *expression, const char *text)
{
    static char copy[64];
    struct pattern *pattern = NULL;
    struct str found = {0};

    assert_int_equal(pattern_new(&pattern, str_from(expression), NULL), 0);
    snprintf(copy, sizeof(copy), "none");
    if (pattern_find(pattern, str_from(text), &found))
        snprintf(copy, sizeof(copy), STR_FORMAT, STR_ARG(found));
    pattern_free(pattern);
    return copy;
}

static void what_matches_is_the_first_group_or_all(void **state)
{
    (void)state;
    assert_string_equal(found_in("api-[0-9]+", "d/api-12.txt"), "api-12");
    assert_string_equal(found_in("api-([0-9]+)", "d/api-12.txt"), "12");
    assert_string_equal(found_in("(a)|(b)(c)(d)", "xbcd"), "bcd");
    assert_string_equal(found_in("^([^/]+)/", "pod-1/x/y"), "pod-1");
    assert_string_equal(found_in("web", "d/api-12.txt"), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_matches_is_the_first_group_or_all),
        TEST(an_expression_matches_anywhere_unless_anchored),
        TEST(a_name_may_hold_any_byte),
        TEST(a_dollar_matches_at_the_very_end_only),
        TEST(a_wrong_expression_is_refused_with_its_place),
        TEST(an_expression_without_end_is_refused),
        TEST(the_expression_is_kept_as_written),
        TEST(an_answer_is_remembered_by_the_id_of_its_text),
        TEST(texts_that_come_later_are_answered_too),
        TEST(without_memory_for_the_memo_answers_stay_right),
        TEST(many_matches_give_the_same_answers),
        TEST(preparing_gives_the_same_answers_as_asking),
        TEST(preparing_without_memory_says_so),
        TEST(a_runaway_expression_stops_and_says_where),
        TEST(a_runaway_expression_is_not_tried_without_end),
        TEST(plain_expressions_stay_below_the_limit_on_long_names),
        TEST(only_the_first_1024_bytes_of_a_text_are_looked_at),
        TEST(a_known_expression_is_compiled_when_it_is_first_run),
        TEST(a_known_expression_keeps_its_choices),
        TEST(a_pattern_is_marked_once),
        TEST(answers_can_be_forgotten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

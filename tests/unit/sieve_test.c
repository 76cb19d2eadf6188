#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/buf.h"
#include "rules/pattern.h"
#include "rules/sieve.h"

#include <cmocka.h>

static bool passes(const char *expression, const char *text)
{
    struct sieve_bits room[SIEVE_CHOICES_MOST];
    struct sieve sieve = sieve_of_expression(str_from(expression), room);

    struct sieve_texts texts = {.count = 0};

    sieve_texts_add(&texts, str_from(text));
    return sieve_pass(&sieve, &texts).words[0];
}

static void names_without_the_letters_of_an_expression_are_kept_out(
    void **state)
{
    static const char *const expressions[] = {
        "^net/http\\.\\(\\*persistConn\\)\\.readLoop$",
        "readLoop",
        "^(?:net/http|golang\\.org/x/net/http2)\\.readLoop",
        "x{2}readLoop",
        "(?:readLoop)+",
        "a|readLoop|b|writeLoop|c?",
        "[a-z]readLoop[[:digit:]]",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(expressions) / sizeof(*expressions); i++)
        assert_true(passes(expressions[i],
                           "net/http.(*persistConn).readLoop writeLoop"));
    assert_false(passes(expressions[0], "main.main"));
    assert_false(passes(expressions[1], "main.main"));
    assert_false(passes(expressions[2], "main.main"));
    assert_false(passes(expressions[3], "main.main"));
    assert_false(passes(expressions[4], "main.main"));
    assert_false(passes(expressions[6], "main.main"));
}

static void an_expression_that_is_not_understood_keeps_nothing_out(void **state)
{
    static const char *const expressions[] = {
        "(?i:LOCK)", "(?x) lo ck", "\\Qlock\\E",     "(?=lock)",
        "\\x6cock",  "lock|",      "(?<name>lock)?", "\\p{L}lock\\w\\1",
        "(lock){0}", "(?:lock)*",  "(*NO_JIT)lock",  "[\\Qlock\\E]lock",
        "(?#lock)",  "l?o?c?k?",   "(?(?=a)lock)",   "(lock[[:x]|c:]])",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(expressions) / sizeof(*expressions); i++) {
        if (!passes(expressions[i], ""))
            fail_msg("%s", expressions[i]);
    }
}

static void of_a_choice_one_alternative_is_needed(void **state)
{
    (void)state;
    assert_true(passes("\\.(?:Wait|Read)Loop", "a.ReadLoop"));
    assert_false(passes("\\.(?:Wait|Read)Loop", "a.WriteLoop"));
    assert_true(passes("^(?:net|zap)\\.", "zap.Write"));
    assert_false(passes("^(?:net|zap)\\.", "mine/net.Dial"));
    assert_true(passes("\\.Do$", "a.Do"));
    assert_false(passes("\\.Do$", "a.Done"));
    /* Not every match makes the choice. */
    assert_true(passes("a(?:xx|yy)?b", "ab"));
    assert_true(passes("a(?:xx|yy)*b", "ab"));
    assert_true(passes("a(?:xx|yy){0}b", "ab"));
    assert_true(passes("a(?:b(?:xx|yy)|c)", "ac"));
    assert_false(passes("a(?:xx|yy)+b", "ab"));
}

static void letters_of_both_cases_are_one_where_they_should(void **state)
{
    (void)state;
    assert_true(passes("(?i)(?:worker|CONSUMER)$", "main.(*c).ConSumer"));
    assert_false(passes("(?i)(?:worker|consumer)$", "main.(*c).Producer"));
    assert_false(passes("worker$", "main.Worker"));
}

static uint32_t seed;

static unsigned roll(unsigned n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

static void add_letters(struct buf *out, unsigned most)
{
    static const char letters[] = "abcB.({|+*";

    for (unsigned n = roll(most + 1); n; n--)
        buf_add_char(out, letters[roll(sizeof(letters) - 1)]);
}

static void add_expression(struct buf *out, unsigned depth)
{
    static const char *const pieces[] = {
        "a",   "b",    "c",     "ab",     "bc",          "\\.",   "\\(",
        ".",   "[ab]", "[^]a]", "\\w",    "[[:alpha:]]", "^",     "$",
        "\\{", "\\|",  "\\*",   "[\\]b]", "\\b",         "[.|(]", "\\+",
    };
    static const char *const quantifiers[] = {
        "",      "",   "",   "",   "",      "?",    "*",   "+",      "{2}",
        "{0,1}", "??", "*?", "++", "{1,}+", "{,3}", "{a}", "{2}{0}",
    };

    for (unsigned n = 1 + roll(4); n; n--) {
        if (depth && roll(4) == 0) {
            buf_add(out, roll(2) ? STR("(") : STR("(?:"));
            add_expression(out, depth - 1);
            buf_add_char(out, ')');
        } else {
            buf_add(out,
                    str_from(pieces[roll(sizeof(pieces) / sizeof(pieces[0]))]));
        }
        buf_add(out, str_from(quantifiers[roll(sizeof(quantifiers) /
                                               sizeof(quantifiers[0]))]));
        if (roll(8) == 0)
            buf_add_char(out, '|');
    }
}

static void what_is_kept_out_never_matches(void **state)
{
    struct buf expression = {0};
    struct buf text = {0};
    unsigned compiled = 0;
    unsigned kept_out = 0;
    unsigned matched = 0;

    (void)state;
    seed = 1;
    for (unsigned i = 0; i < 60000; i++) {
        struct sieve_bits room[SIEVE_CHOICES_MOST];
        struct pattern *pattern = NULL;
        struct sieve sieve;

        buf_clear(&expression);
        if (roll(4) == 0)
            buf_add(&expression, STR("(?i)"));
        add_expression(&expression, 2);
        if (pattern_new(&pattern, buf_str(&expression), NULL) < 0)
            continue;
        compiled++;
        sieve = sieve_of_expression(buf_str(&expression), room);
        for (unsigned t = 0; t < 10; t++) {
            struct sieve_texts texts = {.count = 0};
            bool is_let_in;
            enum pattern_answer answer;

            buf_clear(&text);
            add_letters(&text, 12);
            sieve_texts_add(&texts, buf_str(&text));
            is_let_in = sieve_pass(&sieve, &texts).words[0];
            answer = pattern_match(pattern, buf_str(&text));
            if (!is_let_in && answer != PATTERN_NO)
                fail_msg("%s on %s", expression.ptr, text.ptr);
            kept_out += !is_let_in;
            matched += answer == PATTERN_YES;
        }
        pattern_free(pattern);
    }
    /* The test has looked at something. */
    assert_true(compiled > 5000);
    assert_true(kept_out > 5000);
    assert_true(matched > 5000);
    buf_done(&expression);
    buf_done(&text);
}

/* An expression of groups beside each other, in each n words "w<i>". */
static void add_groups(struct buf *out, unsigned n_groups, unsigned n)
{
    for (unsigned g = 0; g < n_groups; g++) {
        buf_addf(out, "%s^github\\.com/(?:", g ? "|" : "");
        for (unsigned i = 0; i < n; i++)
            buf_addf(out, "%sw%02uq", i ? "|" : "", g * n + i);
        buf_add(out, STR(")/"));
    }
}

static void choices_in_choices_are_all_looked_at(void **state)
{
    struct buf expression = {0};

    (void)state;
    add_groups(&expression, 6, 16);
    assert_true(passes(expression.ptr, "github.com/w00q/x.f"));
    assert_true(passes(expression.ptr, "github.com/w95q/x.f"));
    assert_false(passes(expression.ptr, "github.com/wjzq/x.f"));
    buf_clear(&expression);
    add_groups(&expression, 1, SIEVE_CHOICES_MOST + 1);
    assert_true(passes(expression.ptr, "github.com/w00q/x.f"));
    assert_true(passes(expression.ptr, "github.com/wjzq/x.f"));
    assert_false(passes(expression.ptr, "main.f"));
    buf_done(&expression);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_in_choices_are_all_looked_at),
        cmocka_unit_test(
            names_without_the_letters_of_an_expression_are_kept_out),
        cmocka_unit_test(
            an_expression_that_is_not_understood_keeps_nothing_out),
        cmocka_unit_test(of_a_choice_one_alternative_is_needed),
        cmocka_unit_test(letters_of_both_cases_are_one_where_they_should),
        cmocka_unit_test(what_is_kept_out_never_matches),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

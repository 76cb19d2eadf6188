#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include "rules/nearest.h"
#include "rules/words.h"

#include <cmocka.h>

static struct buf out;

static int set_up(void **state)
{
    (void)state;
    out = (struct buf){0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    buf_done(&out);
    return 0;
}

static const char *count(uint64_t n)
{
    buf_clear(&out);
    words_count(&out, n);
    return out.ptr;
}

static const char *share(double fraction)
{
    buf_clear(&out);
    words_share(&out, fraction);
    return out.ptr;
}

static const char *age(uint32_t minutes)
{
    buf_clear(&out);
    words_age(&out, minutes);
    return out.ptr;
}

static void counts_have_a_comma_at_every_thousand(void **state)
{
    (void)state;
    assert_string_equal(count(0), "0");
    assert_string_equal(count(999), "999");
    assert_string_equal(count(1000), "1,000");
    assert_string_equal(count(97908), "97,908");
    assert_string_equal(count(1234567), "1,234,567");
    assert_string_equal(count(UINT64_MAX), "18,446,744,073,709,551,615");
}

static void shares_have_two_decimals_without_zeros_at_the_end(void **state)
{
    (void)state;
    assert_string_equal(share(0.5), "50 %");
    assert_string_equal(share(1.0 / 3), "33.33 %");
    assert_string_equal(share(0.125), "12.5 %");
    assert_string_equal(share(97908.0 / 97926), "99.98 %");
    assert_string_equal(share(0.0102), "1.02 %");
}

static void only_all_is_100_percent_and_only_none_is_0(void **state)
{
    (void)state;
    assert_string_equal(share(1), "100 %");
    assert_string_equal(share(0), "0 %");
    assert_string_equal(share(97925.0 / 97926), "99.999 %");
    assert_string_equal(share(9999999.0 / 10000000), "99.99999 %");
    assert_string_equal(share(1.0 / 97926), "0.001 %");
    assert_string_equal(share(0.00001), "0.001 %");
}

/* Go prints up to two minutes too many. */
static void ages_are_lower_bounds_in_a_fitting_unit(void **state)
{
    (void)state;
    assert_string_equal(age(1), "perhaps 1 minute");
    assert_string_equal(age(2), "perhaps 2 minutes");
    assert_string_equal(age(3), "at least 1 minute");
    assert_string_equal(age(121), "at least 119 minutes");
    assert_string_equal(age(122), "at least 2 hours");
    assert_string_equal(age(48 * 60 + 1), "at least 47 hours");
    assert_string_equal(age(3 * 24 * 60), "at least 2 days");
}

/* What is printed for a function at a file and line. */
static const char *site(const char *function, const char *file, uint32_t line)
{
    struct budget budget;
    struct symbols *symbols = NULL;
    frame_id frame;

    budget_init(&budget, 0);
    assert_int_equal(symbols_new(&symbols, &budget, NULL), 0);
    frame = symbols_frame_put(
        symbols,
        (struct frame){symbols_function_put(symbols, str_from(function)),
                       symbols_text_put(symbols, str_from(file)), line});
    buf_clear(&out);
    words_site(&out, symbols, frame);
    symbols_free(symbols);
    return out.ptr;
}

static void sites_are_short(void **state)
{
    (void)state;
    assert_string_equal(site("github.com/gocolly/colly/v2.(*httpBackend).Do",
                             "/go/pkg/mod/x/http_backend.go", 172),
                        "(*httpBackend).Do (http_backend.go:172)");
    assert_string_equal(site("main.run", "main.go", 7), "main.run (main.go:7)");
    assert_string_equal(site("example.com/cmd/tool.run.func1", "t.go", 0),
                        "tool.run.func1 (t.go)");
    assert_string_equal(site("example.com/queue/v3.Push", "", 0),
                        "queue/v3.Push");
    assert_string_equal(site("crosscall2", "", 0), "crosscall2");
}

static void no_site_is_nothing(void **state)
{
    (void)state;
    words_site(&out, NULL, FRAME_NONE);
    assert_int_equal(out.len, 0);
}

static void enums_have_the_words_of_the_report(void **state)
{
    (void)state;
    assert_string_equal(rule_class_text(CLASS_NORMAL), "normal");
    assert_string_equal(rule_class_text(CLASS_NEUTRAL), "neutral");
    assert_string_equal(rule_class_text(CLASS_SUSPECT), "suspect");
    assert_string_equal(rule_class_text(CLASS_BAD), "bad");
    assert_string_equal(confidence_text(CONFIDENCE_LOW), "low");
    assert_string_equal(confidence_text(CONFIDENCE_MEDIUM), "medium");
    assert_string_equal(confidence_text(CONFIDENCE_HIGH), "high");
    assert_string_equal(confidence_text(CONFIDENCE_PROVEN), "proven");
}

static void the_nearest_word_is_the_one_that_was_meant(void **state)
{
    static const char *const words[][2] = {
        {"chan snd", "chan send"},
        {"chan recv", "chan receive"},
        {"Chan Send", "chan send"},
        {"io wait", "IO wait"},
        {"mutex", "sync.Mutex.Lock"},
        {"rwmutex", "sync.RWMutex.RLock"},
        {"sync.Mutex.lock", "sync.Mutex.Lock"},
        {"waitgroup", "sync.WaitGroup.Wait"},
        {"sleeping", "sleep"},
        {"select no cases", "select (no cases)"},
        {"zebra crossing", ""},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        struct str near = nearest_state(str_from(words[i][0]));

        if (!str_equal(near, str_from(words[i][1])))
            fail_msg("%s: %.*s", words[i][0], (int)near.len, near.ptr);
    }
}

static void words_of_any_length_have_a_nearest_or_none(void **state)
{
    static const char *const known[] = {"leaf", "site"};
    struct buf text = {0};

    (void)state;
    for (size_t i = 0; i < 200; i++) {
        assert_int_equal(nearest_of(buf_str(&text), known, 2), 2);
        buf_add_char(&text, 'x');
    }
    buf_done(&text);
    assert_int_equal(nearest_of(STR("leav"), known, 2), 0);
    assert_int_equal(nearest_of(STR("sit"), known, 2), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(counts_have_a_comma_at_every_thousand),
        TEST(shares_have_two_decimals_without_zeros_at_the_end),
        TEST(only_all_is_100_percent_and_only_none_is_0),
        TEST(ages_are_lower_bounds_in_a_fitting_unit),
        TEST(sites_are_short),
        TEST(no_site_is_nothing),
        TEST(enums_have_the_words_of_the_report),
        TEST(the_nearest_word_is_the_one_that_was_meant),
        TEST(words_of_any_length_have_a_nearest_or_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

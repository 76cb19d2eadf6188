#include <setjmp.h>
#include <stdarg.h>

#include "model/options.h"

#include <cmocka.h>

static struct cprof_options *options;
static struct cprof_error err;

static int set_up(void **state)
{
    (void)state;
    err = (struct cprof_error){0};
    return cprof_options_new(&options, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    cprof_options_free(options);
    return 0;
}

static void a_limit_is_a_number_or_memory(void **state)
{
    (void)state;
    assert_int_equal(cprof_options_set(options, "limit", "500", &err), 0);
    assert_int_equal(options->limit, 500);
    assert_int_equal(options->limit_bytes, 0);
    assert_int_equal(cprof_options_set(options, "limit", "2GiB", &err), 0);
    assert_int_equal(options->limit, 500);
    assert_int_equal(options->limit_bytes, 2LL << 30);
    assert_int_equal(cprof_options_set(options, "limit", "0", &err),
                     CPROF_EUSAGE);
    assert_int_equal(cprof_options_set(options, "limit", "10k", &err),
                     CPROF_EUSAGE);
    assert_string_equal(err.message,
                        "option --limit takes a number of goroutines, or a "
                        "size of memory such as 2GiB, not '10k'");
    assert_int_equal(options->limit_bytes, 2LL << 30);
}

static void set(const char *name, const char *value)
{
    err = (struct cprof_error){0};
    assert_int_equal(cprof_options_set(options, name, value, &err), 0);
    assert_int_equal(err.code, CPROF_OK);
}

static void refuse(const char *name, const char *value, const char *message)
{
    err = (struct cprof_error){0};
    assert_int_equal(cprof_options_set(options, name, value, &err),
                     CPROF_EUSAGE);
    assert_string_equal(err.message, message);
    assert_int_equal(cprof_options_set(options, name, value, NULL),
                     CPROF_EUSAGE);
}

static void new_options_have_every_default(void **state)
{
    (void)state;
    assert_int_equal(options->fail_on, CPROF_SEVERITY_HIGH);
    assert_int_equal(options->max_memory, 0);
    assert_int_equal(options->top, 0);
    assert_int_equal(options->min_count, 0);
    assert_int_equal(options->min_age_s, 0);
    assert_int_equal(options->columns, 0);
    assert_int_equal(options->group_by, GROUP_BY_STACK);
    assert_null(options->group_by_label);
    assert_null(options->instance);
    assert_int_equal(options->focus.count + options->rules.count, 0);
    assert_false(options->all || options->strict || options->color ||
                 options->verbose || options->no_builtin_rules);
}

static void options_given_again_add_up(void **state)
{
    static const char *const names[] = {"focus", "ignore", "hide",   "state",
                                        "label", "rules",  "disable"};
    struct option_list *lists[] = {
        &options->focus, &options->ignore, &options->hide,   &options->state,
        &options->label, &options->rules,  &options->disable};

    (void)state;
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        set(names[i], "first");
        set(names[i], "second=.*");
        assert_int_equal(lists[i]->count, 2);
        assert_string_equal(lists[i]->values[0], "first");
        assert_string_equal(lists[i]->values[1], "second=.*");
    }
}

static void flags_take_nothing(void **state)
{
    static const char *const names[] = {"all", "no-builtin-rules", "strict",
                                        "color", "verbose"};
    const bool *flags[] = {&options->all, &options->no_builtin_rules,
                           &options->strict, &options->color,
                           &options->verbose};

    (void)state;
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        assert_false(*flags[i]);
        set(names[i], NULL);
        assert_true(*flags[i]);
    }
    refuse("strict", "no", "option --strict takes no value");
}

static void numbers_and_texts_are_set(void **state)
{
    (void)state;
    set("min-count", "10");
    set("top", "3");
    set("columns", "132");
    set("max-memory", "64M");
    set("min-age", "1h30m");
    set("instance", "api-1");
    set("instance", "api-2");
    assert_int_equal(options->min_count, 10);
    assert_int_equal(options->top, 3);
    assert_int_equal(options->columns, 132);
    assert_int_equal(options->max_memory, 64 << 20);
    assert_int_equal(options->min_age_s, 5400);
    assert_string_equal(options->instance, "api-2");
}

static void bad_numbers_are_refused_and_change_nothing(void **state)
{
    (void)state;
    set("top", "3");
    refuse("top", "", "option --top takes a whole number, not ''");
    refuse("top", "-1", "option --top takes a whole number, not '-1'");
    refuse("top", "3x", "option --top takes a whole number, not '3x'");
    refuse("min-count", "99999999999999999999",
           "option --min-count takes a whole number, not "
           "'99999999999999999999'");
    refuse("columns", "wide",
           "option --columns takes a whole number, not 'wide'");
    refuse("min-age", "5 minutes",
           "option --min-age takes a duration such as 5m, not '5 minutes'");
    refuse("max-memory", "0",
           "option --max-memory takes a size such as 512M, not '0'");
    assert_int_equal(options->top, 3);
    assert_int_equal(options->max_memory, 0);
}

static void severities_are_words_or_none(void **state)
{
    (void)state;
    set("fail-on", "low");
    assert_int_equal(options->fail_on, CPROF_SEVERITY_LOW);
    set("fail-on", "critical");
    assert_int_equal(options->fail_on, CPROF_SEVERITY_CRITICAL);
    refuse("fail-on", "ok",
           "option --fail-on takes info, low, medium, high, critical or "
           "none, not 'ok'");
    refuse("fail-on", "High",
           "option --fail-on takes info, low, medium, high, critical or "
           "none, not 'High'");
    assert_int_equal(options->fail_on, CPROF_SEVERITY_CRITICAL);
    set("fail-on", "none");
    assert_int_equal(options->fail_on, CPROF_SEVERITY_OK);
}

static void grouping_is_a_word_or_a_label(void **state)
{
    static const char *const words[] = {"stack",   "site",    "function",
                                        "creator", "package", "state"};

    (void)state;
    for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        set("group-by", words[i]);
        assert_int_equal(options->group_by, i);
    }
    set("group-by", "label:tenant id");
    set("group-by", "label:handler");
    assert_int_equal(options->group_by, GROUP_BY_LABEL);
    assert_string_equal(options->group_by_label, "handler");
    refuse("group-by", "label:",
           "option --group-by takes stack, site, function, creator, package, "
           "state or label:KEY, not 'label:'");
    refuse("group-by", "stacks",
           "option --group-by takes stack, site, function, creator, package, "
           "state or label:KEY, not 'stacks'");
    assert_string_equal(options->group_by_label, "handler");
}

static void options_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    refuse("topp", "3", "there is no option --topp");
    refuse("", "3", "there is no option --");
    refuse("focus", NULL, "option --focus needs a value");
}

static void a_value_never_brings_control_bytes_into_the_message(void **state)
{
    (void)state;
    refuse("top", "\x1b[2J",
           "option --top takes a whole number, not '\\x1b[2J'");
}

struct size_example {
    const char *text;
    uint64_t size;
};

static void sizes_have_binary_suffixes(void **state)
{
    static const struct size_example good[] = {
        {"0", 0},
        {"1073741824", 1073741824},
        {"5b", 5},
        {"1k", 1024},
        {"512M", 512u << 20},
        {"1GiB", 1u << 30},
        {"2gb", 2ull << 30},
        {"3T", 3ull << 40},
    };
    static const char *const bad[] = {"",
                                      "M",
                                      "1x",
                                      "1 M",
                                      "1Ki",
                                      "1MM",
                                      "-1",
                                      "1iB",
                                      "1kBB",
                                      "1.5G",
                                      "99999999999999999999",
                                      "99999999T"};
    uint64_t size = 77;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(size_parse(str_from(bad[i]), &size));
    assert_int_equal(size, 77);
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_true(size_parse(str_from(good[i].text), &size));
        assert_int_equal(size, good[i].size);
    }
}

static void durations_add_their_parts(void **state)
{
    static const struct size_example good[] = {
        {"0", 0},
        {"30s", 30},
        {"5m", 300},
        {"1h30m", 5400},
        {"2d", 172800},
        {"1d2h3m4s", 93784},
        {"106751d", 106751 * (size_t)86400},
    };
    static const char *const bad[] = {
        "",    "m",    "5x",          "5 m",     "-5m",
        "5m ", "1.5h", "4294967296s", "106752d", "4294967295d4294967295d",
        "90",  "1h30", "0x"};
    uint64_t seconds = 77;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(duration_parse(str_from(bad[i]), &seconds));
    assert_int_equal(seconds, 77);
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_true(duration_parse(str_from(good[i].text), &seconds));
        assert_int_equal(seconds, good[i].size);
    }
}

static void a_timeout_may_be_a_number_of_seconds(void **state)
{
    uint64_t seconds = 77;

    (void)state;
    assert_true(timeout_parse(STR("90"), &seconds));
    assert_int_equal(seconds, 90);
    assert_true(timeout_parse(STR("5m"), &seconds));
    assert_int_equal(seconds, 300);
    assert_false(timeout_parse(STR("4294967296"), &seconds));
    assert_false(timeout_parse(STR("-1"), &seconds));
}

static void every_severity_has_its_word(void **state)
{
    enum cprof_severity severity = CPROF_SEVERITY_OK;

    (void)state;
    for (unsigned i = 0; i <= CPROF_SEVERITY_CRITICAL; i++) {
        const char *text = severity_text((enum cprof_severity)i);

        assert_true(severity_parse(str_from(text), &severity));
        assert_int_equal(severity, i);
    }
    assert_false(severity_parse(STR("none"), &severity));
    assert_false(severity_parse(STR(""), &severity));
}

static void freeing_nothing_does_nothing(void **state)
{
    (void)state;
    cprof_options_free(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_limit_is_a_number_or_memory),
        TEST(new_options_have_every_default),
        TEST(options_given_again_add_up),
        TEST(flags_take_nothing),
        TEST(numbers_and_texts_are_set),
        TEST(bad_numbers_are_refused_and_change_nothing),
        TEST(severities_are_words_or_none),
        TEST(grouping_is_a_word_or_a_label),
        TEST(options_that_do_not_exist_are_refused),
        TEST(a_value_never_brings_control_bytes_into_the_message),
        TEST(sizes_have_binary_suffixes),
        TEST(durations_add_their_parts),
        TEST(a_timeout_may_be_a_number_of_seconds),
        TEST(every_severity_has_its_word),
        cmocka_unit_test(freeing_nothing_does_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

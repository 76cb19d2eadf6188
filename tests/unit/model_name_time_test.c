/* Times in names of files and on the command line: name_time.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "model/name_time.h"

#include <cmocka.h>

static const int64_t SECOND = 1000000000;

/* The seconds that a name says, -1 = none. */
static int64_t in_name(const char *path)
{
    int64_t ns;

    return name_time_find(str_from(path), &ns) ? ns / SECOND : -1;
}

/* The same of a whole text. */
static int64_t in_text(const char *text)
{
    int64_t ns;

    return rfc3339_parse(str_from(text), &ns) ? ns / SECOND : -1;
}

static void names_as_people_write_them(void **state)
{
    /* 2026-11-21T05:39:11Z, by date -u +%s */
    static const int64_t at = 1795239551;

    (void)state;
    assert_int_equal(in_name("api-2026-11-21T05:39:11Z.pb.gz"), at);
    assert_int_equal(in_name("/var/dumps/api-2026-11-21T05-39-11.txt"), at);
    assert_int_equal(in_name("api-20261121T053911Z"), at);
    assert_int_equal(in_name("20261121_053911.txt"), at);
    assert_int_equal(in_name("goroutine.20261121053911"), at);
    assert_int_equal(in_name("2026-11-21 05.39.11.dump"), at);
    assert_int_equal(in_name("2026-11-21_05h39m11"), at);
    assert_int_equal(in_name("goroutine.1795239551.pb.gz"), at);
    assert_int_equal(in_name("goroutine-1795239551000.pb.gz"), at);
    assert_int_equal(in_name("api-2026-11-21T07:39:11+02:00.txt"), at);
    assert_int_equal(in_name("pod-7f9-2-2026-11-21T05:39:11Z"), at);
    assert_int_equal(in_name("dump-20261121-0539.txt"), at - 11);
}

static void names_without_a_time(void **state)
{
    (void)state;
    assert_int_equal(in_name("dump.txt"), -1);
    assert_int_equal(in_name(""), -1);
    assert_int_equal(in_name("snap07.debug2.txt"), -1);
    assert_int_equal(in_name("2026-11-21.txt"), -1);
    assert_int_equal(in_name("2026-13-41T05:39:11Z"), -1);
    assert_int_equal(in_name("20261121T053911Z/dump.txt"), -1);
    assert_int_equal(in_name("0123456789"), -1);
    assert_int_equal(in_name("goroutine.4102444800"), -1); /* 2100 */
    assert_int_equal(in_name("goroutine.4102444799"), 4102444799);
    assert_int_equal(in_name("request-9999999999"), -1);
    assert_int_equal(in_name("request-9999999999999"), -1);
    assert_int_equal(in_name("99999999999999999999999999"), -1);
}

static void a_time_on_the_command_line(void **state)
{
    (void)state;
    assert_int_equal(in_text("1970-01-01T00:00:00Z"), -1); /* before Go */
    assert_int_equal(in_text("2026-11-21T05:39:11Z"), 1795239551);
    assert_int_equal(in_text("2026-11-21 05:39:11"), 1795239551);
    assert_int_equal(in_text("2026-11-21T05:39:11.5+02:00"), 1795232351);
    assert_int_equal(in_text("2024-02-29T00:00:00Z"), 1709164800);
    assert_int_equal(in_text("2026-11-21"), -1);
    assert_int_equal(in_text("yesterday"), -1);
    assert_int_equal(in_text("2026-11-21T05:39:11Zzz"), -1);
    assert_int_equal(in_text("2026-11-21T05:39:11+99:00"), -1);
    assert_int_equal(in_text("2026-02-30T00:00:00Z"), -1);
}

static void fractions_are_kept(void **state)
{
    int64_t ns = 0;

    (void)state;
    assert_true(rfc3339_parse(STR("2026-11-21T05:39:11.25Z"), &ns));
    assert_int_equal(ns, 1795239551 * SECOND + SECOND / 4);
    assert_true(rfc3339_parse(STR("2026-11-21T05:39:11.1234567891Z"), &ns));
    assert_int_equal(ns, 1795239551 * SECOND + 123456789);
}

static void days_are_those_of_the_calendar(void **state)
{
    static const char *const wrong[] = {
        "2026-02-29", "2026-1-1",    "20260101", "2026-13-01",
        "2026-00-10", "2026-11-21 ", "today",    ""};

    (void)state;
    assert_true(day_is_valid(STR("2026-11-21")));
    assert_true(day_is_valid(STR("2024-02-29")));
    assert_true(day_is_valid(STR("9999-12-31")));
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(day_is_valid(str_from(wrong[i])));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_as_people_write_them),
        cmocka_unit_test(names_without_a_time),
        cmocka_unit_test(a_time_on_the_command_line),
        cmocka_unit_test(fractions_are_kept),
        cmocka_unit_test(days_are_those_of_the_calendar),
    };

    return cmocka_run_group_tests_name("model/name_time", tests, NULL, NULL);
}

/* The ends of headers that come again say what they said when they were
 * parsed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/header_tails.h"
#include "support/reading.h"

#include <cmocka.h>

static void an_end_is_kept_when_it_comes_again(void **state)
{
    struct header_tails *tails;
    const struct label labels[] = {{STR_INIT("tenant"), STR_INIT("acme")},
                                   {STR_INIT("empty"), STR_INIT("")}};
    struct str text = STR("] {tenant: acme, empty: \"\"}:");
    const struct header_tail *tail;
    struct budget budget;

    (void)state;
    budget_init(&budget, 0);
    tails = header_tails_new(&budget);
    assert_non_null(tails);
    header_tails_note(tails, text, true, labels, 2);
    assert_null(header_tails_find(tails, text));
    assert_int_equal(budget.used, 0);
    header_tails_note(tails, text, true, labels, 2);
    tail = header_tails_find(tails, text);
    assert_non_null(tail);
    assert_true(tail->locked);
    assert_int_equal(tail->set.n, 2);
    assert_true(str_equal(tail->set.labels[0].key, STR("tenant")));
    assert_true(str_equal(tail->set.labels[0].value, STR("acme")));
    assert_int_equal(tail->set.labels[1].value.len, 0);
    assert_null(header_tails_find(tails, STR("] {tenant: acme}:")));
    header_tails_free(tails);
    assert_int_equal(budget.used, 0);
}

/* Numbers of requests are all different; and what is kept is bounded. */
static void ends_that_come_once_or_are_many_take_little(void **state)
{
    struct header_tails *tails;
    struct budget budget;
    char text[64];

    (void)state;
    budget_init(&budget, 0);
    tails = header_tails_new(&budget);
    assert_non_null(tails);
    for (unsigned i = 0; i < 100000; i++) {
        snprintf(text, sizeof(text), "] {request: r%u}:", i);
        header_tails_note(tails, str_from(text), false, NULL, 0);
    }
    assert_true(budget.used < 4096);
    for (unsigned i = 0; i < 200000; i++) {
        snprintf(text, sizeof(text), "] {request: q%u}:", i / 2);
        header_tails_note(tails, str_from(text), false, NULL, 0);
    }
    assert_true(budget.used > TAILS_BYTES / 2);
    assert_true(budget.used < TAILS_BYTES * 2);
    header_tails_free(tails);
}

static void without_memory_nothing_is_kept(void **state)
{
    struct header_tails *tails;
    struct budget budget;

    (void)state;
    budget_init(&budget, 100);
    tails = header_tails_new(&budget);
    assert_non_null(tails);
    for (unsigned i = 0; i < 4; i++)
        header_tails_note(tails, STR("] {a: b}:"), false, NULL, 0);
    assert_null(header_tails_find(tails, STR("] {a: b}:")));
    header_tails_note(NULL, STR("] {a: b}:"), false, NULL, 0);
    assert_null(header_tails_find(NULL, STR("] {a: b}:")));
    header_tails_free(tails);
}

/* --- In dumps ------------------------------------------------------------- */

enum { GOROUTINES = 900 };

/* What follows a state, with a number where it says so. */
static const char *const ends[] = {
    "]:",
    "] {tenant: acme}:",
    "] {tenant: acme, handler: \"GET /a\"}:",
    ", 7 minutes] {tenant: globex}:",
    ", 12345 minutes] {tenant: globex}:",
    ", locked to thread] {tenant: acme}:",
    ", 3 minutes, locked to thread]:",
    "] {tenant: \"}:\", handler: \"a\\\"b\"}:",
    "] {\"tenant\": \"initech\"}:",
    "]{\"tenant\": \"initech\"}:",
    " labels:{\"tenant\": \"hooli\"}]:",
    ", 9 minutes labels:{\"tenant\": \"hooli\"}]:",
    ", synctest bubble 3]:",
    ", 99999999999 minutes] {tenant: acme}:",
    " (scan), 2 minutes] {tenant: acme}:",
    " (leaked)] {tenant: acme}:",
    ", 4 minutes, 6 minutes] {tenant: acme}:",
    "] {request: r%u}:",
    "] {shard: t%u}:",
    "] {}:",
    "] {tenant: acme}:  ",
};

/* Writes a dump in which each end comes often, in an order that says nothing;
 * one of two stacks, and now and then another state. With pads no end comes
 * again: so many blanks follow it. */
static void write_dump(struct buf *buf, bool has_pads)
{
    enum { N_ENDS = sizeof(ends) / sizeof(ends[0]) };

    buf_clear(buf);
    for (unsigned i = 0; i < GOROUTINES; i++) {
        unsigned kind = i * 2654435761u >> 8;
        const char *end = ends[kind % N_ENDS];
        const char *number = strstr(end, "%u");

        buf_addf(buf, "goroutine %u [%s", i + 10,
                 kind / 32 % 9 ? "chan receive" : "select (no cases)");
        buf_add(buf, number ? (struct str){end, (size_t)(number - end)}
                            : str_from(end));
        if (number)
            buf_addf(buf, "%u%s", end[3] == 'r' ? i : i % 40, number + 2);
        buf_add_repeat(buf, ' ', has_pads ? i : 0);
        buf_addf(buf,
                 "\nmain.work%u(0xc%06x)\n\t/src/main.go:%u +0x1d\n"
                 "created by main.main in goroutine 1\n"
                 "\t/src/main.go:9 +0x2b\n\n",
                 kind / 7 % 2, i * 64, 20 + kind / 7 % 2);
    }
}

/* Reads a dump so many bytes at a time, and returns a copy of all that is known
 * of it then. */
static char *read_in_steps(struct str dump, size_t step)
{
    struct reading reading;
    char *all;

    reading_init(&reading);
    assert_int_equal(reading_add_bytes(&reading, dump, step), 0);
    all = strdup(reading_everything(&reading));
    assert_non_null(all);
    reading_done(&reading);
    return all;
}

static void known_ends_say_what_parsed_ones_do(void **state)
{
    static const size_t steps[] = {0, 1, 100, 4099};
    struct buf dump = {0};
    char *parsed;

    (void)state;
    write_dump(&dump, true);
    parsed = read_in_steps(buf_str(&dump), 0);
    assert_non_null(strstr(parsed, "hooli"));
    assert_non_null(strstr(parsed, "initech"));
    write_dump(&dump, false);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        char *known = read_in_steps(buf_str(&dump), steps[i]);

        assert_string_equal(known, parsed);
        free(known);
    }
    free(parsed);
    buf_done(&dump);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_end_is_kept_when_it_comes_again),
        cmocka_unit_test(ends_that_come_once_or_are_many_take_little),
        cmocka_unit_test(without_memory_nothing_is_kept),
        cmocka_unit_test(known_ends_say_what_parsed_ones_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/escape.h"
#include "support/reporting.h"

#include <cmocka.h>

static struct reporting reporting;

static int set_up(void **state)
{
    (void)state;
    reporting_init(&reporting, reporting_rules);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    reporting_done(&reporting);
    return 0;
}

/* A name with a terminal escape, a right-to-left override, a line end, broken
 * UTF-8 and Chinese, and much of it. */
static void add_hostile(struct snapshot *snapshot, uint64_t count,
                        const char *wait)
{
    char *name = malloc(12000);
    size_t n = (size_t)snprintf(name, 12000,
                                "main.\033[31mred\a\u202eevil\xff\u4f60\u597d");

    assert_non_null(name);
    memset(name + n, 'a', 10000);
    strcpy(name + n + 10000, "|/src/\033]0;title\007\u200b/main.go:1");
    reporting_add(snapshot, &(struct sample){.count = count,
                                             .state = wait,
                                             .frames = {name},
                                             .created_by = name,
                                             .key = "k\033[2J",
                                             .value = "v\u202e\r"});
    free(name);
}

/* Only line ends and printable characters. */
static void assert_printable(struct str text)
{
    while (text.len) {
        uint32_t point = 0;
        size_t n = utf8_next(text, &point);

        assert_true(n > 0);
        assert_true(point == '\n' || point >= ' ');
        assert_false(point >= 0x7f && point < 0xa0);
        assert_false(point >= 0x200b && point <= 0x202e);
        text = str_skip(text, n);
    }
}

static void assert_no_wider(const char *text, size_t columns)
{
    struct str rest = str_from(text);

    while (rest.len) {
        struct str line = str_head(rest, str_find(rest, '\n'));

        if (display_width(line) > columns)
            fail_msg("wider than %zu: %.*s", columns, (int)line.len, line.ptr);
        rest = str_skip(rest, line.len + 1);
    }
}

static void text_of_a_dump_cannot_reach_the_terminal_raw(void **state)
{
    struct snapshot *snapshot =
        reporting_snapshot(&reporting, "a\033[1mb", "debug2");
    const char *text;

    (void)state;
    add_hostile(snapshot, 2000, "chan send");
    add_hostile(snapshot, 20, "chan\033[0m receive");
    diag_add(&reporting.snapshots->diags, DIAG_WARNING, "odd",
             (struct place){.source = "a\033[1mb", .line = 3}, "odd \033[1m");
    text = reporting_write(&reporting, "text");
    assert_printable(str_from(text));
    text_has(text, "\\x1b[31mred\\x07\\u{202e}evil\\xff\u4f60\u597d");
    reporting_set(&reporting, "verbose", NULL);
    assert_printable(str_from(reporting_write(&reporting, "text")));
    reporting_set(&reporting, "all", NULL);
    assert_printable(str_from(reporting_write(&reporting, "text")));
}

static void tables_keep_to_the_width_they_are_given(void **state)
{
    static const char *const widths[] = {"60", "71", "80", "132"};
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");

    (void)state;
    add_hostile(snapshot, 12, "chan send");
    add_hostile(snapshot, 11, "a state that no version of Go ever had");
    reporting_add_workers(snapshot, 1000000);
    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
        reporting_set(&reporting, "columns", widths[i]);
        assert_no_wider(reporting_write(&reporting, "text"),
                        (size_t)atoi(widths[i]));
    }
}

static void prose_keeps_to_the_width_it_is_given(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");

    (void)state;
    reporting_add_senders(snapshot, 2000);
    reporting_set(&reporting, "columns", "60");
    assert_no_wider(reporting_write(&reporting, "text"), 60);
}

/* Cuts the escapes that colour makes out of text, in place. */
static void remove_colour(char *text)
{
    char *to = text;

    for (const char *at = text; *at;) {
        if (at[0] == '\033' && at[1] == '[') {
            at += 2 + strspn(at + 2, "0123456789;");
            assert_int_equal(*at++, 'm');
        } else {
            *to++ = *at++;
        }
    }
    *to = '\0';
}

static void colour_changes_nothing_but_colour(void **state)
{
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug1");
    char *plain;
    char *coloured;

    (void)state;
    add_hostile(snapshot, 2000, "chan send");
    reporting_add_receivers(snapshot, 30);
    reporting_add_workers(snapshot, 3);
    plain = strdup(reporting_write(&reporting, "text"));
    reporting_set(&reporting, "color", NULL);
    coloured = strdup(reporting_write(&reporting, "text"));
    assert_non_null(plain);
    assert_non_null(coloured);
    assert_string_not_equal(plain, coloured);
    remove_colour(coloured);
    assert_string_equal(plain, coloured);
    free(plain);
    free(coloured);
}

static void labels_of_a_target_are_escaped_as_json(void **state)
{
    const struct label labels[] = {{STR("zone"), STR("b")},
                                   {STR("a\"b\n"), STR("\033\xff")}};
    struct snapshot *snapshot = reporting_snapshot(&reporting, "x", "debug2");

    (void)state;
    reporting_add_workers(snapshot, 1);
    text_has(reporting_write(&reporting, "json"), "\"labels\": null");
    snapshot_set_labels(snapshot, labels, 2);
    text_has(reporting_write(&reporting, "json"),
             "\"labels\": {\"zone\": \"b\", "
             "\"a\\\"b\\n\": \"\\u001b\xef\xbf\xbd\"}");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(text_of_a_dump_cannot_reach_the_terminal_raw),
        CASE(tables_keep_to_the_width_they_are_given),
        CASE(prose_keeps_to_the_width_it_is_given),
        CASE(colour_changes_nothing_but_colour),
        CASE(labels_of_a_target_are_escaped_as_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

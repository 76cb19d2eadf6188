/* Errors and diagnostics. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/error.h"

#include <cmocka.h>

static const struct place place = {"dump.txt", 7, 3};

static void an_error_has_code_place_and_message(void **state)
{
    struct cprof_error err = {0};

    (void)state;
    assert_int_equal(
        error_set(&err, CPROF_EFORMAT, place, "no %s in '%s'", "dump", "x"),
        CPROF_EFORMAT);
    assert_int_equal(err.code, CPROF_EFORMAT);
    assert_int_equal(err.line, 7);
    assert_int_equal(err.column, 3);
    assert_string_equal(err.source, "dump.txt");
    assert_string_equal(err.message, "no dump in 'x'");
    assert_string_equal(err.detail, "");
}

static void nobody_needs_to_want_an_error(void **state)
{
    (void)state;
    assert_int_equal(error_set(NULL, CPROF_EIO, place, "x"), CPROF_EIO);
    assert_int_equal(error_memory(NULL, place, "reading"), CPROF_ENOMEM);
    assert_int_equal(error_system(NULL, place, "cannot open"), CPROF_EIO);
    error_detail(NULL, "x");
}

static void a_message_has_no_control_bytes(void **state)
{
    struct cprof_error err = {0};
    struct place strange = {"a\nb\x1b", 0, 0};

    (void)state;
    error_set(&err, CPROF_EFORMAT, strange, "it says '\x1b[2J\n'");
    assert_string_equal(err.message, "it says '\\x1b[2J\\x0a'");
    assert_string_equal(err.source, "a\\x0ab\\x1b");
    error_detail(&err, "14 | states:\n   | ^\x1b");
    assert_string_equal(err.detail, "14 | states:\n   | ^\\x1b");
}

static void a_long_message_is_cut_between_characters(void **state)
{
    struct cprof_error err = {0};
    char text[2001];

    (void)state;
    for (size_t i = 0; i + 2 <= 2000; i += 2)
        memcpy(text + i, "\xc3\xbc", 2);
    text[2000] = '\0';
    error_set(&err, CPROF_EUSAGE, (struct place){0}, "x%s", text);
    assert_int_equal(strlen(err.message), 511);
    assert_int_equal((unsigned char)err.message[510], 0xbc);
    assert_string_equal(err.source, "");
}

static void a_system_error_tells_its_reason(void **state)
{
    struct cprof_error err = {0};

    (void)state;
    errno = ENOENT;
    assert_int_equal(error_system(&err, place, "cannot open"), CPROF_EIO);
    assert_string_equal(err.message, "cannot open: No such file or directory");
    error_memory(&err, place, "reading");
    assert_string_equal(err.message, "out of memory while reading");
}

static void diagnostics_stand_in_order_of_arrival(void **state)
{
    struct budget budget;
    struct diags diags;

    (void)state;
    budget_init(&budget, 0);
    diags_init(&diags, &budget);
    assert_null(diag_find(&diags, "cut-tail"));
    diag_add(&diags, DIAG_WARNING, "cut-tail", place, "ends in '%s'", "\x1b");
    diag_add(&diags, DIAG_INFO, "skipped-lines", (struct place){0}, "two");
    assert_string_equal(diags.first->code, "cut-tail");
    assert_string_equal(diags.first->message.ptr, "ends in '\\x1b'");
    assert_string_equal(diags.first->source, "dump.txt");
    assert_int_equal(diags.first->line, 7);
    assert_null(diags.last->source);
    assert_ptr_equal(diag_find(&diags, "skipped-lines"), diags.last);
    assert_string_equal(diag_severity_text(DIAG_INFO), "info");
    assert_string_equal(diag_severity_text(DIAG_WARNING), "warning");
    assert_string_equal(diag_severity_text(DIAG_ERROR), "error");
    diags_done(&diags);
    assert_int_equal(budget.used, 0);
}

static unsigned count_diags(const struct diags *diags)
{
    unsigned n = 0;

    for (const struct diag *diag = diags->first; diag; diag = diag->next)
        n++;
    return n;
}

static void many_of_a_code_are_counted_for_each_source(void **state)
{
    struct budget budget;
    struct diags diags;
    struct place other = {"other.txt", 1, 0};

    (void)state;
    budget_init(&budget, 0);
    diags_init(&diags, &budget);
    for (int i = 0; i < 1000; i++)
        diag_add(&diags, DIAG_WARNING, "odd", place, "line %d", i);
    assert_int_equal(count_diags(&diags), DIAG_MOST);
    assert_int_equal(diags.last->repeats, 1000 - DIAG_MOST);
    diag_add(&diags, DIAG_WARNING, "odd", other, "once");
    diag_add(&diags, DIAG_WARNING, "even", place, "once");
    assert_int_equal(count_diags(&diags), DIAG_MOST + 2);
    diags_done(&diags);
}

/* More sources than there are chains to find them by. */
static void each_of_many_sources_has_its_own_count(void **state)
{
    enum { SOURCES = 3 * DIAG_CHAINS };
    struct budget budget;
    struct diags diags;
    char name[32];

    (void)state;
    budget_init(&budget, 0);
    diags_init(&diags, &budget);
    for (int i = 0; i < 2 * SOURCES; i++) {
        snprintf(name, sizeof(name), "%d.txt", i % SOURCES);
        for (int k = 0; k < DIAG_MOST; k++)
            diag_add(&diags, DIAG_INFO, "odd", (struct place){.source = name},
                     "line %d", k);
    }
    assert_int_equal(count_diags(&diags), SOURCES * DIAG_MOST);
    for (const struct diag *diag = diags.first; diag; diag = diag->next) {
        bool is_last = !strcmp(diag->message.ptr, "line 19");

        assert_int_equal(diag->repeats, is_last ? DIAG_MOST : 0);
    }
    diags_done(&diags);
    assert_int_equal(budget.used, 0);
}

static void what_says_the_same_in_a_row_is_kept_once(void **state)
{
    struct budget budget;
    struct diags diags;
    struct place elsewhere = place;

    (void)state;
    elsewhere.line++;
    budget_init(&budget, 0);
    diags_init(&diags, &budget);
    for (int i = 0; i < 3; i++)
        diag_add(&diags, DIAG_WARNING, "odd", place, "the same");
    assert_int_equal(count_diags(&diags), 1);
    assert_int_equal(diags.last->repeats, 2);
    diag_add(&diags, DIAG_WARNING, "odd", elsewhere, "the same");
    diag_add(&diags, DIAG_WARNING, "odd", elsewhere, "another");
    assert_int_equal(count_diags(&diags), 3);
    assert_int_equal(diags.last->repeats, 0);
    diags_done(&diags);
}

static void a_diagnostic_without_memory_is_counted(void **state)
{
    struct budget budget;
    struct diags diags;

    (void)state;
    budget_init(&budget, 10);
    diags_init(&diags, &budget);
    diag_add(&diags, DIAG_WARNING, "odd", place, "x");
    assert_null(diags.first);
    assert_int_equal(diags.lost, 1);
    diags_done(&diags);
}

static void that_memory_is_used_up_can_still_be_said(void **state)
{
    struct budget budget;
    struct diags diags;

    (void)state;
    budget_init(&budget, 100000);
    diags_init(&diags, &budget);
    assert_true(budget_take(&budget, budget_left(&budget)));
    for (int i = 0; i < DIAG_MOST; i++)
        diag_add(&diags, DIAG_WARNING, "memory-limit", place, "line %d", i);
    assert_int_equal(count_diags(&diags), DIAG_MOST);
    assert_int_equal(diags.lost, 0);
    diags_done(&diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_has_code_place_and_message),
        cmocka_unit_test(nobody_needs_to_want_an_error),
        cmocka_unit_test(a_message_has_no_control_bytes),
        cmocka_unit_test(a_long_message_is_cut_between_characters),
        cmocka_unit_test(a_system_error_tells_its_reason),
        cmocka_unit_test(diagnostics_stand_in_order_of_arrival),
        cmocka_unit_test(many_of_a_code_are_counted_for_each_source),
        cmocka_unit_test(each_of_many_sources_has_its_own_count),
        cmocka_unit_test(what_says_the_same_in_a_row_is_kept_once),
        cmocka_unit_test(a_diagnostic_without_memory_is_counted),
        cmocka_unit_test(that_memory_is_used_up_can_still_be_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

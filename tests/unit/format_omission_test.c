#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "format/omission.h"

#include <cmocka.h>

#define N(array) (sizeof(array) / sizeof((array)[0]))

static void marks_of_many_kinds_are_seen(void **state)
{
    static const char *const lines[] = {
        "...",
        " [...]",
        "(\xe2\x80\xa6)",
        "--",
        "... 1000 lines omitted ...",
        "[truncated 1000 lines]",
        "<truncated>",
        "... (1234 bytes truncated)",
        "*** skipping 1000 lines ***",
        "-- skipped 200 messages --",
        "... and 300 more goroutines",
        "(snip)",
        "##[warning]log truncated",
        "Log truncated: see full log",
        "Job's log exceeded limit of 4194304 bytes.",
    };

    (void)state;
    for (size_t i = 0; i < N(lines); i++) {
        if (!omission_looks_like(str_from(lines[i])))
            fail_msg("not seen: %s", lines[i]);
    }
}

static void words_of_programs_are_none(void **state)
{
    static const char *const lines[] = {
        "",
        "  ",
        "........",
        "---",
        ".",
        "main.skip(...)",
        "skipped 3 items",
        "dropped connection from 10.0.0.1",
        "created by main.more",
        "\t/src/more/lines.go:7 +0x1d",
        "retrying, 3 more times",
        "goroutine running on other thread; stack unavailable",
        "fatal error: all goroutines are asleep - deadlock!",
        "exit status 2",
        "lines of the log",
        "omitteds",
        "incomprehensibilities truncated",
    };

    (void)state;
    for (size_t i = 0; i < N(lines); i++) {
        if (omission_looks_like(str_from(lines[i])))
            fail_msg("taken for a mark: %s", lines[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_of_many_kinds_are_seen),
        cmocka_unit_test(words_of_programs_are_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

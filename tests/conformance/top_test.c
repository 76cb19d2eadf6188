/* The table of a heap, block or mutex profile against `go tool pprof -top` of
 * the same file, which lies beside it: line by line. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#include <cmocka.h>

/* Cuts a suffix that pprof adds to the names of inlined functions; our model
 * does not tell them apart. */
static void cut_inline(char *line)
{
    static const char *const marks[] = {" (inline)", " (partial-inline)"};

    for (size_t i = 0; i < LENGTH(marks); i++) {
        char *at = strstr(line, marks[i]);

        if (at)
            *at = '\0';
    }
}

/* The next line of a table behind its head, with single blanks; false at its
 * end. */
static bool next_row(const char **text, char *row, size_t size)
{
    const char *end = strchr(*text, '\n');
    size_t n = 0;

    if (!end || end == *text || strncmp(*text, "  ...", 5) == 0)
        return false;
    for (const char *at = *text; at < end && n + 1 < size; at++) {
        if (*at != ' ' || (n && row[n - 1] != ' '))
            row[n++] = *at;
    }
    row[n] = '\0';
    cut_inline(row);
    *text = end + 1;
    return true;
}

/* What follows the head of a table. */
static const char *find_table(const char *text)
{
    const char *head = strstr(text, "sum%");
    const char *end = head ? strchr(head, '\n') : NULL;

    return end ? end + 1 : "";
}

static size_t compare(const char *path, const char *ours, const char *theirs)
{
    char row[1024];
    char expected[1024];
    size_t n = 0;

    ours = find_table(ours);
    theirs = find_table(theirs);
    while (next_row(&theirs, expected, sizeof(expected))) {
        if (!next_row(&ours, row, sizeof(row)))
            fail_msg("%s: no line '%s'", path, expected);
        if (strcmp(row, expected) != 0)
            fail_msg("%s: line '%s', not '%s'", path, row, expected);
        n++;
    }
    if (next_row(&ours, row, sizeof(row)))
        fail_msg("%s: line '%s' too many", path, row);
    return n;
}

static size_t check_file(const char *top)
{
    char profile[600];
    const char *arguments[] = {"--top", "1000000", profile, NULL};
    struct answer answer;
    size_t len;
    size_t n;
    char *theirs = read_file(top, &len);

    snprintf(profile, sizeof(profile), "%.*s.pb.gz",
             (int)(strlen(top) - strlen(".top.txt")), top);
    answer = run(NULL, arguments);
    assert_int_equal(0, answer.status);
    n = compare(profile, answer.text, theirs);
    answer_done(&answer);
    free(theirs);
    return n;
}

static void tables_of_functions_are_those_of_pprof_top(void **state)
{
    static const char *const kinds[] = {"heap", "allocs", "block", "mutex"};
    size_t files = 0;
    size_t rows = 0;

    (void)state;
    for (size_t i = 0; i < LENGTH(kinds); i++) {
        glob_t found = {0};

        glob(fixture("corpus/*/*/*.%s.debug0.top.txt", kinds[i]), 0, NULL,
             &found);
        for (size_t j = 0; j < found.gl_pathc; j++) {
            rows += check_file(found.gl_pathv[j]);
            files++;
        }
        globfree(&found);
    }
    assert_true(files > 30);
    assert_true(rows > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_functions_are_those_of_pprof_top),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

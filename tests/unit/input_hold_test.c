/* Bytes of an input in one piece, for readers of what is no text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include "input/lines.h"

#include <cmocka.h>

enum { SIZE = 3 * 1024 * 1024 };

static struct budget budget;
static struct source_memory memory;
static struct lines lines;
static char *bytes;
static bool no_memory;

/* An input of SIZE bytes, each of which follows from its place. */
static void begin(size_t limit, size_t step)
{
    budget_init(&budget, limit);
    memory = (struct source_memory){{bytes, SIZE}, step};
    no_memory = false;
    assert_int_equal(
        lines_init(&lines, source_from_memory(&memory), "input", &budget, NULL),
        0);
}

static int set_up(void **state)
{
    (void)state;
    bytes = malloc(SIZE);
    assert_non_null(bytes);
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (char)(i * 2654435761u >> 24);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(bytes);
    return 0;
}

static void the_buffer_grows_to_what_is_wanted(void **state)
{
    (void)state;
    begin(0, 1000);
    assert_true(lines_hold(&lines, 20, &no_memory) >= 20);
    lines.at += 20;
    assert_true(lines_hold(&lines, 2000000, &no_memory) >= 2000000);
    assert_memory_equal(lines.at, bytes + 20, 2000000);
    lines.at += 2000000;
    assert_true(lines_hold(&lines, 500000, &no_memory) >= 500000);
    assert_memory_equal(lines.at, bytes + 2000020, 500000);
    assert_false(no_memory);
    lines_done(&lines);
    assert_int_equal(budget.used, 0);
}

static void the_end_of_the_input_is_all_there_is(void **state)
{
    (void)state;
    begin(0, 0);
    assert_int_equal(lines_hold(&lines, (size_t)SIZE * 100, &no_memory), SIZE);
    assert_memory_equal(lines.at, bytes, SIZE);
    assert_false(no_memory);
    lines.at = lines.end;
    assert_int_equal(lines_hold(&lines, 1, &no_memory), 0);
    lines_done(&lines);
}

static void without_memory_fewer_bytes_are_held(void **state)
{
    size_t have;

    (void)state;
    begin(1024 * 1024, 0);
    have = lines_hold(&lines, SIZE, &no_memory);
    assert_true(no_memory);
    assert_true(have >= LINES_SMALL_BUFFER && have < SIZE);
    assert_memory_equal(lines.at, bytes, have);
    lines_done(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_buffer_grows_to_what_is_wanted),
        cmocka_unit_test(the_end_of_the_input_is_all_there_is),
        cmocka_unit_test(without_memory_fewer_bytes_are_held),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}

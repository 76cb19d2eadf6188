/* Bytes of files are read in whole pages, to where a page of memory begins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "input/lines.h"

#include <cmocka.h>

enum { INPUT_SIZE = 3000000 };

/* A file of full lines, and what was asked of it. */
struct watched {
    size_t given;
    size_t n_reads;
    size_t n_ragged; /* not in whole pages, or to within one */
};

static ptrdiff_t read_watched(void *user, void *into, size_t size)
{
    struct watched *watched = user;
    size_t left = INPUT_SIZE - watched->given;
    size_t n = size < left ? size : left;

    watched->n_reads++;
    watched->n_ragged += left && ((uintptr_t)into % SOURCE_PAGE != 0 ||
                                  (watched->given + size) % SOURCE_PAGE != 0);
    memset(into, 'x', n);
    for (size_t i = 99 - watched->given % 100; i < n; i += 100)
        ((char *)into)[i] = '\n';
    watched->given += n;
    return (ptrdiff_t)n;
}

static void lines_are_read_in_whole_pages(void **state)
{
    struct watched watched = {0};
    struct budget budget;
    struct lines lines;
    struct str line;

    (void)state;
    budget_init(&budget, 0);
    assert_int_equal(
        lines_init(&lines,
                   (struct source){.read = read_watched, .user = &watched},
                   "input", &budget, NULL),
        0);
    for (size_t i = 0; i < INPUT_SIZE / 100; i++) {
        lines_fill(&lines, LINES_WINDOW);
        assert_true(lines_peek(&lines, &line));
        assert_int_equal(line.len, 99);
        lines_next(&lines);
    }
    assert_false(lines_peek(&lines, &line));
    assert_true(watched.n_reads > INPUT_SIZE / LINES_BUFFER);
    assert_int_equal(watched.n_ragged, 0);
    lines_done(&lines);
}

static void fill(FILE *file, unsigned char *bytes)
{
    for (size_t i = 0; i < INPUT_SIZE; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 256);
    assert_int_equal(fwrite(bytes, 1, INPUT_SIZE, file), INPUT_SIZE);
    assert_int_equal(fflush(file), 0);
}

static void a_range_is_read_to_the_ends_of_pages(void **state)
{
    unsigned char *bytes = malloc(INPUT_SIZE);
    unsigned char *seen = malloc(INPUT_SIZE);
    FILE *file = tmpfile();
    struct source_range range = {0, 777, INPUT_SIZE - 555};
    struct source source = source_from_range(&range);
    size_t n = 0;
    ptrdiff_t got;

    (void)state;
    assert_true(bytes && seen && file);
    fill(file, bytes);
    range.file = fileno(file);
    while ((got = source.read(source.user, seen + n, 100000)) > 0) {
        n += (size_t)got;
        assert_true(range.at % SOURCE_PAGE == 0 || range.at == range.end);
    }
    assert_int_equal(got, 0);
    assert_int_equal(n, INPUT_SIZE - 777 - 555);
    assert_memory_equal(seen, bytes + 777, n);
    fclose(file);
    free(seen);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_read_in_whole_pages),
        cmocka_unit_test(a_range_is_read_to_the_ends_of_pages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"
#include "input/lines.h"

#include <cmocka.h>

struct text {
    struct budget budget;
    struct source_memory memory;
    struct lines lines;
};

static void open_text(struct text *text, struct str bytes, size_t step)
{
    budget_init(&text->budget, 0);
    text->memory = (struct source_memory){bytes, step};
    assert_int_equal(lines_init(&text->lines, source_from_memory(&text->memory),
                                "input", &text->budget, NULL),
                     0);
}

static void close_text(struct text *text)
{
    lines_done(&text->lines);
    assert_int_equal(text->budget.used, 0);
}

static void expect_line(struct lines *lines, uint64_t number, struct str line)
{
    struct str seen;

    assert_true(lines_peek(lines, &seen));
    assert_int_equal(lines->number, number);
    assert_int_equal(seen.len, line.len);
    assert_memory_equal(seen.ptr, line.ptr, line.len);
}

static void expect_end(struct lines *lines)
{
    struct str line;

    assert_false(lines_peek(lines, &line));
    assert_false(lines_peek(lines, &line));
}

static void read_three_lines(size_t step)
{
    struct text text;

    open_text(&text, STR("one\r\n\nthree\r\r"), step);
    expect_line(&text.lines, 1, STR("one"));
    assert_true(lines_has_end(&text.lines));
    expect_line(&text.lines, 1, STR("one"));
    lines_next(&text.lines);
    expect_line(&text.lines, 2, STR(""));
    assert_true(lines_has_end(&text.lines));
    lines_next(&text.lines);
    expect_line(&text.lines, 3, STR("three\r"));
    assert_false(lines_has_end(&text.lines));
    lines_next(&text.lines);
    expect_end(&text.lines);
    assert_int_equal(text.lines.n_bytes, 13);
    close_text(&text);
}

static void lines_are_the_same_in_any_pieces(void **state)
{
    (void)state;
    for (size_t step = 0; step < 14; step++)
        read_three_lines(step);
}

static void a_byte_order_mark_is_skipped_at_the_start_only(void **state)
{
    struct text text;

    (void)state;
    open_text(&text,
              STR("\xef\xbb\xbf"
                  "a\n\xef\xbb\xbf"
                  "b\n"),
              1);
    expect_line(&text.lines, 1, STR("a"));
    lines_next(&text.lines);
    expect_line(&text.lines, 2,
                STR("\xef\xbb\xbf"
                    "b"));
    close_text(&text);
    open_text(&text, STR("\xef\xbb"), 0);
    expect_line(&text.lines, 1, STR("\xef\xbb"));
    close_text(&text);
}

static void an_empty_input_has_no_line(void **state)
{
    struct text text;

    (void)state;
    open_text(&text, STR(""), 0);
    expect_end(&text.lines);
    close_text(&text);
    open_text(&text, STR("\n"), 0);
    expect_line(&text.lines, 1, STR(""));
    lines_next(&text.lines);
    expect_end(&text.lines);
    close_text(&text);
}

static void the_second_line_is_seen_without_moving(void **state)
{
    struct text text;
    struct str second;

    (void)state;
    open_text(&text, STR("one\ntwo\r\n"), 1);
    assert_true(lines_peek_second(&text.lines, &second));
    assert_true(str_equal(second, STR("two")));
    expect_line(&text.lines, 1, STR("one"));
    lines_next(&text.lines);
    expect_line(&text.lines, 2, STR("two"));
    assert_false(lines_peek_second(&text.lines, &second));
    close_text(&text);
    open_text(&text, STR("one\n\n"), 1);
    assert_true(lines_peek_second(&text.lines, &second));
    assert_int_equal(second.len, 0);
    close_text(&text);
}

/* A text with a line of len bytes between two short ones. */
static struct str long_text(struct buf *buf, size_t len)
{
    buf_clear(buf);
    buf_add(buf, STR("before\n"));
    buf_add_repeat(buf, 'x', len);
    buf_add(buf, STR("\nafter\n"));
    return buf_str(buf);
}

static void read_long(struct str bytes, size_t len, size_t step, bool is_cut)
{
    struct text text;
    struct str line;
    size_t most = LINES_MOST;

    open_text(&text, bytes, step);
    expect_line(&text.lines, 1, STR("before"));
    lines_next(&text.lines);
    assert_true(lines_peek(&text.lines, &line));
    assert_int_equal(line.len, is_cut ? most : len);
    assert_int_equal(line.ptr[line.len - 1], 'x');
    assert_true(lines_has_end(&text.lines));
    lines_next(&text.lines);
    assert_int_equal(text.lines.n_cut_lines, is_cut ? 1 : 0);
    if (is_cut)
        assert_int_equal(text.lines.cut_line, 2);
    expect_line(&text.lines, 3, STR("after"));
    lines_next(&text.lines);
    expect_end(&text.lines);
    assert_true(text.budget.peak <= 4 * most);
    close_text(&text);
}

static void a_line_larger_than_the_buffer_is_held_whole(void **state)
{
    struct buf buf = {0};
    size_t len = LINES_BUFFER + 5;

    (void)state;
    read_long(long_text(&buf, len), len, 0, false);
    read_long(long_text(&buf, len), len, 4096, false);
    len = LINES_MOST - 1;
    read_long(long_text(&buf, len), len, 0, false);
    read_long(long_text(&buf, len), len, 10007, false);
    buf_done(&buf);
}

static void an_endless_line_is_cut_and_skipped_in_bounded_memory(void **state)
{
    struct buf buf = {0};
    size_t len = 5 * 1024 * 1024 + 3;

    (void)state;
    read_long(long_text(&buf, len), len, 0, true);
    read_long(long_text(&buf, len), len, 10007, true);
    buf_done(&buf);
}

static void a_long_last_line_without_end_is_the_last(void **state)
{
    struct buf buf = {0};
    struct text text;
    struct str line;

    (void)state;
    buf_add_repeat(&buf, 'x', 3 * 1024 * 1024);
    open_text(&text, buf_str(&buf), 0);
    assert_true(lines_peek(&text.lines, &line));
    assert_int_equal(line.len, LINES_MOST);
    lines_next(&text.lines);
    expect_end(&text.lines);
    assert_int_equal(text.lines.n_bytes, buf.len);
    close_text(&text);
    buf_done(&buf);
}

static void filling_gives_a_window_at_any_place(void **state)
{
    struct buf buf = {0};
    struct text text;

    (void)state;
    for (unsigned i = 0; i < 40000; i++)
        buf_addf(&buf, "line %u\n", i);
    open_text(&text, buf_str(&buf), 4093);
    for (unsigned i = 0; i < 40000; i++) {
        char line[32];
        size_t left =
            buf.len - (size_t)(text.lines.n_bytes -
                               (size_t)(text.lines.end - text.lines.at));

        lines_fill(&text.lines, LINES_WINDOW);
        assert_true((size_t)(text.lines.end - text.lines.at) >=
                    (left < LINES_WINDOW ? left : LINES_WINDOW));
        snprintf(line, sizeof(line), "line %u", i);
        expect_line(&text.lines, i + 1, str_from(line));
        lines_next(&text.lines);
    }
    expect_end(&text.lines);
    close_text(&text);
    buf_done(&buf);
}

static ptrdiff_t read_and_fail(void *user, void *into, size_t size)
{
    int *reads = user;

    (void)size;
    if ((*reads)++ == 0) {
        memcpy(into, "first\nsec", 9);
        return 9;
    }
    errno = EIO;
    return -1;
}

static void a_read_error_ends_the_lines_and_is_kept(void **state)
{
    struct budget budget;
    struct lines lines;
    int reads = 0;

    (void)state;
    budget_init(&budget, 0);
    assert_int_equal(
        lines_init(&lines,
                   (struct source){.read = read_and_fail, .user = &reads},
                   "pipe", &budget, NULL),
        0);
    expect_line(&lines, 1, STR("first"));
    lines_next(&lines);
    expect_line(&lines, 2, STR("sec"));
    lines_next(&lines);
    expect_end(&lines);
    assert_int_equal(lines.error.code, CPROF_EIO);
    assert_string_equal(lines.error.source, "pipe");
    assert_string_equal(lines.error.message, "cannot read: Input/output error");
    lines_done(&lines);
    assert_int_equal(budget.used, 0);
}

static void count_close(void *user)
{
    ++*(int *)user;
}

static void an_input_that_fails_at_once_is_closed(void **state)
{
    struct budget budget;
    struct lines lines;
    struct cprof_error err = {0};
    int reads = 1;

    (void)state;
    budget_init(&budget, 0);
    assert_int_equal(
        lines_init(&lines,
                   (struct source){read_and_fail, &reads, count_close, NULL},
                   "pipe", &budget, &err),
        CPROF_EIO);
    assert_int_equal(err.code, CPROF_EIO);
    assert_int_equal(reads, 3);
    assert_int_equal(budget.used, 0);
}

static void a_buffer_beyond_the_budget_is_an_error(void **state)
{
    struct source_memory memory = {STR("a\n"), 0};
    struct budget budget;
    struct lines lines;
    struct cprof_error err = {0};

    (void)state;
    budget_init(&budget, 1000);
    assert_int_equal(
        lines_init(&lines, source_from_memory(&memory), "input", &budget, &err),
        CPROF_ENOMEM);
    assert_string_equal(err.message, "out of memory while reading");
}

static void a_long_line_beyond_the_budget_is_cut(void **state)
{
    struct buf buf = {0};
    struct source_memory memory;
    struct budget budget;
    struct lines lines;
    struct str line;

    (void)state;
    memory = (struct source_memory){long_text(&buf, LINES_MOST - 1), 0};
    budget_init(&budget, LINES_SMALL_BUFFER + 1000);
    assert_int_equal(
        lines_init(&lines, source_from_memory(&memory), "input", &budget, NULL),
        0);
    lines_next(&lines);
    assert_true(lines_peek(&lines, &line));
    assert_int_equal(line.len, LINES_SMALL_BUFFER);
    lines_next(&lines);
    expect_line(&lines, 3, STR("after"));
    assert_int_equal(lines.n_cut_lines, 1);
    lines_done(&lines);
    buf_done(&buf);
}

static void paths_that_cannot_be_read_are_named(void **state)
{
    struct source source;
    struct cprof_error err = {0};

    (void)state;
    assert_int_equal(source_open(&source, "/no/such/file", &err), CPROF_EIO);
    assert_string_equal(err.source, "/no/such/file");
    assert_string_equal(err.message, "cannot open: No such file or directory");
    assert_int_equal(source_open(&source, "/", &err), CPROF_EIO);
    assert_string_equal(err.message,
                        "is a directory: expected a file with a dump");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_the_same_in_any_pieces),
        cmocka_unit_test(a_byte_order_mark_is_skipped_at_the_start_only),
        cmocka_unit_test(an_empty_input_has_no_line),
        cmocka_unit_test(the_second_line_is_seen_without_moving),
        cmocka_unit_test(a_line_larger_than_the_buffer_is_held_whole),
        cmocka_unit_test(an_endless_line_is_cut_and_skipped_in_bounded_memory),
        cmocka_unit_test(a_long_last_line_without_end_is_the_last),
        cmocka_unit_test(filling_gives_a_window_at_any_place),
        cmocka_unit_test(a_read_error_ends_the_lines_and_is_kept),
        cmocka_unit_test(an_input_that_fails_at_once_is_closed),
        cmocka_unit_test(a_buffer_beyond_the_budget_is_an_error),
        cmocka_unit_test(a_long_line_beyond_the_budget_is_cut),
        cmocka_unit_test(paths_that_cannot_be_read_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A dump in one string of a line that the container runtime cut at 16 KiB. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/reading.h"

#include <cmocka.h>

enum { PART = 16 * 1024, GOROUTINES = 6000 };

static struct reading reading;
static struct buf line; /* what the program wrote */
static struct buf log_text;

static int set_up(void **state)
{
    (void)state;
    reading_init(&reading);
    buf_clear(&line);
    buf_clear(&log_text);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    reading_done(&reading);
    buf_done(&line);
    buf_done(&log_text);
    return 0;
}

static void make_line(unsigned n_goroutines)
{
    buf_add(&line, STR("{\"level\": \"error\", \"stacktrace\": \""));
    for (unsigned i = 1; i <= n_goroutines; i++)
        buf_addf(&line,
                 "goroutine %u [chan send]:\\nmain.f(0xc000%04x, {0x1})\\n"
                 "\\t/srv/app/m.go:%u +0x1d\\n\\n",
                 i, i, 1 + i % 3);
    buf_add(&line, STR("\"}"));
}

/* Text as the inside of a string of JSON. */
static void add_escaped(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"' || text.ptr[i] == '\\')
            buf_add_char(&log_text, '\\');
        buf_add_char(&log_text, text.ptr[i]);
    }
}

static void add_docker(struct str text)
{
    while (text.len) {
        struct str part = str_head(text, PART);

        text = str_skip(text, PART);
        buf_add(&log_text, STR("{\"log\": \""));
        add_escaped(part);
        buf_addf(&log_text,
                 "%s\", \"stream\": \"stderr\", "
                 "\"time\": \"2026-11-20T14:02:00Z\"}\n",
                 part.len < PART ? "\\n" : "");
    }
}

static void add_cri(struct str text)
{
    while (text.len) {
        struct str part = str_head(text, PART);

        text = str_skip(text, PART);
        buf_addf(&log_text, "2026-11-20T14:02:00Z stderr %c ",
                 text.len ? 'P' : 'F');
        buf_add(&log_text, part);
        buf_add_char(&log_text, '\n');
    }
}

/* Whether the line between two others gives what it gives alone. */
static void expect_same(unsigned n_goroutines, void (*add)(struct str))
{
    struct reading alone;

    make_line(n_goroutines);
    add(STR("{\"level\": \"info\"}"));
    add(buf_str(&line));
    add(STR("{\"level\": \"info\"}"));
    assert_int_equal(reading_add_bytes(&reading, buf_str(&log_text), 0), 0);
    reading_init(&alone);
    assert_int_equal(reading_add_bytes(&alone, buf_str(&line), 0), 0);
    assert_int_equal(reading_total(&alone), n_goroutines);
    assert_string_equal(reading_groups(&reading), reading_groups(&alone));
    reading_done(&alone);
    assert_true(snapshot_info(reading_snapshot(&reading, 0))->complete);
    assert_int_equal(snapshot_info(reading_snapshot(&reading, 0))->line, 2);
    assert_string_equal(reading_codes(&reading), "skipped-lines");
}

static void two_parts_of_docker_are_one_line(void **state)
{
    (void)state;
    expect_same(GOROUTINES / 25, add_docker);
}

static void many_parts_of_docker_are_one_line(void **state)
{
    (void)state;
    expect_same(GOROUTINES, add_docker);
}

static void many_parts_of_cri_are_one_line(void **state)
{
    (void)state;
    expect_same(GOROUTINES, add_cri);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(two_parts_of_docker_are_one_line),
        CASE(many_parts_of_docker_are_one_line),
        CASE(many_parts_of_cri_are_one_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

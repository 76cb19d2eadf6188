/* Dumps that were cut anywhere, or have a hole: what is missing is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/one_reading.h"

#include <cmocka.h>

static const char dump[] =
    "goroutine 17 [running]:\n"
    "main.write({0xab20f8, 0x6de1804000})\n"
    "\t/srv/shop/write.go:816 +0x69\n"
    "created by main.main in goroutine 1\n"
    "\t/srv/shop/main.go:40 +0x1d3\n"
    "\n"
    "goroutine 28 [chan send, 4 minutes]:\n"
    "main.(*Queue).put(...)\n"
    "\t/srv/shop/queue.go:12\n"
    "main.work(0x6de14c2180?, 0x3)\n"
    "\t/srv/shop/work.go:57 +0x8e\n"
    "created by main.start in goroutine 1\n"
    "\t/srv/shop/main.go:55 +0x2f1\n"
    "\n"
    "goroutine 39 gp=0x6de1500d20 m=nil [select]:\n"
    "main.watch(0x6de14ae200)\n"
    "\t/srv/shop/watch.go:31 +0x4fd fp=0x6de1473fa0 sp=0x6de1473f88\n"
    "created by main.start in goroutine 1\n"
    "\t/srv/shop/main.go:61 +0x365\n";

enum { DUMP_LENGTH = sizeof(dump) - 1, GOROUTINES = 3 };

/* What came of a text: goroutines, and whether any was said to be missing. */
struct outcome {
    uint64_t total;
    bool is_complete;
};

static struct outcome read_text(const char *text, size_t len)
{
    struct outcome outcome = {0, false};

    reading_done(&reading);
    reading_init(&reading);
    if (reading_add_bytes(&reading, (struct str){text, len}, 0) < 0)
        return outcome;
    for (size_t i = 0; i < reading.snapshots->count; i++) {
        const struct snapshot_info *info =
            snapshot_info_get(reading.snapshots->items[i]);

        outcome.total += info->total;
        outcome.is_complete = info->complete;
    }
    return outcome;
}

/* Whether what is left of a line before the next goroutine is so little that
 * it may be anything. */
static bool is_scrap(const char *text)
{
    return strchr(text, '\n') - text < 7 && strchr(text, '\n')[1] == '\n';
}

static void a_beginning_that_is_lost_is_missed(void **state)
{
    (void)state;
    for (size_t i = 1; i < DUMP_LENGTH; i++) {
        const char *rest = dump + i;
        const char *header = strstr(rest, "goroutine ");
        struct outcome outcome;

        while (header && header != dump && header[-1] != '\n')
            header = strstr(header + 1, "goroutine ");
        /* Nothing is lost before a header but whole goroutines. */
        if (!header || strspn(rest, "\n") == (size_t)(header - rest) ||
            is_scrap(rest))
            continue;
        outcome = read_text(rest, DUMP_LENGTH - i);
        if (outcome.is_complete)
            fail_msg("complete from byte %zu on: '%.30s'", i, rest);
    }
}

static void an_end_in_a_header_is_missed(void **state)
{
    (void)state;
    for (size_t i = 1; i < DUMP_LENGTH; i++) {
        size_t line = i;

        while (line > 0 && dump[line - 1] != '\n')
            line--;
        if (!line || line == i || strncmp(dump + line, "goroutine ", 10) != 0)
            continue;
        if (read_text(dump, i).is_complete)
            fail_msg("complete up to byte %zu: '%s'", i, dump + line);
    }
}

/* Puts a hole of zeros of that length at every place of a text. */
static void expect_holes(const char *text, size_t length)
{
    size_t size = strlen(text);
    char *holed = malloc(size);

    assert_non_null(holed);
    for (size_t i = 0; i + length < size; i++) {
        struct outcome outcome;

        memcpy(holed, text, size);
        memset(holed + i, 0, length);
        outcome = read_text(holed, size);
        if (outcome.is_complete && outcome.total < GOROUTINES)
            fail_msg("complete with %zu zeros from byte %zu of '%.20s' on",
                     length, i, text);
    }
    free(holed);
}

static void a_hole_of_zeros_is_missed(void **state)
{
    static const size_t lengths[] = {40, 150, 400};
    char crash[sizeof(dump) + 16];

    (void)state;
    snprintf(crash, sizeof(crash), "panic: boom\n\n%s", dump);
    for (size_t n = 0; n < sizeof(lengths) / sizeof(lengths[0]); n++) {
        expect_holes(dump, lengths[n]);
        expect_holes(crash, lengths[n]);
    }
}

/* Between the goroutines of a crash, which other lines do not end. */
static void a_header_that_is_lost_in_a_crash_is_missed(void **state)
{
    static const char *const headers[] = {"", "[select]:\n",
                                          "goroutine 5 [sel\n"};

    (void)state;
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        char text[2 * sizeof(dump)];
        struct outcome outcome;

        snprintf(text, sizeof(text),
                 "panic: boom\n\n%s\n%smain.lost(0x1)\n\t/srv/shop/lost.go:3 "
                 "+0x12\n\ngoroutine 7 [select]:\nmain.f(0x1)\n\t/m.go:1 "
                 "+0x1\n",
                 dump, headers[i]);
        outcome = read_text(text, strlen(text));
        assert_int_equal(outcome.total, GOROUTINES + 1);
        assert_false(outcome.is_complete);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_beginning_that_is_lost_is_missed),
        TEST(an_end_in_a_header_is_missed),
        TEST(a_hole_of_zeros_is_missed),
        TEST(a_header_that_is_lost_in_a_crash_is_missed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

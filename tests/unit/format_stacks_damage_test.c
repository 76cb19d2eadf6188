/* debug=2 dumps that lost something in their middle, through the driver. */
#include <setjmp.h>
#include <stdarg.h>

#include "support/reading.h"

#include <cmocka.h>

static struct reading reading;

static int set_up(void **state)
{
    (void)state;
    reading_init(&reading);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    reading_done(&reading);
    return 0;
}

/* The goroutine 8 of a dump with this text among its lines is said to lack
 * frames, and its dump to be incomplete; or neither. */
static void expect_damage(const char *lines, bool is_damaged)
{
    const struct diag *diag;
    struct buf buf = {0};

    buf_addf(&buf,
             "goroutine 7 [select]:\n"
             "main.f(0x1)\n"
             "\t/m.go:1 +0x1\n"
             "created by main.main\n"
             "\t/m.go:9 +0x1\n"
             "\n"
             "goroutine 8 [select]:\n"
             "main.f(0x1)\n"
             "\t/m.go:1 +0x1\n"
             "%s"
             "\n"
             "goroutine 9 [select]:\n"
             "main.f(0x1)\n"
             "\t/m.go:1 +0x1\n"
             "created by main.main\n"
             "\t/m.go:9 +0x1\n",
             lines);
    assert_int_equal(reading_add(&reading, buf.ptr), 0);
    diag = diag_find(&reading.snapshots->diags, "damaged-stacks");
    assert_int_equal(diag != NULL, is_damaged);
    assert_int_equal(snapshot_info_get(reading.snapshots->items[0])->complete,
                     !is_damaged);
    if (diag) {
        assert_int_equal(diag->line, 7);
        assert_non_null(strstr(diag->message.ptr, "of goroutine 8 are"));
    }
    buf_done(&buf);
    reading_done(&reading);
    reading_init(&reading);
}

static void what_became_of_frames_is_told_from_lines_of_a_logger(void **state)
{
    static const char creator[] = "created by main.main\n\t/m.go:9 +0x1\n";
    static const char *const damage[] = {
        "main.g(0x1, 0x\n\t/m.go:2 +0x1\n",
        "\t/usr/lib/go/src/net.(*conn).Read(0x1, 0x2)\n",
        "main.init.0.fu22 +0x4b\n",
        "main.g(0x1)\nmain.h(0x2)\n\t/m.go:3\n",
        "net.(*co\x01\x02\xff\n",
        "goroutine 9 [IO wait]:Server).Serve in goroutine 55\n",
        "created by main.main\n\t/m.go:9 +0x1\nmain.h(0x1)\n\t/m.go:3\n",
        "created by main.main\n\t/sr\nmain.g(0x1)\n\t/m.go:2 +0x1\n",
    };
    static const char *const logs[] = {
        "level=info msg=\"at main.go:12\" n=+0x4b.\n",
        "\x1b[32mINFO\x1b[0m\tserved\t\xc3\xa9\r\n",
        "main.g(0x1)\n2024/01/01 12:00:00 served\n\t/m.go:2 +0x1\n",
    };
    struct buf buf = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(damage) / sizeof(damage[0]); i++) {
        buf_clear(&buf);
        buf_addf(&buf, "%s%s", damage[i], creator);
        expect_damage(buf.ptr, true);
    }
    for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
        buf_clear(&buf);
        buf_addf(&buf, "%s%s", logs[i], creator);
        expect_damage(buf.ptr, false);
    }
    expect_damage("2024/01/01 12:00:00 served\n", true);
    expect_damage("", false);
    buf_done(&buf);
}

static void damaged_goroutines_are_counted_each(void **state)
{
    struct buf buf = {0};

    (void)state;
    for (int i = 1; i <= 1500; i++)
        buf_addf(&buf,
                 "goroutine %d [select]:\n"
                 "main.f(0x1)\n"
                 "\t/m.go:1 +0x1\n"
                 "main.init.0.fu22 +0x4b\n\n",
                 i);
    assert_int_equal(reading_add(&reading, buf.ptr), 0);
    assert_string_equal(
        diag_find(&reading.snapshots->diags, "damaged-stacks")->message.ptr,
        "frames of 1,500 goroutines, the first is 1, are missing or cannot be "
        "read, "
        "and whole goroutines may be missing");
    buf_done(&buf);
}

/* What came before is recognised, but not with a hole. */
static void goroutines_with_the_same_hole_are_counted_each(void **state)
{
    struct buf buf = {0};

    (void)state;
    for (int i = 1; i <= 4; i++) {
        buf_addf(&buf, "goroutine %d [select]:\nmain.f(0x1)\n\t/m", i);
        buf_add(&buf, (struct str){"\0\0\0", 3});
        buf_add(&buf, STR(".go:1 +0x1\n\n"));
    }
    assert_int_equal(reading_add_bytes(&reading, buf_str(&buf), 0), 0);
    assert_string_equal(
        diag_find(&reading.snapshots->diags, "damaged-stacks")->message.ptr,
        "frames of 4 goroutines, the first is 1, are missing or cannot be "
        "read, and whole goroutines may be missing");
    buf_done(&buf);
}

static void what_became_of_a_header_is_a_damaged_goroutine(void **state)
{
    const struct diag *diag;

    (void)state;
    assert_int_equal(
        reading_add(&reading, "goroutine 7 [select]:\n"
                              "main.f(0x1)\n"
                              "\t/m.go:1 +0x1\n"
                              "\n"
                              "goroutine 8 [chan se-go1.25/main.go:31 +0x12a\n"
                              "\n"
                              "goroutine 9 [select]:\n"
                              "main.f(0x1)\n"
                              "\t/m.go:1 +0x1\n"),
        0);
    assert_string_equal(reading_groups(&reading), "2 select: main.f /m.go:1\n");
    assert_string_equal(reading_codes(&reading),
                        "damaged-stacks skipped-lines");
    diag = diag_find(&reading.snapshots->diags, "damaged-stacks");
    assert_int_equal(diag->line, 5);
    assert_non_null(strstr(diag->message.ptr, "of goroutine 8 are"));
}

/* Of a dump that goes on behind each gap in a section of its own, one line
 * tells; wrapped by a log, with the line of that. */
static void what_is_damaged_in_pieces_is_said_once(void **state)
{
    static const char *const prefixes[] = {
        "", "2024-05-01T12:00:00.000000000Z stderr F "};

    (void)state;
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        const char *at = prefixes[i];
        const struct diag *diag;
        struct buf buf = {0};

        for (int id = 7; id < 10; id++)
            buf_addf(&buf,
                     "%sgoroutine %d [select]:\n"
                     "%smain.f(0x1)\n"
                     "%s\t/m.go:1 +0x1\n"
                     "%s\n"
                     "%sgoroutine %d [chan se-go1.25/main.go:31 +0x12a\n"
                     "%s\n",
                     at, id, at, at, at, at, id + 20, at);
        assert_int_equal(reading_add(&reading, buf.ptr), 0);
        assert_string_equal(reading_codes(&reading),
                            "damaged-stacks skipped-lines");
        diag = diag_find(&reading.snapshots->diags, "damaged-stacks");
        assert_int_equal(diag->line, 5);
        assert_non_null(
            strstr(diag->message.ptr, "3 goroutines, the first is 27,"));
        assert_false(snapshot_info_get(reading.snapshots->items[0])->complete);
        buf_done(&buf);
        reading_done(&reading);
        reading_init(&reading);
    }
}

/* Each log around dumps has its own, and none counts those of one before. */
static void what_is_damaged_in_several_logs_is_counted_once(void **state)
{
    static const char *const prefixes[] = {"[shopd] ", "api: ", "> "};
    const struct diag *diag;
    struct buf buf = {0};

    (void)state;
    for (size_t i = 0; i < 6; i++) {
        const char *at = prefixes[i % 3];

        buf_addf(&buf,
                 "%sgoroutine %zu [select]:\n"
                 "%smain.f(0x1)\n"
                 "%s\t/m.go:1 +0x1\n"
                 "%s\n"
                 "%sgoroutine %zu [chan se-go1.25/main.go:31 +0x12a\n"
                 "%s\n",
                 at, i + 7, at, at, at, at, i + 27, at);
    }
    assert_int_equal(reading_add(&reading, buf.ptr), 0);
    diag = diag_find(&reading.snapshots->diags, "damaged-stacks");
    assert_non_null(
        strstr(diag->message.ptr, "6 goroutines, the first is 27,"));
    buf_done(&buf);
}

static void damage_in_a_crash_is_said(void **state)
{
    const struct diag *diag;

    (void)state;
    assert_int_equal(reading_add(&reading,
                                 "panic: oh no\n"
                                 "\n"
                                 "goroutine 7 [running]:\n"
                                 "main.f(0x1)\n"
                                 "\t/m.go:1 +0x1\n"
                                 "\n"
                                 "goroutine 8 [select]:\n"
                                 "main.init.0.fu22 +0x4b\n"
                                 "main.f(0x1)\n"
                                 "\t/m.go:1 +0x1\n"
                                 "\n"
                                 "goroutine 9 [chan se-go1.25/m.go:31\n"
                                 "\n"
                                 "goroutine 10 [select]:\n"
                                 "main.f(0x1)\n"
                                 "\t/m.go:1 +0x1\n"),
                     0);
    diag = diag_find(&reading.snapshots->diags, "damaged-stacks");
    assert_int_equal(diag->line, 7);
    assert_non_null(strstr(diag->message.ptr, "2 goroutines, the first is 8,"));
    assert_false(snapshot_info_get(reading.snapshots->items[0])->complete);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_became_of_frames_is_told_from_lines_of_a_logger),
        TEST(damaged_goroutines_are_counted_each),
        TEST(goroutines_with_the_same_hole_are_counted_each),
        TEST(what_became_of_a_header_is_a_damaged_goroutine),
        TEST(what_is_damaged_in_pieces_is_said_once),
        TEST(what_is_damaged_in_several_logs_is_counted_once),
        TEST(damage_in_a_crash_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

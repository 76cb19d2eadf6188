/* Records of debug=1 that no title of a profile owns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "support/one_reading.h"

#include <cmocka.h>

static const struct snapshot_info *info_at(size_t index)
{
    return snapshot_info(reading_snapshot(&reading, index));
}

/* As in a text about a leak, which shows some records. */
static void records_without_a_title_are_some_of_a_profile(void **state)
{
    (void)state;
    expect("most of them:\n"
           "  40 @ 0x1 0x5 0x7\n"
           "  #\t0x4\tmain.f+0x1\t/m.go:1\n"
           "\n"
           "5 @ 0x1 0x9\n"
           "# labels: {\"k\":\"v\"}\n"
           "#\t0x8\tmain.g+0x1\t/m.go:2\n",
           "40 unknown: main.f /m.go:1\n5 unknown: main.g /m.go:2\n",
           "no-title skipped-lines");
    assert_int_equal(info_at(0)->kind, PROFILE_GOROUTINE);
    assert_false(info_at(0)->has_declared);
    assert_false(info_at(0)->complete);
    assert_int_equal(info_at(0)->line, 2);
}

static void what_goes_on_far_behind_is_of_the_same_profile(void **state)
{
    struct buf text = {0};

    (void)state;
    buf_add(&text, STR("4 @ 0x1 0x5\n#\t0x4\tmain.f+0x1\t/m.go:1\n"));
    for (int i = 0; i < 20000; i++)
        buf_add(&text, STR("what the author thinks of it\n"));
    /* No line end: the author marked so much of it. */
    buf_add(&text, STR("3 @ 0x1 0x9\n#\t0x8\tmain.g+0x1\t/m.go:2"));
    buf_add_char(&text, '\0');
    expect(text.ptr, "4 unknown: main.f /m.go:1\n3 unknown: main.g /m.go:2\n",
           "no-title skipped-lines");
    buf_done(&text);
}

static void what_is_shown_once_more_does_not_count(void **state)
{
    struct buf text = {0};

    (void)state;
    buf_add(&text, STR("goroutine profile: total 4\n"));
    buf_add(&text, STR("4 @ 0x1 0x5\n#\t0x4\tmain.f+0x1\t/m.go:1\n\n"));
    for (int i = 0; i < 20000; i++)
        buf_add(&text, STR("what the author thinks of it\n"));
    buf_add(&text, STR("4 @ 0x1 0x5\n#\t0x4\tmain.f+0x1\t/m.go:1\n"));
    buf_add_char(&text, '\0');
    expect(text.ptr, "4 unknown: main.f /m.go:1\n", "skipped-lines");
    assert_true(info_at(0)->complete);
    buf_done(&text);
}

/* Only a profile of goroutines can have told of them before. */
static void behind_a_profile_of_threads_they_are_told_first(void **state)
{
    (void)state;
    assert_int_equal(
        reading_add(&reading,
                    "threadcreate profile: total 2\n"
                    "2 @ 0x1 0x5\n#\t0x4\truntime.allocm+0x1\t/p.go:1\n"
                    "\nand of the goroutines, most:\n"
                    "4 @ 0x1 0x9\n#\t0x8\tmain.g+0x1\t/m.go:2\n"),
        CPROF_OK);
    assert_int_equal(cprof_snapshots_count(reading.snapshots), 2);
    assert_int_equal(info_at(0)->total, 2);
    assert_int_equal(info_at(1)->kind, PROFILE_GOROUTINE);
    assert_int_equal(info_at(1)->total, 4);
    assert_true(info_at(1)->is_untitled);
}

/* A title that nothing follows leaves no dump, and the last one is that of the
 * input before. */
static void another_input_is_not_gone_on_in(void **state)
{
    struct buf text = {0};

    (void)state;
    assert_int_equal(reading_add(&reading,
                                 "goroutine profile: total 4\n4 @ 0x1 0x5\n"
                                 "#\t0x4\tmain.f+0x1\t/m.go:1\n\n"),
                     CPROF_OK);
    buf_add(&text, STR("goroutine profile: total 9\n"));
    for (int i = 0; i < 20000; i++)
        buf_add(&text, STR("what the author thinks of it\n"));
    buf_add(&text, STR("3 @ 0x1 0x9\n#\t0x8\tmain.g+0x1\t/m.go:2\n"));
    buf_add_char(&text, '\0');
    assert_int_equal(reading_add(&reading, text.ptr), CPROF_OK);
    assert_int_equal(cprof_snapshots_count(reading.snapshots), 2);
    assert_int_equal(info_at(0)->total, 4);
    assert_int_equal(info_at(1)->total, 3);
    buf_done(&text);
}

static void threads_without_a_title_are_no_goroutines(void **state)
{
    static const char *const texts[] = {
        "7 @ 0x1 0x5\n#\t0x4\truntime.allocm+0x1\t/proc.go:1\n",
        "1 @ 0x5 0x9 0x0 0x0\n#\t0x4\tmain.work+0x1\t/m.go:1\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_int_equal(reading_add(&reading, texts[i]), CPROF_EFORMAT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(records_without_a_title_are_some_of_a_profile),
        TEST(what_goes_on_far_behind_is_of_the_same_profile),
        TEST(what_is_shown_once_more_does_not_count),
        TEST(behind_a_profile_of_threads_they_are_told_first),
        TEST(another_input_is_not_gone_on_in),
        TEST(threads_without_a_title_are_no_goroutines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

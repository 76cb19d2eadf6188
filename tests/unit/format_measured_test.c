/* Heap, block and mutex profiles as text, through the driver. */
#include <setjmp.h>
#include <stdarg.h>

#include "format/measured_text.h"
#include "support/one_reading.h"

#include <cmocka.h>

static const struct snapshot_info *info_at(size_t index)
{
    return snapshot_info_get(reading_snapshot(&reading, index));
}

/* The values of a group of the first snapshot. */
static void expect_values(size_t group, size_t n, const int64_t *wanted)
{
    const int64_t *values =
        snapshot_values(reading_snapshot(&reading, 0), group);

    assert_non_null(values);
    assert_int_equal(info_at(0)->n_types, n);
    for (size_t i = 0; i < n; i++)
        assert_true(values[i] == wanted[i]);
}

static void expect_kind(enum profile_kind kind, const char *name)
{
    assert_int_equal(info_at(0)->kind, kind);
    assert_true(str_equal(info_at(0)->profile, str_from(name)));
    assert_string_equal(info_at(0)->format, "debug1");
}

static const char heap[] = "heap profile: 3: 3000 [5: 5001] @ heap/1048576\n"
                           "2: 2000 [4: 4000] @ 0x4659d1 0x4659d2\n"
                           "#\t0x4659d0\tmain.f+0x50\t\t/m.go:11\n"
                           "#\t0x4659d1\tmain.main+0x5\t/main.go:33\n"
                           "\n"
                           "1: 1000 [1: 1000] @ 0x4659e1\n"
                           "#\t0x4659e0\tmain.g+0x50\t/m.go:22\n"
                           "\n"
                           "0: 0 [1: 64] @ 0x4659f1\n"
                           "#\t0x4659f0\tmain.h+0x50\t/m.go:44\n"
                           "\n"
                           "\n"
                           "# runtime.MemStats\n"
                           "# Alloc = 3443752\n"
                           "# Sys = 9000000\n"
                           "# HeapAlloc = 3443753\n"
                           "# HeapSys = 7000000\n"
                           "# Stack = 622592 / 622600\n"
                           "# MSpan = 1 / 2\n"
                           "# LastGC = 1700000000123456789\n"
                           "# PauseNs = [1 2 3]\n"
                           "# NumGC = 7\n"
                           "# GCCPUFraction = 0.25\n"
                           "# DebugGC = false\n"
                           "# MaxRSS = 18751488\n";

/* 2 samples of 1000 bytes each, one in 524288 bytes:
 * 2 / (1 - exp(-1000 / 524288)) = 1049.57..., as runtime/pprof scales it. */
static void a_heap_profile_is_scaled_as_pprof_does(void **state)
{
    static const int64_t first[] = {2099, 2099152, 1049, 1049576};
    static const int64_t last[] = {8192, 524320, 0, 0};

    (void)state;
    expect(heap,
           "1049 unknown: main.f /m.go:11, main.main /main.go:33\n"
           "524 unknown: main.g /m.go:22\n"
           "0 unknown: main.h /m.go:44\n",
           "");
    expect_kind(PROFILE_HEAP, "heap");
    expect_values(0, 4, first);
    expect_values(2, 4, last);
    assert_true(str_equal(info_at(0)->types[0].name, STR("alloc_objects")));
    assert_int_equal(info_at(0)->default_type, 3);
    assert_true(info_at(0)->complete);
}

static void the_trailer_is_kept(void **state)
{
    const struct memstats *stats;

    (void)state;
    assert_int_equal(reading_add(&reading, heap), 0);
    stats = info_at(0)->memstats;
    assert_non_null(stats);
    assert_int_equal(stats->alloc, 3443752);
    assert_int_equal(stats->heap_alloc, 3443753);
    assert_int_equal(stats->sys, 9000000);
    assert_int_equal(stats->heap_sys, 7000000);
    assert_int_equal(stats->stack_inuse, 622592);
    assert_int_equal(stats->stack_sys, 622600);
    assert_true(stats->last_gc_ns == 1700000000123456789);
    assert_int_equal(stats->num_gc, 7);
    assert_int_equal(stats->max_rss, 18751488);
    assert_true(stats->gc_cpu_fraction == 0.25);
    assert_int_equal(stats->mallocs, 0);
}

static void an_unsampled_heap_is_not_scaled(void **state)
{
    static const int64_t wanted[] = {4, 4000, 2, 2000};

    (void)state;
    expect("heap profile: 2: 2000 [4: 4000] @ heap/2\n"
           "2: 2000 [4: 4000] @ 0x4659d1\n"
           "#\t0x4659d0\tmain.f+0x50\t/m.go:11\n",
           "2 unknown: main.f /m.go:11\n", "");
    expect_values(0, 4, wanted);
    assert_null(info_at(0)->memstats);
}

static void a_heap_without_records_is_an_answer(void **state)
{
    (void)state;
    expect("heap profile: 0: 0 [0: 0] @ heap/8192\n\n# runtime.MemStats\n"
           "# Alloc = 5\n",
           "", "");
    expect_kind(PROFILE_HEAP, "heap");
    assert_int_equal(info_at(0)->memstats->alloc, 5);
}

/* gperftools writes other blanks, addresses alone, and half the values. */
static void heaps_of_c_programs_are_read(void **state)
{
    static const int64_t wanted[] = {3, 20};

    (void)state;
    expect("heap profile:      3:       20 [     3:       20] @ "
           "heapprofile\n"
           "     3:       20 [     3:       20] @ 0x00000b01 0x00000c02\n",
           "3 unknown: 0xb00, 0xc01\n", "");
    expect_values(0, 2, wanted);
    assert_true(str_equal(info_at(0)->types[1].name, STR("inuse_space")));
}

static void missing_records_are_said(void **state)
{
    (void)state;
    expect("heap profile: 3: 3000 [5: 5001] @ heap/2\n"
           "2: 2000 [4: 4000] @ 0x4659d1\n"
           "#\t0x4659d0\tmain.f+0x50\t/m.go:11\n",
           "2 unknown: main.f /m.go:11\n", "declared-total");
    assert_false(info_at(0)->complete);
}

static void half_a_line_is_said(void **state)
{
    (void)state;
    expect("heap profile: 2: 2000 [4: 4000] @ heap/2\n"
           "2: 2000 [4: 4000] @ 0x4659d1\n"
           "#\t0x4659d0\tmain.f+0x50\t/m.go:1",
           "2 unknown: main.f /m.go:1\n", "cut-tail");
    assert_false(info_at(0)->complete);
}

static void impossible_numbers_stay_within_64_bits(void **state)
{
    (void)state;
    expect("heap profile: 1: 1 [1: 1] @ heap/1048576\n"
           "9000000000000000000: 9000000000000000000 "
           "[9000000000000000000: 1] @ 0x1\n"
           "#\t0x1\tmain.f+0x50\t/m.go:1\n"
           "9000000000000000000: 9223372036854775807 "
           "[9000000000000000000: 9223372036854775807] @ 0x1\n"
           "#\t0x1\tmain.f+0x50\t/m.go:1\n",
           "9223372036854775807 unknown: main.f /m.go:1\n", "impossible-value");
    assert_true(info_at(0)->totals[3] == INT64_MAX);
    assert_false(info_at(0)->complete);
}

static const char block[] =
    "--- contention:\n"
    "cycles/second=2000000000\n"
    "2743671940 159 @ 0x6e06f8 0x6e070c\n"
    "#\t0x6e06f7\tsync.(*Mutex).Lock+0x57\t/usr/mutex.go:81\n"
    "#\t0x6e070b\tmain.f+0x6b\t\t\t/m.go:11\n"
    "\n"
    "3 1 @ 0x4059aa\n"
    "#\t0x4059a9\truntime.chanrecv1+0x9\t/usr/chan.go:439\n";

static void no_scale_leaves_63_bits(void **state)
{
    (void)state;
    assert_true(measured_scaled(21, 2) == 42);
    assert_true(measured_scaled(INT64_MAX, 4) == INT64_MAX);
    assert_true(measured_scaled(-INT64_MAX, 4) == -INT64_MAX);
}

static void cycles_become_nanoseconds(void **state)
{
    static const int64_t first[] = {159, 1371835970};
    static const int64_t second[] = {1, 1};

    (void)state;
    expect(block,
           "159 unknown: sync.(*Mutex).Lock /usr/mutex.go:81, main.f "
           "/m.go:11\n"
           "1 unknown: runtime.chanrecv1 /usr/chan.go:439\n",
           "");
    expect_kind(PROFILE_BLOCK, "block");
    expect_values(0, 2, first);
    expect_values(1, 2, second);
    assert_true(str_equal(info_at(0)->types[1].name, STR("delay")));
    assert_true(str_equal(info_at(0)->types[1].unit, STR("nanoseconds")));
}

static void a_sampled_mutex_profile_says_so(void **state)
{
    static const int64_t wanted[] = {159, 200};

    (void)state;
    expect("--- mutex:\n"
           "cycles/second=2000000000\n"
           "sampling period=5\n"
           "400 159 @ 0x67d7ff\n"
           "#\t0x67d7fe\tsync.(*Mutex).Unlock+0xbe\t/usr/mutex.go:223\n",
           "159 unknown: sync.(*Mutex).Unlock /usr/mutex.go:223\n",
           "sampling-period");
    expect_kind(PROFILE_MUTEX, "mutex");
    expect_values(0, 2, wanted);
}

static void contentions_of_c_programs_are_scaled(void **state)
{
    static const int64_t wanted[] = {2700, 974523000};

    (void)state;
    expect("--- contention:\n"
           "cycles/second = 2000000000\n"
           "sampling period = 100\n"
           "ms since reset = 16502830\n"
           "discarded samples = 0\n"
           "  19490460 27 @ 0xbccc97 0xc61202\n",
           "2700 unknown: 0xbccc96, 0xc61201\n", "");
    expect_values(0, 2, wanted);
}

static void add_lines(struct buf *buf, const char *text, const char *before,
                      const char *between)
{
    struct str rest = str_from(text);

    while (rest.len) {
        struct str line = str_head(rest, str_find(rest, '\n'));

        buf_addf(buf, "%s" STR_FORMAT "\n%s", before, STR_ARG(line), between);
        rest = str_skip(rest, line.len + 1);
    }
}

static const char contended[] = "--- contention:\n"
                                "cycles/second=1000000000\n"
                                "200 2 @ 0x4659d1 0x4659d2\n"
                                "#\t0x4659d0\tmain.f+0x50\t\t/m.go:11\n"
                                "#\t0x4659d1\tmain.main+0x5\t/main.go:33\n"
                                "\n"
                                "100 1 @ 0x4659e1\n"
                                "#\t0x4659e0\tmain.g+0x50\t/m.go:22\n";

static const char contended_groups[] =
    "2 unknown: main.f /m.go:11, main.main /main.go:33\n"
    "1 unknown: main.g /m.go:22\n";

/* What proves a title stands before the next title, or is that one's. */
static void a_title_is_not_proven_by_the_settings_of_another(void **state)
{
    (void)state;
    assert_int_equal(reading_add(&reading, "--- contention:\n"
                                           "--- mutex:\n"
                                           "cycles/second=1000000000\n"
                                           "sampling period=1\n"
                                           "5 2 @ 0x1 0x2\n"),
                     0);
    assert_int_equal(reading.snapshots->count, 1);
    assert_int_equal(snapshot_info_get(reading_snapshot(&reading, 0))->kind,
                     PROFILE_MUTEX);
}

/* The first line decides: behind it, a logger may write anywhere. */
static void lines_of_a_logger_are_stepped_over(void **state)
{
    static const char logged[] = "2026/03/04 12:00:00 INFO served\n";
    struct buf buf = {0};

    (void)state;
    add_lines(&buf, contended, "", logged);
    expect(buf.ptr, contended_groups, "skipped-lines");
    assert_true(info_at(0)->complete);
    buf_done(&buf);

    buf = (struct buf){0};
    add_lines(&buf, heap, "", logged);
    reading_done(&reading);
    reading_init(&reading);
    expect(buf.ptr,
           "1049 unknown: main.f /m.go:11, main.main /main.go:33\n"
           "524 unknown: main.g /m.go:22\n"
           "0 unknown: main.h /m.go:44\n",
           "skipped-lines");
    assert_true(info_at(0)->complete);
    assert_int_equal(info_at(0)->memstats->max_rss, 18751488);
    buf_done(&buf);
}

/* As Markdown and YAML have it. */
static void an_indented_profile_is_read(void **state)
{
    static const char *const before[] = {"    ", "\t", "> "};

    (void)state;
    for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
        struct buf buf = {0};

        buf_add(&buf, STR("It hangs:\n\n"));
        add_lines(&buf, contended, before[i], "");
        reading_done(&reading);
        reading_init(&reading);
        expect(buf.ptr, contended_groups, "skipped-lines");
        buf_done(&buf);
    }
}

static void what_follows_in_a_log_is_read_too(void **state)
{
    struct buf buf = {0};

    (void)state;
    buf_addf(&buf, "%s\n", contended);
    add_lines(&buf, contended, "api | ", "");
    assert_int_equal(reading_add(&reading, buf.ptr), 0);
    assert_int_equal(cprof_snapshots_count(reading.snapshots), 2);
    assert_int_equal(info_at(0)->total, 3);
    assert_int_equal(info_at(1)->total, 3);
    assert_string_equal(reading_codes(&reading), "");
    buf_done(&buf);
}

static void prose_is_no_profile(void **state)
{
    (void)state;
    assert_int_equal(reading_add(&reading, "--- contention:\nnone\n"),
                     CPROF_EFORMAT);
    assert_int_equal(reading_add(&reading, "heap profile: see below\n"),
                     CPROF_EFORMAT);
}

static void another_dump_behind_it_is_read_too(void **state)
{
    (void)state;
    expect("heap profile: 2: 2000 [4: 4000] @ heap/2\n"
           "2: 2000 [4: 4000] @ 0x4659d1\n"
           "#\t0x4659d0\tmain.f+0x50\t/m.go:11\n"
           "\n"
           "# runtime.MemStats\n"
           "# Alloc = 5\n"
           "goroutine profile: total 1\n"
           "1 @ 0x439ec5\n"
           "#\t0x439ec4\tmain.g+0x3b\t/m.go:22\n",
           "2 unknown: main.f /m.go:11\n"
           "--\n"
           "1 unknown: main.g /m.go:22\n",
           "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_heap_profile_is_scaled_as_pprof_does),
        TEST(the_trailer_is_kept),
        TEST(an_unsampled_heap_is_not_scaled),
        TEST(a_heap_without_records_is_an_answer),
        TEST(heaps_of_c_programs_are_read),
        TEST(missing_records_are_said),
        TEST(half_a_line_is_said),
        TEST(impossible_numbers_stay_within_64_bits),
        TEST(no_scale_leaves_63_bits),
        TEST(cycles_become_nanoseconds),
        TEST(a_sampled_mutex_profile_says_so),
        TEST(contentions_of_c_programs_are_scaled),
        TEST(a_title_is_not_proven_by_the_settings_of_another),
        TEST(lines_of_a_logger_are_stepped_over),
        TEST(an_indented_profile_is_read),
        TEST(what_follows_in_a_log_is_read_too),
        TEST(prose_is_no_profile),
        TEST(another_dump_behind_it_is_read_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

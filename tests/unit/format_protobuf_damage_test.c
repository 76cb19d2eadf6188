/* Profiles as protobuf that are cut, damaged, doubled or too large. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "support/proto.h"
#include "support/reading.h"

#include <cmocka.h>

static struct reading reading;
static struct proto proto;

static int set_up(void **state)
{
    (void)state;
    reading_init(&reading);
    proto_init(&proto);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    reading_done(&reading);
    proto_done(&proto);
    return 0;
}

/* Reads what stands in proto and checks what comes of it. */
static void expect(const char *groups, const char *codes)
{
    assert_int_equal(reading_add_bytes(&reading, buf_str(&proto.out), 0), 0);
    assert_string_equal(reading_groups(&reading), groups);
    assert_string_equal(reading_codes(&reading), codes);
}

static const struct snapshot_info *info_at(size_t index)
{
    return snapshot_info_get(reading_snapshot(&reading, index));
}

static void put_two_samples(void)
{
    proto_goroutines(&proto);
    proto_sample(&proto, PROTO_LIST(1, 3), PROTO_LIST(500), (struct str){0});
    proto_sample(&proto, PROTO_LIST(2), PROTO_LIST(1), (struct str){0});
}

static void two_profiles_in_one_input_are_two_snapshots(void **state)
{
    (void)state;
    put_two_samples();
    proto_texts(&proto);
    put_two_samples();
    proto_texts(&proto);
    expect("500 unknown: main.f /m.go:11, main.main /main.go:33\n"
           "1 unknown: main.g /m.go:22\n"
           "--\n"
           "500 unknown: main.f /m.go:11, main.main /main.go:33\n"
           "1 unknown: main.g /m.go:22\n",
           "");
}

static void without_names_there_is_no_answer(void **state)
{
    (void)state;
    put_two_samples();
    assert_int_equal(reading_add_bytes(&reading, buf_str(&proto.out), 0),
                     CPROF_EFORMAT);
    assert_true(str_contains(str_from(reading.err.message),
                             STR("before its string table")));
    assert_int_equal(cprof_snapshots_count(reading.snapshots), 0);
}

static void a_second_profile_without_names_is_left_out(void **state)
{
    (void)state;
    put_two_samples();
    proto_texts(&proto);
    put_two_samples();
    expect("500 unknown: main.f /m.go:11, main.main /main.go:33\n"
           "1 unknown: main.g /m.go:22\n",
           "cut-tail");
}

/* The field that the cut hits seems to reach into the text behind it. */
static void a_dump_behind_a_cut_profile_is_read(void **state)
{
    (void)state;
    put_two_samples();
    proto.out.len -= 3;
    buf_add(&proto.out, STR("\n\n\n\xff\ngoroutine 1 [chan send]:\nmain.f()\n"
                            "\t/m.go:11 +0x1d\n"));
    expect("1 chan send: main.f /m.go:11\n", "damaged damaged cut-tail");
}

static void a_cut_name_is_missing(void **state)
{
    (void)state;
    put_two_samples();
    proto_texts(&proto);
    /* The last text, "/main.go", is cut; "main.main" stands before it. */
    proto.out.len -= 3;
    expect("500 unknown: main.f /m.go:11, main.main\n"
           "1 unknown: main.g /m.go:22\n",
           "cut-tail missing-names");
    assert_false(info_at(0)->complete);
}

/* Between two texts the wire is whole. */
static void a_cut_between_names_shows(void **state)
{
    (void)state;
    put_two_samples();
    proto_texts(&proto);
    proto.out.len -= sizeof("/main.go") - 1 + 2;
    expect("500 unknown: main.f /m.go:11, main.main\n"
           "1 unknown: main.g /m.go:22\n",
           "missing-names");
    assert_false(info_at(0)->complete);
}

static void every_beginning_has_an_answer_or_an_error(void **state)
{
    size_t answers = 0;

    (void)state;
    put_two_samples();
    proto_texts(&proto);
    for (size_t n = 0; n < proto.out.len; n++) {
        struct reading cut;
        int rc;

        reading_init(&cut);
        rc = reading_add_bytes(&cut, str_head(buf_str(&proto.out), n), 0);
        assert_true(rc == 0 || (rc == CPROF_EFORMAT && cut.err.message[0]));
        answers += rc == 0;
        if (rc == 0)
            assert_int_equal(reading_total(&cut), 501);
        reading_done(&cut);
    }
    assert_true(answers > 10);
}

static void a_damaged_message_is_left_out(void **state)
{
    (void)state;
    proto_goroutines(&proto);
    proto_bytes(&proto.out, 2, STR("\x0a\x7f\x01")); /* a list beyond its end */
    proto_bytes(&proto.out, 4, STR("\x0b"));         /* a group */
    proto_sample(&proto, PROTO_LIST(2), PROTO_LIST(1), (struct str){0});
    proto_texts(&proto);
    expect("1 unknown: main.g /m.go:22\n", "damaged");
    assert_false(info_at(0)->complete);
}

static void what_is_no_field_ends_the_profile(void **state)
{
    (void)state;
    put_two_samples();
    proto_texts(&proto);
    buf_add(&proto.out, STR("\x0b rest"));
    expect("500 unknown: main.f /m.go:11, main.main /main.go:33\n"
           "1 unknown: main.g /m.go:22\n",
           "damaged");
    assert_false(info_at(0)->complete);
}

static void unknown_fields_are_stepped_over(void **state)
{
    struct buf message = {0};

    (void)state;
    proto_goroutines(&proto);
    proto_number(&proto.out, 99, 7);
    proto_bytes(&proto.out, 77, STR("whatever"));
    proto_number(&message, 1, 1);
    proto_number(&message, 2, 6);
    proto_number(&message, 50, 6);
    proto_bytes(&message, 51, STR("more"));
    proto_bytes(&proto.out, 2, buf_str(&message));
    buf_done(&message);
    proto_texts(&proto);
    expect("6 unknown: main.f /m.go:11\n", "");
}

static void locations_that_nobody_explains_leave_a_gap(void **state)
{
    (void)state;
    proto_goroutines(&proto);
    proto_sample(&proto, PROTO_LIST(1, 44, 3), PROTO_LIST(2), (struct str){0});
    proto_texts(&proto);
    expect("2 unknown: main.f /m.go:11, main.main /main.go:33 ...\n",
           "missing-locations");
    assert_false(info_at(0)->complete);
    assert_true(str_starts(
        diag_find(&reading.snapshots->diags, "missing-locations")->message,
        STR("1 sample names locations ")));
}

/* Without an address there is nothing else to show. */
static void functions_that_nobody_explains_leave_a_gap(void **state)
{
    (void)state;
    proto_goroutines(&proto);
    proto_location(&proto, 45, 0, 77, 5, 0, 0);
    proto_sample(&proto, PROTO_LIST(1, 45, 3), PROTO_LIST(2), (struct str){0});
    proto_texts(&proto);
    expect("2 unknown: main.f /m.go:11, main.main /main.go:33 ...\n",
           "missing-locations");
    assert_false(info_at(0)->complete);
}

static void values_that_are_missing_are_said(void **state)
{
    (void)state;
    proto_goroutines(&proto);
    proto_sample(&proto, PROTO_LIST(1), PROTO_LIST(2), (struct str){0});
    proto_sample(&proto, PROTO_LIST(2), (struct proto_list){0},
                 (struct str){0});
    proto_texts(&proto);
    expect("2 unknown: main.f /m.go:11\n", "missing-values");
    assert_false(info_at(0)->complete);
    assert_true(str_starts(
        diag_find(&reading.snapshots->diags, "missing-values")->message,
        STR("1 sample has fewer values ")));
}

static void lengths_that_cannot_be_are_a_cut(void **state)
{
    (void)state;
    put_two_samples();
    proto_texts(&proto);
    /* A text of 10^18 bytes. */
    buf_add(&proto.out, STR("\x32\x80\x80\x90\xbb\xba\xd6\xad\xf0\x0d"
                            "abc"));
    expect("500 unknown: main.f /m.go:11, main.main /main.go:33\n"
           "1 unknown: main.g /m.go:22\n",
           "cut-tail");
}

static void texts_are_not_taken_for_profiles(void **state)
{
    static const char *const texts[] = {
        "\ngoroutine 1 [running]:\nmain.f()\n\t/m.go:1 +0x1\n",
        "Z\n\ngoroutine 1 [running]:\nmain.f()\n\t/m.go:1 +0x1\n",
        "\"(((((((((((((((((((((((((((((((((((((((((((((((((((((((\n"
        "goroutine 1 [running]:\nmain.f()\n\t/m.go:1 +0x1\n",
        "2024-01-01 00:00:00 started\ngoroutine 1 [running]:\nmain.f()\n"
        "\t/m.go:1 +0x1\n",
        "*** fatal ***\ngoroutine 1 [running]:\nmain.f()\n\t/m.go:1 +0x1\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_int_equal(reading_add(&reading, texts[i]), 0);
        assert_string_equal(info_at(i)->format, "debug2");
    }
}

/* What stands behind a line end in the middle of a profile may look like the
 * beginning of one. */
static void a_profile_without_its_beginning_is_none(void **state)
{
    struct buf text = {0};

    (void)state;
    put_two_samples();
    proto_texts(&proto);
    buf_add(&text, STR("\xff\xfe what was before\n"));
    buf_add(&text, buf_str(&proto.out));
    assert_int_equal(reading_add_bytes(&reading, buf_str(&text), 0),
                     CPROF_EFORMAT);
    buf_done(&text);
}

static void pieces_of_any_size_are_the_same(void **state)
{
    struct reading pieces;

    (void)state;
    put_two_samples();
    proto_texts(&proto);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&proto.out), 0), 0);
    for (size_t step = 1; step < 20; step++) {
        reading_init(&pieces);
        assert_int_equal(reading_add_bytes(&pieces, buf_str(&proto.out), step),
                         0);
        assert_string_equal(reading_everything(&reading),
                            reading_everything(&pieces));
        reading_done(&pieces);
    }
}

/* 50,000 stacks of their own, 4 frames each. */
static void put_many(struct proto *many)
{
    proto_type(many, 1, "goroutine", "count");
    proto_function(many, 1, "main.f", "/m.go");
    for (uint64_t i = 1; i <= 200; i++)
        proto_location(many, i, 0x1000 + i, 1, i, 0, 0);
    for (uint64_t i = 0; i < 50000; i++)
        proto_sample(
            many, PROTO_LIST(i % 200 + 1, i / 200 % 200 + 1, i / 40000 + 1, 1),
            PROTO_LIST(2), (struct str){0});
    proto_texts(many);
}

static void too_little_memory_loses_stacks_and_no_goroutines(void **state)
{
    static const char *const limits[] = {"1M", "3M", "12M", "64M"};
    uint64_t other = 100001;

    (void)state;
    put_many(&proto);
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        struct reading small;
        const struct snapshot_info *info;

        reading_init_limited(&small, limits[i]);
        assert_int_equal(reading_add_bytes(&small, buf_str(&proto.out), 0), 0);
        info = snapshot_info_get(reading_snapshot(&small, 0));
        assert_int_equal(info->total, 100000);
        assert_true(info->other < other);
        assert_true(info->complete == (info->other == 0));
        assert_true((strstr(reading_codes(&small), "memory-limit") != NULL) ==
                    (info->other != 0));
        other = info->other;
        reading_done(&small);
    }
    assert_int_equal(other, 0);
}

/* 2,000 stacks of a heap profile, each second of which is free again. */
static void put_measured(struct proto *many)
{
    proto_type(many, 1, "alloc_objects", "count");
    proto_type(many, 1, "alloc_space", "bytes");
    proto_type(many, 1, "inuse_objects", "count");
    proto_type(many, 1, "inuse_space", "bytes");
    proto_function(many, 1, "main.f", "/m.go");
    for (uint64_t i = 1; i <= 2000; i++) {
        proto_location(many, i, 0x1000 + i, 1, i, 0, 0);
        proto_sample(many, PROTO_LIST(i),
                     PROTO_LIST(3, 300, i % 2 * 2, i % 2 * 200),
                     (struct str){0});
    }
    proto_texts(many);
}

/* Every group has its values; those that are in none are said to be lost. */
static void check_measured(struct reading *small)
{
    const struct snapshot *snapshot = reading_snapshot(small, 0);
    const struct snapshot_info *info = snapshot_info_get(snapshot);
    uint64_t n = snapshot_n_groups(snapshot);

    assert_int_equal(info->totals[0], 6000);
    assert_int_equal(n + info->n_other, 2000);
    for (size_t i = 0; i < n; i++) {
        assert_non_null(snapshot_values(snapshot, i));
        assert_int_equal(snapshot_values(snapshot, i)[1], 300);
    }
    assert_true(info->complete == (n == 2000));
    assert_true((strstr(reading_codes(small), "memory-limit") != NULL) ==
                (n < 2000));
}

static void too_little_memory_loses_no_values_silently(void **state)
{
    bool has_lost = false;

    (void)state;
    put_measured(&proto);
    for (unsigned kilobytes = 300; kilobytes < 1500; kilobytes += 8) {
        struct reading small;
        char limit[16];

        snprintf(limit, sizeof(limit), "%uK", kilobytes);
        reading_init_limited(&small, limit);
        if (reading_add_bytes(&small, buf_str(&proto.out), 0) == 0) {
            check_measured(&small);
            has_lost |= snapshot_info_get(reading_snapshot(&small, 0))->n_other;
        }
        reading_done(&small);
    }
    assert_true(has_lost);
}

/* Some of each message, so that each can be the one that does not fit: 4,000
 * samples of 3 goroutines, with labels. */
static void put_mixed(struct proto *mixed)
{
    proto_type(mixed, 1, "goroutine", "count");
    for (uint64_t i = 1; i <= 1000; i++)
        proto_function(mixed, i, i % 2 ? "main.f" : "main.g", "/m.go");
    for (uint64_t i = 1; i <= 2000; i++)
        proto_location(mixed, i, 0x1000 + i, i % 1000 + 1, i, i % 500 + 1, 7);
    for (uint64_t i = 0; i < 4000; i++) {
        struct buf labels = {0};

        mixed->is_unpacked = i % 2;
        proto_label(mixed, &labels, "tenant", i % 3 ? "a" : "b", 0, NULL);
        proto_sample(mixed,
                     PROTO_LIST(i % 2000 + 1, i * 7 % 2000 + 1, i / 2 + 1),
                     PROTO_LIST(3), buf_str(&labels));
        buf_done(&labels);
    }
    proto_texts(mixed);
}

static void whatever_does_not_fit_all_goroutines_are_counted(void **state)
{
    uint64_t other = 1;
    unsigned n_read = 0;

    (void)state;
    put_mixed(&proto);
    for (unsigned limit = 64; other || !n_read; limit += limit / 16) {
        struct reading small;
        char text[32];
        int rc;

        snprintf(text, sizeof(text), "%uk", limit);
        reading_init_limited(&small, text);
        rc = reading_add_bytes(&small, buf_str(&proto.out), 0);
        assert_true(rc == 0 || rc == CPROF_ENOMEM);
        if (rc == 0) {
            assert_int_equal(reading_total(&small), 12000);
            other = snapshot_info_get(reading_snapshot(&small, 0))->other;
            n_read++;
        }
        reading_done(&small);
        assert_true(limit < 1 << 20);
    }
    assert_true(n_read > 10);
}

/* Added up, the values of what did not fit pass 64 bits, in both ways. */
static void values_that_do_not_fit_end_where_numbers_do(void **state)
{
    struct reading small;
    const struct snapshot_info *info;

    (void)state;
    proto_type(&proto, 1, "inuse_objects", "count");
    proto_type(&proto, 1, "inuse_space", "bytes");
    proto_function(&proto, 1, "main.f", "/m.go");
    for (uint64_t i = 1; i <= 20000; i++) {
        proto_location(&proto, i, 0x1000 + i, 1, i, 0, 0);
        proto_sample(&proto, PROTO_LIST(i),
                     PROTO_LIST(INT64_MAX - i, (uint64_t)INT64_MIN + i),
                     (struct str){0});
    }
    proto_texts(&proto);
    reading_init_limited(&small, "1M");
    assert_int_equal(reading_add_bytes(&small, buf_str(&proto.out), 0), 0);
    info = snapshot_info_get(reading_snapshot(&small, 0));
    assert_non_null(strstr(reading_codes(&small), "memory-limit"));
    assert_true(info->totals[0] == INT64_MAX);
    assert_true(info->totals[1] == INT64_MIN);
    reading_done(&small);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(two_profiles_in_one_input_are_two_snapshots),
        TEST(without_names_there_is_no_answer),
        TEST(a_second_profile_without_names_is_left_out),
        TEST(a_dump_behind_a_cut_profile_is_read),
        TEST(a_cut_name_is_missing),
        TEST(a_cut_between_names_shows),
        TEST(every_beginning_has_an_answer_or_an_error),
        TEST(a_damaged_message_is_left_out),
        TEST(what_is_no_field_ends_the_profile),
        TEST(unknown_fields_are_stepped_over),
        TEST(locations_that_nobody_explains_leave_a_gap),
        TEST(functions_that_nobody_explains_leave_a_gap),
        TEST(values_that_are_missing_are_said),
        TEST(lengths_that_cannot_be_are_a_cut),
        TEST(texts_are_not_taken_for_profiles),
        TEST(a_profile_without_its_beginning_is_none),
        TEST(pieces_of_any_size_are_the_same),
        TEST(too_little_memory_loses_stacks_and_no_goroutines),
        TEST(too_little_memory_loses_no_values_silently),
        TEST(whatever_does_not_fit_all_goroutines_are_counted),
        TEST(values_that_do_not_fit_end_where_numbers_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

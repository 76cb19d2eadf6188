/* Where a profile may stand in an input, and what begins it. */
#include <setjmp.h>
#include <stdarg.h>

#include "pprof/profile.h"
#include "support/proto.h"
#include "support/reading.h"

#include <cmocka.h>

static struct reading reading;
static struct proto proto;
static struct buf input;

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
    buf_done(&input);
    return 0;
}

static const char text[] = "goroutine profile: total 7\n"
                           "7 @ 0x439ec5\n"
                           "#\t0x439ec4\tmain.f+0x3b\t/m.go:11\n\n";

static void put_profile(void)
{
    proto_goroutines(&proto);
    proto_sample(&proto, PROTO_LIST(1, 3), PROTO_LIST(5), (struct str){0});
    proto_texts(&proto);
}

static const struct snapshot_info *info_at(size_t index)
{
    return snapshot_info_get(reading_snapshot(&reading, index));
}

/* runtime/pprof/proto.go: newProfileBuilder of CPU profiles writes the time
 * first. */
static void a_profile_may_begin_with_its_time(void **state)
{
    (void)state;
    proto_number(&proto.out, 9, 1795240000123456789u);
    proto_type(&proto, 1, "samples", "count");
    proto_type(&proto, 1, "cpu", "nanoseconds");
    proto_number(&proto.out, 10, 1100000000);
    proto_type(&proto, 11, "cpu", "nanoseconds");
    proto_number(&proto.out, 12, 10000000);
    proto_function(&proto, 1, "main.f", "/m.go");
    proto_location(&proto, 1, 0x1001, 1, 11, 0, 0);
    proto_sample(&proto, PROTO_LIST(1), PROTO_LIST(4, 40000000),
                 (struct str){0});
    proto_texts(&proto);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&proto.out), 0), 0);
    assert_int_equal(info_at(0)->kind, PROFILE_CPU);
    assert_int_equal(info_at(0)->duration_ns, 1100000000);
    assert_int_equal(info_at(0)->period, 10000000);
    assert_int_equal(info_at(0)->totals[1], 40000000);
}

static void a_profile_behind_a_text_is_read(void **state)
{
    (void)state;
    put_profile();
    buf_add(&input, str_from(text));
    buf_add(&input, buf_str(&proto.out));
    for (size_t step = 0; step < 2; step++)
        assert_int_equal(reading_add_bytes(&reading, buf_str(&input), step), 0);
    assert_int_equal(cprof_snapshots_count(reading.snapshots), 4);
    for (size_t i = 0; i < 4; i += 2) {
        assert_int_equal(info_at(i)->total, 7);
        assert_string_equal(info_at(i + 1)->format, "debug0");
        assert_int_equal(info_at(i + 1)->total, 5);
    }
}

static void a_text_behind_a_profile_is_read(void **state)
{
    (void)state;
    put_profile();
    buf_add(&input, buf_str(&proto.out));
    buf_add(&input, str_from(text));
    assert_int_equal(reading_add_bytes(&reading, buf_str(&input), 0), 0);
    assert_int_equal(cprof_snapshots_count(reading.snapshots), 2);
    assert_int_equal(info_at(0)->total, 5);
    assert_true(info_at(0)->complete);
    assert_int_equal(info_at(1)->total, 7);
    assert_string_equal(reading_codes(&reading), "");
}

/* A profile that breaks off has no names, but what stands behind it has. */
static void a_text_inside_a_profile_is_read_and_said(void **state)
{
    (void)state;
    proto_goroutines(&proto);
    buf_add(&proto.out, str_from(text));
    proto_sample(&proto, PROTO_LIST(1), PROTO_LIST(5), (struct str){0});
    proto_texts(&proto);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&proto.out), 0), 0);
    assert_int_equal(cprof_snapshots_count(reading.snapshots), 1);
    assert_int_equal(info_at(0)->total, 7);
    assert_non_null(strstr(reading_codes(&reading), "cut-tail"));
}

static bool looks(const char *bytes, size_t n)
{
    return profile_head_looks_like((struct str){bytes, n});
}

static void lines_of_text_do_not_look_like_one(void **state)
{
    static const char *const lines[] = {
        "Zebra: 9 stripes\n",
        "Z\n\nzzzzzzzzzz",
        "Host: example.org\n",
        "\n\n\n\n\n\n\n\n\n\n\n",
        "\n\t\t\tindented\n",
        "\n\x1b[31mred\x1b[0m",
        "H\xc3\xa4user und H\xc3\xb6\x66\x65",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        assert_false(looks(lines[i], strlen(lines[i])));
    assert_true(looks("\n\x04\x08\x01\x10\x02\n\x04\x08", 9));
    assert_true(looks("Z\x04\x08\x01\x10\x02\x60\x01\n", 9));
    assert_true(looks("\x48\xaa\xd4\x9b\xaf\xd9\xe9\xfe\xf4\x18", 10));
    assert_false(looks("\n\x04\x08\x01", 4)); /* nothing can follow that */
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_profile_may_begin_with_its_time),
        TEST(a_profile_behind_a_text_is_read),
        TEST(a_text_behind_a_profile_is_read),
        TEST(a_text_inside_a_profile_is_read_and_said),
        TEST(lines_of_text_do_not_look_like_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* An exported profile, read back by the reader of profiles. */
#include <setjmp.h>
#include <stdarg.h>
#include <zlib.h>

#include "support/exporting.h"
#include "support/proto.h"

#include <cmocka.h>

static struct reading reading; /* what is exported */
static struct reading again;   /* what was exported */
static struct buf bytes;
static struct cprof_error err;

static int set_up(void **state)
{
    (void)state;
    reading_init(&reading);
    reading_init(&again);
    err = (struct cprof_error){0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    reading_done(&reading);
    reading_done(&again);
    buf_done(&bytes);
    return 0;
}

static void round_trip(void)
{
    assert_int_equal(exporting_write(&reading, "pprof", &bytes, &err), 0);
    assert_int_equal(reading_add_bytes(&again, buf_str(&bytes), 0), 0);
}

/* How many goroutines of the export have a label; value NULL = any value. */
static uint64_t labelled(const char *key, const char *value)
{
    const struct symbols *symbols = again.snapshots->symbols;
    const struct snapshot *snapshot = reading_snapshot(&again, 0);
    uint64_t n = 0;

    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
        const struct evidence *evidence = snapshot_group(snapshot, i)->evidence;
        const struct label_counts *label = evidence ? evidence->labels : NULL;

        for (; label; label = label->next) {
            if (!str_equal(symbols_text(symbols, label->key), str_from(key)))
                continue;
            for (uint32_t v = 0; v < label->values.count; v++) {
                const struct counted *item = &label->values.items[v];

                if (!value ||
                    str_equal(symbols_text(symbols, item->id), str_from(value)))
                    n += item->count;
            }
        }
    }
    return n;
}

static const char dump[] =
    "goroutine 5 [chan receive, 3 minutes]:\n"
    "main.wait(0xc000010000)\n\t/src/main.go:12 +0x1d\n"
    "main.run(...)\n\t/src/main.go:20\n"
    "created by main.start in goroutine 1\n\t/src/main.go:40 +0x2d\n\n"
    "goroutine 6 [chan receive (leaked)] {tenant: a, state: x}:\n"
    "main.wait(0xc000010008)\n\t/src/main.go:12 +0x1d\n"
    "main.run(...)\n\t/src/main.go:20\n"
    "created by main.init in goroutine 1\n\t/src/main.go:41 +0x2d\n\n"
    "goroutine 7 [chan receive] {tenant: b}:\n"
    "main.wait(0xc000010010)\n\t/src/main.go:12 +0x1d\n"
    "main.run(...)\n\t/src/main.go:20\n"
    "created by main.start in goroutine 1\n\t/src/main.go:40 +0x2d\n\n"
    "goroutine 8 [sleep, locked to thread]:\n"
    "time.Sleep(0x1)\n\t/go/src/runtime/time.go:195 +0x2d\n"
    "created by main.start in goroutine 1\n\t/src/main.go:40 +0x2d\n";

static void functions_files_lines_and_counts_come_back(void **state)
{
    (void)state;
    assert_int_equal(reading_add(&reading, dump), 0);
    round_trip();
    assert_string_equal(
        reading_groups(&again),
        "3 chan receive: main.wait /src/main.go:12, main.run /src/main.go:20; "
        "by main.start /src/main.go:40\n"
        "1 sleep: time.Sleep /go/src/runtime/time.go:195; "
        "by main.start /src/main.go:40\n");
    assert_string_equal(reading_codes(&again), "");
}

/* What is in the labels is read back (format/exported.c). */
static void what_only_we_know_comes_back(void **state)
{
    const struct symbols *symbols = again.snapshots->symbols;
    const struct group *waiting;
    const struct group *asleep;

    (void)state;
    assert_int_equal(reading_add(&reading, dump), 0);
    round_trip();
    waiting = snapshot_group(reading_snapshot(&again, 0), 0);
    asleep = snapshot_group(reading_snapshot(&again, 0), 1);
    assert_int_equal(waiting->state_source, STATE_FROM_HEADER);
    assert_int_equal(waiting->wait_max, 3);
    assert_int_equal(waiting->n_waits, 1);
    assert_int_equal(waiting->leaked, 1);
    assert_int_equal(waiting->locked, 0);
    assert_int_equal(waiting->evidence->creators.count, 2);
    assert_int_equal(asleep->locked, 1);
    assert_int_equal(symbols_frame(symbols, asleep->created_by).line, 40);
}

/* A sample of a heap: objects allocated and in use, of a size. */
static void add_objects(struct proto *proto, uint64_t location, uint64_t alloc,
                        uint64_t inuse, uint64_t size)
{
    struct buf label = {0};

    proto_label(proto, &label, "bytes", NULL, size, NULL);
    proto_sample(proto, PROTO_LIST(location),
                 PROTO_LIST(alloc, alloc * size, inuse, inuse * size),
                 buf_str(&label));
    buf_done(&label);
}

/* Whether the export holds a text. */
static bool has_text(const char *text)
{
    unsigned char plain[4096];
    z_stream stream = {.next_in = (unsigned char *)bytes.ptr,
                       .avail_in = (unsigned)bytes.len,
                       .next_out = plain,
                       .avail_out = sizeof(plain)};

    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    inflateEnd(&stream);
    return str_contains((struct str){(char *)plain, stream.total_out},
                        str_from(text));
}

/* Objects of which none is in use have their size as well: where sizes differ
 * within a stack, none is that of all. */
static void sizes_of_objects_are_numbers_of_all_of_a_stack(void **state)
{
    static const struct {
        uint64_t location, alloc, inuse, size;
    } objects[] = {
        {1, 8, 0, 256}, {1, 16, 16, 512}, {2, 4, 4, 4096}, {3, 2, 0, 16384}};
    struct proto proto;

    (void)state;
    proto_init(&proto);
    proto_type(&proto, 1, "alloc_objects", "count");
    proto_type(&proto, 1, "alloc_space", "bytes");
    proto_type(&proto, 1, "inuse_objects", "count");
    proto_type(&proto, 1, "inuse_space", "bytes");
    for (uint64_t i = 1; i <= 3; i++) {
        proto_function(&proto, i, "main.f", "/m.go");
        proto_location(&proto, i, i, i, i, 0, 0);
    }
    for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++)
        add_objects(&proto, objects[i].location, objects[i].alloc,
                    objects[i].inuse, objects[i].size);
    proto_texts(&proto);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&proto.out), 0), 0);
    proto_done(&proto);
    round_trip();
    assert_int_equal(labelled("bytes", NULL), 4);
    assert_int_equal(labelled("bytes", "4096"), 4);
    assert_true(has_text("bytes"));
    assert_false(has_text("4096"));
}

/* Whatever a profile says that only pprof needs. */
static void how_pprof_is_to_show_it_is_taken_through(void **state)
{
    const struct snapshot_info *info;
    struct proto proto;

    (void)state;
    proto_init(&proto);
    proto_type(&proto, 1, "alloc_space", "bytes");
    proto_type(&proto, 1, "inuse_space", "bytes");
    proto_type(&proto, 11, "space", "bytes");
    proto_number(&proto.out, 12, 524288);
    proto_number(&proto.out, 7, proto_index(&proto, "drop.*"));
    proto_number(&proto.out, 8, proto_index(&proto, "keep.*"));
    proto_number(&proto.out, 13, proto_index(&proto, "by a friend"));
    proto_number(&proto.out, 14, proto_index(&proto, "alloc_space"));
    proto_texts(&proto);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&proto.out), 0), 0);
    proto_done(&proto);
    round_trip();
    info = snapshot_info_get(reading_snapshot(&again, 0));
    assert_int_equal(info->period, 524288);
    assert_true(str_equal(info->period_type.name, STR("space")));
    assert_true(str_equal(info->drop_frames, STR("drop.*")));
    assert_true(str_equal(info->keep_frames, STR("keep.*")));
    assert_int_equal(info->default_type, 0);
}

static void labels_of_the_program_are_kept_and_never_taken_for_ours(
    void **state)
{
    (void)state;
    assert_int_equal(reading_add(&reading, dump), 0);
    round_trip();
    assert_int_equal(labelled("tenant", "a"), 1);
    assert_int_equal(labelled("tenant", "b"), 1);
    assert_int_equal(labelled("tenant", NULL), 2);
    assert_int_equal(labelled("state", "x"), 1);
    assert_int_equal(snapshot_group(reading_snapshot(&again, 0), 0)->state,
                     STATE_CHAN_RECEIVE);
}

static void invented_combinations_are_admitted(void **state)
{
    (void)state;
    assert_int_equal(reading_add(&reading, dump), 0);
    round_trip();
    assert_non_null(diag_find(&reading.snapshots->diags, "label-combinations"));
}

static void a_goroutine_without_frames_still_counts(void **state)
{
    (void)state;
    assert_int_equal(reading_add(&reading, "goroutine profile: total 3\n"
                                           "3 @ 0x46a1c1\n\n"),
                     0);
    round_trip();
    assert_int_equal(reading_total(&again), 3);
    assert_string_equal(reading_groups(&again), "3 runnable:\n");
}

static void instances_are_added_up(void **state)
{
    static const char one[] =
        "goroutine profile: total 2\n"
        "2 @ 0x43a0ce 0x4aa01e 0x46a1c1\n"
        "#\t0x4aa01d\tmain.wait+0x1d\t/src/main.go:12\n\n";
    static const char two[] =
        "goroutine profile: total 7\n"
        "7 @ 0x43a0ce 0x4aa01e 0x46a1c1\n"
        "#\t0x4aa01d\tmain.wait+0x1d\t/src/main.go:12\n\n";

    (void)state;
    assert_int_equal(reading_add(&reading, one), 0);
    assert_int_equal(reading_add(&reading, two), 0);
    round_trip();
    assert_int_equal(reading_total(&again), 9);
    assert_int_equal(snapshot_n_groups(reading_snapshot(&again, 0)), 1);
}

static void profiles_that_measure_different_things_are_refused(void **state)
{
    (void)state;
    assert_int_equal(reading_add(&reading, "goroutine profile: total 0\n"), 0);
    assert_int_equal(reading_add(&reading, "threadcreate profile: total 0\n"),
                     0);
    assert_int_equal(exporting_write(&reading, "pprof", &bytes, &err),
                     CPROF_EUSAGE);
    assert_non_null(strstr(err.message, "a threadcreate profile cannot be"));
}

static void all_values_of_a_heap_profile_come_back(void **state)
{
    const struct snapshot_info *info;

    (void)state;
    assert_int_equal(
        reading_add(&reading,
                    "heap profile: 1: 524288 [3: 1572864] @ heap/1048576\n"
                    "1: 524288 [3: 1572864] @ 0x4aa01e 0x46a1c1\n"
                    "#\t0x4aa01d\tmain.grow+0x1d\t/src/main.go:12\n\n"),
        0);
    round_trip();
    info = snapshot_info_get(reading_snapshot(&again, 0));
    assert_int_equal(info->n_types, 4);
    assert_int_equal(info->kind, PROFILE_HEAP);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(
            info->totals[i],
            snapshot_info_get(reading_snapshot(&reading, 0))->totals[i]);
}

/* Reads goroutines of which each has a stack of its own. */
static void read_stacks(int n)
{
    struct buf text = {0};

    buf_addf(&text, "goroutine profile: total %d\n", n);
    for (int i = 0; i < n; i++)
        buf_addf(&text,
                 "1 @ 0x43a0ce 0x4aa01e 0x46a1c1\n"
                 "#\t0x4aa01d\tmain.wait%d+0x1d\t/src/main.go:12\n\n",
                 i);
    assert_int_equal(reading_add(&reading, text.ptr), 0);
    buf_done(&text);
}

static void what_finds_no_room_in_the_export_is_said(void **state)
{
    struct budget *budget = &reading.snapshots->budget;

    (void)state;
    read_stacks(4000);
    budget->limit = (budget->used + 200000) / 3 * 4;
    round_trip();
    assert_int_equal(reading_total(&again), 4000);
    assert_true(snapshot_n_groups(reading_snapshot(&again, 0)) < 4000);
    assert_non_null(diag_find(&reading.snapshots->diags, "memory-limit"));
}

static void what_did_not_fit_the_memory_is_counted_too(void **state)
{
    (void)state;
    reading_done(&reading);
    reading_init_limited(&reading, "3M");
    read_stacks(40000);
    assert_true(snapshot_info_get(reading_snapshot(&reading, 0))->other > 0);
    round_trip();
    assert_int_equal(reading_total(&again), 40000);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(functions_files_lines_and_counts_come_back),
        TEST(what_only_we_know_comes_back),
        TEST(sizes_of_objects_are_numbers_of_all_of_a_stack),
        TEST(how_pprof_is_to_show_it_is_taken_through),
        TEST(labels_of_the_program_are_kept_and_never_taken_for_ours),
        TEST(invented_combinations_are_admitted),
        TEST(a_goroutine_without_frames_still_counts),
        TEST(instances_are_added_up),
        TEST(profiles_that_measure_different_things_are_refused),
        TEST(all_values_of_a_heap_profile_come_back),
        TEST(what_finds_no_room_in_the_export_is_said),
        TEST(what_did_not_fit_the_memory_is_counted_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

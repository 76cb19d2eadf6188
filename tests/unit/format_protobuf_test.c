/* pprof profiles as protobuf, through the driver. */
#include <setjmp.h>
#include <stdarg.h>

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

/* As the CPU profiles of Go do (runtime/pprof/proto.go: newProfileBuilder). */
static void the_time_may_come_first(void **state)
{
    (void)state;
    proto_number(&proto.out, 9, 1700000000123456789u);
    proto_goroutines(&proto);
    proto_sample(&proto, PROTO_LIST(2), PROTO_LIST(1), (struct str){0});
    proto_texts(&proto);
    expect("1 unknown: main.g /m.go:22\n", "");
    assert_true(info_at(0)->taken_ns == 1700000000123456789);
}

static void samples_become_groups(void **state)
{
    (void)state;
    proto_goroutines(&proto);
    proto_sample(&proto, PROTO_LIST(1, 3), PROTO_LIST(500), (struct str){0});
    proto_sample(&proto, PROTO_LIST(2), PROTO_LIST(1), (struct str){0});
    proto_number(&proto.out, 9, 1700000000123456789u);
    proto_texts(&proto);
    expect("500 unknown: main.f /m.go:11, main.main /main.go:33\n"
           "1 unknown: main.g /m.go:22\n",
           "");
    assert_int_equal(info_at(0)->kind, PROFILE_GOROUTINE);
    assert_true(str_equal(info_at(0)->profile, STR("goroutine")));
    assert_string_equal(info_at(0)->format, "debug0");
    assert_true(info_at(0)->taken_ns == 1700000000123456789);
    assert_true(info_at(0)->complete);
    assert_false(info_at(0)->has_declared);
    assert_int_equal(info_at(0)->total, 501);
    assert_int_equal(info_at(0)->n_types, 0);
}

static void lists_may_be_packed_or_not(void **state)
{
    (void)state;
    proto_goroutines(&proto);
    proto.is_unpacked = true;
    proto_sample(&proto, PROTO_LIST(1, 2, 3), PROTO_LIST(4), (struct str){0});
    proto.is_unpacked = false;
    proto_sample(&proto, PROTO_LIST(1, 2, 3), PROTO_LIST(3), (struct str){0});
    proto_texts(&proto);
    expect("7 unknown: main.f /m.go:11, main.g /m.go:22, "
           "main.main /main.go:33\n",
           "");
}

/* google/pprof writes samples before what explains them, and others begin with
 * the string table. */
static void the_order_of_fields_does_not_matter(void **state)
{
    struct proto texts;

    (void)state;
    proto_index(&proto, "goroutine");
    proto_index(&proto, "count");
    proto_index(&proto, "main.f");
    proto_index(&proto, "/m.go");
    proto_texts(&proto);
    texts = proto;
    proto_sample(&proto, PROTO_LIST(900), PROTO_LIST(7), (struct str){0});
    proto_location(&proto, 900, 0x1001, 70, 11, 0, 0);
    proto_function(&proto, 70, "main.f", "/m.go");
    proto_type(&proto, 1, "goroutine", "count");
    assert_int_equal(proto.n_texts, texts.n_texts);
    expect("7 unknown: main.f /m.go:11\n", "");
}

static void inlined_calls_come_innermost_first(void **state)
{
    (void)state;
    proto_goroutines(&proto);
    proto_location(&proto, 4, 0x4001, 1, 5, 2, 6);
    proto_sample(&proto, PROTO_LIST(4, 3), PROTO_LIST(1), (struct str){0});
    proto_texts(&proto);
    expect("1 unknown: main.f /m.go:5, main.g /m.go:6, main.main /main.go:33\n",
           "");
}

static void names_are_canonical(void **state)
{
    (void)state;
    proto_goroutines(&proto);
    proto_function(&proto, 4,
                   "gopkg.in/acme/leaky%2ev3.(*Stack[go.shape.struct { main.v "
                   "int },go.shape.func(int, int) (string, error)]).Pop",
                   "/l.go");
    proto_location(&proto, 4, 0x4001, 4, 5, 0, 0);
    proto_sample(&proto, PROTO_LIST(4), PROTO_LIST(1), (struct str){0});
    proto_texts(&proto);
    expect("1 unknown: gopkg.in/acme/leaky.v3.(*Stack[...]).Pop /l.go:5\n", "");
}

static void calls_without_a_name_show_their_address(void **state)
{
    (void)state;
    proto_goroutines(&proto);
    proto_location(&proto, 4, 0xabc123, 0, 0, 0, 0);
    proto_location(&proto, 5, 0xdef, 99, 0, 0, 0); /* no such function */
    proto_sample(&proto, PROTO_LIST(4, 5, 1), PROTO_LIST(1), (struct str){0});
    proto_texts(&proto);
    expect("1 unknown: 0xabc123, 0xdef, main.f /m.go:11\n", "");
}

/* Stacks of threadcreate since Go 1.23, on 64 and on 32 bits. */
static void padding_is_no_frame(void **state)
{
    (void)state;
    proto_type(&proto, 1, "threadcreate", "count");
    proto_function(&proto, 1, "", "");
    proto_location(&proto, 1, UINT64_MAX, 1, 0, 0, 0);
    proto_location(&proto, 2, UINT32_MAX, 1, 0, 0, 0);
    proto_sample(&proto, PROTO_LIST(1, 1, 2, 2), PROTO_LIST(6),
                 (struct str){0});
    proto_texts(&proto);
    expect("6 unknown:\n", "");
    assert_int_equal(info_at(0)->kind, PROFILE_THREADCREATE);
}

static void a_goroutine_may_have_no_stack(void **state)
{
    (void)state;
    proto_goroutines(&proto);
    proto_sample(&proto, PROTO_NONE, PROTO_LIST(2), (struct str){0});
    proto_sample(&proto, PROTO_LIST(1), PROTO_LIST(0), (struct str){0});
    proto_texts(&proto);
    expect("2 unknown:\n", "");
    assert_int_equal(info_at(0)->total, 2);
}

static void an_empty_profile_is_an_answer(void **state)
{
    (void)state;
    proto_type(&proto, 11, "goroutineleak", "count");
    proto_type(&proto, 1, "goroutineleak", "count");
    proto_texts(&proto);
    expect("", "");
    assert_int_equal(info_at(0)->kind, PROFILE_GOROUTINELEAK);
    assert_int_equal(info_at(0)->total, 0);
}

static void labels_are_texts_or_numbers(void **state)
{
    struct buf labels = {0};
    const struct label_counts *first;
    const struct label_counts *second;
    const struct symbols *symbols;

    (void)state;
    proto_goroutines(&proto);
    proto_label(&proto, &labels, "handler", "/api", 0, NULL);
    proto_label(&proto, &labels, "bytes", NULL, 48, NULL);
    proto_sample(&proto, PROTO_LIST(1), PROTO_LIST(3), buf_str(&labels));
    buf_clear(&labels);
    proto_label(&proto, &labels, "bytes", NULL, 64, "kilobytes");
    proto_sample(&proto, PROTO_LIST(1), PROTO_LIST(2), buf_str(&labels));
    buf_done(&labels);
    proto_texts(&proto);
    expect("5 unknown: main.f /m.go:11\n", "");
    symbols = snapshot_symbols(reading_snapshot(&reading, 0));
    first = snapshot_group(reading_snapshot(&reading, 0), 0)->evidence->labels;
    second = first->next;
    assert_true(str_equal(symbols_text(symbols, first->key), STR("handler")));
    assert_int_equal(first->values.items[0].count, 3);
    assert_true(str_equal(symbols_text(symbols, first->values.items[0].id),
                          STR("/api")));
    assert_true(str_equal(symbols_text(symbols, second->key), STR("bytes")));
    assert_int_equal(second->values.count, 2);
    assert_true(str_equal(symbols_text(symbols, second->values.items[0].id),
                          STR("48")));
    assert_true(str_equal(symbols_text(symbols, second->values.items[1].id),
                          STR("64 kilobytes")));
    assert_int_equal(second->values.items[1].count, 2);
}

static void leaked_goroutines_are_marked(void **state)
{
    (void)state;
    proto_type(&proto, 1, "goroutineleak", "count");
    proto_function(&proto, 1, "main.f", "/m.go");
    proto_location(&proto, 1, 0x1001, 1, 11, 0, 0);
    proto_sample(&proto, PROTO_LIST(1), PROTO_LIST(9), (struct str){0});
    proto_texts(&proto);
    expect("9 unknown: main.f /m.go:11\n", "");
    assert_int_equal(snapshot_group(reading_snapshot(&reading, 0), 0)->leaked,
                     9);
}

/* --- Values --------------------------------------------------------------- */

static void put_heap(const char *default_type)
{
    proto_type(&proto, 1, "alloc_objects", "count");
    proto_type(&proto, 1, "alloc_space", "bytes");
    proto_type(&proto, 1, "inuse_objects", "count");
    proto_type(&proto, 1, "inuse_space", "bytes");
    proto_function(&proto, 1, "main.f", "/m.go");
    proto_location(&proto, 1, 0x1001, 1, 11, 0, 0);
    proto_sample(&proto, PROTO_LIST(1), PROTO_LIST(10, 1000, 4, 400),
                 (struct str){0});
    proto_sample(&proto, PROTO_LIST(1), PROTO_LIST(5, 50, 0, 0),
                 (struct str){0});
    proto_number(&proto.out, 14, proto_index(&proto, default_type));
    proto_texts(&proto);
}

static void a_heap_profile_has_four_values(void **state)
{
    const int64_t *values;

    (void)state;
    put_heap("");
    expect("4 unknown: main.f /m.go:11\n", "");
    values = snapshot_values(reading_snapshot(&reading, 0), 0);
    assert_non_null(values);
    assert_int_equal(values[0], 15);
    assert_int_equal(values[1], 1050);
    assert_int_equal(values[2], 4);
    assert_int_equal(values[3], 400);
    assert_int_equal(info_at(0)->kind, PROFILE_HEAP);
    assert_int_equal(info_at(0)->n_types, 4);
    assert_true(str_equal(info_at(0)->types[3].name, STR("inuse_space")));
    assert_true(str_equal(info_at(0)->types[3].unit, STR("bytes")));
    assert_int_equal(info_at(0)->default_type, 3);
    assert_int_equal(info_at(0)->totals[1], 1050);
}

static void allocs_are_what_is_shown_first(void **state)
{
    (void)state;
    put_heap("alloc_space");
    expect("15 unknown: main.f /m.go:11\n", "");
    assert_int_equal(info_at(0)->kind, PROFILE_ALLOCS);
    assert_true(str_equal(info_at(0)->profile, STR("allocs")));
    assert_int_equal(info_at(0)->default_type, 1);
}

/* Differences of two profiles have values below zero. */
static void negative_values_stay_and_do_not_count(void **state)
{
    const int64_t *values;

    (void)state;
    proto_type(&proto, 1, "contentions", "count");
    proto_type(&proto, 1, "delay", "nanoseconds");
    proto_function(&proto, 1, "main.f", "/m.go");
    proto_location(&proto, 1, 0x1001, 1, 11, 0, 0);
    proto_sample(&proto, PROTO_LIST(1), PROTO_LIST((uint64_t)-3, (uint64_t)-70),
                 (struct str){0});
    proto_texts(&proto);
    expect("0 unknown: main.f /m.go:11\n", "difference");
    values = snapshot_values(reading_snapshot(&reading, 0), 0);
    assert_int_equal(values[0], -3);
    assert_int_equal(values[1], -70);
    assert_int_equal(info_at(0)->kind, PROFILE_CONTENTION);
}

static void counts_that_overflow_are_not_added(void **state)
{
    (void)state;
    proto_goroutines(&proto);
    proto_sample(&proto, PROTO_LIST(1), PROTO_LIST(INT64_MAX - 1),
                 (struct str){0});
    proto_sample(&proto, PROTO_LIST(2), PROTO_LIST(5), (struct str){0});
    proto_texts(&proto);
    expect("9223372036854775806 unknown: main.f /m.go:11\n",
           "impossible-count");
}

struct contention {
    const char *leaf;
    enum profile_kind kind;
};

static void the_leaf_tells_block_from_mutex(void **state)
{
    static const struct contention cases[] = {
        {"sync.(*Mutex).Lock", PROFILE_BLOCK},
        {"runtime.chanrecv1", PROFILE_BLOCK},
        {"runtime.selectgo", PROFILE_BLOCK},
        {"sync.(*Mutex).Unlock", PROFILE_MUTEX},
        {"runtime.unlock", PROFILE_MUTEX},
        {"internal/sync.(*Mutex).Unlock", PROFILE_MUTEX},
        {"main.f", PROFILE_CONTENTION},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        proto_done(&proto);
        proto_init(&proto);
        proto_type(&proto, 1, "contentions", "count");
        proto_type(&proto, 1, "delay", "nanoseconds");
        proto_function(&proto, 1, cases[i].leaf, "/m.go");
        proto_location(&proto, 1, 0x1001, 1, 11, 0, 0);
        proto_sample(&proto, PROTO_LIST(1), PROTO_LIST(3, 70), (struct str){0});
        proto_texts(&proto);
        assert_int_equal(reading_add_bytes(&reading, buf_str(&proto.out), 0),
                         0);
        assert_int_equal(info_at(i)->kind, cases[i].kind);
    }
}

static void profiles_are_known_by_what_they_measure(void **state)
{
    static const struct {
        const char *types[4]; /* name, unit, ... */
        enum profile_kind kind;
        const char *name;
        uint64_t total; /* of one sample of 3 and 70 */
    } cases[] = {
        {{"samples", "count", "cpu", "nanoseconds"}, PROFILE_CPU, "cpu", 3},
        {{"inuse_objects", "count", "inuse_space", "bytes"},
         PROFILE_HEAP,
         "heap",
         3},
        {{"objects", "count", "space", "bytes"}, PROFILE_HEAP, "heap", 3},
        {{"wall", "nanoseconds", "requests", "count"},
         PROFILE_OTHER,
         "requests",
         70},
        {{"wall", "nanoseconds", "idle", "nanoseconds"},
         PROFILE_OTHER,
         "idle",
         1},
        {{"connections", "count", NULL, NULL}, PROFILE_OTHER, "connections", 3},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        proto_done(&proto);
        proto_init(&proto);
        for (int j = 0; j < 4 && cases[i].types[j]; j += 2)
            proto_type(&proto, 1, cases[i].types[j], cases[i].types[j + 1]);
        proto_function(&proto, 1, "main.f", "/m.go");
        proto_location(&proto, 1, 0x1001, 1, 11, 0, 0);
        proto_sample(&proto, PROTO_LIST(1), PROTO_LIST(3, 70), (struct str){0});
        proto_texts(&proto);
        assert_int_equal(reading_add_bytes(&reading, buf_str(&proto.out), 0),
                         0);
        assert_int_equal(info_at(i)->kind, cases[i].kind);
        assert_true(str_equal(info_at(i)->profile, str_from(cases[i].name)));
        assert_int_equal(info_at(i)->total, cases[i].total);
    }
}

/* --- Depth ---------------------------------------------------------------- */

/* A profile whose one stack has n frames. */
static void put_deep(size_t n, const char *leaf)
{
    struct buf message = {0};

    proto_type(&proto, 1, "goroutine", "count");
    proto_function(&proto, 1, "main.f", "/m.go");
    proto_function(&proto, 2, leaf, "/m.go");
    proto_location(&proto, 1, 0x1001, 1, 11, 0, 0);
    proto_location(&proto, 2, 0x2001, 2, 22, 0, 0);
    for (size_t i = 0; i < n; i++)
        proto_number(&message, 1, i ? 1 : 2);
    proto_number(&message, 2, 1);
    proto_bytes(&proto.out, 2, buf_str(&message));
    buf_done(&message);
    proto_texts(&proto);
}

static void stacks_at_the_depth_limit_lost_their_end(void **state)
{
    static const struct {
        size_t n_frames;
        const char *leaf;
        uint32_t elided;
    } cases[] = {
        {31, "main.g", 0},
        {32, "main.g", ELIDED_SOME},
        {32, "internal/sync.(*Mutex).Lock", 0}, /* Go 1.24 goes deeper */
        {33, "main.g", 0},
        {128, "main.g", ELIDED_SOME},
        {3000, "main.g", ELIDED_SOME},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct snapshot *snapshot;
        struct stack stack;

        proto_done(&proto);
        proto_init(&proto);
        put_deep(cases[i].n_frames, cases[i].leaf);
        assert_int_equal(reading_add_bytes(&reading, buf_str(&proto.out), 0),
                         0);
        snapshot = reading_snapshot(&reading, i);
        stack = symbols_stack(snapshot_symbols(snapshot),
                              snapshot_group(snapshot, 0)->stack);
        assert_int_equal(stack.elided, cases[i].elided);
        assert_int_equal(stack.n_frames,
                         cases[i].n_frames < 1024 ? cases[i].n_frames : 1024);
    }
}

/* 70,000 calls inlined into one location, which the stack of a mutex names as
 * often: 32 bits do not hold how many frames that are. */
static void frames_beyond_any_count_are_some(void **state)
{
    struct buf line = {0};
    struct buf location = {0};
    struct buf sample = {0};
    struct stack stack;

    (void)state;
    proto_type(&proto, 1, "contentions", "count");
    proto_type(&proto, 1, "delay", "nanoseconds");
    proto_function(&proto, 1, "main.f", "/m.go");
    proto_number(&line, 1, 1);
    proto_number(&location, 1, 1);
    for (size_t i = 0; i < 70000; i++) {
        proto_bytes(&location, 4, buf_str(&line));
        proto_number(&sample, 1, 1);
    }
    proto_bytes(&proto.out, 4, buf_str(&location));
    proto_number(&sample, 2, 1);
    proto_number(&sample, 2, 5);
    proto_bytes(&proto.out, 2, buf_str(&sample));
    proto_texts(&proto);
    buf_done(&line);
    buf_done(&location);
    buf_done(&sample);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&proto.out), 0), 0);
    stack =
        symbols_stack(snapshot_symbols(reading_snapshot(&reading, 0)),
                      snapshot_group(reading_snapshot(&reading, 0), 0)->stack);
    assert_int_equal(stack.n_frames, 1024);
    assert_int_equal(stack.elided, ELIDED_SOME);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_time_may_come_first),
        TEST(samples_become_groups),
        TEST(lists_may_be_packed_or_not),
        TEST(the_order_of_fields_does_not_matter),
        TEST(inlined_calls_come_innermost_first),
        TEST(names_are_canonical),
        TEST(calls_without_a_name_show_their_address),
        TEST(padding_is_no_frame),
        TEST(a_goroutine_may_have_no_stack),
        TEST(an_empty_profile_is_an_answer),
        TEST(labels_are_texts_or_numbers),
        TEST(leaked_goroutines_are_marked),
        TEST(a_heap_profile_has_four_values),
        TEST(allocs_are_what_is_shown_first),
        TEST(negative_values_stay_and_do_not_count),
        TEST(counts_that_overflow_are_not_added),
        TEST(the_leaf_tells_block_from_mutex),
        TEST(profiles_are_known_by_what_they_measure),
        TEST(stacks_at_the_depth_limit_lost_their_end),
        TEST(frames_beyond_any_count_are_some),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

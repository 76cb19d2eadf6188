/* Labels of an export, taken for what they say only where the mark is. */
#include <setjmp.h>
#include <stdarg.h>

#include "support/proto.h"
#include "support/reading.h"

#include <cmocka.h>

static struct reading reading;
static struct proto proto;
static struct buf labels;

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
    buf_done(&labels);
    return 0;
}

static void add_text(const char *key, const char *value)
{
    struct buf one = {0};

    proto_label(&proto, &one, key, value, 0, NULL);
    buf_add(&labels, buf_str(&one));
    buf_done(&one);
}

static void add_minutes(const char *key, uint64_t minutes)
{
    struct buf one = {0};

    proto_label(&proto, &one, key, NULL, minutes, "minutes");
    buf_add(&labels, buf_str(&one));
    buf_done(&one);
}

/* Ends a sample of n goroutines with the labels so far. */
static void put_sample(uint64_t n)
{
    proto_sample(&proto, PROTO_LIST(1, 3), PROTO_LIST(n), buf_str(&labels));
    buf_clear(&labels);
}

static void comment(const char *words)
{
    proto_number(&proto.out, 13, proto_index(&proto, words));
}

static const struct snapshot *read_all(void)
{
    proto_texts(&proto);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&proto.out), 0), 0);
    return reading_snapshot(&reading, 0);
}

static const struct group *only_group(const struct snapshot *snapshot)
{
    assert_int_equal(snapshot_n_groups(snapshot), 1);
    return snapshot_group(snapshot, 0);
}

static void states_ages_and_creators_come_back(void **state)
{
    const struct symbols *symbols = reading.snapshots->symbols;
    const struct group *group;
    const struct snapshot *snapshot;

    (void)state;
    proto_goroutines(&proto);
    comment("cprof-leaks/export/v1 debug2");
    for (uint64_t i = 0; i < 2; i++) {
        add_text("state", "chan send");
        add_text("state_source", "header");
        add_minutes("age", i ? 128 : 3);
        add_minutes("age_min", 3);
        add_minutes("age_max", 131);
        add_text("created_by", "main.start");
        add_text("created_at", "C:/m.go:40");
        add_text("locked", "true");
        add_text("elided", "7");
        put_sample(2);
    }
    snapshot = read_all();
    group = only_group(snapshot);
    assert_int_equal(group->count, 4);
    assert_int_equal(group->state, STATE_CHAN_SEND);
    assert_int_equal(group->state_source, STATE_FROM_HEADER);
    assert_int_equal(group->n_waits, 4);
    assert_int_equal(group->wait_min, 3);
    assert_int_equal(group->wait_max, 131);
    assert_int_equal(group->locked, 4);
    assert_int_equal(group->leaked, 0);
    assert_int_equal(symbols_stack(symbols, group->stack).elided, 7);
    assert_true(str_equal(symbols_function(symbols, group->created_by),
                          STR("main.start")));
    assert_true(
        str_equal(symbols_file(symbols, group->created_by), STR("C:/m.go")));
    assert_int_equal(symbols_frame(symbols, group->created_by).line, 40);
    assert_string_equal(snapshot_info_get(snapshot)->format, "export");
    assert_string_equal(snapshot_origin(snapshot_info_get(snapshot)), "debug2");
    assert_true(snapshot_info_get(snapshot)->complete);
}

static void without_the_mark_they_are_labels_like_others(void **state)
{
    const struct group *group;

    (void)state;
    proto_goroutines(&proto);
    comment("made after cprof-leaks/export/v1 debug2");
    add_text("state", "chan send");
    add_text("state_source", "header");
    add_text("leaked", "true");
    put_sample(2);
    group = only_group(read_all());
    assert_int_equal(group->state, STATE_UNKNOWN);
    assert_int_equal(group->leaked, 0);
    assert_non_null(group->evidence);
    assert_non_null(group->evidence->labels);
}

/* pprof merges profiles and keeps the comments of both. */
static void a_state_without_its_source_is_not_ours(void **state)
{
    (void)state;
    proto_goroutines(&proto);
    comment("cprof-leaks/export/v1 debug2");
    add_text("state", "California");
    put_sample(2);
    assert_int_equal(only_group(read_all())->state, STATE_UNKNOWN);
}

static void labels_of_the_program_get_their_names_back(void **state)
{
    const struct symbols *symbols = reading.snapshots->symbols;
    const struct label_counts *label;

    (void)state;
    proto_goroutines(&proto);
    comment("cprof-leaks/export/v1 debug2");
    add_text("label:state", "California");
    put_sample(2);
    label = only_group(read_all())->evidence->labels;
    assert_non_null(label);
    assert_null(label->next);
    assert_true(str_equal(symbols_text(symbols, label->key), STR("state")));
}

static void what_was_odd_is_said_again(void **state)
{
    (void)state;
    proto_goroutines(&proto);
    comment("cprof-leaks/export/v1 debug1");
    comment("incomplete");
    comment("warning: a.txt: the dump is cut");
    put_sample(2);
    assert_false(snapshot_info_get(read_all())->complete);
    assert_string_equal(reading_codes(&reading), "said-by-export");
}

/* So pprof writes them again when there are three or more (encodeInt64s). The
 * last index is cut, as a message of others may be. */
static void comments_may_be_packed(void **state)
{
    uint8_t packed[4];

    (void)state;
    proto_goroutines(&proto);
    packed[0] = (uint8_t)proto_index(&proto, "cprof-leaks/export/v1 debug1");
    packed[1] = (uint8_t)proto_index(&proto, "incomplete");
    packed[2] = (uint8_t)proto_index(&proto, "warning: a.txt: it is cut");
    packed[3] = 0x80;
    proto_bytes(&proto.out, 13,
                (struct str){(const char *)packed, sizeof(packed)});
    put_sample(2);
    assert_false(snapshot_info_get(read_all())->complete);
    assert_string_equal(reading_codes(&reading), "said-by-export");
}

static void words_that_stand_for_no_stack_are_none(void **state)
{
    const struct snapshot *snapshot;

    (void)state;
    proto_type(&proto, 1, "goroutine", "count");
    proto_function(&proto, 1, "(no frames)", "");
    proto_function(&proto, 2, "(not kept)", "");
    proto_location(&proto, 1, 0x10, 1, 0, 0, 0);
    proto_location(&proto, 2, 0x20, 2, 0, 0, 0);
    comment("cprof-leaks/export/v1 debug1");
    proto_sample(&proto, PROTO_LIST(1), PROTO_LIST(3), (struct str){0});
    proto_sample(&proto, PROTO_LIST(2), PROTO_LIST(4), (struct str){0});
    snapshot = read_all();
    assert_int_equal(
        symbols_stack(reading.snapshots->symbols, only_group(snapshot)->stack)
            .n_frames,
        0);
    assert_int_equal(snapshot_info_get(snapshot)->total, 7);
    assert_int_equal(snapshot_info_get(snapshot)->other, 4);
}

static void hostile_values_change_nothing(void **state)
{
    const struct group *group;

    (void)state;
    proto_goroutines(&proto);
    comment("cprof-leaks/export/v1 debug3");
    add_text("state", "chan send");
    add_text("state_source", "an oracle");
    add_text("age", "99 minutes or so");
    add_text("created_by", "main.start");
    add_text("created_at", "no line:");
    add_text("elided", "99999999999999999999");
    put_sample(2);
    group = only_group(read_all());
    assert_int_equal(group->state, STATE_UNKNOWN);
    assert_int_equal(group->n_waits, 0);
    assert_int_equal(
        symbols_stack(reading.snapshots->symbols, group->stack).elided, 0);
    assert_true(
        str_equal(symbols_file(reading.snapshots->symbols, group->created_by),
                  STR("no line:")));
    assert_string_equal(
        snapshot_origin(snapshot_info_get(reading_snapshot(&reading, 0))),
        "debug0");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(states_ages_and_creators_come_back),
        TEST(without_the_mark_they_are_labels_like_others),
        TEST(a_state_without_its_source_is_not_ours),
        TEST(labels_of_the_program_get_their_names_back),
        TEST(what_was_odd_is_said_again),
        TEST(comments_may_be_packed),
        TEST(words_that_stand_for_no_stack_are_none),
        TEST(hostile_values_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

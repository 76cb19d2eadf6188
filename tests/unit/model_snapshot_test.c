#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "model/snapshot.h"

#include <cmocka.h>

static struct budget budget;
static struct symbols *symbols;
static struct snapshot *snapshot;

static int set_up(void **state)
{
    int rc;

    (void)state;
    budget_init(&budget, 0);
    rc = symbols_new(&symbols, &budget, NULL);
    return rc < 0 ? rc : snapshot_new(&snapshot, symbols, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    snapshot_free(snapshot);
    symbols_free(symbols);
    return budget.used == 0 ? 0 : -1;
}

/* FRAME_NONE when there is no memory for it or its name. */
static frame_id frame_of(const char *function, uint32_t line)
{
    struct frame frame = {symbols_function_put(symbols, str_from(function)),
                          symbols_text_put(symbols, STR("/m.go")), line};

    if (!frame.function || !frame.file)
        return FRAME_NONE;
    return symbols_frame_put(symbols, frame);
}

/* Counts a record of one frame, with what the caller set in it. */
static void add(struct record record, const char *function)
{
    frame_id frame = frame_of(function, 1);

    record.frames = &frame;
    record.n_frames = 1;
    record.lost |= frame == FRAME_NONE; /* as readers say it */
    if (!record.count)
        record.count = 1;
    snapshot_add(snapshot, &record);
}

static const struct group *group_at(size_t index)
{
    assert_true(index < snapshot_n_groups(snapshot));
    return snapshot_group(snapshot, index);
}

static void a_group_is_a_stack_in_a_state(void **state)
{
    (void)state;
    add((struct record){.state = STATE_CHAN_SEND}, "main.f");
    add((struct record){.state = STATE_SELECT}, "main.f");
    add((struct record){.state = STATE_CHAN_SEND, .count = 5}, "main.g");
    add((struct record){.state = STATE_CHAN_SEND, .count = 2}, "main.f");
    assert_int_equal(snapshot_n_groups(snapshot), 3);
    assert_int_equal(group_at(0)->count, 3);
    assert_int_equal(group_at(1)->count, 1);
    assert_int_equal(group_at(2)->count, 5);
    assert_int_equal(snapshot_info(snapshot)->total, 9);
    assert_int_equal(snapshot_info_get(snapshot)->other, 0);
}

static void hidden_addresses_part_groups(void **state)
{
    struct hidden first = {.pc = {0x10, 0x20}, .n_pc = 2, .count = 2};
    struct hidden second = {.pc = {0x10, 0x21}, .n_pc = 2, .count = 2};

    (void)state;
    add((struct record){.hidden = first}, "main.f");
    add((struct record){.hidden = second}, "main.f");
    add((struct record){.hidden = first}, "main.f");
    add((struct record){.hidden = {.count = -1}}, "main.f");
    assert_int_equal(snapshot_n_groups(snapshot), 3);
    assert_int_equal(group_at(0)->count, 2);
    assert_int_equal(snapshot_hidden(snapshot, group_at(1))->pc[1], 0x21);
    assert_null(snapshot_hidden(snapshot, group_at(2)));
}

static void marks_are_counted(void **state)
{
    (void)state;
    add((struct record){.leaked = true, .count = 3}, "main.f");
    add((struct record){.locked = true}, "main.f");
    add((struct record){.leaked = true, .locked = true}, "main.f");
    assert_int_equal(group_at(0)->leaked, 4);
    assert_int_equal(group_at(0)->locked, 2);
    assert_int_equal(group_at(0)->count, 5);
}

static void ids_give_extremes_and_a_sample_from_the_third_on(void **state)
{
    (void)state;
    add((struct record){.has_id = true, .id = 7}, "main.f");
    add((struct record){.has_id = true, .id = 3}, "main.f");
    assert_null(group_at(0)->evidence);
    add((struct record){.has_id = true, .id = 9}, "main.f");
    assert_int_equal(group_at(0)->id_min, 3);
    assert_int_equal(group_at(0)->id_max, 9);
    assert_int_equal(group_at(0)->n_ids, 3);
    assert_int_equal(group_at(0)->evidence->ids.count, 3);
    assert_true(id_sample_has(&group_at(0)->evidence->ids, 7));
    assert_int_equal(snapshot_info(snapshot)->max_id, 9);
}

static void one_age_needs_no_histogram_and_two_do(void **state)
{
    struct record record = {.has_wait = true, .wait_min = 4};

    (void)state;
    add(record, "main.f");
    add(record, "main.f");
    add((struct record){0}, "main.f");
    assert_null(group_at(0)->evidence);
    assert_int_equal(group_at(0)->n_waits, 2);
    record.wait_min = 9;
    add(record, "main.f");
    record.wait_min = 4;
    add(record, "main.f");
    assert_int_equal(group_at(0)->wait_min, 4);
    assert_int_equal(group_at(0)->wait_max, 9);
    assert_int_equal(group_at(0)->n_waits, 4);
    assert_int_equal(group_at(0)->evidence->waits.count, 2);
    assert_int_equal(group_at(0)->evidence->waits.bars[0].count, 3);
    assert_int_equal(wait_histogram_median(&group_at(0)->evidence->waits), 4);
}

static void creators_are_counted_once_they_differ(void **state)
{
    frame_id first = frame_of("main.start", 5);
    frame_id second = frame_of("main.restart", 6);

    (void)state;
    add((struct record){.created_by = first, .count = 2}, "main.f");
    assert_null(group_at(0)->evidence);
    add((struct record){.created_by = second}, "main.f");
    add((struct record){.created_by = first}, "main.f");
    assert_int_equal(group_at(0)->created_by, first);
    assert_int_equal(group_at(0)->evidence->creators.count, 2);
    assert_int_equal(group_at(0)->evidence->creators.items[0].count, 3);
    assert_int_equal(group_at(0)->evidence->creators.items[1].count, 1);
}

static void labels_stay_with_their_group(void **state)
{
    struct label labels[] = {{STR_INIT("tenant"), STR_INIT("acme")},
                             {STR_INIT("handler"), STR_INIT("/")}};

    (void)state;
    add((struct record){.labels = labels, .n_labels = 2, .count = 3}, "main.f");
    add((struct record){.labels = labels, .n_labels = 1}, "main.f");
    add((struct record){0}, "main.g");
    assert_int_equal(group_at(0)->evidence->labels->values.items[0].count, 4);
    assert_int_equal(group_at(0)->evidence->labels->next->values.items[0].count,
                     3);
    assert_null(group_at(1)->evidence);
}

static void a_record_whose_frames_did_not_fit_is_counted_as_other(void **state)
{
    (void)state;
    add((struct record){.lost = true, .count = 4}, "main.f");
    add((struct record){.count = 2}, "main.f");
    assert_int_equal(snapshot_n_groups(snapshot), 1);
    assert_int_equal(snapshot_info(snapshot)->total, 6);
    assert_int_equal(snapshot_info(snapshot)->other, 4);
}

static void without_memory_known_groups_go_on_being_counted(void **state)
{
    uint64_t sum = 0;
    char name[32];

    (void)state;
    add((struct record){0}, "main.f");
    budget.limit = budget.used + 60000;
    for (unsigned i = 0; i < 2000; i++) {
        snprintf(name, sizeof(name), "main.g%u", i);
        add((struct record){0}, name);
        add((struct record){0}, "main.f");
    }
    assert_int_equal(snapshot_info(snapshot)->total, 4001);
    assert_true(snapshot_info(snapshot)->other > 0);
    assert_true(snapshot_info(snapshot)->other < 2000);
    assert_int_equal(group_at(0)->count, 2001);
    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++)
        sum += group_at(i)->count;
    assert_int_equal(sum + snapshot_info(snapshot)->other, 4001);
}

/* Feeds goroutines in an order and describes the group that they make. */
static void describe(char *into, size_t size, unsigned step)
{
    struct snapshot *other = NULL;
    struct record record = {.count = 1, .has_id = true, .has_wait = true};
    frame_id frame = frame_of("main.f", 1);
    uint64_t sum = 0;
    struct group *group;

    assert_int_equal(snapshot_new(&other, symbols, NULL), 0);
    record.frames = &frame;
    record.n_frames = 1;
    for (unsigned i = 0; i < 2003; i++) {
        unsigned n = i * step % 2003;

        record.id = n + 1;
        record.wait_min = n % 200;
        snapshot_add(other, &record);
    }
    group = snapshot_group(other, 0);
    for (uint32_t i = 0; i < group->evidence->ids.count; i++)
        sum += group->evidence->ids.ids[i];
    snprintf(into, size, "%llu %u %llu-%llu %llu %u-%u median %u in %u",
             (unsigned long long)group->count, group->evidence->ids.count,
             (unsigned long long)group->id_min,
             (unsigned long long)group->id_max, (unsigned long long)sum,
             group->wait_min, group->wait_max,
             wait_histogram_median(&group->evidence->waits),
             group->evidence->waits.count);
    snapshot_free(other);
}

static void the_order_of_goroutines_changes_no_evidence(void **state)
{
    char first[256];
    char other[256];

    (void)state;
    describe(first, sizeof(first), 1);
    for (unsigned step = 2; step < 10; step++) {
        describe(other, sizeof(other), step);
        assert_string_equal(other, first);
    }
    describe(other, sizeof(other), 2002);
    assert_string_equal(other, first);
}

static void many_goroutines_of_one_stack_take_no_memory(void **state)
{
    struct record record = {.has_id = true, .has_wait = true};
    size_t used = 0;

    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        if (i == 20000)
            used = budget.used;
        record.id = i * 7u;
        record.wait_min = i % 5000;
        add(record, "main.f");
    }
    assert_int_equal(group_at(0)->count, 200000);
    assert_int_equal(budget.used, used);
}

static void types_have_names_of_their_own(void **state)
{
    static const struct value_type types[] = {
        {STR_INIT("space"), STR_INIT("bytes")},
        {STR_INIT(""), STR_INIT("count")},
        {STR_INIT("space#2"), STR_INIT("count")},
        {STR_INIT("space"), STR_INIT("count")},
        {STR_INIT(""), STR_INIT("count")},
        {STR_INIT("a\xff"), STR_INIT("count")},
    };
    static const char *const names[] = {"space",   "",   "space#2",
                                        "space#3", "#2", "a\\xff"};

    (void)state;
    assert_true(snapshot_set_types(snapshot, types, 6));
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(snapshot_info(snapshot)->types[i].name.ptr,
                            names[i]);
}

static void freeing_nothing_does_nothing(void **state)
{
    (void)state;
    snapshot_free(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_group_is_a_stack_in_a_state),
        TEST(hidden_addresses_part_groups),
        TEST(marks_are_counted),
        TEST(ids_give_extremes_and_a_sample_from_the_third_on),
        TEST(one_age_needs_no_histogram_and_two_do),
        TEST(creators_are_counted_once_they_differ),
        TEST(labels_stay_with_their_group),
        TEST(a_record_whose_frames_did_not_fit_is_counted_as_other),
        TEST(without_memory_known_groups_go_on_being_counted),
        TEST(the_order_of_goroutines_changes_no_evidence),
        TEST(many_goroutines_of_one_stack_take_no_memory),
        TEST(types_have_names_of_their_own),
        cmocka_unit_test(freeing_nothing_does_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

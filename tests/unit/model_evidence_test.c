#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "model/evidence.h"

#include <cmocka.h>

static struct budget budget;
static struct arena arena;
static struct symbols *symbols;

static int set_up(void **state)
{
    (void)state;
    budget_init(&budget, 0);
    arena_init(&arena, &budget);
    return symbols_new(&symbols, &budget, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    symbols_free(symbols);
    arena_done(&arena);
    return budget.used == 0 ? 0 : -1;
}

static void expect_same_ids(struct id_sample *a, struct id_sample *b)
{
    id_sample_sort(a);
    id_sample_sort(b);
    assert_int_equal(a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++)
        assert_int_equal(a->ids[i], b->ids[i]);
}

static void the_same_ids_are_kept_in_any_order(void **state)
{
    struct id_sample up = {0};
    struct id_sample down = {0};

    (void)state;
    for (uint64_t id = 1; id <= 10000; id++) {
        id_sample_add(&up, &arena, id);
        id_sample_add(&down, &arena, 10001 - id);
    }
    expect_same_ids(&up, &down);
    assert_int_equal(up.count, EVIDENCE_IDS);
}

/* Hashes of ids can be made, so that a guess which of them are small fails. */
static void ids_of_chosen_hashes_are_kept_as_any(void **state)
{
    struct id_sample chosen = {0};
    struct id_sample plain = {0};
    uint64_t ids[4 * EVIDENCE_IDS];
    size_t n = 0;

    (void)state;
    for (uint64_t id = 1; n < 2 * EVIDENCE_IDS; id++) {
        if (id_sample_hash(id) >> 56 == 0xff)
            ids[n++] = id;
    }
    for (uint64_t id = 1; n < 4 * EVIDENCE_IDS; id++) {
        if (id_sample_hash(id) >> 56 == 0)
            ids[n++] = id;
    }
    for (size_t i = 0; i < n; i++) {
        id_sample_add(&chosen, &arena, ids[i]);
        id_sample_add(&plain, &arena, ids[n - 1 - i]);
        id_sample_settle(&plain);
    }
    expect_same_ids(&chosen, &plain);
    assert_int_equal(chosen.count, EVIDENCE_IDS);
    for (uint32_t i = 0; i < chosen.count; i++)
        assert_true(id_sample_hash(chosen.ids[i]) >> 56 == 0);
}

static void few_ids_are_all_kept(void **state)
{
    struct id_sample sample = {0};

    (void)state;
    id_sample_sort(&sample);
    for (uint64_t id = 300; id-- > 100;)
        id_sample_add(&sample, &arena, id);
    assert_true(id_sample_has(&sample, 100));
    assert_false(id_sample_has(&sample, 99));
    id_sample_sort(&sample);
    assert_int_equal(sample.count, 200);
    for (uint32_t i = 0; i < 200; i++)
        assert_int_equal(sample.ids[i], 100 + i);
}

/* Chosen ids are stored and compared, so the choice must never change. */
static void the_hash_of_ids_is_the_same_everywhere(void **state)
{
    (void)state;
    assert_true(id_sample_hash(0) == 0);
    assert_true(id_sample_hash(1) == 0x5692161d100b05e5u);
    assert_true(id_sample_hash(97926) == 0x97b04e48f12518d2u);
}

static void merged_samples_are_those_of_one_pass(void **state)
{
    struct evidence whole = {0};
    struct evidence left = {0};
    struct evidence right = {0};

    (void)state;
    for (uint64_t id = 1; id <= 3000; id++) {
        id_sample_add(&whole.ids, &arena, id);
        id_sample_add(id % 3 ? &left.ids : &right.ids, &arena, id);
    }
    evidence_merge(&left, &right, &arena);
    expect_same_ids(&left.ids, &whole.ids);
    evidence_merge(&left, &right, &arena);
    expect_same_ids(&left.ids, &whole.ids);
}

static void waits_are_exact_for_an_hour_and_close_after(void **state)
{
    struct wait_histogram waits = {0};

    (void)state;
    assert_int_equal(wait_histogram_median(&waits), 0);
    for (uint32_t minutes = 0; minutes < 64; minutes++)
        wait_histogram_add(&waits, &arena, 63 - minutes, 2);
    assert_int_equal(waits.count, 64);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(waits.bars[i].minutes, i);
        assert_int_equal(waits.bars[i].count, 2);
    }
    wait_histogram_add(&waits, &arena, 1001, 1);
    wait_histogram_add(&waits, &arena, UINT32_MAX, 1);
    assert_int_equal(waits.count, 66);
    assert_true(waits.bars[64].minutes <= 1001);
    assert_true(waits.bars[64].minutes > 1001 - 1001 / 32 - 1);
    assert_true(waits.bars[65].minutes > UINT32_MAX / 33 * 32);
}

static void endless_waits_take_few_bars(void **state)
{
    struct wait_histogram waits = {0};

    (void)state;
    for (uint64_t minutes = 0; minutes <= UINT32_MAX; minutes += 99991)
        wait_histogram_add(&waits, &arena, (uint32_t)minutes, 1);
    assert_true(waits.count < 64 + 27 * 32);
}

static void the_median_is_the_middle_one(void **state)
{
    struct wait_histogram waits = {0};

    (void)state;
    wait_histogram_add(&waits, &arena, 2, 10);
    wait_histogram_add(&waits, &arena, 9, 9);
    assert_int_equal(wait_histogram_median(&waits), 2);
    wait_histogram_add(&waits, &arena, 5, 100);
    assert_int_equal(wait_histogram_median(&waits), 5);
    wait_histogram_add(&waits, &arena, 40, 1000);
    assert_int_equal(wait_histogram_median(&waits), 40);
}

static void a_set_keeps_the_first_and_counts_the_others(void **state)
{
    struct counted_set set = {0};

    (void)state;
    for (uint32_t id = 0; id < 40; id++)
        counted_set_add(&set, &arena, id, 1, 16);
    for (uint32_t id = 0; id < 40; id++)
        counted_set_add(&set, &arena, id, 2, 16);
    assert_int_equal(set.count, 16);
    assert_int_equal(set.others, 24 * 3);
    for (uint32_t i = 0; i < 16; i++) {
        assert_int_equal(set.items[i].id, i);
        assert_int_equal(set.items[i].count, 3);
    }
}

static void add_label(struct evidence *evidence, const char *key,
                      const char *value, uint64_t count)
{
    struct label label = {str_from(key), str_from(value)};

    evidence_label_add(evidence, &arena, symbols, &label, count);
}

static void labels_that_differ_for_every_goroutine_take_no_memory(void **state)
{
    struct evidence evidence = {0};
    char value[32];
    size_t texts;
    uint64_t used = 0;

    (void)state;
    for (unsigned i = 0; i < 100000; i++) {
        if (i == 100)
            used = budget.used;
        snprintf(value, sizeof(value), "request %u", i);
        add_label(&evidence, "request", value, 1);
        add_label(&evidence, value, "x", 1);
    }
    texts = symbols_n_texts(symbols);
    assert_true(texts <= 1 + 2 * EVIDENCE_VALUES);
    assert_int_equal(budget.used, used);
    assert_int_equal(evidence.labels->values.others, 100000 - EVIDENCE_VALUES);
    assert_int_equal(evidence.other_labels, 100000 - EVIDENCE_KEYS + 1);
}

static void an_empty_value_is_a_value(void **state)
{
    struct evidence evidence = {0};

    (void)state;
    add_label(&evidence, "", "", 2);
    add_label(&evidence, "", "a", 3);
    add_label(&evidence, "", "", 5);
    assert_int_equal(evidence.labels->values.count, 2);
    assert_int_equal(evidence.labels->values.items[0].count, 7);
    assert_int_equal(evidence.labels->values.items[0].id, 0);
}

static void a_value_without_memory_is_not_the_empty_value(void **state)
{
    struct evidence evidence = {0};
    char value[5001];

    (void)state;
    add_label(&evidence, "key", "a", 1);
    memset(value, 'v', sizeof(value) - 1);
    value[sizeof(value) - 1] = '\0';
    budget.limit = budget.used + 100;
    add_label(&evidence, "key", value, 2);
    add_label(&evidence, value, "a", 4);
    assert_int_equal(evidence.labels->values.count, 1);
    assert_int_equal(evidence.labels->values.others, 2);
    assert_int_equal(evidence.other_labels, 4);
    assert_null(evidence.labels->next);
}

static void merging_adds_labels_creators_and_waits(void **state)
{
    struct evidence a = {0};
    struct evidence b = {0};

    (void)state;
    add_label(&a, "tenant", "acme", 2);
    add_label(&b, "tenant", "acme", 3);
    add_label(&b, "tenant", "beta", 1);
    add_label(&b, "handler", "/", 4);
    counted_set_add(&a.creators, &arena, 7, 2, EVIDENCE_CREATORS);
    counted_set_add(&b.creators, &arena, 7, 3, EVIDENCE_CREATORS);
    wait_histogram_add(&b.waits, &arena, 5, 3);
    evidence_merge(&a, &b, &arena);
    assert_int_equal(a.labels->values.count, 2);
    assert_int_equal(a.labels->values.items[0].count, 5);
    assert_int_equal(a.labels->next->values.items[0].count, 4);
    assert_int_equal(a.creators.items[0].count, 5);
    assert_int_equal(wait_histogram_median(&a.waits), 5);
}

static void keys_that_a_merge_has_no_room_for_are_counted(void **state)
{
    struct evidence a = {0};
    struct evidence b = {0};
    char key[32];

    (void)state;
    for (unsigned i = 0; i < EVIDENCE_KEYS; i++) {
        snprintf(key, sizeof(key), "key %u", i);
        add_label(&a, key, "x", 1);
    }
    add_label(&b, "key 3", "x", 2);
    add_label(&b, "another", "x", 4);
    add_label(&b, "another", "y", 8);
    evidence_merge(&a, &b, &arena);
    assert_int_equal(a.other_labels, 12);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_same_ids_are_kept_in_any_order),
        TEST(ids_of_chosen_hashes_are_kept_as_any),
        TEST(few_ids_are_all_kept),
        TEST(the_hash_of_ids_is_the_same_everywhere),
        TEST(merged_samples_are_those_of_one_pass),
        TEST(waits_are_exact_for_an_hour_and_close_after),
        TEST(endless_waits_take_few_bars),
        TEST(the_median_is_the_middle_one),
        TEST(a_set_keeps_the_first_and_counts_the_others),
        TEST(labels_that_differ_for_every_goroutine_take_no_memory),
        TEST(an_empty_value_is_a_value),
        TEST(a_value_without_memory_is_not_the_empty_value),
        TEST(merging_adds_labels_creators_and_waits),
        TEST(keys_that_a_merge_has_no_room_for_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

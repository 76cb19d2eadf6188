/* Samples and ids, as they are kept until a profile is whole. */
#include <setjmp.h>
#include <stdarg.h>

#include "pprof/sample_log.h"
#include "pprof/slots.h"

#include <cmocka.h>

static struct budget budget;

static int set_up(void **state)
{
    (void)state;
    budget_init(&budget, 64 * 1024 * 1024);
    return 0;
}

/* Whatever was taken from the budget was given back. */
static int tear_down(void **state)
{
    (void)state;
    assert_int_equal(budget.used, 0);
    return 0;
}

static void ids_get_slots_in_order_of_mention(void **state)
{
    struct slots slots;

    (void)state;
    slots_init(&slots, &budget);
    assert_int_equal(slots_put(&slots, 1), 0);
    assert_int_equal(slots_put(&slots, 7000000000), 1);
    assert_int_equal(slots_put(&slots, 0), 2);
    assert_int_equal(slots_put(&slots, 3), 3);
    assert_int_equal(slots_put(&slots, 5), 4);
    assert_int_equal(slots_put(&slots, UINT64_MAX), 5);
    assert_int_equal(slots_put(&slots, 0), 2);
    assert_int_equal(slots_put(&slots, 1), 0);
    assert_int_equal(slots_put(&slots, 3), 3);
    assert_int_equal(slots_put(&slots, 5), 4);
    assert_int_equal(slots_put(&slots, 7000000000), 1);
    assert_int_equal(slots_put(&slots, UINT64_MAX), 5);
    slots_done(&slots);
}

static void many_ids_keep_their_slots(void **state)
{
    struct slots slots;

    (void)state;
    slots_init(&slots, &budget);
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(slots_put(&slots, (uint64_t)i * 977 + 1), i);
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(slots_put(&slots, (uint64_t)i * 977 + 1), i);
    slots_done(&slots);
}

/* Wherever the memory ends, the ids that have slots keep them. */
static void ids_without_memory_take_no_slot(void **state)
{
    uint32_t n = 0;

    (void)state;
    for (uint64_t limit = 1; n < 5000; limit += limit / 8 + 1) {
        struct budget small;
        struct slots slots;

        budget_init(&small, limit);
        slots_init(&slots, &small);
        for (n = 0; n < 5000; n++)
            if (slots_put(&slots, (uint64_t)n * 977) == SLOT_NONE)
                break;
        if (n < 5000)
            assert_true(slots_put(&slots, (uint64_t)n * 977) == SLOT_NONE);
        for (uint32_t i = 0; i < n; i++)
            assert_int_equal(slots_put(&slots, (uint64_t)i * 977), i);
        slots_done(&slots);
        assert_int_equal(small.used, 0);
    }
}

/* The samples of the test below, number n of which is made of n. */
static void make_sample(uint32_t n, struct profile_sample *ret)
{
    static uint32_t locations[40];
    static int64_t values[4];
    static struct profile_label labels[2];

    *ret = (struct profile_sample){locations, n % 40, values,
                                   n % 5,     labels, n % 3};
    for (uint32_t i = 0; i < n % 40; i++)
        locations[i] = i % 3 ? n * i : UINT32_MAX - n * i;
    for (uint32_t i = 0; i < n % 5; i++)
        values[i] = i % 2 ? -(int64_t)n : INT64_MIN + (int64_t)n;
    for (uint32_t i = 0; i < n % 3; i++)
        labels[i] = (struct profile_label){n, i, UINT32_MAX, INT64_MAX - n};
}

static void check_sample(void *user, const struct profile_sample *sample)
{
    uint32_t *n = user;
    struct profile_sample wanted;

    make_sample(*n, &wanted);
    assert_int_equal(sample->n_locations, wanted.n_locations);
    assert_int_equal(sample->n_values, wanted.n_values);
    assert_int_equal(sample->n_labels, wanted.n_labels);
    for (size_t i = 0; i < wanted.n_locations; i++)
        assert_int_equal(sample->locations[i], wanted.locations[i]);
    for (size_t i = 0; i < wanted.n_values; i++)
        assert_true(sample->values[i] == wanted.values[i]);
    for (size_t i = 0; i < wanted.n_labels; i++) {
        assert_int_equal(sample->labels[i].key, wanted.labels[i].key);
        assert_int_equal(sample->labels[i].text, wanted.labels[i].text);
        assert_int_equal(sample->labels[i].unit, wanted.labels[i].unit);
        assert_true(sample->labels[i].number == wanted.labels[i].number);
    }
    ++*n;
}

static void samples_come_out_as_they_went_in(void **state)
{
    struct sample_log log;
    struct profile_sample sample;
    uint32_t n = 0;

    (void)state;
    sample_log_init(&log, &budget, budget.limit);
    for (uint32_t i = 0; i < 50000; i++) {
        make_sample(i, &sample);
        assert_true(sample_log_add(&log, &sample));
    }
    assert_int_equal(log.count, 50000);
    sample_log_each(&log, false, check_sample, &n);
    assert_int_equal(n, 50000);
    n = 0;
    sample_log_each(&log, true, check_sample, &n);
    assert_int_equal(n, 50000);
    assert_int_equal(log.count, 0);
    assert_int_equal(log.used, 0);
    sample_log_done(&log);
}

static void count_one(void *user, const struct profile_sample *sample)
{
    ++*(uint64_t *)user;
    assert_int_equal(sample->n_locations, 39);
}

static void a_log_keeps_to_its_share(void **state)
{
    struct sample_log log;
    struct profile_sample sample;
    uint64_t added = 0;
    uint64_t seen = 0;

    (void)state;
    make_sample(39, &sample);
    sample_log_init(&log, &budget, 100000);
    while (sample_log_add(&log, &sample))
        added++;
    assert_true(added > 100);
    assert_true(log.used <= 100000);
    sample_log_each(&log, true, count_one, &seen);
    assert_true(seen == added);
    sample_log_done(&log);
}

static void a_sample_may_be_larger_than_a_chunk(void **state)
{
    static uint32_t locations[1000000];
    struct sample_log log;
    struct profile_sample sample = {.locations = locations,
                                    .n_locations = 1000000};
    struct profile_sample small = {.locations = locations, .n_locations = 39};
    uint64_t seen = 0;

    (void)state;
    sample_log_init(&log, &budget, budget.limit);
    assert_true(sample_log_add(&log, &sample));
    sample_log_done(&log);
    sample_log_init(&log, &budget, budget.limit);
    assert_true(sample_log_add(&log, &small));
    sample_log_each(&log, true, count_one, &seen);
    assert_true(seen == 1);
    sample_log_done(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_get_slots_in_order_of_mention),
        cmocka_unit_test(many_ids_keep_their_slots),
        cmocka_unit_test(ids_without_memory_take_no_slot),
        cmocka_unit_test(samples_come_out_as_they_went_in),
        cmocka_unit_test(a_log_keeps_to_its_share),
        cmocka_unit_test(a_sample_may_be_larger_than_a_chunk),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}

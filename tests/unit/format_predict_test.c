/* The frames that a predictor knows, and what it does when it is full. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "format/predict.h"

#include <cmocka.h>

struct known {
    struct budget budget;
    struct symbols *symbols;
    struct predictor predictor;
};

static struct known known;

static int set_up(void **state)
{
    (void)state;
    budget_init(&known.budget, 256 * 1024 * 1024);
    assert_int_equal(symbols_new(&known.symbols, &known.budget, NULL), 0);
    predict_init(&known.predictor, known.symbols);
    return 0;
}

/* Whatever was taken from the budget was given back. */
static int tear_down(void **state)
{
    (void)state;
    predict_done(&known.predictor);
    symbols_free(known.symbols);
    assert_int_equal(known.budget.used, 0);
    return 0;
}

/* The texts of the frame of that number. */
struct texts {
    char name[32];
    char place[32];
};

static struct texts texts_of(uint32_t number)
{
    struct texts texts;

    snprintf(texts.name, sizeof(texts.name), "main.f%u", number / 2);
    snprintf(texts.place, sizeof(texts.place), "\t/m.go:%u", number);
    return texts;
}

static uint32_t learn(struct predictor *predictor, uint32_t number,
                      frame_id *ret_frame)
{
    struct texts texts = texts_of(number);
    struct frame frame = {
        .function = symbols_function_put(known.symbols, str_from(texts.name)),
        .file = symbols_text_put(known.symbols, STR("/m.go")),
        .line = number};

    return predict_learn(predictor, str_from(texts.name), str_from(texts.place),
                         frame, ret_frame);
}

static uint32_t find(const struct predictor *predictor, uint32_t number)
{
    struct texts texts = texts_of(number);

    return predict_find(predictor, str_from(texts.name), str_from(texts.place));
}

static void a_frame_is_found_by_both_of_its_texts(void **state)
{
    frame_id frame;
    uint32_t id = learn(&known.predictor, 7, &frame);

    (void)state;
    assert_int_not_equal(id, 0);
    assert_int_equal(find(&known.predictor, 7), id);
    assert_int_equal(predict_frame(&known.predictor, id)->frame, frame);
    /* The same function at another line, and another one. */
    assert_int_equal(find(&known.predictor, 6), 0);
    assert_int_equal(find(&known.predictor, 8), 0);
}

static void a_full_one_begins_again_with_the_same_frames(void **state)
{
    frame_id first;
    frame_id frame;

    (void)state;
    assert_int_equal(learn(&known.predictor, 1, &first), 1);
    for (uint32_t i = 2; i <= PREDICT_MOST; i++)
        assert_int_equal(learn(&known.predictor, i, &frame), i);
    assert_int_equal(known.predictor.n_flushes, 0);
    assert_int_equal(find(&known.predictor, 1), 1);
    assert_int_equal(learn(&known.predictor, PREDICT_MOST + 1, &frame), 1);
    assert_int_equal(known.predictor.n_flushes, 1);
    assert_int_equal(find(&known.predictor, 1), 0);
    assert_int_equal(find(&known.predictor, PREDICT_MOST + 1), 1);
    assert_int_equal(learn(&known.predictor, 1, &frame), 2);
    assert_int_equal(frame, first);
}

static void the_latest_ways_are_kept_without_doubles(void **state)
{
    uint32_t ways[PREDICT_WAYS] = {0};

    (void)state;
    predict_follow(ways, 5);
    predict_follow(ways, 5);
    assert_int_equal(ways[0], 5);
    assert_int_equal(ways[1], 0);
    predict_follow(ways, 6);
    assert_int_equal(ways[0], 6);
    assert_int_equal(ways[1], 5);
    predict_follow(ways, 5);
    assert_int_equal(ways[0], 5);
    assert_int_equal(ways[1], 6);
    predict_follow(ways, 7);
    assert_int_equal(ways[0], 7);
    assert_int_equal(ways[1], 5);
}

/* Symbols of their own have room, so that only the predictor has none. */
static void frames_without_memory_are_not_known(void **state)
{
    uint32_t n = 0;

    (void)state;
    for (uint64_t limit = 1; n < 500; limit += limit / 8 + 1) {
        struct predictor small;
        struct budget budget;
        frame_id frame;

        budget_init(&budget, limit);
        predict_init(&small, known.symbols);
        arena_init(&small.arena, &budget);
        pool_init(&small.known, &budget, sizeof(struct known_frame));
        table_init(&small.table, &budget);
        for (n = 0; n < 500; n++)
            if (!learn(&small, n, &frame))
                break;
        assert_int_not_equal(frame, FRAME_NONE);
        for (uint32_t i = 0; i < n; i++)
            assert_int_equal(find(&small, i), i + 1);
        if (n < 500)
            assert_int_equal(find(&small, n), 0);
        predict_done(&small);
        assert_int_equal(budget.used, 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_frame_is_found_by_both_of_its_texts),
        TEST(a_full_one_begins_again_with_the_same_frames),
        TEST(frames_without_memory_are_not_known),
        TEST(the_latest_ways_are_kept_without_doubles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

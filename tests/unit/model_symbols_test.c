#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"
#include "model/symbols.h"

#include <cmocka.h>

static struct budget budget;
static struct symbols *symbols;

static int set_up(void **state)
{
    (void)state;
    budget_init(&budget, 0);
    return symbols_new(&symbols, &budget, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    symbols_free(symbols);
    return budget.used == 0 ? 0 : -1;
}

static frame_id put_frame(const char *function, const char *file, uint32_t line)
{
    return symbols_frame_put(
        symbols,
        (struct frame){symbols_function_put(symbols, str_from(function)),
                       symbols_text_put(symbols, str_from(file)), line});
}

static void printed_forms_of_one_function_are_one_name(void **state)
{
    text_id id = symbols_function_put(symbols, STR("vendor/a.b/c.F[int]"));

    (void)state;
    assert_true(id > 0);
    assert_int_equal(symbols_function_put(symbols, STR("a.b/c.F[string]")), id);
    assert_int_equal(symbols_function_put(symbols, STR("a.b/c.F[...]")), id);
    assert_true(str_equal(symbols_text(symbols, id), STR("a.b/c.F[...]")));
    assert_int_equal(symbols_n_texts(symbols), 1);
    assert_int_equal(symbols_function_put(symbols, STR("")), 0);
}

static void equal_frames_and_stacks_have_equal_ids(void **state)
{
    frame_id a = put_frame("main.f", "/m.go", 1);
    frame_id b = put_frame("main.f", "/m.go", 2);
    frame_id ab[] = {a, b};
    frame_id ba[] = {b, a};
    stack_id stack = symbols_stack_put(symbols, ab, 2, 0);

    (void)state;
    assert_int_not_equal(a, b);
    assert_int_equal(put_frame("main.f", "/m.go", 1), a);
    assert_int_not_equal(put_frame("main.f", "", 1), a);
    assert_int_equal(symbols_stack_put(symbols, ab, 2, 0), stack);
    assert_int_not_equal(symbols_stack_put(symbols, ba, 2, 0), stack);
    assert_int_not_equal(symbols_stack_put(symbols, ab, 1, 0), stack);
    assert_int_not_equal(symbols_stack_put(symbols, ab, 2, 5), stack);
    assert_int_equal(symbols_n_frames(symbols), 3);
    assert_int_equal(symbols_n_stacks(symbols), 4);
    assert_int_equal(symbols_stack(symbols, stack).n_frames, 2);
    assert_int_equal(symbols_stack(symbols, stack).frames[1], b);
    assert_true(str_equal(symbols_function(symbols, a), STR("main.f")));
    assert_true(str_equal(symbols_file(symbols, b), STR("/m.go")));
}

static void the_stack_without_frames_is_id_0(void **state)
{
    (void)state;
    assert_int_equal(symbols_stack_put(symbols, NULL, 0, 0), STACK_EMPTY);
    assert_int_not_equal(symbols_stack_put(symbols, NULL, 0, 3), STACK_EMPTY);
    assert_int_equal(symbols_stack(symbols, STACK_EMPTY).n_frames, 0);
    assert_int_equal(symbols_function(symbols, FRAME_NONE).len, 0);
}

static void states_that_go_does_not_know_get_ids_of_their_own(void **state)
{
    state_id strange = symbols_state_put(symbols, STR("waiting for Godot"));

    (void)state;
    assert_int_equal(symbols_state_put(symbols, STR("chan send")),
                     STATE_CHAN_SEND);
    assert_true(strange >= N_STATES);
    assert_int_equal(symbols_state_put(symbols, STR("waiting for Godot")),
                     strange);
    assert_true(
        str_equal(symbols_state(symbols, strange), STR("waiting for Godot")));
    assert_int_equal(symbols_state_put(symbols, STR("")), STATE_UNKNOWN);
}

static void endless_states_become_unknown(void **state)
{
    char word[32];
    state_id id = 0;

    (void)state;
    for (unsigned i = 0; i < 61000; i++) {
        snprintf(word, sizeof(word), "state %u", i);
        id = symbols_state_put(symbols, str_from(word));
        if (i < 60000)
            assert_int_equal(id, N_STATES + i);
    }
    assert_int_equal(id, STATE_UNKNOWN);
    assert_int_equal(symbols_state_put(symbols, STR("state 59999")),
                     N_STATES + 59999);
}

static void every_known_state_has_its_word(void **state)
{
    (void)state;
    for (state_id id = 0; id < N_STATES; id++) {
        assert_true(state_word(id).len > 0);
        assert_int_equal(state_find(state_word(id)), id);
        assert_int_equal(symbols_state_put(symbols, state_word(id)), id);
    }
    assert_int_equal(state_find(STR("no such")), N_STATES);
    assert_true(str_equal(state_word(N_STATES), STR("unknown")));
    assert_string_equal(state_source_text(STATE_FROM_NONE), "none");
    assert_string_equal(state_source_text(STATE_FROM_ADDRESSES), "addresses");
    assert_string_equal(state_source_text(STATE_FROM_FRAMES), "frames");
    assert_string_equal(state_source_text(STATE_FROM_HEADER), "header");
}

/* When memory comes back, each name must still be its own. */
static void names_that_found_no_memory_are_not_mixed_up(void **state)
{
    char name[32];

    (void)state;
    for (unsigned i = 0; i < 3000; i++) {
        snprintf(name, sizeof(name), "main.function%u", i);
        /* Room for all of what a name needs, for some of it, or for none. */
        budget.limit = budget.used + i * 100 % 6000;
        symbols_function_put(symbols, str_from(name));
    }
    budget.limit = BUDGET_DEFAULT;
    for (unsigned i = 0; i < 3000; i++) {
        text_id id;

        snprintf(name, sizeof(name), "main.function%u", i);
        id = symbols_function_put(symbols, str_from(name));
        assert_true(id > 0);
        assert_true(str_equal(symbols_text(symbols, id), str_from(name)));
    }
}

static void without_memory_known_stacks_stay(void **state)
{
    frame_id frames[2] = {put_frame("main.f", "/m.go", 1), 0};
    stack_id last = STACK_EMPTY;
    uint32_t known = 0;

    (void)state;
    budget.limit = budget.used + 20000;
    for (;;) {
        stack_id id;

        frames[1] = known + 1;
        id = symbols_stack_put(symbols, frames, 2, 0);
        if (id == STACK_OTHER)
            break;
        last = id;
        known++;
    }
    assert_true(known > 100);
    assert_int_equal(symbols_n_stacks(symbols), known);
    frames[1] = known;
    assert_int_equal(symbols_stack_put(symbols, frames, 2, 0), last);
    assert_int_equal(put_frame("main.f", "/m.go", 1), frames[0]);
}

/* Puts 1,000 stacks; the id of the last. */
static stack_id put_many(void)
{
    frame_id frames[2] = {put_frame("main.f", "/m.go", 1), 0};
    stack_id last = STACK_EMPTY;

    for (frame_id i = 0; i < 1000; i++) {
        frames[1] = i + 1;
        last = symbols_stack_put(symbols, frames, 2, 0);
    }
    return last;
}

static void what_rests_knows_its_stacks_when_it_is_woken(void **state)
{
    stack_id last = put_many();
    size_t used = budget.used;
    frame_id other = put_frame("main.g", "/m.go", 2);

    (void)state;
    symbols_rest(symbols);
    assert_true(budget.used < used);
    assert_int_equal(symbols_stack(symbols, last).frames[1], 1000);
    assert_int_equal(put_many(), last);
    assert_int_equal(symbols_n_stacks(symbols), 1000);
    symbols_rest(symbols);
    assert_int_equal(symbols_stack_put(symbols, &other, 1, 0), last + 1);
}

static void without_memory_to_wake_no_stack_is_put(void **state)
{
    frame_id other = put_frame("main.g", "/m.go", 2);
    stack_id last = put_many();

    (void)state;
    symbols_rest(symbols);
    budget.limit = budget.used + 100;
    assert_int_equal(symbols_stack_put(symbols, &other, 1, 0), STACK_OTHER);
    assert_int_equal(symbols_stack(symbols, last).frames[1], 1000);
    budget.limit = BUDGET_DEFAULT;
    assert_int_equal(put_many(), last);
}

/* Fills text with n times the same and returns it. */
static struct str repeat(struct buf *text, const char *part, size_t n)
{
    buf_clear(text);
    for (size_t i = 0; i < n; i++)
        buf_add(text, str_from(part));
    return buf_str(text);
}

static void long_texts_are_cut_to_whole_letters(void **state)
{
    struct buf text = {0};
    text_id id;

    (void)state;
    id = symbols_text_put(symbols, repeat(&text, "x", SYMBOLS_TEXT_MOST));
    assert_false(symbols_take_has_cut(symbols));
    repeat(&text, "x", SYMBOLS_TEXT_MOST + 1);
    assert_int_equal(symbols_text_put(symbols, buf_str(&text)), id);
    assert_true(symbols_take_has_cut(symbols));
    assert_false(symbols_take_has_cut(symbols));
    /* 3 bytes each, of which 4,096 has no whole number. */
    id = symbols_text_put(symbols, repeat(&text, "\xe4\xb8\x96", 2000));
    assert_int_equal(symbols_text(symbols, id).len, SYMBOLS_TEXT_MOST / 3 * 3);
    id = symbols_text_put(symbols, repeat(&text, "\x80", 5000));
    assert_int_equal(symbols_text(symbols, id).len, SYMBOLS_TEXT_MOST - 4);
    buf_done(&text);
}

/* Type arguments are no part of what is kept. */
static void of_a_function_its_canonical_name_is_cut(void **state)
{
    struct buf text = {0};
    text_id id;

    (void)state;
    repeat(&text, "main.F[int,", 1);
    for (size_t i = 0; i < 5000; i++)
        buf_add(&text, STR("int,"));
    buf_add(&text, STR("int]"));
    id = symbols_function_put(symbols, buf_str(&text));
    assert_true(str_equal(symbols_text(symbols, id), STR("main.F[...]")));
    assert_false(symbols_take_has_cut(symbols));
    for (size_t i = 0; i < 2; i++) {
        id = symbols_function_put(symbols, repeat(&text, "main.f", 1000));
        assert_int_equal(symbols_text(symbols, id).len, SYMBOLS_TEXT_MOST);
        assert_true(symbols_take_has_cut(symbols));
    }
    assert_int_equal(
        symbols_state(symbols,
                      symbols_state_put(symbols, repeat(&text, "x", 5000)))
            .len,
        SYMBOLS_TEXT_MOST);
    buf_done(&text);
}

static void freeing_nothing_does_nothing(void **state)
{
    (void)state;
    symbols_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            printed_forms_of_one_function_are_one_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(equal_frames_and_stacks_have_equal_ids,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_stack_without_frames_is_id_0,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            states_that_go_does_not_know_get_ids_of_their_own, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(endless_states_become_unknown, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(every_known_state_has_its_word, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            names_that_found_no_memory_are_not_mixed_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_memory_known_stacks_stay,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            what_rests_knows_its_stacks_when_it_is_woken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_memory_to_wake_no_stack_is_put,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_texts_are_cut_to_whole_letters,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(of_a_function_its_canonical_name_is_cut,
                                        set_up, tear_down),
        cmocka_unit_test(freeing_nothing_does_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

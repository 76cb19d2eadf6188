/* Text that fills the mould of a familiar goroutine: what is found is what is
 * found without one, and the same pointers are taken from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/cpu.h"
#include "model/pointers.h"
#include "support/familiarity.h"

#include <cmocka.h>

enum { TEXT_MOST = 4096 };

static void skip_without_vectors(void)
{
    if (cpu_has_avx2())
        return;
    print_message("skipped: only processors with AVX2 compare with moulds\n");
    skip();
}

/* What a way to compare found. */
struct outcome {
    struct str args[FAMILIAR_FRAMES];
    struct familiar_match match;
    bool is_whole;
};

static void match_with(struct familiarity *familiarity,
                       familiar_match_fn *match, struct str text,
                       struct outcome *outcome)
{
    *outcome = (struct outcome){0};
    outcome->match = (struct familiar_match){
        .at = text.ptr, .end = text.ptr + text.len, .args = outcome->args};
    outcome->is_whole = match(&familiarity->familiars, &outcome->match);
}

static struct record record_of(const struct outcome *outcome, const char *text,
                               uint64_t id)
{
    const struct familiar *found = outcome->match.found;
    bool is_mapped = outcome->match.fills_mould;

    return (struct record){
        .count = 1,
        .has_id = true,
        .id = id,
        .frames = found->frames,
        .n_frames = found->n_frames,
        .args = is_mapped ? NULL : outcome->args,
        .arg_map = is_mapped ? &found->mould.args : NULL,
        .args_text = text,
        .args_end = outcome->match.end,
    };
}

/* The pointers that are kept of a record. */
static struct pointers pointers_of(struct familiarity *familiarity,
                                   const struct record *record)
{
    struct pool pool;
    struct arena arena;
    struct pointers kept;
    uint32_t head = 0;

    pool_init(&pool, &familiarity->budget, sizeof(struct pointers));
    arena_init(&arena, &familiarity->budget);
    pointers_add(&pool, &head, &arena, familiarity->symbols, record, 0);
    kept = *pointers_get(&pool, head);
    pool_done(&pool);
    arena_done(&arena);
    return kept;
}

static void expect_same_args(struct familiarity *familiarity,
                             const struct outcome *plain,
                             const struct outcome *vector, const char *text)
{
    struct record left = record_of(plain, text, 7);
    struct record right = record_of(vector, text, 7);
    struct pointers a;
    struct pointers b;

    for (size_t i = 0; i < left.n_frames; i++) {
        struct str known = record_args(&left, i);
        struct str mapped = record_args(&right, i);

        assert_true(str_equal(known, mapped));
        assert_true(!known.len || known.ptr == mapped.ptr);
    }
    a = pointers_of(familiarity, &left);
    b = pointers_of(familiarity, &right);
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.frames, b.frames, a.n);
    assert_memory_equal(a.flags, b.flags, a.n);
    assert_memory_equal(a.addresses, b.addresses, a.n * sizeof(uint64_t));
}

/* Compares a text in both ways; what the second finds becomes the mould when it
 * wants that. Returns whether the text filled one. */
static bool compare(struct familiarity *familiarity, struct str goroutine)
{
    struct buf buf = {0};
    struct outcome plain;
    struct outcome vector;
    struct str text;
    bool fills;

    buf_add(&buf, goroutine);
    buf_add(&buf, familiarity_behind);
    /* As much as is looked at in one go. */
    for (unsigned i = 0; i < 8; i++)
        buf_add(&buf, familiarity_behind);
    text = buf_str(&buf);
    match_with(familiarity, familiar_match_plain, text, &plain);
    match_with(familiarity, familiar_match_avx2, text, &vector);
    assert_int_equal(plain.is_whole, vector.is_whole);
    assert_int_equal(plain.match.n_pieces, vector.match.n_pieces);
    assert_ptr_equal(plain.match.found, vector.match.found);
    if (plain.is_whole)
        assert_ptr_equal(plain.match.at, vector.match.at);
    if (plain.is_whole)
        expect_same_args(familiarity, &plain, &vector, text.ptr);
    if (vector.match.wants_mould)
        familiars_mould(&familiarity->familiars, &vector.match, text.ptr);
    fills = vector.match.fills_mould;
    buf_done(&buf);
    return fills;
}

/* The familiar text with something in place of old, which it has. */
static struct str text_with(char into[static TEXT_MOST], const char *old,
                            const char *now)
{
    size_t at = str_search(familiarity_learned, str_from(old));

    assert_true(at < familiarity_learned.len);
    snprintf(into, TEXT_MOST, "%.*s%s%s", (int)at, familiarity_learned.ptr, now,
             familiarity_learned.ptr + at + strlen(old));
    return str_from(into);
}

static void other_digits_fill_a_mould(void **state)
{
    struct familiarity *familiarity = *state;
    char into[TEXT_MOST];

    skip_without_vectors();
    assert_false(compare(familiarity, familiarity_learned));
    assert_true(compare(familiarity, familiarity_learned));
    assert_true(
        compare(familiarity, text_with(into, "0xc000010000", "0xc00fedcba0")));
    assert_true(
        compare(familiarity, text_with(into, "goroutine 17", "goroutine 99")));
    /* More digits than any id has: not opened, and each of them compared. */
    compare(familiarity,
            text_with(into, "goroutine 17",
                      "goroutine 1234567890123456789012345678901234567890"));
    compare(familiarity,
            text_with(into, "goroutine 17",
                      "goroutine 123456789012345678901234567890123456789x"));
    compare(familiarity, familiarity_learned);
    /* Not in the form of the mould, but as familiar. */
    assert_false(
        compare(familiarity, text_with(into, "goroutine 17", "goroutine 9")));
}

/* Where digits are, anything may stand that is no end of the arguments: then
 * the words are searched for. */
static void what_are_no_digits_gives_no_pointers(void **state)
{
    static const char *const words[] = {
        "0xc0000x2345", "0xABCDEF0123", "0x          ", "0x0000000fff",
        "0xc00001000g", "{}0xc0000100", "0x, 0xc12345"};
    struct familiarity *familiarity = *state;
    char into[TEXT_MOST];

    skip_without_vectors();
    compare(familiarity, familiarity_learned);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        compare(familiarity, text_with(into, "0xc000010000", words[i]));
        compare(familiarity, familiarity_learned);
    }
    assert_false(compare(familiarity,
                         text_with(into, "0xc000010000, {", "0xc(0)10000, {")));
    assert_false(
        compare(familiarity, text_with(into, "goroutine 17", "goroutine 1x")));
}

/* What is written over a text at a place, of its length. */
static const char *const patches[] = {
    "0xc000010000", "0x1, 0x2", "(", ")", "\n", "?",  "...",        "0x", "g",
    "0xc00001000",  "7",        " ", "{", "}",  "\1", "created by "};

/* A place of a text becomes something else. */
static void change(char *text, size_t size, unsigned *seed)
{
    const char *patch;
    size_t at;

    *seed = *seed * 1103515245 + 12345;
    patch = patches[(*seed >> 16) % (sizeof(patches) / sizeof(patches[0]))];
    *seed = *seed * 1103515245 + 12345;
    at = (*seed >> 16) % size;
    for (; *patch && at < size; at++)
        text[at] = *patch++;
}

/* The one that is known came as often as it takes to be expected. */
static void expect_learned(struct familiarity *familiarity)
{
    struct outcome outcome;
    struct buf buf = {0};

    buf_add(&buf, familiarity_learned);
    buf_add(&buf, familiarity_behind);
    buf_add(&buf, familiarity_behind);
    match_with(familiarity, familiar_match_plain, buf_str(&buf), &outcome);
    assert_non_null(outcome.match.found);
    for (unsigned i = 0; i < FAMILIAR_EXPECTED + 2; i++)
        familiars_take(&familiarity->familiars, outcome.match.found);
    assert_ptr_equal(familiars_follower(&familiarity->familiars),
                     outcome.match.found);
    buf_done(&buf);
}

static void whatever_is_changed_is_found_alike(void **state)
{
    struct familiarity *familiarity = *state;
    unsigned seed = 1;

    skip_without_vectors();
    for (unsigned i = 0; i < 20000; i++) {
        char text[TEXT_MOST];
        size_t size = familiarity_learned.len;

        /* From here on, the familiar one is what is expected. */
        if (i == 10000)
            expect_learned(familiarity);
        memcpy(text, familiarity_learned.ptr, size);
        for (unsigned n = i % 3; n; n--)
            change(text, size, &seed);
        compare(familiarity, (struct str){text, size});
    }
}

/* Of one form, so that a mould is filled, with words that are the same. */
static void the_same_words_are_taken_once(void **state)
{
    static const char *const forms[] = {
        "0xc%09x, 0xc%09x, 0xc%09x", "{0xc%09x?, 0xc%09x}, 0xc%09x",
        "0xc%09x?, {0xc%09x?, 0xc%09x?}", "{{0x%x, 0x%x}, 0xc%09x}, ..."};
    struct familiarity *familiarity = *state;
    unsigned n_filled = 0;

    skip_without_vectors();
    for (unsigned i = 0; i < 4 * 27; i++) {
        char into[TEXT_MOST];
        char args[128];

        /* One form after another, each with equal and other words. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(args, sizeof(args), forms[i / 27], 0x1000 + i % 3 * 64,
                 0x1000 + i / 3 % 3 * 64, 0x1000 + i / 9 % 3 * 64);
#pragma GCC diagnostic pop
        n_filled += compare(
            familiarity,
            text_with(into, "0xc000010000, {0x1?, 0xc000020000?}", args));
    }
    assert_true(n_filled > 27);
}

/* A mould that does not fit is replaced, but not each time. */
static void texts_in_turns_share_no_mould(void **state)
{
    struct familiarity *familiarity = *state;
    unsigned n_filled = 0;

    skip_without_vectors();
    for (unsigned i = 0; i < 1000; i++) {
        char into[TEXT_MOST];

        n_filled += compare(familiarity, text_with(into, "goroutine 17",
                                                   i % 2 ? "goroutine 1"
                                                         : "goroutine "
                                                           "123"));
    }
    assert_true(n_filled > 300);
}

/* Two that take turns, until one of them comes twice. */
static void what_came_again_is_expected(void **state)
{
    struct familiarity *familiarity = *state;
    struct familiars *familiars = &familiarity->familiars;
    struct familiar *kinds[2];

    for (unsigned i = 0; i < 2; i++)
        kinds[i] = arena_take_zero(&familiars->arena, sizeof(*kinds[i]));
    assert_null(familiars_follower(familiars));
    for (unsigned i = 0; i < 20; i++) {
        struct familiar *follower = familiars_follower(familiars);

        if (i > 2 * (FAMILIAR_EXPECTED + 1))
            assert_ptr_equal(follower, kinds[i % 2]);
        else
            assert_null(follower);
        familiars_take(familiars, kinds[i % 2]);
    }
    familiars_take(familiars, kinds[1]);
    for (unsigned i = 0; i < FAMILIAR_EXPECTED; i++) {
        assert_null(familiars_follower(familiars));
        familiars_take(familiars, kinds[1]);
    }
    assert_ptr_equal(familiars_follower(familiars), kinds[1]);
    familiars_flush(familiars);
    assert_null(familiars_follower(familiars));
}

#define TEST(name)                                                             \
 cmocka_unit_test_setup_teardown(name, familiarity_set_up,                     \
                                 familiarity_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(other_digits_fill_a_mould),
        TEST(what_are_no_digits_gives_no_pointers),
        TEST(whatever_is_changed_is_found_alike),
        TEST(the_same_words_are_taken_once),
        TEST(texts_in_turns_share_no_mould),
        TEST(what_came_again_is_expected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Text compared with goroutines that are familiar: by the C library's functions
 * and by those of the processor, with the same result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/cpu.h"
#include "support/familiarity.h"

#include <cmocka.h>

static size_t count_lines(struct str text)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n += text.ptr[i] == '\n';
    return n;
}

/* Matches a text with one way to compare and says what was found: "whole 4",
 * "part 2", "nothing". */
static struct str match_with(const struct familiarity *familiarity,
                             familiar_match_fn *match, struct str text,
                             struct str args[FAMILIAR_FRAMES])
{
    static char said[32];
    struct familiar_match found = {
        .at = text.ptr, .end = text.ptr + text.len, .args = args};
    bool is_whole = match(&familiarity->familiars, &found);

    if (!found.n_pieces)
        return STR("nothing");
    assert_int_equal(
        count_lines((struct str){text.ptr, (size_t)(found.at - text.ptr)}),
        found.n_pieces * 2 +
            (familiar_elided(found.found, found.n_pieces) > 0));
    assert_int_equal(found.at[-1], '\n');
    snprintf(said, sizeof(said), "%s %u", is_whole ? "whole" : "part",
             found.n_pieces);
    assert_int_equal(found.found->stack, 1);
    return str_from(said);
}

/* Matches the text of a goroutine in every way there is. */
static void expect(const struct familiarity *familiarity, const char *text,
                   const char *expected)
{
    struct str args[FAMILIAR_FRAMES];
    struct buf buf = {0};

    buf_add(&buf, str_from(text));
    buf_add(&buf, familiarity_behind);
    assert_string_equal(
        match_with(familiarity, familiar_match_plain, buf_str(&buf), args).ptr,
        expected);
    if (cpu_has_avx2())
        assert_string_equal(
            match_with(familiarity, familiar_match_avx2, buf_str(&buf), args)
                .ptr,
            expected);
    buf_done(&buf);
}

/* Replaces the first place where old stands in the familiar text. */
static void expect_with(const struct familiarity *familiarity, const char *old,
                        const char *now, const char *expected)
{
    struct buf buf = {0};
    size_t at = str_search(familiarity_learned, str_from(old));

    assert_true(at < familiarity_learned.len);
    buf_add(&buf, str_head(familiarity_learned, at));
    buf_add(&buf, str_from(now));
    buf_add(&buf, str_skip(familiarity_learned, at + strlen(old)));
    expect(familiarity, buf_str(&buf).ptr, expected);
    buf_done(&buf);
}

static void other_arguments_and_creators_are_familiar(void **state)
{
    static const char hundred[] =
        "0xc000010000, 0xc000010000, 0xc000010000, 0xc000010000, "
        "0xc000010000, 0xc000010000, 0xc000010000, 0xc000010000";
    const struct familiarity *familiarity = *state;
    const char *old = "0xc000010000, {0x1?, 0xc000020000?}";
    char args[160];

    expect(familiarity, familiarity_learned.ptr, "whole 4");
    expect_with(familiarity, "goroutine 17", "goroutine 123456789012",
                "whole 4");
    expect_with(familiarity, old, "", "whole 4");
    expect_with(familiarity, old, "...", "whole 4");
    /* Every length, so that ")" and the line end fall into any block. */
    for (size_t n = 1; n < sizeof(hundred); n++) {
        snprintf(args, sizeof(args), "%.*s", (int)n, hundred);
        expect_with(familiarity, old, args, "whole 4");
    }
}

static void every_other_difference_is_seen(void **state)
{
    const struct familiarity *familiarity = *state;

    expect_with(familiarity, "0xc000010000, {", "0xc(0)00, {", "nothing");
    expect_with(familiarity, "0xc000010000, {", "0xc000010000), {", "nothing");
    expect_with(familiarity, "?})\n", "?})\r\n", "nothing");
    expect_with(familiarity, "?})\n", "?}\n", "nothing");
    expect_with(familiarity, "?})\n", "?}) \n", "nothing");
    expect_with(familiarity, "worker.go:21 +0x3b", "worker.go:21 +0x3c",
                "nothing");
    expect_with(familiarity, "main.inlined", "main.Inlined", "part 1");
    expect_with(familiarity, "(...)", "(0x1)", "part 1");
    expect_with(familiarity, "worker.go:40", "worker.go:41", "part 1");
    expect_with(familiarity, "main.f()", "main.g()", "part 2");
    expect_with(familiarity, "goroutine 17", "goroutine", "part 3");
    expect_with(familiarity, "goroutine 17", "goroutine 1x", "part 3");
    expect_with(familiarity, "main.go:18 +0x5c\n", "main.go:18 +0x5c",
                "part 4");
    expect_with(familiarity, "+0x5c\n", "+0x5c\nmore\n", "part 4");
    expect(familiarity, "", "nothing");
}

/* Every 14 bytes hold one thing that could be taken for an end. */
static void parentheses_are_seen_wherever_they_stand(void **state)
{
    const struct familiarity *familiarity = *state;
    const char *old = "0xc000010000, {0x1?, 0xc000020000?}";

    for (unsigned n = 1; n < 140; n++) {
        char args[160];

        memset(args, 'x', n);
        args[n] = '\0';
        expect_with(familiarity, old, args, "whole 4");
        for (unsigned at = 0; at < n; at += 3) {
            args[at] = at % 2 ? '(' : ')';
            expect_with(familiarity, old, args, "nothing");
            args[at] = 'x';
        }
    }
}

static void what_memory_does_not_hold_is_not_familiar(void **state)
{
    const struct familiarity *familiarity = *state;
    struct str args[FAMILIAR_FRAMES];

    for (size_t n = 0; n <= familiarity_learned.len; n++) {
        char *copy = malloc(n ? n : 1);
        struct str text = {copy, n};

        assert_non_null(copy);
        memcpy(copy, familiarity_learned.ptr, n);
        assert_false(str_starts(
            match_with(familiarity, familiar_match_plain, text, args),
            STR("whole")));
        if (cpu_has_avx2())
            assert_false(str_starts(
                match_with(familiarity, familiar_match_avx2, text, args),
                STR("whole")));
        free(copy);
    }
}

static void stacks_that_begin_alike_part(void **state)
{
    static const char other[] =
        "main.(*worker).run(0xc000010000, {0x1?, 0xc000020000?})\n"
        "\t/home/u/go/src/example.org/worker.go:21 +0x3b\n"
        "main.inlined(...)\n"
        "\t/home/u/go/src/example.org/worker.go:40\n"
        "main.other()\n"
        "\t/main.go:71 +0x1d\n";
    struct familiarity *familiarity = *state;
    frame_id frames[] = {familiarity_frame(familiarity, 1),
                         familiarity_frame(familiarity, 2),
                         familiarity_frame(familiarity, 77)};

    expect(familiarity, other, "part 2");
    familiars_learn(&familiarity->familiars,
                    &(struct familiar_facts){.text = STR(other),
                                             .stack = 1,
                                             .frames = frames,
                                             .n_frames = 3,
                                             .n_known = 2});
    expect(familiarity, other, "whole 3");
    expect(familiarity, familiarity_learned.ptr, "whole 4");
    familiars_flush(&familiarity->familiars);
    expect(familiarity, familiarity_learned.ptr, "nothing");
}

/* What begins the text of a goroutine of four calls, and what may follow. */
#define TWO_CALLS                                                              \
 "main.walk(0x1)\n"                                                            \
 "\t/home/u/go/src/example.org/walk.go:21 +0x3b\n"                             \
 "main.walk(0x2)\n"                                                            \
 "\t/home/u/go/src/example.org/walk.go:22 +0x3b\n"
#define A_THIRD                                                                \
 "main.walk(0x3)\n"                                                            \
 "\t/home/u/go/src/example.org/walk.go:23 +0x3b\n"
#define A_FOURTH                                                               \
 "main.main()\n"                                                               \
 "\t/home/u/go/src/example.org/walk.go:24 +0x3b\n"
#define ANOTHER_FOURTH                                                         \
 "main.other()\n"                                                              \
 "\t/home/u/go/src/example.org/walk.go:25 +0x3b\n"

/* Learns four calls, between which so many are said to be left out. */
static void learn_four(struct familiarity *familiarity, const char *text,
                       uint32_t elided, uint32_t fourth)
{
    frame_id frames[] = {familiarity_frame(familiarity, 21),
                         familiarity_frame(familiarity, 22),
                         familiarity_frame(familiarity, 23),
                         familiarity_frame(familiarity, fourth)};

    familiars_learn(&familiarity->familiars,
                    &(struct familiar_facts){.text = str_from(text),
                                             .stack = 1,
                                             .frames = frames,
                                             .n_frames = 4,
                                             .elided = elided,
                                             .n_known = 0});
}

static void how_many_were_left_out_is_part_of_a_stack(void **state)
{
    static const char four[] =
        TWO_CALLS "...4 frames elided...\n" A_THIRD A_FOURTH;
    static const char all[] = TWO_CALLS A_THIRD ANOTHER_FOURTH;
    struct familiarity *familiarity = *state;

    learn_four(familiarity, four, 4, 24);
    expect(familiarity, four, "whole 4");
    expect(familiarity, TWO_CALLS "...5 frames elided...\n" A_THIRD A_FOURTH,
           "part 2");
    expect(familiarity,
           TWO_CALLS "...additional frames elided...\n" A_THIRD A_FOURTH,
           "part 2");
    expect(familiarity, TWO_CALLS A_THIRD A_FOURTH, "part 2");
    expect(familiarity, TWO_CALLS A_THIRD "...4 frames elided...\n" A_FOURTH,
           "part 2");
    /* What a stack without such a line goes on with is not for this one. */
    learn_four(familiarity, all, 0, 25);
    expect(familiarity, all, "whole 4");
    expect(familiarity,
           TWO_CALLS "...4 frames elided...\n" A_THIRD ANOTHER_FOURTH,
           "part 2");
}

static void only_one_line_says_what_was_left_out(void **state)
{
    static const struct {
        const char *text;
        uint32_t elided;
    } wrong[] = {
        {TWO_CALLS "...4 frames elided...\n" A_THIRD A_FOURTH, 0},
        {TWO_CALLS "...4 frames elided...\n" A_THIRD A_FOURTH, 5},
        {TWO_CALLS A_THIRD A_FOURTH, 4},
        {TWO_CALLS "...0 frames elided...\n" A_THIRD A_FOURTH, 0},
        {TWO_CALLS "...2 frames elided...\n" A_THIRD
                   "...2 frames elided...\n" A_FOURTH,
         4},
        {TWO_CALLS A_THIRD A_FOURTH "...4 frames elided...\n", 4},
        {TWO_CALLS "...4 frames elided...\r\n" A_THIRD A_FOURTH, 4},
        {TWO_CALLS "....4 frames elided...\n" A_THIRD A_FOURTH, 4},
    };
    struct familiarity *familiarity = *state;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        learn_four(familiarity, wrong[i].text, wrong[i].elided, 24);
        expect(familiarity, wrong[i].text, "nothing");
    }
}

/* There "(", blanks and a remark may stand behind a name, and no arguments. */
static void a_name_with_blanks_is_not_familiar(void **state)
{
    static const char text[] = "main.f[struct { A int }](0x1)\n"
                               "\t/main.go:1 +0x1d\n"
                               "main.f()\n"
                               "\t/main.go:1 +0x1d\n";
    struct familiarity *familiarity = *state;
    frame_id frames[] = {familiarity_frame(familiarity, 1),
                         familiarity_frame(familiarity, 2)};

    familiars_learn(
        &familiarity->familiars,
        &(struct familiar_facts){
            .text = STR(text), .stack = 1, .frames = frames, .n_frames = 2});
    expect(familiarity, text, "nothing");
}

/* Where the search goes on in the middle of a segment, and where nothing but
 * known text stands before arguments that are wrong. */
static void known_text_before_wrong_arguments_counts(void **state)
{
    static const char text[] = "main.inlined(...)\n"
                               "\t/home/u/go/src/example.org/worker.go:50\n"
                               "main.inlined(...)\n"
                               "\t/home/u/go/src/example.org/worker.go:51\n"
                               "main.g(0x1)\n"
                               "\t/main.go:5 +0x1d\n"
                               "main.inlined(...)\n"
                               "\t/home/u/go/src/example.org/worker.go:52\n"
                               "main.h(0x1)\n"
                               "\t/main.go:6 +0x1d\n";
    struct familiarity *familiarity = *state;
    frame_id frames[5];
    struct str wrong[] = {STR("main.g(0(1)\n"), STR("main.h(0(1)\n")};
    const char *expected[] = {"part 2", "part 4"};

    for (uint32_t i = 0; i < 5; i++)
        frames[i] = familiarity_frame(familiarity, 50 + i);
    familiars_learn(
        &familiarity->familiars,
        &(struct familiar_facts){
            .text = STR(text), .stack = 1, .frames = frames, .n_frames = 5});
    expect(familiarity, text, "whole 5");
    for (unsigned i = 0; i < 2; i++) {
        char copy[sizeof(text)];
        size_t at;

        memcpy(copy, text, sizeof(text));
        at = str_search(STR(text), str_head(wrong[i], 7));
        memcpy(copy + at, wrong[i].ptr, wrong[i].len);
        expect(familiarity, copy, expected[i]);
    }
}

/* The text of a goroutine of one frame, which line tells from others. */
static struct str one_frame(char text[static 64], uint32_t line)
{
    snprintf(text, 64, "main.f()\n\t/src/main.go:%u +0x1d\n", line);
    return str_from(text);
}

/* Whether the goroutine with that line is familiar. */
static bool knows(const struct familiarity *familiarity, uint32_t line)
{
    char text[64];
    struct buf buf = {0};
    struct str args[FAMILIAR_FRAMES];
    struct familiar_match found = {.args = args};
    bool is_whole;

    buf_add(&buf, one_frame(text, line));
    buf_add(&buf, familiarity_behind);
    found.at = buf_str(&buf).ptr;
    found.end = found.at + buf_str(&buf).len;
    is_whole = familiarity->familiars.match(&familiarity->familiars, &found);
    if (is_whole)
        assert_int_equal(found.found->stack, line);
    buf_done(&buf);
    return is_whole;
}

/* There are places for fewer goroutines than come: each is found when it has
 * just been learned, and who finds none finds no other either. */
static void a_full_table_knows_no_goroutine_for_another(void **state)
{
    struct familiarity *familiarity = *state;
    uint32_t n = FAMILIAR_SLOTS * 2;
    uint32_t n_known = 0;

    for (uint32_t i = 2; i < n; i++) {
        char text[64];
        frame_id frame = familiarity_frame(familiarity, i);

        familiars_learn(&familiarity->familiars,
                        &(struct familiar_facts){.text = one_frame(text, i),
                                                 .stack = i,
                                                 .frames = &frame,
                                                 .n_frames = 1});
        assert_true(knows(familiarity, i));
    }
    for (uint32_t i = 2; i < n; i++)
        n_known += knows(familiarity, i);
    assert_in_range(n_known, FAMILIAR_SLOTS / 2, FAMILIAR_SLOTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            other_arguments_and_creators_are_familiar, familiarity_set_up,
            familiarity_tear_down),
        cmocka_unit_test_setup_teardown(every_other_difference_is_seen,
                                        familiarity_set_up,
                                        familiarity_tear_down),
        cmocka_unit_test_setup_teardown(
            parentheses_are_seen_wherever_they_stand, familiarity_set_up,
            familiarity_tear_down),
        cmocka_unit_test_setup_teardown(
            what_memory_does_not_hold_is_not_familiar, familiarity_set_up,
            familiarity_tear_down),
        cmocka_unit_test_setup_teardown(
            known_text_before_wrong_arguments_counts, familiarity_set_up,
            familiarity_tear_down),
        cmocka_unit_test_setup_teardown(
            a_full_table_knows_no_goroutine_for_another, familiarity_set_up,
            familiarity_tear_down),
        cmocka_unit_test_setup_teardown(a_name_with_blanks_is_not_familiar,
                                        familiarity_set_up,
                                        familiarity_tear_down),
        cmocka_unit_test_setup_teardown(
            how_many_were_left_out_is_part_of_a_stack, familiarity_set_up,
            familiarity_tear_down),
        cmocka_unit_test_setup_teardown(only_one_line_says_what_was_left_out,
                                        familiarity_set_up,
                                        familiarity_tear_down),
        cmocka_unit_test_setup_teardown(stacks_that_begin_alike_part,
                                        familiarity_set_up,
                                        familiarity_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

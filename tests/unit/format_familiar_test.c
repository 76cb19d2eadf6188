/* Text compared with goroutines that are familiar: by the C library's functions
 * and by those of the processor, with the same result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/cpu.h"
#include "format/familiar.h"

#include <cmocka.h>

/* What follows a goroutine in memory, so that none of it stands at the end. */
static const char behind[] =
    "\ngoroutine 2 [select]:\nmain.someone(0x1, 0x2, 0x3, 0x4, 0x5, 0x6)\n"
    "\t/home/u/go/src/example.org/main.go:2000 +0x1234\n"
    "created by main.someone.else in goroutine 1\n"
    "\t/home/u/go/src/example.org/main.go:2010 +0x1234\n\n";

static const char learned[] =
    "main.(*worker).run(0xc000010000, {0x1?, 0xc000020000?})\n"
    "\t/home/u/go/src/example.org/worker.go:21 +0x3b\n"
    "main.inlined(...)\n"
    "\t/home/u/go/src/example.org/worker.go:40\n"
    "main.f()\n"
    "\t/main.go:1 +0x1d\n"
    "created by main.main in goroutine 17\n"
    "\t/home/u/go/src/example.org/main.go:18 +0x5c\n";

struct fixture {
    struct budget budget;
    struct symbols *symbols;
    struct predictor predictor;
    struct familiars familiars;
};

static frame_id frame_at(struct fixture *fixture, uint32_t line)
{
    return symbols_frame_put(fixture->symbols, (struct frame){.line = line});
}

static int set_up(void **state)
{
    static struct fixture fixture;
    frame_id frames[3];

    budget_init(&fixture.budget, 0);
    assert_int_equal(symbols_new(&fixture.symbols, &fixture.budget, NULL), 0);
    predict_init(&fixture.predictor, fixture.symbols);
    familiars_init(&fixture.familiars, &fixture.predictor);
    for (uint32_t i = 0; i < 3; i++)
        frames[i] = frame_at(&fixture, i + 1);
    familiars_learn(&fixture.familiars,
                    &(struct familiar_facts){.text = STR(learned),
                                             .stack = 1,
                                             .frames = frames,
                                             .n_frames = 3,
                                             .creator = frame_at(&fixture, 9)});
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    familiars_done(&fixture->familiars);
    predict_done(&fixture->predictor);
    symbols_free(fixture->symbols);
    return 0;
}

static size_t count_lines(struct str text)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n += text.ptr[i] == '\n';
    return n;
}

/* Matches a text with one way to compare and says what was found: "whole 4",
 * "part 2", "nothing". */
static struct str match_with(const struct fixture *fixture,
                             familiar_match_fn *match, struct str text,
                             struct str args[FAMILIAR_FRAMES])
{
    static char said[32];
    struct familiar_match found = {
        .at = text.ptr, .end = text.ptr + text.len, .args = args};
    bool is_whole = match(&fixture->familiars, &found);

    if (!found.n_pieces)
        return STR("nothing");
    assert_int_equal(
        count_lines((struct str){text.ptr, (size_t)(found.at - text.ptr)}),
        found.n_pieces * 2);
    assert_int_equal(found.at[-1], '\n');
    snprintf(said, sizeof(said), "%s %u", is_whole ? "whole" : "part",
             found.n_pieces);
    assert_int_equal(found.found->stack, 1);
    return str_from(said);
}

/* Matches the text of a goroutine in every way there is. */
static void expect(const struct fixture *fixture, const char *text,
                   const char *expected)
{
    struct str args[FAMILIAR_FRAMES];
    struct buf buf = {0};

    buf_add(&buf, str_from(text));
    buf_add(&buf, STR(behind));
    assert_string_equal(
        match_with(fixture, familiar_match_plain, buf_str(&buf), args).ptr,
        expected);
    if (cpu_has_avx2())
        assert_string_equal(
            match_with(fixture, familiar_match_avx2, buf_str(&buf), args).ptr,
            expected);
    buf_done(&buf);
}

/* Replaces the first place where old stands in the familiar text. */
static void expect_with(const struct fixture *fixture, const char *old,
                        const char *now, const char *expected)
{
    struct buf buf = {0};
    size_t at = str_search(STR(learned), str_from(old));

    assert_true(at < sizeof(learned) - 1);
    buf_add(&buf, str_head(STR(learned), at));
    buf_add(&buf, str_from(now));
    buf_add(&buf, str_skip(STR(learned), at + strlen(old)));
    expect(fixture, buf_str(&buf).ptr, expected);
    buf_done(&buf);
}

static void other_arguments_and_creators_are_familiar(void **state)
{
    static const char hundred[] =
        "0xc000010000, 0xc000010000, 0xc000010000, 0xc000010000, "
        "0xc000010000, 0xc000010000, 0xc000010000, 0xc000010000";
    const struct fixture *fixture = *state;
    const char *old = "0xc000010000, {0x1?, 0xc000020000?}";
    char args[160];

    expect(fixture, learned, "whole 4");
    expect_with(fixture, "goroutine 17", "goroutine 123456789012", "whole 4");
    expect_with(fixture, old, "", "whole 4");
    expect_with(fixture, old, "...", "whole 4");
    /* Every length, so that ")" and the line end fall into any block. */
    for (size_t n = 1; n < sizeof(hundred); n++) {
        snprintf(args, sizeof(args), "%.*s", (int)n, hundred);
        expect_with(fixture, old, args, "whole 4");
    }
}

static void every_other_difference_is_seen(void **state)
{
    const struct fixture *fixture = *state;

    expect_with(fixture, "0xc000010000, {", "0xc(0)00, {", "nothing");
    expect_with(fixture, "0xc000010000, {", "0xc000010000), {", "nothing");
    expect_with(fixture, "?})\n", "?})\r\n", "nothing");
    expect_with(fixture, "?})\n", "?}\n", "nothing");
    expect_with(fixture, "?})\n", "?}) \n", "nothing");
    expect_with(fixture, "worker.go:21 +0x3b", "worker.go:21 +0x3c", "nothing");
    expect_with(fixture, "main.inlined", "main.Inlined", "part 1");
    expect_with(fixture, "(...)", "(0x1)", "part 1");
    expect_with(fixture, "worker.go:40", "worker.go:41", "part 1");
    expect_with(fixture, "main.f()", "main.g()", "part 2");
    expect_with(fixture, "goroutine 17", "goroutine", "part 3");
    expect_with(fixture, "goroutine 17", "goroutine 1x", "part 3");
    expect_with(fixture, "main.go:18 +0x5c\n", "main.go:18 +0x5c", "part 4");
    expect_with(fixture, "+0x5c\n", "+0x5c\nmore\n", "part 4");
    expect(fixture, "", "nothing");
}

/* Every 14 bytes hold one thing that could be taken for an end. */
static void parentheses_are_seen_wherever_they_stand(void **state)
{
    const struct fixture *fixture = *state;
    const char *old = "0xc000010000, {0x1?, 0xc000020000?}";

    for (unsigned n = 1; n < 140; n++) {
        char args[160];

        memset(args, 'x', n);
        args[n] = '\0';
        expect_with(fixture, old, args, "whole 4");
        for (unsigned at = 0; at < n; at += 3) {
            args[at] = at % 2 ? '(' : ')';
            expect_with(fixture, old, args, "nothing");
            args[at] = 'x';
        }
    }
}

static void what_memory_does_not_hold_is_not_familiar(void **state)
{
    const struct fixture *fixture = *state;
    struct str args[FAMILIAR_FRAMES];

    for (size_t n = 0; n < sizeof(learned); n++) {
        char *copy = malloc(n ? n : 1);
        struct str text = {copy, n};

        assert_non_null(copy);
        memcpy(copy, learned, n);
        assert_false(
            str_starts(match_with(fixture, familiar_match_plain, text, args),
                       STR("whole")));
        if (cpu_has_avx2())
            assert_false(
                str_starts(match_with(fixture, familiar_match_avx2, text, args),
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
    struct fixture *fixture = *state;
    frame_id frames[] = {frame_at(fixture, 1), frame_at(fixture, 2),
                         frame_at(fixture, 77)};

    expect(fixture, other, "part 2");
    familiars_learn(&fixture->familiars,
                    &(struct familiar_facts){.text = STR(other),
                                             .stack = 1,
                                             .frames = frames,
                                             .n_frames = 3,
                                             .n_known = 2});
    expect(fixture, other, "whole 3");
    expect(fixture, learned, "whole 4");
    familiars_flush(&fixture->familiars);
    expect(fixture, learned, "nothing");
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
    struct fixture *fixture = *state;
    frame_id frames[5];
    struct str wrong[] = {STR("main.g(0(1)\n"), STR("main.h(0(1)\n")};
    const char *expected[] = {"part 2", "part 4"};

    for (uint32_t i = 0; i < 5; i++)
        frames[i] = frame_at(fixture, 50 + i);
    familiars_learn(
        &fixture->familiars,
        &(struct familiar_facts){
            .text = STR(text), .stack = 1, .frames = frames, .n_frames = 5});
    expect(fixture, text, "whole 5");
    for (unsigned i = 0; i < 2; i++) {
        char copy[sizeof(text)];
        size_t at;

        memcpy(copy, text, sizeof(text));
        at = str_search(STR(text), str_head(wrong[i], 7));
        memcpy(copy + at, wrong[i].ptr, wrong[i].len);
        expect(fixture, copy, expected[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            other_arguments_and_creators_are_familiar, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_other_difference_is_seen, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            parentheses_are_seen_wherever_they_stand, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            what_memory_does_not_hold_is_not_familiar, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            known_text_before_wrong_arguments_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stacks_that_begin_alike_part, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Lines that are copied by a stencil: the same as their wrapping makes of them,
 * and none that it would not take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cpu.h"
#include "unwrap/stencil.h"

#include <cmocka.h>

static const struct wrapping *find(const char *name)
{
    for (size_t i = 0; i < n_wrappings; i++) {
        if (strcmp(wrappings[i]->name, name) == 0)
            return wrappings[i];
    }
    fail_msg("no wrapping '%s'", name);
    return NULL;
}

/* Two lines: the second fits the stencil of the first, or does not. */
struct pair {
    const char *wrapping;
    const char *first;
    const char *second;
    bool fits;
};

static const struct pair pairs[] = {
    {"compose", "web-1 | goroutine 1 [running]:", "web-1 | main.main()", true},
    {"compose", "web-1 | goroutine 1 [running]:", "web-2 | main.main()", false},
    {"compose", "web-1 | goroutine 1 [running]:", "web-1 | #011x", false},
    {"compose", "web-1 | goroutine 1 [running]:", "web-1 | \\tx", false},
    {"compose", "web-1 | goroutine 1 [running]:", "web-1 | ", true},
    {"compose", "web-1 | goroutine 1 [running]:", "web-1 |", false},
    {"compose",
     "14:02:00 web.1 | goroutine 1 [running]:", "15:59:59 web.1 | f()", true},
    {"compose",
     "14:02:00 web.1 | goroutine 1 [running]:", "15:59:59 web.2 | f()", false},
    {"CRI", "2026-11-20T14:02:00.12Z stderr F goroutine 1 [running]:",
     "2026-11-20T15:39:59.97Z stderr F main.f()", true},
    {"CRI", "2026-11-20T14:02:00.12Z stderr F goroutine 1 [running]:",
     "2026-11-20T15:39:59.97Z stdout F main.f()", false},
    {"CRI", "2026-11-20T14:02:00.12Z stderr F goroutine 1 [running]:",
     "2026-11-20T15:39:59.97Z stderr P main.f()", false},
    {"CRI", "2026-11-20T14:02:00.12Z stderr F goroutine 1 [running]:",
     "2026-11-20T15:39:5:.97Z stderr F main.f()", false},
    {"timestamps", "2026-11-20T14:02:00.12Z goroutine 1 [running]:",
     "2026-11-20T14:02:00.123Z main.f()", false},
    {"timestamps", "@400000006a5f1b2c075bcd15 goroutine 1 [running]:",
     "@400000006a5f1b2c175bcd99 main.f()", true},
    {"timestamps", "@400000006a5f1b2c075bcd15 goroutine 1 [running]:",
     "@400000006b0fcb2cf7abed15 main.f()", true},
    {"timestamps", "@400000006a5f1b2c075bcd15 goroutine 1 [running]:",
     "@400000006b0fcb2cf7abed1g main.f()", false},
    {"timestamps", "@400000006a5f1b2c075bcd15 goroutine 1 [running]:",
     "@400000016b0fcb2cf7abed15 main.f()", false},
    {"kubectl --prefix", "[pod/a-1/app] goroutine 1 [running]:",
     "[pod/a-1/app] \t/srv/m.go:1 +0x1", true},
    {"kubectl --prefix", "[pod/a-1/app] goroutine 1 [running]:",
     "[pod/a-2/app] \t/srv/m.go:1 +0x1", false},
    {"syslog", "<11>Nov 20 14:02:00 n-3 shopd[41]: goroutine 1 [running]:",
     "<14>Nov 21 04:12:33 n-3 shopd[41]: f()", true},
    {"syslog", "<11>Nov 20 14:02:00 n-3 shopd[41]: goroutine 1 [running]:",
     "<11>Nov 20 14:02:00 n-3 shopd[42]: f()", false},
    {"RFC 5424",
     "<11>1 2026-11-20T14:02:00.1Z n-3 shopd 24117 - - goroutine 1 [running]:",
     "<11>1 2026-11-20T14:02:00.1Z n-3 shopd 24117 - - \xef\xbb\xbf"
     "f()",
     false},
    {"prefix", "I1120 14:02:11.1  7 d.go:41] goroutine 1 [running]:",
     "I1120 14:02:12.9  7 d.go:43] f()", true},
    {"prefix", "2026-11-20T14:02:00+01:panic: no colour",
     "2026-11-20T14:02:00+01:00:goroutine 1 [running]:", true},
    {"string", "{\"log\":\"goroutine 1 [running]:\\n\",\"stream\":\"stderr\"}",
     "{\"log\":\"\\t/srv/m.go:1 +0x1\\n\",\"stream\":\"stderr\"}", true},
    {"string", "{\"log\":\"goroutine 1 [running]:\\n\",\"stream\":\"stderr\"}",
     "{\"log\":\"\\n\",\"stream\":\"stderr\"}", true},
    {"string", "{\"log\":\"goroutine 1 [running]:\\n\",\"stream\":\"stderr\"}",
     "{\"log\":\"\\t\\n\",\"stream\":\"stderr\"}", true},
    {"string", "{\"log\":\"goroutine 1 [running]:\\n\",\"stream\":\"stderr\"}",
     "{\"log\":\"main.(*worker).run(0xc000010000, 0x1)\\n\","
     "\"stream\":\"stderr\"}",
     true},
    {"string", "{\"log\":\"goroutine 1 [running]:\\n\",\"stream\":\"stderr\"}",
     "{\"log\":\"\\\\t\\n\",\"stream\":\"stderr\"}", false},
    {"string", "{\"log\":\"goroutine 1 [running]:\",\"stream\":\"stderr\"}",
     "{\"log\":\"\\tx\",\"stream\":\"stderr\"}", true},
    {"string", "{\"log\":\"goroutine 1 [running]:\",\"stream\":\"stderr\"}",
     "{\"log\":\"f()\\n\",\"stream\":\"stderr\"}", false},
    {"string", "{\"log\":\"goroutine 1 [running]:\\n\",\"stream\":\"stderr\"}",
     "{\"log\":\"f()\\n\",\"stream\":\"stdout\"}", false},
    {"string", "{\"log\":\"goroutine 1 [running]:\\n\",\"stream\":\"stderr\"}",
     "{\"log\":\"f()\",\"stream\":\"stderr\"}", false},
    {"string", "{\"log\":\"goroutine 1 [running]:\\n\",\"stream\":\"stderr\"}",
     "{\"log\":\"f(\\\"a\\\")\\n\",\"stream\":\"stderr\"}", false},
    {"string", "{\"log\":\"goroutine 1 [running]:\\n\",\"stream\":\"stderr\"}",
     "{\"log\":\"f()\\\\\\n\",\"stream\":\"stderr\"}", false},
    {"string", "{\"log\":\"goroutine 1 [running]:\\n\",\"stream\":\"stderr\"}",
     "{\"log\":\"f()\",\"x\":\"\\n\",\"stream\":\"stderr\"}", false},
    {"RFC 5424",
     "<11>1 2026-11-20T14:02:00.1Z n-3 shopd 24117 - - goroutine 1 [running]:",
     "<13>1 2026-11-20T14:02:00.1Z n-3 shopd 24117 - - f()", true},
    {"RFC 5424",
     "<11>1 2026-11-20T14:02:00.1Z n-3 shopd 24117 - - goroutine 1 [running]:",
     "<11>0 2026-11-20T14:02:00.1Z n-3 shopd 24117 - - f()", false},
    {"string", "{\"n\":12,\"log\":\"goroutine 1 [running]:\\n\",\"t\":1}",
     "{\"n\":97,\"log\":\"f()\\n\",\"t\":9}", true},
    {"string",
     "{\"pod_name\":\"a-1\",\"log\":\"goroutine 1 [running]:\\n\","
     "\"stream\":\"stderr\"}",
     "{\"pod_name\":\"a-2\",\"log\":\"f()\\n\",\"stream\":\"stderr\"}", false},
    {"string", "{\"stream\":\"goroutine 1 [running]:\\n\"}",
     "{\"stream\":\"f()\\n\"}", true},
};

/* A wrapping that learned its shape from a line, and the line's stencil. */
struct learned {
    struct shape shape;
    struct stencil stencil;
    struct buf stream;
};

static void learn(struct learned *learned, const struct pair *pair)
{
    struct str line = str_from(pair->first);
    struct buf scratch = {0};
    struct piece piece = {0};
    struct begin begin;

    *learned = (struct learned){.shape.wrapping = find(pair->wrapping)};
    assert_true(begin_find(line, 0, &begin));
    assert_true(learned->shape.wrapping->is_regular);
    assert_true(learned->shape.wrapping->learn(&learned->shape, line, begin));
    assert_true(learned->shape.wrapping->strip(&learned->shape, line, &scratch,
                                               &piece));
    buf_add(&learned->stream, piece.stream);
    stencil_learn(&learned->stencil, line, &piece);
    assert_non_null(learned->stencil.run);
    buf_done(&scratch);
}

/* What stands behind a line that is copied: more than is read there. */
#define BEHIND                                                                 \
 "another line, which is longer than the bytes that are read at once"

enum { ROOM = 256 };

/* What one way to copy by the stencil makes of a text of two lines, of which
 * only the first has enough behind it. */
static struct buf copy_by(stencil_run_fn *run, const struct learned *learned,
                          const char *line, const char *end, size_t room,
                          uint64_t *ret_n)
{
    char into[ROOM];
    struct buf text = {0};
    struct buf out = {0};
    struct stencil_copy copy = {.into = into, .room = room};

    buf_addf(&text, "%s%s%s", line, end, BEHIND);
    copy.at = text.ptr;
    copy.end = text.ptr + text.len;
    assert_true(room <= sizeof(into));
    run(&learned->stencil, &copy);
    assert_true(copy.n_lines <= 1);
    assert_int_equal(copy.room + (size_t)(copy.into - into), room);
    assert_int_equal(copy.at - text.ptr,
                     copy.n_lines ? strlen(line) + strlen(end) : 0);
    buf_add(&out, (struct str){into, (size_t)(copy.into - into)});
    *ret_n = copy.n_lines;
    buf_done(&text);
    return out;
}

/* The same for every way that this processor has: they give the same. */
static struct buf copy(const struct learned *learned, const char *line,
                       const char *end, size_t room, uint64_t *ret_n)
{
    struct buf plain =
        copy_by(stencil_run_plain, learned, line, end, room, ret_n);

    if (cpu_has_avx2()) {
        uint64_t n;
        struct buf quick =
            copy_by(stencil_run_avx2, learned, line, end, room, &n);

        assert_int_equal(n, *ret_n);
        assert_true(str_equal(buf_str(&quick), buf_str(&plain)));
        buf_done(&quick);
    }
    return plain;
}

static void expect_as_stripped(const struct learned *learned,
                               const struct pair *pair)
{
    struct buf scratch = {0};
    struct buf expected = {0};
    struct piece piece = {0};
    struct buf text;
    uint64_t n;

    assert_true(learned->shape.wrapping->strip(
        &learned->shape, str_from(pair->second), &scratch, &piece));
    assert_true(str_equal(piece.stream, buf_str(&learned->stream)));
    assert_false(piece.goes_on);
    buf_add(&expected, piece.text);
    buf_add_char(&expected, '\n');
    for (int i = 0; i < 2; i++) {
        text = copy(learned, pair->second, i ? "\r\n" : "\n", ROOM, &n);
        assert_string_equal(text.ptr, expected.ptr);
        buf_done(&text);
    }
    text = copy(learned, pair->second, "\n", expected.len - 1, &n);
    assert_int_equal(n, 0);
    buf_done(&text);
    buf_done(&expected);
    buf_done(&scratch);
}

static void a_line_that_fits_is_what_its_wrapping_makes_of_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        struct learned learned;
        struct buf text;
        uint64_t n;

        learn(&learned, &pairs[i]);
        text = copy(&learned, pairs[i].second, "\n", ROOM, &n);
        if (n != pairs[i].fits)
            fail_msg("'%s' after '%s'", pairs[i].second, pairs[i].first);
        if (n)
            expect_as_stripped(&learned, &pairs[i]);
        buf_done(&text);
        buf_done(&learned.stream);
    }
}

/* A block of memory that holds these bytes and not one more, so that a
 * sanitizer sees what is read or written beside it. */
static char *exactly(struct str text)
{
    char *block = malloc(text.len ? text.len : 1);

    assert_non_null(block);
    if (text.len)
        memcpy(block, text.ptr, text.len);
    return block;
}

/* How many lines are copied of the first n bytes of a text, into that room. */
static uint64_t count_copied(stencil_run_fn *run, const struct learned *learned,
                             struct str text, size_t room)
{
    struct buf blank = {0};
    char *from = exactly(text);
    char *into;
    struct stencil_copy copy = {
        .at = from, .end = from + text.len, .room = room};

    while (blank.len < room)
        buf_add_char(&blank, ' ');
    into = exactly(buf_str(&blank));
    copy.into = into;
    run(&learned->stencil, &copy);
    free(into);
    free(from);
    buf_done(&blank);
    return copy.n_lines;
}

static void both_ways_stay_inside_of_the_bytes_and_stop_alike(void **state)
{
    static const char lines[] =
        "{\"log\":\"\\tf(0x1)\\n\",\"stream\":\"stderr\"}\n"
        "{\"log\":\"\\n\",\"stream\":\"stderr\"}\n"
        "{\"log\":\"main.(*worker).run(0xc000010000, 0x1, 0x2)\\n\","
        "\"stream\":\"stderr\"}\r\n"
        "{\"log\":\"f(0x1)\\n\",\"stream\":\"stderr\"}\n";
    const struct pair pair = {
        "string",
        "{\"log\":\"goroutine 1 [select]:\\n\",\"stream\":\"stderr\"}", NULL,
        true};
    struct learned learned;
    uint64_t most = 0;

    (void)state;
    learn(&learned, &pair);
    for (size_t n = 0; n < sizeof(lines); n++) {
        for (size_t room = 0; room <= ROOM; room += 13) {
            struct str text = {lines, n};
            uint64_t plain =
                count_copied(stencil_run_plain, &learned, text, room);

            most = plain > most ? plain : most;
            if (cpu_has_avx2() &&
                count_copied(stencil_run_avx2, &learned, text, room) != plain)
                fail_msg("%zu bytes, room for %zu", n, room);
        }
    }
    assert_true(most >= 2);
    buf_done(&learned.stream);
}

static void what_cannot_be_told_for_certain_teaches_nothing(void **state)
{
    static const char line[] =
        "{\"log2\":1,\"log1\":\"goroutine 1 [select]:\"}";
    struct shape shape = {.wrapping = find("string")};
    struct piece piece = {.text = STR("")};
    struct stencil stencil = {0};
    struct buf scratch = {0};
    struct begin begin;

    (void)state;
    stencil_learn(&stencil, STR("web-1 |"), &piece);
    assert_null(stencil.run);

    assert_true(begin_find(str_from(line), 0, &begin));
    assert_true(shape.wrapping->learn(&shape, str_from(line), begin));
    assert_true(
        shape.wrapping->strip(&shape, str_from(line), &scratch, &piece));
    stencil_learn(&stencil, str_from(line), &piece);
    assert_null(stencil.run);
    buf_done(&scratch);
}

static void expect_inside(const struct shape *shape, const char *line,
                          const char *inside, bool teaches)
{
    struct piece piece = {.text = STR("")};
    struct stencil stencil = {0};
    struct buf scratch = {0};

    assert_true(
        shape->wrapping->strip(shape, str_from(line), &scratch, &piece));
    assert_true(str_equal(piece.text, str_from(inside)));
    stencil_learn(&stencil, str_from(line), &piece);
    assert_int_equal(stencil.run != NULL, teaches);
    buf_done(&scratch);
}

/* Its place in one line says nothing of its places in others, unless another
 * of its kind stands in front of it: then it is told by its place alone. */
static void the_first_place_of_a_key_counts(void **state)
{
    static const char once[] = "{\"n\":1,\"msg\":\"goroutine 1 [select]:\"}";
    static const char twice[] =
        "{\"x\":{\"msg\":\"y\"},\"msg\":\"goroutine 1 [select]:\"}";
    struct shape shape = {.wrapping = find("string")};
    struct begin begin;

    (void)state;
    assert_true(begin_find(str_from(once), 0, &begin));
    assert_true(shape.wrapping->learn(&shape, str_from(once), begin));
    expect_inside(&shape, once, "goroutine 1 [select]:", true);
    expect_inside(&shape, "{\"msg\":\"aaa\",\"msg\":\"b\"}", "aaa", true);
    expect_inside(&shape, "{\"msg\":\"\",\"msg\":\"b\"}", "", false);

    shape = (struct shape){.wrapping = shape.wrapping};
    assert_true(begin_find(str_from(twice), 0, &begin));
    assert_true(shape.wrapping->learn(&shape, str_from(twice), begin));
    expect_inside(&shape, twice, "goroutine 1 [select]:", true);
    expect_inside(&shape, "{\"x\":{\"msg\":\"z\"},\"msg\":\"f()\"}", "f()",
                  true);
    expect_inside(&shape, "{\"msg\":\"f()\"}", "f()", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_that_fits_is_what_its_wrapping_makes_of_it),
        cmocka_unit_test(both_ways_stay_inside_of_the_bytes_and_stop_alike),
        cmocka_unit_test(what_cannot_be_told_for_certain_teaches_nothing),
        cmocka_unit_test(the_first_place_of_a_key_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The parts that unwrappers are made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"
#include "input/source.h"
#include "input/utf16.h"
#include "unwrap/clock.h"
#include "unwrap/escapes.h"
#include "unwrap/line_map.h"
#include "unwrap/priority.h"
#include "unwrap/wrapping.h"

#include <cmocka.h>

/* --- begin.h -------------------------------------------------------------- */

static void begins_are_found_where_they_stand(void **state)
{
    static const struct {
        struct str text;
        enum begin_kind kind;
        size_t at;
    } examples[] = {
        {STR_INIT("goroutine 5 [running]:"), BEGIN_GOROUTINE, 0},
        {STR_INIT("a | goroutine 5 [chan receive, 3 minutes]:\r"),
         BEGIN_GOROUTINE, 4},
        {STR_INIT("x goroutine 5 gp=0xc000 m=3 mp=0x1 [select]:"),
         BEGIN_GOROUTINE, 2},
        /* Of headers that have no end the next is not a part. */
        {STR_INIT("goroutine 1 [x:goroutine 5 [select]:"), BEGIN_GOROUTINE, 15},
        {STR_INIT("goroutine 1 \x1b[1m[x:goroutine 5 [select]:"),
         BEGIN_GOROUTINE, 19},
        {STR_INIT("\x1b[1mgoroutine pool: goroutine 5 [select]:"),
         BEGIN_GOROUTINE, 20},
        {STR_INIT("a panic: goroutine 5 [select]:"), BEGIN_CRASH, 2},
        {STR_INIT("goroutine 5 [select] {a: \"x]:y\"}:"), BEGIN_GOROUTINE, 0},
        {STR_INIT("\x1b[1mgoroutine 5 [select] {a: \"goroutine 6\"}:"),
         BEGIN_GOROUTINE, 4},
        {STR_INIT("goroutine 5 [select] {a: \"goroutine-6 [x\"}:"),
         BEGIN_GOROUTINE, 0},
        {STR_INIT("{\"log\":\"goroutine 5 [select]:\\n\"}"), BEGIN_GOROUTINE,
         8},
        {STR_INIT("see goroutine 5 and goroutine 6 [select]:"), BEGIN_GOROUTINE,
         20},
        {STR_INIT("x goroutine profile: total 7"), BEGIN_PROFILE, 2},
        {STR_INIT("heap profile: 1: 2 [3: 4] @ heap/5"), BEGIN_PROFILE, 0},
        {STR_INIT("> --- mutex:"), BEGIN_PROFILE, 2},
        {STR_INIT("a panic: b fatal error: c"), BEGIN_CRASH, 2},
        {STR_INIT("[x] SIGQUIT: quit"), BEGIN_CRASH, 4},
        {STR_INIT("x | runtime: goroutine stack exceeds 1-byte limit"),
         BEGIN_CRASH, 4},
        {STR_INIT("x unexpected fault address 0x0"), BEGIN_CRASH, 2},
        {STR_INIT("x Exception 0xc0000005 0x0 0x0 0x5f"), BEGIN_CRASH, 2},
        {STR_INIT("<body><pre>"), BEGIN_MARKUP, 6},
        {STR_INIT("{\"_PID\":\"1\",\"MESSAGE\":[103,111]}"), BEGIN_BYTES, 12},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        struct begin begin = {BEGIN_NONE, 99};

        assert_true(begin_find(examples[i].text, 0, &begin));
        assert_int_equal(begin.kind, examples[i].kind);
        assert_int_equal(begin.at, examples[i].at);
        assert_false(begin_find(str_head(examples[i].text, 0), 0, &begin));
    }
}

/* Each alone, for the bytes that a line has tell which are looked for, and
 * behind so much that this is not asked. */
static void every_word_of_a_begin_is_found(void **state)
{
    static const struct str begins[] = {
        STR_INIT("goroutine 5 [select]:"),
        STR_INIT("\x1b[1mgoroutine 5 [select]:"),
        STR_INIT("goroutine\x1b[1m 5 [select]:"),
        STR_INIT("goroutine 5\x1b[1m [select]:"),
        STR_INIT("goroutine \x1b[1m5\x1b[m [select]:"),
        STR_INIT("goroutine\xc2\xa0"
                 "5\xc2\xa0[select]:"),
        STR_INIT("goroutine 5\xc2\xa0[select]:"),
        STR_INIT("goroutine 5 gp=0x1 m=2 [select]:"),
        STR_INIT("goroutine 5 m=2 [select]:"),
        STR_INIT("Goroutine 5 in state select, with f on top of the stack:"),
        STR_INIT("x profile: total 5"),
        STR_INIT("panic: "),
        STR_INIT("fatal error: "),
        STR_INIT("SIGQUIT: "),
        STR_INIT("SIGABRT: "),
        STR_INIT("SIGSEGV: "),
        STR_INIT("SIGBUS: "),
        STR_INIT("SIGILL: "),
        STR_INIT("SIGFPE: "),
        STR_INIT("SIGTRAP: "),
        STR_INIT("Exception 0x"),
        STR_INIT("runtime: "),
        STR_INIT("unexpected fault address "),
        STR_INIT("fatal: "),
        STR_INIT("--- mutex:"),
        STR_INIT("--- contention:"),
        STR_INIT("<pre"),
        STR_INIT("\"MESSAGE\":["),
    };
    char text[2048];

    (void)state;
    memset(text, '.', sizeof(text));
    for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
        struct str all = {text, sizeof(text)};
        struct begin alone;
        struct begin behind;

        assert_true(begin_find(begins[i], 0, &alone));
        memcpy(text + sizeof(text) - begins[i].len, begins[i].ptr,
               begins[i].len);
        assert_true(begin_find(all, 0, &behind));
        assert_int_equal(behind.kind, alone.kind);
        assert_int_equal(behind.at, all.len - begins[i].len + alone.at);
        memset(text + sizeof(text) - begins[i].len, '.', begins[i].len);
    }
}

/* In text that is wrapped what wraps may stand in the place of anything; prose
 * and other numbers are none, at whatever place. */
static void a_likely_goroutine_is_told_from_prose(void **state)
{
    static const char *const likely[] = {
        "goroutine 5 [select]:",
        "goroutine 5 gp=0xc000 m=3",
        "goroutine 5 m=0",
        "goroutine profile: total 5",
        "goroutine \x1b[1m5\x1b[m [",
        "goroutine 5\x1b[m [select]:",
        "goroutine 5\xc2\xa0[select]:",
        "goroutine 5\\u0020[select]:",
        "goroutine <b>5</b> [x]:",
        "goroutine 5&nbsp;[select]:",
        "goroutine 5 &#91;select]:",
        "goroutine 5#033[m [select]:",
        "goroutine 5=20[select]:",
        "goroutine 5%20[select]:",
    };
    static const char *const prose[] = {
        "goroutine 5 failed",    "goroutine pool", "goroutine 5: stopped",
        "goroutine 5, which",    "goroutine ",     "goroutine [x]",
        "goroutine 5 (select):", "goroutine 5",    "goroutine x [select]:",
    };
    char text[256];
    size_t at;

    (void)state;
    for (size_t i = 0; i < sizeof(likely) / sizeof(likely[0]); i++) {
        snprintf(text, sizeof(text), "a goroutine %s%*s", likely[i], 60, "");
        assert_true(begin_find_likely(str_from(text), i % 2, &at));
        assert_int_equal(at, 12);
    }
    for (size_t i = 0; i < sizeof(prose) / sizeof(prose[0]); i++) {
        snprintf(text, sizeof(text), "%s.%*s", prose[i], 60, "");
        assert_false(begin_find_likely(str_from(text), i % 2, &at));
        assert_in_range(at, strlen(text) - 10, strlen(text));
    }
    /* What the end cuts may be one. */
    assert_true(begin_find_likely(STR("x goroutine 5"), true, &at));
    assert_int_equal(at, 2);
    assert_false(begin_find_likely(STR("x goroutine 5"), false, &at));
    assert_false(begin_find_likely(STR("x gorout"), true, &at));
    assert_int_equal(at, 0);
}

static void prose_holds_no_begin(void **state)
{
    static const struct str examples[] = {
        STR_INIT("goroutine 5 [running]: it hung"),
        STR_INIT("goroutine [running]:"),
        STR_INIT("goroutine 5 running:"),
        STR_INIT("goroutine 5 [running]"),
        STR_INIT("Goroutine 5 [running]:"),
        STR_INIT(" profile: total 7"),
        STR_INIT("goroutine profile: total x"),
        STR_INIT("SIGNAL: x"),
        STR_INIT("goroutine 99999999999999999999 [running]:"),
        STR_INIT("panic:"),
        STR_INIT("goroutine 5&#32;[running]:"),
        STR_INIT("goroutine \x1b[1mpool [running]:"),
        STR_INIT(""),
    };

    (void)state;
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        struct begin begin;

        assert_false(begin_find(examples[i], 0, &begin));
    }
}

/* The quick look finds every word at every place, and nothing before it. */
static void the_quick_look_agrees_with_a_slow_one(void **state)
{
    static const struct str words[] = {
        STR_INIT("goroutine"),     STR_INIT(" profile: "), STR_INIT("panic: "),
        STR_INIT("fatal error: "), STR_INIT("SIGQUIT: "),  STR_INIT("<pre"),
        STR_INIT("--- mutex:"),    STR_INIT("SIGBUS: "),
    };
    struct begin_scanner scanner;
    char text[64];

    (void)state;
    begin_scanner_init(&scanner);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        for (size_t at = 0; at + words[i].len <= sizeof(text); at++) {
            for (size_t j = 0; j < sizeof(text); j++)
                text[j] = "pan goroute: profle"[j % 19];
            memcpy(text + at, words[i].ptr, words[i].len);
            assert_int_equal(
                begin_scan(&scanner, (struct str){text, sizeof(text)}), at);
            assert_int_equal(begin_scan(&scanner, (struct str){text, at}), at);
        }
    }
}

/* A long text is looked at in blocks; a word may stand in two of them, and
 * others behind it. */
static void the_first_of_two_words_of_a_long_text_is_found(void **state)
{
    struct str first = STR("<pre");
    struct str second = STR("goroutine");
    struct begin_scanner scanner;
    char text[3 * 4096];

    (void)state;
    begin_scanner_init(&scanner);
    for (size_t at = 0; at + 64 < sizeof(text);
         at += at % 4096 < 4000 ? 2 : 1) {
        struct str all = {text, sizeof(text)};

        memset(text, '<', sizeof(text));
        memcpy(text + at, first.ptr, first.len);
        memcpy(text + at + 40, second.ptr, second.len);
        assert_int_equal(begin_scan(&scanner, all), at);
        memset(text + at, ' ', first.len);
        assert_int_equal(begin_scan(&scanner, all), at + 40);
        memcpy(text + at + 50, first.ptr, first.len);
        assert_int_equal(begin_scan(&scanner, all), at + 40);
    }
    memset(text, '<', sizeof(text));
    assert_int_equal(begin_scan(&scanner, (struct str){text, sizeof(text)}),
                     sizeof(text));
}

/* --- clock.h -------------------------------------------------------------- */

static void times_of_logs_are_cut(void **state)
{
    static const struct str times[] = {
        STR_INIT("2026-11-20T14:02:00.123456789Z"),
        STR_INIT("2026-11-20T14:02:00Z"),
        STR_INIT("2026-11-20 14:02:00,123+01:00"),
        STR_INIT("2026-11-20T14:02:00.5-0700"),
        STR_INIT("2026/11/20 14:02:00.123456"),
        STR_INIT("Nov 20 14:02:00"),
        STR_INIT("Nov  2 14:02:00.123"),
        STR_INIT("14:02:00"),
        STR_INIT("@400000006a5f1b2c075bcd15"),
    };
    static const struct str others[] = {
        STR_INIT("@400000006a5f1b2c075bcd1"),
        STR_INIT("@400000006a5f1b2c075bcd1g"),
        STR_INIT("@400000006a5f1b2c075bcd1/"),
        STR_INIT("@410000006a5f1b2c075bcd15"),
        STR_INIT("2026-11-20 x"),
        STR_INIT("Nov 20"),
        STR_INIT("14:02"),
        STR_INIT("Mai 20 14:02:00"),
        STR_INIT("2026-1-2 14:02:00"),
        STR_INIT(""),
    };

    (void)state;
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        char line[64];
        struct str text;

        snprintf(line, sizeof(line), "%s x", times[i].ptr);
        text = str_from(line);
        assert_true(clock_cut(&text));
        assert_int_equal(text.len, 2);
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct str text = others[i];

        assert_false(clock_cut(&text));
        assert_ptr_equal(text.ptr, others[i].ptr);
    }
}

/* --- priority.h ----------------------------------------------------------- */

static void a_priority_has_one_to_three_digits(void **state)
{
    static const struct {
        struct str text;
        struct str rest;
    } examples[] = {
        {STR_INIT("<3>Nov"), STR_INIT("Nov")},
        {STR_INIT("<191>1 -"), STR_INIT("1 -")},
        {STR_INIT("<999>"), STR_INIT("")},
        {STR_INIT("<0003>Nov"), STR_INIT("<0003>Nov")},
        {STR_INIT("<>Nov"), STR_INIT("<>Nov")},
        {STR_INIT("<12 Nov"), STR_INIT("<12 Nov")},
        {STR_INIT("12>"), STR_INIT("12>")},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        struct str text = examples[i].text;
        bool is_cut = priority_cut(&text);

        assert_true(str_equal(text, examples[i].rest));
        assert_int_equal(is_cut, text.len < examples[i].text.len);
    }
}

/* --- escapes.h ------------------------------------------------------------ */

static void expect_decoded(const char *quoted, const char *text, size_t used,
                           bool closed)
{
    struct buf out = {0};
    bool is_closed;

    buf_add(&out, STR(""));
    assert_int_equal(escapes_decode(str_from(quoted), '"', &out, &is_closed),
                     used);
    assert_string_equal(out.ptr, text);
    assert_int_equal(is_closed, closed);
    buf_done(&out);
}

static void quoted_strings_are_decoded_to_their_quote(void **state)
{
    (void)state;
    expect_decoded("a\\n\\t\\\"b\\\\\" rest", "a\n\t\"b\\", 11, true);
    expect_decoded("\\u003cx\\u003e\\u00e9\"", "<x>\xc3\xa9", 20, true);
    expect_decoded("\\ud83d\\ude00\"", "\xf0\x9f\x98\x80", 13, true);
    expect_decoded("\\ud83dx\"", "\xef\xbf\xbdx", 8, true);
    expect_decoded("\\x1b[m\\/\\q\\uzzzz\"", "\x1b[m/\\q\\uzzzz", 17, true);
    expect_decoded("\"", "", 1, true);
    expect_decoded("open", "open", 4, false);
    expect_decoded("", "", 0, false);
}

/* A string may come in two parts, cut anywhere. */
static void an_escape_that_is_cut_is_left_for_the_next_part(void **state)
{
    static const struct str whole =
        STR_INIT("a\\n\\\"\\u00e9\\\\\\ud83d\\ude00\\x41 end of it all\"");

    (void)state;
    for (size_t cut = 0; cut < whole.len; cut++) {
        struct buf out = {0};
        bool closed;
        size_t used = escapes_decode(str_head(whole, cut), '"', &out, &closed);

        assert_true(used <= cut);
        assert_false(closed);
        escapes_decode(str_skip(whole, used), '"', &out, &closed);
        assert_true(closed);
        assert_string_equal(out.ptr, "a\n\"\xc3\xa9\\\xf0\x9f\x98\x80"
                                     "A end of it all");
        buf_done(&out);
    }
}

/* --- line_map.h ----------------------------------------------------------- */

static void lines_are_mapped_over_changes(void **state)
{
    struct budget budget;
    struct line_map map;

    (void)state;
    budget_init(&budget, 0);
    line_map_init(&map, &budget);
    assert_int_equal(line_map_outer(&map, 7), 7);
    line_map_add(&map, 1, 10, false);
    line_map_add(&map, 2, 11, false);
    line_map_add(&map, 3, 14, false);
    line_map_add(&map, 4, 15, true);
    line_map_add(&map, 9, 16, false);
    assert_int_equal(map.count, 4);
    assert_int_equal(line_map_outer(&map, 1), 10);
    assert_int_equal(line_map_outer(&map, 2), 11);
    assert_int_equal(line_map_outer(&map, 3), 14);
    assert_int_equal(line_map_outer(&map, 4), 15);
    assert_int_equal(line_map_outer(&map, 8), 15);
    assert_int_equal(line_map_outer(&map, 10), 17);
    line_map_done(&map);
    assert_int_equal(budget.used, 0);
}

static void a_full_map_names_a_line_nearby(void **state)
{
    struct budget budget;
    struct line_map map;

    (void)state;
    budget_init(&budget, 0);
    line_map_init(&map, &budget);
    for (uint64_t i = 1; i <= 500000; i++)
        line_map_add(&map, i, 2 * i, false);
    assert_true(map.count <= LINE_MAP_MOST);
    for (uint64_t i = 1; i <= 500000; i += 997) {
        uint64_t outer = line_map_outer(&map, i);

        assert_true(outer <= 2 * i && outer + 64 > 2 * i);
    }
    line_map_done(&map);
}

/* --- utf8.h, utf16.h ------------------------------------------------------ */

static void points_become_bytes(void **state)
{
    struct buf out = {0};

    (void)state;
    utf8_add(&out, 'a');
    utf8_add(&out, 0xe9);
    utf8_add(&out, 0x20ac);
    utf8_add(&out, 0x1f600);
    utf8_add(&out, 0xd800);
    utf8_add(&out, 0x110000);
    assert_string_equal(out.ptr, "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"
                                 "\xef\xbf\xbd\xef\xbf\xbd");
    buf_done(&out);
}

static void expect_utf16(struct str bytes, const char *text)
{
    for (size_t step = 0; step < 5; step++) {
        struct source_memory memory = {bytes, step};
        struct source source = source_from_memory(&memory);
        struct buf out = {0};
        struct budget budget;
        char into[64];
        ptrdiff_t n;

        budget_init(&budget, 0);
        buf_add(&out, STR(""));
        assert_int_equal(utf16_decode(&source, "x", &budget, NULL), 0);
        while ((n = source.read(source.user, into, 5 + step)) > 0)
            buf_add(&out, (struct str){into, (size_t)n});
        assert_int_equal(n, 0);
        assert_string_equal(out.ptr, text);
        source_close(&source);
        assert_int_equal(budget.used, 0);
        buf_done(&out);
    }
}

static void utf_16_is_known_by_its_mark(void **state)
{
    (void)state;
    expect_utf16((struct str)STR_INIT("\xff\xfe"
                                      "a\0\xe9\0\x3d\xd8\x00\xde"),
                 "a\xc3\xa9\xf0\x9f\x98\x80");
    expect_utf16((struct str)STR_INIT("\xfe\xff\0a\0\xe9\xd8\x3d\xde\x00"),
                 "a\xc3\xa9\xf0\x9f\x98\x80");
    expect_utf16((struct str)STR_INIT("\xff\xfe"
                                      "a\0\x3d\xd8"
                                      "b\0x"),
                 "a\xef\xbf\xbd"
                 "b\xef\xbf\xbd");
    expect_utf16((struct str)STR_INIT("\xff\xfe"), "");
    expect_utf16((struct str)STR_INIT("plain text, and long"),
                 "plain text, and long");
    expect_utf16((struct str)STR_INIT("\xff"), "\xff");
    expect_utf16((struct str)STR_INIT(""), "");
}

/* --- wrappings ------------------------------------------------------------ */

static const struct {
    const struct wrapping *wrapping;
    const char *line;
    const char *text; /* NULL = the line does not fit */
    const char *stream;
    const char *instance;
} prefixes[] = {
    {&cri_wrapping, "2026-11-20T14:02:00Z stderr F \tx", "\tx", "stderr", ""},
    {&cri_wrapping, "2026-11-20T14:02:00Z stdout P x", "x", "stdout", ""},
    {&cri_wrapping, "2026-11-20T14:02:00Z stderr F", "", "stderr", ""},
    {&cri_wrapping, "2026-11-20T14:02:00Z stderr x", NULL, "", ""},
    {&compose_wrapping, "web-1  | x | y", "x | y", "web-1", "web-1"},
    {&compose_wrapping, "14:02:00 web.1 |", "", "web.1", "web.1"},
    {&compose_wrapping, "a b | x", NULL, "", ""},
    {&compose_wrapping, "web-1 |x", NULL, "", ""},
    {&compose_wrapping, "0|web  | x", "x", "0|web", "0|web"},
    {&compose_wrapping, "0| x", "x", "0", "0"},
    {&stern_wrapping, "[api-7d9c5-x2x4k app] x", "x", "[api-7d9c5-x2x4k app]",
     "api-7d9c5-x2x4k"},
    {&stern_wrapping, "[info main] x", NULL, "", ""},
    {&host_wrapping, "web-1: \tx", "\tx", "web-1", "web-1"},
    {&host_wrapping, "10.0.4.7:", "", "10.0.4.7", "10.0.4.7"},
    {&host_wrapping, "shopd: x", NULL, "", ""},
    {&host_wrapping, "12: x", NULL, "", ""},
    {&host_wrapping, "main.go:12: x", NULL, "", ""},
    {&host_wrapping, "web-1 : x", NULL, "", ""},
    {&labels_wrapping, "2026-11-20T14:02:00Z {}   \tx", "\tx", "", ""},
    {&labels_wrapping, "{a=\"b\\\"}\", c=\"d\"} x", "x", "", ""},
    {&labels_wrapping, "{a=\"b\"", NULL, "", ""},
    {&labels_wrapping, "{a=\"b\"}x", NULL, "", ""},
    {&labels_wrapping, "{0x1, 0x2} x", NULL, "", ""},
    {&kubernetes_wrapping, "[pod/a-1/app] x", "x", "a-1/app", "a-1"},
    {&kubernetes_wrapping, "[pod/a-1/app]", "", "a-1/app", "a-1"},
    {&kubernetes_wrapping, "[pod/a-1", NULL, "", ""},
    {&syslog_wrapping, "Nov 20 14:02:00 h p[1]: x", "x", "h p[1]", "h"},
    {&syslog_wrapping, "<3>2026-11-20T14:02:00Z h p: ", "", "h p", "h"},
    {&syslog_wrapping, "Nov 20 14:02:00 h p[1]:", "", "h p[1]", "h"},
    {&syslog_wrapping, "2026-11-20T14:02:00Z app[web.1]: x", "x", "app[web.1]",
     ""},
    {&syslog_wrapping, "Nov 20 14:02:00 h no tag", NULL, "", ""},
    {&rfc5424_wrapping, "<11>1 2026-11-20T14:02:00Z h p 1 - - x", "x", "h p 1",
     "h"},
    {&rfc5424_wrapping, "<11>1 - h p 1 - [a b=\"]\"][c] x", "x", "h p 1", "h"},
    {&rfc5424_wrapping, "<11>1 - h p 1 - [a", "", "h p 1", "h"},
    {&rfc5424_wrapping, "<11>1 - h p", NULL, "", ""},
    {&timestamp_wrapping, "2026-11-20T14:02:00Z  x", " x", "", ""},
    {&timestamp_wrapping, "2026-11-20T14:02:00Zx", NULL, "", ""},
    {&timestamp_wrapping, "@400000006a5f1b2c075bcd15 \tx", "\tx", "", ""},
    {&tag_wrapping, "[shopd] x", "x", "shopd", "shopd"},
    {&tag_wrapping, "[signal SIGSEGV: x]", NULL, "", ""},
    {&tag_wrapping, "[] x", NULL, "", ""},
};

static void a_prefix_ends_where_the_text_begins(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        struct shape shape = {.wrapping = prefixes[i].wrapping};
        struct piece piece = {0};
        struct buf scratch = {0};
        bool fits = shape.wrapping->strip(&shape, str_from(prefixes[i].line),
                                          &scratch, &piece);

        if (fits != (prefixes[i].text != NULL))
            fail_msg("'%s': fits is %d", prefixes[i].line, fits);
        if (fits) {
            assert_true(str_equal(piece.text, str_from(prefixes[i].text)));
            assert_true(str_equal(piece.stream, str_from(prefixes[i].stream)));
            assert_true(
                str_equal(piece.instance, str_from(prefixes[i].instance)));
        }
        buf_done(&scratch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_are_found_where_they_stand),
        cmocka_unit_test(every_word_of_a_begin_is_found),
        cmocka_unit_test(a_likely_goroutine_is_told_from_prose),
        cmocka_unit_test(prose_holds_no_begin),
        cmocka_unit_test(the_quick_look_agrees_with_a_slow_one),
        cmocka_unit_test(the_first_of_two_words_of_a_long_text_is_found),
        cmocka_unit_test(times_of_logs_are_cut),
        cmocka_unit_test(a_priority_has_one_to_three_digits),
        cmocka_unit_test(quoted_strings_are_decoded_to_their_quote),
        cmocka_unit_test(an_escape_that_is_cut_is_left_for_the_next_part),
        cmocka_unit_test(lines_are_mapped_over_changes),
        cmocka_unit_test(a_full_map_names_a_line_nearby),
        cmocka_unit_test(points_become_bytes),
        cmocka_unit_test(utf_16_is_known_by_its_mark),
        cmocka_unit_test(a_prefix_ends_where_the_text_begins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

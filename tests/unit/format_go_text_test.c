#include <setjmp.h>
#include <stdarg.h>

#include "format/go_text.h"

#include <cmocka.h>

#define N(array) (sizeof(array) / sizeof((array)[0]))

struct header_example {
    const char *line;
    uint64_t id;
    const char *state;
    int minutes; /* -1 = not said */
    bool leaked;
    bool locked;
    const char *labels;
};

static void expect_headers(const struct header_example *examples, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct header_example *want = &examples[i];
        struct go_header header;

        assert_true(go_header_parse(str_from(want->line), &header));
        assert_int_equal(header.id, want->id);
        assert_true(str_equal(header.state, str_from(want->state)));
        assert_int_equal(header.has_wait ? (int)header.minutes : -1,
                         want->minutes);
        assert_int_equal(header.leaked, want->leaked);
        assert_int_equal(header.locked, want->locked);
        assert_true(str_equal(header.labels, str_from(want->labels)));
    }
}

static void headers_of_every_version_are_read(void **state)
{
    static const struct header_example examples[] = {
        {"goroutine 1 [running]:", 1, "running", -1, 0, 0, NULL},
        {"goroutine 0 [idle]:", 0, "idle", -1, 0, 0, NULL},
        {"goroutine 18446744073709551615 [select]:", UINT64_MAX, "select", -1,
         0, 0, NULL},
        {"goroutine 975 [chan send, 2 minutes]:", 975, "chan send", 2, 0, 0,
         NULL},
        {"goroutine 18 [select (no cases) (leaked)]:", 18, "select (no cases)",
         -1, 1, 0, NULL},
        {"goroutine 62 [chan receive (leaked), locked to thread]:", 62,
         "chan receive", -1, 1, 1, NULL},
        {"goroutine 7 [chan receive (nil chan), 12 minutes, locked to "
         "thread]:",
         7, "chan receive (nil chan)", 12, 0, 1, NULL},
        {"goroutine 5 [runnable (scan)]:", 5, "runnable", -1, 0, 0, NULL},
        {"goroutine 9 [sleep (durable), synctest bubble 1]:", 9, "sleep", -1, 0,
         0, NULL},
        {"goroutine 8 [chan receive (synctest), 3 minutes, synctest group "
         "4]:",
         8, "chan receive", 3, 0, 0, NULL},
        {"goroutine 3 [select (leaked) (scan) (durable), 4 minutes]:", 3,
         "select", 4, 1, 0, NULL},
        {"goroutine 3 [leaked]:", 3, "leaked", -1, 1, 0, NULL},
        {"goroutine 1 gp=0xc0000061c0 m=nil [select (no cases)]:", 1,
         "select (no cases)", -1, 0, 0, NULL},
        {"goroutine 13 gp=0xc000080540 m=2 mp=0xc00003c708 [running]:", 13,
         "running", -1, 0, 0, NULL},
        {"goroutine 4 [???]:", 4, "???", -1, 0, 0, NULL},
        {"goroutine 4 [a state of tomorrow, with a part, 5 minutes]:", 4,
         "a state of tomorrow", 5, 0, 0, NULL},
    };

    (void)state;
    expect_headers(examples, N(examples));
}

static void labels_stand_behind_or_inside_the_brackets(void **state)
{
    static const struct header_example examples[] = {
        {"goroutine 66 [chan receive] {handler: /api/v1/users, tenant: "
         "acme}:",
         66, "chan receive", -1, 0, 0,
         "{handler: /api/v1/users, tenant: acme}"},
        {"goroutine 31 [chan receive labels:{\"a\": \"b, c\", \"d\": "
         "\"]\"}]:",
         31, "chan receive", -1, 0, 0, "{\"a\": \"b, c\", \"d\": \"]\"}"},
        {"goroutine 31 [select, 2 minutes, locked to thread labels:{\"a\": "
         "\"3 minutes\"}]:",
         31, "select", 2, 0, 1, "{\"a\": \"3 minutes\"}"},
        {"goroutine 33 [chan send] {\"bracket]\": \"[x]\"}:", 33, "chan send",
         -1, 0, 0, "{\"bracket]\": \"[x]\"}"},
        {"goroutine 34 [chan send] {\"brace}\": \"}:\"}:", 34, "chan send", -1,
         0, 0, "{\"brace}\": \"}:\"}"},
        {"goroutine 35 [sleep, 1 minutes] {\"a\\\"}\": "
         "\"goroutine 7 [running]:\\nmain.fake()\"}:",
         35, "sleep", 1, 0, 0,
         "{\"a\\\"}\": \"goroutine 7 [running]:\\nmain.fake()\"}"},
        {"goroutine 36 [sleep] {: , bad: }:", 36, "sleep", -1, 0, 0,
         "{: , bad: }"},
        {"goroutine 37 [sleep] {}:", 37, "sleep", -1, 0, 0, "{}"},
    };

    (void)state;
    expect_headers(examples, N(examples));
}

/* As people write behind the lines that they show to others. */
static void remarks_behind_a_line_are_passed(void **state)
{
    static const struct header_example headers[] = {
        {"goroutine 18 [chan send, 5 minutes]:     <- stuck", 18, "chan send",
         5, 0, 0, NULL},
        {"goroutine 19 [semacquire]: \342\206\220 waits", 19, "semacquire", -1,
         0, 0, NULL},
        {"goroutine 1 [running]: // writes the dump", 1, "running", -1, 0, 0,
         NULL},
        {"goroutine 5 [select, labels:{\"a\": \"b: <- c\"}]:  # here", 5,
         "select", -1, 0, 0, "{\"a\": \"b: <- c\"}"},
    };
    struct go_header header;
    struct go_place place;
    struct str name;
    struct str args;
    uint64_t id;

    (void)state;
    expect_headers(headers, N(headers));
    assert_false(
        go_header_parse(STR("goroutine 1 [running]: main.f()"), &header));
    assert_true(go_call_parse(STR("main.f(0x1, \342\200\246)  <- (here)"),
                              &name, &args));
    assert_true(str_equal(name, STR("main.f")));
    assert_true(go_call_parse(STR("main.h(0x2)\t//(x)"), &name, &args));
    assert_true(str_equal(name, STR("main.h")));
    assert_true(str_equal(args, STR("0x2")));
    assert_true(go_creator_parse(STR("created by main.g in goroutine 9 <- it"),
                                 &name, &id));
    assert_true(str_equal(name, STR("main.g")));
    assert_int_equal(id, 9);
    assert_true(go_place_parse(STR("\t/app/a.go:19  \342\206\220 !"), &place));
    assert_int_equal(place.line, 19);
    assert_false(place.has_offset);
    assert_false(go_place_parse(STR("\t/app/a.go:19 and more"), &place));
    assert_false(go_place_parse(STR("\t/app/a.go:19 and <- more"), &place));
    assert_false(go_place_parse(STR("\t/app/a.go:19<- here"), &place));
    assert_true(go_place_parse(STR("\t/app/a.go:19 \t # here"), &place));
    assert_int_equal(place.length, 13);
}

static void prose_is_no_header(void **state)
{
    static const char *const lines[] = {
        "",
        "goroutine",
        "goroutine 5",
        "goroutine 5:",
        "goroutine 5 []:",
        "goroutine 5 [running]",
        "goroutine 5 [running",
        "goroutine 5 [running]: it hung",
        "goroutine five [running]:",
        "goroutine -5 [running]:",
        "goroutine 5[running]:",
        "goroutine 99999999999999999999 [running]:",
        " goroutine 5 [running]:",
        "Goroutine 5 (running) created at:",
        "[originating from goroutine 5]:",
        "goroutine 5 [sleep] {a: b:",
        "goroutine 5 [sleep] {\"a: b}:",
        "goroutine 5 [sleep labels:{\"a]:",
        "goroutine profile: total 5",
    };
    struct go_header header;

    (void)state;
    for (size_t i = 0; i < N(lines); i++)
        assert_false(go_header_parse(str_from(lines[i]), &header));
}

struct call_example {
    const char *line;
    const char *name;
    const char *args;
};

static void arguments_begin_at_the_last_balanced_parenthesis(void **state)
{
    static const struct call_example examples[] = {
        {"main.f()", "main.f", ""},
        {"main.f(...)", "main.f", "..."},
        {"main.f(0xc00027c060, 0x7, 0x8192af, ...)", "main.f",
         "0xc00027c060, 0x7, 0x8192af, ..."},
        {"main.f(0x0?, {0x1, {0x779628, ...}}, _)", "main.f",
         "0x0?, {0x1, {0x779628, ...}}, _"},
        {"main.(*httpBackend).Do(0xc000010000)", "main.(*httpBackend).Do",
         "0xc000010000"},
        {"main.(*Stack[...]).Each.func1(0x1)", "main.(*Stack[...]).Each.func1",
         "0x1"},
        {"panic({0x4b2b60?, 0x4e5fd0?})", "panic", "{0x4b2b60?, 0x4e5fd0?}"},
        {"main.(*\xe6\x9c\x8d).f(0x1)", "main.(*\xe6\x9c\x8d).f", "0x1"},
        {"main.f(a)(b)", "main.f(a)", "b"},
        {"main.f((a))", "main.f", "(a)"},
    };
    struct str name;
    struct str args;

    (void)state;
    for (size_t i = 0; i < N(examples); i++) {
        assert_true(go_call_parse(str_from(examples[i].line), &name, &args));
        assert_true(str_equal(name, str_from(examples[i].name)));
        assert_true(str_equal(args, str_from(examples[i].args)));
    }
}

static void other_lines_are_no_calls(void **state)
{
    static const char *const lines[] = {
        "",
        "()",
        "(x)",
        "main.f",
        "main.f(",
        "main.f)",
        "main.f())",
        "main.f() ",
        "main.f(x",
        "\t/m.go:7",
        "...additional frames elided...",
    };
    struct str name;
    struct str args;

    (void)state;
    for (size_t i = 0; i < N(lines); i++)
        assert_false(go_call_parse(str_from(lines[i]), &name, &args));
}

struct place_example {
    const char *line;
    const char *file;
    uint32_t number;
    bool has_offset;
    size_t length;
};

static void places_end_in_a_line_number(void **state)
{
    static const struct place_example examples[] = {
        {"\t/src/main.go:21 +0x3b", "/src/main.go", 21, true, 16},
        {"\t/src/main.go:21", "/src/main.go", 21, false, 16},
        {"\t/src/main.go:21 +0x3b fp=0xc0 sp=0xc1 pc=0x46", "/src/main.go", 21,
         true, 16},
        {"\t/src/main.go:21 fp=0xc0 sp=0xc1 pc=0x46", "/src/main.go", 21, true,
         16},
        {"\t/c/lib.c:7 pc=0x46", "/c/lib.c", 7, true, 11},
        {"\tC:/Users/Jane Doe/go/src/app/main.go:5 +0x1d",
         "C:/Users/Jane Doe/go/src/app/main.go", 5, true, 39},
        {"\tC:\\a b\\main.go:5", "C:\\a b\\main.go", 5, false, 17},
        {"\t<autogenerated>:1 +0x1", "<autogenerated>", 1, true, 18},
        {"\t?:0 +0x0", "?", 0, true, 4},
        {"\t/src/main.go:0 +0x0", "/src/main.go", 0, true, 15},
        {"        /src/main.go:7 +0x1", "/src/main.go", 7, true, 22},
        {"/src/main.go:7", "/src/main.go", 7, false, 14},
        {"\t_cgo_gotypes.go:48 +0x1", "_cgo_gotypes.go", 48, true, 19},
        {"\t/a:1/b:22/c.go:333 +0x1", "/a:1/b:22/c.go", 333, true, 19},
        {"\t/a.go:99999999999 +0x1", "/a.go", 0, true, 18},
    };
    struct go_place place;

    (void)state;
    for (size_t i = 0; i < N(examples); i++) {
        assert_true(go_place_parse(str_from(examples[i].line), &place));
        assert_true(str_equal(place.file, str_from(examples[i].file)));
        assert_int_equal(place.line, examples[i].number);
        assert_int_equal(place.has_offset, examples[i].has_offset);
        assert_int_equal(place.length, examples[i].length);
    }
}

static void other_lines_are_no_places(void **state)
{
    static const char *const lines[] = {
        "",
        "\t",
        "main.f(0x1)",
        "/src/main.go",
        "/src:x",
        ":7",
        "\t:7 +0x1",
        "/m.go:7 x",
        "/m.go:7x",
        "/m.go:",
        "time=12:00:05 msg=\"served\"",
        "goroutine running on other thread; stack unavailable",
    };
    struct go_place place;

    (void)state;
    for (size_t i = 0; i < N(lines); i++)
        assert_false(go_place_parse(str_from(lines[i]), &place));
}

struct creator_example {
    const char *line;
    const char *name;
    uint64_t id;
};

static void creators_may_name_their_goroutine(void **state)
{
    static const struct creator_example examples[] = {
        {"created by main.main", "main.main", 0},
        {"created by net/http.(*Server).Serve in goroutine 1",
         "net/http.(*Server).Serve", 1},
        {"created by main.f in goroutine 18446744073709551615", "main.f",
         UINT64_MAX},
        {"created by main.f in goroutine ", "main.f", 0},
        {"created by main.f in goroutine 5x", "main.f", 0},
    };
    struct str name;
    uint64_t id;

    (void)state;
    for (size_t i = 0; i < N(examples); i++) {
        assert_true(go_creator_parse(str_from(examples[i].line), &name, &id));
        assert_true(str_equal(name, str_from(examples[i].name)));
        assert_int_equal(id, examples[i].id);
    }
    assert_false(go_creator_parse(STR("created by "), &name, &id));
    assert_false(
        go_creator_parse(STR("created by  in goroutine 5"), &name, &id));
    assert_false(go_creator_parse(STR("Created by main.f"), &name, &id));
}

static void elided_frames_have_a_number_since_go_1_21(void **state)
{
    uint32_t n = 77;

    (void)state;
    assert_false(go_elided_parse(STR("...frames elided..."), &n));
    assert_false(go_elided_parse(STR("...x frames elided..."), &n));
    assert_false(go_elided_parse(STR("...5 frames elided.."), &n));
    assert_int_equal(n, 77);
    assert_true(go_elided_parse(STR("...additional frames elided..."), &n));
    assert_int_equal(n, ELIDED_SOME);
    assert_true(go_elided_parse(STR("...1 frames elided..."), &n));
    assert_int_equal(n, 1);
    assert_true(go_elided_parse(STR("...5000000000 frames elided..."), &n));
    assert_int_equal(n, ELIDED_SOME);
}

enum { MOST_LABELS = 4 };

static void expect_labels(const char *text, size_t count,
                          const struct label *want)
{
    struct label labels[MOST_LABELS];
    struct buf scratch = {0};
    size_t n = go_labels_parse(str_from(text), &scratch, labels, MOST_LABELS);

    assert_int_equal(n, count);
    for (size_t i = 0; i < n; i++) {
        assert_true(str_equal(labels[i].key, want[i].key));
        assert_true(str_equal(labels[i].value, want[i].value));
    }
    buf_done(&scratch);
}

#define EXPECT_LABELS(text, ...)                                               \
 expect_labels(text, N(((const struct label[]){__VA_ARGS__})),                 \
               (const struct label[]){__VA_ARGS__})
#define L(key, value)                                                          \
 {                                                                             \
  STR_INIT(key), STR_INIT(value)                                               \
 }

static void labels_are_read_as_every_version_prints_them(void **state)
{
    (void)state;
    EXPECT_LABELS("{handler: /api/v1/users, tenant: acme}",
                  L("handler", "/api/v1/users"), L("tenant", "acme"));
    EXPECT_LABELS("{\"a\": \"b, c\", \"d\": \"]\"}", L("a", "b, c"),
                  L("d", "]"));
    EXPECT_LABELS("{\"a\":\"b\", \"c\":\"d\"}", L("a", "b"), L("c", "d"));
    EXPECT_LABELS("{: , bad: \"x y\"}", L("", ""), L("bad", "x y"));
    EXPECT_LABELS("{a: \"1\", b: 2, c: 3, d: 4, e: 5}", L("a", "1"),
                  L("b", "2"), L("c", "3"), L("d", "4"));
    expect_labels("{}", 0, NULL);
}

static void escapes_in_labels_are_undone(void **state)
{
    (void)state;
    EXPECT_LABELS("{\"new\\nline\": \"\\a\\b\\f\\r\\t\\v\\\\\\\"\\'\"}",
                  L("new\nline", "\a\b\f\r\t\v\\\"'"));
    EXPECT_LABELS("{\"x\": \"\\xff\\x00\"}", L("x", "\xff\0"));
    EXPECT_LABELS("{\"u\": \"\\u00e9\\u670d\\U0001f439\"}",
                  L("u", "\xc3\xa9\xe6\x9c\x8d\xf0\x9f\x90\xb9"));
    EXPECT_LABELS("{\"odd\": \"\\q\\u12\\x\"}", L("odd", "qu12x"));
    EXPECT_LABELS("{\"raw\": \"\xe6\x9c\x8d\"}", L("raw", "\xe6\x9c\x8d"));
}

static void what_cannot_be_read_ends_the_labels(void **state)
{
    (void)state;
    expect_labels("", 0, NULL);
    expect_labels("a: b", 0, NULL);
    expect_labels("{", 0, NULL);
    expect_labels("{a", 0, NULL);
    expect_labels("{\"a: b}", 0, NULL);
    expect_labels("{\"a\\", 0, NULL);
    EXPECT_LABELS("{a: b, c", L("a", "b"));
    EXPECT_LABELS("{a: b c: d}", L("a", "b"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_of_every_version_are_read),
        cmocka_unit_test(labels_stand_behind_or_inside_the_brackets),
        cmocka_unit_test(remarks_behind_a_line_are_passed),
        cmocka_unit_test(prose_is_no_header),
        cmocka_unit_test(arguments_begin_at_the_last_balanced_parenthesis),
        cmocka_unit_test(other_lines_are_no_calls),
        cmocka_unit_test(places_end_in_a_line_number),
        cmocka_unit_test(other_lines_are_no_places),
        cmocka_unit_test(creators_may_name_their_goroutine),
        cmocka_unit_test(elided_frames_have_a_number_since_go_1_21),
        cmocka_unit_test(labels_are_read_as_every_version_prints_them),
        cmocka_unit_test(escapes_in_labels_are_undone),
        cmocka_unit_test(what_cannot_be_read_ends_the_labels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

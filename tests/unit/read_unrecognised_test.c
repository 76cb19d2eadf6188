/* Inputs that are no dump, as the driver sees them. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "support/reading.h"

#include <cmocka.h>

static struct reading reading;

static int set_up(void **state)
{
    (void)state;
    reading_init(&reading);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    reading_done(&reading);
    return 0;
}

struct example {
    struct str input;
    const char *quoted; /* how the message begins the input; NULL = it does not
                           quote */
    const char *cause;  /* what the message must say */
};

static void expect(const struct example *example)
{
    struct str message;
    char begin[256];

    assert_int_equal(reading_add_bytes(&reading, example->input, 0),
                     CPROF_EFORMAT);
    message = str_from(reading.err.message);
    assert_string_equal(reading.err.source, "input");
    assert_true(str_contains(message, str_from(example->cause)));
    if (!example->quoted)
        return;
    snprintf(begin, sizeof(begin), "'%s'", example->quoted);
    assert_true(str_contains(message, str_from(begin)));
    assert_int_equal(cprof_snapshots_count(reading.snapshots), 0);
}

static void what_arrives_instead_of_a_dump_is_quoted_with_its_cause(
    void **state)
{
    static const struct example examples[] = {
        {STR_INIT(""), NULL, "the input is empty"},
        {STR_INIT("\xef\xbb\xbf\n"), NULL, "nothing but blank lines"},
        {STR_INIT("\n \t\r\n\n"), NULL, "nothing but blank lines"},
        {STR_INIT("404 page not found\n"), "404 page not found",
         "import net/http/pprof"},
        {STR_INIT("Unknown profile\n"), "Unknown profile",
         "no profile of that name"},
        {STR_INIT("\n\n  <html><head>\n"), "<html><head>", "login page"},
        {STR_INIT("<!DOCTYPE html>\n"), "<!DOCTYPE html>", "web page"},
        {STR_INIT("{\"error\": \"no\"}"), "{\"error\": \"no\"}", "JSON"},
        {STR_INIT("curl: (7) Failed to connect\n"),
         "curl: (7) Failed to connect", "error message of curl"},
        {STR_INIT("dial tcp: connection refused"),
         "dial tcp: connection refused", "could not be reached"},
        {STR_INIT("\x89PNG\r\n\x1a\n"), "\\x89PNG", "PNG image"},
        {STR_INIT("\x7f"
                  "ELF\x02\x01"),
         "\\x7fELF\\x02\\x01", "core file"},
        {STR_INIT("PK\x03\x04xx"), "PK\\x03\\x04xx", "zip archive"},
        {STR_INIT("I saw goroutine 5 [running]: it hung\n"),
         "I saw goroutine 5 [running]: it hung",
         "some lines mention goroutines"},
        {STR_INIT("hello\n"), "hello", "expected"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++)
        expect(&examples[i]);
}

static void the_first_line_is_cut_and_escaped(void **state)
{
    struct buf buf = {0};

    (void)state;
    buf_add(&buf, STR("\x1b[2J"));
    buf_add_repeat(&buf, 'x', 5 * 1024 * 1024);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&buf), 0),
                     CPROF_EFORMAT);
    assert_true(strstr(reading.err.message, "'\\x1b[2Jxxx") != NULL);
    assert_true(strstr(reading.err.message, "x'") != NULL);
    assert_true(strlen(reading.err.message) < 400);
    buf_done(&buf);
}

static void nobody_needs_to_want_the_error(void **state)
{
    (void)state;
    assert_int_equal(
        cprof_snapshots_read_file(reading.snapshots, "/no/such/file", NULL),
        CPROF_EIO);
    assert_int_equal(
        cprof_snapshots_read_file(reading.snapshots, "/", &reading.err),
        CPROF_EIO);
    assert_true(strstr(reading.err.message, "is a directory") != NULL);
}

static void earlier_inputs_stay_when_a_later_one_fails(void **state)
{
    (void)state;
    assert_int_equal(reading_add(&reading, "goroutine 7 [select]:\nmain.f()\n"
                                           "\t/m.go:1 +0x1\n"),
                     0);
    assert_int_equal(reading_add(&reading, "404 page not found\n"),
                     CPROF_EFORMAT);
    assert_int_equal(cprof_snapshots_count(reading.snapshots), 1);
    assert_string_equal(reading_groups(&reading), "1 select: main.f /m.go:1\n");
}

static ptrdiff_t read_half(void *user, void *into, size_t size)
{
    static const char half[] = "goroutine 7 [select]:\nmain.f()\n";
    int *reads = user;

    (void)size;
    if ((*reads)++) {
        errno = EIO;
        return -1;
    }
    memcpy(into, half, sizeof(half) - 1);
    return sizeof(half) - 1;
}

static void an_input_that_cannot_be_read_to_its_end_is_an_error(void **state)
{
    int reads = 0;

    (void)state;
    assert_int_equal(cprof_snapshots_read(reading.snapshots, "pipe", read_half,
                                          &reads, &reading.err),
                     CPROF_EIO);
    assert_string_equal(reading.err.source, "pipe");
    assert_string_equal(reading.err.message, "cannot read: Input/output error");
    assert_int_equal(cprof_snapshots_count(reading.snapshots), 0);
}

static void too_little_memory_to_begin_is_an_error(void **state)
{
    struct reading small;

    (void)state;
    reading_init_limited(&small, "100k");
    assert_int_equal(reading_add(&small, "goroutine 7 [select]:\n"),
                     CPROF_ENOMEM);
    assert_true(strstr(small.err.message, "out of memory") != NULL);
    reading_done(&small);
}

static void freeing_nothing_does_nothing(void **state)
{
    (void)state;
    cprof_snapshots_free(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_arrives_instead_of_a_dump_is_quoted_with_its_cause),
        TEST(the_first_line_is_cut_and_escaped),
        TEST(nobody_needs_to_want_the_error),
        TEST(earlier_inputs_stay_when_a_later_one_fails),
        TEST(an_input_that_cannot_be_read_to_its_end_is_an_error),
        TEST(too_little_memory_to_begin_is_an_error),
        cmocka_unit_test(freeing_nothing_does_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

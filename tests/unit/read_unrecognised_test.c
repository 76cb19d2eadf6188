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
    if (!str_contains(message, str_from(example->cause)))
        fail_msg("not '%s': %s", example->cause, reading.err.message);
    if (!example->quoted)
        return;
    snprintf(begin, sizeof(begin), "'%s'", example->quoted);
    assert_true(str_contains(message, str_from(begin)));
    assert_int_equal(cprof_snapshots_count(reading.snapshots), 0);
}

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
    {STR_INIT("curl: (7) Failed to connect\n"), "curl: (7) Failed to connect",
     "error message of curl"},
    {STR_INIT("dial tcp: connection refused"), "dial tcp: connection refused",
     "could not be reached"},
    {STR_INIT("\x89PNG\r\n\x1a\n"), "\\x89PNG", "PNG image"},
    {STR_INIT("g\0o\0r\0o\0u\0t\0i\0n\0e\0 \0001\0:\0\n\0"), NULL,
     "iconv -f UTF-16LE -t UTF-8"},
    {STR_INIT("\0g\0o\0r\0o\0u\0t\0i\0n\0e\0 \0001\0:\0\n"), NULL,
     "iconv -f UTF-16BE -t UTF-8"},
    {STR_INIT("g\0o\0ro\0u\0t"), NULL, "neither text"},
    {STR_INIT("\x7f"
              "ELF\x02\x01"),
     "\\x7fELF\\x02\\x01", "this is a program"},
    {STR_INIT("PK\x03\x04xx"), "PK\\x03\\x04xx", "zip archive"},
    {STR_INIT("I saw goroutine 5 [running]: it hung\n"),
     "I saw goroutine 5 [running]: it hung", "some lines mention goroutines"},
    {STR_INIT("hello\n"), "hello", "expected"},
    {STR_INIT("Client sent an HTTP request to an HTTPS server.\n"), NULL,
     "by https://"},
    {STR_INIT("upstream connect error or disconnect\n"), NULL, "a proxy"},
    {STR_INIT("Unauthorized\n"), "Unauthorized", "credentials"},
    {STR_INIT("<html>\n<head>\n<title>/debug/pprof/</title>\n"), "<html>",
     "index of the program's profiles"},
    {STR_INIT("go 1.22 trace\0\0\0\1"), NULL, "execution trace"},
    {STR_INIT("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0"), NULL,
     "CPU profile in the form of gperftools"},
    {STR_INIT("\x7f"
              "ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0\x3e\0"),
     NULL, "core file"},
    {STR_INIT("\x7f"
              "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\x3e\0"),
     NULL, "this is a program"},
    {STR_INIT("\x1f\xef\xbf\xbd\x08\xef\xbf\xbd"), NULL, "keep its bytes"},
    {STR_INIT("up\n\x1f\x8b\x08\0\0\n"), "up", "an input of its own"},
    {STR_INIT("HTTP/1.1 200 OK\r\n\r\nhello\n"), "HTTP/1.1 200 OK",
     "nothing behind them is a dump"},
    {STR_INIT("5 @ 0x48b24a 0x41816e\n#\t0x41816d\tmain.f+0x1\n"), NULL,
     "none before them is its title"},
    {STR_INIT("2: 64 [4: 128] @ 0x48b24a\n"), NULL,
     "none before them is its title"},
    {STR_INIT("cycles/second=1000000000\n"), NULL,
     "none before them is its title"},
    {STR_INIT("#\t0x41816d\tmain.f+0x1\t/m.go:1\n\n3 1 @ 0x48b24a\n"), NULL,
     "none before them is its title"},
    {STR_INIT("H4sIAAAAAAAE\n"), "H4sIAAAAAAAE", "base64"},
    {STR_INIT("\x28\xb5\x2f\xfd"
              "abc"),
     NULL, "unpack it first"},
    {STR_INIT("PeriodType: cpu nanoseconds\n"), NULL, "pprof printed"},
    {STR_INIT("Type: goroutine\nShowing nodes accounting for 1, 100%\n"), NULL,
     "pprof printed"},
    {STR_INIT("heap profile: none\n"), "heap profile: none", "damaged"},
    {STR_INIT("--- threadz 1 ---\n"), NULL, "gperftools or Java"},
    {STR_INIT("2026-11-20 14:02:00\nFull thread dump OpenJDK 64-Bit Server "
              "VM (17.0.9):\n\n\"main\" #1 prio=5 runnable\n"),
     "2026-11-20 14:02:00", "threads of Java"},
    {STR_INIT("Thread 0x00007f0f (most recent call first):\n"
              "  File \"a.py\", line 3 in f\n"),
     NULL, "threads of Python"},
    {STR_INIT("Process 12: python3 a.py\nPython v3.9.2 (/usr/bin/python)\n"),
     NULL, "threads of Python"},
    {STR_INIT("x\n   at System.Threading.Monitor.Wait(Object obj)\n"), "x",
     "threads of .NET"},
    {STR_INIT("Error: x\n    at f (/srv/a.js:3:9)\n"), NULL, "JavaScript"},
    {STR_INIT("thread 'main' panicked at src/main.rs:2:5:\n"), NULL, "Rust"},
    {STR_INIT("Thread 2 (Thread 0x7f12 (LWP 12)):\n"), NULL, "debugger"},
    {STR_INIT("* Goroutine 1 - User: ./m.go:9 main.main (0x48)\n"), NULL,
     "Delve"},
    {STR_INIT("up\n{\"log\":\"panic: boom\\n\"}\n{\"log\":\"x\\n\"}\n"), "up",
     "GOTRACEBACK=all"},
    {STR_INIT("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\no\np\nq\nr\ns\n"
              "t\nu\n"),
     "a", "none of its 21 lines"},
};

static void what_arrives_instead_of_a_dump_is_quoted_with_its_cause(
    void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++)
        expect(&examples[i]);
}

/* A word that matters counts wherever it stands; others only near the top. */
static void the_end_of_a_long_log_is_not_forgotten(void **state)
{
    struct buf buf = {0};

    (void)state;
    for (unsigned i = 0; i < 1000; i++)
        buf_addf(&buf, "level=info n=%u\n", i);
    buf_add(&buf, STR("panic: boom\nexit status 2\n"));
    assert_int_equal(reading_add_bytes(&reading, buf_str(&buf), 0),
                     CPROF_EFORMAT);
    assert_true(strstr(reading.err.message, "GOTRACEBACK=all") != NULL);
    buf_done(&buf);
}

static void nothing_that_was_packed_is_said_to_be_nothing(void **state)
{
    static const char empty[] =
        "\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0";

    (void)state;
    assert_int_equal(reading_add_bytes(&reading, (struct str){empty, 20}, 0),
                     CPROF_EFORMAT);
    assert_true(strstr(reading.err.message, "was empty") != NULL);
    assert_int_equal(reading_add_bytes(&reading, (struct str){empty, 12}, 0),
                     CPROF_EFORMAT);
    assert_true(strstr(reading.err.message, "ends early") != NULL);
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

static void bytes_that_are_no_text_are_told_what_is_read(void **state)
{
    struct buf buf = {0};

    (void)state;
    for (unsigned i = 0; i < 4000; i++)
        buf_add_char(&buf, i % 100 == 99 ? '\n' : (char)(128 + i * 7 % 64));
    assert_int_equal(reading_add_bytes(&reading, buf_str(&buf), 0),
                     CPROF_EFORMAT);
    assert_non_null(strstr(reading.err.message, "neither text nor"));
    assert_non_null(strstr(reading.err.message, "debug=0, 1 or 2"));
    assert_null(strstr(reading.err.message, "none of its"));
    assert_true(strlen(reading.err.message) < 320);
    assert_int_equal(reading_add(&reading, "caf\u00e9 \033[1mnoir\033[0m\n"),
                     CPROF_EFORMAT);
    assert_null(strstr(reading.err.message, "neither"));
    assert_non_null(strstr(reading.err.message, "SIGQUIT"));
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
        TEST(the_end_of_a_long_log_is_not_forgotten),
        TEST(nothing_that_was_packed_is_said_to_be_nothing),
        TEST(the_first_line_is_cut_and_escaped),
        TEST(bytes_that_are_no_text_are_told_what_is_read),
        TEST(nobody_needs_to_want_the_error),
        TEST(earlier_inputs_stay_when_a_later_one_fails),
        TEST(an_input_that_cannot_be_read_to_its_end_is_an_error),
        TEST(too_little_memory_to_begin_is_an_error),
        cmocka_unit_test(freeing_nothing_does_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

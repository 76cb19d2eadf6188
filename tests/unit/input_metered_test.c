#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "input/metered.h"

#include <cmocka.h>

/* What was told last, and how often. */
struct told {
    unsigned long long bytes;
    size_t n;
};

static void tell(void *user, const char *name, unsigned long long bytes)
{
    struct told *told = user;

    assert_string_equal(name, "dump.txt");
    assert_true(bytes > told->bytes);
    told->bytes = bytes;
    told->n++;
}

static void reading_tells_how_much_was_read(void **state)
{
    struct source_memory memory = {.rest = STR("0123456789"), .step = 4};
    struct metered metered;
    struct told told = {0};
    struct source source = source_metered(&metered, source_from_memory(&memory),
                                          "dump.txt", tell, &told);
    char into[16];

    (void)state;
    assert_int_equal(source.read(source.user, into, sizeof(into)), 4);
    assert_int_equal(told.bytes, 4);
    assert_int_equal(source.read(source.user, into, 3), 3);
    assert_int_equal(source.read(source.user, into, sizeof(into)), 3);
    assert_int_equal(source.read(source.user, into, sizeof(into)), 0);
    assert_int_equal(told.bytes, 10);
    assert_int_equal(told.n, 3);
    assert_null(source.trouble(source.user));
    source_close(&source);
}

/* Threads read parts of a file beside its source, which goes on behind them. */
static void what_was_stepped_over_counts(void **state)
{
    char path[] = "/tmp/metered-XXXXXX";
    int made = mkstemp(path);
    struct told told = {0};
    struct metered metered;
    struct source source;
    char into[16];
    int file;

    (void)state;
    assert_true(made >= 0);
    assert_int_equal(write(made, "0123456789", 10), 10);
    close(made);
    assert_int_equal(source_open(&source, path, NULL), 0);
    unlink(path);
    file = source_file(&source);
    assert_true(file >= 0);
    source = source_metered(&metered, source, "dump.txt", tell, &told);
    assert_int_equal(source.read(source.user, into, 2), 2);
    assert_int_equal(told.bytes, 2);
    assert_true(source_seek(file, 7));
    assert_int_equal(source.read(source.user, into, sizeof(into)), 3);
    assert_int_equal(told.bytes, 10);
    source_close(&source);
}

static int n_closed;

static void close_counted(void *user)
{
    (void)user;
    n_closed++;
}

static const char *troubled(void *user)
{
    (void)user;
    return "cut short";
}

static void what_is_behind_is_asked_and_closed(void **state)
{
    struct metered metered;
    struct source source = source_metered(
        &metered, (struct source){.close = close_counted, .trouble = troubled},
        "x", tell, NULL);

    (void)state;
    assert_string_equal(source.trouble(source.user), "cut short");
    source_close(&source);
    assert_int_equal(n_closed, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_tells_how_much_was_read),
        cmocka_unit_test(what_was_stepped_over_counts),
        cmocka_unit_test(what_is_behind_is_asked_and_closed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A source that fails under those that unpack and decode: its error is never
 * taken for an end, wherever it comes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "input/gzip.h"
#include "input/utf16.h"

#include <cmocka.h>

typedef int layer_fn(struct source *source, const char *name,
                     struct budget *budget, struct cprof_error *err);

/* "one\n" as `gzip -n` packs it. */
static const struct str packed =
    STR_INIT("\x1f\x8b\x08\0\0\0\0\0\0\x03\xcb\xcf\x4b\xe5\x02\0\x9f\xa8\x17"
             "\xf8\x04\0\0\0");

/* Gives what is in memory, and then fails. */
static ptrdiff_t read_failing(void *user, void *into, size_t size)
{
    struct source memory = source_from_memory(user);
    ptrdiff_t n = memory.read(memory.user, into, size);

    if (n)
        return n;
    errno = EIO;
    return -1;
}

/* Reads what comes before the failure, which must be said: by the layer when it
 * is put there, or by a read. */
static void expect_failure(layer_fn *layer, struct str bytes, size_t step,
                           struct str whole)
{
    struct source_memory memory = {bytes, step};
    struct source source = {.read = read_failing, .user = &memory};
    struct cprof_error err = {0};
    struct buf buf = {0};
    struct budget budget;
    char into[5];
    ptrdiff_t n;

    budget_init(&budget, 0);
    if (layer(&source, "input", &budget, &err) < 0) {
        assert_int_equal(err.code, CPROF_EIO);
        assert_non_null(strstr(err.message, "cannot read"));
        source_close(&source);
        assert_int_equal(budget.used, 0);
        return;
    }
    errno = 0;
    while ((n = source.read(source.user, into, sizeof(into))) > 0)
        buf_add(&buf, (struct str){into, (size_t)n});
    assert_int_equal(n, -1);
    assert_int_equal(errno, EIO);
    assert_true(str_starts(whole, buf_str(&buf)));
    source_close(&source);
    assert_int_equal(budget.used, 0);
    buf_done(&buf);
}

/* At each byte, and in pieces of some sizes. */
static void expect_failures(layer_fn *layer, struct str bytes, struct str whole)
{
    for (size_t len = 0; len <= bytes.len; len++) {
        for (size_t step = 1; step < 8; step += 3)
            expect_failure(layer, str_head(bytes, len), step, whole);
    }
}

static void expect_failures_between(struct str before, struct str after,
                                    const char *whole)
{
    struct buf buf = {0};

    buf_add(&buf, before);
    buf_add(&buf, packed);
    buf_add(&buf, after);
    expect_failures(gzip_unpack, buf_str(&buf), str_from(whole));
    buf_done(&buf);
}

static void unpacking_says_a_failure(void **state)
{
    (void)state;
    expect_failures_between(STR(""), STR(""), "one\n");
    expect_failures_between(STR(""), packed, "one\none\n");
    expect_failures_between(STR(""), STR("goroutine 1"), "one\ngoroutine 1");
    expect_failures(gzip_unpack, STR("goroutine 1"), STR("goroutine 1"));
}

static void unpacking_says_a_failure_in_headers(void **state)
{
    struct str headers = STR("HTTP/2 200\r\nServer: x\r\n\r\n");

    (void)state;
    expect_failures_between(headers, STR(""), "one\n");
    expect_failures(gzip_unpack, headers, headers);
}

static void decoding_says_a_failure(void **state)
{
    (void)state;
    expect_failures(utf16_decode, STR("\xff\xfeg\0o\0\x20\xac"),
                    STR("go\xea\xb0\xa0"));
    expect_failures(utf16_decode, STR("go"), STR("go"));
}

/* Memory that ends is an error of its own, and leaves nothing behind. */
static void a_layer_needs_memory(void **state)
{
    static layer_fn *const layers[] = {gzip_unpack, utf16_decode};

    (void)state;
    for (size_t i = 0; i < sizeof(layers) / sizeof(layers[0]); i++) {
        struct source_memory memory = {packed, 0};
        struct source source = source_from_memory(&memory);
        struct cprof_error err = {0};
        struct budget budget;

        budget_init(&budget, 64);
        assert_true(layers[i](&source, "input", &budget, &err) < 0);
        assert_int_equal(err.code, CPROF_ENOMEM);
        assert_int_equal(budget.used, 0);
        source_close(&source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unpacking_says_a_failure),
        cmocka_unit_test(unpacking_says_a_failure_in_headers),
        cmocka_unit_test(decoding_says_a_failure),
        cmocka_unit_test(a_layer_needs_memory),
    };

    return cmocka_run_group_tests_name("input_failing", tests, NULL, NULL);
}

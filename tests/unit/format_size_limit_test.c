/* The 64 MiB at which net/http/pprof cuts debug=2. */
#include <setjmp.h>
#include <stdarg.h>

#include "support/reading.h"

#include <cmocka.h>

#define LIMIT ((uint64_t)64 << 20)

enum { ARGUMENTS = 30000 };

/* A dump of endless goroutines, cut at a number of bytes, between two texts. */
struct endless {
    struct str before;
    struct str after;
    uint64_t id;      /* of the next goroutine */
    uint64_t left;    /* bytes of the dump to come */
    struct buf block; /* of the goroutine at hand */
    size_t at;
};

static ptrdiff_t take(struct str *text, void *into, size_t size)
{
    size_t n = text->len < size ? text->len : size;

    memcpy(into, text->ptr, n);
    *text = str_skip(*text, n);
    return (ptrdiff_t)n;
}

/* One goroutine; its line of arguments is long, so that there are few. */
static void make_block(struct endless *dump)
{
    buf_clear(&dump->block);
    buf_addf(&dump->block, "goroutine %llu [chan send]:\nmain.f(",
             (unsigned long long)dump->id++);
    buf_add_repeat(&dump->block, '1', ARGUMENTS);
    buf_add(&dump->block, STR(")\n\t/m.go:2 +0x1\ncreated by main.main\n"
                              "\t/m.go:3 +0x1\n\n"));
}

static ptrdiff_t read_endless(void *user, void *into, size_t size)
{
    struct endless *dump = user;
    char *to = into;
    size_t done = 0;

    if (dump->before.len)
        return take(&dump->before, into, size);
    if (!dump->left)
        return take(&dump->after, into, size);
    while (done < size && dump->left) {
        size_t n;

        if (dump->at == dump->block.len) {
            make_block(dump);
            dump->at = 0;
        }
        n = dump->block.len - dump->at;
        n = n < size - done ? n : size - done;
        n = n < dump->left ? n : (size_t)dump->left;
        memcpy(to + done, dump->block.ptr + dump->at, n);
        dump->at += n;
        dump->left -= n;
        done += n;
    }
    return (ptrdiff_t)done;
}

/* Reads a dump of so many bytes; whether it is said to be cut at 64 MiB. */
static bool is_cut(uint64_t bytes, const char *before, const char *after)
{
    struct endless dump = {.before = str_from(before),
                           .after = str_from(after),
                           .id = 1,
                           .left = bytes};
    struct reading reading;
    bool is_complete;
    bool found;

    reading_init(&reading);
    assert_int_equal(cprof_snapshots_read(reading.snapshots, "input",
                                          read_endless, &dump, NULL),
                     0);
    is_complete = snapshot_info_get(reading_snapshot(&reading, 0))->complete;
    found = diag_find(&reading.snapshots->diags, "cut-64mib") != NULL;
    assert_true(!found || !is_complete);
    assert_true(!found || !diag_find(&reading.snapshots->diags, "cut-tail"));
    reading_done(&reading);
    buf_done(&dump.block);
    return found;
}

static void a_dump_of_exactly_64_mib_was_cut_there(void **state)
{
    (void)state;
    assert_true(is_cut(LIMIT, "", ""));
}

static void any_other_size_is_an_ordinary_cut(void **state)
{
    (void)state;
    assert_false(is_cut(LIMIT + 40, "", ""));
    assert_false(is_cut(5000, "", ""));
}

static void the_dump_is_measured_and_not_what_stands_around_it(void **state)
{
    (void)state;
    assert_true(is_cut(LIMIT, "\xef\xbb\xbfstarting\n\n", "\n\nstopping\n"));
    assert_false(is_cut(LIMIT - 9, "starting\n", ""));
}

/* Inside a log the cut line is a line of its own. */
static void a_line_end_behind_the_cut_is_the_log_s(void **state)
{
    (void)state;
    assert_true(is_cut(LIMIT, "", "\n"));
    assert_true(is_cut(LIMIT, "", "\nstopping\nstopped\n"));
    assert_false(is_cut(LIMIT - 30, "", "\nstopping\nstopped\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dump_of_exactly_64_mib_was_cut_there),
        cmocka_unit_test(any_other_size_is_an_ordinary_cut),
        cmocka_unit_test(the_dump_is_measured_and_not_what_stands_around_it),
        cmocka_unit_test(a_line_end_behind_the_cut_is_the_log_s),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Every dump of the corpus comes back from a history as it went in. They are
 * stored in one transaction. */
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/storing.h"

#include <cmocka.h>

static struct storing storing;
static size_t n_compared;

/* Stores a snapshot, reads it back, and compares all that is known of both. */
static void compare(struct snapshot *snapshot, const char *path)
{
    struct reading back;
    struct buf before = {0};
    struct buf after = {0};
    struct store_added added;

    reading_init(&back);
    added = storing_add(&storing, path, snapshot, 1 + (int64_t)n_compared);
    assert_false(added.was_known);
    assert_int_equal(
        storing_read(&storing, &(struct store_query){.id = added.id}, 0, &back),
        1);
    storing_describe(&before, snapshot);
    storing_describe(&after, reading_snapshot(&back, 0));
    if (strcmp(before.ptr, after.ptr) != 0)
        fail_msg("%s differs:\n%s\n%s", path, before.ptr, after.ptr);
    assert_true(before.len > 100);
    assert_true(snapshot_info_get(reading_snapshot(&back, 0))->taken_ns ==
                (1 + (int64_t)n_compared) * 1000000000);
    buf_done(&before);
    buf_done(&after);
    reading_done(&back);
    n_compared++;
}

static int visit(const char *path, const struct stat *about, int kind,
                 struct FTW *place)
{
    struct reading reading;
    struct cprof_error err;

    (void)about;
    (void)place;
    if (kind != FTW_F)
        return 0;
    reading_init(&reading);
    /* What is no dump is refused; other tests say which. */
    if (cprof_snapshots_read_file(reading.snapshots, path, &err) == 0) {
        for (size_t i = 0; i < cprof_snapshots_count(reading.snapshots); i++)
            compare(reading_snapshot(&reading, i), path);
    }
    reading_done(&reading);
    return 0;
}

static void every_dump_comes_back(void **state)
{
    const char *fixtures = getenv("FIXTURES");

    (void)state;
    assert_non_null(fixtures);
    storing_init(&storing);
    assert_int_equal(store_begin(storing.store, &storing.err), 0);
    assert_int_equal(nftw(fixtures, visit, 16, FTW_PHYS), 0);
    assert_int_equal(store_commit(storing.store, &storing.err), 0);
    assert_true(n_compared > 500);
    assert_int_equal(store_verify(storing.store, &storing.err), 0);
    storing_done(&storing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dump_comes_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

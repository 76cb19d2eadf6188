/* What the addresses of connections tell of processes. */
#include <setjmp.h>
#include <stdarg.h>

#include "analysis/poll_places.h"
#include "analysis/restarts.h"
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

/* A dump of goroutines that wait at n addresses from there on, each step bytes
 * behind the one before. */
static const struct snapshot *add(uint64_t first, unsigned n, uint64_t step)
{
    struct buf dump = {0};
    size_t index = cprof_snapshots_count(reading.snapshots);

    for (unsigned i = 0; i < n; i++)
        buf_addf(&dump,
                 "goroutine %u [IO wait]:\n"
                 "internal/poll.runtime_pollWait(0x%llx, 0x72)\n"
                 "\t/go/netpoll.go:351 +0x85\n"
                 "main.f%u()\n\t/src/main.go:50 +0x1d\n\n",
                 i + 1, (unsigned long long)(first + i * step), i);
    assert_int_equal(reading_add(&reading, dump.ptr), 0);
    buf_done(&dump);
    return reading_snapshot(&reading, index);
}

static struct poll_places places_of(const struct snapshot *snapshot)
{
    struct poll_places places = {.count = 0};

    poll_places_add(&places, snapshot);
    return places;
}

static bool are_apart(const struct snapshot *a, const struct snapshot *b)
{
    struct poll_places places_a = places_of(a);
    struct poll_places places_b = places_of(b);
    bool apart = poll_places_are_apart(&places_a, &places_b);

    assert_true(poll_places_are_apart(&places_b, &places_a) == apart);
    return apart;
}

static void one_connection_that_stays_is_enough(void **state)
{
    const struct snapshot *a = add(0x7f3f20000000, 1, 0);
    const struct snapshot *b = add(0x7f3f20000000, 3, 0x10000000);

    (void)state;
    assert_int_equal(places_of(a).count, 1);
    assert_int_equal(places_of(b).count, 3);
    assert_false(are_apart(a, b));
    assert_true(are_apart(add(0x7f3f30000000, 1, 0), a));
    assert_false(are_apart(add(0x7f3f30000000, 1, 0), b));
}

static void without_connections_nothing_is_told(void **state)
{
    const struct snapshot *a = add(0x7f3f20000000, 1, 0);
    const struct snapshot *none;

    (void)state;
    assert_int_equal(
        reading_add(&reading, "goroutine 1 [select]:\nmain.f(0x7f0000000000)\n"
                              "\t/src/main.go:5 +0x1d\n"),
        0);
    none = reading_snapshot(&reading, 1);
    assert_int_equal(places_of(none).count, 0);
    assert_false(are_apart(a, none));
    assert_false(are_apart(none, none));
}

static void too_many_tell_nothing(void **state)
{
    const struct snapshot *most =
        add(0x7f3f20000000, POLL_PLACES_MOST, 0x100000);
    const struct snapshot *more =
        add(0x7f3f20000000, POLL_PLACES_MOST + 1, 0x100000);
    const struct snapshot *other = add(0x7e0000000000, 1, 0);

    (void)state;
    assert_true(are_apart(most, other));
    assert_false(are_apart(more, other));
}

static void memory_elsewhere_is_a_restart(void **state)
{
    const struct snapshot *before = add(0x7f3f20000000, 2, 0x118);
    const struct snapshot *same = add(0x7f3f20000118, 1, 0);
    const struct snapshot *after = add(0x7e0000000000, 3, 0x118);

    (void)state;
    assert_null(restart_between(before, same));
    assert_string_equal(restart_between(before, after),
                        "the runtime's memory lies at other addresses");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_connection_that_stays_is_enough),
        TEST(without_connections_nothing_is_told),
        TEST(too_many_tell_nothing),
        TEST(memory_elsewhere_is_a_restart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

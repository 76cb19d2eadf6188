/* A history as its users see it: what is stored once, in which order, what a
 * query means, what is dropped. store_corpus_test.c has what comes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "support/storing.h"

#include <cmocka.h>

enum { HOUR = 3600, DAY = 24 * HOUR, START = 1763700000 };

static struct storing storing;
static struct reading reading; /* of dumps that are to be stored */

static int set_up(void **state)
{
    (void)state;
    storing_init(&storing);
    reading_init(&reading);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    reading_done(&reading);
    storing_done(&storing);
    return 0;
}

/* A dump of so many goroutines, which have ids from first on. */
static struct snapshot *dump(unsigned count, unsigned first)
{
    struct buf text = {0};

    for (unsigned i = 0; i < count; i++)
        buf_addf(&text,
                 "goroutine %u [chan send, %u minutes]:\nmain.f(0xc000010000)\n"
                 "\t/m.go:%u +0x1d\ncreated by main.main in goroutine 1\n"
                 "\t/m.go:9 +0x1d\n\n",
                 first + i, 5 + i % 3, 1 + i % 2);
    assert_int_equal(reading_add(&reading, text.ptr), 0);
    buf_done(&text);
    return reading_snapshot(&reading,
                            cprof_snapshots_count(reading.snapshots) - 1);
}

static struct store_added add(const char *instance, unsigned count,
                              int64_t second)
{
    return storing_add(&storing, instance, dump(count, 10), second);
}

/* The numbers of the snapshots that a query means, with a blank between. */
static const char *ids(struct store_query query)
{
    static char text[4096];
    struct store_entry *entries;
    size_t used = 0;
    size_t n;

    assert_int_equal(store_list(storing.store, &query, &storing.arena, &entries,
                                &n, &storing.err),
                     0);
    text[0] = '\0';
    for (size_t i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%lld",
                                 i ? " " : "", (long long)entries[i].id);
    return text;
}

#define QUERY(...) ((struct store_query){__VA_ARGS__})

static void equal_dumps_of_one_moment_are_stored_once(void **state)
{
    struct store_added first = add("a", 5, START);
    struct store_added second = add("a", 5, START);

    (void)state;
    assert_false(first.was_known);
    assert_true(first.is_first);
    assert_true(second.was_known);
    assert_int_equal(second.id, first.id);
    assert_int_equal(second.segment, 1);
    assert_string_equal(ids(QUERY(0)), "1");
}

static void equal_dumps_of_two_moments_are_two(void **state)
{
    (void)state;
    add("a", 5, START);
    assert_false(add("a", 5, START + 1).was_known);
    assert_string_equal(ids(QUERY(0)), "1 2");
}

static void equal_files_are_one_whenever_they_are_given(void **state)
{
    struct store_snapshot wanted = {.snapshot = dump(5, 10),
                                    .taken_ns = START * 1000000000LL};
    struct store_added added;

    (void)state;
    assert_int_equal(store_add(storing.store, &wanted, &added, &storing.err),
                     0);
    assert_false(added.was_known);
    wanted.taken_ns += 1000000000;
    assert_int_equal(store_add(storing.store, &wanted, &added, &storing.err),
                     0);
    assert_true(added.was_known);
}

static void instances_are_apart(void **state)
{
    (void)state;
    add("b", 5, START);
    assert_false(add("a", 5, START).was_known);
    add("", 5, START);
    assert_string_equal(ids(QUERY(0)), "3 2 1");
    assert_string_equal(ids(QUERY(.has_instance = true, .instance = STR("b"))),
                        "1");
    assert_string_equal(ids(QUERY(.has_instance = true)), "3");
    assert_string_equal(ids(QUERY(.has_instance = true, .instance = STR("c"))),
                        "");
}

static void the_order_is_that_of_time(void **state)
{
    (void)state;
    add("a", 5, START + 20);
    add("a", 6, START);
    add("a", 7, START + 10);
    assert_string_equal(ids(QUERY(0)), "2 3 1");
}

static void times_are_kept_to_the_microsecond(void **state)
{
    struct store_snapshot wanted = {.snapshot = dump(5, 10),
                                    .taken_ns = 1763700000123456789};
    struct store_entry *entries;
    struct store_added added;
    size_t n;

    (void)state;
    assert_int_equal(store_add(storing.store, &wanted, &added, &storing.err),
                     0);
    assert_int_equal(store_list(storing.store, &QUERY(0), &storing.arena,
                                &entries, &n, &storing.err),
                     0);
    assert_true(entries[0].taken_ns == 1763700000123456000);
}

static void queries_narrow(void **state)
{
    const int64_t second = 1000000000;

    (void)state;
    for (unsigned i = 0; i < 6; i++)
        add("a", 5 + i, START + (int64_t)i * HOUR);
    assert_string_equal(ids(QUERY(.id = 3)), "3");
    assert_string_equal(ids(QUERY(.id = 99)), "");
    assert_string_equal(ids(QUERY(.newest = 2)), "5 6");
    assert_string_equal(ids(QUERY(.oldest = 2)), "1 2");
    assert_string_equal(ids(QUERY(.from_ns = (START + 3 * HOUR) * second)),
                        "4 5 6");
    assert_string_equal(ids(QUERY(.to_ns = (START + HOUR) * second)), "1 2");
    assert_string_equal(
        ids(QUERY(.to_ns = (START + HOUR) * second, .newest = 1)), "2");
    assert_string_equal(ids(QUERY(.span_ns = 2 * HOUR * second)), "4 5 6");
}

static void points_are_the_last_of_equal_parts(void **state)
{
    struct store_query query = {.points = 4};
    struct store_entry *entries;
    size_t n;

    (void)state;
    assert_int_equal(store_begin(storing.store, &storing.err), 0);
    for (unsigned i = 0; i < 200; i++)
        add("a", 5, START + (int64_t)i * 300);
    assert_int_equal(store_commit(storing.store, &storing.err), 0);
    assert_int_equal(store_list(storing.store, &query, &storing.arena, &entries,
                                &n, &storing.err),
                     0);
    /* Of 16.6 hours parts of 8.5; of the last hour parts of 32 minutes. */
    assert_in_range(n, 4, 6);
    assert_int_equal(entries[n - 1].id, 200);
}

static void a_new_segment_begins_where_it_is_said(void **state)
{
    struct store_snapshot wanted = {.instance = STR("a"),
                                    .taken_ns = (START + HOUR) * 1000000000LL,
                                    .is_new_segment = true};
    struct store_added added;

    (void)state;
    add("a", 5, START);
    wanted.snapshot = dump(3, 1);
    assert_int_equal(store_add(storing.store, &wanted, &added, &storing.err),
                     0);
    assert_int_equal(added.segment, 2);
    assert_false(added.is_first);
    assert_int_equal(add("a", 6, START + 2 * HOUR).segment, 2);
    /* What comes late belongs to its time. */
    assert_int_equal(add("a", 7, START + 60).segment, 1);
    assert_string_equal(ids(QUERY(.last_segment = true)), "2 3");
}

/* Which snapshots have evidence, newest first, by their distance. */
static void old_evidence_is_dropped(void **state)
{
    struct store_entry *entries;
    size_t n_recent = 0;
    size_t n_kept = 0;
    size_t n;

    (void)state;
    assert_int_equal(store_begin(storing.store, &storing.err), 0);
    for (unsigned i = 0; i < 12 * DAY / 900; i++)
        add("a", 5, START + (int64_t)i * 900);
    assert_int_equal(store_commit(storing.store, &storing.err), 0);
    assert_int_equal(store_list(storing.store, &QUERY(0), &storing.arena,
                                &entries, &n, &storing.err),
                     0);
    assert_int_equal(n, 12 * DAY / 900);
    for (size_t i = 0; i < n; i++) {
        n_kept += entries[i].has_evidence;
        n_recent += i + 24 >= n && entries[i].has_evidence;
        if (n - i > 9 * DAY / 900)
            assert_false(entries[i].has_evidence);
    }
    assert_int_equal(n_recent, 24);
    /* One an hour of eight days, and the newest. */
    assert_in_range(n_kept, 24 + 180, 24 + 195);
}

static void most_of_a_series_is_read_folded(void **state)
{
    struct reading back;
    size_t n_folded = 0;
    size_t n;

    (void)state;
    assert_int_equal(store_begin(storing.store, &storing.err), 0);
    for (unsigned i = 0; i < 300; i++)
        add("a", 5 + i % 7, START + (int64_t)i * 300);
    assert_int_equal(store_commit(storing.store, &storing.err), 0);
    reading_init(&back);
    assert_int_equal(storing_read(&storing, &QUERY(0), 10, &back), 300);
    for (size_t i = 0; i < 300; i++) {
        const struct snapshot *snapshot = reading_snapshot(&back, i);
        const struct folded_group *groups = snapshot_folded(snapshot, &n);
        uint64_t sum = 0;

        assert_int_equal(snapshot_info_get(snapshot)->total, 5 + i % 7);
        n_folded += groups != NULL;
        for (size_t g = 0; g < n; g++)
            sum += groups[g].count;
        assert_true(!groups || sum == 5 + i % 7);
    }
    assert_in_range(n_folded, 288, 294);
    assert_null(snapshot_folded(reading_snapshot(&back, 299), &n));
    reading_done(&back);
}

static void a_thinned_snapshot_is_read_with_its_groups(void **state)
{
    struct reading back;

    (void)state;
    assert_int_equal(store_begin(storing.store, &storing.err), 0);
    for (unsigned i = 0; i < 40; i++)
        add("a", 6, START + (int64_t)i * 60);
    assert_int_equal(store_commit(storing.store, &storing.err), 0);
    reading_init(&back);
    assert_int_equal(storing_read(&storing, &QUERY(.id = 2), 0, &back), 1);
    assert_string_equal(reading_groups(&back), "3 chan send: main.f /m.go:1\n"
                                               "3 chan send: main.f /m.go:2\n");
    assert_string_equal(reading_codes(&back), "thinned");
    assert_string_equal(snapshot_info(reading_snapshot(&back, 0))->source.ptr,
                        "history:api@a#2");
    reading_done(&back);
}

static void what_was_taken_back_is_not_there(void **state)
{
    (void)state;
    assert_int_equal(store_begin(storing.store, &storing.err), 0);
    add("a", 5, START);
    store_rollback(storing.store);
    assert_string_equal(ids(QUERY(0)), "");
    assert_int_equal(store_begin(storing.store, &storing.err), 0);
    add("a", 5, START);
    storing_close(&storing);
    assert_int_equal(storing_open(&storing, STORE_WRITE), 0);
    assert_string_equal(ids(QUERY(0)), "");
}

static void stacks_and_names_are_stored_once(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 5; i++)
        add("a", 5 + i, START + i);
    assert_int_equal(storing_ask(&storing, "SELECT count(*) FROM stack"), 3);
    assert_int_equal(
        storing_ask(&storing,
                    "SELECT count(*) FROM text WHERE text = x'6d61696e2e66'"),
        1);
}

static uint64_t prune(struct store_limits limits)
{
    uint64_t dropped = 0;

    if (store_prune(storing.store, &limits, &dropped, &storing.err) < 0)
        fail_msg("%s", storing.err.message);
    return dropped;
}

static void pruning_drops_by_age_and_number(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 6; i++)
        add(i % 2 ? "a" : "b", 5 + i, START + i * HOUR);
    assert_int_equal(prune((struct store_limits){
                         .before_ns = (START + 2 * HOUR) * 1000000000LL}),
                     2);
    assert_string_equal(ids(QUERY(0)), "4 6 3 5");
    assert_int_equal(prune((struct store_limits){.keep = 1,
                                                 .has_instance = true,
                                                 .instance = STR("a")}),
                     1);
    assert_string_equal(ids(QUERY(0)), "6 3 5");
}

static void the_newest_snapshot_always_stays(void **state)
{
    (void)state;
    add("a", 5, START);
    add("a", 6, START + 1);
    assert_int_equal(prune((struct store_limits){.before_ns = INT64_MAX}), 1);
    assert_string_equal(ids(QUERY(0)), "2");
}

static void pruning_drops_names_that_nobody_uses(void **state)
{
    struct reading back;

    (void)state;
    add("a", 5, START);
    assert_int_equal(reading_add(&reading, "goroutine 7 [select]:\nother.g()\n"
                                           "\t/o.go:1 +0x1d\n\n"),
                     0);
    storing_add(&storing, "a", reading_snapshot(&reading, 1), START + 1);
    assert_int_equal(prune((struct store_limits){.keep = 1, .compact = true}),
                     1);
    assert_int_equal(storing_ask(&storing, "SELECT count(*) FROM stack"), 1);
    assert_int_equal(storing_ask(&storing,
                                 "SELECT count(*) FROM text WHERE text = "
                                 "CAST('main.f' AS BLOB)"),
                     0);
    assert_int_equal(store_verify(storing.store, &storing.err), 0);
    reading_init(&back);
    storing_read(&storing, &QUERY(0), 0, &back);
    assert_string_equal(reading_groups(&back), "1 select: other.g /o.go:1\n");
    reading_done(&back);
}

static void alerts_are_kept_as_they_are_given(void **state)
{
    struct store_alert alerts[] = {
        {.key = STR("k2"), .state = STR("pending")},
        {.key = STR("k1"),
         .state = STR("firing"),
         .rule = STR("chan-send-blocked"),
         .severity = STR("high"),
         .site = STR("main.f /m.go:1"),
         .text = STR("100 goroutines"),
         .data = {"\0\xff", 2},
         .held = 3,
         .missed = 1,
         .count = UINT64_MAX,
         .first_ns = 1000,
         .last_ns = 2000,
         .changed_ns = 3000,
         .sent_ns = 4000},
    };
    struct store_alert *back;
    size_t n;

    (void)state;
    assert_int_equal(
        store_alerts_write(storing.store, STR("a"), alerts, 2, &storing.err),
        0);
    assert_int_equal(store_alerts_read(storing.store, STR("a"), &storing.arena,
                                       &back, &n, &storing.err),
                     0);
    assert_int_equal(n, 2);
    assert_true(str_equal(back[0].key, STR("k1")));
    assert_true(str_equal(back[0].state, STR("firing")));
    assert_true(str_equal(back[0].rule, STR("chan-send-blocked")));
    assert_true(str_equal(back[0].severity, STR("high")));
    assert_true(str_equal(back[0].site, STR("main.f /m.go:1")));
    assert_true(str_equal(back[0].text, STR("100 goroutines")));
    assert_true(str_equal(back[0].data, alerts[1].data));
    assert_int_equal(back[0].held, 3);
    assert_int_equal(back[0].missed, 1);
    assert_true(back[0].count == INT64_MAX);
    assert_int_equal(back[0].first_ns, 1000);
    assert_int_equal(back[0].last_ns, 2000);
    assert_int_equal(back[0].changed_ns, 3000);
    assert_int_equal(back[0].sent_ns, 4000);
    assert_int_equal(
        store_alerts_write(storing.store, STR("a"), alerts, 1, &storing.err),
        0);
    assert_int_equal(store_alerts_read(storing.store, STR("a"), &storing.arena,
                                       &back, &n, &storing.err),
                     0);
    assert_int_equal(n, 1);
    assert_int_equal(store_alerts_read(storing.store, STR("b"), &storing.arena,
                                       &back, &n, &storing.err),
                     0);
    assert_int_equal(n, 0);
}

static void instances_with_alerts_are_listed(void **state)
{
    struct store_alert alert = {
        .key = STR("k"), .state = STR("firing"), .rule = STR("r")};
    struct str *names;
    size_t n;

    (void)state;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(store_alerts_write(storing.store,
                                            str_head(STR("abc"), i + 1), &alert,
                                            i != 1, &storing.err),
                         0);
    assert_int_equal(store_alerts_instances(storing.store, &storing.arena,
                                            &names, &n, &storing.err),
                     0);
    assert_int_equal(n, 2);
    assert_true(str_equal(names[0], STR("a")));
    assert_true(str_equal(names[1], STR("abc")));
}

static struct store_instance only_instance(void)
{
    struct store_instance *instances;
    size_t n;

    assert_int_equal(store_instances(storing.store, &storing.arena, &instances,
                                     &n, &storing.err),
                     0);
    assert_int_equal(n, 1);
    return instances[0];
}

static void runs_are_remembered(void **state)
{
    struct store_instance instance;

    (void)state;
    assert_int_equal(store_run_write(storing.store, STR("a"), 5000000,
                                     STR("refused"), &storing.err),
                     0);
    instance = only_instance();
    assert_int_equal(instance.snapshots, 0);
    assert_int_equal(instance.last_run_ns, 5000000);
    assert_int_equal(instance.last_success_ns, 0);
    assert_int_equal(instance.last_error_ns, 5000000);
    assert_true(str_equal(instance.last_error, STR("refused")));
    assert_int_equal(store_run_write(storing.store, STR("a"), 6000000, STR(""),
                                     &storing.err),
                     0);
    add("a", 5, START);
    instance = only_instance();
    assert_int_equal(instance.snapshots, 1);
    assert_int_equal(instance.segments, 1);
    assert_int_equal(instance.last_run_ns, 6000000);
    assert_int_equal(instance.last_success_ns, 6000000);
    assert_int_equal(instance.last_error_ns, 5000000);
    assert_int_equal(instance.last_error.len, 0);
    assert_true(instance.first_ns == START * 1000000000LL);
    assert_true(str_equal(instance.address, STR("dump.txt")));
    assert_true(instance.bytes > 50);
}

static void too_little_memory_is_said_and_keeps_what_fits(void **state)
{
    struct reading back;

    (void)state;
    add("a", 50, START);
    reading_init_limited(&back, "4k");
    assert_int_equal(store_read(storing.store, &QUERY(0), 0, back.snapshots,
                                NULL, &storing.err),
                     CPROF_ENOMEM);
    assert_true(strlen(storing.err.message) > 0);
    reading_done(&back);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(equal_dumps_of_one_moment_are_stored_once),
        TEST(equal_dumps_of_two_moments_are_two),
        TEST(equal_files_are_one_whenever_they_are_given),
        TEST(instances_are_apart),
        TEST(the_order_is_that_of_time),
        TEST(times_are_kept_to_the_microsecond),
        TEST(queries_narrow),
        TEST(points_are_the_last_of_equal_parts),
        TEST(a_new_segment_begins_where_it_is_said),
        TEST(old_evidence_is_dropped),
        TEST(most_of_a_series_is_read_folded),
        TEST(a_thinned_snapshot_is_read_with_its_groups),
        TEST(what_was_taken_back_is_not_there),
        TEST(stacks_and_names_are_stored_once),
        TEST(pruning_drops_by_age_and_number),
        TEST(the_newest_snapshot_always_stays),
        TEST(pruning_drops_names_that_nobody_uses),
        TEST(alerts_are_kept_as_they_are_given),
        TEST(instances_with_alerts_are_listed),
        TEST(runs_are_remembered),
        TEST(too_little_memory_is_said_and_keeps_what_fits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Groups over snapshots: what is added up, and what is not. */
#include <setjmp.h>
#include <stdarg.h>

#include "analysis/analysis.h"
#include "support/reading.h"

#include <cmocka.h>

static struct reading reading;
static struct analysis *analysis;

static int set_up(void **state)
{
    (void)state;
    reading_init(&reading);
    analysis = NULL;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    analysis_free(analysis);
    reading_done(&reading);
    return 0;
}

static void add(const char *text)
{
    assert_int_equal(reading_add(&reading, text), 0);
}

static void analyse(void)
{
    assert_int_equal(analysis_new(&analysis, reading.snapshots, NULL), 0);
}

/* The group whose site is a function; it must be there once. */
static struct joined_group *group_at(const char *function)
{
    struct symbols *symbols = reading.snapshots->symbols;
    struct joined_group *found = NULL;

    for (size_t i = 0; i < analysis_n_groups(analysis); i++) {
        struct joined_group *group = analysis_group(analysis, i);
        struct stack stack = symbols_stack(symbols, group->stack);

        if (group->site < 0 ||
            !str_equal(symbols_function(symbols, stack.frames[group->site]),
                       str_from(function)))
            continue;
        assert_null(found);
        found = group;
    }
    assert_non_null(found);
    return found;
}

static const char sender[] = "[chan send, 2 minutes]:\n"
                             "main.send(0x1)\n"
                             "\t/src/main.go:17 +0x1d\n"
                             "created by main.main in goroutine 1\n"
                             "\t/src/main.go:9 +0x2c\n\n";

static const char reader[] = "[IO wait]:\n"
                             "internal/poll.runtime_pollWait(0x1, 0x72)\n"
                             "\t/go/netpoll.go:351 +0x85\n"
                             "net.(*conn).Read(0xc000010000)\n"
                             "\t/go/net.go:194 +0x45\n"
                             "main.read(0x1)\n"
                             "\t/src/main.go:30 +0x1d\n"
                             "created by main.accept in goroutine 1\n"
                             "\t/src/main.go:19 +0x2c\n\n";

/* Goroutines of one kind with ids from first on. */
static void add_goroutines(struct buf *buf, const char *kind, unsigned first,
                           unsigned n)
{
    for (unsigned id = first; id < first + n; id++)
        buf_addf(buf, "goroutine %u %s", id, kind);
}

/* A dump of a process: ten senders and five readers. */
static void add_process(struct buf *buf, unsigned first)
{
    add_goroutines(buf, sender, first, 10);
    add_goroutines(buf, reader, first + 10, 5);
}

static void a_joined_group_says_all_that_is_known(void **state)
{
    struct buf buf = {0};
    struct joined_group *group;

    (void)state;
    add_process(&buf, 100);
    add(buf.ptr);
    analyse();
    assert_int_equal(analysis_n_groups(analysis), 2);
    assert_int_equal(analysis_total(analysis), 15);
    assert_true(analysis_has_goroutines(analysis));
    group = group_at("main.send");
    assert_ptr_equal(group, analysis_group(analysis, 0));
    assert_int_equal(group->count, 10);
    assert_int_equal(joined_count(group, 0), 10);
    assert_int_equal(group->leaf, 0);
    assert_int_equal(group->state, STATE_CHAN_SEND);
    assert_int_equal(group->state_source, STATE_FROM_HEADER);
    assert_true(analysis_share(analysis, group) > 0.666 &&
                analysis_share(analysis, group) < 0.667);
    assert_int_equal(group->facts->n_ids, 10);
    assert_int_equal(group->facts->id_min, 100);
    assert_int_equal(group->facts->id_max, 109);
    assert_int_equal(group->facts->evidence->ids.count, 10);
    assert_int_equal(group->facts->evidence->ids.ids[0], 100);
    assert_true(joined_has_wait(group));
    assert_int_equal(joined_wait_median(group), 2);
    assert_true(group->created_by != FRAME_NONE);
    assert_int_equal(group_at("main.read")->site, 2);
    assert_false(joined_has_wait(group_at("main.read")));
    buf_done(&buf);
}

static void the_same_dump_twice_counts_once(void **state)
{
    struct buf buf = {0};

    (void)state;
    add_process(&buf, 100);
    add(buf.ptr);
    add(buf.ptr);
    analyse();
    assert_false(analysis_is_judged(analysis, 0));
    assert_true(analysis_is_judged(analysis, 1));
    assert_int_equal(analysis_n_groups(analysis), 2);
    assert_int_equal(analysis_total(analysis), 15);
    assert_int_equal(group_at("main.send")->count, 10);
    assert_int_equal(joined_count(group_at("main.send"), 0), 10);
    assert_string_equal(reading_codes(&reading), "same-dump");
    buf_done(&buf);
}

/* Idle replicas have the same stacks in the same numbers, and what crashes as
 * soon as it began has the same ids too. */
static void what_no_ids_tell_apart_is_added_up(void **state)
{
    static const char *const dumps[] = {
        "goroutine profile: total 5\n"
        "5 @ 0x1 0x5\n#\t0x4\tmain.send+0x1\t/m.go:1\n\n",
        "goroutine 7 [select]:\nmain.send()\n\t/m.go:1 +0x1\n",
        "panic: one\n\n"
        "goroutine 1 [running]:\nmain.main()\n\t/m.go:9 +0x1d\n\n"
        "goroutine 7 [select]:\nmain.send()\n\t/m.go:1 +0x1\n\n"
        "goroutine 8 [select]:\nmain.send()\n\t/m.go:1 +0x1\n\n"
        "goroutine 9 [select]:\nmain.send()\n\t/m.go:1 +0x1\n\n",
    };

    for (size_t i = 0; i < sizeof(dumps) / sizeof(dumps[0]); i++) {
        uint64_t total;

        add(dumps[i]);
        analyse();
        total = analysis_total(analysis);
        tear_down(state);
        set_up(state);
        add(dumps[i]);
        add(dumps[i]);
        analyse();
        assert_int_equal(analysis_total(analysis), 2 * total);
        assert_int_equal(joined_count(group_at("main.send"), 0),
                         joined_count(group_at("main.send"), 1));
        assert_string_equal(reading_codes(&reading), "same-dump");
        tear_down(state);
        set_up(state);
    }
}

static void instances_with_other_ids_are_added_up(void **state)
{
    struct buf buf = {0};

    (void)state;
    add_process(&buf, 100);
    add(buf.ptr);
    buf_clear(&buf);
    add_goroutines(&buf, sender, 5000, 3);
    add(buf.ptr);
    analyse();
    assert_int_equal(analysis_total(analysis), 18);
    assert_int_equal(group_at("main.send")->count, 13);
    assert_int_equal(joined_count(group_at("main.send"), 1), 3);
    assert_int_equal(joined_count(group_at("main.read"), 1), 0);
    assert_int_equal(group_at("main.send")->facts->id_max, 5002);
    assert_string_equal(reading_codes(&reading), "");
    buf_done(&buf);
}

static void one_process_at_two_times_is_not_added_up(void **state)
{
    struct buf buf = {0};

    (void)state;
    add_process(&buf, 100);
    add(buf.ptr);
    add_goroutines(&buf, sender, 200, 4);
    add(buf.ptr);
    analyse();
    assert_false(analysis_is_judged(analysis, 0));
    assert_true(analysis_is_judged(analysis, 1));
    assert_int_equal(analysis_total(analysis), 19);
    assert_int_equal(group_at("main.send")->count, 14);
    assert_int_equal(joined_count(group_at("main.send"), 0), 10);
    assert_string_equal(reading_codes(&reading), "same-process");
    buf_done(&buf);
}

/* Adds a dump in the log of a pod. */
static void add_to_log(struct buf *log, const char *pod, const struct buf *dump)
{
    struct str rest = buf_str(dump);

    while (rest.len) {
        struct str line = str_head(rest, str_find(rest, '\n') + 1);

        buf_addf(log, "[pod/%s/web] " STR_FORMAT, pod, STR_ARG(line));
        rest = str_skip(rest, line.len);
    }
}

/* Replicas that do nothing have the goroutines of their start, with ids and
 * creators. */
static void pods_with_the_same_ids_are_added_up(void **state)
{
    struct buf dump = {0};
    struct buf log = {0};

    (void)state;
    add_process(&dump, 100);
    add_to_log(&log, "api-1", &dump);
    add_goroutines(&dump, sender, 200, 4);
    add_to_log(&log, "api-2", &dump);
    add(log.ptr);
    analyse();
    assert_int_equal(analysis_total(analysis), 34);
    assert_int_equal(joined_count(group_at("main.send"), 0), 10);
    assert_int_equal(joined_count(group_at("main.send"), 1), 14);
    assert_string_equal(reading_codes(&reading), "");
    buf_done(&dump);
    buf_done(&log);
}

/* A dump whose 15 goroutines have these ids and a listener that waits there. */
static void add_dump(struct buf *dump, unsigned first, const char *poll_desc)
{
    add_process(dump, 100);
    buf_addf(dump,
             "goroutine %u [IO wait]:\n"
             "internal/poll.runtime_pollWait(%s, 0x72)\n"
             "\t/go/netpoll.go:351 +0x85\n"
             "main.listen()\n\t/src/main.go:50 +0x1d\n\n",
             first, poll_desc);
}

static void add_listening(unsigned first, const char *poll_desc)
{
    struct buf dump = {0};

    add_dump(&dump, first, poll_desc);
    add(dump.ptr);
    buf_done(&dump);
}

/* What the runtime maps lies elsewhere in each process. */
static void pointers_outside_of_the_heap_tell_processes(void **state)
{
    static const struct {
        const char *first;
        const char *second;
        uint64_t total;
        const char *codes;
    } cases[] = {
        {"0x7f3f2244fef8", "0x7f3f2244fef8", 16, "same-process"},
        {"0x7f3f2244fef8", "0x7f3f22450010", 16, "same-process"},
        {"0x7f3f3fffff00", "0x7f3f40000000", 16, "same-process"},
        {"0x7f3f2244fef8", "0x7f66b9c79000", 32, ""},
        {"0x7f66b9c79000", "0x7f3f2244fef8", 32, ""},
        /* Perhaps left over, so it tells nothing. */
        {"0x7f3f2244fef8", "0x7f66b9c79000?", 16, "same-process"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        add_listening(1, cases[i].first);
        add_listening(2, cases[i].second);
        analyse();
        assert_int_equal(analysis_total(analysis), cases[i].total);
        assert_string_equal(reading_codes(&reading), cases[i].codes);
        tear_down(state);
        set_up(state);
    }
}

/* Replicas that were asked in turn, into one file. */
static void other_processes_before_the_judged_one_are_said(void **state)
{
    static const char *const poll_descs[] = {"0x7f3f2244fef8", "0x7f66b9c79000",
                                             "0x7f66b9c79118"};
    const struct diag *diag;
    struct buf all = {0};

    (void)state;
    for (size_t i = 0; i < 3; i++)
        add_dump(&all, 1, poll_descs[i]);
    add(all.ptr);
    analyse();
    assert_int_equal(analysis_total(analysis), 16);
    assert_string_equal(reading_codes(&reading), "other-processes");
    diag = diag_find(&reading.snapshots->diags, "other-processes");
    assert_true(str_starts(diag->message, STR("1 dump before this one")));
    buf_done(&all);
}

/* What crashes soon after it began has the ids of others that did. */
static void processes_that_died_are_added_up(void **state)
{
    struct buf log = {0};

    (void)state;
    buf_add(&log, STR("panic: one\n\ngoroutine 1 [running]:\nmain.main()\n"
                      "\t/src/main.go:9 +0x1d\n\n"));
    add_process(&log, 100);
    add(log.ptr);
    add_goroutines(&log, sender, 200, 4);
    add(log.ptr);
    analyse();
    assert_int_equal(analysis_total(analysis), 36);
    assert_string_equal(reading_codes(&reading), "");
    buf_done(&log);
}

/* Goroutines in as many stacks, by functions of one process. */
static void add_stacks(struct buf *buf, unsigned first, unsigned n,
                       unsigned process)
{
    for (unsigned id = first; id < first + n; id++)
        buf_addf(buf,
                 "goroutine %u [select]:\nmain.f%u()\n\t/m.go:1 +0x1\n"
                 "created by main.start%u\n\t/m.go:2 +0x1\n\n",
                 id, id, process);
}

static void a_sample_of_many_ids_tells_one_process(void **state)
{
    struct buf buf = {0};

    (void)state;
    add_stacks(&buf, 100, 5000, 1);
    add(buf.ptr);
    add_stacks(&buf, 9000, 3000, 1);
    add(buf.ptr);
    buf_clear(&buf);
    add_stacks(&buf, 100, 5000, 2);
    add(buf.ptr);
    analyse();
    assert_false(analysis_is_judged(analysis, 0));
    assert_true(analysis_is_judged(analysis, 1));
    assert_true(analysis_is_judged(analysis, 2));
    assert_int_equal(analysis_total(analysis), 13000);
    assert_string_equal(reading_codes(&reading), "same-process");
    buf_done(&buf);
}

static const char as_profile[] =
    "goroutine profile: total 15\n"
    "10 @ 0x439ec5 0x4059aa 0x405755 0x7750bc 0x46e881\n"
    "#\t0x7750bb\tmain.send+0x1d\t/src/main.go:17\n"
    "\n"
    "5 @ 0x439ec5 0x4059aa 0x4060bc 0x4070bc 0x4080bc 0x46e881\n"
    "#\t0x4060bb\tinternal/poll.runtime_pollWait+0x85\t/go/netpoll.go:351\n"
    "#\t0x4070bb\tnet.(*conn).Read+0x45\t/go/net.go:194\n"
    "#\t0x4080bb\tmain.read+0x1d\t/src/main.go:30\n\n";

static void one_process_in_two_formats_is_not_added_up(void **state)
{
    struct buf buf = {0};

    (void)state;
    add_process(&buf, 100);
    add(buf.ptr);
    add(as_profile);
    analyse();
    assert_false(analysis_is_judged(analysis, 0));
    assert_true(analysis_is_judged(analysis, 1));
    assert_int_equal(analysis_total(analysis), 15);
    assert_string_equal(reading_codes(&reading), "same-process");
    buf_done(&buf);
}

static void small_dumps_in_two_formats_are_not_one_process(void **state)
{
    (void)state;
    add("goroutine 7 [select]:\nmain.f()\n\t/m.go:1 +0x1\n");
    add("goroutine profile: total 2\n"
        "2 @ 0x1 0x5\n#\t0x4\tmain.g+0x1\t/m.go:1\n\n");
    analyse();
    assert_int_equal(analysis_total(analysis), 3);
    assert_string_equal(reading_codes(&reading), "");
}

static void of_moments_the_last_complete_one_is_judged(void **state)
{
    struct buf buf = {0};

    (void)state;
    for (unsigned i = 1; i <= 3; i++) {
        buf_addf(&buf,
                 "goroutine 1 [running]:\nmain.dump()\n"
                 "\t/src/main.go:%u +0x1\n\n",
                 i);
        add_goroutines(&buf, sender, 10, i * 10);
    }
    buf_add(&buf, STR("goroutine 77 [chan send]:\nmain.send(0x1"));
    add(buf.ptr);
    assert_int_equal(cprof_snapshots_count(reading.snapshots), 3);
    analyse();
    assert_false(analysis_is_judged(analysis, 0));
    assert_true(analysis_is_judged(analysis, 1));
    assert_false(analysis_is_judged(analysis, 2));
    assert_int_equal(analysis_total(analysis), 21);
    assert_int_equal(group_at("main.send")->count, 20);
    assert_int_equal(joined_count(group_at("main.send"), 0), 10);
    assert_int_equal(joined_count(group_at("main.send"), 2), 30);
    buf_done(&buf);
}

static void a_cut_dump_alone_is_judged(void **state)
{
    (void)state;
    add("goroutine 7 [select]:\nmain.f()\n\t/m.go:1 +0x1\nmain.g(0x");
    analyse();
    assert_true(analysis_is_judged(analysis, 0));
    assert_int_equal(group_at("main.f")->count, 1);
}

static void shares_are_of_what_the_header_declares(void **state)
{
    (void)state;
    add("goroutine profile: total 97926\n"
        "97908 @ 0x1 0x5\n#\t0x4\tmain.f+0x1\t/m.go:1\n\n");
    analyse();
    assert_int_equal(analysis_goroutines(analysis, 0), 97926);
    assert_int_equal(analysis_total(analysis), 97926);
    assert_true(analysis_share(analysis, group_at("main.f")) > 0.99981);
    assert_true(analysis_share(analysis, group_at("main.f")) < 0.99982);
}

static void records_that_only_their_addresses_part_are_joined(void **state)
{
    (void)state;
    add("goroutine profile: total 5\n"
        "3 @ 0x439ec5 0x4059aa 0x7750bc 0x46e881\n"
        "#\t0x7750bb\tmain.f+0x1\t/m.go:1\n"
        "\n"
        "2 @ 0x439ec5 0x4059aa 0x7750bc 0x46e999\n"
        "#\t0x7750bb\tmain.f+0x1\t/m.go:1\n\n");
    analyse();
    assert_int_equal(analysis_n_groups(analysis), 1);
    assert_int_equal(group_at("main.f")->count, 5);
}

static void goroutines_that_say_no_minutes_lower_the_median(void **state)
{
    struct buf buf = {0};

    (void)state;
    for (unsigned id = 10; id < 20; id++)
        buf_addf(&buf, "goroutine %u [select%s]:\nmain.f()\n\t/m.go:1 +0x1\n\n",
                 id, id < 13 ? ", 7 minutes" : "");
    add(buf.ptr);
    analyse();
    assert_int_equal(group_at("main.f")->facts->wait_min, 0);
    assert_int_equal(group_at("main.f")->facts->wait_max, 7);
    assert_int_equal(joined_wait_median(group_at("main.f")), 0);
    buf_done(&buf);
}

static void marks_are_added_up(void **state)
{
    (void)state;
    add("goroutine 7 [select (leaked)]:\nmain.f()\n\t/m.go:1 +0x1\n\n"
        "goroutine 8 [select, locked to thread]:\nmain.f()\n\t/m.go:1 +0x1\n");
    add("goroutine 97 [select (leaked)]:\nmain.f()\n\t/m.go:1 +0x1\n");
    analyse();
    assert_int_equal(group_at("main.f")->count, 3);
    assert_int_equal(joined_extra(group_at("main.f"))->leaked, 2);
    assert_int_equal(joined_extra(group_at("main.f"))->locked, 1);
}

static void groups_of_equal_size_stand_in_order_of_their_id(void **state)
{
    (void)state;
    add("goroutine 7 [select]:\nmain.f()\n\t/m.go:1 +0x1\n\n"
        "goroutine 8 [select]:\nmain.g()\n\t/m.go:1 +0x1\n\n"
        "goroutine 9 [select]:\nmain.h()\n\t/m.go:1 +0x1\n");
    analyse();
    assert_int_equal(analysis_n_groups(analysis), 3);
    for (size_t i = 1; i < 3; i++) {
        struct signature a = analysis_group(analysis, i - 1)->id;
        struct signature b = analysis_group(analysis, i)->id;

        assert_true(a.high < b.high || (a.high == b.high && a.low < b.low));
    }
}

static void threads_alone_are_no_goroutines(void **state)
{
    (void)state;
    add("threadcreate profile: total 7\n7 @\n#\t0x0\n\n");
    analyse();
    assert_false(analysis_has_goroutines(analysis));
}

static void an_empty_profile_has_no_group(void **state)
{
    (void)state;
    add("goroutineleak profile: total 0\n");
    analyse();
    assert_int_equal(analysis_n_groups(analysis), 0);
    assert_int_equal(analysis_total(analysis), 0);
    assert_true(analysis_has_goroutines(analysis));
}

static void beyond_the_memory_limit_no_goroutine_is_lost(void **state)
{
    struct buf buf = {0};
    uint64_t sum = 0;

    (void)state;
    reading_done(&reading);
    reading_init_limited(&reading, "8M");
    for (unsigned i = 1; i <= 100000; i++)
        buf_addf(&buf,
                 "goroutine %u [select]:\nmain.f%u()\n\t/m.go:%u +0x1\n\n", i,
                 i, i % 977 + 1);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&buf), 0), 0);
    analyse();
    for (size_t i = 0; i < analysis_n_groups(analysis); i++)
        sum += analysis_group(analysis, i)->count;
    assert_true(sum > 1000);
    assert_int_equal(sum + snapshot_info(reading_snapshot(&reading, 0))->other,
                     100000);
    buf_done(&buf);
}

static void freeing_nothing_does_nothing(void **state)
{
    (void)state;
    analysis_free(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_joined_group_says_all_that_is_known),
        TEST(the_same_dump_twice_counts_once),
        TEST(what_no_ids_tell_apart_is_added_up),
        TEST(instances_with_other_ids_are_added_up),
        TEST(one_process_at_two_times_is_not_added_up),
        TEST(pods_with_the_same_ids_are_added_up),
        TEST(pointers_outside_of_the_heap_tell_processes),
        TEST(other_processes_before_the_judged_one_are_said),
        TEST(processes_that_died_are_added_up),
        TEST(a_sample_of_many_ids_tells_one_process),
        TEST(one_process_in_two_formats_is_not_added_up),
        TEST(small_dumps_in_two_formats_are_not_one_process),
        TEST(of_moments_the_last_complete_one_is_judged),
        TEST(a_cut_dump_alone_is_judged),
        TEST(shares_are_of_what_the_header_declares),
        TEST(records_that_only_their_addresses_part_are_joined),
        TEST(goroutines_that_say_no_minutes_lower_the_median),
        TEST(marks_are_added_up),
        TEST(groups_of_equal_size_stand_in_order_of_their_id),
        TEST(threads_alone_are_no_goroutines),
        TEST(an_empty_profile_has_no_group),
        TEST(beyond_the_memory_limit_no_goroutine_is_lost),
        cmocka_unit_test(freeing_nothing_does_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

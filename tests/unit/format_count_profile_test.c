/* debug=1 of goroutine, goroutineleak, threadcreate and own profiles, through
 * the driver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "support/one_reading.h"

#include <cmocka.h>

static const struct snapshot_info *info_at(size_t index)
{
    return snapshot_info(reading_snapshot(&reading, index));
}

static const char plain[] =
    "goroutine profile: total 503\n"
    "500 @ 0x439ec5 0x4059aa 0x405755 0x7750bc 0x775225 0x46e881\n"
    "#\t0x7750bb\tmain.(*httpBackend).Do+0x3b\t/srv/a b/main.go:21\n"
    "#\t0x775224\tmain.(*proxy).fetch+0xc4\t\t/srv/a b/main.go:35\n"
    "\n"
    "2 @ 0x439ec5 0x4059aa 0x775225 0x46e881\n"
    "# labels: {\"tenant\":\"acme\", \"x\":\"\"}\n"
    "#\t0x775224\tmain.(*proxy).fetch+0xc4\t\t/srv/a b/main.go:35\n"
    "\n"
    "1 @ 0x46bac1\n"
    "\n";

static const char plain_groups[] =
    "500 unknown: main.(*httpBackend).Do /srv/a b/main.go:21, "
    "main.(*proxy).fetch /srv/a b/main.go:35\n"
    "2 unknown: main.(*proxy).fetch /srv/a b/main.go:35\n"
    "1 unknown:\n";

static void records_become_groups_with_their_counts(void **state)
{
    struct snapshot *snapshot;
    const struct hidden *hidden;

    (void)state;
    expect(plain, plain_groups, "");
    snapshot = reading_snapshot(&reading, 0);
    assert_string_equal(info_at(0)->format, "debug1");
    assert_int_equal(info_at(0)->kind, PROFILE_GOROUTINE);
    assert_true(info_at(0)->has_declared && info_at(0)->complete);
    assert_int_equal(info_at(0)->declared, 503);
    assert_int_equal(info_at(0)->total, 503);
    hidden = snapshot_hidden(snapshot, snapshot_group(snapshot, 0));
    assert_int_equal(hidden->count, 3);
    assert_int_equal(hidden->n_pc, 4);
    assert_int_equal(hidden->pc[0], 0x439ec5);
    assert_int_equal(snapshot_group(snapshot, 0)->state_source,
                     STATE_FROM_NONE);
    assert_int_equal(
        snapshot_group(snapshot, 1)->evidence->labels->values.items[0].count,
        2);
    hidden = snapshot_hidden(snapshot, snapshot_group(snapshot, 2));
    assert_int_equal(hidden->count, -1);
    assert_int_equal(hidden->n_pc, 1);
}

/* One address is runtime.goexit's: that goroutine has not started. */
static void records_without_their_frame_lines_stand_at_their_addresses(
    void **state)
{
    const struct hidden *hidden;

    (void)state;
    expect("goroutine profile: total 9\n"
           "1 @ 0x46bac1\n\n"
           "5 @ 0x439ec5 0x4059aa 0x46e881\n"
           "# labels: {\"tenant\":\"acme\"}\n\n"
           "1 @ 0x775225 0x46e881\n"
           "#\t0x775224\tmain.run+0xc4\t/srv/main.go:35\n\n"
           "2 @ 0x439ec5 0x46e881\n\n",
           "1 unknown:\n"
           "5 unknown: 0x439ec4, 0x4059a9, 0x46e880\n"
           "1 unknown: main.run /srv/main.go:35\n"
           "2 unknown: 0x439ec4, 0x46e880\n",
           "names-missing");
    assert_false(info_at(0)->complete);
    hidden = snapshot_hidden(reading_snapshot(&reading, 0),
                             snapshot_group(reading_snapshot(&reading, 0), 1));
    assert_int_equal(hidden->count, -1);
    assert_int_equal(hidden->n_pc, 3);
}

static void expect_plain_with(const char *line_end, bool blank_lines)
{
    struct buf buf = {0};

    for (struct str rest = str_from(plain); rest.len;) {
        struct str line = str_head(rest, str_find(rest, '\n'));

        rest = str_skip(rest, line.len + 1);
        if (!line.len && !blank_lines)
            continue;
        buf_add(&buf, line);
        buf_add(&buf, str_from(line_end));
    }
    expect(buf.ptr, plain_groups, "");
    buf_done(&buf);
}

static void line_ends_may_be_those_of_windows(void **state)
{
    (void)state;
    expect_plain_with("\r\n", true);
}

static void blank_lines_may_be_lost(void **state)
{
    (void)state;
    expect_plain_with("\n", false);
}

static void a_byte_order_mark_does_not_hide_the_title(void **state)
{
    struct buf buf = {0};

    (void)state;
    buf_add(&buf, STR("\xef\xbb\xbf"));
    buf_add(&buf, str_from(plain));
    expect(buf.ptr, plain_groups, "");
    buf_done(&buf);
}

static void tabs_may_have_become_blanks(void **state)
{
    (void)state;
    expect("goroutine profile: total 1\n"
           "1 @ 0x1 0x2 0x3\n"
           "#   0x2   main.(*T[...]).f+0x1   C:/Users/Jane Doe/main.go:7\n\n",
           "1 unknown: main.(*T[...]).f C:/Users/Jane Doe/main.go:7\n", "");
}

static void names_may_hold_what_separates_them(void **state)
{
    (void)state;
    expect("goroutine profile: total 1\n"
           "1 @ 0x1 0x2 0x3\n"
           "#\t0x1\ttype..eq.struct { a+0x1z int }+0x2\t/a+0x3/m.go:7\n"
           "#\t0x2\tgopkg.in/acme/leaky%2ev3.(*Hub).f+0x2\t/m.go:8\n\n",
           "1 unknown: type..eq.struct { a+0x1z int } /a+0x3/m.go:7, "
           "gopkg.in/acme/leaky.v3.(*Hub).f /m.go:8\n",
           "");
}

static void a_frame_without_a_symbol_shows_its_address(void **state)
{
    (void)state;
    expect("goroutine profile: total 1\n"
           "1 @ 0x1 0x46bac1\n"
           "#\t0x46bac0\n\n",
           "1 unknown: 0x46bac0\n", "");
}

static void masked_addresses_still_group_by_name(void **state)
{
    (void)state;
    expect("goroutine profile: total 3\n"
           "2 @ 0xXXXX 0xXXXX\n"
           "#\t0xXXXX\tmain.f+0x1\t/m.go:1\n"
           "\n"
           "1 @ 0x0 0x0\n"
           "#\t0x0\tmain.f+0x3\t/m.go:1\n\n",
           "3 unknown: main.f /m.go:1\n", "");
    assert_int_equal(
        snapshot_hidden(reading_snapshot(&reading, 0),
                        snapshot_group(reading_snapshot(&reading, 0), 0))
            ->count,
        -1);
}

static void every_kind_of_profile_is_known_by_its_title(void **state)
{
    (void)state;
    expect("goroutineleak profile: total 0\n"
           "threadcreate profile: total 7\n"
           "7 @\n"
           "#\t0x0\n"
           "\n"
           "my own/conn.pool profile: total 2\n"
           "2 @ 0x5\n"
           "#\t0x4\tmain.open+0x1\t/m.go:1\n"
           "\n"
           "goroutineleak profile: total 2\n"
           "2 @ 0x1 0x5\n"
           "#\t0x4\tmain.f+0x1\t/m.go:1\n",
           "--\n7 unknown:\n--\n2 unknown: main.open /m.go:1\n--\n"
           "2 unknown: main.f /m.go:1\n",
           "");
    assert_int_equal(info_at(0)->kind, PROFILE_GOROUTINELEAK);
    assert_int_equal(info_at(0)->total, 0);
    assert_int_equal(info_at(1)->kind, PROFILE_THREADCREATE);
    assert_int_equal(info_at(2)->kind, PROFILE_OTHER);
    assert_true(str_equal(info_at(2)->profile, STR("my own/conn.pool")));
    assert_int_equal(snapshot_group(reading_snapshot(&reading, 3), 0)->leaked,
                     2);
    assert_int_equal(info_at(3)->line, 10);
}

/* Whatever stands before the title, the goroutines of a dump are judged. */
static void what_stands_before_a_title_is_no_part_of_it(void **state)
{
    static const struct {
        const char *before;
        enum profile_kind kind;
    } cases[] = {
        {"2024/01/01 12:00:00 main.go:7: ", PROFILE_GOROUTINE},
        {"level=info msg=\"", PROFILE_GOROUTINE},
        {"dump:", PROFILE_GOROUTINE},
        {"```", PROFILE_GOROUTINE},
        {"<x><![CDATA[", PROFILE_GOROUTINE},
        {"\"text\":\"(", PROFILE_GOROUTINE},
        {"\x1b[32m", PROFILE_GOROUTINE},
        {"my/", PROFILE_OTHER},
        {"my_", PROFILE_OTHER},
        {"my-", PROFILE_OTHER},
        {"my", PROFILE_OTHER},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[256];

        snprintf(text, sizeof(text), "%s%s", cases[i].before,
                 "goroutine profile: total 2\n"
                 "2 @ 0x5\n"
                 "#\t0x4\tmain.open+0x1\t/m.go:1\n");
        assert_int_equal(reading_add(&reading, text), 0);
        assert_int_equal(info_at(i)->kind, cases[i].kind);
        assert_int_equal(info_at(i)->total, 2);
        assert_int_equal(str_equal(info_at(i)->profile, STR("goroutine")),
                         cases[i].kind == PROFILE_GOROUTINE);
    }
}

static void prose_is_no_title(void **state)
{
    static const char *const texts[] = {
        "the memory profile: total 5\nwas large\n",
        "the memory profile: total 5\n",
        "goroutine profile: total \n",
        "goroutine profile: total 5 and more\n",
        "goroutine profile: total 99999999999\n",
        " profile: total 5\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_int_equal(reading_add(&reading, texts[i]), CPROF_EFORMAT);
    assert_int_equal(cprof_snapshots_count(reading.snapshots), 0);
}

static void what_the_title_declares_and_no_record_holds_is_said(void **state)
{
    (void)state;
    expect("goroutine profile: total 97926\n"
           "97908 @ 0x1 0x5\n"
           "#\t0x4\tmain.f+0x1\t/m.go:1\n\n",
           "97908 unknown: main.f /m.go:1\n", "declared-total");
    assert_string_equal(
        reading.snapshots->diags.first->message.ptr,
        "18 of the 97,926 goroutines that the header declares are in no record "
        "of this text: its records hold 97,908");
    assert_false(info_at(0)->complete);
    assert_int_equal(info_at(0)->declared, 97926);
}

static void where_something_is_missing_the_damage_has_a_place(void **state)
{
    const struct diag *diag;

    (void)state;
    expect("goroutine profile: total 9\n"
           "2 @ 0x1 0x5\n"
           "#\t0x4\tmain.f+0x1\t/m.go:1\n"
           "what was\n"
           "a record\n"
           "3 @ 0x1 0x9\n"
           "#\t0x8\tmain.g+0x1\t/m.go:2\n\n",
           "2 unknown: main.f /m.go:1\n3 unknown: main.g /m.go:2\n",
           "declared-total foreign-lines skipped-lines");
    diag = reading.snapshots->diags.first->next;
    assert_int_equal(diag->line, 4);
    assert_string_equal(diag->message.ptr,
                        "from here on, 2 lines between the records are no part "
                        "of them");
}

static void more_than_declared_is_said_too(void **state)
{
    (void)state;
    expect("goroutine profile: total 1\n"
           "2 @ 0x1 0x5\n"
           "#\t0x4\tmain.f+0x1\t/m.go:1\n\n",
           "2 unknown: main.f /m.go:1\n", "declared-total");
}

static void a_record_of_nothing_is_no_group(void **state)
{
    (void)state;
    expect("goroutine profile: total 1\n"
           "0 @ 0x1 0x5\n"
           "#\t0x4\tmain.f+0x1\t/m.go:1\n"
           "\n"
           "1 @ 0x1 0x5\n"
           "#\t0x4\tmain.g+0x1\t/m.go:2\n\n",
           "1 unknown: main.g /m.go:2\n", "");
}

static void counts_that_cannot_be_do_not_overflow_the_sum(void **state)
{
    (void)state;
    expect("goroutine profile: total 1\n"
           "18446744073709551615 @ 0x1 0x5\n"
           "#\t0x4\tmain.f+0x1\t/m.go:1\n"
           "\n"
           "1 @ 0x1 0x5\n"
           "#\t0x4\tmain.g+0x1\t/m.go:2\n\n",
           "1 unknown: main.g /m.go:2\n", "skipped-lines");
}

static void a_whole_profile_needs_no_last_line_end(void **state)
{
    (void)state;
    expect("goroutine profile: total 1\n"
           "1 @ 0x1 0x5\n"
           "#\t0x4\tmain.f+0x1\t/m.go:1",
           "1 unknown: main.f /m.go:1\n", "");
}

static void several_profiles_in_one_input_are_several_snapshots(void **state)
{
    struct buf buf = {0};

    (void)state;
    buf_add(&buf, str_from(plain));
    buf_add(&buf, STR("goroutine 7 [select]:\nmain.f()\n\t/m.go:1 +0x1\n\n"));
    buf_add(&buf, str_from(plain));
    assert_int_equal(reading_add(&reading, buf.ptr), 0);
    assert_int_equal(cprof_snapshots_count(reading.snapshots), 3);
    assert_int_equal(info_at(0)->total, 503);
    assert_int_equal(info_at(1)->total, 1);
    assert_int_equal(info_at(2)->total, 503);
    assert_string_equal(reading_codes(&reading), "");
    buf_done(&buf);
}

/* The title says how many there should be, so that every cut can be seen. */
static void a_profile_cut_anywhere_is_said_and_never_counts_more(void **state)
{
    (void)state;
    for (size_t len = 0; len < sizeof(plain) - 3; len++) {
        struct reading part;
        int rc;

        reading_init(&part);
        rc = reading_add_bytes(&part, (struct str){plain, len}, 0);
        assert_true(reading_total(&part) <= 503);
        if (rc < 0)
            assert_true(part.err.message[0] != '\0');
        else
            assert_true(*reading_codes(&part) ||
                        snapshot_info(reading_snapshot(&part, 0))->declared !=
                            503);
        reading_done(&part);
    }
}

static void a_record_cut_in_its_frames_says_less_and_not_wrong(void **state)
{
    (void)state;
    expect("goroutine profile: total 9\n"
           "2 @ 0x1 0x5 0x9\n"
           "#\t0x4\tmain.f+0x1\t/m.go:1\n"
           "#\t0x8\tmain.g+0x1\t/m.go:1",
           "2 unknown: main.f /m.go:1 ...\n", "cut-tail declared-total");
}

static void add_addresses(struct buf *buf, unsigned n, bool has_goexit)
{
    buf_addf(buf, "1 @ 0x1");
    for (unsigned i = 2; i <= n; i++)
        buf_addf(buf, " 0x%x", i * 16);
    buf_add(buf, has_goexit ? STR(" 0x7777\n") : STR("\n"));
    for (unsigned i = 2; i <= n; i++)
        buf_addf(buf, "#\t0x%x\tmain.f+0x1\t/m.go:1\n", i * 16 - 1);
    buf_add_char(buf, '\n');
}

static void a_stack_cut_by_the_depth_limit_is_said_to_go_on(void **state)
{
    struct buf buf = {0};
    const struct symbols *symbols;
    struct snapshot *snapshot;

    (void)state;
    buf_add(&buf, STR("goroutine profile: total 3\n"));
    add_addresses(&buf, 32, false);
    add_addresses(&buf, 31, true);
    add_addresses(&buf, 20, false);
    assert_int_equal(reading_add(&reading, buf.ptr), 0);
    snapshot = reading_snapshot(&reading, 0);
    symbols = snapshot_symbols(snapshot);
    assert_int_equal(
        symbols_stack(symbols, snapshot_group(snapshot, 0)->stack).elided,
        ELIDED_SOME);
    assert_int_equal(
        symbols_stack(symbols, snapshot_group(snapshot, 1)->stack).elided, 0);
    assert_int_equal(
        symbols_stack(symbols, snapshot_group(snapshot, 2)->stack).elided, 0);
    buf_done(&buf);
}

static void a_stack_of_a_million_frames_is_cut_and_counted(void **state)
{
    struct buf buf = {0};
    struct stack stack;

    (void)state;
    buf_add(&buf, STR("goroutine profile: total 1\n1 @ 0x1\n"));
    for (unsigned i = 0; i < 1000000; i++)
        buf_add(&buf, STR("#\t0x2\tmain.f+0x1\t/m.go:1\n"));
    assert_int_equal(reading_add_bytes(&reading, buf_str(&buf), 0), 0);
    stack =
        symbols_stack(reading.snapshots->symbols,
                      snapshot_group(reading_snapshot(&reading, 0), 0)->stack);
    assert_int_equal(stack.n_frames, 1024);
    assert_int_equal(stack.elided, 1000000 - 1024);
    buf_done(&buf);
}

static void any_chunking_gives_the_identical_snapshot(void **state)
{
    static const size_t steps[] = {1, 2, 3, 7, 4096, 100003};
    struct buf buf = {0};
    struct buf whole = {0};

    (void)state;
    for (unsigned i = 0; i < 40; i++)
        buf_add(&buf, str_from(plain));
    buf_add(&buf, STR("goroutine profile: total 900\n"));
    for (unsigned i = 0; i < 900; i++)
        buf_addf(&buf,
                 "1 @ 0x%x 0x%x 0x9\n"
                 "# labels: {\"n\":\"%u\"}\n"
                 "#\t0x%x\tmain.f%u+0x1\t/m.go:1\n\n",
                 i, i + 7, i, i + 6, i);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&buf), 0), 0);
    buf_add(&whole, str_from(reading_everything(&reading)));
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        struct reading pieces;

        reading_init(&pieces);
        assert_int_equal(reading_add_bytes(&pieces, buf_str(&buf), steps[i]),
                         0);
        assert_string_equal(reading_everything(&pieces), whole.ptr);
        reading_done(&pieces);
    }
    buf_done(&buf);
    buf_done(&whole);
}

/* A line that is too long to hold is no reason to call the rest cut. */
static void a_line_of_two_megabytes_is_not_the_end(void **state)
{
    struct buf buf = {0};

    (void)state;
    buf_add(&buf, STR("goroutine profile: total 2\n"
                      "1 @ 0x1 0x5\n"
                      "# labels: {\"a\":\""));
    buf_add_repeat(&buf, 'x', 2 * 1024 * 1024);
    buf_add(&buf, STR("\"}\n"
                      "#\t0x4\tmain.f+0x1\t/m.go:1\n\n"
                      "1 @ 0x1 0x5\n"
                      "#\t0x4\tmain.g+0x1\t/m.go:2\n\n"));
    expect(buf.ptr,
           "1 unknown: main.f /m.go:1\n"
           "1 unknown: main.g /m.go:2\n",
           "long-lines");
    buf_done(&buf);
}

static void beyond_the_memory_limit_no_goroutine_is_lost(void **state)
{
    struct buf buf = {0};
    struct reading small;
    const struct snapshot_info *info;
    uint64_t sum = 0;

    (void)state;
    buf_add(&buf, STR("goroutine profile: total 200000\n"));
    for (unsigned i = 0; i < 100000; i++)
        buf_addf(&buf,
                 "2 @ 0x%x 0x%x 0x9\n"
                 "#\t0x%x\tmain.f%u+0x1\t/m.go:%u\n\n",
                 i + 1, i + 7, i + 6, i, i % 977 + 1);
    reading_init_limited(&small, "8M");
    assert_int_equal(reading_add_bytes(&small, buf_str(&buf), 0), 0);
    info = snapshot_info(reading_snapshot(&small, 0));
    for (size_t i = 0; i < snapshot_n_groups(reading_snapshot(&small, 0)); i++)
        sum += snapshot_group(reading_snapshot(&small, 0), i)->count;
    assert_int_equal(info->total, 200000);
    assert_int_equal(sum + info->other, 200000);
    assert_true(sum > 1000 && info->other > 1000);
    assert_string_equal(reading_codes(&small), "memory-limit");
    reading_done(&small);
    buf_done(&buf);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(records_become_groups_with_their_counts),
        TEST(records_without_their_frame_lines_stand_at_their_addresses),
        TEST(line_ends_may_be_those_of_windows),
        TEST(blank_lines_may_be_lost),
        TEST(a_byte_order_mark_does_not_hide_the_title),
        TEST(tabs_may_have_become_blanks),
        TEST(names_may_hold_what_separates_them),
        TEST(a_frame_without_a_symbol_shows_its_address),
        TEST(masked_addresses_still_group_by_name),
        TEST(every_kind_of_profile_is_known_by_its_title),
        TEST(what_stands_before_a_title_is_no_part_of_it),
        TEST(prose_is_no_title),
        TEST(what_the_title_declares_and_no_record_holds_is_said),
        TEST(where_something_is_missing_the_damage_has_a_place),
        TEST(more_than_declared_is_said_too),
        TEST(a_record_of_nothing_is_no_group),
        TEST(counts_that_cannot_be_do_not_overflow_the_sum),
        TEST(a_whole_profile_needs_no_last_line_end),
        TEST(several_profiles_in_one_input_are_several_snapshots),
        TEST(a_profile_cut_anywhere_is_said_and_never_counts_more),
        TEST(a_record_cut_in_its_frames_says_less_and_not_wrong),
        TEST(a_stack_cut_by_the_depth_limit_is_said_to_go_on),
        TEST(a_stack_of_a_million_frames_is_cut_and_counted),
        TEST(any_chunking_gives_the_identical_snapshot),
        TEST(a_line_of_two_megabytes_is_not_the_end),
        TEST(beyond_the_memory_limit_no_goroutine_is_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

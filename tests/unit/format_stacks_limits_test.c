/* debug=2 that is cut, comes in pieces, or is larger than memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "support/proto.h"
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

/* Reads a text whole and checks the groups and diagnostics that come of it. */
static void expect(const char *text, const char *groups, const char *codes)
{
    assert_int_equal(reading_add(&reading, text), 0);
    assert_string_equal(reading_groups(&reading), groups);
    assert_string_equal(reading_codes(&reading), codes);
}

static const char plain[] = "goroutine 1 [running]:\n"
                            "main.dump(0x1)\n"
                            "\t/src/main.go:7 +0x1d\n"
                            "main.main()\n"
                            "\t/src/main.go:20 +0x2a\n"
                            "\n"
                            "goroutine 18 [chan send, 2 minutes]:\n"
                            "main.(*httpBackend).Do(0xc000010000, {0x1, 0x2})\n"
                            "\t/src/main.go:172 +0x3b\n"
                            "created by main.main in goroutine 1\n"
                            "\t/src/main.go:18 +0x5c\n"
                            "\n"
                            "goroutine 19 [chan send, 5 minutes]:\n"
                            "main.(*httpBackend).Do(0xc000020000, {0x3, 0x4})\n"
                            "\t/src/main.go:172 +0x3b\n"
                            "created by main.main in goroutine 1\n"
                            "\t/src/main.go:18 +0x5c\n";

/* Whether the last line is a place with at least a part of its offset, which is
 * as good as whole. */
static bool ends_in_offset(struct str text)
{
    struct str line = str_skip(text, str_rfind(text, '\n') + 1);

    return str_contains(line, STR(" +0x"));
}

/* Cuts plain behind each of its bytes. A cut between goroutines, or between
 * frames, is a dump of its own; every other must be said. */
static void a_dump_cut_anywhere_never_counts_more(void **state)
{
    (void)state;
    for (size_t len = 0; len < sizeof(plain) - 1; len++) {
        struct str cut = {plain, len};
        bool is_in_line =
            len > 0 && plain[len - 1] != '\n' && plain[len] != '\n';
        struct reading part;
        int rc;

        reading_init(&part);
        rc = reading_add_bytes(&part, cut, 0);
        assert_true(reading_total(&part) <= 3);
        if (rc < 0)
            assert_true(part.err.message[0] != '\0');
        else if (is_in_line)
            assert_true(*reading_codes(&part) || ends_in_offset(cut));
        reading_done(&part);
    }
}

static void a_dump_cut_inside_a_frame_keeps_earlier_goroutines(void **state)
{
    (void)state;
    expect("goroutine 1 [select]:\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "\n"
           "goroutine 2 [chan send]:\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "main.g(0x1, 0x",
           "1 select: main.f /m.go:1\n"
           "1 chan send: main.f /m.go:1 ...\n",
           "cut-tail");
    assert_false(snapshot_info(reading_snapshot(&reading, 0))->complete);
}

static void a_dump_cut_behind_a_header_says_so(void **state)
{
    (void)state;
    expect("goroutine 1 [select]:\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "\n"
           "goroutine 2 [chan send]:\n",
           "1 select: main.f /m.go:1\n"
           "1 chan send: ...\n",
           "cut-tail");
}

static void dots_stand_for_the_first_frames_of_a_goroutine(void **state)
{
    (void)state;
    expect("goroutine 1 [sync.Mutex.Lock, 4 minutes]:\n"
           "...\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "\n"
           "goroutine 2 [chan send]:\n"
           "... 1000 lines omitted ...\n"
           "main.g(0x1)\n"
           "\t/m.go:2 +0x1\n",
           "1 sync.Mutex.Lock: main.f /m.go:1 ...\n"
           "1 chan send: ...\n",
           "damaged-stacks omitted-lines skipped-lines");
    assert_false(snapshot_info(reading_snapshot(&reading, 0))->complete);
}

static void a_line_number_that_may_be_cut_is_not_believed(void **state)
{
    (void)state;
    expect("goroutine 2 [chan send]:\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "main.g(0x1)\n"
           "\t/m.go:17",
           "1 chan send: main.f /m.go:1 ...\n", "cut-tail");
}

static void a_cut_creator_leaves_the_stack_whole(void **state)
{
    (void)state;
    expect("goroutine 2 [chan send]:\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "created by ma",
           "1 chan send: main.f /m.go:1\n", "cut-tail");
}

/* What was copied with a dump, and what a dump is cut in. */
static void a_last_line_that_is_of_no_stack_cuts_nothing(void **state)
{
    static const struct {
        const char *line;
        bool has_creator;
        bool is_cut;
    } lines[] = {
        {"user@host:~$ ", true, false},
        {"user@host:~$ ", false, false},
        {"thanks", true, false},
        {"```", true, false},
        {"2026/01/02 03:04:05 bye", true, false},
        {"level=info msg=bye", false, false},
        {"net/http.(*Ser", false, true},
        {"main", false, true},
        {"main.Map[go.shape.int, go.sh", false, true},
        {"\t/m.g", false, true},
        {"...additional fra", false, true},
        {"created by ma", false, true},
        {"[origin", true, true},
        {"goroutine 7 [sel", true, true},
        {"go", true, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct buf buf = {0};

        buf_addf(&buf,
                 "goroutine %d [select]:\n"
                 "main.f(0x1)\n"
                 "\t/m.go:1 +0x1\n"
                 "%s%s",
                 lines[i].has_creator ? 7 : 1,
                 lines[i].has_creator ? "created by main.main\n\t/m.go:9 +0x1\n"
                                      : "",
                 lines[i].line);
        reading_done(&reading);
        reading_init(&reading);
        assert_int_equal(reading_add(&reading, buf.ptr), 0);
        if (snapshot_info(reading_snapshot(&reading, 0))->complete ==
            lines[i].is_cut)
            fail_msg("'%s'", lines[i].line);
        assert_int_equal(diag_find(&reading.snapshots->diags, "cut-tail") !=
                             NULL,
                         lines[i].is_cut);
        buf_done(&buf);
    }
}

static void add_goroutine(struct buf *buf, unsigned id, const char *creator)
{
    buf_addf(buf,
             "goroutine %u [chan receive, %u minutes]:\n"
             "main.worker(0xc000%06x)\n"
             "\t/src/main.go:17 +0x1d\n"
             "created by %s in goroutine %u\n"
             "\t/src/main.go:9 +0x2c\n\n",
             id, id % 50 + 1, id * 8, creator, id / 2);
}

static void different_creator_ids_keep_one_stack(void **state)
{
    struct buf buf = {0};
    size_t used;

    (void)state;
    for (unsigned id = 1; id <= 1000; id++)
        add_goroutine(&buf, id, "main.main");
    assert_int_equal(reading_add_bytes(&reading, buf_str(&buf), 0), 0);
    used = reading.snapshots->budget.peak;
    buf_clear(&buf);
    for (unsigned id = 1; id <= 100000; id++)
        add_goroutine(&buf, id, "main.main");
    assert_int_equal(reading_add_bytes(&reading, buf_str(&buf), 0), 0);
    assert_int_equal(symbols_n_stacks(reading.snapshots->symbols), 1);
    assert_int_equal(snapshot_n_groups(reading_snapshot(&reading, 1)), 1);
    assert_int_equal(reading_total(&reading), 101000);
    /* A set of the first 4,096 ids, and nothing for each goroutine. */
    assert_true(reading.snapshots->budget.peak < used + 2 * 1024 * 1024);
    buf_done(&buf);
}

/* The whole of a dump must be the same, evidence included, however the bytes
 * come. */
static void expect_same_in_pieces(struct str text)
{
    static const size_t steps[] = {1, 2, 3, 7, 4096, 65536, 100003};
    struct buf whole = {0};

    assert_int_equal(reading_add_bytes(&reading, text, 0), 0);
    buf_add(&whole, str_from(reading_everything(&reading)));
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        struct reading pieces;

        reading_init(&pieces);
        assert_int_equal(reading_add_bytes(&pieces, text, steps[i]), 0);
        assert_string_equal(reading_everything(&pieces), whole.ptr);
        reading_done(&pieces);
    }
    buf_done(&whole);
}

static void any_chunking_gives_the_identical_snapshot(void **state)
{
    struct buf buf = {0};
    char creator[32];

    (void)state;
    buf_add(&buf, str_from(plain));
    buf_add_char(&buf, '\n');
    for (unsigned id = 100; id <= 4000; id++) {
        snprintf(creator, sizeof(creator), "main.start%u", id % 40);
        add_goroutine(&buf, id, creator);
        if (id % 100 == 0)
            buf_addf(&buf, "line %u of a log (3ms)\n", id);
    }
    expect_same_in_pieces(buf_str(&buf));
    buf_done(&buf);
}

static void a_line_of_two_megabytes_changes_nothing_else(void **state)
{
    struct buf buf = {0};

    (void)state;
    buf_add(&buf, str_from(plain));
    buf_add_char(&buf, '\n');
    buf_add_repeat(&buf, 'x', 2 * 1024 * 1024);
    buf_add(&buf, STR("\ngoroutine 30 [select]:\nmain.f(0x1)\n"));
    buf_add_repeat(&buf, 'x', 2 * 1024 * 1024);
    buf_add(&buf, STR("\n\t/m.go:1 +0x1\n"));
    expect_same_in_pieces(buf_str(&buf));
    assert_int_equal(reading_total(&reading), 4);
    assert_string_equal(reading_codes(&reading), "skipped-lines long-lines");
    assert_true(reading.snapshots->budget.peak < 4 * 1024 * 1024);
    buf_done(&buf);
}

static void a_stack_of_a_million_frames_is_cut_and_counted(void **state)
{
    struct buf buf = {0};
    struct stack stack;

    (void)state;
    buf_add(&buf, STR("goroutine 1 [select]:\n"));
    for (unsigned i = 0; i < 1000000; i++)
        buf_add(&buf, STR("main.f(0x1)\n\t/m.go:1 +0x1\n"));
    buf_add(&buf, STR("created by main.g\n\t/m.go:2 +0x1\n"));
    assert_int_equal(reading_add_bytes(&reading, buf_str(&buf), 0), 0);
    stack =
        symbols_stack(reading.snapshots->symbols,
                      snapshot_group(reading_snapshot(&reading, 0), 0)->stack);
    assert_int_equal(stack.n_frames, 1024);
    assert_int_equal(stack.elided, 1000000 - 1024);
    buf_done(&buf);
}

static void many_different_stacks(struct buf *buf, unsigned n)
{
    for (unsigned i = 1; i <= n; i++)
        buf_addf(buf,
                 "goroutine %u [select]:\n"
                 "main.f%u()\n\t/m.go:%u +0x1\n"
                 "main.g%u()\n\t/m.go:%u +0x1\n\n",
                 i, i % 997, i % 991 + 1, i % 983, i % 977 + 1);
}

static uint64_t kept_in(struct snapshot *snapshot)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++)
        sum += snapshot_group(snapshot, i)->count;
    return sum;
}

static void beyond_the_memory_limit_no_goroutine_is_lost(void **state)
{
    struct buf buf = {0};
    struct reading small;
    const struct snapshot_info *info;
    uint64_t kept;

    (void)state;
    many_different_stacks(&buf, 300000);
    reading_init_limited(&small, "8M");
    assert_int_equal(reading_add_bytes(&small, buf_str(&buf), 0), 0);
    info = snapshot_info(reading_snapshot(&small, 0));
    kept = kept_in(reading_snapshot(&small, 0));
    assert_int_equal(info->total, 300000);
    assert_int_equal(kept + info->other, 300000);
    assert_true(kept > 1000 && info->other > 1000);
    assert_false(info->complete);
    assert_string_equal(reading_codes(&small), "memory-limit");
    assert_true(small.snapshots->budget.peak <= 8 * 1024 * 1024);
    reading_done(&small);
    buf_done(&buf);
}

/* The line of the only frame of a snapshot's first group. */
static uint32_t first_line_of(struct snapshot *snapshot)
{
    const struct symbols *symbols = snapshot_symbols(snapshot);
    struct stack stack =
        symbols_stack(symbols, snapshot_group(snapshot, 0)->stack);

    assert_int_equal(stack.n_frames, 1);
    return symbols_frame(symbols, stack.frames[0]).line;
}

/* A log may hold any number of dumps. */
static void of_many_dumps_the_last_are_kept(void **state)
{
    struct buf buf = {0};
    size_t count;

    (void)state;
    for (unsigned i = 1; i <= 5000; i++)
        buf_addf(&buf, "goroutine 1 [running]:\nmain.f()\n\t/m.go:%u +0x1\n\n",
                 i);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&buf), 0), 0);
    count = cprof_snapshots_count(reading.snapshots);
    assert_true(count > 1 && count <= 256);
    assert_string_equal(reading_codes(&reading), "many-dumps");
    assert_int_equal(first_line_of(reading_snapshot(&reading, count - 1)),
                     5000);
    assert_int_equal(first_line_of(reading_snapshot(&reading, 0)),
                     5001 - count);
    buf_done(&buf);
}

/* A profile with two functions of one name, which is their file as well, and a
 * label of it. */
static void add_long_profile(const char *name)
{
    struct buf labels = {0};
    struct proto proto;

    proto_init(&proto);
    proto_type(&proto, 1, "goroutine", "count");
    for (uint64_t i = 1; i <= 2; i++) {
        proto_function(&proto, i, name, name);
        proto_location(&proto, i, 0x1000 + i, i, i, 0, 0);
    }
    proto_label(&proto, &labels, name, name, 0, NULL);
    proto_sample(&proto, PROTO_LIST(1, 2), PROTO_LIST(1), buf_str(&labels));
    proto_texts(&proto);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&proto.out), 0), 0);
    buf_done(&labels);
    proto_done(&proto);
}

/* The one group of each form has both frames, with names of 4,096 bytes. */
static void long_names_are_cut_alike_in_all_forms(void **state)
{
    struct buf text = {0};
    struct buf name = {0};
    struct stack first = {0};

    (void)state;
    buf_add(&name, STR("main."));
    buf_add_repeat(&name, 'n', 5000);
    add_long_profile(name.ptr);
    buf_addf(&text,
             "goroutine 1 [select]:\n%s(0x1)\n\t%s.go:1 +0x1\n"
             "%s(0x1)\n\t%s.go:2 +0x1\n",
             name.ptr, name.ptr, name.ptr, name.ptr);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&text), 0), 0);
    buf_clear(&text);
    buf_addf(&text,
             "goroutine profile: total 1\n1 @ 0x1001 0x1002\n"
             "#\t0x1000\t%s+0x1\t%s.go:1\n#\t0x1001\t%s+0x1\t%s.go:2\n",
             name.ptr, name.ptr, name.ptr, name.ptr);
    assert_int_equal(reading_add_bytes(&reading, buf_str(&text), 0), 0);
    /* All inputs have one name, of which the same is said once. */
    assert_string_equal(reading_codes(&reading), "long-names");
    for (size_t i = 0; i < 3; i++) {
        struct snapshot *snapshot = reading_snapshot(&reading, i);
        const struct symbols *symbols = snapshot_symbols(snapshot);
        struct stack stack =
            symbols_stack(symbols, snapshot_group(snapshot, 0)->stack);

        first = i ? first : stack;
        assert_int_equal(stack.n_frames, 2);
        assert_memory_equal(stack.frames, first.frames, 2 * sizeof(frame_id));
        assert_int_equal(symbols_function(symbols, stack.frames[0]).len, 4096);
        assert_int_equal(symbols_file(symbols, stack.frames[0]).len, 4096);
    }
    buf_done(&name);
    buf_done(&text);
}

static void a_long_key_is_one_label(void **state)
{
    const struct label_counts *labels;
    struct buf text = {0};

    (void)state;
    buf_add(&text, STR("goroutine profile: total 2\n"));
    for (unsigned i = 0; i < 2; i++) {
        buf_add(&text, STR("1 @ 0x1001\n# labels: {\""));
        buf_add_repeat(&text, 'k', 5000);
        buf_add(&text, STR("\":\"v\"}\n#\t0x1000\tmain.f+0x1\t/m.go:1\n\n"));
    }
    assert_int_equal(reading_add_bytes(&reading, buf_str(&text), 0), 0);
    labels = snapshot_group(reading_snapshot(&reading, 0), 0)->evidence->labels;
    assert_non_null(labels);
    assert_null(labels->next);
    buf_done(&text);
}

/* Adds a goroutine whose stack nobody else has, but in another round. */
static void add_stranger(struct buf *text, unsigned id, unsigned number)
{
    buf_addf(text,
             "goroutine %u [select]:\n"
             "main.f%u(0x%x)\n\t/m.go:%u +0x1\n"
             "main.g%u()\n\t/m.go:%u +0x2\n\n",
             id, number, id, number, number, number);
}

/* Of 80,000 different frames more are seen than are predicted: what was known
 * is forgotten meanwhile, amid goroutines that are familiar. */
static void more_frames_than_are_predicted_change_nothing(void **state)
{
    enum { ROUNDS = 2, STRANGERS = 40000, EVERY = 10 };
    struct snapshot *snapshot;
    struct buf text = {0};
    unsigned id = 0;

    (void)state;
    for (unsigned i = 0; i < ROUNDS * STRANGERS; i++) {
        add_stranger(&text, ++id, i % STRANGERS);
        if (i % EVERY == 0)
            buf_addf(&text,
                     "goroutine %u [chan send, 3 minutes]:\n"
                     "main.known(0x%x)\n\t/k.go:1 +0x1\n"
                     "created by main.main in goroutine 1\n"
                     "\t/k.go:9 +0x1\n\n",
                     ++id, i);
    }
    assert_int_equal(reading_add_bytes(&reading, buf_str(&text), 0), 0);
    snapshot = reading_snapshot(&reading, 0);
    assert_int_equal(snapshot_n_groups(snapshot), STRANGERS + 1);
    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
        uint64_t count = snapshot_group(snapshot, i)->count;

        assert_true(count == ROUNDS || count == ROUNDS * STRANGERS / EVERY);
    }
    assert_int_equal(snapshot_info_get(snapshot)->total, id);
    buf_done(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_dump_cut_anywhere_never_counts_more),
        TEST(a_dump_cut_inside_a_frame_keeps_earlier_goroutines),
        TEST(a_dump_cut_behind_a_header_says_so),
        TEST(dots_stand_for_the_first_frames_of_a_goroutine),
        TEST(a_line_number_that_may_be_cut_is_not_believed),
        TEST(a_cut_creator_leaves_the_stack_whole),
        TEST(a_last_line_that_is_of_no_stack_cuts_nothing),
        TEST(different_creator_ids_keep_one_stack),
        TEST(any_chunking_gives_the_identical_snapshot),
        TEST(a_line_of_two_megabytes_changes_nothing_else),
        TEST(a_stack_of_a_million_frames_is_cut_and_counted),
        TEST(beyond_the_memory_limit_no_goroutine_is_lost),
        TEST(of_many_dumps_the_last_are_kept),
        TEST(more_frames_than_are_predicted_change_nothing),
        TEST(long_names_are_cut_alike_in_all_forms),
        TEST(a_long_key_is_one_label),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

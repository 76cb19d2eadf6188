/* debug=2 and runtime.Stack, through the driver. */
#include <setjmp.h>
#include <stdarg.h>

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

static const char plain_groups[] =
    "1 running: main.dump /src/main.go:7, main.main /src/main.go:20\n"
    "2 chan send: main.(*httpBackend).Do /src/main.go:172; by main.main "
    "/src/main.go:18\n";

static void goroutines_with_one_stack_are_one_group(void **state)
{
    const struct snapshot_info *info;
    const struct group *group;

    (void)state;
    expect(plain, plain_groups, "");
    info = snapshot_info(reading_snapshot(&reading, 0));
    group = snapshot_group(reading_snapshot(&reading, 0), 1);
    assert_string_equal(info->format, "debug2");
    assert_int_equal(info->total, 3);
    assert_int_equal(info->max_id, 19);
    assert_int_equal(info->line, 1);
    assert_true(info->complete);
    assert_false(info->has_declared);
    assert_int_equal(group->wait_min, 2);
    assert_int_equal(group->wait_max, 5);
    assert_int_equal(group->id_min, 18);
    assert_int_equal(group->state_source, STATE_FROM_HEADER);
}

/* What becomes of plain when every line end is replaced. */
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

static void a_byte_order_mark_does_not_hide_the_first_goroutine(void **state)
{
    struct buf buf = {0};

    (void)state;
    buf_add(&buf, STR("\xef\xbb\xbf"));
    buf_add(&buf, str_from(plain));
    expect(buf.ptr, plain_groups, "");
    buf_done(&buf);
}

static void indentation_may_be_lost_or_blanks(void **state)
{
    (void)state;
    expect("goroutine 1 [select]:\n"
           "main.f(0x1)\n"
           "/src/a b/main.go:7 +0x1d\n"
           "main.g(0x1)\n"
           "        C:/Users/Jane Doe/main.go:8 +0x1d\n"
           "created by main.h\n"
           "    /src/main.go:9\n",
           "1 select: main.f /src/a b/main.go:7, main.g C:/Users/Jane "
           "Doe/main.go:8; by main.h /src/main.go:9\n",
           "");
}

static void a_dump_behind_lines_of_others_begins_again(void **state)
{
    (void)state;
    expect("goroutine 5 [select]:\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "\n"
           "a line of a log\n"
           "goroutine 5 [select]:\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "\n"
           "goroutine 6 [select]:\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n",
           "1 select: main.f /m.go:1\n"
           "--\n"
           "2 select: main.f /m.go:1\n",
           "skipped-lines");
}

/* As what prints a goroutine at a time does. */
static void expect_plain_below_headers(const char *indent)
{
    struct buf buf = {0};

    for (struct str rest = str_from(plain); rest.len;) {
        struct str line = str_head(rest, str_find(rest, '\n') + 1);

        rest = str_skip(rest, line.len);
        if (!str_starts(line, STR("goroutine ")))
            buf_add(&buf, str_from(indent));
        buf_add(&buf, line);
    }
    expect(buf.ptr, plain_groups, "");
    buf_done(&buf);
}

static void all_but_the_headers_may_be_indented_by_blanks(void **state)
{
    (void)state;
    expect_plain_below_headers("    ");
}

static void all_but_the_headers_may_be_indented_by_a_tab(void **state)
{
    (void)state;
    expect_plain_below_headers("\t");
}

static void inlined_and_unusual_frames_are_frames(void **state)
{
    (void)state;
    expect("goroutine 1 [select]:\n"
           "main.inlined(...)\n"
           "\t/src/main.go:7\n"
           "main.(*Stack[...]).Pop(0x0?)\n"
           "\t<autogenerated>:1 +0x1d\n"
           "panic({0x4b2b60?, 0x4e5fd0?})\n"
           "\t/go/src/runtime/panic.go:785 +0x132\n"
           "main._Cfunc_c_outer(0x1)\n"
           "\t_cgo_gotypes.go:48 +0x1 fp=0xc0 sp=0xc1 pc=0x46\n"
           "vendor/golang.org/x/net/http2.f()\n"
           "\t?:0 +0x0\n",
           "1 select: main.inlined /src/main.go:7, main.(*Stack[...]).Pop "
           "<autogenerated>:1, panic /go/src/runtime/panic.go:785, "
           "main._Cfunc_c_outer _cgo_gotypes.go:48, "
           "golang.org/x/net/http2.f ?:0\n",
           "");
}

/* It looks as the C function of a cgo symbolizer does, which has no place
 * but its own. */
static void a_line_of_a_logger_parts_no_call_from_its_place(void **state)
{
    (void)state;
    expect("goroutine 1 [select]:\n"
           "main.f(0x1)\n"
           "{\"msg\":\"served\"}\n"
           "\t/m.go:7 +0x1 fp=0xc0 sp=0xc1 pc=0x46\n"
           "c_function\n"
           "\t/c.c:8 pc=0x47\n",
           "1 select: main.f /m.go:7, c_function /c.c:8\n", "skipped-lines");
}

static void elided_frames_are_counted_or_said(void **state)
{
    (void)state;
    expect("goroutine 1 [select]:\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "...12 frames elided...\n"
           "main.g(0x1)\n"
           "\t/m.go:2 +0x1\n"
           "\n"
           "goroutine 2 [select]:\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "...additional frames elided...\n"
           "created by main.g\n"
           "\t/m.go:2 +0x1\n",
           "1 select: main.f /m.go:1, main.g /m.go:2 ...12\n"
           "1 select: main.f /m.go:1 ...; by main.g /m.go:2\n",
           "");
}

static void ancestors_are_no_part_of_the_stack(void **state)
{
    (void)state;
    expect("goroutine 7 [select]:\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "created by main.g\n"
           "\t/m.go:2 +0x1\n"
           "[originating from goroutine 1]:\n"
           "main.h(...)\n"
           "\t/m.go:3 +0x1\n"
           "...additional frames elided...\n"
           "created by main.i\n"
           "\t/m.go:4 +0x1\n"
           "\n"
           "goroutine 8 [select]:\n"
           "main.f(0x2)\n"
           "\t/m.go:1 +0x1\n"
           "created by main.g\n"
           "\t/m.go:2 +0x1\n",
           "2 select: main.f /m.go:1; by main.g /m.go:2\n", "");
}

static void a_stack_on_another_thread_is_empty(void **state)
{
    (void)state;
    expect("goroutine 1 [select]:\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "\n"
           "goroutine 7 [running]:\n"
           "\tgoroutine running on other thread; stack unavailable\n"
           "created by main.g in goroutine 1\n"
           "\t/m.go:2 +0x1\n"
           "\n"
           "goroutine 8 [running]:\n"
           "\tgoroutine running on other thread; stack unavailable\n",
           "1 select: main.f /m.go:1\n"
           "2 running:; by main.g /m.go:2\n",
           "");
}

static void goroutines_without_frames_are_counted(void **state)
{
    (void)state;
    expect("goroutine 7 [runnable]:\n"
           "created by main.g\n"
           "\t/m.go:2 +0x1\n"
           "\n"
           "goroutine 8 [runnable]:\n"
           "\n"
           "goroutine 9 [select]:\n"
           "main.f()\n"
           "\t/m.go:1 +0x1\n"
           "created by main.g\n"
           "\t/m.go:2 +0x1\n",
           "2 runnable:; by main.g /m.go:2\n"
           "1 select: main.f /m.go:1; by main.g /m.go:2\n",
           "");
}

static void a_frame_whose_place_is_lost_keeps_its_name(void **state)
{
    (void)state;
    expect("goroutine 7 [select]:\n"
           "main.f(0x1)\n"
           "\n"
           "goroutine 8 [select]:\n"
           "main.f(0x1)\n"
           "\n"
           "goroutine 9 [select]:\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n",
           "2 select: main.f\n"
           "1 select: main.f /m.go:1\n",
           "damaged-stacks");
}

static void lines_of_a_logger_between_frames_are_stepped_over(void **state)
{
    (void)state;
    expect("goroutine 7 [select]:\n"
           "2024/01/01 12:00:00 served\n"
           "main.f(0x1)\n"
           "2024/01/01 12:00:00 served (5ms)\n"
           "\t/m.go:1 +0x1\n"
           "main.g(0x1)\n"
           "\t/m.go:2 +0x1\n"
           "level=info msg=done took=(3ms)\n"
           "\n"
           "goroutine 8 [select]:\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "main.g(0x1)\n"
           "\t/m.go:2 +0x1\n",
           "2 select: main.f /m.go:1, main.g /m.go:2\n", "skipped-lines");
}

static void what_stands_around_a_dump_is_counted_as_skipped(void **state)
{
    const struct diag *diag;

    (void)state;
    expect("starting up\n\n"
           "goroutine 7 [select]:\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "shutting down\n",
           "1 select: main.f /m.go:1\n", "skipped-lines");
    diag = diag_find(&reading.snapshots->diags, "skipped-lines");
    assert_int_equal(diag->line, 1);
    assert_string_equal(diag->message.ptr,
                        "2 lines skipped: no part of a dump");
}

static void a_long_log_ends_the_dump_and_the_next_goes_on(void **state)
{
    struct buf buf = {0};

    (void)state;
    buf_add(&buf, STR("goroutine 7 [select]:\nmain.f(0x1)\n\t/m.go:1 +0x1\n"));
    for (int i = 0; i < 1000; i++)
        buf_addf(&buf, "line %d of the log\n", i);
    buf_add(&buf, STR("goroutine 8 [select]:\nmain.f(0x1)\n\t/m.go:1 +0x1\n"));
    expect(buf.ptr, "2 select: main.f /m.go:1\n", "skipped-lines");
    assert_int_equal(
        diag_find(&reading.snapshots->diags, "skipped-lines")->line, 4);
    buf_done(&buf);
}

static void labels_and_locks_become_evidence(void **state)
{
    struct snapshot *snapshot;
    struct arena arena;
    const struct lock_waiters *locks;
    const struct label_counts *labels;
    uint64_t others;
    size_t n;

    (void)state;
    expect("goroutine 7 [sync.Mutex.Lock, locked to thread] {tenant: acme}:\n"
           "internal/sync.runtime_SemacquireMutex(0xc0000200a4, 0x0, 0x1)\n"
           "\t/go/sema.go:95 +0x25\n"
           "internal/sync.(*Mutex).lockSlow(0xc0000200a0)\n"
           "\t/go/mutex.go:149 +0x15d\n"
           "internal/sync.(*Mutex).Lock(...)\n"
           "\t/go/mutex.go:70\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "\n"
           "goroutine 8 [sync.Mutex.Lock labels:{\"tenant\": \"a]b\"}]:\n"
           "internal/sync.runtime_SemacquireMutex(0xc0000300a4, 0x0, 0x1)\n"
           "\t/go/sema.go:95 +0x25\n"
           "internal/sync.(*Mutex).lockSlow(0xc0000200a0)\n"
           "\t/go/mutex.go:149 +0x15d\n"
           "internal/sync.(*Mutex).Lock(...)\n"
           "\t/go/mutex.go:70\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n",
           "2 sync.Mutex.Lock: internal/sync.runtime_SemacquireMutex "
           "/go/sema.go:95, internal/sync.(*Mutex).lockSlow /go/mutex.go:149, "
           "internal/sync.(*Mutex).Lock /go/mutex.go:70, main.f /m.go:1\n",
           "");
    snapshot = reading_snapshot(&reading, 0);
    labels = snapshot_group(snapshot, 0)->evidence->labels;
    assert_int_equal(labels->values.count, 2);
    assert_true(str_equal(
        symbols_text(snapshot_symbols(snapshot), labels->values.items[1].id),
        STR("a]b")));
    assert_int_equal(snapshot_group(snapshot, 0)->locked, 1);
    arena_init(&arena, symbols_budget(snapshot_symbols(snapshot)));
    locks = snapshot_locks(snapshot, &arena, &n, &others);
    assert_int_equal(n, 1);
    assert_int_equal(locks[0].address, 0xc0000200a0);
    assert_int_equal(locks[0].count, 2);
    arena_done(&arena);
}

/* The first goroutine of a form is parsed; those behind it are familiar, and
 * their headers read at once where they are of a common form. */
static void headers_of_familiar_goroutines_say_the_same(void **state)
{
    static const struct {
        const char *brackets;
        uint64_t locked, waits;
        uint32_t minutes;
    } forms[] = {
        {"[select]", 0, 0, 0},
        {"[select, 3 minutes]", 0, 4, 3},
        {"[select, locked to thread]", 4, 0, 0},
        {"[select, 17 minutes, locked to thread]", 4, 4, 17},
        {"[select, 17 minutes, locked to thread, 2 minutes]", 4, 4, 2},
        {"[select, locked to thread, 3 minutes]", 4, 4, 3},
        {"[select, 99999999999 minutes]", 0, 4, UINT32_MAX},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        struct buf buf = {0};
        const struct group *group;

        for (unsigned id = 1; id <= 4; id++)
            buf_addf(&buf, "goroutine %u %s:\nmain.f(0x%x)\n\t/m.go:1 +0x1\n\n",
                     id, forms[i].brackets, id);
        /* Enough that the last one does not stand at the end. */
        for (unsigned n = 0; n < 64; n++)
            buf_add(&buf, STR("\n\n\n\n"));
        assert_int_equal(reading_add(&reading, buf_str(&buf).ptr), 0);
        group = snapshot_group(reading_snapshot(&reading, i), 0);
        assert_int_equal(group->count, 4);
        assert_int_equal(group->locked, forms[i].locked);
        assert_int_equal(group->n_waits, forms[i].waits);
        assert_int_equal(group->wait_max, forms[i].minutes);
        assert_int_equal(group->wait_min, forms[i].minutes);
        buf_done(&buf);
    }
}

static void two_dumps_in_one_input_are_two_snapshots(void **state)
{
    struct buf buf = {0};
    struct buf groups = {0};

    (void)state;
    buf_add(&buf, str_from(plain));
    buf_add(&buf, STR("\n"));
    buf_add(&buf, str_from(plain));
    buf_add(&groups, str_from(plain_groups));
    buf_add(&groups, STR("--\n"));
    buf_add(&groups, str_from(plain_groups));
    expect(buf.ptr, groups.ptr, "");
    assert_int_equal(snapshot_info(reading_snapshot(&reading, 1))->line, 19);
    buf_done(&buf);
    buf_done(&groups);
}

static void two_inputs_are_two_snapshots(void **state)
{
    (void)state;
    assert_int_equal(reading_add(&reading, plain), 0);
    assert_int_equal(reading_add(&reading, plain), 0);
    assert_int_equal(cprof_snapshots_count(reading.snapshots), 2);
    assert_int_equal(snapshot_info(reading_snapshot(&reading, 0))->input, 0);
    assert_int_equal(snapshot_info(reading_snapshot(&reading, 1))->input, 1);
    assert_int_equal(snapshot_group(reading_snapshot(&reading, 0), 1)->stack,
                     snapshot_group(reading_snapshot(&reading, 1), 1)->stack);
}

/* What the reader predicts must be what it would have parsed: frames that
 * begin like a known one. */
static void frames_that_look_like_known_ones_are_told_apart(void **state)
{
    (void)state;
    expect("goroutine 1 [select]:\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "created by main.g\n"
           "\t/m.go:2 +0x1\n"
           "\n"
           "goroutine 2 [select]:\n"
           "main.f(0x1)(0x2)\n"
           "\t/m.go:1 +0x1\n"
           "created by main.g2 in goroutine 5\n"
           "\t/m.go:2 +0x1\n"
           "\n"
           "goroutine 3 [select]:\n"
           "main.f(0x1)\n"
           "\t/m.go:1 +0x1:77\n"
           "created by main.g in goroutine 5\n"
           "\t/m.go:21 +0x1\n"
           "\n"
           "goroutine 4 [select]:\n"
           "main.f(0x1) is no call\n"
           "\t/m.go:1 +0x1\n"
           "main.f2(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "created by main.g\n"
           "\t/m.go:2 +0x1\n",
           "1 select: main.f /m.go:1; by main.g /m.go:2\n"
           "1 select: main.f(0x1) /m.go:1; by main.g2 /m.go:2\n"
           "1 select: main.f /m.go:1 +0x1:77; by main.g /m.go:21\n"
           "1 select: main.f2 /m.go:1; by main.g /m.go:2\n",
           "damaged-stacks skipped-lines");
}

static void names_that_cannot_be_are_no_error_of_memory(void **state)
{
    (void)state;
    expect("goroutine 1 [select]:\n"
           "vendor/(0x1)\n"
           "\t/m.go:1 +0x1\n"
           "created by  in goroutine 7\n"
           "\t/m.go:2 +0x1\n",
           "1 select: vendor/ /m.go:1\n", "damaged-stacks skipped-lines");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(goroutines_with_one_stack_are_one_group),
        TEST(line_ends_may_be_those_of_windows),
        TEST(blank_lines_may_be_lost),
        TEST(a_byte_order_mark_does_not_hide_the_first_goroutine),
        TEST(indentation_may_be_lost_or_blanks),
        TEST(all_but_the_headers_may_be_indented_by_blanks),
        TEST(all_but_the_headers_may_be_indented_by_a_tab),
        TEST(a_dump_behind_lines_of_others_begins_again),
        TEST(inlined_and_unusual_frames_are_frames),
        TEST(a_line_of_a_logger_parts_no_call_from_its_place),
        TEST(elided_frames_are_counted_or_said),
        TEST(ancestors_are_no_part_of_the_stack),
        TEST(a_stack_on_another_thread_is_empty),
        TEST(goroutines_without_frames_are_counted),
        TEST(a_frame_whose_place_is_lost_keeps_its_name),
        TEST(lines_of_a_logger_between_frames_are_stepped_over),
        TEST(what_stands_around_a_dump_is_counted_as_skipped),
        TEST(a_long_log_ends_the_dump_and_the_next_goes_on),
        TEST(labels_and_locks_become_evidence),
        TEST(headers_of_familiar_goroutines_say_the_same),
        TEST(two_dumps_in_one_input_are_two_snapshots),
        TEST(two_inputs_are_two_snapshots),
        TEST(frames_that_look_like_known_ones_are_told_apart),
        TEST(names_that_cannot_be_are_no_error_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A large file of debug=2 that several threads read: the same is understood as
 * by one thread, also of files that are not just one dump. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/options.h"
#include "support/reading.h"

#include <cmocka.h>

enum {
    GOROUTINES = 32000,
    GOROUTINES_FEW = 14000, /* for what stands near the beginning */
    GOROUTINES_MANY = 70000,
    PART_LEAST = 1 << 17, /* so that these are many parts */
};

/* Something else in place of, or behind, one of the goroutines. */
struct oddity {
    unsigned at; /* the goroutine; UINT_MAX = none */
    const char *text;
};

/* What stands behind all goroutines; NULL = nothing. */
static const char *dump_end;

static void write_goroutine(FILE *file, unsigned i)
{
    static const char *const waits[] = {
        "chan receive", "select, 3 minutes", "sync.Mutex.Lock",
        "chan receive, locked to thread", "select, 700 minutes"};
    unsigned kind = i * 2654435761u >> 16;

    fprintf(file, "goroutine %u [%s]", i + 10, waits[kind % 5]);
    if (kind % 11 == 0)
        fprintf(file, "{\"job\": \"j%u\"}", kind % 3);
    fprintf(file, ":\n");
    if (kind % 5 == 2)
        fprintf(file,
                "sync.(*Mutex).lockSlow(0xc%09x)\n"
                "\t/usr/lib/go/src/sync/mutex.go:171 +0x15d\n",
                kind % 701 * 64);
    for (unsigned frame = 0; frame < 2 + kind % 3; frame++)
        fprintf(file,
                "main.(*worker).step%u(0xc%09x, {0x%x?, 0x8})\n"
                "\t/home/u/go/src/app/worker.go:%u +0x%x\n",
                frame * (1 + kind % 7), i * 96, i, 20 + frame, 0x20 + frame);
    fprintf(file,
            "created by main.run%u in goroutine %u\n"
            "\t/home/u/go/src/app/run.go:%u +0x5c\n\n",
            kind % 4, 1 + i / 100, 8 + kind % 4);
}

/* Writes a dump and leaves its path, of XXXXXX, in path. */
static void write_dump(char *path, unsigned n, const struct oddity *oddity)
{
    FILE *file = fdopen(mkstemp(path), "w");

    assert_non_null(file);
    for (unsigned i = 0; i < n; i++) {
        if (i == oddity->at)
            fputs(oddity->text, file);
        write_goroutine(file, i);
    }
    if (dump_end)
        fputs(dump_end, file);
    assert_int_equal(fclose(file), 0);
}

/* All that is understood of the file by so many threads, with as much
 * memory. */
static void read_within(struct reading *reading, const char *path,
                        const char *threads, const char *memory)
{
    reading_init_limited(reading, memory);
    assert_int_equal(
        cprof_options_set(reading->options, "threads", threads, NULL), 0);
    reading->options->part_least = PART_LEAST;
    assert_int_equal(cprof_snapshots_read_file(reading->snapshots, path, NULL),
                     0);
}

static void read_with(struct reading *reading, const char *path,
                      const char *threads)
{
    read_within(reading, path, threads, NULL);
}

/* What one thread understands, and so many. */
static void expect_same_by(unsigned threads, unsigned n,
                           const struct oddity *oddity)
{
    char path[] = "/tmp/cprof-split-XXXXXX";
    char number[12];
    struct reading one;
    struct reading several;

    snprintf(number, sizeof(number), "%u", threads);
    write_dump(path, n, oddity);
    read_with(&one, path, "1");
    read_with(&several, path, number);
    assert_string_equal(reading_everything(&several), reading_everything(&one));
    assert_string_equal(reading_codes(&several), reading_codes(&one));
    assert_int_equal(reading_total(&several), reading_total(&one));
    assert_true(reading_total(&one) >= n);
    reading_done(&several);
    reading_done(&one);
    assert_int_equal(unlink(path), 0);
}

/* By two, three or four threads in turn: reading is slow with the sanitizers,
 * and what is odd is put in more places than one. */
static void expect_same(unsigned n, const struct oddity *oddity)
{
    static unsigned calls;

    expect_same_by(2 + calls++ % 3, n, oddity);
}

static void several_threads_understand_what_one_does(void **state)
{
    (void)state;
    for (unsigned threads = 2; threads <= 4; threads++)
        expect_same_by(threads, GOROUTINES, &(struct oddity){.at = UINT32_MAX});
}

/* Threads go on to a second part with what they learned in the first. */
static void parts_after_the_first_are_read_alike(void **state)
{
    (void)state;
    expect_same(GOROUTINES_MANY, &(struct oddity){.at = UINT32_MAX});
    expect_same(GOROUTINES_MANY, &(struct oddity){60000, "a line\n\n"});
}

/* What a part had to cut is said as well. */
static void a_long_name_is_told_by_any_thread(void **state)
{
    static char text[8192];
    char name[6000];

    (void)state;
    memset(name, 'n', sizeof(name));
    snprintf(text, sizeof(text),
             "goroutine 5 [select]:\nmain.%.*s()\n\t/a.go:1 +0x1\n\n",
             (int)sizeof(name), name);
    expect_same(GOROUTINES, &(struct oddity){30000, text});
}

static void lines_of_others_are_counted_as_by_one_thread(void **state)
{
    (void)state;
    expect_same(GOROUTINES,
                &(struct oddity){30000, "2026/01/02 a line of a log\n"});
    expect_same(GOROUTINES, &(struct oddity){20000, "a line\n\nanother\n\n"});
    expect_same(GOROUTINES, &(struct oddity){16500, "a line\n\n"});
}

/* Also while other threads read what seems to belong to the dump before. */
static void another_dump_in_the_file_is_seen(void **state)
{
    static const unsigned places[] = {16500, 20000, 28000};

    (void)state;
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        expect_same(GOROUTINES,
                    &(struct oddity){places[i], "goroutine 10 [select]:\n"
                                                "main.again(0x1)\n"
                                                "\t/src/main.go:7 +0x1d\n\n"});
        expect_same(
            GOROUTINES,
            &(struct oddity){
                places[i],
                "goroutine 999999 [running]:\n"
                "runtime/pprof.writeGoroutineStacks({0x1, 0x2})\n"
                "\t/usr/lib/go/src/runtime/pprof/pprof.go:816 +0x69\n\n"});
    }
}

/* Others begin before the first thread has seen the ids by which the next dump
 * is known: what they saw until then is asked about later. */
static void another_dump_is_seen_by_an_id_that_came_later(void **state)
{
    static const unsigned places[] = {8300, 8800, 9500, 12000};
    static const unsigned ids[] = {10, 700, 4000, 4105, 4106, 5000};

    (void)state;
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        for (size_t k = i % 2; k < sizeof(ids) / sizeof(ids[0]); k += 2) {
            char text[200];

            snprintf(text, sizeof(text),
                     "goroutine %u [select]:\nmain.again(0x1)\n"
                     "\t/src/main.go:7 +0x1d\n\n",
                     ids[k]);
            expect_same_by(i < 2 ? 2 : 4, GOROUTINES_FEW,
                           &(struct oddity){places[i], text});
        }
    }
}

/* Goroutines that are much longer than those before them: the first thread
 * arrives at what others have read and has not seen all ids yet. */
static void long_goroutines_that_follow_short_ones_change_nothing(void **state)
{
    struct buf text = {0};

    (void)state;
    for (unsigned i = 0; i < 900; i++) {
        buf_addf(&text, "goroutine %u [select]:\n", 1000000 + i);
        for (unsigned frame = 0; frame < 90; frame++)
            buf_addf(&text,
                     "main.(*worker).deep%u(0xc%09x, 0x1)\n"
                     "\t/home/u/go/src/app/deep.go:%u +0x20\n",
                     frame, i * 64, frame + 5);
        buf_add_char(&text, '\n');
    }
    assert_false(text.failed);
    expect_same(GOROUTINES, &(struct oddity){600, text.ptr});
    /* Another dump, by an id that other threads saw first. */
    dump_end =
        "goroutine 1000600 [select]:\nmain.f()\n\t/src/main.go:7 +0x1d\n";
    expect_same(GOROUTINES, &(struct oddity){600, text.ptr});
    dump_end = NULL;
    buf_done(&text);
}

static void goroutines_out_of_the_ordinary_change_nothing(void **state)
{
    (void)state;
    expect_same(GOROUTINES,
                &(struct oddity){26000, "goroutine 7777777 [select]:\n"
                                        "main.(*worker).step0(0xc1)\n"
                                        "\t/src/worker.go:20 +0x20\n"
                                        "...12 frames elided...\n\n"});
    /* One stack with and without a creator. */
    expect_same(GOROUTINES,
                &(struct oddity){31000, "goroutine 7777778 [select]:\n"
                                        "main.bare()\n"
                                        "\t/src/bare.go:20 +0x20\n\n"
                                        "goroutine 7777779 [select]:\n"
                                        "main.bare()\n"
                                        "\t/src/bare.go:20 +0x20\n"
                                        "created by main.b in goroutine 1\n"
                                        "\t/src/bare.go:2 +0x20\n\n"});
}

/* Where there is no memory for what more threads know, one thread reads. */
static void little_memory_changes_nothing(void **state)
{
    static const char *const memory[] = {"8MiB", "12MiB", "16MiB", "24MiB",
                                         "48MiB"};
    char path[] = "/tmp/cprof-split-XXXXXX";

    (void)state;
    write_dump(path, GOROUTINES, &(struct oddity){.at = UINT32_MAX});
    for (size_t i = 0; i < sizeof(memory) / sizeof(memory[0]); i++) {
        struct reading one;
        struct reading several;

        read_within(&one, path, "1", memory[i]);
        read_within(&several, path, "3", memory[i]);
        assert_string_equal(reading_everything(&several),
                            reading_everything(&one));
        assert_int_equal(reading_total(&several), GOROUTINES);
        reading_done(&one);
        reading_done(&several);
    }
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_threads_understand_what_one_does),
        cmocka_unit_test(a_long_name_is_told_by_any_thread),
        cmocka_unit_test(parts_after_the_first_are_read_alike),
        cmocka_unit_test(lines_of_others_are_counted_as_by_one_thread),
        cmocka_unit_test(another_dump_in_the_file_is_seen),
        cmocka_unit_test(another_dump_is_seen_by_an_id_that_came_later),
        cmocka_unit_test(long_goroutines_that_follow_short_ones_change_nothing),
        cmocka_unit_test(goroutines_out_of_the_ordinary_change_nothing),
        cmocka_unit_test(little_memory_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

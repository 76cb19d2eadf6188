/* strained_fuzz.c - any bytes through the driver while something gives out:
 * the memory, the stream, or the length of a line.
 *
 * Four bytes before the text say what: how much memory there is, how often the
 * text comes, where the stream fails, and before which of the lines a word
 * longer than any line may be is put. Where '~' stands in the text, each time
 * has its own number, so that a small input has many names. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "dumps.h"
#include "input/lines.h"
#include "model/options.h"
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PLAN_BYTES = 4, SHORT = 128 * 1024, LONG = 2 * 1024 * 1024 };

/* Most are short, so that a search comes to try many. */
struct plan {
    size_t memory; /* 8 KiB to 2 MiB */
    size_t times;
    size_t most;        /* bytes of all times */
    unsigned fails_at;  /* in 256ths of the text; 0 = it does not */
    unsigned long_line; /* 0 = none */
};

static struct plan plan_of(const uint8_t bytes[static PLAN_BYTES])
{
    return (struct plan){.memory = (size_t)(16 + bytes[0] % 16)
                                   << (9 + bytes[0] / 16 % 8),
                         .times = 1 + (size_t)bytes[1] * 4,
                         .most = bytes[1] < 248 ? SHORT : LONG,
                         .fails_at = bytes[2],
                         .long_line = bytes[3] < 248 ? 0 : bytes[3] - 247u};
}

/* Appends the text with a number in the place of each '~'. */
static void add_numbered(struct buf *buf, struct str text, size_t number)
{
    while (text.len) {
        struct str part = str_head(text, str_find(text, '~'));

        buf_add(buf, part);
        text = str_skip(text, part.len);
        if (!text.len)
            return;
        buf_addf(buf, "%zu", number);
        text = str_skip(text, 1);
    }
}

/* Appends a word that no line has room for. */
static void add_long_word(struct buf *buf)
{
    char word[4096];

    memset(word, 'x', sizeof(word));
    for (size_t n = 0; n <= LINES_MOST; n += sizeof(word))
        buf_add(buf, (struct str){word, sizeof(word)});
}

/* Makes the whole text; one with a long word comes once. */
static void stretch(struct buf *buf, const struct plan *plan, struct str text)
{
    struct str rest = text;

    for (unsigned i = 1; i < plan->long_line && rest.len; i++)
        rest = str_skip(rest, str_find(rest, '\n') + 1);
    if (plan->long_line) {
        buf_add(buf, str_head(text, text.len - rest.len));
        add_long_word(buf);
        buf_add(buf, rest);
        return;
    }
    for (size_t i = 0; i < plan->times && buf->len + text.len < plan->most; i++)
        add_numbered(buf, text, i);
}

struct failing {
    struct str rest;
    bool has_failed;
};

/* A stream that ends with an error where its bytes do. */
static ptrdiff_t read_failing(void *user, void *into, size_t size)
{
    struct failing *failing = user;
    size_t n = failing->rest.len < size ? failing->rest.len : size;

    if (!n) {
        failing->has_failed = true;
        errno = EIO;
        return -1;
    }
    memcpy(into, failing->rest.ptr, n);
    failing->rest = str_skip(failing->rest, n);
    return (ptrdiff_t)n;
}

/* What is read of a stream that fails is not taken for all of it. Packed data
 * that is damaged is not read up to there. */
static void check_failing(const struct plan *plan, struct str text)
{
    struct failing failing = {
        .rest = str_head(text, text.len * plan->fails_at / 256)};
    struct cprof_error err = {0};
    struct reading reading;
    int rc;

    reading_init(&reading, NULL);
    rc = cprof_snapshots_read(reading.snapshots, "input", read_failing,
                              &failing, &err);
    CHECK((rc < 0) == (err.message[0] != '\0') && (int)err.code == rc);
    CHECK(rc < 0 || !failing.has_failed);
    CHECK((rc < 0) == (cprof_snapshots_count(reading.snapshots) == 0));
    reading_done(&reading);
}

static bool says(const struct reading *reading, const char *code)
{
    const struct diag *diag = reading->snapshots->diags.first;

    while (diag && strcmp(diag->code, code) != 0)
        diag = diag->next;
    return diag;
}

/* Counts the bytes that it is told of: they grow. */
static void watch(void *user, const char *name, unsigned long long bytes)
{
    unsigned long long *before = user;

    (void)name;
    CHECK(bytes >= *before);
    *before = bytes;
}

/* Whether there was no memory for some stacks. */
static bool has_other(const struct reading *reading)
{
    for (size_t i = 0; i < cprof_snapshots_count(reading->snapshots); i++) {
        if (snapshot_info_get(reading->snapshots->items[i])->n_other)
            return true;
    }
    return false;
}

/* With little memory all goroutines are counted and all stacks kept, or it is
 * said that some are not. */
static void check_small(const struct plan *plan, const struct reading *whole,
                        struct str text)
{
    unsigned long long told = 0;
    struct reading small;

    reading_init(&small, NULL);
    small.snapshots->budget.limit = plan->memory;
    cprof_snapshots_watch(small.snapshots, watch, &told);
    reading_add(&small, text.ptr, text.len, 0);
    if (small.rc < 0)
        CHECK(small.rc == CPROF_ENOMEM || small.rc == whole->rc);
    else if (whole->rc == 0)
        CHECK((reading_total(&small) == reading_total(whole) &&
               !has_other(&small)) ||
              says(&small, "memory-limit"));
    reading_done(&small);
}

/* A pipe that was opened by its name says the same as memory does. What does
 * not fit into a pipe is left out. */
static void check_piped(const struct reading *whole, struct str text)
{
    enum { PIPE_LEAST = 65536 };
    struct reading piped;
    char path[64];
    int ends[2];

    if (text.len > PIPE_LEAST)
        return;
    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], text.ptr, text.len) == (ssize_t)text.len);
    close(ends[1]);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
    reading_init(&piped, NULL);
    reading_add_file(&piped, path);
    CHECK(piped.rc == whole->rc);
    reading_same_groups(&piped, whole, "");
    reading_done(&piped);
    close(ends[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf text = {0};
    struct reading whole;
    struct plan plan;

    if (size < PLAN_BYTES)
        return 0;
    plan = plan_of(data);
    stretch(&text, &plan,
            (struct str){(const char *)data + PLAN_BYTES, size - PLAN_BYTES});
    reading_init(&whole, NULL);
    reading_add(&whole, text.ptr, text.len, 0);
    check_piped(&whole, buf_str(&text));
    check_small(&plan, &whole, buf_str(&text));
    if (plan.fails_at)
        check_failing(&plan, buf_str(&text));
    reading_done(&whole);
    buf_done(&text);
    return 0;
}

/* The plan is changed as any bytes are, and stays as it is while the text of
 * the dump is changed. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
                               unsigned seed)
{
    if (size <= PLAN_BYTES || seed % 2)
        return LLVMFuzzerMutate(data, size, most);
    return PLAN_BYTES + dumps_mutate(data + PLAN_BYTES, size - PLAN_BYTES,
                                     most - PLAN_BYTES, seed, LLVMFuzzerMutate);
}

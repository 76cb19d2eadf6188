#include "unwrap/by_time.h"

#include <stdlib.h>

enum {
    TEXT_FIRST = 64 * 1024,
    TABLE_FIRST = 16 * 1024,
};

struct timed_line {
    uint64_t time;
    size_t at; /* in the text */
    size_t len;
    uint64_t number; /* of the line as it was read */
};

static struct timed_line *table(const struct by_time *by_time)
{
    return (struct timed_line *)(void *)by_time->block;
}

static void add_line(struct by_time *by_time, struct str line, uint64_t time,
                     uint64_t number)
{
    size_t need = (by_time->count + 1) * sizeof(struct timed_line);

    if (by_time->n_lost ||
        !budget_grow(by_time->budget, &by_time->block, &by_time->block_size,
                     need, TABLE_FIRST) ||
        !budget_grow(by_time->budget, &by_time->text, &by_time->size,
                     by_time->len + line.len + 1, TEXT_FIRST)) {
        by_time->n_lost++;
        return;
    }
    memcpy(by_time->text + by_time->len, line.ptr, line.len);
    by_time->text[by_time->len + line.len] = '\n';
    table(by_time)[by_time->count++] =
        (struct timed_line){time, by_time->len, line.len + 1, number};
    by_time->len += line.len + 1;
}

/* Whether most lines come before older ones. */
static bool is_backward(const struct by_time *by_time)
{
    const struct timed_line *lines = table(by_time);
    size_t n_older = 0;
    size_t n_newer = 0;

    for (size_t i = 1; i < by_time->count; i++) {
        n_older += lines[i].time < lines[i - 1].time;
        n_newer += lines[i].time > lines[i - 1].time;
    }
    return n_older > n_newer;
}

static int compare_forward(const void *left, const void *right)
{
    const struct timed_line *a = left;
    const struct timed_line *b = right;

    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static int compare_backward(const void *left, const void *right)
{
    const struct timed_line *a = left;
    const struct timed_line *b = right;

    return a->time == b->time ? -compare_forward(left, right)
                              : compare_forward(left, right);
}

void by_time_fill(struct by_time *by_time, struct lines *lines)
{
    struct str line;

    *by_time = (struct by_time){.budget = lines->budget};
    line_map_init(&by_time->map, lines->budget);
    while (lines_peek(lines, &line)) {
        struct str rest = line;
        uint64_t time;

        if (str_cut_prefix(&rest, STR("{\"ns\":\"")) &&
            str_cut_decimal(&rest, &time))
            add_line(by_time, line, time, lines->number);
        lines_next(lines);
    }
    if (by_time->count)
        qsort(by_time->block, by_time->count, sizeof(struct timed_line),
              is_backward(by_time) ? compare_backward : compare_forward);
}

void by_time_done(struct by_time *by_time)
{
    line_map_done(&by_time->map);
    budget_free(by_time->budget, by_time->text, by_time->size);
    budget_free(by_time->budget, by_time->block, by_time->block_size);
    by_time->text = by_time->block = NULL;
    by_time->count = 0;
}

static bool take_line(void *user)
{
    struct by_time *by_time = user;
    const struct timed_line *line;

    if (by_time->next == by_time->count)
        return false;
    line = &table(by_time)[by_time->next++];
    by_time->rest = (struct str){by_time->text + line->at, line->len};
    line_map_add(&by_time->map, by_time->next, line->number, true);
    return true;
}

static ptrdiff_t read_by_time(void *user, void *into, size_t size)
{
    struct by_time *by_time = user;

    return source_pour(into, size, &by_time->rest, take_line, by_time);
}

struct source source_from_by_time(struct by_time *by_time)
{
    return (struct source){.read = read_by_time, .user = by_time};
}

#include "input/turned.h"

enum { TEXT_FIRST = 64 * 1024 };

static void add_line(struct turned *turned, struct str line)
{
    if (turned->n_lost ||
        !budget_grow(turned->budget, &turned->text, &turned->size,
                     turned->len + line.len + 1, TEXT_FIRST)) {
        turned->n_lost++;
        return;
    }
    if (line.len)
        memcpy(turned->text + turned->len, line.ptr, line.len);
    turned->len += line.len;
    turned->text[turned->len++] = '\n';
    turned->n_lines++;
}

void turned_fill(struct turned *turned, struct lines *lines)
{
    struct str line;

    *turned = (struct turned){.budget = lines->budget};
    while (lines_peek(lines, &line)) {
        add_line(turned, line);
        lines_next(lines);
    }
    turned->from = turned->len;
}

void turned_done(struct turned *turned)
{
    budget_free(turned->budget, turned->text, turned->size);
    turned->text = NULL;
    turned->len = turned->size = turned->from = 0;
}

/* Begins the line before the ones that were given. */
static bool take_line(void *user)
{
    struct turned *turned = user;
    size_t end = turned->from;
    const char *before;

    if (!end)
        return false;
    before = memrchr(turned->text, '\n', end - 1);
    turned->from = before ? (size_t)(before - turned->text) + 1 : 0;
    turned->rest =
        (struct str){turned->text + turned->from, end - turned->from};
    return true;
}

static ptrdiff_t read_turned(void *user, void *into, size_t size)
{
    struct turned *turned = user;

    return source_pour(into, size, &turned->rest, take_line, turned);
}

struct source source_from_turned(struct turned *turned)
{
    return (struct source){.read = read_turned, .user = turned};
}

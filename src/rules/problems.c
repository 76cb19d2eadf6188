#include "rules/problems.h"

#include <stdio.h>
#include <stdlib.h>

void problems_done(struct problems *problems)
{
    free(problems->items);
    *problems = (struct problems){0};
}

void problems_begin_file(struct problems *problems)
{
    problems->in_file = 0;
}

/* Makes room for one more. */
static bool make_room(struct problems *problems)
{
    size_t size = problems->size ? problems->size * 2 : 4;
    struct problem *items;

    if (problems->count < problems->size)
        return true;
    items = realloc(problems->items, size * sizeof(*items));
    if (!items)
        return false;
    problems->items = items;
    problems->size = size;
    return true;
}

bool problems_are_full(const struct problems *problems)
{
    return problems->in_file >= PROBLEMS_MOST;
}

void problems_count(struct problems *problems, enum problem_severity severity)
{
    if (severity == PROBLEM_ERROR)
        problems->n_errors++;
    else
        problems->n_warnings++;
}

void problems_add(struct problems *problems, enum problem_severity severity,
                  const struct cprof_error *what)
{
    problems_count(problems, severity);
    if (problems_are_full(problems))
        return;
    if (!make_room(problems)) {
        problems->is_starved = true;
        return;
    }
    problems->in_file++;
    problems->items[problems->count++] = (struct problem){severity, *what};
}

size_t problems_lost(const struct problems *problems)
{
    return problems->n_errors + problems->n_warnings - problems->count;
}

/* The first error that was kept; NULL when none was. */
static const struct problem *first_error(const struct problems *problems)
{
    for (size_t i = 0; i < problems->count; i++) {
        if (problems->items[i].severity == PROBLEM_ERROR)
            return &problems->items[i];
    }
    return NULL;
}

int problems_report(const struct problems *problems, struct cprof_error *err)
{
    const struct problem *first = first_error(problems);
    size_t more = problems->n_errors - 1;
    char detail[sizeof(first->what.detail)];

    if (!first)
        return error_memory(err, (struct place){0}, "reading rules");
    if (!err || !more) {
        if (err)
            *err = first->what;
        return first->what.code;
    }
    snprintf(detail, sizeof(detail), "%s", first->what.detail);
    *err = first->what;
    error_detail(err,
                 "%s\nand %zu more; 'cprof-leaks rules check %s' shows all",
                 detail, more, first->what.source);
    return first->what.code;
}

/* Whether a stands behind b in the same file. */
static bool is_behind(const struct problem *a, const struct problem *b)
{
    if (strcmp(a->what.source, b->what.source) != 0)
        return false;
    return a->what.line != b->what.line ? a->what.line > b->what.line
                                        : a->what.column > b->what.column;
}

void problems_sort(struct problems *problems, size_t from)
{
    /* Few, and nearly in order; what stands at one place stays in order. */
    for (size_t i = from + 1; i < problems->count; i++) {
        struct problem problem = problems->items[i];
        size_t at = i;

        for (; at > from && is_behind(&problems->items[at - 1], &problem); at--)
            problems->items[at] = problems->items[at - 1];
        problems->items[at] = problem;
    }
}

/* stencil_run.h - how lines are copied by a stencil, for the files that bring
 * the ways to look at bytes.
 *
 * A file defines, before it includes this one, BYTES_TARGET (an attribute, or
 * nothing) and two static inline functions:
 *
 *     bool bytes_fit(const struct stencil_side *side, const char *at)
 *         whether what stands at the cursor fits; whole blocks are read.
 *     const char *bytes_copy(const char *at, const char *last, char *into,
 *                            bool is_escaped)
 *         copies up to a line end, or with is_escaped to the first of a line
 *         end, a quote and a backslash, and returns where that stands; NULL
 *         when it does not stand in a block that begins at or before last.
 *         Whole blocks may be read and written. */
#ifndef UNWRAP_STENCIL_RUN_H
#define UNWRAP_STENCIL_RUN_H

#include "input/lines.h"
#include "unwrap/stencil.h"

#ifdef BYTES_TARGET

/* What needs a closer look at the front of an inside: a tab that is spelled
 * out, and a byte order mark. */
static inline bool begins_oddly(char c)
{
    return c == '#' || c == '^' || c == '\\' || c == '\xef';
}

/* Whether so many bytes may be read at the cursor. */
static inline bool has_blocks(const char *at, const char *end, size_t n)
{
    return end - at >= (ptrdiff_t)(n * STENCIL_BLOCK);
}

/* The line end at the cursor; NULL when none is there. */
static inline const char *line_end(const char *at)
{
    at += *at == '\r';
    return *at == '\n' ? at : NULL;
}

/* The end of the line whose inside ends where tail is to begin; NULL when it
 * does not fit. */
BYTES_TARGET static inline const char *pass_tail(const struct stencil *stencil,
                                                 const char *tail,
                                                 const char *end)
{
    const struct stencil_side *side = &stencil->tail;

    if (!has_blocks(tail, end, side->n_blocks + 1) || !bytes_fit(side, tail))
        return NULL;
    return line_end(tail + side->len);
}

/* Where the tail of a line begins whose line end is known, and whose inside
 * begins at the cursor; NULL when the inside would not be one. */
static inline const char *find_tail(const struct stencil *stencil,
                                    const char *at, const char *end)
{
    if (end > at && end[-1] == '\r')
        end--;
    return (size_t)(end - at) >= stencil->tail.len ? end - stencil->tail.len
                                                   : NULL;
}

/* Passes and copies a tab that begins the inside of a quoted string. False when
 * the wrapping has to look at how the inside begins. */
static inline bool pass_tab(const struct stencil *stencil, const char **at,
                            char **into)
{
    const char *c = *at;

    if (!stencil->is_escaped)
        return !begins_oddly(*c);
    if (c[0] == '\\' && c[1] == 't') {
        *(*into)++ = '\t';
        *at += 2;
        return true;
    }
    return *c == '\\' || !begins_oddly(*c);
}

/* Copies one line. */
BYTES_TARGET static inline bool copy_line(const struct stencil *stencil,
                                          struct stencil_copy *copy)
{
    const struct stencil_side *head = &stencil->head;
    const char *at = copy->at;
    char *into = copy->into;
    size_t most;
    const char *end;

    if (!has_blocks(at, copy->end, head->n_blocks + 1) ||
        copy->room < 2 * STENCIL_BLOCK || !bytes_fit(head, at))
        return false;
    at += head->len;
    if (!pass_tab(stencil, &at, &into))
        return false;
    /* A block less is enough for the tab and the line end. */
    most = (size_t)(copy->end - at);
    if (most > copy->room - STENCIL_BLOCK)
        most = copy->room - STENCIL_BLOCK;
    if (most < STENCIL_BLOCK)
        return false;
    end = bytes_copy(at, at + most - STENCIL_BLOCK, into, stencil->is_escaped);
    if (end && !stencil->is_escaped)
        end = find_tail(stencil, at, end);
    if (!end)
        return false;
    into += end - at;
    end = pass_tail(stencil, end, copy->end);
    if (!end || end - copy->at >= LINES_MOST)
        return false;
    *into++ = '\n';
    copy->room -= (size_t)(into - copy->into);
    copy->into = into;
    copy->at = end + 1;
    copy->n_lines++;
    return true;
}

/* Copies lines as long as that works: stencil_run_fn. */
BYTES_TARGET static inline void run(const struct stencil *stencil,
                                    struct stencil_copy *copy)
{
    struct stencil_copy now = *copy;

    while (copy_line(stencil, &now))
        continue;
    *copy = now;
}

#endif
#endif

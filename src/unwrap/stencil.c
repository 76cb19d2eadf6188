#include "unwrap/stencil.h"

#include "input/lines.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* --- Learning ------------------------------------------------------------- */

/* Whether a byte is part of what tells streams apart, or of a key: then its
 * digits may not change. */
static bool is_exact(const struct piece *piece, const char *at)
{
    const struct str *spans = piece->exact;
    const struct str stream = piece->stream;

    if (stream.len && at >= stream.ptr && at < stream.ptr + stream.len)
        return true;
    for (size_t i = 0; i < PIECE_EXACT_MOST; i++) {
        if (spans[i].len && at >= spans[i].ptr &&
            at < spans[i].ptr + spans[i].len)
            return true;
    }
    return false;
}

static void learn_side(struct stencil_side *side, struct str text,
                       const struct piece *piece)
{
    size_t n_bytes = (text.len + 7) / 8 * 8;
    unsigned char *want = (unsigned char *)side->want;
    unsigned char *mask = (unsigned char *)side->mask;
    unsigned char *more = (unsigned char *)side->more;

    side->len = text.len;
    memset(want, 0, n_bytes);
    memset(mask, 0, n_bytes);
    memset(more, 0, n_bytes);
    for (size_t i = 0; i < text.len; i++) {
        bool is_free = is_digit(text.ptr[i]) && !is_exact(piece, text.ptr + i);

        want[i] = is_free ? '0' : (unsigned char)text.ptr[i];
        mask[i] = is_free ? 0xf0 : 0xff;
        more[i] = is_free ? 6 : 0;
    }
}

/* Where the inside stands in the line; false when it is made of several parts
 * of it, or when nobody knows. */
static bool find_inside(struct str line, const struct piece *piece,
                        struct str *ret)
{
    uintptr_t begin = (uintptr_t)line.ptr;
    uintptr_t at;

    *ret = piece->source.len ? piece->source : piece->text;
    at = (uintptr_t)ret->ptr;
    return ret->len && at >= begin && at + ret->len <= begin + line.len;
}

void stencil_learn(struct stencil *stencil, struct str line,
                   const struct piece *piece)
{
    struct str inside;
    struct str head;
    struct str tail;

    if (piece->goes_on || piece->is_open || piece->is_last ||
        piece->continues || !find_inside(line, piece, &inside))
        return;
    head = str_head(line, (size_t)(inside.ptr - line.ptr));
    tail = str_skip(line, head.len + inside.len);
    if (head.len > STENCIL_MOST || tail.len > STENCIL_MOST)
        return;
    stencil->is_set = true;
    stencil->is_escaped = piece->source.len > 0;
    learn_side(&stencil->head, head, piece);
    learn_side(&stencil->tail, tail, piece);
}

/* --- Copying -------------------------------------------------------------- */

/* Whether the bytes fit; up to seven behind them are read. */
static bool fits(const struct stencil_side *side, const char *at)
{
    uint64_t odd = 0;

    for (size_t i = 0; i * 8 < side->len; i++) {
        uint64_t word;

        memcpy(&word, at + i * 8, sizeof(word));
        odd |= (word ^ side->want[i]) & side->mask[i];
        odd |= ((word + side->more[i]) ^ side->want[i]) & side->mask[i];
    }
    return !odd;
}

/* What needs a closer look at the front of an inside: a tab that is spelled
 * out, and a byte order mark. */
static bool begins_oddly(char c)
{
    return c == '#' || c == '^' || c == '\\' || c == '\xef';
}

static bool is_plain(struct str text)
{
    return !memchr(text.ptr, '\\', text.len) &&
           !memchr(text.ptr, '"', text.len);
}

/* Copies an inside of at least one byte. False when it is not as simple as it
 * must be. */
static bool copy_inside(const struct stencil *stencil, struct str inside,
                        struct stencil_copy *copy)
{
    char *into = copy->into;

    if (stencil->is_escaped) {
        if (inside.len > 1 && inside.ptr[0] == '\\' && inside.ptr[1] == 't') {
            *into++ = '\t';
            inside = str_skip(inside, 2);
        }
        if (!is_plain(inside))
            return false;
    }
    if (into == copy->into && begins_oddly(inside.ptr[0]))
        return false;
    memcpy(into, inside.ptr, inside.len);
    into[inside.len] = '\n';
    into += inside.len + 1;
    copy->room -= (size_t)(into - copy->into);
    copy->into = into;
    return true;
}

/* Copies one line. */
static bool copy_line(const struct stencil *stencil, struct stencil_copy *copy)
{
    size_t head = stencil->head.len;
    size_t tail = stencil->tail.len;
    size_t left = (size_t)(copy->end - copy->at);
    struct str inside;
    const char *end;

    if (left < head + 8 || !fits(&stencil->head, copy->at))
        return false;
    end = memchr(copy->at + head, '\n', left - head);
    if (!end || end - copy->at >= LINES_MOST || copy->end - end < 8)
        return false;
    inside = (struct str){copy->at + head, (size_t)(end - copy->at) - head};
    if (inside.len && inside.ptr[inside.len - 1] == '\r')
        inside.len--;
    if (inside.len <= tail || inside.len + 1 > copy->room)
        return false;
    inside.len -= tail;
    if (tail && !fits(&stencil->tail, inside.ptr + inside.len))
        return false;
    if (!copy_inside(stencil, inside, copy))
        return false;
    copy->at = end + 1;
    copy->n_lines++;
    return true;
}

void stencil_run(const struct stencil *stencil, struct stencil_copy *copy)
{
    if (!stencil->is_set)
        return;
    while (copy_line(stencil, copy))
        continue;
}

#include "unwrap/stencil.h"

#include "base/cpu.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

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

/* The bytes that may stand where one does, as stencil_side has them. */
static void learn_byte(struct stencil_side *side, size_t i, const char *at,
                       const struct piece *piece)
{
    const struct str hex = piece->hex;

    side->low[i] = (uint8_t)*at;
    side->span[i] = 0;
    if (is_exact(piece, at))
        return;
    if (hex.len && at >= hex.ptr && at < hex.ptr + hex.len) {
        side->low[i] = '0';
        side->span[i] = 'f' - '0';
    } else if (is_digit(*at)) {
        side->low[i] = '0';
        side->span[i] = 9;
    }
}

static void learn_side(struct stencil_side *side, struct str text,
                       const struct piece *piece)
{
    side->len = text.len;
    side->n_blocks = (text.len + STENCIL_BLOCK - 1) / STENCIL_BLOCK;
    for (size_t i = 0; i < text.len; i++)
        learn_byte(side, i, text.ptr + i, piece);
    memset(side->low + text.len, 0, side->n_blocks * STENCIL_BLOCK - text.len);
    memset(side->span + text.len, UINT8_MAX,
           side->n_blocks * STENCIL_BLOCK - text.len);
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
    stencil->run = cpu_has_avx2() ? stencil_run_avx2 : stencil_run_plain;
    stencil->is_escaped = piece->source.len > 0;
    learn_side(&stencil->head, head, piece);
    learn_side(&stencil->tail, tail, piece);
}

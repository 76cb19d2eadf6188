/* familiar_match.h - how text is compared with what is familiar, for the files
 * that bring the ways to look at bytes.
 *
 * A file defines, before it includes this one, BYTES_TARGET (an attribute, or
 * nothing) and three static inline functions:
 *
 *     bool bytes_same(const char *a, const char *b, size_t n)
 *         whether n bytes, at least 1, are the same; both may be read up to
 *         the next whole block.
 *     const char *bytes_args(const char *at, const char *end)
 *         the line end behind arguments that begin at the cursor: the line
 *         ends in ")", and no other parenthesis stands before; NULL when it is
 *         not so, or FAMILIAR_BLOCK * 2 bytes before the end.
 *     const char *bytes_line_end(const char *at, const char *end)
 *         the next line end, or NULL. */
#ifndef FORMAT_FAMILIAR_MATCH_H
#define FORMAT_FAMILIAR_MATCH_H

#include "format/familiar.h"

#ifdef BYTES_TARGET

/* What may be read at a cursor for n bytes to be compared in whole blocks. */
static inline size_t in_blocks(size_t n)
{
    return (n + FAMILIAR_BLOCK - 1) / FAMILIAR_BLOCK * FAMILIAR_BLOCK;
}

/* The line end behind digits; NULL when something else stands there. */
static inline const char *digits_end(const char *at, const char *end)
{
    const char *begin = at;

    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at > begin && at < end && *at == '\n' ? at : NULL;
}

/* What follows the piece if it stands at the cursor, else NULL. */
BYTES_TARGET static inline const char *match_piece(
    const struct familiar_piece *piece, const char *at, const char *end,
    struct str *args)
{
    const char *begin;
    const char *line_end;

    if ((size_t)(end - at) < in_blocks(piece->n_head) ||
        !bytes_same(at, piece->head, piece->n_head))
        return NULL;
    begin = at + piece->n_head;
    if (piece->kind == FAMILIAR_FIXED) {
        *args = (struct str){NULL, 0};
        return begin;
    }
    if (piece->kind == FAMILIAR_ARGS) {
        line_end = bytes_args(begin, end);
        if (!line_end)
            return NULL;
        *args = (struct str){begin, (size_t)(line_end - begin) - 1};
    } else {
        line_end = digits_end(begin, end);
        if (!line_end)
            return NULL;
    }
    at = line_end + 1;
    if ((size_t)(end - at) < in_blocks(piece->n_tail) ||
        !bytes_same(at, piece->tail, piece->n_tail))
        return NULL;
    return at + piece->n_tail;
}

/* A familiar that goes on with the two lines at the cursor after the first n
 * pieces of another; NULL when none is known. */
BYTES_TARGET static inline struct familiar *find_other(
    const struct familiars *familiars, const struct familiar *familiar,
    unsigned n, const char *at, const char *end)
{
    struct familiar *other;
    const char *line_end = NULL;
    uint32_t prefix = familiar ? familiar->prefixes[n] : 0;

    if (at == end)
        return NULL;
    if (*at != '\n') {
        line_end = bytes_line_end(at, end);
        if (line_end)
            line_end = bytes_line_end(line_end + 1, end);
        if (!line_end || line_end - at < FAMILIAR_KEY)
            return NULL;
    }
    other = familiar_slot(familiars, familiar_hash(prefix, line_end))->familiar;
    if (!other || !familiar)
        return other;
    if (other == familiar || n > familiar->n_frames || n > other->n_frames ||
        memcmp(other->frames, familiar->frames, n * sizeof(frame_id)) != 0)
        return NULL;
    return other;
}

/* The body of familiar_match_fn. */
BYTES_TARGET static inline bool match_goroutine(
    const struct familiars *familiars, struct familiar_match *match)
{
    const char *end = match->end;
    const char *at = match->at;
    struct familiar *familiar = NULL;
    unsigned n = 0;
    unsigned parted_at = 0;

    if (!familiars->slots)
        return false;
    familiar = find_other(familiars, NULL, 0, at, end);
    while (familiar) {
        while (n < familiar->n_pieces) {
            const char *next =
                match_piece(familiar->pieces[n], at, end, &match->args[n]);

            if (!next)
                break;
            at = next;
            n++;
        }
        if (n == familiar->n_pieces && at < end && *at == '\n') {
            *match = (struct familiar_match){at, end, match->args, familiar, n};
            return true;
        }
        match->found = familiar;
        /* The other one must go on at least by a piece. */
        if (n <= parted_at && n > 0)
            break;
        parted_at = n;
        familiar = n ? find_other(familiars, familiar, n, at, end) : NULL;
    }
    match->at = at;
    match->n_pieces = n;
    if (!n)
        match->found = NULL;
    return false;
}

#endif /* BYTES_TARGET */

#endif

/* familiar_match.h - how text is compared with what is familiar, for the files
 * that bring the ways to look at bytes.
 *
 * A file defines, before it includes this one, BYTES_TARGET (an attribute, or
 * nothing) and three static inline functions:
 *
 *     bool bytes_same(const char *a, const char *b, size_t n)
 *         whether n bytes, at least 1, are the same; both may be read up to
 *         a block behind them.
 *     const char *bytes_args(const char *at, const char *end)
 *         the ")" behind arguments that begin at the cursor: no parenthesis, no
 *         line end and, as in a hole, no NUL stands before; NULL when it is
 *         not so, or two blocks before the end.
 *     size_t bytes_fill(const char *at, const char *mould, size_t n)
 *         how many of n bytes, at least 64, are those of a mould, or where that
 *         is open none of these. With BYTES_FILL only.
 *     bool bytes_digits(const char *at, unsigned n)
 *         whether n bytes, at most a block, are decimal digits; a block may be
 *         read. With BYTES_FILL only.
 *     const char *bytes_second_end(const char *at, const char *end)
 *         the end of the second line from here, or NULL. */
#ifndef FORMAT_FAMILIAR_MATCH_H
#define FORMAT_FAMILIAR_MATCH_H

#include "format/familiar.h"

#ifdef BYTES_TARGET

# ifndef BYTES_FILL
#  define BYTES_FILL 0
# endif

/* The line end behind digits; NULL when something else stands there. */
static inline const char *digits_end(const char *at, const char *end)
{
    const char *begin = at;

    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at > begin && at < end && *at == '\n' ? at : NULL;
}

/* A segment that does not stand at the cursor, or whose field does not. */
struct parting {
    const struct familiar_segment *segment;
    const char *at;    /* where it was looked for */
    const char *text;  /* what was looked for */
    const char *field; /* what stands right before; NULL = not compared */
    unsigned piece;    /* that was not whole before */
    unsigned n_args;   /* pieces whose arguments are known */
};

/* Ends a comparison. The cursor goes back to the first piece that is not
 * whole. */
__attribute__((noinline)) static bool part(struct familiar_match *match,
                                           const struct parting *parting)
{
    const struct familiar *familiar = match->found;
    const struct familiar_piece *pieces = familiar->pieces;
    unsigned n = parting->piece;
    const char *at = parting->at;
    uint32_t offset = (uint32_t)(parting->text - familiar->text);

    if (parting->field)
        match->at = parting->field - (offset - pieces[n].begin);
    while (n < familiar->n_pieces &&
           pieces[n + 1].begin <= parting->segment->end) {
        size_t size = pieces[n + 1].begin - offset;

        if ((size_t)(match->end - at) < size ||
            memcmp(at, familiar->text + offset, size) != 0)
            break;
        if (n >= parting->n_args)
            match->args[n] = (struct str){NULL, 0};
        n++;
        at += size;
        offset += (uint32_t)size;
        match->at = at;
    }
    match->n_pieces = n;
    return false;
}

/* The end of the field behind a segment; NULL when something else stands
 * there. */
BYTES_TARGET static inline const char *field_end(
    const struct familiar_segment *segment, const char *at, const char *end)
{
    return segment->field == FAMILIAR_ARGS ? bytes_args(at, end)
                                           : digits_end(at, end);
}

/* Compares what stands at the cursor with the familiar that was found, from its
 * piece n_pieces on. Moves the cursor behind the last piece that stands there
 * and counts them in n_pieces; true when these are all. */
BYTES_TARGET static inline bool match_pieces(struct familiar_match *match)
{
    const struct familiar *familiar = match->found;
    const struct familiar_segment *segment = familiar->segments;
    const char *base = familiar->text;
    const char *text = base;
    const char *at = match->at;
    const char *end = match->end;
    const char *field = NULL;
    unsigned piece = match->n_pieces;
    unsigned n_args = match->n_pieces;
    struct str *args = match->args;

    if (piece == familiar->n_pieces)
        return true;
    if (piece) {
        text += familiar->pieces[piece].begin;
        segment += familiar->pieces[piece].segment;
    }
    for (;; segment++) {
        const char *text_end = base + segment->end;
        const char *begin = at + (text_end - text);
        const char *next;

        if (end - begin < FAMILIAR_BLOCK ||
            !bytes_same(at, text, (size_t)(text_end - text)))
            break;
        for (; n_args < segment->piece; n_args++)
            args[n_args] = (struct str){NULL, 0};
        if (segment->field == FAMILIAR_END) {
            match->at = begin;
            match->n_pieces = n_args;
            return true;
        }
        next = field_end(segment, begin, end);
        if (!next)
            break;
        piece = n_args++;
        args[piece] = (struct str){begin, (size_t)(next - begin)};
        field = begin;
        text = text_end;
        at = next;
    }
    return part(match,
                &(struct parting){segment, at, text, field, piece, n_args});
}

/* Where the bytes end by which a familiar is looked for at the cursor, as for
 * familiar_hash; NULL when there are too few. */
BYTES_TARGET static inline const char *find_key_end(const char *at,
                                                    const char *end)
{
    const char *line_end;

    if (*at == FAMILIAR_ELIDES)
        return end - at > FAMILIAR_KEY ? at + FAMILIAR_KEY : NULL;
    line_end = bytes_second_end(at, end);
    return line_end && line_end - at >= FAMILIAR_KEY ? line_end : NULL;
}

/* A familiar that goes on with the lines at the cursor after the first n pieces
 * of another; NULL when none is known. */
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
        line_end = find_key_end(at, end);
        if (!line_end)
            return NULL;
    }
    other = familiar_slot(familiars, familiar_hash(prefix, line_end))->familiar;
    if (!other || !familiar)
        return other;
    if (other == familiar || n > familiar->n_frames || n > other->n_frames ||
        familiar_elided(other, n) != familiar_elided(familiar, n) ||
        memcmp(other->frames, familiar->frames, n * sizeof(frame_id)) != 0)
        return NULL;
    return other;
}

# if BYTES_FILL

/* Has 256 bytes fetched; without a loop, whose end could not be foreseen. */
static inline void fetch_256(const char *at)
{
    __builtin_prefetch(at);
    __builtin_prefetch(at + 64);
    __builtin_prefetch(at + 128);
    __builtin_prefetch(at + 192);
}

/* Has what will be looked at fetched while the text is compared. */
BYTES_TARGET static inline void fetch_near(const struct familiar *familiar)
{
    fetch_256(familiar->mould.text);
    fetch_256(familiar->mould.text + 256);
    fetch_256(familiar->mould.text + 512);
    fetch_256(familiar->mould.text + 768);
    for (unsigned i = 0; i < NOTE_NEAR; i++)
        __builtin_prefetch(familiar->note.near[i]);
}

/* What follows in a familiar's place where a goroutine parts from its mould
 * behind so many bytes, at a piece after the first n; NULL when none is
 * known. */
BYTES_TARGET static inline struct familiar *find_parted(
    const struct familiars *familiars, const struct familiar *familiar,
    unsigned *n, size_t same, const struct familiar_match *match)
{
    const struct familiar_mould *mould = &familiar->mould;
    unsigned before = *n;
    const char *at;
    const char *end;

    for (*n = 0; *n < familiar->n_pieces && mould->ends[*n] <= same; ++*n)
        ;
    if (*n <= before || *n == familiar->n_pieces)
        return NULL;
    at = match->at + mould->ends[*n - 1];
    end = find_key_end(at, match->end);
    if (!end)
        return NULL;
    return familiar_slot(familiars, familiar_hash(familiar->prefixes[*n], end))
        ->familiar;
}

/* Takes a goroutine whose text fills a mould but for the id of its creator. */
BYTES_TARGET static inline bool take_filled(struct familiar_match *match,
                                            struct familiar *familiar)
{
    const struct familiar_mould *mould = &familiar->mould;

    if (!bytes_digits(match->at + mould->id, mould->n_id))
        return false;
    match->fills_mould = true;
    match->at += mould->size - 1;
    match->found = familiar;
    match->n_pieces = familiar->n_pieces;
    if (familiar->pause > FAMILIAR_PAUSE)
        familiar->pause--;
    if (familiar->wait < FAMILIAR_PAUSE)
        familiar->wait++;
    return true;
}

/* Compares the goroutine at the cursor with the mould of the familiar that is
 * expected there; as match_moulds. */
BYTES_TARGET static inline bool match_follower(
    const struct familiars *familiars, struct familiar_match *match)
{
    struct familiar *follower = familiars_follower(familiars);
    const struct familiar_mould *mould;

    if (!follower)
        return false;
    mould = &follower->mould;
    if (!mould->size || match->end - match->at < mould->size + FAMILIAR_BLOCK)
        return false;
    if (follower != familiars->before)
        fetch_near(follower);
    return bytes_fill(match->at, mould->text, mould->size) == mould->size &&
           take_filled(match, follower);
}

/* Compares the goroutine at the cursor with the mould of the familiar that it
 * looks like, and of those that it turns to. True, and as familiar_match_fn,
 * when it fills one; else nothing is changed. */
BYTES_TARGET static inline bool match_moulds(const struct familiars *familiars,
                                             struct familiar_match *match,
                                             struct familiar *familiar)
{
    const char *at = match->at;
    unsigned n = 0;

    while (familiar && familiar->mould.size &&
           match->end - at >= familiar->mould.size + FAMILIAR_BLOCK) {
        const struct familiar_mould *mould = &familiar->mould;
        size_t same;

        fetch_near(familiar);
        same = bytes_fill(at, mould->text, mould->size);
        if (same == mould->size)
            return take_filled(match, familiar);
        familiar = find_parted(familiars, familiar, &n, same, match);
    }
    return false;
}

# else

/* Without a way to compare with a mould, none is made. */
static inline bool match_follower(const struct familiars *familiars,
                                  struct familiar_match *match)
{
    (void)familiars;
    (void)match;
    return false;
}

/* The same. */
static inline bool match_moulds(const struct familiars *familiars,
                                struct familiar_match *match,
                                struct familiar *familiar)
{
    (void)familiars;
    (void)match;
    (void)familiar;
    return false;
}

# endif

/* The body of familiar_match_fn. */
BYTES_TARGET static inline bool match_goroutine(
    const struct familiars *familiars, struct familiar_match *match)
{
    const char *end = match->end;
    unsigned parted_at = 0;
    struct familiar *other = NULL;

    match->n_pieces = 0;
    if (match_follower(familiars, match))
        return true;
    if (familiars->slots)
        other = find_other(familiars, NULL, 0, match->at, end);
    if (match_moulds(familiars, match, other))
        return true;
    while (other) {
        match->found = other;
        if (match_pieces(match) && match->at < end && *match->at == '\n') {
            match->wants_mould = BYTES_FILL;
            return true;
        }
        /* The other one must go on at least by a piece. */
        if (match->n_pieces <= parted_at)
            break;
        parted_at = match->n_pieces;
        other = find_other(familiars, match->found, parted_at, match->at, end);
    }
    if (!match->n_pieces)
        match->found = NULL;
    return false;
}

#endif /* BYTES_TARGET */

#endif

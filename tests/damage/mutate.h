/* mutate.h - ways to damage the bytes of a dump, the same in every run.
 *
 * What happens to the files of people: cut by a limit, a full disk or a tail,
 * bits and bytes that changed, lines lost, doubled and out of order, parts of
 * other files in between. A damage is told by its index alone: the first ones
 * cut the bytes to each of their first lengths, the others are random. */
#ifndef DAMAGE_MUTATE_H
#define DAMAGE_MUTATE_H

#include "base/buf.h"
#include "gen/dice.h"

/* How many lengths from nothing up are all tried. */
enum { DAMAGE_CUTS = 2000 };

/* What was made of some bytes. */
struct damage {
    struct str seed;  /* the whole bytes */
    struct str other; /* those of another file, to mix in */
    struct dice dice;
    struct buf bytes;  /* the damaged ones */
    struct buf plain;  /* of packed ones: what was packed; else empty */
    const char *words; /* what was done */
    bool is_cut;       /* a beginning of the seed and nothing else */
    bool is_mixed;     /* bytes of the other file are in it */
    bool has_hole;     /* zeros stand in place of some bytes */
    bool is_short;     /* the end of a line is missing */
    bool is_packed;    /* gzip'd, otherwise whole: plain says the same */
};

/* How many damages there are for a seed of that size: all cuts, and so many
 * others that a large file takes about as long as a small one. */
size_t damage_count(size_t size);

/* Makes the damage of that index, below damage_count, of seed and other. What
 * ret held before is overwritten; its buffers are kept and used again. */
void damage_make(struct damage *ret, struct str seed, struct str other,
                 size_t index);

/* Frees the buffers. */
void damage_done(struct damage *damage);

/* Appends the bytes as one gzip member. */
void bytes_pack(struct buf *into, struct str bytes);

/* Appends what gzip'd bytes hold; the bytes as they are when they are not. */
void bytes_unpack(struct buf *into, struct str bytes);

#endif

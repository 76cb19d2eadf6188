/* header_tails.h - ends of headers that were parsed before.
 *
 * What follows the state and the wait of a goroutine, up to the end of its
 * line, is mostly labels, and goroutines that serve alike have the same. An end
 * that comes a second time is kept with what it means: whoever finds it again
 * need not parse it. Those that come once, as labels with the number of a
 * request do, take no memory. */
#ifndef FORMAT_HEADER_TAILS_H
#define FORMAT_HEADER_TAILS_H

#include "base/arena.h"
#include "base/hash.h"
#include "model/record.h"

enum {
    TAILS_SLOTS = 1 << 9,
    TAILS_BYTES = 1 << 18, /* of those that are kept at a time */
    TAIL_MOST = 1 << 10,   /* longer ones are not */
};

struct header_tail {
    struct str text;
    bool locked; /* to its thread */
    struct label_set set;
};

struct header_tails {
    struct arena arena;
    size_t n_bytes;
    struct tail_slot {
        const struct header_tail *tail; /* NULL = none is kept */
        uint32_t tag; /* of the hash of what came here last and was not it */
    } slots[TAILS_SLOTS];
};

/* An empty cache, of which what it keeps is charged to the budget; NULL without
 * memory. And its end. */
struct header_tails *header_tails_new(struct budget *budget);
void header_tails_free(struct header_tails *tails);

/* Notes an end that was parsed, and keeps it when it came before: the labels it
 * has, in order, and whether it says "locked to thread". It must say nothing
 * else. Without memory, or a cache (NULL), it is not kept. */
void header_tails_note(struct header_tails *tails, struct str text, bool locked,
                       const struct label *labels, size_t n_labels);

/* The hash of an end. */
static inline uint64_t header_tail_hash(struct str text)
{
    return hash_bytes(text.ptr, text.len);
}

/* What an end means; NULL when it is not kept, or there is no cache. */
static inline const struct header_tail *header_tails_find(
    const struct header_tails *tails, struct str text)
{
    const struct header_tail *tail = NULL;

    if (tails)
        tail = tails->slots[header_tail_hash(text) % TAILS_SLOTS].tail;
    return tail && str_equal(tail->text, text) ? tail : NULL;
}

#endif

/* id_set.h - the goroutine ids of the dump that is being read.
 *
 * Ids are never used twice in a process, so an id that comes again begins
 * another dump. The set is exact for the first ID_SET_MOST goroutines of a
 * dump, or half of ID_SET_FIRST when there is no memory for more, and forgets
 * the others, which only makes a border harder to see. */
#ifndef FORMAT_ID_SET_H
#define FORMAT_ID_SET_H

#include <stdint.h>

#include "base/budget.h"
#include "base/hash.h"

enum {
    ID_SET_MOST = 1 << 12,
    ID_SET_FIRST = 1 << 8,
    ID_SET_FILTER = 1 << 15, /* bits: a fifth are set when it is full */
};

struct id_set {
    struct budget *budget;
    size_t most;     /* ids that are kept */
    uint64_t *slots; /* 0 = free: id 0 is the scheduler's, of every thread */
    size_t size;     /* a power of two */
    size_t count;
    /* The slots of a small dump: where memory has run out, dumps that follow
     * each other are still told apart. */
    uint64_t first[ID_SET_FIRST];
    /* Two bits of one word for every id, at the place that its hash says: most
     * questions are about new ids, and are answered without going to the large
     * table. */
    uint64_t filter[ID_SET_FILTER / 64];
};

/* An empty set of at most so many ids, and its end; most 0 = ID_SET_MOST. A set
 * is not copied: it may point into itself. */
void id_set_init(struct id_set *set, struct budget *budget, size_t most);
void id_set_done(struct id_set *set);

/* Forgets all ids. */
void id_set_clear(struct id_set *set);

/* Whether an id is known, for those whose bits are set. */
bool id_set_look(const struct id_set *set, uint64_t id, uint64_t hash);

/* The bits of a hash, in the word of the filter that it says. */
static inline uint64_t id_set_bits(uint64_t hash)
{
    return (uint64_t)1 << (hash >> 58) | (uint64_t)1 << (hash >> 52 & 63);
}

/* Whether an id is known. */
static inline bool id_set_has(const struct id_set *set, uint64_t id)
{
    uint64_t hash = hash_mix(id, 0);
    uint64_t bits = id_set_bits(hash);
    uint64_t word = set->filter[(hash >> 32) % (ID_SET_FILTER / 64)];

    return (word & bits) == bits && id_set_look(set, id, hash);
}

/* Whether so large a share of the ids that are kept, one in n, is there. */
static inline bool id_set_has_share(const struct id_set *set, size_t n)
{
    return set->count >= set->most / n;
}

/* Whether further ids are forgotten. */
static inline bool id_set_is_full(const struct id_set *set)
{
    return set->count >= set->most;
}

/* Adds an id to a set that is not full; without memory it is forgotten. */
void id_set_put(struct id_set *set, uint64_t id);

/* Adds an id; without memory, or when the set is full, it is forgotten. */
static inline void id_set_add(struct id_set *set, uint64_t id)
{
    if (!id_set_is_full(set))
        id_set_put(set, id);
}

#endif

/* pointers.h - what the goroutines of a snapshot hold in their hands.
 *
 * debug=2 prints the arguments of calls. Whoever holds a lock mostly has its
 * address, or that of the object around it, as an argument of some frame. Of
 * every group the pointer arguments of a few goroutines are kept: those with
 * the smallest hash of their id, so that the choice does not depend on the
 * order of the input; POINTERS_MOST goroutines a snapshot, in order of the
 * input, so that millions of different stacks stay affordable. */
#ifndef MODEL_POINTERS_H
#define MODEL_POINTERS_H

#include "base/pool.h"
#include "base/str.h"

struct arena;
struct arg_map;
struct pointer_heap;
struct record;
struct symbols;

enum {
    POINTERS_KEPT = 12,    /* addresses kept a goroutine */
    POINTERS_GROUP = 64,   /* goroutines kept a group */
    POINTERS_MOST = 65536, /* goroutines kept a snapshot */
};

/* What is known of one address. */
enum {
    POINTER_SURE = 1,  /* no "?" behind it: it may not be left over */
    POINTER_FIRST = 2, /* the first argument, mostly the receiver */
};

/* The pointer arguments of one goroutine. */
struct pointers {
    uint64_t id;                       /* of the goroutine */
    uint64_t lock;                     /* that it waits for, as counted in the
                                          table of locks; 0 = unknown */
    uint32_t next;                     /* in its group; 0 = the last */
    uint16_t n;                        /* addresses below */
    uint16_t list_n;                   /* in the first: goroutines listed */
    uint64_t std_frames;               /* in the first: bits of the frames of
                                          the standard library */
    struct pointer_heap *heap;         /* in the first of a full list */
    uint8_t frames[POINTERS_KEPT];     /* which frame passes each */
    uint8_t flags[POINTERS_KEPT];      /* POINTER_SURE, POINTER_FIRST */
    uint64_t addresses[POINTERS_KEPT]; /* no frame has one twice */
};

/* Reads the argument texts of a record and keeps what looks like a pointer,
 * 0x1000 and above: of frames outside the standard library before others, first
 * arguments before the rest, sure ones before those with "?". *head is the
 * group's list (0 = empty), which holds POINTERS_GROUP at most, all of records
 * with the same frames; arena must live as long as the pool. Returns the hash
 * of an id (evidence.h) from which on nothing would be kept for this group; 0
 * while that is not known. */
uint64_t pointers_add(struct pool *pool, uint32_t *head, struct arena *arena,
                      const struct symbols *symbols,
                      const struct record *record, uint64_t lock);

/* How many of the count goroutines of a list have an address, as far as they
 * are kept; all of them when each of these has. */
uint64_t pointers_sharing(const struct pool *pool, uint32_t head,
                          uint64_t address, uint64_t count);

/* Adds what was kept of a goroutine before to the end of a list: its id, lock,
 * n and the arrays. False when the list or the pool is full, or memory. */
bool pointers_put(struct pool *pool, uint32_t *head,
                  const struct pointers *pointers);

/* Adds what a list of another snapshot keeps, whose frames are the same. False,
 * with part of it added, when the pool had to leave some out: then the order of
 * the input would decide. */
bool pointers_merge(struct pool *pool, uint32_t *head, struct arena *arena,
                    const struct pool *from, uint32_t from_head);

/* Puts the words of a map, of goroutines with these frames, in the order in
 * which pointers_add takes them, and drops those that it does not look at. */
void pointers_rank(struct arg_map *map, const struct symbols *symbols,
                   const uint32_t *frames, size_t n_frames);

/* The hash of an id from which on nothing would be kept in a list; 0 while that
 * is not known. */
uint64_t pointers_bound(const struct pool *pool, uint32_t head);

/* Has all that is kept fetched, in the order in which it lies: lists lead from
 * one place to another, and each step would wait for memory. */
void pointers_fetch(const struct pool *pool);

/* Puts a list in order of ids; nothing is added after that. */
void pointers_sort(struct pool *pool, uint32_t *head);

/* The goroutine at a place of a list, or NULL at its end. The next one stands
 * somewhere else, and is fetched while this one is looked at. */
static inline const struct pointers *pointers_get(const struct pool *pool,
                                                  uint32_t at)
{
    const struct pointers *entry = at ? pool_at(pool, at - 1) : NULL;
    const char *next;

    if (!entry || !entry->next)
        return entry;
    next = pool_at(pool, entry->next - 1);
    for (size_t i = 0; i < sizeof(*entry); i += 64)
        __builtin_prefetch(next + i);
    return entry;
}

#endif

/* arena.h - memory that is freed all at once.
 *
 * An arena hands out pieces of chunks that it charges to a budget. Pieces are
 * never freed one by one; everything dies with the arena, or at its reset. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/budget.h"
#include "base/str.h"

struct arena_chunk;

struct arena {
    struct budget *budget;
    struct arena_chunk *chunks; /* the newest first */
    char *at;                   /* the free rest of the newest */
    char *end;
};

/* An empty arena that charges to budget, which must outlive it. */
void arena_init(struct arena *arena, struct budget *budget);

/* Frees all that the arena handed out; it can be used again. */
void arena_done(struct arena *arena);

/* Forgets all that the arena handed out but keeps its newest chunk, so that
 * a loop over small messages does not go to the system each time. */
void arena_reset(struct arena *arena);

/* size bytes aligned for any object, not cleared; NULL when the budget or the
 * system has no more. A size of 0 gives a valid pointer to nothing. */
void *arena_take(struct arena *arena, size_t size);

/* The same, cleared. */
void *arena_take_zero(struct arena *arena, size_t size);

/* A copy of s in the arena, NUL-terminated behind its len bytes; ptr is NULL
 * when there is no more memory. */
struct str arena_copy(struct arena *arena, struct str s);

#endif

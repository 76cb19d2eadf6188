#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

struct arena_chunk {
    struct arena_chunk *next;
    size_t size; /* of the whole block, this head included */
};

enum { CHUNK_FIRST = 1024, CHUNK_MOST = 256 * 1024 };

static size_t round_up(size_t size)
{
    size_t unit = alignof(max_align_t);

    return (size + unit - 1) / unit * unit;
}

void arena_init(struct arena *arena, struct budget *budget)
{
    *arena = (struct arena){.budget = budget};
}

static void free_chunks(struct arena *arena, struct arena_chunk *chunk)
{
    while (chunk) {
        struct arena_chunk *next = chunk->next;

        budget_free(arena->budget, chunk, chunk->size);
        chunk = next;
    }
}

void arena_done(struct arena *arena)
{
    free_chunks(arena, arena->chunks);
    arena_init(arena, arena->budget);
}

void arena_reset(struct arena *arena)
{
    struct arena_chunk *newest = arena->chunks;

    if (!newest)
        return;
    free_chunks(arena, newest->next);
    newest->next = NULL;
    arena->at = (char *)newest + round_up(sizeof(*newest));
    arena->end = (char *)newest + newest->size;
}

/* Chunks double up to CHUNK_MOST, so that a small snapshot stays small and a
 * large one does not go to the system too often. */
static bool add_chunk(struct arena *arena, size_t size)
{
    size_t head = round_up(sizeof(struct arena_chunk));
    size_t last = arena->chunks ? arena->chunks->size : CHUNK_FIRST / 2;
    size_t want = last >= CHUNK_MOST / 2 ? CHUNK_MOST : last * 2;
    struct arena_chunk *chunk;

    if (size > SIZE_MAX - head)
        return false;
    if (want < head + size)
        want = head + size;
    chunk = budget_resize(arena->budget, NULL, 0, want);
    if (!chunk)
        return false;
    chunk->next = arena->chunks;
    chunk->size = want;
    arena->chunks = chunk;
    arena->at = (char *)chunk + head;
    arena->end = (char *)chunk + want;
    return true;
}

void *arena_take(struct arena *arena, size_t size)
{
    void *piece;

    if (size > SIZE_MAX - alignof(max_align_t))
        return NULL;
    size = round_up(size);
    if (!arena->at || size > (size_t)(arena->end - arena->at)) {
        if (!add_chunk(arena, size))
            return NULL;
    }
    piece = arena->at;
    arena->at += size;
    return piece;
}

void *arena_take_zero(struct arena *arena, size_t size)
{
    void *piece = arena_take(arena, size);

    if (piece)
        memset(piece, 0, size);
    return piece;
}

struct str arena_copy(struct arena *arena, struct str s)
{
    char *copy = arena_take(arena, s.len + 1);

    if (str_is_lost(s))
        budget_note_refusal(arena->budget);
    if (!copy)
        return (struct str){NULL, 0};
    if (s.len)
        memcpy(copy, s.ptr, s.len);
    copy[s.len] = '\0';
    return (struct str){copy, s.len};
}

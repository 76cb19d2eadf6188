#include "model/pointers.h"

#include "base/hex.h"
#include "model/evidence.h"
#include "model/name.h"

enum {
    FRAMES_READ = 64,
    POINTER_LEAST = 0x1000,
    DIGITS_LEAST = 4,  /* of a word that may be so large */
    MAPPED_MOST = 128, /* words of a goroutine whose map is used */
};

/* How telling a pointer is, the most telling first. A frame has one first
 * argument: of the first and the third rank together at most one pointer. */
enum rank {
    RANK_FIRST,
    RANK_OTHER,
    RANK_DOUBTFUL,  /* a first argument with "?" */
    RANK_STD_FIRST, /* of frames of the standard library */
    RANK_STD_OTHER,
    RANKS,
};

/* The pointers of one rank, in order, no frame with one twice. */
struct ranked {
    unsigned n;
    struct pointer {
        uint64_t address;
        uint8_t frame;
        uint8_t flags;
    } items[POINTERS_KEPT];
};

static void rank_add(struct ranked *ranked, struct pointer pointer)
{
    if (ranked->n == POINTERS_KEPT)
        return;
    for (unsigned i = ranked->n; i-- > 0;) {
        if (ranked->items[i].frame != pointer.frame)
            break;
        if (ranked->items[i].address == pointer.address)
            return;
    }
    ranked->items[ranked->n++] = pointer;
}

/* The words of one frame's arguments: "0xc000, 0x7", "{0x1?, 0xc000?}", "...".
 * What lies up to readable, at or behind end, may be read. */
struct words {
    const char *begin;
    const char *at;
    const char *end;
    const char *readable;
};

/* Reads on to the next word that looks like a pointer; false at the end. */
static bool next_pointer(struct words *words, struct pointer *pointer)
{
    while (words->end - words->at > 2) {
        const char *at = words->at;

        if (at[0] != '0' || at[1] != 'x') {
            words->at++;
            continue;
        }
        words->at += 2;
        if (!hex_cut(&words->at, words->end, words->readable,
                     &pointer->address) ||
            pointer->address < POINTER_LEAST)
            continue;
        pointer->flags = at == words->begin ? POINTER_FIRST : 0;
        if (words->at == words->end || *words->at != '?')
            pointer->flags |= POINTER_SURE;
        return true;
    }
    return false;
}

/* Ranks the pointers of one frame, each under the most telling rank only. */
static void read_frame(struct ranked ranks[static RANKS], bool is_std,
                       uint8_t frame, struct words words)
{
    struct ranked *firsts = &ranks[is_std ? RANK_STD_FIRST : RANK_FIRST];
    struct ranked *others = &ranks[is_std ? RANK_STD_OTHER : RANK_OTHER];
    struct pointer pointer = {.frame = frame};
    struct pointer doubtful = {0};
    uint64_t first = 0;

    while (next_pointer(&words, &pointer)) {
        if (pointer.flags == POINTER_FIRST)
            doubtful = pointer;
        if (!(pointer.flags & POINTER_SURE) || pointer.address == first)
            continue;
        if (pointer.address == doubtful.address)
            doubtful.address = 0;
        if (pointer.flags & POINTER_FIRST)
            first = pointer.address;
        rank_add(pointer.flags & POINTER_FIRST ? firsts : others, pointer);
    }
    if (doubtful.address && !is_std)
        rank_add(&ranks[RANK_DOUBTFUL], doubtful);
}

/* Keeps the most telling ones. */
static void keep(struct pointers *pointers,
                 const struct ranked ranks[static RANKS])
{
    for (unsigned rank = 0; rank < RANKS; rank++) {
        for (unsigned i = 0; i < ranks[rank].n; i++) {
            const struct pointer *pointer = &ranks[rank].items[i];

            if (pointers->n == POINTERS_KEPT)
                return;
            pointers->frames[pointers->n] = pointer->frame;
            pointers->flags[pointers->n] = pointer->flags;
            pointers->addresses[pointers->n++] = pointer->address;
        }
    }
}

/* Ranks the pointers of the frames that have a bit, until the first rank of
 * these has as many as are kept. */
static void read_frames(struct ranked ranks[static RANKS], uint64_t frames,
                        bool is_std, const struct record *record)
{
    const struct ranked *firsts = &ranks[is_std ? RANK_STD_FIRST : RANK_FIRST];

    for (; frames && firsts->n < POINTERS_KEPT; frames &= frames - 1) {
        unsigned i = (unsigned)__builtin_ctzll(frames);
        struct str args = record_args(record, i);
        const char *end;

        if (args.len <= 3)
            continue;
        end = args.ptr + args.len;
        read_frame(ranks, is_std, (uint8_t)i,
                   (struct words){args.ptr, args.ptr, end,
                                  record->args_end ? record->args_end : end});
    }
}

static void read_args(struct pointers *pointers, uint64_t std_frames,
                      const struct record *record)
{
    size_t n = record->n_frames < FRAMES_READ ? record->n_frames : FRAMES_READ;
    uint64_t frames = n ? UINT64_MAX >> (64 - n) : 0;
    struct ranked ranks[RANKS];

    for (unsigned rank = 0; rank < RANKS; rank++)
        ranks[rank].n = 0;
    read_frames(ranks, frames & ~std_frames, false, record);
    if (ranks[RANK_FIRST].n + ranks[RANK_OTHER].n + ranks[RANK_DOUBTFUL].n <
        POINTERS_KEPT)
        read_frames(ranks, frames & std_frames, true, record);
    keep(pointers, ranks);
}

/* The rank of a word; RANKS when it is never kept. */
static enum rank rank_of(const struct arg_word *word, uint64_t std_frames)
{
    bool is_std = std_frames >> word->frame & 1;

    switch (word->flags & (POINTER_SURE | POINTER_FIRST)) {
    case POINTER_SURE | POINTER_FIRST:
        return is_std ? RANK_STD_FIRST : RANK_FIRST;
    case POINTER_SURE:
        return is_std ? RANK_STD_OTHER : RANK_OTHER;
    case POINTER_FIRST:
        return is_std ? RANKS : RANK_DOUBTFUL;
    default:
        return RANKS;
    }
}

/* Whether a word of a map has the same address as one before it in its
 * frame. */
static bool is_twin(const struct arg_map *map, const uint64_t *addresses,
                    size_t which)
{
    bool found = false;

    for (size_t i = map->words[which].before; i; i = map->words[i - 1].before)
        found |= addresses[i - 1] == addresses[which];
    return found;
}

/* The same as read_args where it is known where the words stand, in their
 * order. False when something else stands there, which may be other words. */
static bool read_map(struct pointers *pointers, const struct arg_map *map,
                     const char *text)
{
    uint64_t addresses[MAPPED_MOST];
    bool is_there = map->n_words <= MAPPED_MOST;
    size_t n = 0;

    for (; is_there && n < map->n_words; n++) {
        const struct arg_word *word = &map->words[n];
        unsigned n_digits;

        addresses[n] = hex_block(text + word->begin, &n_digits);
        is_there = n_digits == word->length;
    }
    if (n > map->n_ranked)
        n = map->n_ranked;
    for (size_t i = 0; is_there && i < n && pointers->n < POINTERS_KEPT; i++) {
        const struct arg_word *word = &map->words[i];

        if (addresses[i] < POINTER_LEAST || is_twin(map, addresses, i))
            continue;
        pointers->frames[pointers->n] = word->frame;
        pointers->flags[pointers->n] = word->flags;
        pointers->addresses[pointers->n++] = addresses[i];
    }
    return is_there;
}

static struct pointers *entry_at(const struct pool *pool, uint32_t at)
{
    return at ? pool_at(pool, at - 1) : NULL;
}

/* The goroutines of a full list by the hash of their id, the largest first: a
 * heap, in which that of i has those of 2 * i + 1 and 2 * i + 2 below it. */
struct pointer_heap {
    uint64_t hashes[POINTERS_GROUP];
    uint32_t entries[POINTERS_GROUP];
};

/* Puts an entry in place of the largest. */
static void heap_replace(struct pointer_heap *heap, uint64_t hash,
                         uint32_t entry)
{
    unsigned at = 0;

    for (unsigned child = 1; child < POINTERS_GROUP; child = at * 2 + 1) {
        if (child + 1 < POINTERS_GROUP &&
            heap->hashes[child + 1] > heap->hashes[child])
            child++;
        if (heap->hashes[child] <= hash)
            break;
        heap->hashes[at] = heap->hashes[child];
        heap->entries[at] = heap->entries[child];
        at = child;
    }
    heap->hashes[at] = hash;
    heap->entries[at] = entry;
}

/* The heap of a full list; NULL without memory. */
static struct pointer_heap *new_heap(const struct pool *pool, uint32_t head,
                                     struct arena *arena)
{
    struct pointer_heap *heap = arena_take(arena, sizeof(*heap));
    uint32_t at = head;

    if (!heap)
        return NULL;
    /* Larger than any, so that each in turn comes to stand in its place. */
    for (unsigned i = 0; i < POINTERS_GROUP; i++)
        heap->hashes[i] = UINT64_MAX;
    for (unsigned i = 0; i < POINTERS_GROUP; i++) {
        const struct pointers *entry = entry_at(pool, at);

        heap_replace(heap, id_sample_hash(entry->id), at);
        at = entry->next;
    }
    return heap;
}

/* The entry of a full list that makes room for an id; NULL when the id is not
 * to be kept. */
static struct pointers *replace_entry(struct pool *pool, uint32_t head,
                                      struct arena *arena, uint64_t id)
{
    struct pointers *first = entry_at(pool, head);
    uint64_t hash = id_sample_hash(id);
    uint32_t at;

    if (!first->heap)
        first->heap = new_heap(pool, head, arena);
    if (!first->heap || hash >= first->heap->hashes[0])
        return NULL;
    at = first->heap->entries[0];
    heap_replace(first->heap, hash, at);
    return entry_at(pool, at);
}

/* A bit for each of the first frames that is of the standard library. */
static uint64_t find_std(const struct symbols *symbols, const frame_id *frames,
                         size_t n)
{
    uint64_t found = 0;

    for (size_t i = 0; i < n && i < FRAMES_READ; i++) {
        if (name_is_std(symbols_function(symbols, frames[i])))
            found |= (uint64_t)1 << i;
    }
    return found;
}

/* The last of the ranked words before one that is of its frame, from 1. */
static uint8_t find_before(const struct arg_map *map, size_t which)
{
    size_t i = which;

    while (i && map->words[i - 1].frame != map->words[which].frame)
        i--;
    return (uint8_t)i;
}

void pointers_rank(struct arg_map *map, const struct symbols *symbols,
                   const frame_id *frames, size_t n_frames)
{
    uint64_t std_frames = find_std(symbols, frames, n_frames);
    size_t n = 0;

    map->n_ranked = 0;
    /* By insertion: they are few, and those of a rank stay in order. */
    for (size_t i = 0; i < map->n_words; i++) {
        struct arg_word word = map->words[i];
        enum rank rank;
        size_t at = n;

        if (word.frame >= FRAMES_READ || word.length < DIGITS_LEAST)
            continue;
        rank = rank_of(&word, std_frames);
        for (; at && rank_of(&map->words[at - 1], std_frames) > rank; at--)
            map->words[at] = map->words[at - 1];
        map->words[at] = word;
        map->n_ranked += rank != RANKS;
        n++;
    }
    map->n_words = n;
    for (size_t i = 0; i < n && i < MAPPED_MOST; i++)
        map->words[i].before = find_before(map, i);
}

/* A new entry behind the first of its list, or the first itself. */
static struct pointers *add_entry(struct pool *pool, uint32_t *head)
{
    struct pointers *first = entry_at(pool, *head);
    struct pointers *entry =
        pool->count < POINTERS_MOST ? pool_add(pool) : NULL;

    if (!entry)
        return NULL;
    if (first) {
        entry->next = first->next;
        first->next = (uint32_t)pool->count;
    } else {
        *head = (uint32_t)pool->count;
    }
    return entry;
}

/* The entry for a goroutine: a new one, or that of one whose place it takes;
 * NULL when it is not to be kept. */
static struct pointers *place_entry(struct pool *pool, uint32_t *head,
                                    struct arena *arena, uint64_t id)
{
    struct pointers *first = entry_at(pool, *head);
    struct pointers *entry;

    if (first && first->list_n == POINTERS_GROUP)
        return replace_entry(pool, *head, arena, id);
    entry = add_entry(pool, head);
    if (entry)
        entry_at(pool, *head)->list_n++;
    return entry;
}

uint64_t pointers_bound(const struct pool *pool, uint32_t head)
{
    const struct pointers *first = entry_at(pool, head);

    return first && first->heap ? first->heap->hashes[0] : 0;
}

uint64_t pointers_add(struct pool *pool, uint32_t *head, struct arena *arena,
                      const struct symbols *symbols,
                      const struct record *record, uint64_t lock)
{
    bool is_first = !*head;
    struct pointers *entry = place_entry(pool, head, arena, record->id);
    const struct pointers *first = entry_at(pool, *head);

    if (!entry)
        return pointers_bound(pool, *head);
    if (is_first)
        entry->std_frames = find_std(symbols, record->frames, record->n_frames);
    entry->id = record->id;
    entry->lock = lock;
    entry->n = 0;
    if (record->arg_map && read_map(entry, record->arg_map, record->args_text))
        return pointers_bound(pool, *head);
    entry->n = 0;
    read_args(entry, first->std_frames, record);
    return pointers_bound(pool, *head);
}

/* Takes over what was kept of a goroutine. */
static void fill_entry(struct pointers *entry, const struct pointers *kept)
{
    entry->id = kept->id;
    entry->lock = kept->lock;
    entry->n = kept->n;
    memcpy(entry->frames, kept->frames, sizeof(entry->frames));
    memcpy(entry->flags, kept->flags, sizeof(entry->flags));
    memcpy(entry->addresses, kept->addresses, sizeof(entry->addresses));
}

bool pointers_put(struct pool *pool, uint32_t *head,
                  const struct pointers *pointers)
{
    struct pointers *first = entry_at(pool, *head);
    struct pointers *last = first;
    struct pointers *entry;

    if ((first && first->list_n >= POINTERS_GROUP) ||
        pool->count >= POINTERS_MOST || !(entry = pool_add(pool)))
        return false;
    fill_entry(entry, pointers);
    while (last && last->next)
        last = entry_at(pool, last->next);
    *(last ? &last->next : head) = (uint32_t)pool->count;
    entry_at(pool, *head)->list_n++;
    return true;
}

bool pointers_merge(struct pool *pool, uint32_t *head, struct arena *arena,
                    const struct pool *from, uint32_t from_head)
{
    for (const struct pointers *other = pointers_get(from, from_head); other;
         other = pointers_get(from, other->next)) {
        bool is_first = !*head;
        struct pointers *entry = place_entry(pool, head, arena, other->id);

        if (!entry && pool->count == POINTERS_MOST)
            return false;
        if (entry && is_first)
            entry->std_frames = entry_at(from, from_head)->std_frames;
        if (entry)
            fill_entry(entry, other);
    }
    return true;
}

void pointers_fetch(const struct pool *pool)
{
    for (size_t i = 0; i < pool->count; i++) {
        const char *entry = pool_at(pool, i);

        for (size_t at = 0; at < sizeof(struct pointers); at += 64)
            __builtin_prefetch(entry + at);
    }
}

void pointers_sort(struct pool *pool, uint32_t *head)
{
    struct {
        uint64_t id;
        uint32_t at;
    } sorted[POINTERS_GROUP];
    uint32_t next = 0;
    unsigned n = 0;

    for (uint32_t at = *head; at; at = entry_at(pool, at)->next) {
        uint64_t id = pointers_get(pool, at)->id;
        unsigned to = n++;

        for (; to && sorted[to - 1].id > id; to--)
            sorted[to] = sorted[to - 1];
        sorted[to].id = id;
        sorted[to].at = at;
    }
    for (; n; n--) {
        entry_at(pool, sorted[n - 1].at)->next = next;
        next = sorted[n - 1].at;
    }
    *head = next;
}

uint64_t pointers_sharing(const struct pool *pool, uint32_t head,
                          uint64_t address, uint64_t count)
{
    uint64_t n_kept = 0;
    uint64_t n = 0;

    for (const struct pointers *at = pointers_get(pool, head); at;
         at = pointers_get(pool, at->next)) {
        unsigned i = 0;

        while (i < at->n && at->addresses[i] != address)
            i++;
        n += i < at->n;
        n_kept++;
    }
    return n == n_kept ? count : n;
}

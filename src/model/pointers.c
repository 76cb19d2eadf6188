#include "model/pointers.h"

#include "model/evidence.h"
#include "model/name.h"

enum { FRAMES_READ = 64, POINTER_LEAST = 0x1000 };

/* Which pointers one pass over the frames takes. */
struct pass {
    bool is_std;    /* of frames of the standard library, or of others */
    uint8_t flags;  /* what an address must have */
    uint8_t others; /* what it must not have */
};

/* The most telling ones first. */
static const struct pass passes[] = {
    {false, POINTER_SURE | POINTER_FIRST, 0},
    {false, POINTER_SURE, POINTER_FIRST},
    {false, POINTER_FIRST, POINTER_SURE},
    {true, POINTER_SURE | POINTER_FIRST, 0},
    {true, POINTER_SURE, POINTER_FIRST},
};

static bool has_address(const struct pointers *pointers, uint8_t frame,
                        uint64_t address)
{
    for (unsigned i = 0; i < pointers->n; i++) {
        if (pointers->addresses[i] == address && pointers->frames[i] == frame)
            return true;
    }
    return false;
}

/* Keeps the pointers that a pass takes among the words of one frame's
 * arguments: "0xc000, 0x7", "{0x1?, 0xc000?}", "...". */
static void read_words(struct pointers *pointers, const struct pass *pass,
                       uint8_t frame, struct str args)
{
    struct str text = args;

    while (pointers->n < POINTERS_KEPT) {
        size_t at = str_search(text, STR("0x"));
        const char *begin = text.ptr + at;
        uint64_t address = 0;
        uint8_t flags;

        if (at == text.len)
            return;
        text = str_skip(text, at + 2);
        if (!str_cut_hex(&text, &address) || address < POINTER_LEAST)
            continue;
        flags = (begin == args.ptr ? POINTER_FIRST : 0) |
                (str_starts(text, STR("?")) ? 0 : POINTER_SURE);
        if ((flags & pass->flags) != pass->flags || flags & pass->others ||
            has_address(pointers, frame, address))
            continue;
        pointers->frames[pointers->n] = frame;
        pointers->flags[pointers->n] = flags;
        pointers->addresses[pointers->n++] = address;
    }
}

static void read_args(struct pointers *pointers, const struct symbols *symbols,
                      const struct record *record)
{
    uint8_t n = record->n_frames < FRAMES_READ ? (uint8_t)record->n_frames
                                               : FRAMES_READ;
    bool is_std[FRAMES_READ];

    for (uint8_t i = 0; i < n; i++)
        is_std[i] = name_is_std(symbols_function(symbols, record->frames[i]));
    for (size_t p = 0; p < sizeof(passes) / sizeof(passes[0]); p++) {
        for (uint8_t i = 0; i < n && pointers->n < POINTERS_KEPT; i++) {
            if (is_std[i] == passes[p].is_std)
                read_words(pointers, &passes[p], i, record->args[i]);
        }
    }
}

static struct pointers *entry_at(const struct pool *pool, uint32_t at)
{
    return at ? pool_at(pool, at - 1) : NULL;
}

/* The entry of a list whose id has that hash. */
static struct pointers *find_hash(const struct pool *pool, uint32_t head,
                                  uint64_t hash)
{
    struct pointers *entry = entry_at(pool, head);

    while (entry->next && id_sample_hash(entry->id) != hash)
        entry = entry_at(pool, entry->next);
    return entry;
}

static uint64_t find_largest(const struct pool *pool, uint32_t head)
{
    uint64_t largest = 0;

    for (struct pointers *entry = entry_at(pool, head); entry;
         entry = entry_at(pool, entry->next)) {
        uint64_t hash = id_sample_hash(entry->id);

        if (hash > largest)
            largest = hash;
    }
    return largest;
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

void pointers_add(struct pool *pool, uint32_t *head,
                  const struct symbols *symbols, const struct record *record,
                  uint64_t lock)
{
    struct pointers *first = entry_at(pool, *head);
    struct pointers *entry;
    bool is_full = first && first->list_n == POINTERS_GROUP;

    if (is_full && id_sample_hash(record->id) >= first->list_largest)
        return;
    entry = is_full ? find_hash(pool, *head, first->list_largest)
                    : add_entry(pool, head);
    if (!entry)
        return;
    entry->id = record->id;
    entry->lock = lock;
    entry->n = 0;
    read_args(entry, symbols, record);
    first = entry_at(pool, *head);
    first->list_n += !is_full;
    first->list_largest = find_largest(pool, *head);
}

bool pointers_put(struct pool *pool, uint32_t *head,
                  const struct pointers *pointers)
{
    struct pointers *first = entry_at(pool, *head);
    struct pointers *last = first;
    struct pointers *entry;
    uint64_t hash = id_sample_hash(pointers->id);
    uint32_t at = (uint32_t)pool->count + 1;

    if ((first && first->list_n >= POINTERS_GROUP) ||
        pool->count >= POINTERS_MOST || !(entry = pool_add(pool)))
        return false;
    *entry = *pointers;
    entry->next = 0;
    entry->list_n = 0;
    entry->list_largest = 0;
    while (last && last->next)
        last = entry_at(pool, last->next);
    if (last)
        last->next = at;
    else
        *head = at;
    first = entry_at(pool, *head);
    first->list_n++;
    if (hash > first->list_largest)
        first->list_largest = hash;
    return true;
}

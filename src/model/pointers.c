#include "model/pointers.h"

#include "model/evidence.h"

enum { FRAMES_READ = 64, POINTER_LEAST = 0x1000 };

static bool has_address(const struct pointers *pointers, uint64_t address)
{
    for (unsigned i = 0; i < pointers->n; i++) {
        if (pointers->addresses[i] == address)
            return true;
    }
    return false;
}

/* Keeps the pointers among the words of one frame's arguments: "0xc000, 0x7",
 * "{0x1?, 0xc000?}", "...". */
static void read_words(struct pointers *pointers, uint16_t frame,
                       struct str text)
{
    while (text.len && pointers->n < POINTERS_KEPT) {
        uint64_t address = 0;
        size_t at = str_search(text, STR("0x"));

        if (at == text.len)
            return;
        text = str_skip(text, at + 2);
        if (!str_cut_hex(&text, &address) || address < POINTER_LEAST ||
            has_address(pointers, address))
            continue;
        pointers->frames[pointers->n] = frame;
        pointers->addresses[pointers->n++] = address;
    }
}

/* Receivers and first arguments of all frames come before the rest, because
 * objects that hold a lock are mostly passed there. */
static void read_args(struct pointers *pointers, const struct str *args,
                      size_t n_args)
{
    size_t n = n_args < FRAMES_READ ? n_args : FRAMES_READ;

    for (size_t i = 0; i < n; i++)
        read_words(pointers, (uint16_t)i,
                   str_head(args[i], str_find(args[i], ',')));
    for (size_t i = 0; i < n; i++)
        read_words(pointers, (uint16_t)i,
                   str_skip(args[i], str_find(args[i], ',')));
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

void pointers_add(struct pool *pool, uint32_t *head, uint64_t id,
                  const struct str *args, size_t n_args)
{
    struct pointers *first = entry_at(pool, *head);
    struct pointers *entry;
    bool is_full = first && first->list_n == POINTERS_GROUP;

    if (is_full && id_sample_hash(id) >= first->list_largest)
        return;
    entry = is_full ? find_hash(pool, *head, first->list_largest)
                    : add_entry(pool, head);
    if (!entry)
        return;
    entry->id = id;
    entry->n = 0;
    read_args(entry, args, n_args);
    first = entry_at(pool, *head);
    first->list_n += !is_full;
    first->list_largest = find_largest(pool, *head);
}

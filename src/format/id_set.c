#include "format/id_set.h"

#include <string.h>

void id_set_init(struct id_set *set, struct budget *budget, size_t most)
{
    memset(set, 0, sizeof(*set));
    set->budget = budget;
    set->most = most ? most : ID_SET_MOST;
    set->slots = set->first;
    set->size = ID_SET_FIRST;
}

static void free_slots(struct id_set *set)
{
    if (set->slots != set->first)
        budget_free(set->budget, set->slots, set->size * sizeof(*set->slots));
}

void id_set_done(struct id_set *set)
{
    free_slots(set);
    id_set_init(set, set->budget, set->most);
}

/* The word of the filter that has the bits of a hash. */
static uint64_t *filter_word(struct id_set *set, uint64_t hash)
{
    return &set->filter[(hash >> 32) % (ID_SET_FILTER / 64)];
}

/* A large table is given back, so that many small dumps behind a large one do
 * not clear it each time. */
void id_set_clear(struct id_set *set)
{
    if (set->slots != set->first) {
        id_set_done(set);
        return;
    }
    for (size_t i = 0; i < set->size; i++) {
        if (set->slots[i])
            *filter_word(set, hash_mix(set->slots[i], 0)) = 0;
        set->slots[i] = 0;
    }
    set->count = 0;
}

/* Where an id stands, or the free place where it would. */
static size_t find_slot(const uint64_t *slots, size_t size, uint64_t id,
                        uint64_t hash)
{
    size_t at = (size_t)hash & (size - 1);

    while (slots[at] && slots[at] != id)
        at = (at + 1) & (size - 1);
    return at;
}

bool id_set_look(const struct id_set *set, uint64_t id, uint64_t hash)
{
    return id && set->slots[find_slot(set->slots, set->size, id, hash)];
}

static bool grow(struct id_set *set)
{
    size_t size = set->size * 2;
    uint64_t *slots =
        budget_resize(set->budget, NULL, 0, size * sizeof(*slots));

    if (!slots)
        return false;
    memset(slots, 0, size * sizeof(*slots));
    for (size_t i = 0; i < set->size; i++) {
        if (set->slots[i])
            slots[find_slot(slots, size, set->slots[i],
                            hash_mix(set->slots[i], 0))] = set->slots[i];
    }
    free_slots(set);
    set->slots = slots;
    set->size = size;
    return true;
}

void id_set_put(struct id_set *set, uint64_t id)
{
    uint64_t hash;
    size_t at;

    if (!id)
        return;
    if (set->count >= set->size / 2 && !grow(set))
        return;
    hash = hash_mix(id, 0);
    *filter_word(set, hash) |= id_set_bits(hash);
    at = find_slot(set->slots, set->size, id, hash);
    set->count += !set->slots[at];
    set->slots[at] = id;
}

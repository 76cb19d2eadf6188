#include "format/header_tails.h"

#include <stdlib.h>

/* The slots are few, and there for each reader: they are not of the budget. */
struct header_tails *header_tails_new(struct budget *budget)
{
    struct header_tails *tails = calloc(1, sizeof(*tails));

    if (tails)
        arena_init(&tails->arena, budget);
    return tails;
}

void header_tails_free(struct header_tails *tails)
{
    if (tails)
        arena_done(&tails->arena);
    free(tails);
}

/* A copy that lives in the arena; NULL without memory. */
static struct header_tail *new_tail(struct arena *arena, struct str text,
                                    const struct label *labels, size_t n)
{
    struct header_tail *tail = arena_take_zero(arena, sizeof(*tail));
    struct label *copies = arena_take(arena, n * sizeof(*copies));

    if (!tail || !copies)
        return NULL;
    tail->text = arena_copy(arena, text);
    if (!tail->text.ptr)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        copies[i] = (struct label){arena_copy(arena, labels[i].key),
                                   arena_copy(arena, labels[i].value)};
        if (!copies[i].key.ptr || !copies[i].value.ptr)
            return NULL;
    }
    tail->set = (struct label_set){copies, n};
    return tail;
}

void header_tails_note(struct header_tails *tails, struct str text, bool locked,
                       const struct label *labels, size_t n_labels)
{
    uint64_t hash = header_tail_hash(text);
    uint32_t tag = (uint32_t)(hash >> 32);
    size_t size =
        sizeof(struct header_tail) + n_labels * sizeof(*labels) + 2 * text.len;
    struct header_tail *tail;
    struct tail_slot *slot;

    if (!tails)
        return;
    slot = &tails->slots[hash % TAILS_SLOTS];
    if (slot->tag != tag) {
        slot->tag = tag;
        return;
    }
    if (text.len > TAIL_MOST || tails->n_bytes + size > TAILS_BYTES)
        return;
    tail = new_tail(&tails->arena, text, labels, n_labels);
    if (!tail)
        return;
    tail->locked = locked;
    tails->n_bytes += size;
    slot->tail = tail;
}

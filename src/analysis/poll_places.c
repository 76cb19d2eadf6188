#include "analysis/poll_places.h"

enum {
    PLACE_BITS = 20,
    FRAMES_LOOKED_AT = 8, /* those of the runtime stand before the call */
};

static void add_place(struct poll_places *places, uint64_t place)
{
    for (size_t i = 0; i < places->count; i++) {
        if (places->places[i] == place)
            return;
    }
    if (places->count < POLL_PLACES_MOST)
        places->places[places->count++] = place;
    else
        places->is_full = true;
}

/* The index of the frame that waits for a connection; -1 = none does. */
static int find_wait(const struct symbols *symbols, stack_id id)
{
    struct stack stack = symbols_stack(symbols, id);

    for (uint32_t i = 0; i < stack.n_frames && i < FRAMES_LOOKED_AT; i++) {
        if (str_equal(symbols_function(symbols, stack.frames[i]),
                      STR("internal/poll.runtime_pollWait")))
            return (int)i;
    }
    return -1;
}

/* Adds the argument of that frame, unless it may be a left-over value. */
static void add_argument(struct poll_places *places,
                         const struct pointers *pointers, int frame)
{
    const uint8_t wanted = POINTER_SURE | POINTER_FIRST;

    for (size_t i = 0; i < pointers->n; i++) {
        if (pointers->frames[i] == frame &&
            (pointers->flags[i] & wanted) == wanted)
            add_place(places, pointers->addresses[i] >> PLACE_BITS);
    }
}

void poll_places_add(struct poll_places *places,
                     const struct snapshot *snapshot)
{
    const struct pool *pool = snapshot_pointers(snapshot);

    for (size_t i = 0; i < snapshot_n_groups(snapshot); i++) {
        const struct group *group = snapshot_group(snapshot, i);
        int frame = -1;

        if (group->pointers && group->state == STATE_IO_WAIT)
            frame = find_wait(snapshot_symbols(snapshot), group->stack);
        if (frame < 0)
            continue;
        for (const struct pointers *at = pointers_get(pool, group->pointers);
             at; at = pointers_get(pool, at->next))
            add_argument(places, at, frame);
    }
}

void poll_places_join(struct poll_places *places,
                      const struct poll_places *others)
{
    for (size_t i = 0; i < others->count; i++)
        add_place(places, others->places[i]);
    places->is_full |= others->is_full;
}

bool poll_places_are_apart(const struct poll_places *a,
                           const struct poll_places *b)
{
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < b->count; j++) {
            if (a->places[i] + 1 >= b->places[j] &&
                b->places[j] + 1 >= a->places[i])
                return false;
        }
    }
    return a->count && b->count && !a->is_full && !b->is_full;
}

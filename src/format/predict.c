#include "format/predict.h"

#include "base/hash.h"

void predict_init(struct predictor *predictor, struct symbols *symbols)
{
    struct budget *budget = symbols_budget(symbols);

    *predictor = (struct predictor){.symbols = symbols};
    arena_init(&predictor->arena, budget);
    pool_init(&predictor->known, budget, sizeof(struct known_frame));
    table_init(&predictor->table, budget);
}

void predict_done(struct predictor *predictor)
{
    arena_done(&predictor->arena);
    pool_done(&predictor->known);
    table_done(&predictor->table);
}

static void flush(struct predictor *predictor)
{
    uint64_t n_flushes = predictor->n_flushes + 1;

    predict_done(predictor);
    predict_init(predictor, predictor->symbols);
    predictor->n_flushes = n_flushes;
}

static uint64_t hash_texts(struct str text, struct str place_text)
{
    return hash_mix(hash_bytes(text.ptr, text.len),
                    hash_bytes(place_text.ptr, place_text.len));
}

static uint64_t rehash(const void *user, uint32_t id)
{
    const struct known_frame *known = predict_frame(user, id);

    return hash_texts(known->name, known->place);
}

uint32_t predict_find(const struct predictor *predictor, struct str text,
                      struct str place_text)
{
    uint64_t hash = hash_texts(text, place_text);
    struct table_walk walk = table_walk(&predictor->table, hash);
    uint32_t id;

    while ((id = table_next(&predictor->table, &walk)) != 0) {
        const struct known_frame *known = predict_frame(predictor, id);

        if (str_equal(known->name, text) && str_equal(known->place, place_text))
            return id;
    }
    return 0;
}

uint32_t predict_learn(struct predictor *predictor, struct str text,
                       struct str place_text, struct frame frame,
                       frame_id *ret_frame)
{
    uint64_t hash = hash_texts(text, place_text);
    struct known_frame *known;

    *ret_frame = symbols_frame_put(predictor->symbols, frame);
    if (!*ret_frame)
        return 0;
    if (predictor->known.count >= PREDICT_MOST)
        flush(predictor);
    known = pool_add(&predictor->known);
    if (!known)
        return 0;
    known->name = arena_copy(&predictor->arena, text);
    known->place = arena_copy(&predictor->arena, place_text);
    known->frame = *ret_frame;
    if (!known->name.ptr || !known->place.ptr ||
        !table_put(&predictor->table, hash, (uint32_t)predictor->known.count,
                   rehash, predictor)) {
        predictor->known.count--;
        return 0;
    }
    return (uint32_t)predictor->known.count;
}

void predict_follow(uint32_t ways[static PREDICT_WAYS], uint32_t after)
{
    uint32_t moved = after;

    for (unsigned i = 0; i < PREDICT_WAYS; i++) {
        uint32_t old = ways[i];

        ways[i] = moved;
        if (old == after)
            return;
        moved = old;
    }
}

#include "analysis/takers.h"

struct taking {
    uint32_t kind; /* of pool_kinds */
    uint32_t line; /* the first where somebody waits for one */
    enum connection_part part;
};

bool takers_init(struct takers *takers, struct symbols *symbols,
                 struct arena *arena, size_t most)
{
    takers->symbols = symbols;
    takers->items = arena_take(arena, most * sizeof(*takers->items));
    if (!takers->items ||
        !function_index_init(&takers->gives, symbols, arena,
                             POOL_KINDS * POOL_FUNCTIONS) ||
        !function_index_init(&takers->takes, symbols, arena, most))
        return false;
    for (uint32_t i = 0; i < POOL_KINDS; i++) {
        for (size_t k = 0; k < POOL_FUNCTIONS; k++) {
            if (pool_kinds[i].gives[k].len)
                function_index_put(&takers->gives, pool_kinds[i].gives[k], i);
        }
    }
    function_index_seal(&takers->gives);
    return true;
}

static text_id text_at(const struct takers *takers, struct stack stack,
                       uint32_t frame)
{
    return symbols_frame(takers->symbols, stack.frames[frame]).function;
}

/* The index of the frame that goes on with the place which a stack waits for:
 * it calls what returns with one. n_frames when there is none. */
static uint32_t taker_of(const struct takers *takers, struct stack stack,
                         uint32_t kind)
{
    for (uint32_t i = stack.n_frames; i-- > 1;) {
        if (function_index_get(&takers->gives, text_at(takers, stack, i - 1)) ==
            kind)
            return i;
    }
    return stack.n_frames;
}

void takers_add(struct takers *takers, struct stack stack, uint32_t kind)
{
    uint32_t at = taker_of(takers, stack, kind);

    if (at == stack.n_frames)
        return;
    takers->items[takers->takes.count] = (struct taking){
        kind, symbols_frame(takers->symbols, stack.frames[at]).line,
        connection_part_of(
            symbols_function(takers->symbols, stack.frames[at - 1]))};
    function_index_put(&takers->takes,
                       symbols_function(takers->symbols, stack.frames[at]),
                       (uint32_t)takers->takes.count);
}

void takers_seal(struct takers *takers)
{
    function_index_seal(&takers->takes);
}

void takers_note(const struct takers *takers, struct stack stack, uint32_t kind)
{
    uint32_t index = taker_of(takers, stack, kind);
    struct frame frame;
    uint32_t at;

    if (index == stack.n_frames)
        return;
    frame = symbols_frame(takers->symbols, stack.frames[index]);
    at = function_index_get(&takers->takes, frame.function);
    if (at == FUNCTION_NONE || takers->items[at].kind != kind ||
        frame.line >= takers->items[at].line)
        return;
    takers->items[at].line = frame.line;
    takers->items[at].part = connection_part_of(
        symbols_function(takers->symbols, stack.frames[index - 1]));
}

bool takers_find(const struct takers *takers, struct stack stack,
                 uint32_t first, uint32_t kind, struct taken *ret)
{
    for (uint32_t i = stack.n_frames; i-- > first;) {
        struct frame frame = symbols_frame(takers->symbols, stack.frames[i]);
        uint32_t at = function_index_get(&takers->takes, frame.function);

        if (at == FUNCTION_NONE || frame.line <= takers->items[at].line ||
            (kind != FUNCTION_NONE && takers->items[at].kind != kind))
            continue;
        *ret = (struct taken){takers->items[at].kind, takers->items[at].part,
                              stack.frames[i]};
        return true;
    }
    return false;
}

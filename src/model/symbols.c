#include "model/symbols.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/hash.h"
#include "model/name.h"

enum { STATES_MOST = 60000 };

struct symbols {
    struct budget *budget;
    struct intern texts;
    struct intern printed; /* function names as printed */
    struct pool canonical; /* text_id of each printed name, at id - 1 */
    struct pool frames;    /* struct frame, at id - 1 */
    struct table frame_table;
    struct pool stacks; /* struct stack, at id - 1 */
    struct table stack_table;
    struct arena stack_arena; /* the id arrays of the stacks */
    struct intern states;     /* words that state.h does not know */
    struct buf scratch;
    bool has_cut; /* a text was longer than what is kept of one */
};

int symbols_new(struct symbols **ret, struct budget *budget,
                struct cprof_error *err)
{
    struct symbols *symbols = calloc(1, sizeof(*symbols));

    if (!symbols)
        return error_memory(err, (struct place){0}, "starting");
    symbols->budget = budget;
    intern_init(&symbols->texts, budget);
    intern_init(&symbols->printed, budget);
    intern_init(&symbols->states, budget);
    pool_init(&symbols->canonical, budget, sizeof(text_id));
    pool_init(&symbols->frames, budget, sizeof(struct frame));
    pool_init(&symbols->stacks, budget, sizeof(struct stack));
    table_init(&symbols->frame_table, budget);
    table_init(&symbols->stack_table, budget);
    arena_init(&symbols->stack_arena, budget);
    *ret = symbols;
    return 0;
}

void symbols_free(struct symbols *symbols)
{
    if (!symbols)
        return;
    intern_done(&symbols->texts);
    intern_done(&symbols->printed);
    intern_done(&symbols->states);
    pool_done(&symbols->canonical);
    pool_done(&symbols->frames);
    pool_done(&symbols->stacks);
    table_done(&symbols->frame_table);
    table_done(&symbols->stack_table);
    arena_done(&symbols->stack_arena);
    buf_done(&symbols->scratch);
    free(symbols);
}

struct budget *symbols_budget(const struct symbols *symbols)
{
    return symbols->budget;
}

struct str symbols_text_cut(struct symbols *symbols, struct str text)
{
    enum { POINT_MOST = 4 }; /* bytes of a code point */
    size_t n = SYMBOLS_TEXT_MOST;

    if (text.len <= n)
        return text;
    symbols->has_cut = true;
    while (n > SYMBOLS_TEXT_MOST - POINT_MOST &&
           ((unsigned char)text.ptr[n] & 0xc0) == 0x80)
        n--;
    return str_head(text, n);
}

bool symbols_take_has_cut(struct symbols *symbols)
{
    bool has_cut = symbols->has_cut;

    symbols->has_cut = false;
    return has_cut;
}

void symbols_follow_cut(struct symbols *symbols, const struct symbols *part)
{
    symbols->has_cut |= part->has_cut;
}

text_id symbols_text_put(struct symbols *symbols, struct str text)
{
    return intern_put(&symbols->texts, symbols_text_cut(symbols, text));
}

struct str symbols_text(const struct symbols *symbols, text_id id)
{
    return intern_text(&symbols->texts, id);
}

size_t symbols_n_texts(const struct symbols *symbols)
{
    return intern_count(&symbols->texts);
}

text_id symbols_function_put(struct symbols *symbols, struct str printed)
{
    text_id id = intern_put(&symbols->printed, printed);
    text_id *slot;

    /* The slot of an earlier name may be missing, if memory ran out then. */
    while (symbols->canonical.count < id) {
        if (!pool_add(&symbols->canonical))
            return 0;
    }
    if (!id)
        return 0;
    slot = pool_at(&symbols->canonical, id - 1);
    /* Of a long one it is told again whether it was cut. */
    if (!*slot || printed.len > SYMBOLS_TEXT_MOST) {
        buf_clear(&symbols->scratch);
        name_canonical_add(&symbols->scratch, printed);
        *slot = symbols_text_put(symbols, buf_str(&symbols->scratch));
    }
    return *slot;
}

static uint64_t hash_frame(struct frame frame)
{
    return hash_mix((uint64_t)frame.function << 32 | frame.file, frame.line);
}

static uint64_t rehash_frame(const void *user, uint32_t id)
{
    return hash_frame(symbols_frame(user, id));
}

frame_id symbols_frame_put(struct symbols *symbols, struct frame frame)
{
    uint64_t hash = hash_frame(frame);
    struct table_walk walk = table_walk(&symbols->frame_table, hash);
    struct frame *slot;
    frame_id id;

    while ((id = table_next(&symbols->frame_table, &walk)) != 0) {
        struct frame old = symbols_frame(symbols, id);

        if (old.function == frame.function && old.file == frame.file &&
            old.line == frame.line)
            return id;
    }
    slot = pool_add(&symbols->frames);
    if (!slot)
        return FRAME_NONE;
    *slot = frame;
    id = (frame_id)symbols->frames.count;
    if (!table_put(&symbols->frame_table, hash, id, rehash_frame, symbols)) {
        symbols->frames.count--;
        return FRAME_NONE;
    }
    return id;
}

struct frame symbols_frame(const struct symbols *symbols, frame_id id)
{
    if (!id)
        return (struct frame){0};
    return *(const struct frame *)pool_at(&symbols->frames, id - 1);
}

size_t symbols_n_frames(const struct symbols *symbols)
{
    return symbols->frames.count;
}

struct str symbols_function(const struct symbols *symbols, frame_id id)
{
    return symbols_text(symbols, symbols_frame(symbols, id).function);
}

struct str symbols_file(const struct symbols *symbols, frame_id id)
{
    return symbols_text(symbols, symbols_frame(symbols, id).file);
}

static uint64_t hash_stack(struct stack stack)
{
    uint64_t hash = hash_mix(stack.n_frames, stack.elided);

    for (uint32_t i = 0; i < stack.n_frames; i++)
        hash = hash_mix(hash, stack.frames[i]);
    return hash;
}

static uint64_t rehash_stack(const void *user, uint32_t id)
{
    return hash_stack(symbols_stack(user, id));
}

static bool same_stack(struct stack a, struct stack b)
{
    return a.n_frames == b.n_frames && a.elided == b.elided &&
           memcmp(a.frames, b.frames, a.n_frames * sizeof(frame_id)) == 0;
}

static stack_id add_stack(struct symbols *symbols, struct stack stack,
                          uint64_t hash)
{
    size_t bytes = stack.n_frames * sizeof(frame_id);
    frame_id *frames = arena_take(&symbols->stack_arena, bytes);
    struct stack *slot = frames ? pool_add(&symbols->stacks) : NULL;
    stack_id id;

    if (!slot)
        return STACK_OTHER;
    if (bytes)
        memcpy(frames, stack.frames, bytes);
    *slot = stack;
    slot->frames = frames;
    id = (stack_id)symbols->stacks.count;
    if (!table_put(&symbols->stack_table, hash, id, rehash_stack, symbols)) {
        symbols->stacks.count--;
        return STACK_OTHER;
    }
    return id;
}

void symbols_rest(struct symbols *symbols)
{
    table_done(&symbols->stack_table);
}

/* Makes the table that symbols_rest has given back. */
static bool wake(struct symbols *symbols)
{
    while (symbols->stack_table.count < symbols->stacks.count) {
        stack_id id = (stack_id)symbols->stack_table.count + 1;

        if (!table_put(&symbols->stack_table, rehash_stack(symbols, id), id,
                       rehash_stack, symbols)) {
            symbols_rest(symbols);
            return false;
        }
    }
    return true;
}

stack_id symbols_stack_put(struct symbols *symbols, const frame_id *frames,
                           size_t n_frames, uint32_t elided)
{
    struct stack stack = {frames, (uint32_t)n_frames, elided};
    uint64_t hash;
    struct table_walk walk;
    stack_id id;

    if (!n_frames && !elided)
        return STACK_EMPTY;
    if (symbols->stack_table.count < symbols->stacks.count && !wake(symbols))
        return STACK_OTHER;
    hash = hash_stack(stack);
    walk = table_walk(&symbols->stack_table, hash);
    while ((id = table_next(&symbols->stack_table, &walk)) != 0) {
        if (same_stack(symbols_stack(symbols, id), stack))
            return id;
    }
    return add_stack(symbols, stack, hash);
}

struct stack symbols_stack(const struct symbols *symbols, stack_id id)
{
    if (!id)
        return (struct stack){0};
    return *(const struct stack *)pool_at(&symbols->stacks, id - 1);
}

size_t symbols_n_stacks(const struct symbols *symbols)
{
    return symbols->stacks.count;
}

/* Adds a word that state.h does not know. */
static state_id put_new_state(struct symbols *symbols, struct str word)
{
    text_id id = intern_find(&symbols->states, word);

    if (!id && intern_count(&symbols->states) < STATES_MOST)
        id = intern_put(&symbols->states, word);
    return id ? (state_id)(N_STATES + id - 1) : STATE_UNKNOWN;
}

state_id symbols_state_put(struct symbols *symbols, struct str word)
{
    state_id id = state_find(word);
    struct buf escaped = {0};

    word = symbols_text_cut(symbols, word);
    if (id < N_STATES)
        return id;
    if (!escape_is_needed(word))
        return put_new_state(symbols, word);
    escape_add_line(&escaped, word);
    id = escaped.failed ? STATE_UNKNOWN
                        : put_new_state(symbols, buf_str(&escaped));
    buf_done(&escaped);
    return id;
}

struct str symbols_state(const struct symbols *symbols, state_id id)
{
    if (id < N_STATES)
        return state_word(id);
    return intern_text(&symbols->states, (text_id)(id - N_STATES + 1));
}

bool stack_has_function(const struct symbols *symbols, struct stack stack,
                        struct str function)
{
    for (uint32_t i = 0; i < stack.n_frames; i++) {
        if (str_equal(symbols_function(symbols, stack.frames[i]), function))
            return true;
    }
    return false;
}

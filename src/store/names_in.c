#include "base/hash.h"
#include "model/cut.h"
#include "store/names.h"

/* A stored text, as the symbols have it. */
struct stored_text {
    int64_t number;
    text_id id;
    bool has_state; /* somebody asked for the state of that word */
    state_id state;
};

void names_in_init(struct names_in *in, struct database *database,
                   struct symbols *symbols, struct cprof_error *err)
{
    struct budget *budget = symbols_budget(symbols);

    *in =
        (struct names_in){.database = database, .symbols = symbols, .err = err};
    pool_init(&in->texts, budget, sizeof(struct stored_text));
    table_init(&in->text_table, budget);
    pool_init(&in->stacks, budget, sizeof(struct stored_stack));
    table_init(&in->stack_table, budget);
}

void names_in_done(struct names_in *in)
{
    pool_done(&in->texts);
    table_done(&in->text_table);
    pool_done(&in->stacks);
    table_done(&in->stack_table);
    buf_done(&in->frames);
}

static uint64_t hash_number(int64_t number)
{
    return hash_mix((uint64_t)number, 0x2545f4914f6cdd1du);
}

static void fail_memory(struct names_in *in)
{
    in->rc = error_memory(in->err, (struct place){in->database->path, 0, 0},
                          "reading a history");
}

/* Asks for the bytes of a row. False after a failure; what says what is
 * missing. The query is to be ended in both cases. */
static bool get_bytes(struct names_in *in, struct query *query, enum sql sql,
                      int64_t number, const char *what)
{
    bool is_there;

    *query = query_begin(in->database, sql, in->err);
    query_number(query, number);
    is_there = query_next(query);
    in->rc = query->rc;
    if (!is_there && in->rc == 0)
        in->rc = database_damaged(in->database, what, in->err);
    return is_there;
}

static uint64_t rehash_text(const void *user, uint32_t at)
{
    const struct names_in *in = user;
    const struct stored_text *text = pool_at(&in->texts, at - 1);

    return hash_number(text->number);
}

static struct stored_text *add_text(struct names_in *in, int64_t number)
{
    struct stored_text *text = pool_add(&in->texts);

    if (!text || !table_put(&in->text_table, hash_number(number),
                            (uint32_t)in->texts.count, rehash_text, in)) {
        fail_memory(in);
        return NULL;
    }
    text->number = number;
    return text;
}

/* The text with a number, read at its first use; NULL after a failure, and of
 * the empty one. */
static struct stored_text *find_text(struct names_in *in, uint64_t wanted)
{
    int64_t number = (int64_t)wanted;
    struct table_walk walk = table_walk(&in->text_table, hash_number(number));
    struct stored_text *text;
    struct query query;
    uint32_t at;

    if (!number || in->rc < 0)
        return NULL;
    while ((at = table_next(&in->text_table, &walk)) != 0) {
        text = pool_at(&in->texts, at - 1);
        if (text->number == number)
            return text;
    }
    text = NULL;
    if (get_bytes(in, &query, SQL_TEXT_GET, number, "a name is missing"))
        text = add_text(in, number);
    if (text)
        text->id = symbols_text_put(in->symbols, query_get_bytes(&query, 0));
    query_end(&query);
    return text;
}

text_id names_get_text_id(struct names_in *in, uint64_t number)
{
    const struct stored_text *text = find_text(in, number);

    return text ? text->id : 0;
}

struct str names_get_text(struct names_in *in, uint64_t number)
{
    return symbols_text(in->symbols, names_get_text_id(in, number));
}

state_id names_get_state(struct names_in *in, uint64_t number)
{
    struct stored_text *text = find_text(in, number);

    if (!text)
        return STATE_UNKNOWN;
    if (!text->has_state)
        text->state =
            symbols_state_put(in->symbols, symbols_text(in->symbols, text->id));
    text->has_state = true;
    return text->state;
}

/* Reads a frame of a stack's blob; FRAME_NONE without memory for it. */
static frame_id read_frame(struct names_in *in, struct blob *blob)
{
    uint64_t function = blob_get(blob);
    uint64_t file = blob_get(blob);
    uint32_t line = (uint32_t)blob_get_below(blob, UINT32_MAX);
    struct frame frame = {names_get_text_id(in, function),
                          names_get_text_id(in, file), line};

    if (in->rc < 0 || blob->failed || (function && !frame.function) ||
        (file && !frame.file))
        return FRAME_NONE;
    return symbols_frame_put(in->symbols, frame);
}

/* Reads the frames of a blob into in->frames. False without memory for them; a
 * blob that is wrong is a failure. */
static bool read_frames(struct names_in *in, struct blob *blob)
{
    bool has_memory = true;

    buf_clear(&in->frames);
    for (size_t n = 0; blob->at < blob->end && in->rc == 0; n++) {
        frame_id frame = read_frame(in, blob);

        has_memory &= frame != FRAME_NONE;
        buf_add(&in->frames, (struct str){(const char *)&frame, sizeof(frame)});
        if (n >= FRAMES_MOST)
            blob_fail(blob);
    }
    if (blob->failed && in->rc == 0)
        in->rc =
            database_damaged(in->database, "a stack is not readable", in->err);
    if (in->frames.failed)
        budget_note_refusal(symbols_budget(in->symbols));
    return has_memory && !in->frames.failed && in->rc == 0;
}

/* Reads a stack from its blob. */
static void read_stack(struct names_in *in, struct str bytes,
                       struct stored_stack *stack)
{
    struct blob blob = blob_begin(bytes);
    uint64_t elided = blob_get_below(&blob, ELIDED_SOME);

    stack->whole = STACK_OTHER;
    stack->cut = STACK_OTHER;
    if (!read_frames(in, &blob))
        return;
    if (elided)
        elided = elided == 1 ? ELIDED_SOME : elided - 1;
    stack->whole = symbols_stack_put(
        in->symbols, (const frame_id *)(const void *)in->frames.ptr,
        in->frames.len / sizeof(frame_id), (uint32_t)elided);
    if (stack->whole != STACK_OTHER)
        stack->cut = stack_cut(in->symbols, stack->whole);
}

static uint64_t rehash_stack(const void *user, uint32_t at)
{
    const struct names_in *in = user;
    const struct stored_stack *stack = pool_at(&in->stacks, at - 1);

    return hash_number(stack->number);
}

static struct stored_stack *add_stack(struct names_in *in, int64_t number)
{
    struct stored_stack *stack = pool_add(&in->stacks);

    if (!stack || !table_put(&in->stack_table, hash_number(number),
                             (uint32_t)in->stacks.count, rehash_stack, in)) {
        fail_memory(in);
        return NULL;
    }
    stack->number = number;
    return stack;
}

const struct stored_stack *names_get_stack(struct names_in *in, uint64_t number)
{
    static const struct stored_stack empty = {0, STACK_EMPTY, STACK_EMPTY};
    int64_t row = (int64_t)number;
    struct table_walk walk = table_walk(&in->stack_table, hash_number(row));
    struct stored_stack *stack;
    struct query query;
    uint32_t at;

    if (!row)
        return &empty;
    while ((at = table_next(&in->stack_table, &walk)) != 0) {
        stack = pool_at(&in->stacks, at - 1);
        if (stack->number == row)
            return stack;
    }
    if (in->rc < 0)
        return NULL;
    stack = NULL;
    if (get_bytes(in, &query, SQL_STACK_GET, row, "a stack is missing"))
        stack = add_stack(in, row);
    if (stack)
        read_stack(in, query_get_bytes(&query, 0), stack);
    query_end(&query);
    return in->rc < 0 ? NULL : stack;
}

frame_id names_get_frame(struct names_in *in, uint64_t number)
{
    const struct stored_stack *stack = names_get_stack(in, number);

    if (!stack || stack->whole == STACK_OTHER ||
        symbols_stack(in->symbols, stack->whole).n_frames != 1)
        return FRAME_NONE;
    return symbols_stack(in->symbols, stack->whole).frames[0];
}

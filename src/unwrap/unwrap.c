#include "unwrap/unwrap.h"

#include "unwrap/unwrap_state.h"

/* Moves the outer cursor behind the line that was peeked. */
static void pass_line(struct lines *outer, struct str line)
{
    const char *end = line.ptr + line.len;

    if (end < outer->end && *end == '\r')
        end++;
    if (end < outer->end && *end == '\n') {
        outer->at = end + 1;
        outer->number++;
    } else {
        lines_next(outer);
    }
}

/* Whether the line that was peeked is only the beginning of a long one. */
static bool is_long(const struct lines *outer, struct str line)
{
    return line.len >= LINES_MOST &&
           !memchr(outer->at + LINES_MOST - 1, '\n',
                   (size_t)(outer->end - outer->at) - LINES_MOST + 1);
}

/* Whether the section ends before a line that does not fit. */
static bool ends_before(struct unwrap *unwrap, struct str line)
{
    struct begin begin;

    if (!str_trim(line).len)
        return false;
    if (begin_find(line, 0, &begin) &&
        (begin.kind != BEGIN_CRASH || begin.at == 0))
        return true;
    return ++unwrap->n_foreign > UNWRAP_FOREIGN;
}

/* Whether the line is the last one, lacks its end, and what is inside ends with
 * it: then that may be cut as well, and has no line end either. */
static bool is_cut(const struct lines *outer, struct str line, struct str text)
{
    const char *end = line.ptr + line.len;
    const char *at = text.ptr + text.len;

    if (outer->end > end + 1 || text.ptr < line.ptr || at > end)
        return false;
    return !str_trim((struct str){at, (size_t)(end - at)}).len &&
           !lines_has_end(outer);
}

/* A line that does not fit ends what the stream's last piece left open. */
static void give_foreign(struct unwrap *unwrap, struct str line)
{
    struct piece end = {.text = STR("")};
    struct piece piece = {.text = line,
                          .goes_on = is_cut(unwrap->outer, line, line)};

    if (unwrap->is_open)
        unwrap_give_first(unwrap, &end);
    unwrap_give_first(unwrap, &piece);
}

/* A line of the first stream that fits the wrapping. */
static void take_first(struct unwrap *unwrap, struct str line,
                       const struct piece *piece)
{
    unwrap->current = NULL;
    unwrap->is_nowhere = false;
    unwrap->last_line = unwrap->outer->number;
    unwrap_give_first(unwrap, piece);
    if (unwrap->shape.wrapping->is_regular && !str_has_zeros(line))
        stencil_learn(&unwrap->stencil, line, piece);
}

/* What a line holds that ended inside of it, as where a log has a limit for its
 * lines: half of a header would hide from the reader that more is missing. */
static void cut_half(struct piece *piece)
{
    struct str word = STR("goroutine ");
    size_t end = str_rfind(piece->text, '\n');
    struct str half = str_skip(piece->text, end + 1);

    if ((str_starts(half, word) || str_starts(word, half)) &&
        !str_contains(half, STR("]:")))
        piece->text = str_head(piece->text, end);
    piece->goes_on = false;
}

/* Tells the reader of the stream of a piece that lines are missing. */
static void give_omission(struct unwrap *unwrap, const struct piece *piece,
                          bool is_of)
{
    struct piece omission = *piece;

    omission.text = STR("... (truncated)");
    if (is_of)
        unwrap_give_first(unwrap, &omission);
    else
        unwrap_give_other(unwrap, &omission);
}

/* A line that fits the wrapping. */
static void take_piece(struct unwrap *unwrap, struct str line,
                       struct piece *piece)
{
    bool is_of = unwrap_is_of_first(unwrap, piece);
    bool is_half = false;

    unwrap->has_hole |=
        str_has_zeros(line) && !(is_of && str_has_zeros(piece->text));
    unwrap->in_line = piece->is_open && is_of && is_long(unwrap->outer, line);
    if (piece->is_open) {
        piece->goes_on = unwrap->in_line;
        is_half = !unwrap->in_line && piece->is_quoted &&
                  str_contains(piece->text, STR("\n"));
    } else {
        piece->goes_on |= is_cut(unwrap->outer, line, piece->text);
    }
    if (is_half)
        cut_half(piece);
    if (is_of)
        take_first(unwrap, line, piece);
    else
        unwrap_give_other(unwrap, piece);
    if (is_half)
        give_omission(unwrap, piece, is_of);
}

/* Zeros in what no reader sees of a line stand for lines that are missing: that
 * of the first stream is shown a zero. */
static void give_hole(struct unwrap *unwrap)
{
    struct piece hole = {.text = {"", 1}};

    if (unwrap->has_hole && !unwrap->is_open) {
        unwrap->has_hole = false;
        unwrap_give_first(unwrap, &hole);
    }
}

/* Whether goroutines follow the string of a piece, of many lines, in what its
 * line has behind: another string of it holds more. */
static bool has_more_behind(const struct unwrap *unwrap,
                            const struct piece *piece, struct str behind)
{
    enum { BEGINS_MOST = 4 };
    struct begin begin = {BEGIN_NONE, 0};
    size_t from = 0;

    if (!piece->n_used || piece->is_open ||
        !str_contains(piece->text, STR("\n")) ||
        begin_scan(&unwrap->scanner, behind) == behind.len)
        return false;
    for (unsigned i = 0; i < BEGINS_MOST && begin_find(behind, from, &begin);
         i++) {
        if (begin.kind == BEGIN_GOROUTINE || begin.kind == BEGIN_PROFILE)
            return true;
        from = begin.at + 1;
    }
    return false;
}

/* Ends inside of the line, where another string of it holds more: that is
 * recognised anew, which takes its time. So many are read of a line, and that
 * there are more is told. */
static bool part_line(struct unwrap *unwrap, const struct piece *piece,
                      bool is_of, struct str behind)
{
    enum { PARTS_MOST = 8 };
    struct lines *outer = unwrap->outer;

    if (!has_more_behind(unwrap, piece, behind))
        return false;
    if (outer->parted != outer->number)
        outer->n_parts = 0;
    outer->parted = outer->number;
    if (++outer->n_parts < PARTS_MOST)
        return true;
    give_omission(unwrap, piece, is_of);
    return false;
}

/* Where the input ends, what should have ended in a quote is a part. */
static void end_input(struct unwrap *unwrap)
{
    struct piece end = {.text = STR("")};

    unwrap->has_ended = true;
    if (!unwrap->shape.wrapping->ends_in_quote)
        return;
    if (unwrap->is_open)
        unwrap_give_first(unwrap, &end);
    give_omission(unwrap, &end, true);
}

static void take_line(struct unwrap *unwrap)
{
    const struct wrapping *wrapping = unwrap->shape.wrapping;
    struct lines *outer = unwrap->outer;
    struct piece piece = {0};
    struct str line;

    give_hole(unwrap);
    if (!lines_peek(outer, &line)) {
        end_input(unwrap);
        return;
    }
    buf_clear(&unwrap->scratch);
    if (wrapping->strip(&unwrap->shape, line, &unwrap->scratch, &piece)) {
        unwrap->n_foreign = 0;
        if (!piece.is_around)
            take_piece(unwrap, line, &piece);
        else
            unwrap->has_hole |= str_has_zeros(line);
    } else if (ends_before(unwrap, line)) {
        unwrap->has_ended = true;
        return;
    } else {
        give_foreign(unwrap, line);
    }
    if (unwrap->in_line) {
        outer->at += piece.n_used;
    } else if (part_line(unwrap, &piece, unwrap_is_of_first(unwrap, &piece),
                         str_skip(line, piece.n_used))) {
        outer->at += piece.n_used;
        piece.is_last = true;
    } else {
        pass_line(outer, line);
    }
    unwrap->has_ended = piece.is_last;
    if (unwrap->has_ended)
        give_hole(unwrap);
}

/* Takes the lines that look like the last one of the first stream. */
static void take_alike(struct unwrap *unwrap)
{
    struct lines *outer = unwrap->outer;
    struct stencil_copy copy = {.at = outer->at,
                                .end = outer->end,
                                .into = unwrap->into,
                                .room = unwrap->room};

    if (!unwrap->stencil.run || unwrap->is_open || unwrap->has_hole ||
        unwrap->has_ended)
        return;
    unwrap->stencil.run(&unwrap->stencil, &copy);
    if (!copy.n_lines)
        return;
    line_map_add(&unwrap->map, unwrap->lines + 1, outer->number, false);
    outer->at = copy.at;
    outer->number += copy.n_lines;
    unwrap->last_line = outer->number - 1;
    unwrap->into = copy.into;
    unwrap->room = copy.room;
    unwrap->lines += copy.n_lines;
    unwrap->n_foreign = 0;
    unwrap->current = NULL;
    unwrap->is_nowhere = false;
}

/* Takes the next part of a line that is too long to be held. */
static void take_part(struct unwrap *unwrap)
{
    struct lines *outer = unwrap->outer;
    struct piece piece = {0};
    struct str part;
    bool is_half;
    size_t end;

    lines_fill(outer, LINES_WINDOW);
    part = (struct str){outer->at, (size_t)(outer->end - outer->at)};
    end = str_find(part, '\n');
    buf_clear(&unwrap->scratch);
    unwrap->shape.wrapping->more(&unwrap->shape, str_head(part, end),
                                 &unwrap->scratch, &piece);
    unwrap->in_line = piece.is_open && end == part.len && piece.n_used;
    if (!unwrap->in_line)
        piece.goes_on = false;
    is_half = piece.is_open && piece.is_quoted && !unwrap->in_line;
    if (is_half)
        cut_half(&piece);
    unwrap_give_first(unwrap, &piece);
    if (is_half)
        give_omission(unwrap, &piece, true);
    outer->at += piece.n_used;
    if (unwrap->in_line)
        return;
    part = str_skip(str_head(part, end), piece.n_used);
    if (part_line(unwrap, &piece, true, part)) {
        unwrap->has_ended = true;
    } else {
        lines_fill(outer, LINES_WINDOW);
        lines_next(outer);
    }
}

static ptrdiff_t read_first(void *user, void *into, size_t size)
{
    struct unwrap *unwrap = user;

    unwrap->into = into;
    unwrap->room = size;
    unwrap_drain(unwrap);
    while (!unwrap->pending.len && unwrap->room &&
           (unwrap->in_line || !unwrap->has_ended)) {
        if (unwrap->in_line) {
            take_part(unwrap);
        } else {
            take_line(unwrap);
            if (!unwrap->in_line && !unwrap->pending.len)
                take_alike(unwrap);
        }
        unwrap_drain(unwrap);
    }
    return (ptrdiff_t)(size - unwrap->room);
}

/* --- The face ------------------------------------------------------------- */

bool unwrap_next(struct unwrap *unwrap, struct unwrap_stream *ret)
{
    struct other *other = unwrap->next;

    if (!unwrap->first_given) {
        unwrap->first_given = true;
        *ret = (struct unwrap_stream){
            .source = {.read = read_first, .user = unwrap},
            .instance = {unwrap->instance, unwrap->instance_len},
            .process = {unwrap->key, unwrap->is_process ? unwrap->key_len : 0},
            .first_line = unwrap->first_line,
            .last_line = &unwrap->last_line,
            .map = &unwrap->map};
        return true;
    }
    if (!other)
        other = unwrap->others;
    else
        other = other->next;
    if (!other)
        return false;
    unwrap->next = other;
    other->memory.rest = (struct str){other->text, other->len};
    *ret = (struct unwrap_stream){
        .source = source_from_memory(&other->memory),
        .instance = {other->instance, other->instance_len},
        .process = {other->key, other->is_process ? other->key_len : 0},
        .first_line = other->first_line,
        .last_line = &other->last_line,
        .map = &other->map,
        .n_lost_bytes = other->n_lost_bytes};
    return true;
}

int unwrap_open(struct unwrap **ret, struct lines *lines,
                const struct shape *shape, struct budget *budget,
                struct cprof_error *err)
{
    struct unwrap *unwrap = budget_resize(budget, NULL, 0, sizeof(*unwrap));
    struct piece piece = {0};
    struct str line;

    if (!unwrap)
        return error_memory(err, (struct place){lines->name, 0, 0}, "reading");
    memset(unwrap, 0, sizeof(*unwrap));
    unwrap->outer = lines;
    unwrap->shape = *shape;
    unwrap->budget = budget;
    unwrap->last = &unwrap->others;
    begin_scanner_init(&unwrap->scanner);
    line_map_init(&unwrap->map, budget);
    if (lines_peek(lines, &line) &&
        shape->wrapping->strip(shape, line, &unwrap->scratch, &piece)) {
        unwrap->key_len = unwrap_keep_text(unwrap->key, piece.stream);
        unwrap->instance_len =
            unwrap_keep_text(unwrap->instance, piece.instance);
        unwrap->is_process = piece.is_process;
        unwrap->first_line = unwrap->last_line = lines->number;
    }
    *ret = unwrap;
    return 0;
}

void unwrap_free(struct unwrap *unwrap)
{
    if (!unwrap)
        return;
    unwrap_free_others(unwrap);
    line_map_done(&unwrap->map);
    buf_done(&unwrap->scratch);
    buf_done(&unwrap->pending);
    budget_free(unwrap->budget, unwrap, sizeof(*unwrap));
}

uint64_t unwrap_skipped(const struct unwrap *unwrap, uint64_t *ret_first)
{
    *ret_first = unwrap->first_skipped;
    return unwrap->n_skipped;
}

bool unwrap_has_more(const struct unwrap *unwrap)
{
    return unwrap->has_more;
}

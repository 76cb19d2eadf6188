#include "unwrap/unwrap.h"

#include "base/hash.h"
#include "unwrap/stencil.h"

enum {
    KEY_MOST = 512,    /* bytes of a stream's name; longer ones are cut */
    QUIET_MOST = 1024, /* lines of a stream that are kept behind its last
                           goroutine: more than twice what any stack has */
    TEXT_FIRST = 4 * 1024,
    BUCKETS = 1024, /* of a table of streams; a power of 2 */
};

/* A stream other than the first: its lines wait here. */
struct other {
    struct other *next;
    struct other *alike; /* the next one of its bucket */
    char key[KEY_MOST];
    size_t key_len;
    size_t instance_len;
    char instance[KEY_MOST];
    bool is_process;     /* the key names a process of the instance */
    uint64_t first_line; /* outer lines that are kept */
    uint64_t last_line;
    char *text;
    size_t len;
    size_t size;
    uint64_t lines; /* ends of lines in text */
    uint64_t n_lost_bytes;
    unsigned quiet; /* lines since the last begin */
    bool is_kept;   /* lines are kept at the moment */
    bool is_open;   /* its last line goes on */
    struct line_map map;
    struct source_memory memory;
};

struct unwrap {
    struct lines *outer;
    struct shape shape;
    struct budget *budget;
    struct buf scratch;
    bool has_ended;
    bool in_line;       /* the rest of a long line is to come */
    unsigned n_foreign; /* lines in a row that did not fit */
    struct stencil stencil;
    struct begin_scanner scanner;

    /* The first stream, which is given as it comes. */
    char key[KEY_MOST];
    size_t key_len;
    char instance[KEY_MOST];
    size_t instance_len;
    bool is_process;
    uint64_t first_line; /* outer lines of it */
    uint64_t last_line;
    struct line_map map;
    uint64_t lines; /* ends of lines given */
    bool is_open;
    char *into; /* where a read wants its bytes, and how much room is left */
    size_t room;
    struct buf pending; /* what did not fit there */
    size_t n_given;     /* of pending */

    struct other *current; /* stream of the last line; NULL = the first */
    bool is_nowhere;       /* it was of a stream that is not kept */
    bool has_hole;         /* zeros stood in a line, which is yet to be told */
    struct other *others;
    struct other **last;
    struct other *next; /* to be given next */
    size_t n_others;
    struct other *by_key[BUCKETS];
    bool has_more; /* a dump of a stream beyond UNWRAP_STREAMS */
    bool first_given;
    uint64_t n_skipped;
    uint64_t first_skipped;
};

static size_t keep_text(char *into, struct str text)
{
    text = str_head(text, KEY_MOST);
    if (text.len)
        memcpy(into, text.ptr, text.len);
    return text.len;
}

/* --- Where text goes ------------------------------------------------------ */

static void put(struct unwrap *unwrap, struct str text)
{
    if (text.len <= unwrap->room && unwrap->pending.len == unwrap->n_given) {
        if (text.len)
            memcpy(unwrap->into, text.ptr, text.len);
        unwrap->into += text.len;
        unwrap->room -= text.len;
    } else {
        buf_add(&unwrap->pending, text);
    }
}

static uint64_t count_lines(struct str text)
{
    uint64_t n = 0;

    for (size_t at; (at = str_find(text, '\n')) < text.len; n++)
        text = str_skip(text, at + 1);
    return n;
}

/* Maps the inner lines that a piece begins: all of them stand in one outer
 * line. When its first line began in a piece before, only the others count. */
static void map_piece(struct line_map *map, uint64_t n_lines, bool is_open,
                      uint64_t inside, uint64_t outer)
{
    if (!is_open)
        line_map_add(map, n_lines + 1, outer, inside > 0);
    else if (inside > 0)
        line_map_add(map, n_lines + 2, outer, inside > 1);
}

static void give_first(struct unwrap *unwrap, const struct piece *piece)
{
    struct str text = piece->text;
    uint64_t inside = count_lines(text);

    map_piece(&unwrap->map, unwrap->lines, unwrap->is_open, inside,
              unwrap->outer->number);
    if (!unwrap->is_open && str_cut_spelled_tab(&text))
        put(unwrap, STR("\t"));
    put(unwrap, text);
    if (!piece->goes_on)
        put(unwrap, STR("\n"));
    unwrap->lines += inside + !piece->goes_on;
    unwrap->is_open = piece->goes_on;
}

/* --- Other streams -------------------------------------------------------- */

static void skip(struct unwrap *unwrap)
{
    if (!unwrap->n_skipped++)
        unwrap->first_skipped = unwrap->outer->number;
}

static size_t bucket_of(struct str key)
{
    return (size_t)hash_bytes(key.ptr, key.len) & (BUCKETS - 1);
}

static struct other *find_other(const struct unwrap *unwrap, struct str key)
{
    struct other *other;

    key = str_head(key, KEY_MOST);
    other = unwrap->by_key[bucket_of(key)];
    while (other && !str_equal((struct str){other->key, other->key_len}, key))
        other = other->alike;
    return other;
}

static struct other *add_other(struct unwrap *unwrap, const struct piece *piece)
{
    struct other **bucket;
    struct other *other;

    if (unwrap->n_others == UNWRAP_STREAMS - 1) {
        unwrap->has_more = true;
        return NULL;
    }
    other = budget_resize(unwrap->budget, NULL, 0, sizeof(*other));
    if (!other)
        return NULL;
    memset(other, 0, sizeof(*other));
    other->key_len = keep_text(other->key, piece->stream);
    other->instance_len = keep_text(other->instance, piece->instance);
    other->is_process = piece->is_process;
    other->first_line = unwrap->outer->number;
    line_map_init(&other->map, unwrap->budget);
    bucket = &unwrap->by_key[bucket_of(str_head(piece->stream, KEY_MOST))];
    other->alike = *bucket;
    *bucket = other;
    *unwrap->last = other;
    unwrap->last = &other->next;
    unwrap->n_others++;
    return other;
}

static void free_other(struct unwrap *unwrap, struct other *other)
{
    line_map_done(&other->map);
    budget_free(unwrap->budget, other->text, other->size);
    budget_free(unwrap->budget, other, sizeof(*other));
}

static void append(struct other *other, struct str text)
{
    if (text.len)
        memcpy(other->text + other->len, text.ptr, text.len);
    other->len += text.len;
}

static void keep_other(struct unwrap *unwrap, struct other *other,
                       const struct piece *piece)
{
    struct str text = piece->text;
    uint64_t inside = count_lines(text);

    if (other->n_lost_bytes ||
        !budget_grow(unwrap->budget, &other->text, &other->size,
                     other->len + text.len + 2, TEXT_FIRST)) {
        other->n_lost_bytes += text.len + 1;
        return;
    }
    map_piece(&other->map, other->lines, other->is_open, inside,
              unwrap->outer->number);
    if (!other->is_open && str_cut_spelled_tab(&text))
        append(other, STR("\t"));
    append(other, text);
    other->last_line = unwrap->outer->number;
    if (!piece->goes_on)
        append(other, STR("\n"));
    other->lines += inside + !piece->goes_on;
    other->is_open = piece->goes_on;
}

/* Whether a line belongs to a dump's text, as far as a look can tell. */
static bool is_mark(const struct unwrap *unwrap, struct str text)
{
    struct begin begin;

    return (begin_scan(&unwrap->scanner, text) < text.len &&
            begin_find(text, 0, &begin)) ||
           str_contains(text, STR(" @ 0x"));
}

/* Whether the line shows that a dump goes on. Of a stream that has just shown
 * it, no line needs to: every goroutine will. */
static bool shows_dump(const struct unwrap *unwrap, const struct other *other,
                       struct str text)
{
    if (other && other->is_kept && other->quiet < QUIET_MOST / 2)
        return false;
    return is_mark(unwrap, text);
}

static void give_other(struct unwrap *unwrap, const struct piece *piece)
{
    struct other *other =
        piece->continues ? unwrap->current : find_other(unwrap, piece->stream);
    bool is_marked = shows_dump(unwrap, other, piece->text);

    if (!other && is_marked && !piece->continues)
        other = add_other(unwrap, piece);
    unwrap->current = other;
    unwrap->is_nowhere = !other;
    if (!other || (!other->is_kept && !is_marked)) {
        skip(unwrap);
        return;
    }
    other->quiet = is_marked ? 0 : other->quiet + 1;
    other->is_kept = other->quiet < QUIET_MOST;
    keep_other(unwrap, other, piece);
}

static bool is_of_first(const struct unwrap *unwrap, const struct piece *piece)
{
    if (piece->continues)
        return !unwrap->current && !unwrap->is_nowhere;
    return str_equal(str_head(piece->stream, KEY_MOST),
                     (struct str){unwrap->key, unwrap->key_len});
}

/* --- Taking lines --------------------------------------------------------- */

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
        give_first(unwrap, &end);
    give_first(unwrap, &piece);
}

/* Zeros in what no reader sees of a line stand for lines that are missing: that
 * of the first stream is shown a zero. */
static void give_hole(struct unwrap *unwrap)
{
    struct piece hole = {.text = {"", 1}};

    unwrap->has_hole = false;
    give_first(unwrap, &hole);
}

static bool has_zeros(struct str text)
{
    return str_find(text, '\0') < text.len;
}

/* A line of the first stream that fits the wrapping. */
static void take_first(struct unwrap *unwrap, struct str line,
                       const struct piece *piece)
{
    unwrap->current = NULL;
    unwrap->is_nowhere = false;
    unwrap->last_line = unwrap->outer->number;
    give_first(unwrap, piece);
    if (unwrap->shape.wrapping->is_regular)
        stencil_learn(&unwrap->stencil, line, piece);
}

/* A line that fits the wrapping. */
static void take_piece(struct unwrap *unwrap, struct str line,
                       struct piece *piece)
{
    bool is_of = is_of_first(unwrap, piece);

    unwrap->has_hole |= has_zeros(line) && !(is_of && has_zeros(piece->text));
    unwrap->in_line = piece->is_open && is_of && is_long(unwrap->outer, line);
    if (piece->is_open)
        piece->goes_on = unwrap->in_line;
    else
        piece->goes_on |= is_cut(unwrap->outer, line, piece->text);
    if (is_of)
        take_first(unwrap, line, piece);
    else
        give_other(unwrap, piece);
}

static void take_line(struct unwrap *unwrap)
{
    const struct wrapping *wrapping = unwrap->shape.wrapping;
    struct lines *outer = unwrap->outer;
    struct piece piece = {0};
    struct str line;

    if (unwrap->has_hole && !unwrap->is_open)
        give_hole(unwrap);
    if (!lines_peek(outer, &line)) {
        unwrap->has_ended = true;
        return;
    }
    buf_clear(&unwrap->scratch);
    if (wrapping->strip(&unwrap->shape, line, &unwrap->scratch, &piece)) {
        unwrap->n_foreign = 0;
        if (!piece.is_around)
            take_piece(unwrap, line, &piece);
        else
            unwrap->has_hole |= has_zeros(line);
    } else if (ends_before(unwrap, line)) {
        unwrap->has_ended = true;
        return;
    } else {
        give_foreign(unwrap, line);
    }
    if (unwrap->in_line)
        outer->at += piece.n_used;
    else
        pass_line(outer, line);
    unwrap->has_ended = piece.is_last;
}

/* Takes the lines that look like the last one of the first stream. */
static void take_alike(struct unwrap *unwrap)
{
    struct lines *outer = unwrap->outer;
    struct stencil_copy copy = {.at = outer->at,
                                .end = outer->end,
                                .into = unwrap->into,
                                .room = unwrap->room};

    if (!unwrap->stencil.run || unwrap->is_open || unwrap->has_ended)
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
    give_first(unwrap, &piece);
    outer->at += piece.n_used;
    if (!unwrap->in_line) {
        lines_fill(outer, LINES_WINDOW);
        lines_next(outer);
    }
}

/* Gives what did not fit before. */
static void drain(struct unwrap *unwrap)
{
    struct str rest = str_skip(buf_str(&unwrap->pending), unwrap->n_given);
    size_t n = rest.len < unwrap->room ? rest.len : unwrap->room;

    if (n)
        memcpy(unwrap->into, rest.ptr, n);
    unwrap->into += n;
    unwrap->room -= n;
    unwrap->n_given += n;
    if (unwrap->n_given == unwrap->pending.len) {
        buf_clear(&unwrap->pending);
        unwrap->n_given = 0;
    }
}

static ptrdiff_t read_first(void *user, void *into, size_t size)
{
    struct unwrap *unwrap = user;

    unwrap->into = into;
    unwrap->room = size;
    drain(unwrap);
    while (!unwrap->pending.len && unwrap->room &&
           (unwrap->in_line || !unwrap->has_ended)) {
        if (unwrap->in_line) {
            take_part(unwrap);
        } else {
            take_line(unwrap);
            if (!unwrap->in_line && !unwrap->pending.len)
                take_alike(unwrap);
        }
        drain(unwrap);
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
        unwrap->key_len = keep_text(unwrap->key, piece.stream);
        unwrap->instance_len = keep_text(unwrap->instance, piece.instance);
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
    while (unwrap->others) {
        struct other *other = unwrap->others;

        unwrap->others = other->next;
        free_other(unwrap, other);
    }
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

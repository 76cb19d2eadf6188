/* Where what is inside of lines goes: to the reader of the first stream, or
 * aside until others are read. */
#include "base/hash.h"
#include "unwrap/unwrap_state.h"

size_t unwrap_keep_text(char *into, struct str text)
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

void unwrap_give_first(struct unwrap *unwrap, const struct piece *piece)
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
    other->key_len = unwrap_keep_text(other->key, piece->stream);
    other->instance_len = unwrap_keep_text(other->instance, piece->instance);
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

void unwrap_give_other(struct unwrap *unwrap, const struct piece *piece)
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

bool unwrap_is_of_first(const struct unwrap *unwrap, const struct piece *piece)
{
    if (piece->continues)
        return !unwrap->current && !unwrap->is_nowhere;
    return str_equal(str_head(piece->stream, KEY_MOST),
                     (struct str){unwrap->key, unwrap->key_len});
}

void unwrap_drain(struct unwrap *unwrap)
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

void unwrap_free_others(struct unwrap *unwrap)
{
    while (unwrap->others) {
        struct other *other = unwrap->others;

        unwrap->others = other->next;
        free_other(unwrap, other);
    }
}

/* A dump in the value of a key: line by line, as docker's json-file driver and
 * go test -json have it, or whole in one string of a JSON or logfmt line.
 *
 *     {"log":"goroutine 1 [running]:\n","stream":"stderr",...}
 *     {"Action":"output","Package":"p","Output":"goroutine 1 [running]:\n"}
 *     level=error stack="goroutine 1 [running]:\nmain.main()\n..." */
#include "unwrap/escapes.h"
#include "unwrap/wrapping.h"

static const struct str package_key = STR_INIT("\"Package\":\"");

/* Where the string begins whose inside holds offset at: behind its quote; 0
 * when at stands in no string. */
static size_t find_string(struct str line, size_t at)
{
    size_t begin = 0;

    for (size_t i = 0; i < at; i++) {
        if (line.ptr[i] == '\\')
            i++;
        else if (line.ptr[i] == '"')
            begin = begin ? 0 : i + 1;
    }
    return begin;
}

/* Where the key before the string begins: its quote in JSON, its first letter
 * in logfmt; the string's own place when it has none. */
static size_t find_key(struct str line, size_t string)
{
    size_t at = string - 1;

    while (at > 0 && line.ptr[at - 1] == ' ')
        at--;
    if (at > 0 && line.ptr[at - 1] == ':') {
        size_t key = at - 1;

        while (key > 0 && line.ptr[key - 1] == ' ')
            key--;
        if (key < 2 || line.ptr[key - 1] != '"')
            return string;
        key = str_rfind(str_head(line, key - 1), '"');
        return key < at ? key : string;
    }
    if (at == 0 || line.ptr[at - 1] != '=')
        return string;
    while (at > 0 && line.ptr[at - 1] != ' ')
        at--;
    return at;
}

/* Makes a piece of what was decoded. The string's own line ends count, when it
 * has any: without one at the end, the line goes on in the next string. */
static void finish_piece(const struct shape *shape, bool closed,
                         struct buf *scratch, struct piece *ret)
{
    ret->text = buf_str(scratch);
    ret->is_open = !closed;
    if (shape->has_own_ends && !ret->is_open)
        ret->goes_on = !str_cut_suffix(&ret->text, STR("\n"));
    if (ret->is_open)
        ret->goes_on = true;
}

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    struct str key = {shape->text, shape->len};
    size_t at = shape->offset;
    bool closed;

    if (!str_starts(str_skip(line, at), key))
        at = str_search(line, key);
    if (at >= line.len)
        return false;
    at += key.len;
    ret->n_used = at + escapes_decode(str_skip(line, at), scratch, &closed);
    finish_piece(shape, closed, scratch, ret);
    if (shape->has_package) {
        size_t package = str_search(line, package_key);
        struct str rest = str_skip(line, package + package_key.len);

        ret->stream = ret->instance = str_head(rest, str_find(rest, '"'));
    }
    return true;
}

static void more(const struct shape *shape, struct str bytes,
                 struct buf *scratch, struct piece *ret)
{
    bool closed;

    ret->n_used = escapes_decode(bytes, scratch, &closed);
    finish_piece(shape, closed, scratch, ret);
}

/* Whether the string at offset ends in a line end. */
static bool has_own_ends(struct str line, size_t string)
{
    struct buf text = {0};
    bool closed;
    bool has;

    escapes_decode(str_skip(line, string), &text, &closed);
    has = closed && str_ends(buf_str(&text), STR("\n"));
    buf_done(&text);
    return has;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    size_t string = find_string(line, begin.at);
    size_t key;

    if (!string)
        return false;
    key = find_key(line, string);
    if (key == string || string - key > SHAPE_MOST)
        return false;
    shape->len = string - key;
    shape->offset = key;
    memcpy(shape->text, line.ptr + key, shape->len);
    shape->has_own_ends = has_own_ends(line, string);
    shape->has_package = str_equal((struct str){shape->text, shape->len},
                                   STR("\"Output\":\"")) &&
                         str_contains(line, package_key);
    return true;
}

const struct wrapping quoted_wrapping = {
    .name = "string", .learn = learn, .strip = strip, .more = more};

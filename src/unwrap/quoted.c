/* A dump in the value of a key: line by line, as docker's json-file driver, log
 * shippers, journalctl -o json and go test -json have it, or whole in one
 * string of a JSON or logfmt line. An object of
 * JSON may be spread over lines, one for each key.
 *
 *     {"log":"goroutine 1 [running]:\n","stream":"stderr",...}
 *     {"MESSAGE":"goroutine 1 [running]:","_HOSTNAME":"node-3",...}
 *     {"Action":"output","Package":"p","Output":"goroutine 1 [running]:\n"}
 *     level=error stack="goroutine 1 [running]:\nmain.main()\n..." */
#include "unwrap/escapes.h"
#include "unwrap/names.h"

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

/* Where a line is to have a key that stands at an offset of the one it is
 * learned from: there, when the key stands in front of that as well; else 0,
 * for its first place. */
static size_t find_place(struct str line, struct str key, size_t at)
{
    return str_search(line, key) < at ? at : 0;
}

/* Where the key before the string begins: its quote in JSON, and in Ruby's
 * "log"=>"...", which Fluent Bit prints; its first letter in logfmt; the
 * string's own place when it has none. */
static size_t find_key(struct str line, size_t string)
{
    size_t at = string - 1;
    bool is_pair;

    while (at > 0 && line.ptr[at - 1] == ' ')
        at--;
    is_pair = str_ends(str_head(line, at), STR("=>"));
    if (is_pair || (at > 0 && line.ptr[at - 1] == ':')) {
        size_t key = at - 1 - is_pair;

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

static bool has_digit(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] >= '0' && text.ptr[i] <= '9')
            return true;
    }
    return false;
}

/* What a stencil has to know of a string that ends at the offset end. Nothing
 * where another key could become this one by a digit, or by standing where the
 * one that was learned stood. */
static void note_source(const struct shape *shape, struct str line, size_t key,
                        size_t end, struct piece *ret)
{
    size_t begin = key + shape->len;

    if (key < shape->offset || has_digit((struct str){shape->text, shape->len}))
        return;
    ret->source = (struct str){line.ptr + begin, end - 1 - begin};
    if (shape->has_own_ends && !str_cut_suffix(&ret->source, STR("\\n")))
        ret->source.len = 0;
}

/* A list of bytes, as journalctl has it in place of a string that is not fit to
 * print. */
static bool strip_bytes(const struct shape *shape, struct str line,
                        struct buf *scratch, struct piece *ret)
{
    struct str key = {shape->text, shape->len - 1};
    size_t at = str_search(line, key);
    bool closed;

    if (at >= line.len || !str_starts(str_skip(line, at + key.len), STR("[")))
        return false;
    bytes_decode(str_skip(line, at + key.len + 1), scratch, &closed);
    ret->text = buf_str(scratch);
    return closed;
}

/* Whether the line is one of the others of an object that is spread over lines,
 * as journalctl -o json-pretty has it: a key, a bracket. */
static bool is_around(const struct shape *shape, struct str line)
{
    line = str_trim(line);
    return shape->is_spread && line.len && chars_have("\"{}[]", line.ptr[0]);
}

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    struct str key = {shape->text, shape->len};
    struct keyed_line keyed = {line, line.len, line.len};
    size_t at = shape->offset;
    size_t used;
    bool closed;

    if (!str_starts(str_skip(line, at), key))
        at = str_search(line, key);
    if (at < line.len) {
        at += key.len;
        used = at + escapes_decode(str_skip(line, at), '"', scratch, &closed);
        finish_piece(shape, closed, scratch, ret);
        ret->n_used = used;
        if (closed)
            note_source(shape, line, at - key.len, used, ret);
        keyed = (struct keyed_line){line, at, used};
    } else if (!strip_bytes(shape, line, scratch, ret)) {
        ret->is_around = is_around(shape, line);
        return ret->is_around;
    }
    names_read(shape->names, keyed, scratch, ret);
    return true;
}

static void more(const struct shape *shape, struct str bytes,
                 struct buf *scratch, struct piece *ret)
{
    bool closed;

    ret->n_used = escapes_decode(bytes, '"', scratch, &closed);
    finish_piece(shape, closed, scratch, ret);
}

/* Whether a text without a line end is a part that docker cut off a long line.
 * It cuts at 16 KiB, maybe inside of a character, of whose bytes each takes
 * three afterwards (daemon/logger: copier.go, jsonfilelog). */
static bool is_docker_part(struct str line, size_t string, size_t len)
{
    enum { PART = 16 * 1024, CUT_MOST = 16 };
    struct str key = str_trim(str_head(line, string));

    return len >= PART && len <= PART + CUT_MOST &&
           str_starts(key, STR("{\"log\""));
}

/* Whether the strings hold their line ends themselves, by the one at an
 * offset; *ret_end is where that one ends. */
static bool has_own_ends(struct str line, size_t string, size_t *ret_end)
{
    struct buf text = {0};
    bool closed;
    bool has;

    *ret_end =
        string + escapes_decode(str_skip(line, string), '"', &text, &closed);
    has = closed && (str_ends(buf_str(&text), STR("\n")) ||
                     is_docker_part(line, string, text.len));
    buf_done(&text);
    return has;
}

/* A list of bytes begins at the offset: what the string would begin with is
 * learned from its key. */
static bool learn_bytes(struct shape *shape, struct str line, size_t at)
{
    size_t list = at + str_find(str_skip(line, at), '[');

    if (list == line.len || list - at >= SHAPE_MOST)
        return false;
    shape->len = list - at + 1;
    shape->is_spread = !str_trim(str_head(line, at)).len;
    memcpy(shape->text, line.ptr + at, shape->len);
    shape->text[shape->len - 1] = '"';
    return true;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    size_t string = find_string(line, begin.at);
    struct str name;
    size_t key;
    size_t end;

    if (begin.kind == BEGIN_BYTES) {
        shape->names =
            names_find((struct keyed_line){line, line.len, line.len}, STR(""));
        return learn_bytes(shape, line, begin.at);
    }
    if (!string)
        return false;
    key = find_key(line, string);
    if (key == string || string - key > SHAPE_MOST)
        return false;
    name = str_skip(str_head(line, string), key);
    shape->len = name.len;
    memcpy(shape->text, name.ptr, name.len);
    shape->offset = find_place(line, name, key);
    shape->is_spread = name.ptr[0] == '"' && !str_trim(str_head(line, key)).len;
    shape->has_own_ends = has_own_ends(line, string, &end);
    shape->names = names_find((struct keyed_line){line, string, end}, name);
    return true;
}

const struct wrapping quoted_wrapping = {.name = "string",
                                         .is_regular = true,
                                         .learn = learn,
                                         .strip = strip,
                                         .more = more};

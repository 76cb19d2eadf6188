/* A dump in the value of a key: line by line, as docker's json-file driver, log
 * shippers, journalctl -o json and go test -json have it, or whole in one
 * string of a JSON or logfmt line. An object of
 * JSON may be spread over lines, one for each key.
 *
 *     {"log":"goroutine 1 [running]:\n","stream":"stderr",...}
 *     {"MESSAGE":"goroutine 1 [running]:","_HOSTNAME":"node-3",...}
 *     {"Action":"output","Package":"p","Output":"goroutine 1 [running]:\n"}
 *     level=error stack="goroutine 1 [running]:\nmain.main()\n..."
 *     [0] tail.0: [[1763647320.0, {}], {"log"=>"goroutine 1 [running]:"}] */
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

/* Whether a map ends, or goes on with another pair, behind a string that may
 * end in front of rest. */
static bool is_behind_value(struct str rest)
{
    size_t end;

    rest = str_trim(rest);
    if (str_starts(rest, STR("}"))) {
        while (rest.len && chars_have("}]", rest.ptr[0]))
            rest = str_skip(rest, 1);
        if (!rest.len)
            return true;
    }
    if (!str_cut_prefix(&rest, STR(",")))
        return false;
    rest = str_trim(rest);
    if (!str_cut_prefix(&rest, STR("\"")))
        return false;
    end = str_find(rest, '"');
    return str_starts(str_skip(rest, end), STR("\"=>"));
}

/* Where the string ends whose inside text begins with, the value of a pair;
 * text.len when it ends nowhere. Fluent Bit escapes what it knows as bytes, and
 * prints a text as it is, quotes and backslashes (msgpack-c:
 * msgpack_object_print): *ret_is_raw says that quotes inside show this. */
static size_t find_value_end(struct str text, bool *ret_is_raw)
{
    struct str inside = str_trim(text);

    /* Blanks behind all are passed once, not at each quote. */
    inside = str_head(text, (size_t)(inside.ptr - text.ptr) + inside.len);
    *ret_is_raw = false;
    for (size_t i = 0; i < inside.len; i++) {
        if (inside.ptr[i] == '\\')
            i++;
        else if (inside.ptr[i] != '"')
            continue;
        else if (is_behind_value(str_skip(inside, i + 1)))
            return i;
        else
            *ret_is_raw = true;
    }
    return text.len;
}

/* Appends what the string behind a key stands for, as escapes_decode does. */
static size_t decode_value(struct str key, struct str text, struct buf *out,
                           bool *ret_closed)
{
    size_t end = text.len;
    bool is_raw = false;

    if (str_contains(key, STR("\"=>")) || str_contains(key, STR("\" =>")))
        end = find_value_end(text, &is_raw);
    if (end == text.len)
        return escapes_decode(text, '"', out, ret_closed);
    if (is_raw)
        buf_add(out, str_head(text, end));
    else
        escapes_decode(str_head(text, end), '\0', out, ret_closed);
    *ret_closed = true;
    return end + 1;
}

/* Makes a piece of what was decoded. The string's own line ends count, when it
 * has any: without one at the end, the line goes on in the next string. */
static void finish_piece(const struct shape *shape, bool closed,
                         struct buf *scratch, struct piece *ret)
{
    ret->text = buf_str(scratch);
    ret->is_open = !closed;
    ret->is_quoted = true;
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
        used = at + decode_value(key, str_skip(line, at), scratch, &closed);
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

/* The string that a wrapping learns from. */
struct example {
    size_t end;        /* behind its quote */
    bool has_own_ends; /* the strings hold their line ends themselves */
    bool is_whole;     /* it has more lines than one */
};

/* Looks at the string behind a key, which begins at an offset. */
static struct example see_example(struct str line, struct str key,
                                  size_t string)
{
    struct example example = {0};
    struct buf text = {0};
    bool closed;

    example.end =
        string + decode_value(key, str_skip(line, string), &text, &closed);
    example.has_own_ends = closed && (str_ends(buf_str(&text), STR("\n")) ||
                                      is_docker_part(line, string, text.len));
    example.is_whole = str_find(buf_str(&text), '\n') + 1 < text.len;
    buf_done(&text);
    return example;
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
    struct example example;
    size_t key;

    if (begin.kind == BEGIN_BYTES) {
        shape->names = names_find((struct keyed_line){line, line.len, line.len},
                                  STR(""), false);
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
    example = see_example(line, name, string);
    shape->has_own_ends = example.has_own_ends;
    shape->names = names_find((struct keyed_line){line, string, example.end},
                              name, example.is_whole);
    return true;
}

const struct wrapping quoted_wrapping = {.name = "string",
                                         .is_regular = true,
                                         .learn = learn,
                                         .strip = strip,
                                         .more = more};

/* The lines of a dump as strings of JSON that have no key of their own on
 * their line, or share a line with others: lists, and the answers of stores of
 * logs (CloudWatch, Elasticsearch, Loki).
 *
 *     {"events":[{"message":"goroutine 1 [running]:","id":"1"},{"message":...
 *     {"values":[["1763647320000000000","goroutine 1 [running]:"],["17636...
 *     {"values":[["1763647320000000000","goroutine 1 [running]:",{}],["17...
 *     {"stack":["goroutine 1 [running]:","main.main()", ...]}
 *
 * or a string for each goroutine:
 *
 *     {"stacks":[{"id":1,"stack":"goroutine 1 [running]:\n..."},{"id":2,... */
#include "unwrap/escapes.h"
#include "unwrap/wrapping.h"

static bool is_number(struct str text)
{
    uint64_t number;

    return str_cut_decimal(&text, &number) && !text.len;
}

/* Moves *at behind the string that begins there, and adds its text as a line.
 * False when it is not closed. */
static bool add_string(const struct shape *shape, struct str line, size_t *at,
                       struct buf *scratch)
{
    bool closed;

    *at += escapes_decode(str_skip(line, *at), '"', scratch, &closed);
    if (closed && !shape->has_own_ends)
        buf_add_char(scratch, '\n');
    return closed;
}

/* Moves *at behind the quote of the next string with the key. */
static bool find_keyed(const struct shape *shape, struct str line, size_t *at)
{
    struct str key = {shape->text, shape->len};
    size_t found = str_search(str_skip(line, *at), key);

    if (*at + found >= line.len)
        return false;
    *at += found + key.len;
    return true;
}

/* Where the next list in a list begins, at or behind an offset, or where the
 * line ends: what is known beside a text may stand in front of it as an object,
 * and so do the labels of other streams. */
static size_t find_inner_list(struct str line, size_t at)
{
    while ((at += str_search(str_skip(line, at), STR("[\""))) < line.len) {
        size_t before = at;

        while (before > 0 && chars_have(" ,", line.ptr[before - 1]))
            before--;
        if (before > 0 && chars_have("[]", line.ptr[before - 1]))
            break;
        at++;
    }
    return at;
}

/* Moves *at behind the quote of the next string of a list. Times in front of
 * the texts are stepped over, and so is what stands between lists of such. */
static bool find_listed(struct str line, size_t *at)
{
    while (*at < line.len) {
        char c = line.ptr[*at];
        struct str string = str_skip(line, *at + 1);
        size_t end = str_find(string, '"');

        if (c != '"' && !chars_have(" \t,[]", c)) {
            *at = find_inner_list(line, *at);
        } else if (c != '"') {
            ++*at;
        } else if (is_number(str_head(string, end)) &&
                   str_starts(str_skip(string, end + 1), STR(","))) {
            *at += end + 2;
        } else {
            ++*at;
            return true;
        }
    }
    return false;
}

/* Adds the texts of all strings behind at. What was used ends behind one. */
static void add_strings(const struct shape *shape, struct str line, size_t at,
                        struct buf *scratch, struct piece *ret)
{
    bool is_keyed = shape->len > 1;
    size_t next = at;
    size_t whole = 0; /* of scratch: strings that are not cut */

    ret->n_used = line.len;
    while (is_keyed ? find_keyed(shape, line, &next)
                    : find_listed(line, &next)) {
        if (!add_string(shape, line, &next, scratch)) {
            /* The next part begins with the string that was cut. */
            ret->n_used = at;
            ret->is_open = true;
            break;
        }
        at = next;
        whole = scratch->len;
    }
    ret->text = str_head(buf_str(scratch), whole);
    ret->goes_on = ret->is_open;
    ret->is_quoted = true;
    if (!ret->is_open)
        str_cut_suffix(&ret->text, STR("\n"));
}

static void more(const struct shape *shape, struct str bytes,
                 struct buf *scratch, struct piece *ret)
{
    add_strings(shape, bytes, 0, scratch, ret);
}

/* The first line begins at the string that was learned from; others, of a list
 * that is spread over lines, at their own. */
static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    struct str first = str_trim(line);
    struct str key = {shape->text, shape->len};
    bool is_first = str_starts(str_skip(line, shape->offset), key);

    if (!is_first && (!first.len || !chars_have("\"[]", first.ptr[0])))
        return false;
    add_strings(shape, line, is_first ? shape->offset : 0, scratch, ret);
    ret->is_around = !ret->text.len && !scratch->len;
    return true;
}

/* Where what follows the string begins whose quote stands at an offset. */
static size_t skip_string(struct str line, size_t at)
{
    for (at++; at < line.len && line.ptr[at] != '"'; at++) {
        if (line.ptr[at] == '\\')
            at++;
    }
    return at + 1;
}

/* Where the key of the string begins, whose quote stands at an offset; that
 * offset when it has none. */
static size_t find_key(struct str line, size_t quote)
{
    struct str before = str_trim(str_head(line, quote));
    size_t key;

    if (!str_cut_suffix(&before, STR(":")))
        return quote;
    before = str_trim(before);
    if (!str_cut_suffix(&before, STR("\"")))
        return quote;
    key = str_rfind(before, '"');
    return key < before.len ? (size_t)(before.ptr + key - line.ptr) : quote;
}

/* Whether the strings from an offset on are those of the list in which one has
 * its quote there. */
static bool leads_to(struct str line, size_t at, size_t quote)
{
    while (at <= quote && find_listed(line, &at)) {
        if (at == quote + 1)
            return true;
        at = skip_string(line, at - 1);
    }
    return false;
}

/* Where the list begins that has a string whose quote is at an offset: behind
 * what is no string, no comma and no bracket. */
static size_t find_list(struct str line, size_t quote)
{
    size_t begin = find_inner_list(line, 0) + 1;
    size_t at = 0;

    if (leads_to(line, begin, quote))
        return begin;
    begin = 0;
    while (at < quote) {
        bool is_string = line.ptr[at] == '"';

        if (!chars_have("\" \t,[]", line.ptr[at]))
            begin = at + 1;
        at = is_string ? skip_string(line, at) : at + 1;
    }
    begin += str_find(str_skip(line, begin), '"');
    return leads_to(line, begin, quote) ? begin : quote;
}

/* Where the first string begins that the shape fits, which was learned from the
 * one at shape->offset: where the newest line comes first, the calls of a
 * goroutine stand in front of its header. */
static size_t find_first(const struct shape *shape, struct str line)
{
    return shape->len > 1
               ? str_search(line, (struct str){shape->text, shape->len})
               : find_list(line, shape->offset);
}

/* Whether the string behind an offset, of the same key or list, begins with a
 * goroutine as well. */
static bool has_next(const struct shape *shape, struct str line, size_t at)
{
    return (shape->len > 1 ? find_keyed(shape, line, &at)
                           : find_listed(line, &at)) &&
           str_starts(str_skip(line, at), STR("goroutine "));
}

/* A key must come again on the line, or it is the business of quoted.c; so is
 * a string that holds a whole dump, and the value of a key of logfmt or of a
 * pair of Fluent Bit's, "log"=>"...". A quote behind a backslash is part of a
 * string around it. */
static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    size_t quote = begin.at - 1;
    struct buf text = {0};
    bool closed;
    bool is_line;
    size_t used;
    size_t first;

    if (begin.at == 0 || begin.at >= line.len || line.ptr[quote] != '"' ||
        (quote > 0 && chars_have("\\=", line.ptr[quote - 1])) ||
        str_ends(str_trim(str_head(line, quote)), STR("=>")))
        return false;
    used = escapes_decode(str_skip(line, begin.at), '"', &text, &closed);
    shape->offset = find_key(line, quote);
    shape->len = begin.at - shape->offset;
    shape->has_own_ends = str_ends(buf_str(&text), STR("\n"));
    is_line = str_find(buf_str(&text), '\n') + 1 >= text.len;
    buf_done(&text);
    if (!closed || shape->len > SHAPE_MOST)
        return false;
    memcpy(shape->text, line.ptr + shape->offset, shape->len);
    if (!is_line && !has_next(shape, line, begin.at + used))
        return false;
    first = find_first(shape, line);
    if (shape->len > 1 && first == shape->offset &&
        !str_contains(str_skip(line, begin.at + used),
                      (struct str){shape->text, shape->len}))
        return false;
    shape->offset = first;
    return true;
}

const struct wrapping strings_wrapping = {
    .name = "strings", .learn = learn, .strip = strip, .more = more};

#include "base/json.h"

#include <math.h>
#include <stdio.h>

#include "base/escape.h"
#include "base/utc.h"

struct json json_begin(struct buf *out)
{
    return (struct json){.out = out, .first = true};
}

/* Bytes of the new line with its indentation, or of the blank, that a value
 * begins with. */
static size_t gap_length(const struct json *json)
{
    if (json->flat)
        return !json->first;
    return 1 + (size_t)json->depth * 2;
}

/* Writes them; returns what is behind them. */
static char *write_gap(const struct json *json, char *at)
{
    size_t n = gap_length(json);

    if (n)
        at[0] = json->flat ? ' ' : '\n';
    for (size_t i = 1; i < n; i++)
        at[i] = ' ';
    return at + n;
}

static void add_gap(struct json *json)
{
    char *at = buf_extend(json->out, gap_length(json));

    if (at)
        write_gap(json, at);
}

/* Writes what must stand before the next value or key, and appends room for n
 * bytes of it, which the caller writes. NULL when there is no memory. */
static char *begin_value(struct json *json, size_t n)
{
    bool has_comma = !json->first && !json->after_key;
    bool has_gap = json->depth && !json->after_key;
    char *at =
        buf_extend(json->out, has_comma + (has_gap ? gap_length(json) : 0) + n);

    if (at && has_comma)
        *at++ = ',';
    if (at && has_gap)
        at = write_gap(json, at);
    json->after_key = false;
    json->first = false;
    return at;
}

/* The same for a value that the caller appends. */
static void before(struct json *json)
{
    begin_value(json, 0);
}

static void open_value(struct json *json, char c, bool flat)
{
    before(json);
    buf_add_char(json->out, c);
    json->depth++;
    if (flat && !json->flat)
        json->flat = json->depth;
    json->first = true;
}

static void close_value(struct json *json, char c)
{
    bool empty = json->first;

    json->depth--;
    if (!empty && !json->flat)
        add_gap(json);
    buf_add_char(json->out, c);
    if (json->flat > json->depth)
        json->flat = 0;
    json->first = false;
    if (!json->depth)
        buf_add_char(json->out, '\n');
}

void json_open_object(struct json *json)
{
    open_value(json, '{', false);
}

void json_open_object_flat(struct json *json)
{
    open_value(json, '{', true);
}

void json_close_object(struct json *json)
{
    close_value(json, '}');
}

void json_open_array(struct json *json)
{
    open_value(json, '[', false);
}

void json_open_array_flat(struct json *json)
{
    open_value(json, '[', true);
}

void json_close_array(struct json *json)
{
    close_value(json, ']');
}

/* The highest bit of each of eight bytes that is zero, and perhaps of some
 * behind the first of these. */
static uint64_t find_zeros(uint64_t bytes)
{
    return (bytes - 0x0101010101010101) & ~bytes & 0x8080808080808080;
}

/* Whether eight bytes stand for themselves: between ' ' and '~', but for the
 * quote and the backslash. */
static bool is_plain(const char *at)
{
    uint64_t bytes;

    memcpy(&bytes, at, sizeof(bytes));
    return !((bytes & 0x8080808080808080) |
             ((bytes - 0x2020202020202020) & ~bytes & 0x8080808080808080) |
             find_zeros(bytes ^ 0x7f7f7f7f7f7f7f7f) |
             find_zeros(bytes ^ 0x2222222222222222) |
             find_zeros(bytes ^ 0x5c5c5c5c5c5c5c5c));
}

/* How many bytes at the front of text stand for themselves. Unsigned, what is
 * below 0x20 lies beyond 0x7f. */
static size_t plain_length(struct str text)
{
    size_t n = 0;

    while (text.len - n >= 8 && is_plain(text.ptr + n))
        n += 8;
    while (n < text.len) {
        unsigned char c = (unsigned char)text.ptr[n];

        if (c - 0x20u >= 0x5f || c == '"' || c == '\\')
            break;
        n++;
    }
    return n;
}

/* Writes a code point as an escape: what cannot be printed, lest it does
 * something to a terminal or an editor, among it what JavaScript or YAML takes
 * for the end of a line. */
static void add_escape(struct json *json, uint32_t point)
{
    uint32_t above = point - 0x10000;

    if (point < 0x10000)
        buf_addf(json->out, "\\u%04x", (unsigned)point);
    else
        buf_addf(json->out, "\\u%04x\\u%04x", 0xd800 + (unsigned)(above >> 10),
                 0xdc00 + (unsigned)(above & 0x3ff));
}

/* Writes the first character of text, which does not stand for itself;
 * returns how many bytes it had. */
static size_t add_special(struct json *json, struct str text)
{
    uint32_t point = 0;
    size_t n = utf8_next(text, &point);

    if (n == 0) {
        buf_add(json->out, STR("\xef\xbf\xbd"));
        return 1;
    }
    if (point == '"' || point == '\\') {
        buf_add_char(json->out, '\\');
        buf_add_char(json->out, (char)point);
    } else if (point == '\n' || point == '\t') {
        buf_add(json->out, point == '\n' ? STR("\\n") : STR("\\t"));
    } else if (is_unprintable(point)) {
        add_escape(json, point);
    } else {
        buf_add(json->out, str_head(text, n));
    }
    return n;
}

static void add_escaped(struct json *json, struct str text)
{
    while (text.len) {
        size_t n = plain_length(text);

        buf_add(json->out, str_head(text, n));
        text = str_skip(text, n);
        if (text.len)
            text = str_skip(text, add_special(json, text));
    }
}

/* Appends bytes as a value. */
static void put_bytes(struct json *json, struct str bytes)
{
    char *at = begin_value(json, bytes.len);

    if (at)
        memcpy(at, bytes.ptr, bytes.len);
}

/* Appends a text that stands for itself between quotes, and n more bytes, and
 * returns where these are; NULL when there is no memory. */
static char *put_plain(struct json *json, struct str text, size_t n)
{
    char *at = begin_value(json, text.len + 2 + n);

    if (!at)
        return NULL;
    at[0] = '"';
    if (text.len)
        memcpy(at + 1, text.ptr, text.len);
    at[text.len + 1] = '"';
    return at + text.len + 2;
}

static void end_key(struct json *json, char *at)
{
    if (at) {
        at[0] = ':';
        at[1] = ' ';
    }
    json->after_key = true;
}

void json_put_key_str(struct json *json, struct str key)
{
    json_put_string(json, key);
    end_key(json, buf_extend(json->out, 2));
}

void json_put_key(struct json *json, const char *key)
{
    end_key(json, put_plain(json, str_from(key), 2));
}

void json_put_string(struct json *json, struct str text)
{
    if (str_is_lost(text))
        buf_add(json->out, text);
    if (plain_length(text) == text.len) {
        put_plain(json, text, 0);
        return;
    }
    before(json);
    buf_add_char(json->out, '"');
    add_escaped(json, text);
    buf_add_char(json->out, '"');
}

void json_put_text(struct json *json, const char *text)
{
    if (text)
        json_put_string(json, str_from(text));
    else
        json_put_null(json);
}

void json_put_u64(struct json *json, uint64_t number)
{
    enum { DIGITS_MOST = 20 };
    char digits[DIGITS_MOST];
    size_t at = DIGITS_MOST;

    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    put_bytes(json, (struct str){digits + at, DIGITS_MOST - at});
}

void json_put_i64(struct json *json, int64_t number)
{
    before(json);
    buf_addf(json->out, "%lld", (long long)number);
}

void json_put_double(struct json *json, double number, int digits)
{
    if (!isfinite(number)) {
        json_put_null(json);
        return;
    }
    before(json);
    buf_addf(json->out, "%.*g", digits, number);
}

void json_put_bool(struct json *json, bool value)
{
    put_bytes(json, value ? STR("true") : STR("false"));
}

void json_put_null(struct json *json)
{
    put_bytes(json, STR("null"));
}

void field_str_or_null(struct json *json, const char *key, struct str text)
{
    json_put_key(json, key);
    if (text.len || str_is_lost(text))
        json_put_string(json, text);
    else
        json_put_null(json);
}

void field_u64_or_null(struct json *json, const char *key, bool known,
                       uint64_t number)
{
    json_put_key(json, key);
    if (known)
        json_put_u64(json, number);
    else
        json_put_null(json);
}

void field_u64(struct json *json, const char *key, uint64_t number)
{
    field_u64_or_null(json, key, true, number);
}

void field_text(struct json *json, const char *key, const char *text)
{
    json_put_key(json, key);
    json_put_text(json, text);
}

void field_str(struct json *json, const char *key, struct str text)
{
    json_put_key(json, key);
    json_put_string(json, text);
}

void field_bool(struct json *json, const char *key, bool value)
{
    json_put_key(json, key);
    json_put_bool(json, value);
}

void field_null(struct json *json, const char *key)
{
    json_put_key(json, key);
    json_put_null(json);
}

void field_time(struct json *json, const char *key, int64_t unix_ns)
{
    struct buf text = {0};

    if (unix_ns)
        utc_add(&text, unix_ns);
    field_str_or_null(json, key, buf_str(&text));
    buf_done(&text);
}

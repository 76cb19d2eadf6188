#include "unwrap/escapes.h"

#include "base/utf8.h"

/* Exactly n hexadecimal digits at the front of text. */
static bool parse_hex(struct str text, size_t n, uint64_t *ret)
{
    struct str digits = str_head(text, n);

    return digits.len == n && str_cut_hex(&digits, ret) && !digits.len;
}

/* "\u00e9", or two that are one character beyond the first 65,536. */
static size_t add_point(struct str text, struct buf *out)
{
    uint64_t high;
    uint64_t low;

    if (!parse_hex(str_skip(text, 2), 4, &high)) {
        buf_add(out, str_head(text, 2));
        return 2;
    }
    if (high >= 0xd800 && high < 0xdc00 &&
        str_starts(str_skip(text, 6), STR("\\u")) &&
        parse_hex(str_skip(text, 8), 4, &low) && low >= 0xdc00 &&
        low < 0xe000) {
        utf8_add(out, (uint32_t)(0x10000 + ((high - 0xd800) << 10) +
                                 (low - 0xdc00)));
        return 12;
    }
    utf8_add(out, (uint32_t)high);
    return 6;
}

/* Decodes the escape at the front of text, which is a backslash and has what
 * it needs behind it; its length. */
static size_t add_escape(struct str text, struct buf *out)
{
    static const char letters[] = "ntr\"\\/'abfv";
    static const char bytes[] = "\n\t\r\"\\/'\a\b\f\v";
    const char *letter = memchr(letters, text.ptr[1], sizeof(letters) - 1);
    uint64_t byte;

    if (letter) {
        buf_add_char(out, bytes[letter - letters]);
        return 2;
    }
    if (text.ptr[1] == 'u')
        return add_point(text, out);
    if (text.ptr[1] == 'x' && parse_hex(str_skip(text, 2), 2, &byte)) {
        buf_add_char(out, (char)byte);
        return 4;
    }
    buf_add(out, str_head(text, 2));
    return 2;
}

/* How many bytes an escape may take. */
static size_t escape_most(struct str text)
{
    if (text.len < 2)
        return 2;
    return text.ptr[1] == 'u' ? 12 : text.ptr[1] == 'x' ? 4 : 2;
}

static size_t find_quote(struct str text, char quote)
{
    return quote ? str_find(text, quote) : text.len;
}

size_t escapes_decode(struct str text, char closing, struct buf *out,
                      bool *ret_closed)
{
    struct str rest = text;
    size_t quote = find_quote(rest, closing);

    *ret_closed = false;
    while (rest.len) {
        size_t plain = str_find(str_head(rest, quote), '\\');
        size_t used;

        buf_add(out, str_head(rest, plain));
        rest = str_skip(rest, plain);
        if (!rest.len)
            break;
        quote -= plain;
        if (quote == 0) {
            *ret_closed = true;
            return text.len - rest.len + 1;
        }
        if (rest.len < escape_most(rest) && quote == rest.len)
            break;
        used = add_escape(rest, out);
        rest = str_skip(rest, used);
        quote = used > quote ? find_quote(rest, closing) : quote - used;
    }
    return text.len - rest.len;
}

void bytes_decode(struct str text, struct buf *out, bool *ret_closed)
{
    uint64_t byte;

    do {
        while (str_cut_prefix(&text, STR(" ")))
            continue;
        if (!str_cut_decimal(&text, &byte) || byte > UINT8_MAX)
            break;
        buf_add_char(out, (char)byte);
        while (str_cut_prefix(&text, STR(" ")))
            continue;
    } while (str_cut_prefix(&text, STR(",")));
    *ret_closed = str_starts(text, STR("]"));
}

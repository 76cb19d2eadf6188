#include "base/escape.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/width.h"

/* How long a character is that begins with this byte; 0 for a byte that can
 * begin none. */
static size_t utf8_size(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xc0 || first >= 0xf8)
        return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

size_t utf8_next(struct str s, uint32_t *ret)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)s.ptr;
    uint32_t point = at[0];
    size_t n = utf8_size(at[0]);

    if (n == 0 || n > s.len)
        return 0;
    if (n > 1)
        point &= 0x7fu >> n;
    for (size_t i = 1; i < n; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        point = point << 6 | (at[i] & 0x3fu);
    }
    if (point < smallest[n] || point > 0x10ffff ||
        (point >= 0xd800 && point <= 0xdfff))
        return 0;
    *ret = point;
    return n;
}

bool is_unprintable(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
           (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
           (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe007f) ||
           (c & 0xfffe) == 0xfffe;
}

size_t escape_next(struct str *rest, char piece[static ESCAPE_MOST])
{
    uint32_t point = 0;
    size_t n = utf8_next(*rest, &point);
    int written;

    if (n == 0) {
        written = snprintf(piece, ESCAPE_MOST, "\\x%02x",
                           (unsigned)(unsigned char)rest->ptr[0]);
        *rest = str_skip(*rest, 1);
        return (size_t)written;
    }
    if (!is_unprintable(point)) {
        memcpy(piece, rest->ptr, n);
        *rest = str_skip(*rest, n);
        return n;
    }
    if (point < 0x80)
        written = snprintf(piece, ESCAPE_MOST, "\\x%02x", (unsigned)point);
    else
        written = snprintf(piece, ESCAPE_MOST, "\\u{%x}", (unsigned)point);
    *rest = str_skip(*rest, n);
    return (size_t)written;
}

bool escape_is_needed(struct str text)
{
    while (text.len) {
        uint32_t point = 0;
        size_t n = utf8_next(text, &point);

        if (!n || is_unprintable(point))
            return true;
        text = str_skip(text, n);
    }
    return false;
}

void escape_add(struct buf *buf, struct str text)
{
    if (str_is_lost(text))
        buf_add(buf, text);
    while (text.len) {
        char piece[ESCAPE_MOST];
        size_t n = escape_next(&text, piece);

        buf_add(buf, (struct str){piece, n});
    }
}

void escape_add_line(struct buf *buf, struct str text)
{
    if (str_is_lost(text))
        buf_add(buf, text);
    while (text.len) {
        size_t end = str_find(text, '\n');

        escape_add(buf, str_head(text, end));
        if (end < text.len)
            buf_add_char(buf, ' ');
        text = str_skip(text, end + 1);
    }
}

size_t display_width(struct str text)
{
    size_t width = 0;

    while (text.len) {
        char piece[ESCAPE_MOST];
        size_t n = escape_next(&text, piece);
        uint32_t point = 0;

        if ((unsigned char)piece[0] < 0x80)
            width += n;
        else if (utf8_next((struct str){piece, n}, &point))
            width += char_width(point);
    }
    return width;
}

/* A whole dump on one line, its control characters as rsyslog writes those of a
 * message, "#" and three octal digits (EscapeControlCharactersOnReceive):
 *
 *     Jan  2 03:04:05 h app[3]: goroutine 5 [running]:#012main.f()#012... */
#include "unwrap/wrapping.h"

enum { ESCAPE_LENGTH = 4 }; /* "#012" */

/* Cuts the escape of a control character off. */
static bool cut_escape(struct str *text, char *ret)
{
    unsigned byte = 0;

    if (text->len < ESCAPE_LENGTH)
        return false;
    for (size_t i = 1; i < ESCAPE_LENGTH; i++) {
        if (text->ptr[i] < '0' || text->ptr[i] > '7')
            return false;
        byte = byte * 8 + (unsigned)(text->ptr[i] - '0');
    }
    if (byte >= ' ' && byte != 0x7f)
        return false;
    *text = str_skip(*text, ESCAPE_LENGTH);
    *ret = (char)byte;
    return true;
}

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    struct str rest = str_skip(line, shape->offset);

    if (!rest.len)
        return false;
    while (rest.len) {
        size_t plain = str_find(rest, '#');
        char c = '#';

        buf_add(scratch, str_head(rest, plain));
        rest = str_skip(rest, plain);
        if (!rest.len)
            break;
        if (!cut_escape(&rest, &c))
            rest = str_skip(rest, 1);
        buf_add_char(scratch, c);
    }
    ret->text = buf_str(scratch);
    str_cut_suffix(&ret->text, STR("\n"));
    ret->is_last = true;
    return true;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    shape->offset = begin.at;
    return begin.kind != BEGIN_MARKUP && begin.kind != BEGIN_BYTES &&
           str_contains(str_skip(line, begin.at), STR("#012"));
}

const struct wrapping octal_wrapping = {
    .name = "octal escapes", .learn = learn, .strip = strip};

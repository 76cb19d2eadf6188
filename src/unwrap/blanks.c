/* Blanks that are not Go's: at the end of every line, as a copy from a terminal
 * has them; a second carriage return ("\r\r\n"), as a text has that was
 * converted twice; no-break spaces where tabs were, as a copy from a page has
 * them, or where all blanks were; and an empty line behind every line. A name
 * of Go never ends in a blank. */
#include "unwrap/wrapping.h"

static const struct str no_break = STR_INIT("\xc2\xa0");

/* Adds the line with plain blanks: those that it begins with, and in a frame of
 * debug=1, or where a header has others, all. */
static struct str with_plain_blanks(const struct shape *shape, struct str line,
                                    struct buf *scratch)
{
    bool is_all = shape->len || str_starts(line, STR("#"));

    while (line.len) {
        if (str_cut_prefix(&line, no_break)) {
            buf_add_char(scratch, ' ');
        } else if (is_all || line.ptr[0] == ' ' || line.ptr[0] == '\t') {
            buf_add_char(scratch, line.ptr[0]);
            line = str_skip(line, 1);
        } else {
            break;
        }
    }
    buf_add(scratch, line);
    return buf_str(scratch);
}

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    while (line.len && chars_have(" \t\r", line.ptr[line.len - 1]))
        line.len--;
    ret->is_around = shape->is_spread && !line.len;
    ret->text = line;
    if (str_contains(shape->len ? line : str_head(line, SHAPE_MOST), no_break))
        ret->text = with_plain_blanks(shape, line, scratch);
    return true;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    if (begin.at == 0 && str_starts(line, STR("goroutine\xc2\xa0"))) {
        memcpy(shape->text, no_break.ptr, no_break.len);
        shape->len = no_break.len;
    }
    return begin.at == 0 && line.len &&
           (shape->len || chars_have(" \r", line.ptr[line.len - 1]));
}

const struct wrapping blanks_wrapping = {
    .name = "blanks", .learn = learn, .strip = strip};

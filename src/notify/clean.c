#include "notify/clean.h"

#include "base/escape.h"

/* What stands for the first character of *rest, which is taken off. */
static struct str next_piece(struct str *rest, char piece[ESCAPE_MOST],
                             enum clean_manner manner, bool keeps_lines)
{
    char c = rest->ptr[0];

    if (c == '\n' || c == '\t' || c == '\r') {
        *rest = str_skip(*rest, 1);
        return c == '\n' && keeps_lines ? STR("\n") : STR(" ");
    }
    if (manner == CLEAN_SLACK && (c == '&' || c == '<' || c == '>')) {
        *rest = str_skip(*rest, 1);
        return c == '&' ? STR("&amp;") : c == '<' ? STR("&lt;") : STR("&gt;");
    }
    return (struct str){piece, escape_next(rest, piece)};
}

static void add(struct buf *out, struct str text, size_t most,
                enum clean_manner manner, bool keeps_lines)
{
    size_t used = 0;
    size_t room = 0; /* of what is used, as far as "..." fits behind it */

    while (text.len) {
        char bytes[ESCAPE_MOST];
        struct str piece = next_piece(&text, bytes, manner, keeps_lines);

        if (used + piece.len > most) {
            if (!out->failed)
                out->len -= used - room;
            buf_add(out, STR("..."));
            return;
        }
        buf_add(out, piece);
        used += piece.len;
        if (used + 3 <= most)
            room = used;
    }
}

void clean_add(struct buf *out, struct str text, size_t most,
               enum clean_manner manner)
{
    add(out, text, most, manner, false);
}

void clean_add_lines(struct buf *out, struct str text, size_t most,
                     enum clean_manner manner)
{
    add(out, text, most, manner, true);
}

/* Colours of a terminal: ECMA-48 control sequences, "ESC [ 1 ; 31 m". */
#include "unwrap/wrapping.h"

enum { ESCAPE = 0x1b };

/* The length of the sequence at the front of text, which is an ESC. */
static size_t sequence_length(struct str text)
{
    size_t i = 2;

    if (text.len < 2)
        return 1;
    if (text.ptr[1] != '[')
        return 2;
    while (i < text.len && (text.ptr[i] < '@' || text.ptr[i] > '~'))
        i++;
    return i < text.len ? i + 1 : i;
}

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    (void)shape;
    if (str_find(line, ESCAPE) == line.len) {
        ret->text = line;
        return true;
    }
    while (line.len) {
        size_t plain = str_find(line, ESCAPE);

        buf_add(scratch, str_head(line, plain));
        line = str_skip(line, plain);
        if (line.len)
            line = str_skip(line, sequence_length(line));
    }
    ret->text = buf_str(scratch);
    return true;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    (void)shape;
    (void)begin;
    return str_find(line, ESCAPE) < line.len;
}

const struct wrapping ansi_wrapping = {
    .name = "colours", .learn = learn, .strip = strip};

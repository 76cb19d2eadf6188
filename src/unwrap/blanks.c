/* Blanks at the end of every line, as a copy from a terminal has them. A name
 * of Go never ends in one. */
#include "unwrap/wrapping.h"

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    (void)shape;
    (void)scratch;
    while (line.len &&
           (line.ptr[line.len - 1] == ' ' || line.ptr[line.len - 1] == '\t'))
        line.len--;
    ret->text = line;
    return true;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    (void)shape;
    return begin.at == 0 && line.len && line.ptr[line.len - 1] == ' ';
}

const struct wrapping blanks_wrapping = {
    .name = "blanks", .learn = learn, .strip = strip};

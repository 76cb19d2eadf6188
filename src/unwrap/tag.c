/* A supervisor's name in brackets before every line: "[shopd] text". */
#include "unwrap/clock.h"
#include "unwrap/wrapping.h"

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    size_t end = str_find(str_head(line, 128), ']');
    struct str rest;

    (void)shape;
    (void)scratch;
    if (!str_starts(line, STR("[")) || end < 2 || end >= line.len ||
        line.ptr[end] != ']' || str_find(str_head(line, end), ' ') < end)
        return false;
    rest = str_skip(line, end + 1);
    if (rest.len && rest.ptr[0] != ' ')
        return false;
    ret->instance = ret->stream = (struct str){line.ptr + 1, end - 1};
    ret->text = str_skip(rest, 1);
    return true;
}

/* A time is no name: "[2026-01-02T03:04:05.1Z] text". */
static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    struct str inside = str_skip(line, 1);

    if (clock_cut(&inside) && str_starts(inside, STR("]")))
        return false;
    return wrapping_learn_prefix(shape->wrapping, line, begin);
}

const struct wrapping tag_wrapping = {
    .name = "tag", .is_regular = true, .learn = learn, .strip = strip};

/* A time before every line: kubectl logs --timestamps, docker logs -t. */
#include "unwrap/clock.h"
#include "unwrap/wrapping.h"

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    struct str rest = line;

    (void)shape;
    (void)scratch;
    if (!clock_cut(&rest) || (rest.len && rest.ptr[0] != ' '))
        return false;
    ret->text = str_skip(rest, 1);
    return true;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    return wrapping_learn_prefix(shape->wrapping, line, begin);
}

const struct wrapping timestamp_wrapping = {
    .name = "timestamps", .is_regular = true, .learn = learn, .strip = strip};

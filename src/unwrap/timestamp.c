/* A time before every line: kubectl logs --timestamps, docker logs -t, the
 * supervisors of daemontools, runit and s6. */
#include "unwrap/clock.h"
#include "unwrap/wrapping.h"

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    const size_t fixed = sizeof("@40000000") - 1;
    struct str rest = line;

    (void)shape;
    (void)scratch;
    if (!clock_cut(&rest) || (rest.len && rest.ptr[0] != ' '))
        return false;
    ret->text = str_skip(rest, 1);
    if (line.ptr[0] == '@') {
        ret->exact[0] = str_head(line, fixed);
        ret->hex = str_skip(str_head(line, line.len - rest.len), fixed);
    }
    return true;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    return wrapping_learn_prefix(shape->wrapping, line, begin);
}

const struct wrapping timestamp_wrapping = {
    .name = "timestamps", .is_regular = true, .learn = learn, .strip = strip};

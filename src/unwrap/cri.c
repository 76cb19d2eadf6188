/* The lines of a container runtime's log file, as kubelet has them written:
 *
 *     2026-11-20T14:02:00.123456789Z stderr F text
 *
 * "P" in place of "F" says that the line goes on in the next of its stream. */
#include "unwrap/clock.h"
#include "unwrap/wrapping.h"

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    struct str rest = line;

    (void)shape;
    (void)scratch;
    if (!clock_cut(&rest))
        return false;
    if (str_cut_prefix(&rest, STR(" stderr ")))
        ret->stream = STR("stderr");
    else if (str_cut_prefix(&rest, STR(" stdout ")))
        ret->stream = STR("stdout");
    else
        return false;
    ret->goes_on = str_starts(rest, STR("P"));
    if (!ret->goes_on && !str_starts(rest, STR("F")))
        return false;
    rest = str_skip(rest, 1);
    if (rest.len && rest.ptr[0] != ' ')
        return false;
    ret->text = str_skip(rest, 1);
    return true;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    return wrapping_learn_prefix(shape->wrapping, line, begin);
}

const struct wrapping cri_wrapping = {
    .name = "CRI", .is_regular = true, .learn = learn, .strip = strip};

/* The lines of several pods: kubectl logs --prefix:
 *
 *     [pod/api-7d9c5-x2x4k/app] text */
#include "unwrap/wrapping.h"

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    struct str rest = line;
    size_t end;

    (void)shape;
    (void)scratch;
    if (!str_cut_prefix(&rest, STR("[pod/")))
        return false;
    end = str_find(str_head(rest, 512), ']');
    if (end == rest.len || end == 512)
        return false;
    ret->stream = str_head(rest, end);
    ret->instance = str_head(rest, str_find(ret->stream, '/'));
    ret->is_process = true;
    rest = str_skip(rest, end + 1);
    if (rest.len && rest.ptr[0] != ' ')
        return false;
    ret->text = str_skip(rest, 1);
    return true;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    return wrapping_learn_prefix(shape->wrapping, line, begin);
}

const struct wrapping kubernetes_wrapping = {.name = "kubectl --prefix",
                                             .is_regular = true,
                                             .learn = learn,
                                             .strip = strip};

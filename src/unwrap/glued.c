/* A dump whose first line stands at the end of a line of others, and whose
 * other lines follow as they are, as in log.Printf("%s", debug.Stack()):
 *
 *     2026/11/20 14:02:00 recovered: goroutine 5 [running]:
 *     main.f()
 *             /srv/main.go:12 +0x1d
 *
 * One goroutine is taken so, and its lines may be indented, as t.Log has them.
 * A crash is taken with all that follows. When more than blanks is before it,
 * glued_crash.h must agree, and no other line is cut: "recovered panic: " is no
 * crash. */
#include "unwrap/wrapping.h"

/* Looks for a begin only where there can be one that matters: a crash may last
 * to the end of a long log. */
static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    struct str text = {shape->text, shape->len};
    struct begin begin;

    (void)scratch;
    ret->text = line;
    if (shape->offset) {
        if (str_starts(str_skip(line, shape->offset), text))
            ret->text = str_skip(line, shape->offset);
        return true;
    }
    if ((str_starts(line, text) || str_contains(line, STR("goroutine "))) &&
        begin_find(line, 0, &begin) && begin.at > 0)
        ret->text = str_skip(line, begin.at);
    ret->is_last = !shape->to_the_end && !str_trim(line).len;
    while (!shape->to_the_end && str_starts(ret->text, STR(" ")))
        ret->text = str_skip(ret->text, 1);
    return true;
}

static void keep(struct shape *shape, struct str text)
{
    shape->len = text.len < SHAPE_MOST ? text.len : SHAPE_MOST;
    memcpy(shape->text, text.ptr, shape->len);
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    struct str before = str_head(line, begin.at);

    shape->to_the_end = begin.kind == BEGIN_CRASH;
    if (begin.kind == BEGIN_CRASH && str_trim(before).len) {
        shape->offset = begin.at;
        keep(shape, str_skip(line, begin.at));
    } else {
        keep(shape, before);
    }
    return begin.at > 0 &&
           (begin.kind == BEGIN_GOROUTINE || begin.kind == BEGIN_CRASH);
}

const struct wrapping glued_wrapping = {
    .name = "log line", .is_loose = true, .learn = learn, .strip = strip};

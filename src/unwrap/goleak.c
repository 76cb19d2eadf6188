/* Reports of goleak, with which tests fail when goroutines outlive them: each
 * has a header of its own kind, before the one of Go or, since goleak 1.3,
 * instead of it.
 *
 *     [Goroutine 18 in state chan send, with main.f on top of the stack:
 *     goroutine 18 [chan send]:
 *     main.f(0xc000012345)
 *             /srv/main.go:12 +0x1d
 *      Goroutine 19 in state select, with main.g on top of the stack:
 *
 * A label tells rules who found them. */
#include "unwrap/wrapping.h"

static const struct str mark = STR_INIT(" {\"found_by\":\"goleak\"}:");

/* In both kinds of reports; offset tells that Go's headers stand in it. */
static struct str header_of(const struct shape *shape,
                            const struct begin_report *report,
                            struct buf *scratch)
{
    if (shape->offset)
        return STR("");
    buf_addf(scratch, "goroutine " STR_FORMAT " [" STR_FORMAT "]",
             STR_ARG(report->id), STR_ARG(report->state));
    buf_add(scratch, mark);
    return buf_str(scratch);
}

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    struct begin_report report;

    ret->text = line;
    if (begin_report_parse(line, &report)) {
        ret->text = header_of(shape, &report, scratch);
        ret->is_around = !ret->text.len;
    } else if (shape->offset && str_starts(line, STR("goroutine ")) &&
               str_cut_suffix(&line, STR("]:"))) {
        buf_add(scratch, line);
        buf_add_char(scratch, ']');
        buf_add(scratch, mark);
        ret->text = buf_str(scratch);
    }
    if (str_equal(str_trim(line), STR("]")))
        ret->is_last = ret->is_around = true;
    return true;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    struct begin_report report;

    (void)shape;
    return begin.at == 0 && begin_report_parse(line, &report);
}

static void look_on(struct shape *shape, struct str window)
{
    shape->offset = str_starts(window, STR("goroutine "));
}

const struct wrapping goleak_wrapping = {
    .name = "goleak", .learn = learn, .look_on = look_on, .strip = strip};

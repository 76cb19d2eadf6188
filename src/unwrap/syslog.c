/* The lines of syslog and of journalctl, in the time formats that are usual:
 *
 *     Nov 20 14:02:00 node-3 shopd[24117]: text
 *     <11>2026-11-20T14:02:00.000+01:00 node-3 shopd: text
 *     2026-11-20T14:02:00.000000+00:00 app[web.1]: text
 *
 * The further lines of a message of several are indented by journalctl as far
 * as its first one, without any of this before them. */
#include "unwrap/clock.h"
#include "unwrap/priority.h"
#include "unwrap/wrapping.h"

/* The length of "prog[pid]" before its ":", or 0. */
static size_t tag_length(struct str text)
{
    size_t n = 0;

    while (n < text.len && n < 128 && text.ptr[n] != ':' &&
           (unsigned char)text.ptr[n] > ' ' && text.ptr[n] != '"')
        n++;
    if (n == text.len || text.ptr[n] != ':')
        return 0;
    return n + 1 == text.len || text.ptr[n + 1] == ' ' ? n : 0;
}

/* Whether the line is a further one of a message; cuts the indentation off. */
static bool cut_indentation(struct str *line, size_t width)
{
    size_t n = 0;

    while (n < width && n < line->len && line->ptr[n] == ' ')
        n++;
    if (n == 0 || (n < width && n < line->len))
        return false;
    *line = str_skip(*line, n);
    return true;
}

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    struct str rest = line;
    size_t host = 0;
    size_t tag;

    (void)scratch;
    if (cut_indentation(&rest, shape->offset)) {
        ret->text = rest;
        ret->continues = true;
        return true;
    }
    priority_cut(&rest);
    if (!clock_cut(&rest) || !str_cut_prefix(&rest, STR(" ")))
        return false;
    tag = tag_length(rest);
    if (!tag) {
        host = str_find(str_head(rest, 256), ' ');
        if (host == 0 || host + 1 >= rest.len)
            return false;
        tag = tag_length(str_skip(rest, host + 1));
        ret->instance = str_head(rest, host);
        host++;
    }
    if (!tag)
        return false;
    ret->stream = str_head(rest, host + tag);
    ret->is_process = true;
    ret->text = str_skip(rest, host + tag + 2);
    return true;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    struct piece piece = {0};

    if (!strip(shape, line, NULL, &piece))
        return false;
    shape->offset = (size_t)(piece.text.ptr - line.ptr);
    return begin.at >= shape->offset;
}

const struct wrapping syslog_wrapping = {
    .name = "syslog", .is_regular = true, .learn = learn, .strip = strip};

/* A whole dump on one line, with its line ends spelled out, as %q writes it, a
 * logger that escapes, and the debugger of another language:
 *
 *     2026/11/20 14:02:00 stuck: "goroutine 5 [running]:\nmain.f()\n..."
 *     stuck: goroutine 5 [running]:\nmain.f()\n\t/srv/main.go:12 +0x1d\n
 *     b'goroutine 5 [running]:\nmain.f()\n...' */
#include "unwrap/escapes.h"
#include "unwrap/wrapping.h"

/* The quote that stands open at an offset; 0 when none does. */
static char quote_at(struct str line, size_t at)
{
    char open = 0;

    for (size_t i = 0; i < at; i++) {
        char c = line.ptr[i];

        if (c == '\\')
            i++;
        else if (c == '"' && open != '\'')
            open = open ? 0 : c;
        else if (c == '\'' && i + 1 == at && !open)
            open = c;
    }
    return open;
}

static void more(const struct shape *shape, struct str bytes,
                 struct buf *scratch, struct piece *ret)
{
    bool closed;

    ret->n_used = escapes_decode(bytes, shape->text[0], scratch, &closed);
    ret->text = buf_str(scratch);
    ret->goes_on = ret->is_open = !closed;
    ret->is_quoted = shape->text[0];
}

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    if (shape->offset >= line.len)
        return false;
    more(shape, str_skip(line, shape->offset), scratch, ret);
    ret->n_used += shape->offset;
    if (!ret->is_open)
        str_cut_suffix(&ret->text, STR("\n"));
    ret->is_last = true;
    return true;
}

/* Whether the reason of a crash seems to begin before the string in which its
 * goroutines stand, as "fatal: [web-1]: FAILED! => {...}" of ansible does. */
static bool is_outside(struct str line, struct begin begin)
{
    enum { REASONS_MOST = 4 };

    if (quote_at(line, begin.at))
        return false;
    for (unsigned i = 0; i < REASONS_MOST && begin.kind == BEGIN_CRASH; i++) {
        if (!begin_find(line, begin.at + 1, &begin))
            return false;
    }
    return begin.kind == BEGIN_GOROUTINE && quote_at(line, begin.at);
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    shape->text[0] = quote_at(line, begin.at);
    shape->len = 1;
    shape->offset = begin.at;
    return begin.kind != BEGIN_MARKUP && begin.kind != BEGIN_BYTES &&
           str_contains(str_skip(line, begin.at), STR("\\n")) &&
           !(begin.kind == BEGIN_CRASH && is_outside(line, begin));
}

const struct wrapping escaped_wrapping = {
    .name = "escapes", .learn = learn, .strip = strip, .more = more};

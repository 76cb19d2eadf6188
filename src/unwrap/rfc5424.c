/* The lines of syslog by RFC 5424:
 *
 *     <11>1 2026-11-20T14:02:00.000Z node-3 shopd 24117 - - text
 *     <11>1 2026-11-20T14:02:00.000Z node-3 shopd 24117 ID7 [meta a="1"] text
 */
#include "unwrap/clock.h"
#include "unwrap/priority.h"
#include "unwrap/wrapping.h"

/* Cuts a word and the blank behind it. */
static bool cut_word(struct str *text, struct str *ret)
{
    size_t end = str_find(str_head(*text, 256), ' ');

    if (end == 0 || end >= text->len || text->ptr[end] != ' ')
        return false;
    *ret = str_head(*text, end);
    *text = str_skip(*text, end + 1);
    return true;
}

/* Cuts the structured data: "-", or elements in brackets, whose values are
 * quoted. */
static bool cut_data(struct str *text)
{
    bool quoted = false;
    bool inside = false;
    size_t i = 0;

    if (str_cut_prefix(text, STR("-")))
        return true;
    for (; i < text->len; i++) {
        char c = text->ptr[i];

        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == '[')
            inside = true;
        else if (!quoted && c == ']')
            inside = false;
        else if (!inside)
            break;
    }
    if (i == 0 || i > text->len)
        return false;
    *text = str_skip(*text, i);
    return true;
}

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    struct str rest = line;
    struct str host;
    struct str name;
    struct str process;
    struct str message;

    (void)shape;
    (void)scratch;
    if (!priority_cut(&rest) || !str_cut_prefix(&rest, STR("1 ")))
        return false;
    ret->exact[0] = (struct str){rest.ptr - 2, 1}; /* the version */
    if (!str_cut_prefix(&rest, STR("-")) && !clock_cut(&rest))
        return false;
    if (!str_cut_prefix(&rest, STR(" ")) || !cut_word(&rest, &host) ||
        !cut_word(&rest, &name) || !cut_word(&rest, &process) ||
        !cut_word(&rest, &message) || !cut_data(&rest) ||
        (rest.len && rest.ptr[0] != ' '))
        return false;
    ret->instance = host;
    ret->is_process = true;
    ret->stream =
        (struct str){host.ptr, (size_t)(process.ptr + process.len - host.ptr)};
    ret->text = str_skip(rest, 1);
    str_cut_prefix(&ret->text, STR("\xef\xbb\xbf"));
    return true;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    return wrapping_learn_prefix(shape->wrapping, line, begin);
}

const struct wrapping rfc5424_wrapping = {
    .name = "RFC 5424", .is_regular = true, .learn = learn, .strip = strip};

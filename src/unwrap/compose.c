/* The lines of several containers: docker compose logs, docker service logs,
 * foreman, which puts a time before the name, and pm2, which puts a number
 * there:
 *
 *     web-1     | text
 *     web.1.x8y2z5@node-3    | text
 *     14:02:00 web.1  | text
 *     0|web  | text */
#include "unwrap/clock.h"
#include "unwrap/wrapping.h"

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || chars_have("-_.@", c);
}

/* The length of "0|" in front of a name; 0 when there is none. */
static size_t pm2_number_length(struct str text)
{
    size_t n = 0;

    while (n < text.len && text.ptr[n] >= '0' && text.ptr[n] <= '9')
        n++;
    return n && n + 1 < text.len && text.ptr[n] == '|' &&
                   is_name(text.ptr[n + 1])
               ? n + 1
               : 0;
}

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    struct str rest = line;
    size_t n;

    (void)shape;
    (void)scratch;
    if (clock_cut(&rest) && !str_cut_prefix(&rest, STR(" ")))
        return false;
    n = pm2_number_length(rest);
    while (n < rest.len && is_name(rest.ptr[n]))
        n++;
    if (n == 0)
        return false;
    ret->instance = ret->stream = str_head(rest, n);
    while (n < rest.len && rest.ptr[n] == ' ')
        n++;
    rest = str_skip(rest, n);
    if (!str_cut_prefix(&rest, STR("|")) || (rest.len && rest.ptr[0] != ' '))
        return false;
    ret->text = str_skip(rest, 1);
    return true;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    return wrapping_learn_prefix(shape->wrapping, line, begin);
}

const struct wrapping compose_wrapping = {
    .name = "compose", .is_regular = true, .learn = learn, .strip = strip};

/* The lines of several hosts, as pdsh and others that run a command on many
 * print them:
 *
 *     web-1: text
 *     10.0.4.7: text */
#include "unwrap/wrapping.h"

enum { HOST_MOST = 253 }; /* bytes of a name (RFC 1035) */

/* Cuts the name of a host off. The prefix of a logger is a plain word more
 * often than not; hosts of which there are several have a number in their
 * names, or are parted from each other by dots and dashes. */
static bool cut_host(struct str *text, struct str *ret)
{
    size_t n_letters = 0;
    size_t n_digits = 0;
    size_t n_dots = 0;
    size_t n_dashes = 0;
    size_t n = 0;

    for (; n < text->len && n < HOST_MOST; n++) {
        char c = text->ptr[n];
        char small = (char)(c | 0x20);

        if (small >= 'a' && small <= 'z')
            n_letters++;
        else if (c >= '0' && c <= '9')
            n_digits++;
        else if (c == '.')
            n_dots++;
        else if (c == '-')
            n_dashes++;
        else
            break;
    }
    if (n_letters ? !(n_digits + n_dots + n_dashes) : n_dots != 3)
        return false;
    *ret = str_head(*text, n);
    *text = str_skip(*text, n);
    return true;
}

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    struct str rest = line;

    (void)shape;
    (void)scratch;
    if (!cut_host(&rest, &ret->instance) || !str_cut_prefix(&rest, STR(":")) ||
        (rest.len && rest.ptr[0] != ' '))
        return false;
    ret->stream = ret->instance;
    ret->text = str_skip(rest, 1);
    return true;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    return wrapping_learn_prefix(shape->wrapping, line, begin);
}

const struct wrapping host_wrapping = {
    .name = "host", .is_regular = true, .learn = learn, .strip = strip};

/* The lines of several pods, as stern, kail and kubetail print them:
 *
 *     api-7d9c5-x2x4k app text
 *     shop api-7d9c5-x2x4k app text
 *     shop/api-7d9c5-x2x4k[app]: text
 *     [api-7d9c5-x2x4k app] text */
#include "unwrap/wrapping.h"

enum { NAME_MOST = 253 }; /* of a Kubernetes object */

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.';
}

/* Cuts a name and what must follow it. */
static bool cut_name(struct str *text, struct str end, struct str *ret)
{
    struct str rest;
    size_t n = 0;

    while (n < text->len && n < NAME_MOST && is_name(text->ptr[n]))
        n++;
    rest = str_skip(*text, n);
    if (n == 0 || !str_cut_prefix(&rest, end))
        return false;
    *ret = str_head(*text, n);
    *text = rest;
    return true;
}

static bool is_digits(struct str text)
{
    uint64_t number;

    return str_to_u64(text, &number);
}

/* Kubernetes ends the names of pods in five letters or in a number. */
static bool is_pod(struct str name)
{
    size_t dash = str_rfind(name, '-');
    struct str last = str_skip(name, dash + 1);

    return dash > 0 && dash < name.len && (last.len == 5 || is_digits(last));
}

/* Cuts "shop/pod[app]:" off. */
static bool cut_kail(struct str *text, struct str *pod)
{
    struct str rest = *text;
    struct str other;

    if (!cut_name(&rest, STR("/"), &other) || !cut_name(&rest, STR("["), pod) ||
        !cut_name(&rest, STR("]:"), &other))
        return false;
    *text = rest;
    return true;
}

/* Cuts "[pod app]" off; of a pod with one container kubetail prints no more
 * than tag.c takes. */
static bool cut_kubetail(struct str *text, struct str *pod)
{
    struct str rest = *text;
    struct str container;

    if (!str_cut_prefix(&rest, STR("[")) || !cut_name(&rest, STR(" "), pod) ||
        !is_pod(*pod) || !cut_name(&rest, STR("]"), &container))
        return false;
    *text = rest;
    return true;
}

/* Cuts "pod app" off, before which a namespace may stand. */
static bool cut_stern(struct str *text, struct str *pod)
{
    struct str rest = *text;
    struct str container;

    if (!cut_name(&rest, STR(" "), pod))
        return false;
    if (!is_pod(*pod) && !cut_name(&rest, STR(" "), pod))
        return false;
    if (!is_pod(*pod) || !cut_name(&rest, STR(""), &container))
        return false;
    *text = rest;
    return true;
}

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    struct str rest = line;

    (void)shape;
    (void)scratch;
    if (!cut_kail(&rest, &ret->instance) &&
        !cut_kubetail(&rest, &ret->instance) &&
        !cut_stern(&rest, &ret->instance))
        return false;
    if (rest.len && rest.ptr[0] != ' ')
        return false;
    ret->stream = str_head(line, line.len - rest.len);
    ret->is_process = true;
    ret->text = str_skip(rest, 1);
    return true;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    return wrapping_learn_prefix(shape->wrapping, line, begin);
}

const struct wrapping stern_wrapping = {
    .name = "stern", .is_regular = true, .learn = learn, .strip = strip};

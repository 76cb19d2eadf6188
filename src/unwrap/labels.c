/* The lines of several streams of Loki, as its logcli prints them: the time,
 * the labels in which the streams differ, and blanks up to the widest of those:
 *
 *     2026-11-20T14:02:00Z {pod="api-7d9c5-x2x4k"} text */
#include "unwrap/clock.h"
#include "unwrap/names.h"

static bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_';
}

/* Cuts a label and its value, as it is spelled, and the comma behind it. */
static bool cut_label(struct str *text, struct str *label, struct str *value)
{
    struct str rest = *text;
    size_t n = 0;

    while (n < rest.len && is_of_name(rest.ptr[n]))
        n++;
    *label = str_head(rest, n);
    rest = str_skip(rest, n);
    if (!n || !str_cut_prefix(&rest, STR("=\"")))
        return false;
    for (n = 0; n < rest.len && rest.ptr[n] != '"'; n++)
        n += rest.ptr[n] == '\\';
    *value = str_head(rest, n);
    if (n >= rest.len)
        return false;
    rest = str_skip(rest, n + 1);
    if (str_cut_prefix(&rest, STR(",")))
        str_cut_prefix(&rest, STR(" "));
    *text = rest;
    return true;
}

/* The value of the finest label that is known to name a process or its host;
 * empty when none is. */
static struct str find_instance(struct str labels)
{
    struct str instance = {0};
    unsigned best = NAMES_UNKNOWN;
    struct str label;
    struct str value;

    while (cut_label(&labels, &label, &value)) {
        unsigned rank = names_rank(label);

        if (rank >= best)
            continue;
        best = rank;
        instance = value;
    }
    return instance;
}

/* What the labels tell: those that are known to name a process; where none is,
 * all of them do together that are the same for all of its lines. */
static void read_labels(struct str labels, struct buf *scratch,
                        struct piece *ret)
{
    struct str values[PIECE_EXACT_MOST];
    struct str label;
    struct str value;
    size_t n = 0;

    ret->instance = find_instance(labels);
    while (n < PIECE_EXACT_MOST && cut_label(&labels, &label, &value)) {
        if (ret->instance.len ? names_rank(label) < NAMES_UNKNOWN
                              : !names_is_of_line(label))
            values[n++] = value;
    }
    names_join(values, n, scratch, ret);
    if (!ret->instance.len)
        ret->instance = ret->stream;
    ret->is_process = ret->stream.len > 0;
}

static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    struct str rest = line;
    struct str labels;
    struct str label;
    struct str value;

    if (clock_cut(&rest) && !str_cut_prefix(&rest, STR(" ")))
        return false;
    if (!str_cut_prefix(&rest, STR("{")))
        return false;
    labels = rest;
    while (cut_label(&rest, &label, &value))
        continue;
    if (!str_cut_prefix(&rest, STR("}")) || (rest.len && rest.ptr[0] != ' '))
        return false;
    while (str_cut_prefix(&rest, STR(" ")))
        continue;
    ret->text = rest;
    if (shape->names)
        read_labels(labels, scratch, ret);
    return true;
}

static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    shape->names = 1;
    return wrapping_learn_prefix(shape->wrapping, line, begin);
}

const struct wrapping labels_wrapping = {
    .name = "labels", .learn = learn, .strip = strip};

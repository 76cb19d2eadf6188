#include "unwrap/names.h"

struct name {
    struct str key;
    bool is_instance;   /* its value names the process */
    bool is_shared;     /* a process has lines with several values of it */
    struct str only_of; /* the key of the text that it is known beside, or
                           empty = any */
};

/* The first that a line has, and that may, names the instance. Nothing is here
 * whose value may change from line to line of one dump. */
static const struct name known[] = {
    {STR_INIT("\"pod_name\""), true, false, STR_INIT("")},
    {STR_INIT("\"pod\""), true, false, STR_INIT("")},
    /* stern -o json, Azure's tables, OpenTelemetry, ECS. */
    {STR_INIT("\"podName\""), true, false, STR_INIT("")},
    {STR_INIT("\"PodName\""), true, false, STR_INIT("")},
    {STR_INIT("\"k8s.pod.name\""), true, false, STR_INIT("")},
    {STR_INIT("\"kubernetes.pod.name\""), true, false, STR_INIT("")},
    {STR_INIT("\"container_name\""), true, false, STR_INIT("")},
    {STR_INIT("\"container\""), true, false, STR_INIT("")},
    {STR_INIT("\"container_id\""), true, false, STR_INIT("")},
    {STR_INIT("\"logStreamName\""), true, false, STR_INIT("")},
    {STR_INIT("\"Package\""), true, false, STR_INIT("\"Output\":\"")},
    {STR_INIT("\"_HOSTNAME\""), true, false, STR_INIT("")},
    {STR_INIT("\"_PID\""), false, false, STR_INIT("")},
    {STR_INIT("\"stream\""), false, true, STR_INIT("")},
};

enum { N_KNOWN = sizeof(known) / sizeof(known[0]) };

/* The line from the first place of a key outside of the text on, up to the text
 * when it stands before that; empty when the key is nowhere. */
static struct str skip_to(struct keyed_line line, struct str key)
{
    size_t at = str_search(line.line, key);

    if (at + key.len > line.text && at < line.text_end)
        at =
            line.text_end + str_search(str_skip(line.line, line.text_end), key);
    if (at < line.text)
        return str_skip(str_head(line.line, line.text), at);
    return str_skip(line.line, at);
}

/* The value of a key, a string, as the line spells it. */
static bool find_value(struct keyed_line line, struct str key, struct str *ret)
{
    struct str rest = skip_to(line, key);

    if (!str_cut_prefix(&rest, key))
        return false;
    while (str_cut_prefix(&rest, STR(" ")))
        continue;
    if (!str_cut_prefix(&rest, STR(":")) && !str_cut_prefix(&rest, STR("=>")))
        return false;
    while (str_cut_prefix(&rest, STR(" ")))
        continue;
    if (!str_cut_prefix(&rest, STR("\"")))
        return false;
    *ret = str_head(rest, str_find(rest, '"'));
    return ret->len > 0 && ret->len < rest.len;
}

uint32_t names_find(struct keyed_line line, struct str key)
{
    uint32_t names = 0;
    unsigned n = 0;

    for (unsigned i = 0; i < N_KNOWN && n < PIECE_EXACT_MOST; i++) {
        struct str value;

        if ((known[i].only_of.len && !str_equal(known[i].only_of, key)) ||
            !find_value(line, known[i].key, &value))
            continue;
        names |= 1U << i;
        n++;
    }
    return names;
}

bool names_has_instance(struct str line)
{
    struct keyed_line all = {line, line.len, line.len};
    struct str value;

    for (unsigned i = 0; i < N_KNOWN; i++) {
        if (known[i].is_instance && !known[i].only_of.len &&
            find_value(all, known[i].key, &value))
            return true;
    }
    return false;
}

/* Puts the values behind what is in scratch; *text may be there. */
static struct str join(const struct str *values, size_t n, struct buf *scratch,
                       struct str *text)
{
    bool is_inside = scratch->len && text->ptr == buf_str(scratch).ptr;
    size_t begin = scratch->len;

    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_add_char(scratch, '/');
        buf_add(scratch, values[i]);
    }
    if (is_inside)
        text->ptr = buf_str(scratch).ptr;
    return str_skip(buf_str(scratch), begin);
}

void names_read(uint32_t names, struct keyed_line line, struct buf *scratch,
                struct piece *ret)
{
    struct str values[PIECE_EXACT_MOST];
    bool has_shared = false;
    size_t n = 0;

    for (unsigned i = 0; names && i < N_KNOWN; i++) {
        if (!(names >> i & 1) || !find_value(line, known[i].key, &values[n]))
            continue;
        if (known[i].is_instance && !ret->instance.len)
            ret->instance = values[n];
        ret->exact[n] = values[n];
        has_shared = has_shared || known[i].is_shared;
        n++;
    }
    ret->is_process = n > 0 && !has_shared;
    if (n == 1)
        ret->stream = values[0];
    else if (n > 1)
        ret->stream = join(values, n, scratch, &ret->text);
}

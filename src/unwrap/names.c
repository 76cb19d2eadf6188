#include "unwrap/names.h"

enum name_kind {
    NAME_INSTANCE, /* its value names the process */
    NAME_HOST,     /* or the host, or what else has one process of a kind: it
                      tells only where nothing finer does */
    NAME_PART,     /* it parts those that an instance has */
    NAME_SHARED,   /* a process has lines with several values of it */
};

struct name {
    struct str key; /* in its quotes; one that ends in a colon stands in front
                       of its value in one string */
    enum name_kind kind;
    struct str only_of; /* the key of the text that it is known beside, or
                           empty = any */
};

/* The first that a line has, and that may, names the instance: the finest come
 * first. Nothing is here whose value may change from line to line of one dump.
 */
static const struct name known[] = {
    {STR_INIT("\"pod_name\""), NAME_INSTANCE, STR_INIT("")},
    {STR_INIT("\"pod\""), NAME_INSTANCE, STR_INIT("")},
    /* stern -o json, Azure's tables, OpenTelemetry, ECS, a tag of Datadog's. */
    {STR_INIT("\"podName\""), NAME_INSTANCE, STR_INIT("")},
    {STR_INIT("\"PodName\""), NAME_INSTANCE, STR_INIT("")},
    {STR_INIT("\"k8s.pod.name\""), NAME_INSTANCE, STR_INIT("")},
    {STR_INIT("\"kubernetes.pod.name\""), NAME_INSTANCE, STR_INIT("")},
    {STR_INIT("\"pod_name:"), NAME_INSTANCE, STR_INIT("")},
    {STR_INIT("\"container_name\""), NAME_INSTANCE, STR_INIT("")},
    {STR_INIT("\"container\""), NAME_INSTANCE, STR_INIT("")},
    {STR_INIT("\"container.name\""), NAME_INSTANCE, STR_INIT("")},
    {STR_INIT("\"container_id\""), NAME_INSTANCE, STR_INIT("")},
    /* CloudWatch: its API, Logs Insights, and shippers to it. */
    {STR_INIT("\"logStreamName\""), NAME_INSTANCE, STR_INIT("")},
    {STR_INIT("\"@logStream\""), NAME_INSTANCE, STR_INIT("")},
    {STR_INIT("\"logStream\""), NAME_INSTANCE, STR_INIT("")},
    {STR_INIT("\"log_stream\""), NAME_INSTANCE, STR_INIT("")},
    {STR_INIT("\"Package\""), NAME_INSTANCE, STR_INIT("\"Output\":\"")},
    {STR_INIT("\"_HOSTNAME\""), NAME_INSTANCE, STR_INIT("")},
    {STR_INIT("\"instance\""), NAME_HOST, STR_INIT("")},
    {STR_INIT("\"host\""), NAME_HOST, STR_INIT("")},
    {STR_INIT("\"Host\""), NAME_HOST, STR_INIT("")},
    {STR_INIT("\"hostname\""), NAME_HOST, STR_INIT("")},
    {STR_INIT("\"host.name\""), NAME_HOST, STR_INIT("")},
    {STR_INIT("\"_PID\""), NAME_PART, STR_INIT("")},
    {STR_INIT("\"stream\""), NAME_SHARED, STR_INIT("")},
};

enum { N_KNOWN = sizeof(known) / sizeof(known[0]) };

_Static_assert(sizeof(known) / sizeof(known[0]) <= NAMES_UNKNOWN,
               "names are bits of a number");

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

/* Cuts what parts a key from its value, with the blanks around it. */
static bool cut_colon(struct str *text)
{
    while (str_cut_prefix(text, STR(" ")))
        continue;
    if (!str_cut_prefix(text, STR(":")) && !str_cut_prefix(text, STR("=>")))
        return false;
    while (str_cut_prefix(text, STR(" ")))
        continue;
    return true;
}

/* A string, from behind its opening quote on, as it is spelled. */
static bool take_string(struct str text, struct str *ret)
{
    *ret = str_head(text, str_find(text, '"'));
    return ret->len > 0 && ret->len < text.len;
}

/* The value of the key "name" in an object, from behind its brace on. */
static bool find_name(struct str text, struct str *ret)
{
    unsigned depth = 0;

    while (text.len) {
        char c = text.ptr[0];
        struct str rest = text;

        if (!depth && str_cut_prefix(&rest, STR("\"name\"")) &&
            cut_colon(&rest) && str_cut_prefix(&rest, STR("\"")))
            return take_string(rest, ret);
        text = str_skip(text, 1);
        if (c == '"')
            text = str_skip(text, str_find(text, '"') + 1);
        else if (c == '{')
            depth++;
        else if (c == '}' && !depth--)
            return false;
    }
    return false;
}

/* The value of a key as the line spells it: a string, or what an object has as
 * its name, as in ECS: "pod":{"uid":"...","name":"api-1"}. */
static bool find_value(struct keyed_line line, struct str key, struct str *ret)
{
    struct str rest = skip_to(line, key);

    if (!str_cut_prefix(&rest, key))
        return false;
    if (str_ends(key, STR(":")))
        return take_string(rest, ret);
    if (!cut_colon(&rest))
        return false;
    if (str_cut_prefix(&rest, STR("{")))
        return find_name(rest, ret);
    return str_cut_prefix(&rest, STR("\"")) && take_string(rest, ret);
}

uint32_t names_find(struct keyed_line line, struct str key, bool is_whole)
{
    bool has_instance = is_whole;
    uint32_t names = 0;
    unsigned n = 0;

    for (unsigned i = 0; i < N_KNOWN && n < PIECE_EXACT_MOST; i++) {
        struct str value;

        if ((known[i].only_of.len && !str_equal(known[i].only_of, key)) ||
            (known[i].kind == NAME_HOST && has_instance) ||
            !find_value(line, known[i].key, &value))
            continue;
        has_instance |= known[i].kind <= NAME_HOST;
        names |= 1U << i;
        n++;
    }
    return names;
}

/* Whether the line has a name of one of the first kinds. */
static bool has_name(struct str line, enum name_kind last)
{
    struct keyed_line all = {line, line.len, line.len};
    struct str value;

    for (unsigned i = 0; i < N_KNOWN; i++) {
        if (known[i].kind <= last && !known[i].only_of.len &&
            find_value(all, known[i].key, &value))
            return true;
    }
    return false;
}

bool names_has_instance(struct str line)
{
    return has_name(line, NAME_HOST);
}

bool names_has_process(struct str line)
{
    return has_name(line, NAME_INSTANCE);
}

void names_join(const struct str *values, size_t n, struct buf *scratch,
                struct piece *ret)
{
    bool is_inside = scratch->len && ret->text.ptr == buf_str(scratch).ptr;
    size_t begin = scratch->len;

    if (n == 1)
        ret->stream = values[0];
    if (n <= 1)
        return;
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_add_char(scratch, '/');
        buf_add(scratch, values[i]);
    }
    if (is_inside)
        ret->text.ptr = buf_str(scratch).ptr;
    ret->stream = str_skip(buf_str(scratch), begin);
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
        if (known[i].kind <= NAME_HOST && !ret->instance.len)
            ret->instance = values[n];
        ret->exact[n] = values[n];
        has_shared = has_shared || known[i].kind == NAME_SHARED;
        n++;
    }
    ret->is_process = n > 0 && !has_shared;
    names_join(values, n, scratch, ret);
}

/* --- Labels --------------------------------------------------------------- */

unsigned names_rank(struct str label)
{
    for (unsigned i = 0; i < N_KNOWN; i++) {
        struct str key = str_skip(known[i].key, 1);

        if (known[i].kind <= NAME_HOST && !known[i].only_of.len &&
            str_cut_suffix(&key, STR("\"")) && str_equal(key, label))
            return i;
    }
    return NAMES_UNKNOWN;
}

bool names_is_of_line(struct str label)
{
    return str_equal(label, STR("level")) ||
           str_equal(label, STR("detected_level")) ||
           str_equal(label, STR("severity")) || str_equal(label, STR("stream"));
}

/* --- Columns of a table --------------------------------------------------- */

/* Cuts the next letter or digit off, small, and what names are spelled with and
 * without; 0 at the end. */
static char cut_letter(struct str *text)
{
    char c;

    do {
        if (!text->len)
            return '\0';
        c = text->ptr[0];
        *text = str_skip(*text, 1);
    } while (chars_have("_@ \"", c));
    return (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

static bool is_spelled_as(struct str column, struct str key)
{
    char c;

    do {
        c = cut_letter(&column);
        if (c != cut_letter(&key))
            return false;
    } while (c);
    return true;
}

/* The number of the known name that a column has, or N_KNOWN. */
static unsigned find_column(struct str column)
{
    enum { COLUMN_MOST = 128 }; /* bytes; text that is longer is no name */

    while (column.len && column.len <= COLUMN_MOST) {
        for (unsigned i = 0; i < N_KNOWN; i++) {
            if (!known[i].only_of.len && is_spelled_as(column, known[i].key))
                return i;
        }
        column = str_skip(column, str_find(column, '.') + 1);
    }
    return N_KNOWN;
}

struct columns names_find_columns(struct str line)
{
    unsigned at[N_KNOWN]; /* the column that has a name, from 1 */
    struct columns columns = {0};
    unsigned n = 0;

    memset(at, 0, sizeof(at));
    for (unsigned i = 1; line.len && i <= COLUMNS_MOST; i++) {
        size_t end = str_find(line, ',');
        unsigned name = find_column(str_head(line, end));

        if (name < N_KNOWN && !at[name])
            at[name] = i;
        line = str_skip(line, end + 1);
    }
    for (unsigned i = 0; i < N_KNOWN && n < PIECE_EXACT_MOST; i++) {
        uint32_t bit = at[i] ? 1U << (at[i] - 1) : 0;

        if (!bit || (known[i].kind == NAME_HOST && columns.instance))
            continue;
        if (known[i].kind <= NAME_HOST && !columns.instance)
            columns.instance = bit;
        if (known[i].kind == NAME_SHARED)
            columns.shared |= bit;
        columns.names |= bit;
        n++;
    }
    return columns;
}

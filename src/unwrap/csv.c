/* A column of a table, as consoles of log services export it (RFC 4180):
 *
 *     "timestamp","message"
 *     "2026-11-20T14:02:00Z","main.f(0x1, {0x2, 0x3})"
 *     2026-11-20T14:02:00Z,goroutine 1 [running]:
 *     1763647320000,"{""log"":""goroutine 1 [running]:\n"",""stream"":...
 *
 * Programs quote every field, or those alone that need it. The names of the
 * columns tell which of them say whose line it is. */
#include "unwrap/names.h"

/* Cuts the field off the front of *rest, with its quotes, and the comma behind
 * it. */
static struct str cut_field(struct str *rest)
{
    struct str all = *rest;
    size_t end = 0;

    if (str_starts(all, STR("\""))) {
        do {
            end += 1 + str_find(str_skip(all, end + 1), '"') + 1;
        } while (end < all.len && all.ptr[end] == '"');
    }
    if (end < all.len)
        end += str_find(str_skip(all, end), ',');
    all = str_head(all, end);
    *rest = str_skip(*rest, end + 1);
    return all;
}

/* What a field stands for: each quote inside is doubled. */
static struct str unquote(struct str field, struct buf *scratch)
{
    size_t quote;

    if (!str_cut_prefix(&field, STR("\"")))
        return field;
    str_cut_suffix(&field, STR("\""));
    while ((quote = str_search(field, STR("\"\""))) < field.len) {
        buf_add(scratch, str_head(field, quote + 1));
        field = str_skip(field, quote + 2);
    }
    buf_add(scratch, field);
    return buf_str(scratch);
}

/* The inside of a name: one that has quotes in it is told apart as well. */
static struct str trim_quotes(struct str field)
{
    if (str_cut_prefix(&field, STR("\"")))
        str_cut_suffix(&field, STR("\""));
    return field;
}

/* Reads whose line it is from the columns that tell. */
static void read_names(const struct columns *columns, struct str line,
                       struct buf *scratch, struct piece *ret)
{
    struct str values[PIECE_EXACT_MOST];
    size_t n = 0;

    for (uint32_t left = columns->names, bit = 1; left; bit <<= 1) {
        struct str field = trim_quotes(cut_field(&line));

        if (left & bit)
            values[n++] = field;
        if (columns->instance & bit)
            ret->instance = field;
        left &= ~bit;
    }
    ret->is_process = n > 0 && !columns->shared;
    names_join(values, n, scratch, ret);
}

/* In the last column a field without quotes is all that is left: tables are
 * also written by programs that quote nothing. */
static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    struct str rest = line;

    for (size_t i = 0; i < shape->offset; i++) {
        if (cut_field(&rest).len == line.len)
            return false;
    }
    if (!shape->to_the_end || str_starts(rest, STR("\"")))
        rest = cut_field(&rest);
    ret->text = unquote(rest, scratch);
    if (shape->columns.names)
        read_names(&shape->columns, line, scratch, ret);
    return true;
}

/* JSON has commas as well, and a dump that stands whole in one string has them
 * everywhere; but quotes are doubled in tables alone. */
static bool is_row(struct str line, struct str field)
{
    bool has_quotes = str_starts(field, STR("\"")) &&
                      str_contains(str_skip(field, 1), STR("\"\""));

    return line.ptr[0] != '[' && line.ptr[0] != '{' &&
           (has_quotes || !str_contains(field, STR("\\n")));
}

/* What is in a field may be the line of another log. Where it is not quoted, a
 * blank before it says that this is no table: "14:02:00,123 ERROR ...". */
static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    struct str rest = line;
    struct str field = cut_field(&rest);
    size_t at = 0;

    while (at + field.len < begin.at && rest.len) {
        at = (size_t)(rest.ptr - line.ptr);
        field = cut_field(&rest);
        shape->offset++;
    }
    shape->to_the_end = !rest.len;
    if (!is_row(line, field))
        return false;
    if (str_starts(field, STR("\"")))
        return at < begin.at && field.len > 1 && str_ends(field, STR("\"")) &&
               (shape->offset || rest.len);
    return shape->offset > 0 &&
           (at == begin.at || str_find(str_head(line, at), ' ') == at);
}

const struct wrapping csv_wrapping = {
    .name = "csv", .learn = learn, .strip = strip};

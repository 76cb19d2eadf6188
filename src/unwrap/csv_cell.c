/* A dump in one quoted cell of a table, over many lines (RFC 4180):
 *
 *     2026-11-20T14:02:00Z,api,"goroutine 1 [running, labels:{""a"":""b""}]:
 *     main.f(0x1, {0x2, 0x3})
 *             /srv/main.go:12 +0x1d",error
 *
 * Quotes inside are doubled; the first that is not ends the cell. */
#include "unwrap/wrapping.h"

/* Adds what the line has of the cell. Whether the cell ends on it. */
static bool add_cell(struct str line, struct buf *scratch)
{
    for (;;) {
        size_t quote = str_find(line, '"');

        buf_add(scratch, str_head(line, quote));
        if (quote == line.len)
            return false;
        line = str_skip(line, quote + 1);
        if (!str_cut_prefix(&line, STR("\"")))
            return true;
        buf_add_char(scratch, '"');
    }
}

/* The line that was learned from is the only one with the other cells before
 * the quote. */
static bool strip(const struct shape *shape, struct str line,
                  struct buf *scratch, struct piece *ret)
{
    struct str first = {shape->text, shape->len};

    if (str_starts(line, first))
        line = str_skip(line, shape->offset);
    ret->text = line;
    if (str_find(line, '"') == line.len)
        return true;
    ret->is_last = add_cell(line, scratch);
    ret->text = buf_str(scratch);
    return true;
}

/* Whether a cell may begin behind the text before its quote. */
static bool is_before_cell(struct str before)
{
    return !before.len || chars_have(",;\t", before.ptr[before.len - 1]);
}

/* Whether quotes behind the state of a goroutine are doubled. Go escapes a
 * quote inside of what it quotes, and does not quote what is empty. */
static bool has_doubled_quotes(struct str line)
{
    struct str labels = str_skip(line, str_search(line, STR("] {")));
    size_t quote = str_search(labels, STR("\"\""));

    return quote < labels.len && labels.ptr[quote - 1] != '\\';
}

/* Where the input begins in the middle of a cell, only labels show it. */
static bool learn(struct shape *shape, struct str line, struct begin begin)
{
    struct str before = str_head(line, begin.at);
    struct buf scratch = {0};
    bool is_open;

    if (begin.at == 0)
        return begin.kind == BEGIN_GOROUTINE && has_doubled_quotes(line);
    if (begin.at >= SHAPE_MOST || !str_cut_suffix(&before, STR("\"")) ||
        !is_before_cell(before))
        return false;
    is_open = !add_cell(str_skip(line, begin.at), &scratch);
    buf_done(&scratch);
    shape->offset = begin.at;
    shape->len = line.len < SHAPE_MOST ? line.len : SHAPE_MOST;
    memcpy(shape->text, line.ptr, shape->len);
    return is_open;
}

const struct wrapping csv_cell_wrapping = {
    .name = "csv cell", .ends_in_quote = true, .learn = learn, .strip = strip};

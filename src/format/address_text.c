#include "format/address_text.h"

void address_list_parse(struct str text, struct address_list *ret)
{
    ret->count = 0;
    ret->last = 0;
    for (text = str_trim(text); text.len; text = str_trim(text)) {
        struct str word = str_head(text, str_find(text, ' '));
        uint64_t address = 0;

        text = str_skip(text, word.len);
        if (str_cut_prefix(&word, STR("0x")))
            str_cut_hex(&word, &address);
        if (ret->count < ADDRESSES_MOST)
            ret->kept[ret->count] = address;
        ret->last = address;
        ret->count++;
    }
}

/* Whether text begins with what separates the parts of a frame: a tab, blanks
 * that it has become, or how a log daemon spells it. */
static bool begins_gap(struct str text)
{
    return text.len && (text.ptr[0] == '\t' || text.ptr[0] == ' ' ||
                        str_cut_spelled_tab(&text));
}

/* text without such a gap at its front and without blanks at its end. */
static struct str skip_gap(struct str text)
{
    do
        text = str_trim(text);
    while (str_cut_spelled_tab(&text));
    return text;
}

/* Cuts the digits of an offset, which may be made unreadable: "XXXX". */
static bool cut_offset(struct str *text)
{
    size_t n = text->len;
    uint64_t offset;

    if (str_cut_hex(text, &offset))
        return true;
    while (text->len && chars_have("xX*", text->ptr[0]))
        *text = str_skip(*text, 1);
    return text->len < n;
}

/* Splits "NAME+0xOFF<blanks>FILE:LINE". */
static bool split_symbol(struct str text, struct str *ret_name,
                         struct go_place *ret_place)
{
    struct str mark = STR("+0x");

    for (size_t at = 0; at < text.len; at++) {
        size_t step = str_search(str_skip(text, at), mark);
        struct str rest = str_skip(text, at + step + mark.len);

        at += step;
        if (at >= text.len)
            return false;
        if (cut_offset(&rest) && begins_gap(rest)) {
            *ret_name = str_head(text, at);
            return at > 0 && go_place_parse(skip_gap(rest), ret_place);
        }
    }
    return false;
}

bool address_frame_parse(struct str line, struct address_frame *ret)
{
    struct address_frame frame = {0};
    bool has_mark;
    struct str text;

    line = str_trim(line);
    has_mark = str_cut_prefix(&line, STR("#"));
    line = skip_gap(line);
    text = line;
    if (!str_cut_prefix(&text, STR("0x")))
        return false;
    str_cut_hex(&text, &frame.address);
    while (text.len && !begins_gap(text))
        text = str_skip(text, 1);
    text = skip_gap(text);
    if (!text.len && has_mark)
        frame.name = line;
    else if (!split_symbol(text, &frame.name, &frame.place))
        return false;
    *ret = frame;
    return true;
}

/* Whether a line can be what was broken off the one before. */
static bool is_rest(struct str line)
{
    return str_trim(line).len && line.ptr[0] != '#' &&
           !str_contains(line, STR(" @"));
}

enum { DIGITS_MOST = 5, AHEAD = DIGITS_MOST + 4 };

/* Whether the line behind one at the cursor is nothing but digits: the end of
 * its own number, as a record has more. AHEAD bytes behind it are buffered,
 * unless the input ends before. */
static bool has_more_digits(const struct lines *lines, struct str line)
{
    struct str rest = {line.ptr, (size_t)(lines->end - line.ptr)};
    struct str next;
    uint64_t number;

    rest = str_skip(rest, line.len);
    str_cut_line(&rest);
    rest = str_head(rest, DIGITS_MOST + 2);
    next = str_cut_line(&rest);
    return next.len && next.len <= DIGITS_MOST && str_to_u64(next, &number);
}

/* Parses what is joined so far; false when it has no place yet. */
static bool parse_joined(const struct buf *joined, struct address_frame *ret)
{
    struct address_frame frame;

    if (joined->failed || !address_frame_parse(buf_str(joined), &frame) ||
        !frame.place.line)
        return false;
    *ret = frame;
    return true;
}

/* Whether the last word so far is whole by itself: an address, or a name with
 * its offset. A line was broken behind it then, and not in it. */
static bool ends_word(const struct buf *joined)
{
    struct str word = buf_str(joined);
    size_t begin = word.len;
    uint64_t number;

    while (begin && !chars_have("\t +", word.ptr[begin - 1]))
        begin--;
    word = str_skip(word, begin);
    return str_cut_prefix(&word, STR("0x")) && str_cut_hex(&word, &number) &&
           !word.len;
}

/* Puts a part of a line behind joined, as it is or else behind a blank, and
 * parses that. False when it is no frame either way. */
static bool join_part(struct buf *joined, struct str part,
                      struct address_frame *ret)
{
    size_t len = joined->len;
    bool is_behind_word = ends_word(joined);

    buf_add(joined, part);
    if (parse_joined(joined, ret))
        return true;
    joined->len = len;
    buf_add_char(joined, ' ');
    buf_add(joined, part);
    if (parse_joined(joined, ret))
        return true;
    joined->len = len;
    if (is_behind_word)
        buf_add_char(joined, ' ');
    buf_add(joined, part);
    return false;
}

/* Puts together the lines at the cursor, the first of which is broken. Returns
 * how many they are, 0 when they are no frame. */
static unsigned join_lines(struct lines *lines, struct buf *joined,
                           struct address_frame *ret)
{
    enum { JOINED_MOST = 4 };
    struct str text;
    unsigned n = 1;

    lines_fill(lines, LINES_WINDOW);
    text = (struct str){lines->at, (size_t)(lines->end - lines->at)};
    text = str_head(text, LINES_WINDOW);
    buf_clear(joined);
    buf_add(joined, str_cut_line(&text));
    while (n++ < JOINED_MOST) {
        struct str line = str_cut_line(&text);

        if (!is_rest(line))
            return 0;
        if (join_part(joined, line, ret))
            return n;
    }
    return 0;
}

/* Whether a frame may be the beginning of one: it ends in an address, or in a
 * number that goes on. */
static bool may_go_on(const struct lines *lines, struct str line,
                      const struct address_frame *frame)
{
    return frame->place.line ? has_more_digits(lines, line)
                             : str_starts(frame->name, STR("0x"));
}

unsigned address_frame_at(struct lines *lines, struct str line,
                          struct buf *joined, struct address_frame *ret)
{
    bool is_frame;
    unsigned n;

    if (lines->end - (line.ptr + line.len) < AHEAD && !lines->at_end) {
        lines_fill(lines, LINES_WINDOW);
        lines_peek(lines, &line);
    }
    is_frame = address_frame_parse(line, ret);
    if (is_frame
            ? !may_go_on(lines, line, ret)
            : !str_starts(line, STR("#")) || !str_contains(line, STR("0x")))
        return is_frame;
    n = join_lines(lines, joined, ret);
    if (n || !is_frame || !lines_peek(lines, &line))
        return n;
    return address_frame_parse(line, ret);
}

frame_id address_frame_put(struct symbols *symbols,
                           const struct address_frame *frame)
{
    struct frame parts = {symbols_function_put(symbols, frame->name),
                          symbols_text_put(symbols, frame->place.file),
                          frame->place.line};

    if (!parts.function || (frame->place.file.len && !parts.file))
        return FRAME_NONE;
    return symbols_frame_put(symbols, parts);
}

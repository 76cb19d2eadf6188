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

/* Splits "NAME+0xOFF<blanks>FILE:LINE". */
static bool split_symbol(struct str text, struct str *ret_name,
                         struct go_place *ret_place)
{
    struct str mark = STR("+0x");

    for (size_t at = 0; at < text.len; at++) {
        size_t step = str_search(str_skip(text, at), mark);
        struct str rest = str_skip(text, at + step + mark.len);
        uint64_t offset;

        at += step;
        if (at >= text.len)
            return false;
        if (str_cut_hex(&rest, &offset) && begins_gap(rest)) {
            *ret_name = str_head(text, at);
            return at > 0 && go_place_parse(skip_gap(rest), ret_place);
        }
    }
    return false;
}

bool address_frame_parse(struct str line, struct address_frame *ret)
{
    struct address_frame frame = {0};
    struct str text;

    if (!str_cut_prefix(&line, STR("#")))
        return false;
    line = skip_gap(line);
    text = line;
    if (!str_cut_prefix(&text, STR("0x")))
        return false;
    str_cut_hex(&text, &frame.address);
    while (text.len && !begins_gap(text))
        text = str_skip(text, 1);
    text = skip_gap(text);
    if (!text.len)
        frame.name = line;
    else if (!split_symbol(text, &frame.name, &frame.place))
        return false;
    *ret = frame;
    return true;
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

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
        if (str_cut_hex(&rest, &offset) && rest.len &&
            (rest.ptr[0] == '\t' || rest.ptr[0] == ' ')) {
            *ret_name = str_head(text, at);
            return at > 0 && go_place_parse(rest, ret_place);
        }
    }
    return false;
}

bool address_frame_parse(struct str line, struct address_frame *ret)
{
    struct address_frame frame = {0};
    struct str text;
    size_t tab;
    size_t blank;

    if (!str_cut_prefix(&line, STR("#")))
        return false;
    line = str_trim(line);
    text = line;
    if (!str_cut_prefix(&text, STR("0x")))
        return false;
    str_cut_hex(&text, &frame.address);
    tab = str_find(text, '\t');
    blank = str_find(text, ' ');
    text = str_trim(str_skip(text, tab < blank ? tab : blank));
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

#include "report/text_row.h"

#include "base/escape.h"
#include "report/human.h"
#include "rules/words.h"

size_t row_count_width(uint64_t count)
{
    struct buf words = {0};
    size_t width;

    words_count(&words, count);
    width = words.len;
    buf_done(&words);
    return width;
}

size_t row_wider(size_t a, size_t b)
{
    return a > b ? a : b;
}

void row_count(struct text *text, uint64_t count, size_t width)
{
    struct buf words = {0};

    words_count(&words, count);
    buf_add_repeat(text->page.out, ' ', ROW_INDENT);
    cell_add(text->page.out, buf_str(&words), width, ALIGN_RIGHT, CUT_END);
    buf_done(&words);
}

void row_cell(struct text *text, struct str words, size_t width,
              enum align align)
{
    buf_add_repeat(text->page.out, ' ', ROW_GAP);
    cell_add(text->page.out, words, width, align, CUT_END);
}

void row_share(struct text *text, double share)
{
    struct buf words = {0};

    share_add_fixed(&words, share);
    row_cell(text, buf_str(&words), ROW_SHARE, ALIGN_RIGHT);
    buf_done(&words);
}

void row_last(struct text *text, struct str words, size_t used)
{
    struct buf *out = text->page.out;
    size_t least =
        text->page.columns < PAGE_NARROW ? ROW_LAST_NARROW : ROW_LAST;
    size_t taken = used + ROW_GAP;
    size_t width = taken < text->page.columns ? text->page.columns - taken : 0;

    if (width < least && display_width(words) > width) {
        while (out->len && out->ptr[out->len - 1] == ' ')
            out->len--;
        buf_add_char(out, '\n');
        buf_add_repeat(out, ' ', ROW_BELOW);
        width = text->page.columns - ROW_BELOW;
    } else {
        buf_add_repeat(out, ' ', ROW_GAP);
    }
    fit_add(out, words, width, CUT_MIDDLE);
    buf_add_char(out, '\n');
}

void row_more(struct text *text, size_t n, const char *noun)
{
    struct buf words = {0};

    if (!n)
        return;
    buf_add(&words, STR("... "));
    words_count(&words, n);
    buf_addf(&words, " more%s%s%s (--all shows them)", *noun ? " " : "", noun,
             *noun && n != 1 ? "s" : "");
    page_tint(&text->page, TINT_FAINT);
    page_paragraph(&text->page, ROW_INDENT, buf_str(&words));
    page_plain(&text->page);
    buf_done(&words);
}

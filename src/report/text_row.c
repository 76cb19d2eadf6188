#include "report/text_row.h"

#include "base/count.h"
#include "base/escape.h"
#include "report/human.h"
#include "rules/words.h"

size_t row_count_width(uint64_t count)
{
    return strlen(count_text(count).text);
}

size_t row_words_width(const struct text *text, const struct buf *words)
{
    text->page.out->failed |= words->failed;
    return display_width(buf_str(words));
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

/* Appends the gap before the last cell; where fewer than `least` columns are
 * left and words do not fit, a new line. Returns the columns there are. */
static size_t begin_last(struct text *text, struct str words, size_t used,
                         size_t least)
{
    struct buf *out = text->page.out;
    size_t taken = used + ROW_GAP;
    size_t width = taken < text->page.columns ? text->page.columns - taken : 0;

    if (width >= least || display_width(words) <= width) {
        buf_add_repeat(out, ' ', ROW_GAP);
        return width;
    }
    while (out->len && out->ptr[out->len - 1] == ' ')
        out->len--;
    buf_add_char(out, '\n');
    buf_add_repeat(out, ' ', ROW_BELOW);
    return text->page.columns - ROW_BELOW;
}

/* The room in which the words of a last cell are readable. */
static size_t last_least(const struct text *text)
{
    return text->page.columns < PAGE_NARROW ? ROW_LAST_NARROW : ROW_LAST;
}

void row_last(struct text *text, struct str words, size_t used)
{
    size_t width = begin_last(text, words, used, last_least(text));

    fit_add(text->page.out, words, width, CUT_MIDDLE);
    buf_add_char(text->page.out, '\n');
}

void row_place(struct text *text, struct str words, size_t tail, size_t used)
{
    size_t file = display_width(str_skip(words, words.len - tail));
    size_t least = row_wider(last_least(text), file + ROW_NAME);
    size_t width = begin_last(text, words, used, least);

    text_place_fit(text->page.out, words, tail, width);
    buf_add_char(text->page.out, '\n');
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

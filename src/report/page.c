#include "report/page.h"

#include "base/escape.h"

struct page page_begin(struct buf *out, size_t columns, bool color)
{
    if (!columns)
        columns = PAGE_USUAL;
    if (columns < PAGE_NARROWEST)
        columns = PAGE_NARROWEST;
    return (struct page){out, columns, color};
}

enum tint tint_of(enum cprof_severity severity)
{
    return (enum tint)(TINT_OK + (int)severity);
}

void page_tint(struct page *page, enum tint tint)
{
    /* Basic colours and weights only: they follow the user's theme. */
    static const char *const codes[] = {
        [TINT_NONE] = "",
        [TINT_HEAD] = "1",
        [TINT_FAINT] = "2",
        [TINT_OK] = "1;32",
        [TINT_INFO] = "34",
        [TINT_LOW] = "36",
        [TINT_MEDIUM] = "1;33",
        [TINT_HIGH] = "1;31",
        [TINT_CRITICAL] = "1;37;41",
    };

    if (page->color && tint != TINT_NONE)
        buf_addf(page->out, "\033[%sm", codes[tint]);
}

void page_plain(struct page *page)
{
    if (page->color)
        buf_add(page->out, STR("\033[0m"));
}

void page_add(struct page *page, enum tint tint, struct str text)
{
    if (!text.len && !str_is_lost(text))
        return;
    page_tint(page, tint);
    escape_add(page->out, text);
    if (tint != TINT_NONE)
        page_plain(page);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Cuts the next word off *text; empty at the end. */
static struct str next_word(struct str *text)
{
    struct str word;
    size_t n = 0;

    while (text->len && is_blank(text->ptr[0]))
        *text = str_skip(*text, 1);
    while (n < text->len && !is_blank(text->ptr[n]))
        n++;
    word = str_head(*text, n);
    *text = str_skip(*text, n);
    return word;
}

size_t page_wrap(struct page *page, size_t at, size_t indent, struct str text)
{
    size_t end = indent + PROSE_MOST < page->columns ? indent + PROSE_MOST
                                                     : page->columns;
    bool fresh = true; /* no word stands on the line yet, as far as we know */

    if (str_is_lost(text))
        buf_add(page->out, text);
    for (;;) {
        struct str word = next_word(&text);
        size_t width = display_width(word);

        if (!word.len)
            return at;
        if (width > WORD_MOST)
            width = WORD_MOST;
        if (!fresh && at + 1 + width > end) {
            buf_add_char(page->out, '\n');
            buf_add_repeat(page->out, ' ', indent);
            at = indent;
        } else if (!fresh) {
            buf_add_char(page->out, ' ');
            at++;
        }
        fit_add(page->out, word, width, CUT_MIDDLE);
        at += width;
        fresh = false;
    }
}

void page_paragraph(struct page *page, size_t indent, struct str text)
{
    buf_add_repeat(page->out, ' ', indent);
    page_wrap(page, indent, indent, text);
    buf_add_char(page->out, '\n');
}

/* Cuts the first character off *text; its columns when printed, and in piece
 * the n bytes that stand for it. */
static size_t take_char(struct str *text, char piece[static ESCAPE_MOST],
                        size_t *ret_n)
{
    struct str rest = *text;
    struct str taken;

    *ret_n = escape_next(&rest, piece);
    taken = str_head(*text, text->len - rest.len);
    *text = rest;
    return display_width(taken);
}

/* Appends as many whole characters from the front of text as fit into width
 * columns; returns what is left. */
static struct str add_front(struct buf *buf, struct str text, size_t width)
{
    while (text.len) {
        struct str rest = text;
        char piece[ESCAPE_MOST];
        size_t n;
        size_t columns = take_char(&rest, piece, &n);

        if (columns > width)
            break;
        buf_add(buf, (struct str){piece, n});
        width -= columns;
        text = rest;
    }
    return text;
}

/* Appends the end of text that takes at most width columns. */
static void add_back(struct buf *buf, struct str text, size_t width)
{
    size_t left = display_width(text);

    while (left > width) {
        char piece[ESCAPE_MOST];
        size_t n;

        left -= take_char(&text, piece, &n);
    }
    escape_add(buf, text);
}

void fit_add(struct buf *buf, struct str text, size_t width, enum cut cut)
{
    size_t tail = cut == CUT_MIDDLE && width > 3 ? (width - 3) * 2 / 3 : 0;

    if (display_width(text) <= width) {
        escape_add(buf, text);
        return;
    }
    if (width <= 3) {
        buf_add_repeat(buf, '.', width);
        return;
    }
    text = add_front(buf, text, width - 3 - tail);
    buf_add(buf, STR("..."));
    if (tail)
        add_back(buf, text, tail);
}

void fit_add_tail(struct buf *buf, struct str text, size_t tail, size_t width,
                  enum cut cut)
{
    struct str kept = str_skip(text, text.len - tail);
    size_t taken = display_width(kept);

    if (display_width(text) <= width || taken + 3 >= width) {
        fit_add(buf, text, width, CUT_MIDDLE);
        return;
    }
    fit_add(buf, str_head(text, text.len - tail), width - taken, cut);
    escape_add(buf, kept);
}

void fit_add_line(struct buf *buf, struct str text, size_t width, enum cut cut)
{
    struct buf line = {0};

    escape_add_line(&line, text);
    fit_add(buf, buf_str(&line), width, cut);
    buf->failed |= line.failed;
    buf_done(&line);
}

void cell_add(struct buf *buf, struct str text, size_t width, enum align align,
              enum cut cut)
{
    struct buf cell = {0};
    size_t used;

    fit_add(&cell, text, width, cut);
    used = display_width(buf_str(&cell));
    buf->failed |= cell.failed;
    if (align == ALIGN_RIGHT && used < width)
        buf_add_repeat(buf, ' ', width - used);
    buf_add(buf, buf_str(&cell));
    if (align == ALIGN_LEFT && used < width)
        buf_add_repeat(buf, ' ', width - used);
    buf_done(&cell);
}

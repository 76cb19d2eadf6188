#include "report/baseline_words.h"
#include "report/text_row.h"

static void put_accepted(struct text *text, size_t index)
{
    struct buf words = {0};

    words_of_accepted(&words, text->report, index);
    buf_add_repeat(text->page.out, ' ', ROW_INDENT);
    page_wrap(&text->page, ROW_INDENT, 2 * ROW_INDENT, buf_str(&words));
    buf_add_char(text->page.out, '\n');
    buf_done(&words);
}

void text_baseline(struct text *text)
{
    size_t first = report_n_findings(text->report);
    size_t n = report_n_accepted(text->report);
    struct buf words = {0};

    if (!report_baseline(text->report))
        return;
    words_of_baseline(&words, text->report, !text->all);
    buf_add_char(text->page.out, '\n');
    page_paragraph(&text->page, 0, buf_str(&words));
    for (size_t i = first; text->all && i < first + n; i++)
        put_accepted(text, i);
    buf_done(&words);
}

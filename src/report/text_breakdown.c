#include "report/human.h"
#include "report/text_row.h"
#include "rules/words.h"

static void put_row(struct text *text, const struct breakdown_row *row,
                    size_t count, size_t groups)
{
    struct buf words = {0};

    row_count(text, row->count, count);
    row_share(text, row->share);
    buf_add_repeat(text->page.out, ' ', ROW_GAP);
    words_count(&words, row->n_groups);
    cell_add(text->page.out, buf_str(&words), groups, ALIGN_RIGHT, CUT_END);
    buf_clear(&words);
    if (row->is_rest)
        buf_add(&words, STR("(none)"));
    else if (row->place.function.len)
        text_place_short(&words, &row->place);
    else
        buf_add(&words, row->text.len ? row->text : STR("\"\""));
    row_last(text, buf_str(&words),
             ROW_INDENT + count + ROW_GAP + ROW_SHARE + ROW_GAP + groups);
    buf_done(&words);
}

void text_breakdown(struct text *text)
{
    size_t n = report_n_rows(text->report);
    size_t most = report_top(text->report, GROUPS_USUAL);
    size_t groups = strlen("GROUPS");
    size_t count = strlen("COUNT");
    struct buf words = {0};

    for (size_t i = 0; i < n && i < most; i++)
        count = row_wider(count,
                          row_count_width(report_row(text->report, i)->count));
    buf_add(&words, STR("By "));
    group_by_add(&words, report_options(text->report));
    text_head(text, words.ptr ? words.ptr : "");
    page_tint(&text->page, TINT_FAINT);
    buf_add_repeat(text->page.out, ' ', ROW_INDENT);
    cell_add(text->page.out, STR("COUNT"), count, ALIGN_RIGHT, CUT_END);
    row_cell(text, STR("SHARE"), ROW_SHARE, ALIGN_RIGHT);
    row_cell(text, STR("GROUPS"), groups, ALIGN_RIGHT);
    page_plain(&text->page);
    buf_add_char(text->page.out, '\n');
    for (size_t i = 0; i < n && i < most; i++)
        put_row(text, report_row(text->report, i), count, groups);
    row_more(text, n > most ? n - most : 0, "");
    buf_done(&words);
}

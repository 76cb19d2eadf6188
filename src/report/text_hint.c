#include "report/text.h"

/* Whether a shell takes a word as it is. */
static bool is_plain(struct str word)
{
    for (size_t i = 0; i < word.len; i++) {
        char c = word.ptr[i];

        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
            !(c >= '0' && c <= '9') && !chars_have("._/:@%+,=-", c))
            return false;
    }
    return word.len > 0 && word.ptr[0] != '-';
}

/* Appends the input as it can be typed again, or a word that stands for it. */
static void add_input(struct buf *words, const struct cprof_snapshots *all)
{
    struct str source = snapshot_info_get(all->items[0])->source;

    if (all->n_inputs == 1 && is_plain(source))
        buf_add(words, source);
    else
        buf_add(words, STR("OLD"));
}

/* What the user would do next: of one dump, compare it; of a comparison, read
 * what its worst finding means. */
static void add_next(const struct text *text, struct buf *words)
{
    const struct cprof_snapshots *all =
        analysis_snapshots(report_analysis(text->report));

    if (!report_growth(text->report) && !all->is_series) {
        buf_add(words, STR("cprof-leaks diff "));
        add_input(words, all);
        buf_add(words, STR(" NEW  (a second dump, some minutes later)"));
    } else if (report_n_findings(text->report)) {
        buf_add(words, STR("cprof-leaks rules explain "));
        buf_add(words, report_finding(text->report, 0).finding->rule->id);
    }
}

void text_hint(struct text *text)
{
    struct page *page = &text->page;
    struct buf words = {0};

    if (!report_options(text->report)->hint)
        return;
    add_next(text, &words);
    if (words.len) {
        buf_add_char(page->out, '\n');
        page_tint(page, TINT_FAINT);
        buf_add(page->out, STR("Next: "));
        page_wrap(page, 6, 6, buf_str(&words));
        page_plain(page);
        buf_add_char(page->out, '\n');
    }
    buf_done(&words);
}

#include "report/answer_words.h"
#include "report/crash_words.h"
#include "report/text.h"

enum { INDENT = 9 }; /* as wide as "Crashed: " */

static void put_below(void *user, struct str line)
{
    struct page *page = user;

    page_paragraph(page, INDENT, line);
}

static void put_crash(struct text *text, const struct crash_view *view)
{
    struct page *page = &text->page;
    struct buf words = {0};

    words_of_crash(&words, view);
    page_add(page, view->crash->is_request ? TINT_INFO : TINT_CRITICAL,
             view->crash->is_request ? STR("Stopped: ") : STR("Crashed: "));
    page_wrap(page, INDENT, INDENT, buf_str(&words));
    buf_add_char(page->out, '\n');
    crash_lines_below(view->crash, put_below, page);
    buf_done(&words);
}

static void put_line(void *user, struct str line)
{
    struct page *page = user;

    page_paragraph(page, 0, line);
}

void text_crash_of(struct text *text, const struct finding *finding)
{
    const struct crash *crash = crash_of_finding(text->report, finding);

    if (!crash)
        return;
    crash_lines_each(crash, put_line, &text->page);
    buf_add_char(text->page.out, '\n');
}

void text_crashes(struct text *text)
{
    const struct analysis *analysis = report_analysis(text->report);
    size_t n = analysis_snapshots(analysis)->count;
    size_t most = text->all ? SIZE_MAX : CRASHES_USUAL;
    size_t n_crashes = 0;
    struct buf words = {0};

    for (size_t i = 0; i < n; i++) {
        struct crash_view view = report_crash(text->report, i);

        if (!view.crash || !analysis_is_judged(analysis, i))
            continue;
        if (n_crashes++ < most)
            put_crash(text, &view);
    }
    if (n_crashes > most) {
        buf_addf(&words, "%zu more (--all lists them)", n_crashes - most);
        page_paragraph(&text->page, INDENT, buf_str(&words));
    }
    if (n_crashes)
        buf_add_char(text->page.out, '\n');
    buf_done(&words);
}

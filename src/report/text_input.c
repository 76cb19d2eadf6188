#include "report/answer_words.h"
#include "report/text.h"
#include "rules/words.h"

enum {
    INDENT = 2,
    MOMENTS_ENDS = 2, /* of a series, at each end */
    DUMPS_ENDS = 4,   /* of dumps that are no series */
};

/* How many dumps are listed at each end. Of many moments the first and the last
 * say enough; of many dumps in one log the last is the one that is judged. */
static size_t listed_ends(const struct text *text)
{
    const struct cprof_snapshots *snapshots =
        analysis_snapshots(report_analysis(text->report));
    size_t ends = snapshots->is_series ? MOMENTS_ENDS : DUMPS_ENDS;

    return text->verbose || text->all || snapshots->count <= 2 * ends + 1
               ? snapshots->count
               : ends;
}

static void put_between(struct text *text, size_t n)
{
    struct buf words = {0};

    buf_add(&words, STR("... "));
    words_count(&words, n);
    buf_add(&words, STR(" more (-v lists them)"));
    page_tint(&text->page, TINT_FAINT);
    page_paragraph(&text->page, INDENT, buf_str(&words));
    page_plain(&text->page);
    buf_done(&words);
}

void text_snapshots(struct text *text)
{
    const struct analysis *analysis = report_analysis(text->report);
    const struct cprof_snapshots *snapshots = analysis_snapshots(analysis);
    size_t ends = listed_ends(text);
    struct buf words = {0};

    text_head(text, STR("Read"));
    for (size_t i = 0; i < snapshots->count; i++) {
        if (i >= ends && i < snapshots->count - ends) {
            if (i == ends)
                put_between(text, snapshots->count - 2 * ends);
            continue;
        }
        words_of_snapshot(&words, text->report, i);
        buf_add_repeat(text->page.out, ' ', INDENT);
        page_wrap(&text->page, INDENT, 2 * INDENT, buf_str(&words));
        buf_add_char(text->page.out, '\n');
        buf_clear(&words);
    }
    buf_done(&words);
}

static void put_diagnostic(struct text *text, const struct diag *diag)
{
    struct page *page = &text->page;
    struct str severity = str_from(diag_severity_text(diag->severity));
    struct buf words = {0};

    buf_add_repeat(page->out, ' ', INDENT);
    page_add(page, diag->severity == DIAG_INFO ? TINT_INFO : TINT_MEDIUM,
             severity);
    buf_add(&words, STR(": "));
    words_of_diagnostic(&words, diag);
    page_wrap(page, INDENT + severity.len, 2 * INDENT, buf_str(&words));
    buf_add_char(page->out, '\n');
    buf_done(&words);
}

/* Notes are for -v; warnings and errors are always said, the first of them in
 * their own words. */
void text_diagnostics(struct text *text)
{
    const struct diags *diags =
        &analysis_snapshots(report_analysis(text->report))->diags;
    size_t most = text->verbose || text->all ? SIZE_MAX : DIAGS_USUAL;
    size_t shown = 0;
    size_t rest = 0;
    struct buf words = {0};

    for (const struct diag *diag = diags->first; diag; diag = diag->next) {
        if ((diag->severity == DIAG_INFO && !text->verbose) || shown == most) {
            rest++;
            continue;
        }
        if (!shown++)
            text_head(text, STR("Diagnostics"));
        put_diagnostic(text, diag);
    }
    if (rest) { /* notes alone need no heading: they stand below the inputs */
        buf_addf(&words, "%zu %s (-v shows %s)", rest,
                 shown       ? "more"
                 : rest == 1 ? "note"
                             : "notes",
                 rest == 1 ? "it" : "them");
        page_paragraph(&text->page, INDENT, buf_str(&words));
    }
    buf_done(&words);
}

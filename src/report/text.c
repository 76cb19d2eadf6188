#include "report/text.h"

#include "report/answer_words.h"

/* How many findings people should act on, or all of them with --all. */
static size_t count_loud(const struct cprof_report *report)
{
    size_t n = report_n_findings(report);
    size_t loud = 0;

    if (report_options(report)->all)
        return n;
    while (loud < n &&
           severity_is_loud(report_finding(report, loud).finding->severity))
        loud++;
    return loud;
}

/* How many of these are shown in full. */
static size_t count_full(const struct cprof_report *report, size_t n_loud)
{
    size_t most = report_top(report, FINDINGS_USUAL);

    return report_options(report)->all || n_loud < most ? n_loud : most;
}

static enum tint tint_of_calm(const struct report_summary *sum)
{
    return tint_of(sum->is_judged ? sum->verdict : CPROF_SEVERITY_MEDIUM);
}

static void put_calm(struct text *text)
{
    struct page *page = &text->page;
    size_t n = text_word(text, text->sum->word, tint_of_calm(text->sum));
    struct buf words = {0};

    buf_add(page->out, STR(": "));
    words_of_calm(&words, text->report);
    page_wrap(page, n + 2, n + 2, buf_str(&words));
    buf_add_char(page->out, '\n');
    buf_clear(&words);
    words_of_limits(&words, text->report);
    if (buf_is_empty(&words)) {
        buf_done(&words);
        return;
    }
    page_tint(page, TINT_FAINT);
    page_paragraph(page, n + 2, buf_str(&words));
    page_plain(page);
    buf_done(&words);
}

/* Says that filters are on, so that a short list is not taken for all. */
static void put_filtered(struct text *text)
{
    struct buf words = {0};

    if (!text->sum->is_filtered)
        return;
    words_of_filters(&words, text->report);
    buf_add_char(text->page.out, '\n');
    page_paragraph(&text->page, 0, buf_str(&words));
    buf_done(&words);
}

/* What a leak profile said, lest its silence be taken for health. */
static void put_proof(struct text *text)
{
    const struct report_summary *sum = text->sum;
    struct buf words = {0};

    if (!sum->has_proof)
        return;
    words_of_proof(&words, text->report);
    buf_add_char(text->page.out, '\n');
    page_paragraph(&text->page, 0, buf_str(&words));
    buf_done(&words);
}

static int put_findings(struct text *text, struct cprof_error *err)
{
    int rc = 0;

    if (!text->n_full)
        put_calm(text);
    for (size_t i = 0; i < text->n_full && rc == 0; i++) {
        rc = text_finding(text, i, err);
        if (rc == 0)
            rc = output_relieve(text->out, err);
    }
    return rc;
}

int text_view(struct text *text, struct cprof_error *err)
{
    if (profile_is_measured(text->sum->kind))
        return 0;
    if (report_options(text->report)->tree)
        return text_tree(text, err);
    if (report_options(text->report)->group_by != GROUP_BY_STACK)
        text_breakdown(text);
    else if (!text->is_short)
        return text_groups(text, err);
    return 0;
}

struct text text_begin(const struct cprof_report *report, struct output *out,
                       size_t columns, bool color)
{
    size_t n_loud = count_loud(report);

    return (struct text){
        .report = report,
        .sum = report_summary(report),
        .out = out,
        .page = page_begin(&out->buf, columns, color),
        .verbose = report_options(report)->verbose,
        .all = report_options(report)->all,
        .is_short = report_growth(report) && !report_options(report)->all,
        .n_full = count_full(report, n_loud),
        .n_loud = n_loud,
    };
}

int text_answer(struct text *text, struct cprof_error *err)
{
    int rc;

    text_crashes(text);
    rc = put_findings(text, err);
    if (rc < 0)
        return rc;
    text_cycles(text);
    put_filtered(text);
    put_proof(text);
    text_baseline(text);
    text_further_findings(text);
    if (report_growth(text->report))
        text_changes(text);
    rc = text_view(text, err);
    text_normals(text);
    if (rc == 0)
        rc = text_families(text, err);
    if (rc < 0)
        return rc;
    text_measures(text);
    text_snapshots(text);
    text_diagnostics(text);
    return rc;
}

int text_write(const struct cprof_report *report, struct output *out,
               struct cprof_error *err)
{
    const struct cprof_options *options = report_options(report);
    struct text text =
        text_begin(report, out, options->columns, options->color);

    int rc = text_answer(&text, err);

    if (rc == 0)
        text_hint(&text);
    return rc;
}

/* Markdown for an issue, a pull request or a chat, as GitHub and GitLab read
 * it: the verdict and a table of findings in sight, all else folded. */
#include "base/escape.h"
#include "base/markup.h"
#include "report/answer_words.h"
#include "report/baseline_words.h"
#include "report/changes.h"
#include "report/facts.h"
#include "report/text.h"
#include "rules/words.h"

enum {
    COLUMNS = 100,
    ROWS_USUAL = 25,
    PLACE_MOST = 120, /* columns */
    FACT_MOST = 1000,
    TEXT_MOST = 4000,
    /* A comment on GitHub takes 65,536 characters. The rest of the answer is
     * short beside the findings. */
    DETAILS_MOST = 45000,
};

/* A part of the text answer. */
typedef int part_fn(struct text *text, struct cprof_error *err);

/* What every part of the page needs. */
struct markdown {
    const struct cprof_report *report;
    const struct report_summary *sum;
    struct output *out;
    bool all;
};

static void put_fold(struct buf *out, bool is_open)
{
    buf_add(out, is_open ? STR("\n<details open>\n<summary>")
                         : STR("\n<details>\n<summary>"));
}

/* A part of the text answer, which begins with an empty line and its heading:
 * the heading is always in sight, the table below it folded. */
static int put_part(struct markdown *page, part_fn *part, bool is_open,
                    struct cprof_error *err)
{
    struct output inner = {0};
    struct text text = text_begin(page->report, &inner, COLUMNS, false);
    struct buf *out = &page->out->buf;
    struct str lines;
    size_t end;
    int rc = part(&text, err);

    lines = buf_str(&inner.buf);
    if (rc == 0 && str_cut_prefix(&lines, STR("\n"))) {
        end = str_find(lines, '\n');
        put_fold(out, is_open);
        markup_add(out, str_head(lines, end));
        buf_add(out, STR("</summary>\n\n"));
        markdown_add_block(out, str_skip(lines, end + 1));
        buf_add(out, STR("\n</details>\n"));
    }
    out->failed |= inner.buf.failed;
    buf_done(&inner.buf);
    return rc < 0 ? rc : output_relieve(page->out, err);
}

static int part_changes(struct text *text, struct cprof_error *err)
{
    (void)err;
    if (report_growth(text->report))
        text_changes(text);
    return 0;
}

static int part_cycles(struct text *text, struct cprof_error *err)
{
    (void)err;
    text_cycles(text);
    return 0;
}

static int part_normals(struct text *text, struct cprof_error *err)
{
    (void)err;
    text_normals(text);
    return 0;
}

static int part_measures(struct text *text, struct cprof_error *err)
{
    (void)err;
    text_measures(text);
    return 0;
}

static int part_snapshots(struct text *text, struct cprof_error *err)
{
    (void)err;
    text_snapshots(text);
    return 0;
}

/* "## CRITICAL: Requests queued ...", or what stands in place of findings. */
static void put_verdict(struct markdown *page, bool is_calm)
{
    const char *verdict = page->sum->word;
    struct buf *out = &page->out->buf;
    struct buf words = {0};

    buf_add(out, STR("## "));
    for (size_t i = 0; verdict[i]; i++)
        buf_add_char(out, (char)(verdict[i] - 'a' + 'A'));
    buf_add(out, STR(": "));
    if (is_calm)
        words_of_calm(&words, page->report);
    else
        buf_add(&words, report_finding(page->report, 0).finding->rule->title);
    markdown_add(out, buf_str(&words));
    buf_add(out, STR("\n"));
    out->failed |= words.failed;
    buf_done(&words);
}

/* A paragraph of words that are settled elsewhere; nothing for none. */
static void put_paragraph(struct buf *out, struct buf *words)
{
    if (words->len) {
        buf_add_char(out, '\n');
        markdown_add(out, buf_str(words));
        buf_add_char(out, '\n');
    }
    out->failed |= words->failed;
    buf_clear(words);
}

/* The figures of the worst finding, or what such dumps cannot show; what
 * filters and a leak profile say; why the process died. */
static void put_lead(struct markdown *page, bool is_calm)
{
    struct buf *out = &page->out->buf;
    struct output inner = {0};
    struct text text = text_begin(page->report, &inner, COLUMNS, false);
    struct buf words = {0};

    text_crashes(&text);
    if (inner.buf.len) {
        buf_add_char(out, '\n');
        markdown_add_block(out, str_trim(buf_str(&inner.buf)));
    }
    buf_done(&inner.buf);
    if (is_calm) {
        words_of_limits(&words, page->report);
    } else {
        const struct finding *worst = report_finding(page->report, 0).finding;

        counted_of_add(&words, page->report, worst->count, worst->share);
        buf_add_char(&words, '.');
    }
    put_paragraph(out, &words);
    if (page->sum->is_filtered)
        words_of_filters(&words, page->report);
    put_paragraph(out, &words);
    if (page->sum->has_proof)
        words_of_proof(&words, page->report);
    put_paragraph(out, &words);
    if (report_baseline(page->report))
        words_of_baseline(&words, page->report, false);
    put_paragraph(out, &words);
    buf_done(&words);
}

/* Where a finding waits, in the cell of a table. */
static void add_where(struct buf *out, const struct finding_view *view)
{
    struct buf words = {0};
    struct buf place = {0};

    if (view->has_site || view->finding->n_groups <= 1) {
        size_t tail = text_place_short(&words, &view->site);

        text_place_fit(&place, buf_str(&words), tail, PLACE_MOST);
        markdown_add_code(out, buf_str(&place), true);
    } else {
        words_count(&words, view->finding->n_groups);
        buf_addf(out, "%s groups", words.ptr ? words.ptr : "");
    }
    out->failed |= words.failed || place.failed;
    buf_done(&words);
    buf_done(&place);
}

static void put_row(struct buf *out, const struct finding_view *view)
{
    const struct finding *finding = view->finding;
    bool is_loud = severity_is_loud(finding->severity);

    buf_addf(out, is_loud ? "| **%s** | " : "| %s | ",
             severity_text(finding->severity));
    markdown_add(out, finding->rule->title);
    buf_add(out, STR(" | "));
    words_count(out, finding->count);
    buf_add(out, STR(" | "));
    words_share(out, finding->share);
    buf_add(out, STR(" | "));
    markdown_add(out, view->state.len ? view->state : STR("several"));
    buf_add(out, STR(" | "));
    add_where(out, view);
    buf_add(out, STR(" |\n"));
}

static void put_more(struct buf *out, size_t n, const char *hint)
{
    struct buf words = {0};

    if (!n)
        return;
    words_count(&words, n);
    buf_addf(out, "\n*... %s more finding%s%s*\n", words.ptr ? words.ptr : "",
             n == 1 ? "" : "s", hint);
    out->failed |= words.failed;
    buf_done(&words);
}

static void put_findings(struct markdown *page)
{
    size_t n = report_n_findings(page->report);
    size_t most = report_top(page->report, ROWS_USUAL);
    struct buf *out = &page->out->buf;

    if (!n)
        return;
    buf_addf(out,
             "\n| severity | finding | %s | share | state | where |\n"
             "|---|---|--:|--:|---|---|\n",
             page->sum->nouns->many);
    for (size_t i = 0; i < n && i < most; i++) {
        struct finding_view view = report_finding(page->report, i);

        put_row(out, &view);
    }
    put_more(out, n > most ? n - most : 0, " (`--all` lists them)");
}

/* "- **state:** chan send"; what has no name goes on with the line. */
static void put_fact(void *user, const struct fact *fact)
{
    struct buf *out = user;
    struct buf words = {0};

    if (*fact->name)
        buf_addf(out, "\n- **%s:** ", fact->name);
    else
        buf_add(out, STR(", "));
    fit_add(&words, fact->words, FACT_MOST, CUT_MIDDLE);
    if (fact->kind == FACT_CODE)
        markdown_add_code(out, buf_str(&words), false);
    else
        markdown_add(out, buf_str(&words));
    out->failed |= words.failed;
    buf_done(&words);
}

static void put_prose(struct buf *out, const char *lead, struct str words)
{
    struct buf shown = {0};

    if (!words.len)
        return;
    fit_add_line(&shown, words, TEXT_MOST, CUT_MIDDLE);
    buf_addf(out, "\n%s", lead);
    markdown_add(out, buf_str(&shown));
    buf_add_char(out, '\n');
    out->failed |= shown.failed;
    buf_done(&shown);
}

static void put_item(struct buf *out, struct str item)
{
    buf_add(out, STR("- "));
    markdown_add(out, item);
    buf_add_char(out, '\n');
}

static void put_list(struct buf *out, const char *lead, struct rule_texts items)
{
    if (items.count)
        buf_addf(out, "\n**%s**\n\n", lead);
    for (size_t i = 0; i < items.count; i++)
        put_item(out, items.items[i]);
}

static void put_decide(void *user, struct str text)
{
    put_item(user, text);
}

static void put_decides(struct markdown *page, const struct finding *finding,
                        bool repeated)
{
    struct buf *out = &page->out->buf;

    if (finding_decides(page->report, finding, !repeated, NULL, NULL))
        buf_add(out, STR("\n**To decide**\n\n"));
    finding_decides(page->report, finding, !repeated, put_decide, out);
}

static void put_references(struct buf *out, struct rule_texts references)
{
    if (references.count)
        buf_add(out, STR("\n**See**\n\n"));
    for (size_t i = 0; i < references.count; i++) {
        buf_add(out, STR("- "));
        markdown_add_link(out, references.items[i]);
        buf_add_char(out, '\n');
    }
}

/* The stack of the largest group, as text has it. */
static int put_stack(struct markdown *page, const struct finding *finding,
                     struct arena *scratch, struct cprof_error *err)
{
    struct output inner = {0};
    struct text text = text_begin(page->report, &inner, COLUMNS, false);
    struct buf *out = &page->out->buf;
    struct group_view view;
    int rc;

    if (!finding->n_groups)
        return 0;
    rc = report_group(page->report, finding->groups[0], &view, scratch, err);
    if (rc < 0)
        return rc;
    buf_add(out, finding->n_groups > 1 ? STR("\n**Stack of the largest group**")
                                       : STR("\n**Stack**"));
    buf_addf(out, " (signature `%.12s`)\n\n", view.signature.text);
    text_stack(&text, &view);
    markdown_add_block(out, buf_str(&inner.buf));
    out->failed |= inner.buf.failed;
    buf_done(&inner.buf);
    return 0;
}

/* "CRITICAL: Requests queued ... (97,908)", which HTML reads. */
static void put_summary(struct buf *out, const struct finding *finding)
{
    buf_addf(out, "<b>%s</b>: ", severity_text(finding->severity));
    markup_add(out, finding->rule->title);
    buf_add(out, STR(" ("));
    words_count(out, finding->count);
    buf_add(out, STR(")</summary>\n"));
}

static int put_detail(struct markdown *page, size_t index,
                      struct cprof_error *err)
{
    struct finding_view view = report_finding(page->report, index);
    const struct rule_info *rule = view.finding->rule;
    struct arena scratch = report_scratch(page->report);
    struct evidence_view evidence =
        report_finding_evidence(page->report, view.finding, &scratch);
    enum words_place place = report_words_place(page->report, index);
    struct buf *out = &page->out->buf;
    int rc;

    put_fold(out, index == 0);
    put_summary(out, view.finding);
    facts_each(page->report, &view, &evidence, put_fact, out);
    buf_add_char(out, '\n');
    put_prose(out, "", view.finding->explain);
    if (place == WORDS_HERE)
        put_prose(out, "**Cause:** ", rule->cause);
    put_decides(page, view.finding, place != WORDS_HERE);
    if (place != WORDS_HERE)
        put_prose(out, "", words_place_text(place));
    else
        put_list(out, "To do", rule->advice);
    rc = put_stack(page, view.finding, &scratch, err);
    if (place == WORDS_HERE)
        put_references(out, rule->references);
    buf_add(out, STR("\n</details>\n"));
    arena_done(&scratch);
    return rc;
}

/* The findings that text has in full, as many as a comment has room for. */
static int put_details(struct markdown *page, const struct text *text,
                       struct cprof_error *err)
{
    struct buf *out = &page->out->buf;
    size_t room = page->all ? SIZE_MAX : DETAILS_MOST;
    size_t told = 0;
    int rc;

    for (; told < text->n_full; told++) {
        size_t before = out->len;

        rc = put_detail(page, told, err);
        if (rc < 0)
            return rc;
        if (told && out->len - before > room) {
            out->len = before;
            break;
        }
        room -= out->len - before < room ? out->len - before : room;
    }
    put_more(out, text->n_loud - told,
             " in full (`--all` has them; a comment would not)");
    return 0;
}

/* What was odd about the inputs is never folded. */
static void put_diagnostics(struct markdown *page)
{
    const struct diags *diags =
        &analysis_snapshots(report_analysis(page->report))->diags;
    struct buf *out = &page->out->buf;
    size_t most = page->all ? SIZE_MAX : DIAGS_USUAL;
    struct buf words = {0};
    size_t n = 0;

    for (const struct diag *diag = diags->first; diag && n < most;
         diag = diag->next) {
        if (diag->severity == DIAG_INFO &&
            !report_options(page->report)->verbose)
            continue;
        if (!n++)
            buf_add_char(out, '\n');
        buf_addf(out, "- **%s:** ", diag_severity_text(diag->severity));
        words_of_diagnostic(&words, diag);
        markdown_add(out, buf_str(&words));
        buf_add_char(out, '\n');
        buf_clear(&words);
    }
    buf_done(&words);
}

static int put_parts(struct markdown *page, struct cprof_error *err)
{
    static const struct {
        part_fn *part;
        bool is_open;
    } parts[] = {
        {part_cycles, true},     {part_changes, true},   {text_view, false},
        {part_normals, false},   {text_families, false}, {part_measures, true},
        {part_snapshots, false},
    };
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < sizeof(parts) / sizeof(parts[0]); i++)
        rc = put_part(page, parts[i].part, parts[i].is_open, err);
    return rc;
}

int markdown_write(const struct cprof_report *report, struct output *out,
                   struct cprof_error *err)
{
    struct markdown page = {
        .report = report,
        .sum = report_summary(report),
        .out = out,
        .all = report_options(report)->all,
    };
    struct text text = text_begin(report, out, COLUMNS, false);
    int rc;

    put_verdict(&page, !text.n_full);
    put_lead(&page, !text.n_full);
    put_findings(&page);
    rc = put_details(&page, &text, err);
    if (rc == 0)
        rc = put_parts(&page, err);
    if (rc == 0)
        put_diagnostics(&page);
    return rc;
}

#include "report/text.h"

#include "report/changes.h"
#include "report/measures.h"
#include "rules/words.h"

/* How many findings are shown in full: those that people should act on, or
 * all of them with --all. */
static size_t count_full(const struct cprof_report *report)
{
    size_t n = report_n_findings(report);
    size_t most = report_top(report, FINDINGS_USUAL);
    size_t full = 0;

    while (full < n && full < most &&
           (report_options(report)->all ||
            severity_is_loud(report_finding(report, full).finding->severity)))
        full++;
    return full;
}

static void add_value(struct buf *words, const struct measures *measures,
                      int64_t value)
{
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    unit_add(words, value, unit_choose(measures->type.unit, size, size));
}

/* "two heap profiles: inuse_space went from 2.66MB to 3.97MB" */
static void add_comparison(struct buf *words, const struct measures *measures)
{
    const struct family *family = measures->family;
    struct buf before = {0};
    struct buf after = {0};

    add_value(&before, measures, family->befores[measures->type_index]);
    add_value(&after, measures, family->sums[measures->type_index]);
    buf_addf(words, "two " STR_FORMAT " profiles: " STR_FORMAT " ",
             STR_ARG(family->info->profile), STR_ARG(measures->type.name));
    if (str_equal(buf_str(&before), buf_str(&after)))
        buf_add(words, STR("stayed at "));
    else
        buf_addf(words, "went from " STR_FORMAT " to ",
                 STR_ARG(buf_str(&before)));
    buf_add(words, buf_str(&after));
    buf_done(&before);
    buf_done(&after);
}

/* "a mutex profile: 1.20s of delay, 159 contentions" */
static void add_measured(struct text *text, struct buf *words)
{
    const struct report_summary *sum = text->sum;
    const struct measures *measures;
    const struct family *family;

    if (!report_n_measures(text->report)) {
        buf_addf(words, "a profile (" STR_FORMAT ") of ",
                 STR_ARG(sum->profile));
        text_counted(text, words, sum->share_of);
        return;
    }
    measures = report_measures(text->report, 0);
    family = measures->family;
    if (measures->is_comparison) {
        add_comparison(words, measures);
        return;
    }
    if (family->info->has_negative) {
        buf_addf(words, "the difference of two " STR_FORMAT " profiles: ",
                 STR_ARG(sum->profile));
        add_value(words, measures, family->sums[measures->type_index]);
        buf_addf(words, " of " STR_FORMAT, STR_ARG(measures->type.name));
        return;
    }
    buf_addf(words, "%s " STR_FORMAT " profile: ",
             str_find(STR("aeiou"), sum->profile.ptr[0]) < 5 ? "an" : "a",
             STR_ARG(sum->profile));
    add_value(words, measures, measures->total);
    buf_addf(words, " of " STR_FORMAT, STR_ARG(measures->type.name));
    if (measures->count <= 0 || measures->count_index == measures->type_index)
        return;
    buf_add(words, STR(", "));
    text_counted(text, words, (uint64_t)measures->count);
    if (family->info->duration_ns > 0 && family->n_judged == 1)
        buf_addf(words, ", over %.2f s",
                 (double)family->info->duration_ns / 1e9);
}

/* "nothing changed among 136 goroutines", when nothing grows loudly. */
static void add_calm_changes(struct text *text, struct buf *words)
{
    size_t grown = changes_grown(text->report);

    if (!changes_any(text->report))
        buf_add(words, STR("nothing changed among "));
    else if (grown)
        buf_addf(words, "%zu place%s grew, without showing a leak yet, among ",
                 grown, grown == 1 ? "" : "s");
    else
        buf_add(words, STR("nothing grows beyond the usual coming and going "
                           "among "));
    text_counted(text, words, text->sum->share_of);
}

/* "83 goroutines", or "the goroutines that the filters keep, 3 of 83". */
static void add_judged(struct text *text, struct buf *words)
{
    const struct report_summary *sum = text->sum;

    if (!sum->is_filtered) {
        text_counted(text, words, sum->share_of);
        return;
    }
    buf_addf(words, "the %s that the filters keep, ", sum->nouns->many);
    words_count(words, sum->shown);
    buf_add(words, STR(" of "));
    words_count(words, sum->share_of);
}

/* "Nothing stands out among 83 goroutines", when no finding is loud. */
static void add_calm(struct text *text, struct buf *words)
{
    const struct report_summary *sum = text->sum;

    if (sum->kind == PROFILE_GOROUTINELEAK && !sum->share_of) {
        buf_add(words, STR("the runtime has proven no goroutine leaked"));
    } else if (profile_is_measured(sum->kind)) {
        add_measured(text, words);
    } else if (!sum->share_of) {
        buf_addf(words, "the profile holds no %s", sum->nouns->many);
    } else if (sum->is_filtered && !sum->shown) {
        buf_add(words, STR("the filters keep none of "));
        text_counted(text, words, sum->share_of);
    } else if (report_growth(text->report)) {
        add_calm_changes(text, words);
    } else if (sum->verdict == CPROF_SEVERITY_OK) {
        buf_add(words, STR("nothing stands out among "));
        add_judged(text, words);
    } else {
        buf_add(words, STR("nothing of medium severity or above among "));
        add_judged(text, words);
    }
}

/* What such a dump cannot show, lest silence be taken for health. */
static void add_limits(struct text *text, struct buf *words)
{
    const struct report_summary *sum = text->sum;

    if (sum->kind == PROFILE_GOROUTINELEAK) {
        buf_add(words, STR("A goroutine that waits for something still "
                           "reachable is not in such a profile."));
        return;
    }
    if (profile_is_measured(sum->kind)) {
        buf_add(words, STR("Rules judge goroutines only: this profile shows "
                           "where, not whether it is too much."));
        return;
    }
    if (!sum->format->has_ages && !report_growth(text->report))
        buf_addf(words, "%s carries no ages. ", sum->format->words);
    if (report_growth(text->report)) {
        if (growth_series(report_growth(text->report), 0)->n >= TREND_WHOLE)
            return;
        buf_add(words, changes_grown(text->report)
                           ? STR("Five snapshots, some minutes apart, tell a "
                                 "leak from traffic; two do when debug=2 "
                                 "gives them goroutine ids.")
                           : STR("A slow leak shows from five snapshots on, "
                                 "some minutes apart."));
        return;
    }
    buf_add(words, STR("Growth shows only against a second dump, some minutes "
                       "later."));
}

static void put_calm(struct text *text)
{
    struct page *page = &text->page;
    size_t n = text_severity(text, text->sum->verdict);
    struct buf words = {0};

    buf_add(page->out, STR(": "));
    add_calm(text, &words);
    page_wrap(page, n + 2, n + 2, buf_str(&words));
    buf_add_char(page->out, '\n');
    buf_clear(&words);
    add_limits(text, &words);
    if (!words.len) {
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
    buf_add(&words, STR("The filters keep "));
    words_count(&words, text->sum->shown);
    buf_add(&words, STR(" of "));
    text_counted(text, &words, text->sum->goroutines);
    buf_add(&words, STR(" in "));
    words_count(&words, text->sum->n_groups);
    buf_addf(&words, " group%s.", text->sum->n_groups == 1 ? "" : "s");
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
    buf_add(&words, STR("The Go runtime has proven "));
    if (sum->leaked)
        words_count(&words, sum->leaked);
    else
        buf_add(&words, STR("none"));
    buf_add(&words, STR(" of these goroutines leaked. That clears no other: "
                        "one that waits for something still reachable is never "
                        "proven."));
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

/* What the leading family holds, in the order that was asked for. */
static int put_groups(struct text *text, struct cprof_error *err)
{
    bool is_short = report_growth(text->report) && !text->all;
    int rc = 0;

    if (report_options(text->report)->group_by != GROUP_BY_STACK)
        text_breakdown(text);
    else if (!is_short) /* what did not change says nothing there */
        rc = text_groups(text, err);
    if (!is_short)
        text_normals(text);
    return rc;
}

int text_write(const struct cprof_report *report, struct output *out,
               struct cprof_error *err)
{
    const struct cprof_options *options = report_options(report);
    struct text text = {
        .report = report,
        .sum = report_summary(report),
        .out = out,
        .page = page_begin(&out->buf, options->columns, options->color),
        .verbose = options->verbose,
        .all = options->all,
        .n_full = count_full(report),
    };
    int rc;

    text_crashes(&text);
    rc = put_findings(&text, err);
    if (rc < 0)
        return rc;
    text_cycles(&text);
    put_filtered(&text);
    put_proof(&text);
    text_minor_findings(&text);
    if (report_growth(report))
        text_changes(&text);
    if (!profile_is_measured(text.sum->kind))
        rc = put_groups(&text, err);
    if (rc == 0)
        rc = text_families(&text, err);
    if (rc < 0)
        return rc;
    text_measures(&text);
    text_snapshots(&text);
    text_diagnostics(&text);
    return rc;
}

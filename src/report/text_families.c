#include "report/answer_words.h"
#include "report/text_row.h"

static void put_row(struct text *text, const struct group_view *view,
                    size_t width)
{
    struct code_place site = {0};
    struct buf words = {0};
    size_t tail;

    if (view->site >= 0)
        site = view->frames[view->site];
    row_count(text, view->group->count, width);
    row_share(text, view->share);
    tail = text_place_short(&words, &site);
    row_place(text, buf_str(&words), tail,
              ROW_INDENT + width + ROW_GAP + ROW_SHARE);
    buf_done(&words);
}

/* "threadcreate profile: 9 threads" */
static void put_head(struct text *text, const struct family *family)
{
    struct buf words = {0};

    buf_add(&words, family->info->profile);
    buf_add(&words, STR(" profile: "));
    counted_add(&words, nouns_of(family->info->kind), family->goroutines);
    text_head(text, buf_str(&words));
    buf_done(&words);
}

/* The kept groups of a family, the largest first. */
static int put_family(struct text *text, uint32_t index,
                      struct cprof_error *err)
{
    const struct cprof_report *report = text->report;
    const struct analysis *analysis = report_analysis(report);
    size_t most = report_top(report, GROUPS_USUAL);
    struct arena scratch = report_scratch(report);
    struct group_view view;
    size_t width = 0;
    size_t n = 0;
    int rc = 0;

    put_head(text, analysis_family(analysis, index));
    for (size_t i = report_next_group(report, 0); i != SIZE_MAX && rc == 0;
         i = report_next_group(report, i + 1)) {
        const struct joined_group *group =
            analysis_group(report_analysis(report), i);

        if (group->family != index || n++ >= most)
            continue;
        if (!width)
            width = row_count_width(group->count);
        rc = report_group(report, i, &view, &scratch, err);
        if (rc == 0)
            put_row(text, &view, width);
        if (rc == 0)
            rc = output_relieve(text->out, err);
    }
    arena_done(&scratch);
    row_more(text, n > most ? n - most : 0, "group");
    return rc;
}

int text_families(struct text *text, struct cprof_error *err)
{
    const struct analysis *analysis = report_analysis(text->report);
    int rc = 0;

    for (uint32_t i = 1; i < analysis_n_families(analysis) && rc == 0; i++) {
        const struct family *family = analysis_family(analysis, i);

        if (family->n_judged && !profile_is_measured(family->info->kind))
            rc = put_family(text, i, err);
    }
    return rc;
}

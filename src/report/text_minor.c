#include "base/escape.h"
#include "report/human.h"
#include "report/text_row.h"
#include "rules/words.h"

struct widths {
    size_t severity;
    size_t count;
    size_t name; /* the rule's id, or its title */
    size_t place;
    size_t title; /* 0 = no room for it */
};

static void add_groups(struct buf *buf, size_t n)
{
    buf_add_char(buf, '(');
    words_count(buf, n);
    buf_add(buf, STR(" groups)"));
}

/* Where the goroutines of a finding wait, in short. Returns the bytes behind
 * the function. */
static size_t add_place(struct buf *buf, const struct finding_view *view)
{
    if (view->has_site || view->finding->n_groups <= 1)
        return text_place_short(buf, &view->site);
    add_groups(buf, view->finding->n_groups);
    return 0;
}

static struct widths measure_findings(struct text *text, size_t start,
                                      size_t end)
{
    struct widths widths = {0};
    size_t used;
    size_t most;

    for (size_t i = start; i < end; i++) {
        struct finding_view view = report_finding(text->report, i);
        const struct finding *finding = view.finding;
        struct buf place = {0};

        add_place(&place, &view);
        widths.severity = row_wider(widths.severity,
                                    strlen(severity_text(finding->severity)));
        widths.count = row_wider(widths.count, row_count_width(finding->count));
        widths.name = row_wider(widths.name, display_width(finding->rule->id));
        widths.place = row_wider(widths.place, row_words_width(text, &place));
        widths.title =
            row_wider(widths.title, display_width(finding->rule->title));
        buf_done(&place);
    }
    used = 2 * ROW_INDENT + widths.severity + widths.count + ROW_GAP;
    most = text->page.columns < PAGE_NARROW ? text->page.columns - used
                                            : text->page.columns / 2;
    if (widths.name > most)
        widths.name = most;
    used = 2 * ROW_INDENT + widths.severity + widths.count + widths.name +
           widths.place + 3 * ROW_GAP;
    if (used + widths.title > text->page.columns)
        widths.title = 0;
    return widths;
}

/* The id of the rule says in short what its title says, and it is the word to
 * look for in the documents; the title comes where there is room. */
static void put_finding(struct text *text, const struct widths *widths,
                        const struct finding_view *view)
{
    const struct finding *finding = view->finding;
    struct str severity = str_from(severity_text(finding->severity));
    size_t used = 2 * ROW_INDENT + widths->severity + widths->count + ROW_GAP +
                  widths->name;
    struct buf place = {0};
    size_t tail;

    buf_add_repeat(text->page.out, ' ', ROW_INDENT);
    page_add(&text->page, tint_of(finding->severity), severity);
    buf_add_repeat(text->page.out, ' ', widths->severity - severity.len);
    row_count(text, finding->count, widths->count);
    row_cell(text, finding->rule->id, widths->name, ALIGN_LEFT);
    tail = add_place(&place, view);
    if (widths->title) {
        row_cell(text, buf_str(&place), widths->place, ALIGN_LEFT);
        used += ROW_GAP + widths->place;
        row_last(text, finding->rule->title, used);
    } else {
        row_place(text, buf_str(&place), tail, used);
    }
    buf_done(&place);
}

/* The findings from one on to another, as many as there is room for. */
static void put_findings(struct text *text, struct str head, size_t start,
                         size_t n)
{
    size_t most = report_top(text->report, FINDINGS_USUAL);
    size_t end = n - start > most ? start + most : n;
    struct widths widths = measure_findings(text, start, end);
    const struct finding *above = NULL;

    if (start == n)
        return;
    text_head(text, head);
    for (size_t i = start; i < end; i++) {
        struct finding_view view = report_finding(text->report, i);
        const struct finding *finding = view.finding;

        put_finding(text, &widths, &view);
        if (!above || above->rule != finding->rule ||
            above->holding != finding->holding)
            text_held_line(text, finding);
        above = finding;
    }
    row_more(text, n - end, "finding");
}

void text_further_findings(struct text *text)
{
    put_findings(text, STR("Further findings (--all explains them)"),
                 text->n_full, text->n_loud);
    put_findings(text, STR("Minor findings (--all explains them)"),
                 text->n_loud, report_n_findings(text->report));
}

/* Lets the places give way to titles, but not below a third of the line. */
static void settle_normals(const struct text *text, struct widths *widths)
{
    size_t taken = ROW_INDENT + widths->count + 2 * ROW_GAP;
    size_t left = taken < text->page.columns ? text->page.columns - taken : 0;

    size_t most = text->page.columns < PAGE_NARROW ? left : left * 2 / 3;

    if (widths->name + widths->place > left && widths->name > most)
        widths->name = most;
}

static void put_normal(struct text *text, const struct widths *widths,
                       const struct normal_row *row)
{
    struct buf place = {0};

    row_count(text, row->count, widths->count);
    row_cell(text, row->rule->title, widths->name, ALIGN_LEFT);
    text_function_short(&place, row->place.function);
    row_place(text, buf_str(&place), 0,
              ROW_INDENT + widths->count + ROW_GAP + widths->name);
    buf_done(&place);
}

void text_normals(struct text *text)
{
    size_t n = report_n_normals(text->report);
    struct widths widths = {0};
    struct buf place = {0};

    if (!n || text->is_short || profile_is_measured(text->sum->kind))
        return;
    for (size_t i = 0; i < n; i++) {
        const struct normal_row *row = report_normal(text->report, i);

        text_function_short(&place, row->place.function);
        widths.count = row_wider(widths.count, row_count_width(row->count));
        widths.name = row_wider(widths.name, display_width(row->rule->title));
        widths.place = row_wider(widths.place, row_words_width(text, &place));
        buf_clear(&place);
    }
    settle_normals(text, &widths);
    text_head(text, STR("Normal, set aside"));
    for (size_t i = 0; i < n; i++)
        put_normal(text, &widths, report_normal(text->report, i));
    buf_done(&place);
}

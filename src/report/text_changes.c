#include "base/escape.h"
#include "report/changes.h"
#include "report/text_row.h"

enum { CHANGES_USUAL = 15 };

enum column { BEFORE, AFTER, CHANGE, RATE, VERDICT, COURSE, COLUMNS };

/* The columns that are shown with their widths, and how many places are in a
 * row. Two snapshots have a change; more of them a rate and a course. */
struct layout {
    bool shows[COLUMNS];
    size_t widths[COLUMNS];
    size_t n;
};

static struct str head_of(const struct text *text, enum column column)
{
    static const struct str heads[COLUMNS] = {
        STR_INIT("BEFORE"),   STR_INIT("AFTER"),   STR_INIT("CHANGE"),
        STR_INIT("PER HOUR"), STR_INIT("VERDICT"), STR_INIT("COURSE"),
    };
    const struct moments *series =
        growth_series(report_growth(text->report), 0);

    return column == RATE && series->clock == CLOCK_STEPS ? STR("PER STEP")
                                                          : heads[column];
}

/* Whether some instance has more than two moments. */
static bool has_course(const struct growth *growth)
{
    for (size_t i = 0; i < growth_n_series(growth); i++) {
        if (growth_series(growth, i)->n >= TREND_FEW)
            return true;
    }
    return false;
}

static void choose_columns(const struct text *text, struct layout *layout)
{
    bool course = has_course(report_growth(text->report));

    for (size_t i = 0; i < COLUMNS; i++) {
        layout->shows[i] = i == CHANGE                ? !course
                           : i == RATE || i == COURSE ? course
                                                      : true;
        if (layout->shows[i])
            layout->widths[i] = head_of(text, (enum column)i).len;
    }
}

static void fill_cell(const struct change_view *view, enum column column,
                      struct buf *words)
{
    switch (column) {
    case BEFORE:
        change_add_figure(words, view->site->before);
        break;
    case AFTER:
        change_add_figure(words, view->site->after);
        break;
    case CHANGE:
        change_add_signed(words, view->delta);
        break;
    case RATE:
        if (view->site->n >= TREND_FEW)
            change_add_signed(words, view->site->rate.median);
        break;
    case VERDICT:
        buf_add(words, change_verdict_word(view));
        break;
    case COURSE:
        change_add_course(words, view);
        break;
    case COLUMNS:
        break;
    }
}

static void measure(const struct text *text, struct layout *layout,
                    const struct change_view *view)
{
    for (enum column i = 0; i < COLUMNS; i++) {
        struct buf words = {0};

        if (!layout->shows[i])
            continue;
        fill_cell(view, i, &words);
        layout->widths[i] =
            row_wider(layout->widths[i], row_words_width(text, &words));
        buf_done(&words);
    }
}

/* Cells of figures stand right, words left. */
static void put_cell(struct text *text, const struct layout *layout, size_t i,
                     struct str words)
{
    enum align align = i <= RATE ? ALIGN_RIGHT : ALIGN_LEFT;

    if (!layout->shows[i])
        return;
    buf_add_repeat(text->page.out, ' ', i ? ROW_GAP : ROW_INDENT);
    cell_add(text->page.out, words, layout->widths[i], align, CUT_END);
}

static size_t used_by(const struct layout *layout)
{
    size_t used = ROW_INDENT;

    for (size_t i = 0; i < COLUMNS; i++) {
        if (layout->shows[i])
            used += layout->widths[i] + (i ? ROW_GAP : 0);
    }
    return used;
}

static void put_change(struct text *text, const struct layout *layout,
                       const struct change_view *view)
{
    struct buf words = {0};
    size_t taken;
    size_t tail;

    for (enum column i = 0; i < COLUMNS; i++) {
        fill_cell(view, i, &words);
        put_cell(text, layout, i, buf_str(&words));
        buf_clear(&words);
    }
    tail = text_place_short(&words, &view->place);
    taken = used_by(layout) + ROW_GAP + row_words_width(text, &words) + 2 +
            display_width(view->state);
    if (taken <= text->page.columns) {
        buf_add(&words, STR(", "));
        buf_add(&words, view->state);
        tail = 0;
    }
    row_place(text, buf_str(&words), tail, used_by(layout));
    buf_done(&words);
}

static void put_heads(struct text *text, const struct layout *layout)
{
    page_tint(&text->page, TINT_FAINT);
    for (size_t i = 0; i < COLUMNS; i++)
        put_cell(text, layout, i, head_of(text, (enum column)i));
    row_last(text, STR("WHERE"), used_by(layout));
    page_plain(&text->page);
}

/* "Changes over 8 snapshots, 35m" */
static void put_title(struct text *text, const struct growth *growth)
{
    struct buf words = {0};

    buf_add(&words, STR("Changes over "));
    change_add_span(&words, growth_series(growth, 0));
    if (growth_n_series(growth) > 1)
        buf_addf(&words, ", and %zu more instance%s",
                 growth_n_series(growth) - 1,
                 growth_n_series(growth) == 2 ? "" : "s");
    text_head(text, buf_str(&words));
    buf_done(&words);
}

static void put_rest(struct text *text, size_t n)
{
    struct buf words = {0};

    if (!n)
        return;
    buf_addf(&words,
             "%zu place%s changed by no more than the usual coming and going%s",
             n, n == 1 ? "" : "s", text->all ? "." : " (--all shows them).");
    page_tint(&text->page, TINT_FAINT);
    page_paragraph(&text->page, ROW_INDENT, buf_str(&words));
    page_plain(&text->page);
    buf_done(&words);
}

/* Whether a place has a row. */
static bool has_row(const struct text *text, const struct change_view *view)
{
    return !view->is_filtered && (view->is_shown || text->all);
}

/* Measures the rows that are shown. Places beyond --top are counted in
 * *ret_cut, and in *ret_hidden those that hardly changed. */
static void lay_out(struct text *text, struct layout *layout, size_t *ret_cut,
                    size_t *ret_hidden)
{
    const struct growth *growth = report_growth(text->report);
    size_t most = report_top(text->report, CHANGES_USUAL);

    choose_columns(text, layout);
    for (size_t i = 0; i < growth_n_sites(growth); i++) {
        struct change_view view = change_view(text->report, i);

        if (!has_row(text, &view)) {
            *ret_hidden += !view.is_filtered;
        } else if (layout->n < most) {
            layout->n++;
            measure(text, layout, &view);
        } else {
            ++*ret_cut;
        }
    }
}

void text_changes(struct text *text)
{
    const struct growth *growth = report_growth(text->report);
    struct layout layout = {0};
    size_t hidden = 0;
    size_t cut = 0;

    if (!growth_n_series(growth) ||
        (!changes_any(text->report) && !changes_still_waiting(text->report)))
        return;
    lay_out(text, &layout, &cut, &hidden);
    put_title(text, growth);
    if (layout.n)
        put_heads(text, &layout);
    for (size_t i = 0, n = 0; i < growth_n_sites(growth) && n < layout.n; i++) {
        struct change_view view = change_view(text->report, i);

        if (!has_row(text, &view))
            continue;
        put_change(text, &layout, &view);
        n++;
    }
    row_more(text, cut, "place");
    put_rest(text, hidden);
}

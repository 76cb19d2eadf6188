#include "report/html.h"
#include "rules/words.h"

enum { CHANGES_USUAL = 30 };

/* One place that changed: what it does in words, and its curve. */
static void put_change(struct html *html, const struct change_view *view)
{
    struct buf words = {0};

    buf_addf(html->buf,
             "<li class=\"change\">\n<div>\n<p><span class=\"growth g-%s\">",
             growth_is_leak_like(view->site) ? "leak" : view->verdict);
    html_text(html, change_verdict_word(view));
    html_raw(html, "</span> <b class=\"num\">");
    change_add_figure(&words, view->site->before);
    buf_add(&words, STR(" → "));
    change_add_figure(&words, view->site->after);
    html_words(html, &words);
    html_raw(html, "</b></p>\n<p>");
    html_place(html, &view->place);
    html_raw(html, "</p>\n<p class=\"faint\">");
    html_text(html, view->state);
    html_raw(html, "; ");
    change_add_words(&words, view);
    html_words(html, &words);
    html_raw(html, "</p>\n</div>\n");
    html_chart(html, view);
    html_raw(html, "</li>\n");
    buf_done(&words);
}

/* Writes the places that changed, or those that hardly did; returns how many
 * there are. */
static size_t put_places(struct html *html, bool shown, size_t most)
{
    const struct growth *growth = report_growth(html->report);
    size_t n = 0;

    for (size_t i = 0; i < growth_n_sites(growth); i++) {
        struct change_view view = change_view(html->report, i);

        if (view.is_filtered || view.is_shown != shown)
            continue;
        if (n++ < most)
            put_change(html, &view);
    }
    return n;
}

/* "Over 8 snapshots, 35m", and what the drawings mean. */
static void put_span(struct html *html, const struct growth *growth)
{
    const struct moments *series = growth_series(growth, 0);
    struct buf words = {0};

    buf_add(&words, STR("Over "));
    change_add_span(&words, series);
    if (growth_n_series(growth) > 1)
        buf_addf(&words, ", and %zu more instance%s",
                 growth_n_series(growth) - 1,
                 growth_n_series(growth) == 2 ? "" : "s");
    buf_add_char(&words, '.');
    if (series->n >= TREND_WHOLE)
        buf_add(&words, STR(" The straight line is the rate, the shade beside "
                            "it its interval of 90 %."));
    if (series->has_restart)
        buf_add(&words, STR(" The dashed line is the restart."));
    html_paragraph(html, "faint", &words);
    buf_done(&words);
}

static void put_rest(struct html *html, size_t n)
{
    struct buf words = {0};

    if (!n)
        return;
    words_count(&words, n);
    buf_addf(&words, " more place%s", n == 1 ? "" : "s");
    html_paragraph(html, "faint", &words);
    buf_done(&words);
}

/* Places that hardly changed, folded. */
static void put_calm(struct html *html, size_t most)
{
    size_t n = put_places(html, false, 0);

    if (!n)
        return;
    buf_addf(html->buf,
             "<details><summary>%zu place%s changed by no more than the usual "
             "coming and going</summary>\n<ul class=\"changes\">\n",
             n, n == 1 ? "" : "s");
    put_places(html, false, most);
    html_raw(html, "</ul>\n");
    put_rest(html, n > most ? n - most : 0);
    html_raw(html, "</details>\n");
}

void html_changes(struct html *html)
{
    const struct growth *growth = report_growth(html->report);
    size_t most = report_top(html->report, CHANGES_USUAL);
    size_t n;

    if (!growth || !growth_n_series(growth))
        return;
    html_section(html, "changes", "Changes");
    put_span(html, growth);
    html_raw(html, "<ul class=\"changes\">\n");
    n = put_places(html, true, most);
    html_raw(html, "</ul>\n");
    put_rest(html, n > most ? n - most : 0);
    if (!n)
        html_raw(html, "<p>Nothing changed by more than the usual coming and "
                       "going.</p>\n");
    put_calm(html, most);
    html_raw(html, "</section>\n");
}

#include "report/answer_words.h"
#include "report/html.h"
#include "report/human.h"
#include "report/measure_words.h"
#include "report/text.h"
#include "rules/words.h"

static void put_value(struct html *html, const struct measures *measures,
                      int64_t value)
{
    struct buf words = {0};

    unit_add(&words, value, measures->unit);
    html_figure(html, &words);
    buf_done(&words);
}

static void put_percent(struct html *html, const struct measures *measures,
                        int64_t value)
{
    struct buf words = {0};

    percent_add(&words, value, measures->total);
    html_figure(html, &words);
    buf_done(&words);
}

/* Begins a table in a box that scrolls where the page is narrow. */
static void open_table(struct html *html, const char *caption,
                       const char *heads)
{
    html_raw(html, "<div class=\"scroll\"><table>\n<caption>");
    html_raw(html, caption);
    html_raw(html, "</caption>\n<thead><tr>");
    html_raw(html, heads);
    html_raw(html, "</tr></thead>\n<tbody>\n");
}

static void close_table(struct html *html)
{
    html_raw(html, "</tbody></table></div>\n");
}

static void put_more(struct html *html, size_t n, const char *what)
{
    if (n)
        buf_addf(html->buf, "<p class=\"faint\">%zu more %s%s</p>\n", n, what,
                 n == 1 ? "" : "s");
}

static void put_functions(struct html *html, const struct measures *measures)
{
    size_t most = report_top(html->report, HTML_ROWS);

    open_table(html, "By function, as go tool pprof -top has it",
               "<th scope=\"col\">flat</th><th scope=\"col\">flat %</th>"
               "<th scope=\"col\">sum %</th><th scope=\"col\">cum</th>"
               "<th scope=\"col\">cum %</th>"
               "<th scope=\"col\" class=\"where\">function</th>");
    for (size_t i = 0; i < measures->n_rows && i < most; i++) {
        const struct measure_row *row = &measures->rows[i];

        html_raw(html, "<tr>");
        put_value(html, measures, row->flat);
        put_percent(html, measures, row->flat);
        put_percent(html, measures, row->sum);
        put_value(html, measures, row->cum);
        put_percent(html, measures, row->cum);
        html_raw(html, "<td><code>");
        html_text(html, row->function);
        html_raw(html, "</code></td></tr>\n");
    }
    close_table(html);
    put_more(html, measures->n_rows > most ? measures->n_rows - most : 0,
             "function");
}

/* A line of code, or of several together, which has no place: their words. */
static void put_site(struct html *html, const struct measures *measures,
                     const struct measure_site *site, struct str together)
{
    struct buf words = {0};

    html_raw(html, "<tr>");
    if (measures->is_comparison) {
        put_value(html, measures, site->before);
        put_value(html, measures, site->after);
    }
    put_value(html, measures, site->value);
    put_percent(html, measures, site->value);
    if (site->count < 0)
        buf_add_char(&words, '-');
    words_count(&words, (uint64_t)value_absolute(site->count));
    html_figure(html, &words);
    html_raw(html, "<td>");
    if (together.len)
        html_text(html, together);
    else
        html_place(html, &site->place);
    html_raw(html, "</td></tr>\n");
    buf_done(&words);
}

static void put_sites_from(struct html *html, const struct measures *measures,
                           size_t first, size_t end, size_t most)
{
    for (size_t i = first; i < end && i < first + most; i++)
        put_site(html, measures, &measures->sites[i], STR(""));
}

/* Lines of the standard library, behind what they add up to. */
static void put_library(struct html *html, const struct measures *measures,
                        size_t most)
{
    struct buf words = {0};

    words_of_library(&words, measures);
    put_site(html, measures, &measures->library, buf_str(&words));
    put_sites_from(html, measures, measures->n_own, measures->n_sites, most);
    buf_done(&words);
}

/* The lines of the user's own code that are behind the most of it. */
static void put_sites(struct html *html, const struct measures *measures)
{
    size_t most = report_top(html->report, HTML_ROWS);
    size_t n = measures->n_listed;

    if (!n)
        return;
    open_table(html, words_of_sites(measures).ptr,
               measures->is_comparison
                   ? "<th scope=\"col\">before</th><th scope=\"col\">after</th>"
                     "<th scope=\"col\">change</th><th scope=\"col\">share</th>"
                     "<th scope=\"col\">count</th>"
                     "<th scope=\"col\" class=\"where\">line</th>"
                   : "<th scope=\"col\">value</th><th scope=\"col\">share</th>"
                     "<th scope=\"col\">count</th>"
                     "<th scope=\"col\" class=\"where\">line</th>");
    put_sites_from(html, measures, 0, n, most);
    if (n < measures->n_sites)
        put_library(html, measures, most);
    close_table(html);
    put_more(html, n > most ? n - most : 0, "line");
}

static void put_measures(struct html *html, const struct measures *measures)
{
    struct buf words = {0};

    html_raw(html, "<h3>");
    buf_add(&words, measures->family->info->profile);
    buf_add(&words, STR(" profile, "));
    buf_add(&words, measures->type.name);
    buf_add(&words, STR(": "));
    unit_add(&words, measures->total, measures->unit);
    html_words(html, &words);
    html_raw(html, "</h3>\n");
    words_of_meaning(&words, measures);
    html_paragraph(html, "faint", &words);
    put_sites(html, measures);
    put_functions(html, measures);
    if (measures->memstats) {
        html_raw(html, measures->is_comparison
                           ? "<h3>runtime.MemStats at the end</h3>\n"
                           : "<h3>runtime.MemStats</h3>\n");
        words_of_memstats(&words, measures->memstats);
        html_paragraph(html, NULL, &words);
    }
    buf_done(&words);
}

void html_measures(struct html *html)
{
    size_t n = report_n_measures(html->report);

    if (!n)
        return;
    html_section(html, "measures", "Measured");
    for (size_t i = 0; i < n; i++)
        put_measures(html, report_measures(html->report, i));
    html_raw(html, "</section>\n");
}

static void put_share(struct html *html, double share)
{
    struct buf words = {0};

    share_add_fixed(&words, share);
    html_figure(html, &words);
    buf_done(&words);
}

static void put_count(struct html *html, uint64_t count)
{
    struct buf words = {0};

    words_count(&words, count);
    html_figure(html, &words);
    buf_done(&words);
}

static void put_row(struct html *html, const struct breakdown_row *row)
{
    html_raw(html, "<tr>");
    put_count(html, row->count);
    put_share(html, row->share);
    put_count(html, row->n_groups);
    html_raw(html, "<td>");
    if (row->is_rest)
        html_raw(html, "<span class=\"faint\">(none)</span>");
    else if (row->place.function.len)
        html_place(html, &row->place);
    else
        html_text(html, row->text.len ? row->text : STR("\"\""));
    html_raw(html, "</td></tr>\n");
}

void html_breakdown(struct html *html)
{
    size_t n = report_n_rows(html->report);
    size_t most = report_top(html->report, HTML_ROWS);
    struct buf words = {0};

    if (report_options(html->report)->group_by == GROUP_BY_STACK)
        return;
    html_raw(html, "<section id=\"breakdown\">\n<h2>");
    buf_add(&words, STR("By "));
    group_by_add(&words, report_options(html->report));
    html_words(html, &words);
    html_raw(html, "</h2>\n");
    open_table(html, "The largest first",
               "<th scope=\"col\">count</th><th scope=\"col\">share"
               "</th><th scope=\"col\">groups</th>"
               "<th scope=\"col\" class=\"where\">key</th>");
    for (size_t i = 0; i < n && i < most; i++)
        put_row(html, report_row(html->report, i));
    close_table(html);
    put_more(html, n > most ? n - most : 0, "row");
    html_raw(html, "</section>\n");
    buf_done(&words);
}

void html_normals(struct html *html)
{
    size_t n = report_n_normals(html->report);

    if (!n)
        return;
    html_section(html, "normal", "Normal, set aside");
    open_table(html, "What every healthy program has",
               "<th scope=\"col\">count</th>"
               "<th scope=\"col\" class=\"where\">what</th>"
               "<th scope=\"col\" class=\"where\">where</th>");
    for (size_t i = 0; i < n; i++) {
        const struct normal_row *row = report_normal(html->report, i);

        html_raw(html, "<tr>");
        put_count(html, row->count);
        html_raw(html, "<td>");
        html_text(html, row->rule->title);
        html_raw(html, "</td><td>");
        html_place(html, &row->place);
        html_raw(html, "</td></tr>\n");
    }
    close_table(html);
    html_raw(html, "</section>\n");
}

/* The largest groups of a family. */
static int put_family(struct html *html, uint32_t index,
                      struct cprof_error *err)
{
    size_t left = report_top(html->report, HTML_ROWS);
    struct arena scratch = report_scratch(html->report);
    struct group_view view;
    int rc = 0;

    for (size_t i = report_next_group(html->report, 0);
         i != SIZE_MAX && left && rc == 0;
         i = report_next_group(html->report, i + 1)) {
        if (analysis_group(report_analysis(html->report), i)->family != index)
            continue;
        left--;
        rc = report_group(html->report, i, &view, &scratch, err);
        if (rc < 0)
            break;
        html_raw(html, "<tr>");
        put_count(html, view.group->count);
        put_share(html, view.share);
        html_raw(html, "<td>");
        html_place(html, &view.place);
        html_raw(html, "</td></tr>\n");
    }
    arena_done(&scratch);
    return rc;
}

int html_families(struct html *html, struct cprof_error *err)
{
    const struct analysis *analysis = report_analysis(html->report);
    struct buf words = {0};
    int rc = 0;

    for (uint32_t i = 1; i < analysis_n_families(analysis) && rc == 0; i++) {
        const struct family *family = analysis_family(analysis, i);

        if (!family->n_judged || profile_is_measured(family->info->kind))
            continue;
        html_raw(html, "<section>\n<h2>");
        buf_add(&words, family->info->profile);
        buf_add(&words, STR(" profile: "));
        counted_add(&words, nouns_of(family->info->kind), family->goroutines);
        html_words(html, &words);
        html_raw(html, "</h2>\n");
        open_table(html, "By stack",
                   "<th scope=\"col\">count</th>"
                   "<th scope=\"col\">share</th>"
                   "<th scope=\"col\" class=\"where\">where</th>");
        rc = put_family(html, i, err);
        close_table(html);
        html_raw(html, "</section>\n");
    }
    buf_done(&words);
    return rc;
}

#include "report/answer_words.h"
#include "report/crash_words.h"
#include "report/html.h"
#include "rules/words.h"

static void put_below(void *user, struct str line)
{
    struct html *html = user;

    html_raw(html, "<br>");
    html_text(html, line);
}

void html_crashes(struct html *html)
{
    const struct analysis *analysis = report_analysis(html->report);
    struct buf words = {0};

    for (size_t i = 0; i < analysis_snapshots(analysis)->count; i++) {
        struct crash_view view = report_crash(html->report, i);

        if (!view.crash || !analysis_is_judged(analysis, i))
            continue;
        html_raw(html, view.crash->is_request
                           ? "<p class=\"crash\"><strong>Stopped:</strong> "
                           : "<p class=\"crash\"><strong>Crashed:</strong> ");
        words_of_crash(&words, &view);
        html_words(html, &words);
        crash_lines_below(view.crash, put_below, html);
        html_raw(html, "</p>\n");
    }
    buf_done(&words);
}

static void put_diagnostics(struct html *html, const struct diags *diags)
{
    struct buf words = {0};

    if (!diags->first)
        return;
    html_raw(html, "<h3 id=\"diagnostics\">Diagnostics</h3>\n"
                   "<ul class=\"diagnostics\">\n");
    for (const struct diag *diag = diags->first; diag; diag = diag->next) {
        buf_addf(html->buf, "<li><span class=\"severity d-%s\">%s</span> ",
                 diag_severity_text(diag->severity),
                 diag_severity_text(diag->severity));
        words_of_diagnostic(&words, diag);
        html_words(html, &words);
        html_raw(html, "</li>\n");
    }
    html_raw(html, "</ul>\n");
    buf_done(&words);
}

void html_inputs(struct html *html)
{
    const struct analysis *analysis = report_analysis(html->report);
    const struct cprof_snapshots *snapshots = analysis_snapshots(analysis);
    struct buf words = {0};

    html_section(html, "read", "Read");
    html_raw(html, "<ul class=\"inputs\">\n");
    for (size_t i = 0; i < snapshots->count; i++) {
        html_raw(html, "<li>");
        words_of_snapshot(&words, html->report, i);
        html_words(html, &words);
        html_raw(html, "</li>\n");
    }
    html_raw(html, "</ul>\n");
    put_diagnostics(html, &snapshots->diags);
    html_raw(html, "</section>\n");
    buf_done(&words);
}

#include "report/html.h"

#include "base/escape.h"
#include "base/version.h"
#include "report/answer_words.h"
#include "report/html_assets.h"

/* The page runs its own style and script, known by their hashes, and loads
 * nothing. Scripts may not turn text into markup. */
static void put_policy(struct html *html)
{
    html_raw(html, "<meta http-equiv=\"Content-Security-Policy\" content=\""
                   "default-src 'none'; img-src data:; base-uri 'none'; "
                   "form-action 'none'; style-src 'sha256-");
    html_raw(html, html_style.sha256);
    html_raw(html, "'; script-src 'sha256-");
    html_raw(html, html_script.sha256);
    html_raw(html, "'; require-trusted-types-for 'script'; "
                   "trusted-types 'none'\">\n");
}

/* "CRITICAL: Requests queued ...", as the title of the page. */
static void put_title(struct html *html)
{
    const struct cprof_report *report = html->report;
    struct buf words = {0};

    html_raw(html, "<title>");
    html_raw(html, html->sum->word);
    html_raw(html, ": ");
    if (severity_is_loud(html->sum->verdict))
        buf_add(&words, report_finding(report, 0).finding->rule->title);
    else
        words_of_calm(&words, report);
    html_words(html, &words);
    html_raw(html, " - cprof-leaks</title>\n");
    buf_done(&words);
}

static void put_head(struct html *html)
{
    html_raw(html, "<!doctype html>\n"
                   "<html lang=\"en\">\n"
                   "<head>\n"
                   "<meta charset=\"utf-8\">\n");
    put_policy(html);
    html_raw(html, "<meta name=\"viewport\" content=\"width=device-width, "
                   "initial-scale=1\">\n"
                   "<meta name=\"color-scheme\" content=\"light dark\">\n"
                   "<meta name=\"referrer\" content=\"no-referrer\">\n"
                   "<meta name=\"generator\" content=\"cprof-leaks ");
    html_raw(html, cprof_version_text);
    html_raw(html, "\">\n<link rel=\"icon\" href=\"data:,\">\n");
    put_title(html);
    html_raw(html, "<style>");
    buf_add(html->buf, (struct str){html_style.text, html_style.len});
    html_raw(html, "</style>\n</head>\n");
}

/* The sections that this page has, for the bar at its top. */
static void put_navigation(struct html *html)
{
    size_t n_cycles = 0;

    analysis_cycles(report_analysis(html->report), &n_cycles);
    html_raw(html, "<nav aria-label=\"Sections\"><ul>\n"
                   "<li><a href=\"#answer\">Answer</a></li>\n");
    if (n_cycles)
        html_raw(html, "<li><a href=\"#cycles\">Deadlocks</a></li>\n");
    if (report_growth(html->report))
        html_raw(html, "<li><a href=\"#changes\">Changes</a></li>\n");
    if (report_n_measures(html->report))
        html_raw(html, "<li><a href=\"#measures\">Measured</a></li>\n");
    html_raw(
        html,
        "<li class=\"script\" hidden><a href=\"#stacks\">Stacks</a>"
        "</li>\n"
        "<li><a href=\"#groups\">Groups</a></li>\n"
        "<li class=\"script\" hidden><a href=\"#creators\">Who started whom"
        "</a></li>\n");
    if (report_n_normals(html->report))
        html_raw(html, "<li><a href=\"#normal\">Normal</a></li>\n");
    html_raw(html, "<li><a href=\"#read\">Read</a></li>\n</ul></nav>\n");
}

static void put_top(struct html *html)
{
    html_raw(html, "<body>\n"
                   "<a class=\"skip\" href=\"#answer\">Skip to the answer</a>\n"
                   "<header>\n<p class=\"tool\">cprof-leaks <span>");
    html_raw(html, cprof_version_text);
    html_raw(html, "</span></p>\n");
    put_navigation(html);
    html_raw(html, "<button id=\"theme\" class=\"script\" type=\"button\" "
                   "hidden>Theme: auto</button>\n"
                   "</header>\n<main>\n");
}

static int put_rest(struct html *html, struct cprof_error *err)
{
    bool is_measured = profile_is_measured(html->sum->kind);
    int rc;

    html_cycles(html);
    html_changes(html);
    if (is_measured)
        html_measures(html);
    html_breakdown(html);
    rc = html_groups(html, err);
    if (rc == 0)
        rc = html_tree(html, err);
    if (rc < 0)
        return rc;
    html_normals(html);
    if (!is_measured)
        html_measures(html);
    rc = html_families(html, err);
    if (rc < 0)
        return rc;
    html_inputs(html);
    html_raw(html, "</main>\n<script type=\"application/json\" id=\"data\">\n");
    rc = html_data(html, err);
    if (rc < 0)
        return rc;
    html_raw(html, "</script>\n<script>");
    buf_add(html->buf, (struct str){html_script.text, html_script.len});
    html_raw(html, "</script>\n</body>\n</html>\n");
    return 0;
}

int html_write(const struct cprof_report *report, struct output *out,
               struct cprof_error *err)
{
    struct html html = {
        .report = report,
        .sum = report_summary(report),
        .out = out,
        .buf = &out->buf,
    };
    int rc;

    put_head(&html);
    put_top(&html);
    rc = html_findings(&html, err);
    return rc < 0 ? rc : put_rest(&html, err);
}

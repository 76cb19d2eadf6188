#include "report/answer_words.h"
#include "report/facts.h"
#include "report/html.h"
#include "report/text.h"
#include "rules/words.h"

/* A finding while it is written. */
struct telling {
    struct html *html;
    bool is_open; /* a fact waits for its end */
};

static void put_fact(void *user, const struct fact *fact)
{
    struct telling *telling = user;
    struct html *html = telling->html;

    if (*fact->name) {
        html_raw(html, telling->is_open ? "</dd>\n<dt>" : "<dt>");
        html_raw(html, fact->name);
        html_raw(html, "</dt><dd>");
    } else {
        html_raw(html, "<br>");
    }
    telling->is_open = true;
    html_raw(html, fact->kind == FACT_CODE ? "<code>" : "");
    html_text(html, fact->words);
    html_raw(html, fact->kind == FACT_CODE ? "</code>" : "");
}

static void put_facts(struct html *html, const struct finding_view *view,
                      const struct evidence_view *evidence)
{
    struct telling telling = {html, false};

    html_raw(html, "<dl class=\"facts\">\n");
    facts_each(html->report, view, evidence, put_fact, &telling);
    html_raw(html, telling.is_open ? "</dd>\n</dl>\n" : "</dl>\n");
}

static void put_prose(struct html *html, const char *lead, struct str words)
{
    if (!words.len)
        return;
    html_raw(html, "<p>");
    if (*lead) {
        html_raw(html, "<strong>");
        html_raw(html, lead);
        html_raw(html, "</strong> ");
    }
    html_text(html, words);
    html_raw(html, "</p>\n");
}

static void open_list(struct html *html, const char *lead)
{
    html_raw(html, "<h3>");
    html_raw(html, lead);
    html_raw(html, "</h3>\n<ul>\n");
}

static void put_item(struct html *html, struct str item)
{
    html_raw(html, "<li>");
    html_text(html, item);
    html_raw(html, "</li>\n");
}

static void put_list(struct html *html, const char *lead,
                     struct rule_texts items)
{
    if (!items.count)
        return;
    open_list(html, lead);
    for (size_t i = 0; i < items.count; i++)
        put_item(html, items.items[i]);
    html_raw(html, "</ul>\n");
}

static void put_decide(void *user, struct str text)
{
    put_item(user, text);
}

static void put_decides(struct html *html, const struct finding *finding,
                        bool with_rule)
{
    if (!finding_decides(html->report, finding, with_rule, NULL, NULL))
        return;
    open_list(html, "To decide");
    finding_decides(html->report, finding, with_rule, put_decide, html);
    html_raw(html, "</ul>\n");
}

/* Addresses of the rules are links; anything else is text. */
static void put_references(struct html *html, struct rule_texts references)
{
    if (!references.count)
        return;
    open_list(html, "See");
    for (size_t i = 0; i < references.count; i++) {
        struct str item = references.items[i];

        if (!str_starts(item, STR("https://")) ||
            str_contains(item, STR(" "))) {
            put_item(html, item);
            continue;
        }
        html_raw(html, "<li><a rel=\"noreferrer\" href=\"");
        html_text(html, item);
        html_raw(html, "\">");
        html_text(html, item);
        html_raw(html, "</a></li>\n");
    }
    html_raw(html, "</ul>\n");
}

/* The stack of the largest group. */
static int put_evidence(struct html *html, const struct finding *finding,
                        struct arena *scratch, struct cprof_error *err)
{
    struct group_view view;
    struct buf words = {0};
    int rc;

    if (!finding->n_groups)
        return 0;
    rc = report_group(html->report, finding->groups[0], &view, scratch, err);
    if (rc < 0)
        return rc;
    buf_add(&words, STR("Stack"));
    if (finding->n_groups > 1) {
        buf_add(&words, STR(" of the largest of "));
        words_count(&words, finding->n_groups);
        buf_add(&words, STR(" groups, "));
        counted_add(&words, html->sum->nouns, view.group->count);
    }
    html_raw(html, "<h3>");
    html_words(html, &words);
    html_raw(html, "</h3>\n");
    html_stack(html, &view);
    buf_addf(&words, "signature %.12s", view.signature.text);
    html_paragraph(html, "faint", &words);
    buf_done(&words);
    return 0;
}

static void put_count(struct html *html, const struct finding_view *view)
{
    struct buf words = {0};

    counted_of_add(&words, html->report, view->finding->count,
                   view->finding->share);
    dumps_add(&words, html->report, view->n_dumps);
    html_raw(html, "<p class=\"count\">");
    html_words(html, &words);
    if (view->has_site) {
        html_raw(html, " in ");
        html_place(html, &view->site);
    }
    html_raw(html, "</p>\n");
    buf_done(&words);
}

/* What a finding and its rule say. */
static void put_words(struct html *html, size_t index,
                      const struct finding *finding)
{
    const struct rule_info *rule = finding->rule;
    size_t first = report_first_of(html->report, rule);

    put_prose(html, "", finding->explain);
    if (report_words_place(html->report, index) == WORDS_OF_CIRCLE) {
        put_decides(html, finding, false);
        put_prose(html, "", words_place_text(WORDS_OF_CIRCLE));
        return;
    }
    if (first < index) {
        put_decides(html, finding, false);
        buf_addf(html->buf,
                 "<p>Cause, what decides and what to do: as "
                 "<a href=\"#finding-%zu\">above</a>.</p>\n",
                 first + 1);
        return;
    }
    put_prose(html, "Cause:", rule->cause);
    put_decides(html, finding, true);
    put_list(html, "To do", rule->advice);
    put_list(html, "No problem if", rule->false_positives);
    put_references(html, rule->references);
}

/* What stands below the heading of a finding. */
static int put_body(struct html *html, size_t index,
                    const struct finding_view *view, struct cprof_error *err)
{
    const struct finding *finding = view->finding;
    struct arena scratch = report_scratch(html->report);
    struct evidence_view evidence =
        report_finding_evidence(html->report, finding, &scratch);
    int rc;

    html_raw(html, "<div class=\"finding\">\n<div class=\"prose\">\n");
    put_words(html, index, finding);
    html_raw(html, "</div>\n<div class=\"evidence\">\n");
    put_facts(html, view, &evidence);
    html_held(html, finding);
    rc = put_evidence(html, finding, &scratch, err);
    html_raw(html, "</div>\n</div>\n");
    arena_done(&scratch);
    return rc < 0 ? rc : output_relieve(html->out, err);
}

static void put_word(struct html *html, const char *word)
{
    buf_addf(html->buf, "<span class=\"severity %s\">%s</span>", word, word);
}

static void put_severity(struct html *html, enum cprof_severity severity)
{
    put_word(html, severity_text(severity));
}

/* A line for each further finding that stands in full. */
static void put_contents(struct html *html, size_t n_open)
{
    struct buf words = {0};

    if (n_open < 2)
        return;
    html_raw(html, "<ol class=\"contents\" aria-label=\"Further findings\">\n");
    for (size_t i = 1; i < n_open; i++) {
        struct finding_view view = report_finding(html->report, i);

        html_raw(html, "<li>");
        put_severity(html, view.finding->severity);
        html_raw(html, " <b class=\"num\">");
        words_count(&words, view.finding->count);
        html_words(html, &words);
        buf_addf(html->buf, "</b> <a href=\"#finding-%zu\">", i + 1);
        html_text(html, view.finding->rule->title);
        html_raw(html, "</a> ");
        if (view.has_site)
            html_place(html, &view.site);
        html_raw(html, "</li>\n");
    }
    html_raw(html, "</ol>\n");
    buf_done(&words);
}

static int put_loud(struct html *html, size_t index, size_t n_open,
                    struct cprof_error *err)
{
    struct finding_view view = report_finding(html->report, index);
    const char *level = index ? "h2" : "h1";

    buf_addf(html->buf,
             "<article id=\"finding-%zu\" aria-labelledby=\"finding-%zu-head\">"
             "\n<p class=\"verdict\">",
             index + 1, index + 1);
    put_severity(html, view.finding->severity);
    buf_addf(html->buf, "</p>\n<%s id=\"finding-%zu-head\">", level, index + 1);
    html_text(html, view.finding->rule->title);
    buf_addf(html->buf, "</%s>\n", level);
    put_count(html, &view);
    if (!index)
        put_contents(html, n_open);
    return put_body(html, index, &view, err);
}

/* The line of a finding that does not stand open. */
static void put_line(struct html *html, const struct finding_view *view)
{
    struct buf words = {0};

    put_severity(html, view->finding->severity);
    html_raw(html, " <b class=\"num\">");
    words_count(&words, view->finding->count);
    html_words(html, &words);
    html_raw(html, "</b> ");
    html_text(html, view->finding->rule->title);
    html_raw(html, " ");
    if (view->has_site)
        html_place(html, &view->site);
    buf_done(&words);
}

static int put_folded(struct html *html, size_t index, struct cprof_error *err)
{
    struct finding_view view = report_finding(html->report, index);
    int rc;

    buf_addf(html->buf, "<details id=\"finding-%zu\"><summary>", index + 1);
    put_line(html, &view);
    html_raw(html, "</summary>\n");
    rc = put_body(html, index, &view, err);
    html_raw(html, "</details>\n");
    return rc;
}

/* All findings from one on: some that unfold, some in a line, and how many
 * more there are. */
static int put_others(struct html *html, size_t start, struct cprof_error *err)
{
    size_t n = report_n_findings(html->report);
    struct buf words = {0};
    int rc = 0;

    if (start == n)
        return 0;
    html_section(html, "minor", start ? "Further findings" : "Findings");
    for (size_t i = start; i < n && i < start + HTML_FOLDED && rc == 0; i++)
        rc = put_folded(html, i, err);
    for (size_t i = start + HTML_FOLDED; i < n && i < start + HTML_LINES; i++) {
        struct finding_view view = report_finding(html->report, i);

        html_raw(html, "<p class=\"line\">");
        put_line(html, &view);
        html_raw(html, "</p>\n");
    }
    if (n > start + HTML_LINES) {
        words_count(&words, n - start - HTML_LINES);
        buf_add(&words, STR(" more findings; -o json has all of them"));
        html_paragraph(html, "faint", &words);
    }
    html_raw(html, "</section>\n");
    buf_done(&words);
    return rc;
}

/* The answer when no finding is loud. */
static void put_calm(struct html *html)
{
    struct buf words = {0};

    html_raw(html, "<p class=\"verdict\">");
    put_word(html, html->sum->word);
    html_raw(html, "</p>\n<h1>");
    words_of_calm(&words, html->report);
    if (words.len && words.ptr[0] >= 'a' && words.ptr[0] <= 'z')
        words.ptr[0] = (char)(words.ptr[0] - 'a' + 'A');
    html_words(html, &words);
    html_raw(html, "</h1>\n");
    words_of_limits(&words, html->report);
    html_paragraph(html, "count", &words);
    buf_done(&words);
}

/* What has to be known to read the figures. */
static void put_notes(struct html *html)
{
    struct buf words = {0};

    if (html->sum->is_filtered)
        words_of_filters(&words, html->report);
    html_paragraph(html, "note", &words);
    if (html->sum->has_proof)
        words_of_proof(&words, html->report);
    html_paragraph(html, "note", &words);
    if (!html->sum->is_complete)
        html_raw(html, "<p class=\"note warning\">An input is incomplete: see "
                       "<a href=\"#diagnostics\">the diagnostics</a>.</p>\n");
    buf_done(&words);
}

/* What the goroutines do, as one bar of their states with its legend. */
static void put_states(struct html *html)
{
    const struct report_summary *sum = html->sum;
    struct buf words = {0};
    double x = 0;

    if (!sum->n_states || !sum->shown || profile_is_measured(sum->kind))
        return;
    html_raw(html, "<div class=\"states\">\n<svg aria-hidden=\"true\" "
                   "width=\"100%\" height=\"14\">\n");
    for (size_t i = 0; i < sum->n_states; i++) {
        double width =
            100.0 * (double)sum->states[i].count / (double)sum->shown;

        buf_addf(html->buf,
                 "<rect class=\"s-%s\" x=\"%.3f%%\" width=\"%.3f%%\" "
                 "height=\"14\"/>\n",
                 html_state_class(state_find(sum->states[i].state)), x, width);
        x += width;
    }
    html_raw(html, "</svg>\n<ul aria-label=\"Goroutines by state\">\n");
    for (size_t i = 0; i < sum->n_states; i++) {
        buf_addf(html->buf, "<li><i class=\"dot s-%s\"></i>",
                 html_state_class(state_find(sum->states[i].state)));
        html_text(html, sum->states[i].state);
        html_raw(html, " <b class=\"num\">");
        words_count(&words, sum->states[i].count);
        html_words(html, &words);
        html_raw(html, "</b></li>\n");
    }
    html_raw(html, "</ul>\n</div>\n");
    buf_done(&words);
}

int html_findings(struct html *html, struct cprof_error *err)
{
    size_t n = report_n_findings(html->report);
    size_t most = report_top(html->report, HTML_OPEN);
    size_t n_open = 0;
    int rc = 0;

    while (n_open < n && n_open < most &&
           severity_is_loud(
               report_finding(html->report, n_open).finding->severity))
        n_open++;
    html_raw(html, "<div id=\"answer\">\n");
    html_crashes(html);
    if (!n_open)
        put_calm(html);
    for (size_t i = 0; i < n_open && rc == 0; i++) {
        rc = put_loud(html, i, n_open, err);
        html_raw(html, "</article>\n");
    }
    put_notes(html);
    put_states(html);
    html_raw(html, "</div>\n");
    return rc < 0 ? rc : put_others(html, n_open, err);
}

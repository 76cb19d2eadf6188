#include "report/answer_words.h"
#include "report/html.h"
#include "report/human.h"
#include "rules/words.h"

/* What only the script can show has its place here, and is hidden until it
 * runs. */
static void put_explorer(struct html *html)
{
    html_raw(
        html,
        "<section id=\"stacks\" class=\"script\" "
        "aria-labelledby=\"stacks-head\" hidden>\n"
        "<h2 id=\"stacks-head\">Stacks</h2>\n"
        "<form id=\"filter\" role=\"search\" aria-label=\"Filter stacks and "
        "groups\"></form>\n"
        "<p id=\"status\" role=\"status\" class=\"faint\"></p>\n"
        "<p id=\"frame\" aria-live=\"polite\"></p>\n"
        "<div id=\"flame-box\"><canvas id=\"flame\" tabindex=\"0\" "
        "role=\"application\" aria-roledescription=\"flame view\" "
        "aria-label=\"Stacks by count\" aria-describedby=\"flame-help\">"
        "</canvas></div>\n"
        "<p id=\"flame-help\" class=\"faint\"><span id=\"legend\"></span> "
        "Click or press Enter to zoom in, Escape to zoom out; the arrow keys "
        "move from frame to frame, / searches.</p>\n"
        "</section>\n");
}

/* Of a profile that measures, what its first table shows; else NULL. */
static const struct measures *measures_of(const struct html *html)
{
    if (!profile_is_measured(html->sum->kind) ||
        !report_n_measures(html->report))
        return NULL;
    return report_measures(html->report, 0);
}

/* How many goroutines, or how much was measured. */
static void put_size(struct html *html, const struct joined_group *group)
{
    const struct measures *measures = measures_of(html);
    struct buf words = {0};

    if (measures && joined_extra(group)->values)
        unit_add(&words, joined_extra(group)->values[measures->type_index],
                 measures->unit);
    else
        words_count(&words, group->count);
    html_figure(html, &words);
    buf_done(&words);
}

static void put_age(struct html *html, const struct joined_group *group)
{
    struct buf words = {0};

    if (joined_has_wait(group))
        age_add_wait(&words, group->facts->wait_max);
    html_raw(html, "<td class=\"num age\">");
    html_words(html, &words);
    html_raw(html, "</td>");
    buf_done(&words);
}

static void put_group(struct html *html, const struct group_view *view)
{
    struct buf words = {0};

    html_raw(html, "<tr>");
    put_size(html, view->group);
    if (report_growth(html->report)) {
        words_count(&words, view->before);
        html_figure(html, &words);
    }
    share_add_fixed(&words, view->share);
    html_raw(html, "<td class=\"num share\">");
    html_words(html, &words);
    html_raw(html, "</td>");
    buf_addf(html->buf, "<td class=\"state\"><i class=\"dot s-%s\"></i>",
             html_state_class(view->group->state));
    html_text(html, view->state);
    if (view->is_inferred)
        html_raw(html, " <span class=\"faint\">inferred</span>");
    html_raw(html, "</td>");
    put_age(html, view->group);
    html_raw(html, "<td><details><summary>");
    html_place(html, &view->place);
    html_raw(html, "</summary>\n");
    html_stack(html, view);
    html_raw(html, "</details></td><td class=\"rule\">");
    if (view->rule)
        html_text(html, view->rule->id);
    html_raw(html, "</td></tr>\n");
    buf_done(&words);
}

static int put_groups(struct html *html, size_t *ret_shown,
                      struct cprof_error *err)
{
    size_t left = report_top(html->report, HTML_GROUPS);
    struct arena scratch = report_scratch(html->report);
    struct group_view view;
    int rc = 0;

    for (size_t i = report_next_leading(html->report, 0);
         i != SIZE_MAX && left && *ret_shown < HTML_GROUPS && rc == 0;
         i = report_next_leading(html->report, i + 1)) {
        rc = report_group(html->report, i, &view, &scratch, err);
        if (rc == 0)
            put_group(html, &view);
        if (rc == 0)
            rc = output_relieve(html->out, err);
        left--;
        ++*ret_shown;
    }
    arena_done(&scratch);
    return rc;
}

/* The note below the table, which the script replaces by a button. */
static void put_foot(struct html *html, size_t shown)
{
    struct buf words = {0};

    html_raw(html, "<div id=\"more\">");
    if (shown < html->sum->n_groups) {
        buf_add(&words, STR("The largest "));
        words_count(&words, shown);
        buf_add(&words, STR(" of "));
        words_count(&words, html->sum->n_groups);
        buf_add(&words, STR(" groups."));
        html_paragraph(html, "faint", &words);
    }
    html_raw(html, "</div>\n");
    if (html->sum->other) {
        counted_add(&words, html->sum->nouns, html->sum->other);
        buf_add(&words, STR(" in stacks that memory had no room for "
                            "(--max-memory)"));
        html_paragraph(html, "faint", &words);
    }
    buf_done(&words);
}

/* "inuse_space" of a heap profile, "Count" of goroutines. */
static void put_heads(struct html *html)
{
    const struct measures *measures = measures_of(html);

    html_raw(html, "<thead><tr><th scope=\"col\" data-key=\"count\" "
                   "aria-sort=\"descending\">");
    html_text(html, measures ? measures->type.name : STR("Count"));
    html_raw(html, "</th>");
    if (report_growth(html->report))
        html_raw(html, "<th scope=\"col\" data-key=\"before\">Before</th>");
    html_raw(
        html,
        "<th scope=\"col\" class=\"share\">Share</th>"
        "<th scope=\"col\" class=\"where state\" data-key=\"state\">State"
        "</th><th scope=\"col\" class=\"age\" data-key=\"age\">Age</th>"
        "<th scope=\"col\" class=\"where\" data-key=\"where\">Where</th>"
        "<th scope=\"col\" class=\"where rule\" data-key=\"rule\">Rule</th>"
        "</tr></thead>\n");
}

int html_groups(struct html *html, struct cprof_error *err)
{
    size_t shown = 0;
    int rc;

    put_explorer(html);
    html_section(html, "groups", "Groups");
    html_raw(html, measures_of(html) ? "<div class=\"scroll measured\">"
                                     : "<div class=\"scroll\">");
    html_raw(html, "<table id=\"group-table\">\n");
    html_raw(html, measures_of(html) ? "<caption>By stack</caption>\n"
                                     : "<caption>Goroutines with one stack in "
                                       "one state</caption>\n");
    put_heads(html);
    html_raw(html, "<tbody>\n");
    rc = put_groups(html, &shown, err);
    if (rc < 0)
        return rc;
    html_raw(html, "</tbody></table></div>\n");
    put_foot(html, shown);
    html_raw(html, "</section>\n");
    return 0;
}

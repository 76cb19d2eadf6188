/* html.h - the parts of the HTML report, one file each.
 *
 * The page stands on its own: style, script and data are inside, and its
 * Content-Security-Policy lets nothing in or out. What it says can be read
 * without the script; that adds what is to be explored: the flame view and the
 * table of all groups. Whatever comes from a dump goes
 * through html_text or html_code, which escape it. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "report/changes.h"
#include "report/measures.h"
#include "report/writers.h"

/* How much of something the page holds: groups for readers without script,
 * rows of tables; findings that stand open, those that unfold, and lines for
 * more. */
enum {
    HTML_GROUPS = 30,
    HTML_ROWS = 40,
    HTML_OPEN = 10,
    HTML_FOLDED = 40,
    HTML_LINES = 200,
};

/* What every part needs. */
struct html {
    const struct cprof_report *report;
    const struct report_summary *sum;
    struct output *out;
    struct buf *buf; /* of out */
};

/* html_finding.c: the verdict, all findings with what is known of them; those
 * that are not loud are folded. */
int html_findings(struct html *html, struct cprof_error *err);

/* html_held.c: who holds what a finding waits for, drawn, unless it is part of
 * a circle; the circles of goroutines that wait for each other. */
void html_held(struct html *html, const struct finding *finding);
void html_cycles(struct html *html);

/* html_changes.c: what changed over the snapshots, each place with its curve;
 * nothing when nothing was compared. html_chart.c draws one curve. */
void html_changes(struct html *html);
void html_chart(struct html *html, const struct change_view *view);

/* html_groups.c: the largest groups as a table, and the frame of the flame
 * view. */
int html_groups(struct html *html, struct cprof_error *err);

/* html_tree.c: who started whom; nothing when the dumps do not say it. */
int html_tree(struct html *html, struct cprof_error *err);

/* html_tables.c: what profiles measured, the rows of --group-by, the kinds of
 * normal goroutines, and what was counted beside the leading family: threads,
 * or a program's own profile. */
int html_families(struct html *html, struct cprof_error *err);
void html_measures(struct html *html);
void html_breakdown(struct html *html);
void html_normals(struct html *html);

/* html_input.c: what was read, and what was odd about it; why the judged
 * processes died. */
void html_inputs(struct html *html);
void html_crashes(struct html *html);

/* html_data.c: all groups with their stacks, for the script. */
int html_data(struct html *html, struct cprof_error *err);

/* html_tags.c */

/* Appends markup as it is. */
void html_raw(struct html *html, const char *markup);

/* Appends text of any origin: what does not print is shown as \xNN and
 * \u{NNNN}, and what means something in HTML is escaped. It may stand in an
 * element or in a quoted attribute. */
void html_text(struct html *html, struct str text);

/* Appends the text of words, and empties them. */
void html_words(struct html *html, struct buf *words);

/* Appends one paragraph of a class (NULL = none) with the words, if there are
 * any, and empties them. */
void html_paragraph(struct html *html, const char *class, struct buf *words);

/* Begins a section with a heading; every one is ended by "</section>". */
void html_section(struct html *html, const char *id, const char *heading);

/* Appends a place as "colly.(*httpBackend).Do http_backend.go:172", whole in
 * its title, and linked to its source if that is known. */
void html_place(struct html *html, const struct code_place *place);

/* Appends the cell of a table that holds a figure. */
void html_figure(struct html *html, struct buf *words);

/* Appends the frames of a group, the leaf first, as a list. */
void html_stack(struct html *html, const struct group_view *view);

/* The class of a state, after which it is coloured: "send", "lock" ... */
const char *html_state_class(state_id state);

/* Appends the address where a place can be looked at; false when there is
 * none. */
bool html_link_add(const struct html *html, struct buf *out,
                   const struct code_place *place);

#endif

/* text.h - the parts of the answer for people, one file each.
 *
 * A part begins with an empty line before it, so that it can be left out. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "report/measures.h"
#include "report/page.h"
#include "report/writers.h"

/* How much of something text shows without --top and --all. */
enum {
    GROUPS_USUAL = 10,
    FINDINGS_USUAL = 10,
    DIAGS_USUAL = 10,
    CRASHES_USUAL = 3,
};

/* What every part needs. */
struct text {
    const struct cprof_report *report;
    const struct report_summary *sum;
    struct output *out;
    struct page page;
    bool verbose;
    bool all;
    bool is_short; /* what did not change says nothing in a comparison */
    size_t n_full; /* findings that are shown in full, from the worst on */
    size_t n_loud; /* those, and all others that people should act on */
};

/* text.c: what parts of a report need to be appended to an output, with so many
 * columns (0 = as usual); and all of it. */
struct text text_begin(const struct cprof_report *report, struct output *out,
                       size_t columns, bool color);
int text_answer(struct text *text, struct cprof_error *err);

/* text_crash.c: why the judged processes died, if they did, and an empty
 * line. */
void text_crashes(struct text *text);

/* text_crash.c: the own words of the crash that a finding is of, if it is of
 * one, and an empty line; for where text_crashes does not stand above it. */
void text_crash_of(struct text *text, const struct finding *finding);

/* text_finding.c: one finding in full, with its place, meaning, advice and
 * the stack of its largest group. */
int text_finding(struct text *text, size_t index, struct cprof_error *err);

/* text_held.c: who holds what a minor finding waits for, on a line below it;
 * the circle of goroutines that wait for each other of a finding in full, if it
 * has one; and those circles that no finding in full has. */
void text_held_line(struct text *text, const struct finding *finding);
void text_cycle_of(struct text *text, size_t index);
void text_cycles(struct text *text);

/* text_baseline.c: what the baseline accepts, in a line, and one by one with
 * --all. */
void text_baseline(struct text *text);

/* text_stack.c: frames, one a line, indented. Long runs of the standard
 * library are folded and deep stacks cut, unless everything was asked for. */
void text_stack(struct text *text, const struct group_view *view);

/* text_minor.c: findings of one line each, those to act on apart from the
 * minor ones; kinds of normal goroutines.
 * text_groups.c, text_breakdown.c, text_tree.c: the largest groups, the rows of
 * --group-by, or who started whom; text_view (text.c) is the one that was asked
 * for. */
void text_further_findings(struct text *text);
int text_view(struct text *text, struct cprof_error *err);
int text_groups(struct text *text, struct cprof_error *err);
void text_breakdown(struct text *text);
int text_tree(struct text *text, struct cprof_error *err);
void text_normals(struct text *text);

/* text_changes.c: the places whose counts changed over the snapshots. */
void text_changes(struct text *text);

/* text_measures.c: of each profile that measures something, its sites, its
 * functions as pprof -top has them, and the runtime's memory numbers. */
void text_measures(struct text *text);

/* text_families.c: what was counted beside the leading family and measures
 * nothing: threads, or a program's own profile. */
int text_families(struct text *text, struct cprof_error *err);

/* text_input.c: the snapshots, and what was odd about the inputs. */
void text_snapshots(struct text *text);
void text_diagnostics(struct text *text);

/* text_hint.c: the next useful command, for who sits at a terminal. */
void text_hint(struct text *text);

/* text_words.c: small phrases that several parts use. */

/* Puts a lower case word on the page in upper case and a colour. Returns how
 * many columns that took. */
size_t text_word(struct text *text, const char *word, enum tint tint);

/* Puts the word of a severity on the page, in its colour: "CRITICAL". Returns
 * its columns. */
size_t text_severity(struct text *text, enum cprof_severity severity);

/* Appends a function with the last element of its package only:
 * "colly.(*httpBackend).Do". */
void text_function_short(struct buf *buf, struct str function);

/* Appends the last `keep` elements of a file's path and the line:
 * "v2/http_backend.go:172"; nothing without a file. keep 0 is the whole
 * path. */
void text_file(struct buf *buf, const struct code_place *place, unsigned keep);

/* Appends both: "colly.(*httpBackend).Do http_backend.go:172". Returns how many
 * bytes of it stand behind the function. */
size_t text_place_short(struct buf *buf, const struct code_place *place);

/* Appends a place, cut down to width columns, of which the last `tail` bytes
 * stand behind the function: "colly.(*http...).Do http_backend.go:172". File
 * and line stay whole, and of a method its name. */
void text_place_fit(struct buf *buf, struct str place, size_t tail,
                    size_t width);

/* Ends the page's line and begins a section. */
void text_head(struct text *text, struct str head);

#endif

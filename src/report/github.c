/* Annotations of GitHub Actions: workflow commands on standard output, one line
 * each, which the runner shows beside the code of a pull request. Actions
 * documentation, "Workflow commands": ten of each level a step are shown, so
 * the worst come first. */
#include "base/escape.h"
#include "report/answer_words.h"
#include "report/crash_words.h"
#include "report/facts.h"
#include "report/location.h"
#include "report/page.h"
#include "report/writers.h"
#include "rules/held.h"
#include "rules/words.h"

enum { FACT_MOST = 1000, EXPLAIN_MOST = 4000 }; /* columns */

/* By severity_alert. */
static const char *const levels[N_ALERTS] = {"notice", "warning", "error"};

/* Appends text as the runner's own toolkit does it: escapeData for messages,
 * escapeProperty for properties. */
static void add_escaped(struct buf *out, struct str text, bool is_property)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];

        if (c == '%' || c == '\r' || c == '\n' ||
            (is_property && (c == ':' || c == ',')))
            buf_addf(out, "%%%02X", (unsigned)c);
        else
            buf_add_char(out, (char)c);
    }
}

/* One property, with nothing in it that a terminal or a log would obey. */
static void put_property(struct buf *out, const char *name, struct str value)
{
    struct buf line = {0};

    escape_add_line(&line, value);
    buf_addf(out, "%s=", name);
    add_escaped(out, buf_str(&line), true);
    out->failed |= line.failed;
    buf_done(&line);
}

/* "state: chan send"; what is known of no name goes on with the line. */
static void add_fact(void *user, const struct fact *fact)
{
    struct buf *message = user;

    if (*fact->name)
        buf_addf(message, "\n%s: ", fact->name);
    else
        buf_add(message, STR(", "));
    fit_add(message, fact->words, FACT_MOST, CUT_MIDDLE);
}

static void add_crash_line(void *user, struct str line)
{
    struct buf *message = user;

    fit_add_line(message, line, FACT_MOST, CUT_MIDDLE);
    buf_add_char(message, '\n');
}

static void add_advice(struct buf *message, struct rule_texts advice)
{
    if (advice.count)
        buf_add(message, STR("\n\nTo do:"));
    for (size_t i = 0; i < advice.count; i++) {
        buf_add(message, STR("\n- "));
        escape_add_line(message, advice.items[i]);
    }
}

static void put_message(const struct cprof_report *report, struct buf *out,
                        const struct finding_view *view)
{
    struct arena scratch = report_scratch(report);
    struct evidence_view evidence =
        report_finding_evidence(report, view->finding, &scratch);
    const struct crash *crash = crash_of_finding(report, view->finding);
    struct buf message = {0};

    if (crash)
        crash_lines_each(crash, add_crash_line, &message);
    counted_of_add(&message, report, view->finding->count,
                   view->finding->share);
    dumps_add(&message, report, view->n_dumps);
    facts_each(report, view, &evidence, add_fact, &message);
    buf_add(&message, STR("\n\n"));
    fit_add_line(&message, view->finding->explain, EXPLAIN_MOST, CUT_MIDDLE);
    add_advice(&message, view->finding->rule->advice);
    add_escaped(out, buf_str(&message), false);
    out->failed |= message.failed;
    buf_done(&message);
    arena_done(&scratch);
}

/* The runner takes paths of the repository only. */
static int put_place(const struct cprof_report *report, struct buf *out,
                     const struct finding_view *view, struct cprof_error *err)
{
    const struct finding *finding = view->finding;
    struct arena scratch = report_scratch(report);
    struct location location;
    struct group_view group;
    int rc = 0;

    if (finding->n_groups)
        rc = report_group(report, finding->groups[0], &group, &scratch, err);
    if (rc == 0) {
        location = location_of_finding(
            report, view, finding->n_groups ? &group : NULL, &scratch);
        if (location.is_own) {
            put_property(out, "file", location.path);
            buf_add_char(out, ',');
        }
        if (location.is_own && location.place.line)
            buf_addf(out, "line=%u,", (unsigned)location.place.line);
    }
    arena_done(&scratch);
    return rc;
}

static int put_finding(const struct cprof_report *report, struct output *out,
                       size_t index, struct cprof_error *err)
{
    struct finding_view view = report_finding(report, index);
    const struct finding *finding = view.finding;
    struct buf title = {0};
    int rc;

    buf_addf(&out->buf, "::%s ", levels[severity_alert(finding->severity)]);
    rc = put_place(report, &out->buf, &view, err);
    buf_addf(&title, "%s: ", severity_text(finding->severity));
    buf_add(&title, finding->rule->title);
    put_property(&out->buf, "title", buf_str(&title));
    buf_add(&out->buf, STR("::"));
    put_message(report, &out->buf, &view);
    buf_add_char(&out->buf, '\n');
    out->buf.failed |= title.failed;
    buf_done(&title);
    return rc < 0 ? rc : output_relieve(out, err);
}

/* Who waits for whom in a circle. */
static void put_circle(const struct cprof_report *report, struct buf *out,
                       const struct wait_cycle *cycle)
{
    const struct symbols *symbols =
        analysis_snapshots(report_analysis(report))->symbols;
    struct buf message = {0};
    struct buf link = {0};

    buf_addf(&message, "%s (%s confidence): each waits for the next one",
             cycle->certainty == CERTAINTY_LOW ? "Perhaps a deadlock"
                                               : "Deadlock",
             certainty_text(cycle->certainty));
    for (size_t i = 0; i < cycle->n_links; i++) {
        buf_clear(&link);
        held_add_link(&link, symbols, cycle, i);
        buf_add(&message, STR("\n- "));
        fit_add_line(&message, buf_str(&link), FACT_MOST, CUT_MIDDLE);
    }
    buf_add(out, STR("::notice title=cprof-leaks::"));
    add_escaped(out, buf_str(&message), false);
    buf_add_char(out, '\n');
    out->failed |= message.failed || link.failed;
    buf_done(&message);
    buf_done(&link);
}

/* The circles that no finding tells of which is annotated. */
static void put_circles(const struct cprof_report *report, struct buf *out,
                        enum cprof_severity least)
{
    size_t n = 0;
    const struct wait_cycle *cycles =
        analysis_cycles(report_analysis(report), &n);

    for (size_t i = 0; i < n; i++) {
        size_t first = report_first_in(report, &cycles[i]);

        if (first == SIZE_MAX ||
            report_finding(report, first).finding->severity < least)
            put_circle(report, out, &cycles[i]);
    }
}

/* An input that was not read whole is worth a look, whatever was found. */
static void put_warnings(const struct cprof_report *report, struct buf *out)
{
    const struct cprof_snapshots *snapshots =
        analysis_snapshots(report_analysis(report));

    for (const struct diag *diag = snapshots->diags.first; diag;
         diag = diag->next) {
        struct buf words = {0};
        struct buf line = {0};

        if (diag->severity == DIAG_INFO)
            continue;
        words_of_diagnostic(&words, diag);
        escape_add_line(&line, buf_str(&words));
        buf_add(out, STR("::warning title=cprof-leaks::"));
        add_escaped(out, buf_str(&line), false);
        buf_add_char(out, '\n');
        out->failed |= words.failed || line.failed;
        buf_done(&words);
        buf_done(&line);
    }
}

/* Why the run has failed, if not for what it found. */
static void put_failure(const struct cprof_report *report, struct buf *out)
{
    if (report_fails_strict(report))
        buf_add(out, STR("::error title=cprof-leaks::an input is incomplete "
                         "(--strict); see the warnings\n"));
    if (report_summary(report)->is_judged)
        return;
    buf_add(out, STR("::error title=cprof-leaks::"));
    words_of_unjudged(out, report);
    buf_add_char(out, '\n');
}

/* For who reads the log: a line of figures and no names, so that nothing in a
 * dump can look like a command. */
static void put_verdict(const struct cprof_report *report, struct buf *out)
{
    const struct report_summary *sum = report_summary(report);
    size_t n = report_n_findings(report);

    buf_addf(out, "cprof-leaks: verdict %s, ", sum->word);
    counted_add(out, sum->nouns, sum->share_of);
    buf_addf(out, ", %zu finding%s\n", n, n == 1 ? "" : "s");
}

int github_write(const struct cprof_report *report, struct output *out,
                 struct cprof_error *err)
{
    enum cprof_severity least =
        report_options(report)->all ? CPROF_SEVERITY_OK : CPROF_SEVERITY_LOW;
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < report_n_findings(report); i++) {
        if (report_finding(report, i).finding->severity >= least)
            rc = put_finding(report, out, i, err);
    }
    put_circles(report, &out->buf, least);
    put_warnings(report, &out->buf);
    put_failure(report, &out->buf);
    put_verdict(report, &out->buf);
    return rc;
}

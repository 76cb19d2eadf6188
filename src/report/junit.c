/* A test report as Ant's JUnit task writes it, which every CI server reads:
 * each rule is a test. It has no standard; this holds to what the strictest of
 * its readers asks for (tests/live/support/junit.xsd). */
#include "base/markup.h"
#include "base/utc.h"
#include "base/version.h"
#include "report/answer_words.h"
#include "report/text.h"

enum { COLUMNS = 100 };

/* Whether a finding makes its test fail. */
static bool is_failure(const struct cprof_report *report,
                       const struct finding *finding)
{
    enum cprof_severity least = report_options(report)->fail_on;

    return least != CPROF_SEVERITY_OK && finding->severity >= least;
}

/* Goes from a finding on to the next failure of its rule, or to SIZE_MAX. */
static size_t skip_to_failure(const struct cprof_report *report, size_t index)
{
    size_t n = report_n_findings(report);

    while (index < n &&
           !is_failure(report, report_finding(report, index).finding))
        index = report_next_of(report, index);
    return index < n ? index : SIZE_MAX;
}

static size_t first_failure(const struct cprof_report *report,
                            const struct rule_info *rule)
{
    return skip_to_failure(report, report_first_of(report, rule));
}

static size_t next_failure(const struct cprof_report *report, size_t index)
{
    return skip_to_failure(report, report_next_of(report, index));
}

static void put_attribute(struct buf *out, const char *name, struct str value)
{
    buf_addf(out, " %s=\"", name);
    markup_add(out, value);
    buf_add_char(out, '"');
}

static void put_property(struct buf *out, const char *name, struct str value)
{
    buf_addf(out, "      <property name=\"%s\"", name);
    put_attribute(out, "value", value);
    buf_add(out, STR("/>\n"));
}

static void put_count(struct buf *out, const char *name, uint64_t count)
{
    struct buf words = {0};

    buf_addf(&words, "%llu", (unsigned long long)count);
    put_property(out, name, buf_str(&words));
    buf_done(&words);
}

/* The figures, by the names that -o json has for them. */
static void put_properties(const struct cprof_report *report, struct buf *out)
{
    const struct report_summary *sum = report_summary(report);
    enum cprof_severity least = report_options(report)->fail_on;

    buf_add(out, STR("    <properties>\n"));
    put_property(out, "version", str_from(cprof_version_text));
    put_property(out, "command",
                 report_growth(report) ? STR("diff") : STR("analyze"));
    put_property(out, "verdict", str_from(sum->word));
    put_property(out, "fail_on",
                 least == CPROF_SEVERITY_OK ? STR("none")
                                            : str_from(severity_text(least)));
    put_property(out, "profile", sum->profile);
    put_count(out, "goroutines", sum->goroutines);
    put_count(out, "share_of", sum->share_of);
    put_count(out, "groups", sum->n_groups);
    put_count(out, "normal", sum->normal);
    put_count(out, "findings", report_n_findings(report));
    put_property(out, "complete",
                 sum->is_complete ? STR("true") : STR("false"));
    buf_add(out, STR("    </properties>\n"));
}

/* "cprof-leaks.caches" for a rule of rules/caches.yaml: servers show tests by
 * what stands between the dots. */
static void put_class(struct buf *out, const struct rule_info *rule)
{
    struct str file = str_skip(rule->file, str_rfind(rule->file, '/') + 1);

    if (!file.len)
        file = rule->file;
    buf_add(out, STR(" classname=\"cprof-leaks."));
    markup_add(out, str_head(file, str_find(file, '.')));
    buf_add_char(out, '"');
}

/* "Goroutines blocked ...: 40 of 312 goroutines (12.82 %); 1 more finding" */
static void put_message(const struct cprof_report *report, struct buf *out,
                        const struct finding *finding, size_t n)
{
    struct buf words = {0};

    buf_add(&words, finding->rule->title);
    buf_add(&words, STR(": "));
    counted_of_add(&words, report, finding->count, finding->share);
    if (n > 1)
        buf_addf(&words, "; %zu more finding%s", n - 1, n == 2 ? "" : "s");
    put_attribute(out, "message", buf_str(&words));
    put_attribute(out, "type", str_from(severity_text(finding->severity)));
    out->failed |= words.failed;
    buf_done(&words);
}

/* All failures of a rule, as the text answer has them. */
static int put_failure(const struct cprof_report *report, struct output *out,
                       size_t first, struct cprof_error *err)
{
    const struct finding *finding = report_finding(report, first).finding;
    struct output inner = {0};
    struct text text = text_begin(report, &inner, COLUMNS, false);
    size_t n = 0;
    int rc = 0;

    text.n_loud = 1; /* what stands here knows of no other */
    for (size_t i = first; rc == 0 && i != SIZE_MAX;
         i = next_failure(report, i)) {
        text_crash_of(&text, report_finding(report, i).finding);
        rc = text_finding(&text, i, err);
        n++;
    }
    buf_add(&out->buf, STR("      <failure"));
    put_message(report, &out->buf, finding, n);
    buf_add_char(&out->buf, '>');
    markup_add_lines(&out->buf, buf_str(&inner.buf));
    buf_add(&out->buf, STR("</failure>\n    </testcase>\n"));
    out->buf.failed |= inner.buf.failed;
    buf_done(&inner.buf);
    return rc < 0 ? rc : output_relieve(out, err);
}

static int put_rule(const struct cprof_report *report, struct output *out,
                    const struct rule_info *rule, struct cprof_error *err)
{
    size_t first = first_failure(report, rule);
    bool is_right = first == SIZE_MAX;

    buf_add(&out->buf, STR("    <testcase"));
    put_class(&out->buf, rule);
    put_attribute(&out->buf, "name", rule->id);
    buf_add(&out->buf,
            is_right ? STR(" time=\"0\"/>\n") : STR(" time=\"0\">\n"));
    return is_right ? 0 : put_failure(report, out, first, err);
}

/* Whether every input was read whole is a test as well; only with --strict, or
 * where the frames of most could not be read, it can fail. */
static void put_inputs(const struct cprof_report *report, struct buf *out)
{
    struct buf words = {0};

    buf_add(out, STR("    <testcase classname=\"cprof-leaks.inputs\" "
                     "name=\"complete\" time=\"0\""));
    if (!report_summary(report)->is_judged) {
        words_of_unjudged(&words, report);
        buf_add(out, STR(">\n      <error"));
        put_attribute(out, "message", buf_str(&words));
        buf_add(out, STR(" type=\"unknown\"/>\n    </testcase>\n"));
    } else if (report_fails_strict(report))
        buf_add(out, STR(">\n      <error message=\"an input is incomplete "
                         "(--strict); see the diagnostics\" "
                         "type=\"incomplete\"/>\n    </testcase>\n"));
    else
        buf_add(out, STR("/>\n"));
    out->failed |= words.failed;
    buf_done(&words);
}

/* When the report was made; otherwise when the newest judged dump was taken.
 * The format knows neither fractions nor zones. */
static void put_timestamp(const struct cprof_report *report, struct buf *out)
{
    const struct analysis *analysis = report_analysis(report);
    const struct cprof_snapshots *snapshots = analysis_snapshots(analysis);
    int64_t newest = report_options(report)->now_ns;
    struct buf words = {0};

    for (size_t i = 0; !report_options(report)->now_ns && i < snapshots->count;
         i++) {
        int64_t taken = snapshot_info_get(snapshots->items[i])->taken_ns;

        if (analysis_is_judged(analysis, i) && taken > newest)
            newest = taken;
    }
    if (!newest)
        return;
    utc_add(&words, newest - newest % 1000000000);
    put_attribute(out, "timestamp", str_head(buf_str(&words), words.len - 1));
    out->failed |= words.failed;
    buf_done(&words);
}

static void put_suite(const struct cprof_report *report, struct buf *out)
{
    size_t n_failures = 0;
    size_t n = 1; /* the inputs */

    for (size_t i = 0; i < report_n_rules(report); i++) {
        if (!report_rule(report, i))
            continue;
        n_failures += first_failure(report, report_rule(report, i)) != SIZE_MAX;
        n++;
    }
    buf_add(out, STR("  <testsuite name=\"cprof-leaks\" package=\"cprof-leaks\""
                     " id=\"0\""));
    put_timestamp(report, out);
    buf_addf(out,
             " hostname=\"localhost\" tests=\"%zu\" failures=\"%zu\" "
             "errors=\"%d\" skipped=\"0\" time=\"0\">\n",
             n, n_failures,
             report_fails_strict(report) || !report_summary(report)->is_judged);
}

/* Takes the text answer on its way into an element. */
static int write_escaped(void *user, const char *bytes, size_t size)
{
    struct output *out = user;
    struct cprof_error err;

    markup_add_lines(&out->buf, (struct str){bytes, size});
    return output_relieve(out, &err);
}

/* The whole answer, for who opens the log of the test. */
static int put_text(const struct cprof_report *report, struct output *out,
                    struct cprof_error *err)
{
    struct output inner = {.write = write_escaped, .user = out};
    struct text text = text_begin(report, &inner, COLUMNS, false);
    int rc;

    buf_add(&out->buf, STR("    <system-out>"));
    rc = text_answer(&text, err);
    if (rc == 0)
        rc = output_flush(&inner, err);
    buf_done(&inner.buf);
    buf_add(&out->buf, STR("</system-out>\n    <system-err/>\n"));
    return rc;
}

int junit_write(const struct cprof_report *report, struct output *out,
                struct cprof_error *err)
{
    int rc = 0;

    buf_add(&out->buf, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                           "<testsuites>\n"));
    put_suite(report, &out->buf);
    put_properties(report, &out->buf);
    put_inputs(report, &out->buf);
    for (size_t i = 0; rc == 0 && i < report_n_rules(report); i++) {
        if (report_rule(report, i))
            rc = put_rule(report, out, report_rule(report, i), err);
    }
    if (rc == 0)
        rc = put_text(report, out, err);
    buf_add(&out->buf, STR("  </testsuite>\n</testsuites>\n"));
    return rc;
}

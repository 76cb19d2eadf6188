/* answer_fuzz.c - any bytes as a dump, through everything behind the readers.
 *
 * Whatever was read can be judged by all rules, alone and as moments of one
 * process, and written in every form; no form lets a text of the dump become
 * part of its own language; and an export that is read again holds as many
 * goroutines. How a report is asked for, and what is written, depends on the
 * length of the input: each input tries one way, and all ways are tried. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/sites.h"
#include "base/buf.h"
#include "export/export.h"
#include "model/options.h"
#include "reading.h"
#include "written.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    EXPORTED_MOST = 4, /* snapshots of one input */
    HTML_SCRIPTS = 2,  /* the data of the page, and what works on it */
};

/* --- Reports -------------------------------------------------------------- */

/* One way in which a report can be asked for. */
static void choose_options(struct cprof_options *options, size_t way)
{
    static const char *const group_by[] = {
        "stack", "site", "function", "creator", "package", "state", "label:k"};

    CHECK(cprof_options_set(options, "group-by", group_by[way % 7], NULL) == 0);
    options->tree = way % 5 == 1;
    options->all = way % 3 == 1;
    options->hint = way % 2 == 1;
    options->verbose = way % 4 == 1;
    options->color = way % 11 == 1;
    options->columns = way % 6 == 1 ? 40 : 0;
    options->sort_by_cum = way % 2 == 0;
    options->now_ns = 1700000000 * (int64_t)1000000000;
}

static void check_form(const char *form, const struct cprof_options *options,
                       struct str text)
{
    struct str word = str_from(form);

    CHECK(text.len > 0 || str_equal(word, STR("github")));
    if (str_equal(word, STR("json")) || str_equal(word, STR("sarif")))
        written_json(text);
    else if (str_equal(word, STR("html")) || str_equal(word, STR("junit")))
        written_markup(text, str_equal(word, STR("html")) ? HTML_SCRIPTS : 0);
    else
        written_printable(text, options->color && str_equal(word, STR("text")));
}

/* Some of the forms: the way says which. */
static void write_forms(const struct cprof_report *report,
                        const struct cprof_options *options, size_t way)
{
    static const char *const forms[] = {"text",  "json",  "html",  "markdown",
                                        "junit", "sarif", "github"};

    for (size_t i = way % 3; i < sizeof(forms) / sizeof(forms[0]); i += 3) {
        struct buf buf = {0};
        struct cprof_error err = {0};

        CHECK(cprof_report_write(report, forms[i], written_append, &buf,
                                 &err) == 0);
        check_form(forms[i], options, buf_str(&buf));
        buf_done(&buf);
    }
}

static void report(struct reading *reading, size_t way)
{
    struct cprof_report *report = NULL;
    struct cprof_error err = {0};

    CHECK(cprof_report_new(&report, reading->snapshots, reading->options,
                           &err) == 0);
    CHECK(cprof_report_findings(report) > 0 ||
          cprof_report_verdict(report) == CPROF_SEVERITY_OK);
    write_forms(report, reading->options, way);
    cprof_report_free(report);
}

/* --- Exports -------------------------------------------------------------- */

static void check_profile(const struct snapshot_info *info, struct str bytes)
{
    struct reading again;
    const struct snapshot_info *exported;

    reading_init(&again, NULL);
    reading_add(&again, bytes.ptr, bytes.len, 0);
    CHECK(again.rc == 0);
    CHECK(cprof_snapshots_count(again.snapshots) == 1);
    exported = snapshot_info_get(again.snapshots->items[0]);
    CHECK(exported->n_types == info->n_types);
    if (!info->n_types)
        CHECK(exported->total == info->total);
    reading_done(&again);
}

static void check_lines(struct str text)
{
    while (text.len) {
        struct str line = str_head(text, str_find(text, '\n'));

        CHECK(line.len < text.len);
        written_json(line);
        text = str_skip(text, line.len + 1);
    }
}

static void check_export(const char *form, const struct snapshot_info *info,
                         struct str bytes)
{
    struct str word = str_from(form);

    if (str_equal(word, STR("pprof"))) {
        check_profile(info, bytes);
    } else if (str_equal(word, STR("speedscope"))) {
        written_json(bytes);
    } else if (str_equal(word, STR("jsonl"))) {
        check_lines(bytes);
    } else {
        uint64_t sum = written_folded(bytes);

        written_printable(bytes, false);
        if (!info->n_types)
            CHECK(sum == info->total);
    }
}

static void export(struct reading *reading, size_t snapshot, const char *form)
{
    struct buf buf = {0};
    struct cprof_error err = {0};
    struct export_request request = {.format = export_format_find(form, &err),
                                     .snapshots = reading->snapshots,
                                     .chosen = &snapshot,
                                     .n_chosen = 1,
                                     .site = site_find};

    CHECK(export_write(&request, written_append, &buf, &err) == 0);
    check_export(form, snapshot_info_get(reading->snapshots->items[snapshot]),
                 buf_str(&buf));
    buf_done(&buf);
}

static void export_all(struct reading *reading, size_t way)
{
    static const char *const forms[] = {"pprof", "folded", "speedscope",
                                        "jsonl"};
    struct analysis *analysis = NULL;
    size_t n = cprof_snapshots_count(reading->snapshots);

    CHECK(analysis_new(&analysis, reading->snapshots, NULL) == 0);
    analysis_free(analysis);
    for (size_t i = 0; i < n && i < EXPORTED_MOST; i++)
        export(reading, i, forms[(way + i) % 4]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reading reading;

    reading_init(&reading, NULL);
    choose_options(reading.options, size);
    if (size % 3 == 2)
        cprof_snapshots_compare(reading.snapshots);
    reading_add(&reading, data, size, 0);
    if (reading.rc == 0) {
        report(&reading, size);
        export_all(&reading, size);
    }
    reading_done(&reading);
    return 0;
}

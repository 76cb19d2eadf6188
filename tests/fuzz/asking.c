#include "asking.h"

#include "base/buf.h"
#include "model/options.h"
#include "written.h"

enum { HTML_SCRIPTS = 2 }; /* the data of the page, and what works on it */

/* Lengths that are neighbours have nothing in common. */
struct way way_from(size_t size)
{
    uint64_t mixed = ((uint64_t)size + 1) * UINT64_C(0x9E3779B97F4A7C15);

    mixed = (mixed ^ (mixed >> 29)) * UINT64_C(0xBF58476D1CE4E5B9);
    return (struct way){mixed ^ (mixed >> 32)};
}

size_t way_choose(struct way *way, size_t n)
{
    size_t chosen = way->rest % n;

    way->rest /= n;
    return chosen;
}

void asking_choose(struct cprof_options *options, struct way *way)
{
    static const char *const group_by[] = {
        "stack", "site", "function", "creator", "package", "state", "label:k"};

    CHECK(cprof_options_set(options, "group-by", group_by[way_choose(way, 7)],
                            NULL) == 0);
    options->tree = way_choose(way, 5) == 1;
    options->all = way_choose(way, 3) == 1;
    options->hint = way_choose(way, 2) == 1;
    options->verbose = way_choose(way, 4) == 1;
    options->color = way_choose(way, 8) == 1;
    options->columns = way_choose(way, 6) == 1 ? 40 : 0;
    options->sort_by_cum = way_choose(way, 2) == 1;
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

static void write_form(const struct cprof_report *report,
                       const struct cprof_options *options, const char *form)
{
    struct buf buf = {0};
    struct cprof_error err = {0};

    CHECK(cprof_report_write(report, form, written_append, &buf, &err) == 0);
    check_form(form, options, buf_str(&buf));
    buf_done(&buf);
}

/* Text is what most people see, and has the most ways. */
void asking_report(struct reading *reading, struct way *way)
{
    static const char *const forms[] = {"text",     "text",  "json",  "html",
                                        "markdown", "junit", "sarif", "github"};
    struct cprof_report *report = NULL;
    struct cprof_error err = {0};

    CHECK(cprof_report_new(&report, reading->snapshots, reading->options,
                           &err) == 0);
    CHECK(cprof_report_findings(report) > 0 ||
          cprof_report_verdict(report) == CPROF_SEVERITY_OK);
    write_form(report, reading->options, forms[way_choose(way, 8)]);
    cprof_report_free(report);
}

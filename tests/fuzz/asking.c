#include "asking.h"

#include "base/buf.h"
#include "model/options.h"
#include "report/report.h"
#include "rules/rules.h"
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

/* One option of those that hardly anybody gives, or mostly none. */
static void set_one(struct cprof_options *options, size_t which)
{
    static const struct {
        const char *name;
        const char *value;
    } rare[] = {
        {"focus", "main|server"},
        {"ignore", "^runtime|poll"},
        {"hide", "^(runtime|net/http)"},
        {"state", "chan receive"},
        {"label", "k=v"},
        {"min-count", "2"},
        {"min-age", "1m"},
        {"source-link", "github:acme/shop@v1"},
        {"top", "1"},
        {"fail-on", "medium"},
        {"source-root", "/srv"},
        {"strict", NULL},
    };

    if (which < sizeof(rare) / sizeof(rare[0]))
        CHECK(cprof_options_set(options, rare[which].name, rare[which].value,
                                NULL) == 0);
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
    set_one(options, way_choose(way, 28));
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

/* Reads a text to its end, so that a sanitizer sees one that is not there. */
static void check_text(struct cprof_text text)
{
    struct buf copy = {0};

    buf_add(&copy, (struct str){text.bytes, text.size});
    CHECK(buf_str(&copy).len == text.size);
    buf_done(&copy);
}

static void check_place(struct cprof_place place)
{
    check_text(place.function);
    check_text(place.file);
}

static void ask_finding(const struct cprof_report *report, size_t finding)
{
    double share = cprof_finding_share(report, finding);

    CHECK(cprof_finding_severity(report, finding) <=
          cprof_report_verdict(report));
    CHECK(cprof_finding_confidence(report, finding) <= CPROF_CONFIDENCE_PROVEN);
    CHECK(share >= 0 && share <= 1);
    CHECK(cprof_finding_count(report, finding) <=
          cprof_report_goroutines(report));
    check_place(cprof_finding_site(report, finding));
    for (enum cprof_text_kind kind = CPROF_FINDING_RULE;
         kind <= CPROF_FINDING_REFERENCE; kind++) {
        for (size_t i = 0; i < cprof_finding_texts(report, finding, kind); i++)
            check_text(cprof_finding_text(report, finding, kind, i));
    }
}

static void ask_group(const struct cprof_report *report, size_t group)
{
    size_t n = cprof_group_frames(report, group);

    CHECK(cprof_group_count(report, group) <= cprof_report_goroutines(report));
    check_text(cprof_group_state(report, group));
    CHECK(cprof_group_site(report, group) < (ptrdiff_t)n);
    for (size_t i = 0; i < n; i++)
        check_place(cprof_group_frame(report, group, i));
}

/* Everything that a program can ask. */
static void ask_all(const struct cprof_report *report)
{
    for (size_t i = 0; i < cprof_report_findings(report); i++)
        ask_finding(report, i);
    for (size_t i = cprof_report_group(report, 0); i != CPROF_NO_GROUP;
         i = cprof_report_group(report, i + 1))
        ask_group(report, i);
}

/* The built-in rules, loaded once: that takes longer than to judge most
 * inputs. */
static struct rules *shared_rules(void)
{
    static struct rules *rules;
    static struct budget budget;

    if (!rules) {
        budget_init(&budget, 0);
        CHECK(rules_new(&rules, &budget, NULL) == 0);
        CHECK(rules_load_builtin(rules, NULL) == 0);
    }
    return rules;
}

/* Text is what most people see, and has the most ways. */
void asking_report(struct reading *reading, struct way *way)
{
    static const char *const forms[] = {"text",     "text",  "json",  "html",
                                        "markdown", "junit", "sarif", "github"};
    struct cprof_report *report = NULL;
    struct cprof_error err = {0};

    CHECK(report_new_by(&report, reading->snapshots, reading->options,
                        shared_rules(), &err) == 0);
    CHECK(cprof_report_findings(report) > 0 ||
          cprof_report_verdict(report) == CPROF_SEVERITY_OK);
    ask_all(report);
    write_form(report, reading->options, forms[way_choose(way, 8)]);
    cprof_report_free(report);
}

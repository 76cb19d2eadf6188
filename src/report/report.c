#include <stdlib.h>

#include "report/built.h"
#include "report/writers.h"
#include "rules/filter.h"

bool severity_is_loud(enum cprof_severity severity)
{
    return severity >= CPROF_SEVERITY_MEDIUM;
}

size_t severity_alert(enum cprof_severity severity)
{
    return (size_t)(severity >= CPROF_SEVERITY_MEDIUM) +
           (severity >= CPROF_SEVERITY_HIGH);
}

static int load_rules(struct cprof_report *report, struct cprof_error *err)
{
    int rc = rules_new(&report->own_rules, report->budget, err);

    if (rc == 0)
        rc = rules_load_chosen(report->own_rules, report->options, err);
    report->rules = report->own_rules;
    return rc;
}

static int compile_hide(struct cprof_report *report, struct cprof_error *err)
{
    const struct option_list *list = &report->options->hide;
    struct cprof_error why = {0};

    if (!list->count)
        return 0;
    report->hide =
        arena_take_zero(&report->arena, list->count * sizeof(struct pattern *));
    if (!report->hide)
        return error_memory(err, (struct place){0}, "building the report");
    for (; report->n_hide < list->count; report->n_hide++) {
        const char *expression = list->values[report->n_hide];

        if (pattern_new(&report->hide[report->n_hide], str_from(expression),
                        &why) < 0)
            return error_set(err, CPROF_EUSAGE, (struct place){0},
                             "option --hide '%.100s': %s", expression,
                             why.message);
    }
    return 0;
}

/* Asks for all names once, so that what gives up is said in every form. */
static void try_hide(const struct cprof_report *report)
{
    const struct symbols *symbols = report_symbols(report);
    size_t n = report->n_hide ? analysis_n_groups(report->analysis) : 0;

    for (size_t i = 0; i < n; i++) {
        struct stack stack =
            symbols_stack(symbols, analysis_group(report->analysis, i)->stack);

        for (uint32_t k = 0; k < stack.n_frames; k++)
            is_hidden(report, stack.frames[k]);
    }
    filter_say_limits(report->snapshots, "hide", report->hide, report->n_hide);
}

static int build(struct cprof_report *report, struct cprof_error *err)
{
    int rc = analysis_new(&report->analysis, report->snapshots, err);

    if (rc == 0 && report->snapshots->is_series)
        rc = growth_new(&report->growth, report->analysis, err);
    if (rc == 0)
        rc = filter_apply(report->analysis, report->options, err);
    if (rc == 0)
        rc = compile_hide(report, err);
    if (rc == 0)
        try_hide(report);
    if (rc == 0 && !report->rules)
        rc = load_rules(report, err);
    if (rc == 0)
        rc = rules_judge(report->rules, report->analysis, &report->findings,
                         err);
    if (rc == 0)
        rc = baseline_judge(&report->baseline, report->options,
                            report->findings, report->budget, err);
    if (rc == 0)
        rc = relations_build(report, err);
    if (rc == 0)
        rc = summary_build(report, err);
    if (rc == 0)
        rc = breakdown_build(report, err);
    if (rc == 0)
        rc = measures_build(report, err);
    return rc;
}

int cprof_report_new(struct cprof_report **ret,
                     struct cprof_snapshots *snapshots,
                     const struct cprof_options *options,
                     struct cprof_error *err)
{
    return report_new_by(ret, snapshots, options, NULL, err);
}

int report_new_by(struct cprof_report **ret, struct cprof_snapshots *snapshots,
                  const struct cprof_options *options, struct rules *rules,
                  struct cprof_error *err)
{
    struct cprof_report *report = calloc(1, sizeof(*report));
    struct budget *budget = calloc(1, sizeof(*budget));
    int rc;

    if (!report || !budget) {
        free(report);
        free(budget);
        return error_memory(err, (struct place){0}, "building the report");
    }
    budget_init(budget, 0);
    report->budget = budget;
    report->options = options;
    report->snapshots = snapshots;
    report->rules = rules;
    arena_init(&report->arena, budget);
    table_init(&report->firsts, budget);
    rc = build(report, err);
    if (rc < 0) {
        cprof_report_free(report);
        return rc;
    }
    if (atomic_load(&budget->n_refused))
        diag_add_refusal(&snapshots->diags);
    if (collection_has_lost(snapshots) || atomic_load(&budget->n_refused))
        report->summary.is_complete = false;
    *ret = report;
    return 0;
}

void cprof_report_free(struct cprof_report *report)
{
    if (!report)
        return;
    baseline_free(report->baseline);
    findings_free(report->findings);
    rules_free(report->own_rules);
    for (size_t i = 0; i < report->n_hide; i++)
        pattern_free(report->hide[i]);
    analysis_free(report->analysis);
    table_done(&report->firsts);
    arena_done(&report->arena);
    free(report->budget);
    free(report);
}

enum cprof_severity cprof_report_verdict(const struct cprof_report *report)
{
    return report->summary.verdict;
}

bool cprof_report_is_judged(const struct cprof_report *report)
{
    return report->summary.is_judged;
}

bool cprof_report_is_complete(const struct cprof_report *report)
{
    return report->summary.is_complete;
}

/* How often the system refused memory to the report and its snapshots. */
static size_t count_refusals(const struct cprof_report *report)
{
    return atomic_load(&report->budget->n_refused) +
           atomic_load(&report->snapshots->budget.n_refused) + buf_failures();
}

int cprof_report_write(const struct cprof_report *report, const char *format,
                       cprof_write_fn *write, void *user,
                       struct cprof_error *err)
{
    const struct writer *writer = writer_find(format, err);
    struct output out = {.write = write, .user = user};
    size_t n_refused = count_refusals(report);
    int rc;

    if (!writer)
        return CPROF_EUSAGE;
    rc = writer->write(report, &out, err);
    /* What a view had no memory for would be missing without a word. */
    if (rc == 0 && count_refusals(report) != n_refused)
        rc = error_memory(err, (struct place){0}, "writing the report");
    if (rc == 0)
        rc = output_flush(&out, err);
    buf_done(&out.buf);
    return rc;
}

int cprof_report_write_baseline(const struct cprof_report *report,
                                cprof_write_fn *write, void *user,
                                struct cprof_error *err)
{
    struct output out = {.write = write, .user = user};
    int rc;

    if (!report->baseline)
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "the report was made without a baseline");
    baseline_add_text(report->baseline, &out.buf);
    rc = output_flush(&out, err);
    buf_done(&out.buf);
    return rc;
}

bool report_has_lost(const struct cprof_report *report)
{
    return diag_find(&report->snapshots->diags, "out-of-memory") != NULL;
}

const struct cprof_options *report_options(const struct cprof_report *report)
{
    return report->options;
}

struct analysis *report_analysis(const struct cprof_report *report)
{
    return report->analysis;
}

struct symbols *report_symbols(const struct cprof_report *report)
{
    return report->snapshots->symbols;
}

const struct report_summary *report_summary(const struct cprof_report *report)
{
    return &report->summary;
}

struct arena report_scratch(const struct cprof_report *report)
{
    struct arena arena;

    arena_init(&arena, report->budget);
    return arena;
}

size_t report_n_findings(const struct cprof_report *report)
{
    return findings_count(report->findings) - report->summary.n_accepted;
}

bool report_fails_strict(const struct cprof_report *report)
{
    return report_options(report)->strict && !report->summary.is_complete;
}

size_t report_n_accepted(const struct cprof_report *report)
{
    return report->summary.n_accepted;
}

const struct baseline *report_baseline(const struct cprof_report *report)
{
    return report->baseline;
}

size_t report_n_rules(const struct cprof_report *report)
{
    return rules_count(report->rules);
}

const struct rule_info *report_rule(const struct cprof_report *report,
                                    size_t index)
{
    const struct rule_info *rule = rules_info(report->rules, index);

    return rule->class == CLASS_NORMAL || !rules_is_on(report->rules, index)
               ? NULL
               : rule;
}

size_t report_n_normals(const struct cprof_report *report)
{
    return report->n_normals;
}

const struct normal_row *report_normal(const struct cprof_report *report,
                                       size_t index)
{
    return &report->normals[index];
}

size_t report_n_rows(const struct cprof_report *report)
{
    return report->n_rows;
}

const struct breakdown_row *report_row(const struct cprof_report *report,
                                       size_t index)
{
    return &report->rows[index];
}

size_t report_next_group(const struct cprof_report *report, size_t start)
{
    size_t n = analysis_n_groups(report->analysis);

    for (size_t i = start; i < n; i++) {
        if (!analysis_group(report->analysis, i)->is_filtered)
            return i;
    }
    return SIZE_MAX;
}

size_t report_next_leading(const struct cprof_report *report, size_t start)
{
    size_t i = report_next_group(report, start);

    /* Those of the leading family stand in front. */
    if (i != SIZE_MAX && analysis_group(report->analysis, i)->family)
        return SIZE_MAX;
    return i;
}

bool report_is_normal(const struct cprof_report *report, size_t group)
{
    const struct rule_info *rule = findings_owner(report->findings, group);

    return rule && rule->class == CLASS_NORMAL;
}

size_t report_top(const struct cprof_report *report, size_t usual)
{
    if (report->options->all)
        return SIZE_MAX;
    return report->options->top ? report->options->top : usual;
}

const struct growth *report_growth(const struct cprof_report *report)
{
    return report->growth;
}

bool report_compares(const struct cprof_report *report)
{
    size_t n = report->growth ? growth_n_series(report->growth) : 0;

    for (size_t i = 0; i < n; i++) {
        if (growth_series(report->growth, i)->n > 1)
            return true;
    }
    /* Of profiles that measure, the last of each instance is judged. */
    for (size_t i = 0; i < report->snapshots->count; i++) {
        const struct snapshot_info *info =
            snapshot_info_get(report->snapshots->items[i]);

        if (profile_is_measured(info->kind) &&
            !analysis_is_judged(report->analysis, i))
            return true;
    }
    return false;
}

struct snapshot_moment report_moment(const struct cprof_report *report,
                                     size_t snapshot)
{
    const struct moments_list *list = analysis_moments(report->analysis);
    const struct moments *series;

    if (!report->growth || !list->count || !list->of[snapshot])
        return (struct snapshot_moment){NULL, 0};
    series = &list->items[list->of[snapshot] - 1];
    return (struct snapshot_moment){series, moments_find(series, snapshot)};
}

size_t report_n_measures(const struct cprof_report *report)
{
    return report->n_measures;
}

const struct measures *report_measures(const struct cprof_report *report,
                                       size_t index)
{
    return &report->measures[index];
}

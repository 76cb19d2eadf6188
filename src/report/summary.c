#include <stdlib.h>

#include "base/count.h"
#include "report/built.h"

static const struct format_facts formats[] = {
    {"debug0", "debug=0", false, false, false},
    {"debug1", "debug=1", false, false, false},
    {"debug2", "debug=2", true, true, true},
    {"crash", "crash output", true, true, true},
    {"export", "an export of cprof-leaks", false, false, false},
};

const struct format_facts *format_facts(const char *format)
{
    static const struct format_facts other = {"", "", true, true, true};

    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (format && strcmp(format, formats[i].name) == 0)
            return &formats[i];
    }
    return &other;
}

/* What is counted, by the kind of the profile. */
static const struct {
    enum profile_kind kind;
    struct nouns nouns;
} kinds[] = {
    {PROFILE_OTHER, {"entry", "entries"}}, /* and whatever is not named here */
    {PROFILE_GOROUTINE, {"goroutine", "goroutines"}},
    {PROFILE_GOROUTINELEAK, {"goroutine", "goroutines"}},
    {PROFILE_THREADCREATE, {"thread", "threads"}},
    {PROFILE_HEAP, {"object", "objects"}},
    {PROFILE_ALLOCS, {"object", "objects"}},
    {PROFILE_BLOCK, {"contention", "contentions"}},
    {PROFILE_MUTEX, {"contention", "contentions"}},
    {PROFILE_CONTENTION, {"contention", "contentions"}},
    {PROFILE_CPU, {"sample", "samples"}},
};

const struct nouns *nouns_of(enum profile_kind kind)
{
    size_t i = sizeof(kinds) / sizeof(kinds[0]) - 1;

    while (i && kinds[i].kind != kind)
        i--;
    return &kinds[i].nouns;
}

/* The format that tells less of the two; a is NULL at first. */
static const struct format_facts *poorer(const struct format_facts *a,
                                         const struct format_facts *b)
{
    return !a || (a->has_states && !b->has_states) ||
                   (a->has_ages && !b->has_ages)
               ? b
               : a;
}

static void add_snapshot(struct report_summary *sum,
                         const struct snapshot_info *info)
{
    const struct format_facts *format = format_facts(snapshot_origin(info));

    sum->n_judged++;
    sum->goroutines = count_sum(sum->goroutines, info->total);
    sum->other = count_sum(sum->other, info->other);
    sum->unread += info->unread;
    sum->has_declared |= info->has_declared;
    sum->declared += info->has_declared ? info->declared : 0;
    sum->knows_leaked |= info->kind == PROFILE_GOROUTINELEAK;
    sum->has_formats |= sum->format && sum->format != format;
    sum->format = poorer(sum->format, format);
}

/* What the leading family is of. */
static void set_kind(struct report_summary *sum,
                     const struct analysis *analysis)
{
    sum->kind = PROFILE_GOROUTINE;
    sum->profile = STR("goroutine");
    if (analysis_n_families(analysis)) {
        sum->kind = analysis_family(analysis, 0)->info->kind;
        sum->profile = analysis_family(analysis, 0)->info->profile;
    }
    sum->nouns = nouns_of(sum->kind);
}

static void sum_snapshots(struct cprof_report *report)
{
    struct report_summary *sum = &report->summary;

    sum->is_complete = true;
    sum->format = NULL;
    set_kind(sum, report->analysis);
    for (size_t i = 0; i < report->snapshots->count; i++) {
        const struct snapshot_info *info =
            snapshot_info_get(report->snapshots->items[i]);

        sum->is_complete &= info->complete;
        sum->has_proof |= info->is_proof;
        sum->knows_leaked |= info->is_proof;
        if (analysis_is_judged(report->analysis, i) &&
            analysis_family_of(report->analysis, i) == 0)
            add_snapshot(sum, info);
    }
    if (!sum->format)
        sum->format = format_facts(NULL);
    sum->share_of = analysis_total(report->analysis);
}

/* Adds a group to the row of its rule; rules are few. */
static void add_normal(struct cprof_report *report,
                       const struct rule_info *rule,
                       const struct joined_group *group)
{
    size_t i = 0;

    while (i < report->n_normals && report->normals[i].rule != rule)
        i++;
    if (i == report->n_normals) {
        report->normals[i] = (struct normal_row){
            .rule = rule, .place = place_of_site(report, group)};
        report->n_normals++;
    }
    report->normals[i].count =
        count_sum(report->normals[i].count, group->count);
    report->normals[i].n_groups++;
}

static void sum_groups(struct cprof_report *report)
{
    struct report_summary *sum = &report->summary;
    size_t n = analysis_n_groups(report->analysis);

    for (size_t i = 0; i < n; i++) {
        const struct joined_group *group = analysis_group(report->analysis, i);
        const struct rule_info *rule = findings_owner(report->findings, i);

        if (group->family)
            break;
        sum->knows_leaked |= joined_extra(group)->leaked > 0;
        sum->is_filtered |= group->is_filtered;
        if (group->is_filtered)
            continue;
        sum->n_groups++;
        sum->shown = count_sum(sum->shown, group->count);
        sum->leaked += joined_extra(group)->leaked;
        if (rule && rule->class == CLASS_NORMAL) {
            sum->normal += group->count;
            sum->n_normal_groups++;
            add_normal(report, rule, group);
        }
    }
}

/* More goroutines first, then by title. */
static int compare_normals(const void *a, const void *b)
{
    const struct normal_row *left = a;
    const struct normal_row *right = b;

    if (left->count != right->count)
        return left->count < right->count ? 1 : -1;
    return str_compare(left->rule->id, right->rule->id);
}

/* More goroutines first, then by word. */
static int compare_states(const void *a, const void *b)
{
    const struct state_count *left = a;
    const struct state_count *right = b;

    if (left->count != right->count)
        return left->count < right->count ? 1 : -1;
    return str_compare(left->state, right->state);
}

static state_id largest_state(const struct analysis *analysis)
{
    state_id largest = 0;

    for (size_t i = 0; i < analysis_n_groups(analysis); i++) {
        state_id state = analysis_group(analysis, i)->state;

        if (state > largest)
            largest = state;
    }
    return largest;
}

static int sum_states(struct cprof_report *report, struct cprof_error *err)
{
    size_t size = (size_t)largest_state(report->analysis) + 1;
    struct state_count *states =
        arena_take_zero(&report->arena, size * sizeof(*states));
    size_t n = 0;

    if (!states)
        return error_memory(err, (struct place){0}, "building the report");
    for (size_t i = report_next_leading(report, 0); i != SIZE_MAX;
         i = report_next_leading(report, i + 1)) {
        const struct joined_group *group = analysis_group(report->analysis, i);

        states[group->state].count =
            count_sum(states[group->state].count, group->count);
    }
    for (size_t i = 0; i < size; i++) {
        if (!states[i].count)
            continue;
        states[n].count = states[i].count;
        states[n++].state = symbols_state(report_symbols(report), (state_id)i);
    }
    qsort(states, n, sizeof(*states), compare_states);
    report->summary.states = states;
    report->summary.n_states = n;
    return 0;
}

static int map_findings(struct cprof_report *report, struct cprof_error *err)
{
    size_t n = analysis_n_groups(report->analysis);

    report->finding_of =
        arena_take_zero(&report->arena, n * sizeof(*report->finding_of));
    if (!report->finding_of)
        return error_memory(err, (struct place){0}, "building the report");
    report->summary.unchanged = findings_unchanged(report->findings);
    for (size_t i = 0; i < findings_count(report->findings); i++) {
        const struct finding *finding = findings_get(report->findings, i);

        for (size_t k = 0; k < finding->n_groups; k++)
            report->finding_of[finding->groups[k]] = (uint32_t)i + 1;
        if (finding_is_accepted(finding)) {
            report->summary.n_accepted++;
            report->summary.accepted += finding->count;
        } else if (finding->severity > report->summary.verdict) {
            report->summary.verdict = finding->severity;
        }
    }
    return 0;
}

/* What could not be read, or not be kept, may be what stands out; and a program
 * that runs has a goroutine. */
static void settle_word(struct report_summary *sum)
{
    uint64_t lost = count_sum(sum->unread, sum->other);
    bool is_empty = sum->kind == PROFILE_GOROUTINE && !sum->share_of;

    sum->is_judged = severity_is_loud(sum->verdict) ||
                     (lost <= sum->share_of / 2 && !is_empty);
    sum->word = sum->is_judged ? severity_text(sum->verdict) : "unknown";
}

int summary_build(struct cprof_report *report, struct cprof_error *err)
{
    size_t n_rules = rules_count(report->rules);
    int rc;

    report->normals =
        arena_take_zero(&report->arena, n_rules * sizeof(*report->normals));
    if (!report->normals)
        return error_memory(err, (struct place){0}, "building the report");
    sum_snapshots(report);
    sum_groups(report);
    qsort(report->normals, report->n_normals, sizeof(*report->normals),
          compare_normals);
    rc = sum_states(report, err);
    if (rc == 0)
        rc = map_findings(report, err);
    settle_word(&report->summary);
    return rc;
}

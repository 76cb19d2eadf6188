/* What a report says, for programs: cprof.h. */
#include "report/built.h"

static struct cprof_text text_of(struct str text)
{
    return (struct cprof_text){text.len ? text.ptr : NULL, text.len};
}

static struct cprof_place place_of(struct code_place place)
{
    return (struct cprof_place){.function = text_of(place.function),
                                .file = text_of(place.file),
                                .line = place.line};
}

uint64_t cprof_report_goroutines(const struct cprof_report *report)
{
    return report->summary.goroutines;
}

/* --- Findings ------------------------------------------------------------- */

size_t cprof_report_findings(const struct cprof_report *report)
{
    return report_n_findings(report);
}

enum cprof_severity cprof_finding_severity(const struct cprof_report *report,
                                           size_t finding)
{
    return findings_get(report->findings, finding)->severity;
}

enum cprof_confidence cprof_finding_confidence(
    const struct cprof_report *report, size_t finding)
{
    static const enum cprof_confidence words[] = {
        [CONFIDENCE_LOW] = CPROF_CONFIDENCE_LOW,
        [CONFIDENCE_MEDIUM] = CPROF_CONFIDENCE_MEDIUM,
        [CONFIDENCE_HIGH] = CPROF_CONFIDENCE_HIGH,
        [CONFIDENCE_PROVEN] = CPROF_CONFIDENCE_PROVEN,
    };

    return words[findings_get(report->findings, finding)->confidence];
}

uint64_t cprof_finding_count(const struct cprof_report *report, size_t finding)
{
    return findings_get(report->findings, finding)->count;
}

double cprof_finding_share(const struct cprof_report *report, size_t finding)
{
    return findings_get(report->findings, finding)->share;
}

struct cprof_place cprof_finding_site(const struct cprof_report *report,
                                      size_t finding)
{
    return place_of(report_finding(report, finding).site);
}

/* All texts of a kind: *one when there is one at most. */
static struct rule_texts texts_of(const struct cprof_report *report,
                                  size_t finding, enum cprof_text_kind kind,
                                  struct str *one)
{
    struct finding_view view = report_finding(report, finding);
    const struct rule_info *rule = view.finding->rule;

    *one = (struct str){0};
    switch (kind) {
    case CPROF_FINDING_RULE:
        *one = rule->id;
        break;
    case CPROF_FINDING_TITLE:
        *one = rule->title;
        break;
    case CPROF_FINDING_STATE:
        *one = view.state;
        break;
    case CPROF_FINDING_EXPLAIN:
        *one = view.finding->explain;
        break;
    case CPROF_FINDING_CAUSE:
        *one = rule->cause;
        break;
    case CPROF_FINDING_DECIDE:
        return rule->decide;
    case CPROF_FINDING_ADVICE:
        return rule->advice;
    case CPROF_FINDING_REFERENCE:
        return rule->references;
    }
    return (struct rule_texts){one, one->len > 0};
}

size_t cprof_finding_texts(const struct cprof_report *report, size_t finding,
                           enum cprof_text_kind kind)
{
    struct str one;

    return texts_of(report, finding, kind, &one).count;
}

struct cprof_text cprof_finding_text(const struct cprof_report *report,
                                     size_t finding, enum cprof_text_kind kind,
                                     size_t index)
{
    struct str one;
    struct rule_texts texts = texts_of(report, finding, kind, &one);

    return text_of(index < texts.count ? texts.items[index] : (struct str){0});
}

/* --- Groups --------------------------------------------------------------- */

size_t cprof_report_group(const struct cprof_report *report, size_t from)
{
    return report_next_leading(report, from);
}

uint64_t cprof_group_count(const struct cprof_report *report, size_t group)
{
    return analysis_group(report->analysis, group)->count;
}

struct cprof_text cprof_group_state(const struct cprof_report *report,
                                    size_t group)
{
    return text_of(
        symbols_state(report_symbols(report),
                      analysis_group(report->analysis, group)->state));
}

static struct stack stack_of(const struct cprof_report *report, size_t group)
{
    return symbols_stack(report_symbols(report),
                         analysis_group(report->analysis, group)->stack);
}

size_t cprof_group_frames(const struct cprof_report *report, size_t group)
{
    return stack_of(report, group).n_frames;
}

struct cprof_place cprof_group_frame(const struct cprof_report *report,
                                     size_t group, size_t index)
{
    return place_of(
        place_of_frame(report, stack_of(report, group).frames[index]));
}

ptrdiff_t cprof_group_site(const struct cprof_report *report, size_t group)
{
    return analysis_group(report->analysis, group)->site;
}

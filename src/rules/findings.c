#include "rules/findings.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "model/options.h"
#include "rules/baseline.h"
#include "rules/explain.h"
#include "rules/growth_level.h"
#include "rules/match.h"
#include "rules/prose.h"

int findings_new(struct findings **ret, struct rules *rules,
                 struct analysis *analysis, struct cprof_error *err)
{
    struct findings *findings = calloc(1, sizeof(*findings));

    if (!findings)
        return error_memory(err, (struct place){0}, "judging");
    findings->analysis = analysis;
    findings->rules = rules;
    arena_init(&findings->arena, &analysis_snapshots(analysis)->budget);
    findings->knowers =
        arena_take_zero(&findings->arena, analysis_n_groups(analysis) *
                                              sizeof(*findings->knowers));
    if (!findings->knowers) {
        findings_free(findings);
        return error_memory(err, (struct place){0}, "judging");
    }
    for (size_t i = 0; i < rules->count; i++)
        rules->items[i]->number = (uint32_t)i;
    *ret = findings;
    return 0;
}

void findings_free(struct findings *findings)
{
    if (!findings)
        return;
    budget_free(findings->arena.budget, findings->items,
                findings->size * sizeof(struct finding *));
    budget_free(findings->arena.budget, findings->crowd.groups,
                findings->crowd.size * sizeof(uint32_t));
    arena_done(&findings->arena);
    free(findings);
}

/* Makes room for one more finding. */
static bool make_room(struct findings *findings)
{
    size_t unit = sizeof(struct finding *);
    size_t size = findings->size ? findings->size * 2 : 16;
    struct finding **items;

    if (findings->count < findings->size)
        return true;
    items = budget_resize(findings->arena.budget, findings->items,
                          findings->size * unit, size * unit);
    if (!items)
        return false;
    findings->items = items;
    findings->size = size;
    return true;
}

static frame_id site_of(const struct symbols *symbols,
                        const struct joined_group *group)
{
    if (group->site < 0 || group->stack == STACK_OTHER)
        return FRAME_NONE;
    return symbols_stack(symbols, group->stack).frames[group->site];
}

/* What the groups of a finding say together. */
struct summary {
    bool is_proven;   /* every goroutine is leaked, says the runtime */
    bool is_fatal;    /* the runtime itself stopped each process there */
    bool is_doubtful; /* a state, a circle or a finalizer that the rule asks
                         for is not certain */
    struct explain_facts facts;
};

/* A state that the rule asks for was inferred from addresses, or let pass
 * because it is not known. */
static bool is_doubtful(const struct match *match,
                        const struct joined_group *group)
{
    return match->states && (group->state_source == STATE_FROM_ADDRESSES ||
                             !match_state_is_listed(match, group->state));
}

/* A circle that a rule asks for, and that is only probable. */
static bool is_doubtful_cycle(const struct match *match,
                              const struct joined_group *group)
{
    return match->cycle == WANTED_YES && joined_extra(group)->cycle &&
           joined_extra(group)->cycle->certainty < CERTAINTY_HIGH;
}

/* The goroutine of finalizers, that a rule asks for, does not show itself. */
static bool is_doubtful_finalizer(const struct match *match,
                                  const struct joined_group *group)
{
    return match->finalizer == WANTED_YES &&
           group->finalizer == FINALIZER_INFERRED;
}

/* Whether the runtime stopped a process at the group for a state that it must
 * not be in: "fatal error: all goroutines are asleep - deadlock!". */
static bool is_fatal(const struct match *match,
                     const struct joined_group *group)
{
    return match->crash.count && joined_extra(group)->crashes &&
           joined_extra(group)->crashes->crash->kind == CRASH_FATAL;
}

/* Of several locks, a finding tells of the one with the most waiters. */
static void add_holding(struct finding *finding,
                        const struct joined_group *group)
{
    const struct holding *holding = joined_extra(group)->holding;
    const struct wait_cycle *cycle = joined_extra(group)->cycle;

    if (holding &&
        (!finding->holding || holding->waiters > finding->holding->waiters))
        finding->holding = holding;
    if (joined_extra(group)->n_holdings > finding->n_holdings)
        finding->n_holdings = joined_extra(group)->n_holdings;
    if (cycle &&
        (!finding->cycle || cycle->certainty > finding->cycle->certainty))
        finding->cycle = cycle;
}

/* Adds one group to what all groups of a finding have in common. */
static void add_group(struct finding *finding, struct summary *summary,
                      const struct joined_group *group)
{
    uint64_t seconds = (uint64_t)group->facts->wait_max * 60;

    if (site_of(summary->facts.symbols, group) != finding->site)
        summary->facts.has_sites = true;
    if (group->state != finding->state)
        summary->facts.has_states = true;
    if (group->state_source < finding->state_source)
        finding->state_source = group->state_source;
    if (joined_has_wait(group) &&
        (!finding->has_age || seconds > finding->age_max_s))
        finding->age_max_s = seconds;
    finding->has_age = finding->has_age || joined_has_wait(group);
    summary->is_proven =
        summary->is_proven && joined_extra(group)->leaked >= group->count;
    summary->facts.leaked += joined_extra(group)->leaked;
    add_holding(finding, group);
}

/* Proof beats what the rule says of itself; doubt about a state takes one step
 * off. What is only mentioned is never sure. */
static enum confidence confidence_of(const struct rule *rule,
                                     const struct summary *summary,
                                     bool is_mention)
{
    if (summary->is_proven || summary->is_fatal)
        return CONFIDENCE_PROVEN;
    if (is_mention)
        return CONFIDENCE_LOW;
    if (summary->is_doubtful && rule->confidence > CONFIDENCE_LOW)
        return rule->confidence - 1;
    return rule->confidence;
}

/* Fills what a finding says of its groups together: the site and the state if
 * they share one, the weakest source of a state, the longest wait. */
static void sum_up(const struct findings *findings,
                   const struct verdict *verdict, struct finding *finding,
                   struct summary *summary)
{
    const struct joined_group *first =
        analysis_group(findings->analysis, verdict->groups[0]);

    *summary = (struct summary){
        .is_proven = true,
        .is_fatal = true,
        .facts = {.symbols = analysis_snapshots(findings->analysis)->symbols}};
    finding->site = site_of(summary->facts.symbols, first);
    finding->state = first->state;
    finding->state_source = first->state_source;
    for (size_t i = 0; i < verdict->n_groups; i++) {
        const struct joined_group *group =
            analysis_group(findings->analysis, verdict->groups[i]);

        add_group(finding, summary, group);
        summary->is_fatal =
            summary->is_fatal && is_fatal(&verdict->rule->match, group);
        if (is_doubtful(&verdict->rule->match, group) ||
            is_doubtful_cycle(&verdict->rule->match, group) ||
            is_doubtful_finalizer(&verdict->rule->match, group))
            summary->is_doubtful = true;
    }
    if (summary->facts.has_sites)
        finding->site = FRAME_NONE;
    if (summary->facts.has_states)
        finding->state = STATE_UNKNOWN;
}

static enum cprof_severity severity_of(const struct cprof_options *options,
                                       const struct site_growth *site)
{
    return growth_severity(site, growth_limit(options, site, NULL));
}

/* What the worst place of a finding does over time: the first of equals, which
 * has most goroutines. */
static const struct site_growth *worst_growth(const struct findings *findings,
                                              const struct verdict *verdict)
{
    const struct cprof_snapshots *all = analysis_snapshots(findings->analysis);
    const struct site_growth *worst = NULL;

    for (size_t i = 0; all->is_series && i < verdict->n_groups; i++) {
        const struct group_growth *growth =
            joined_extra(analysis_group(findings->analysis, verdict->groups[i]))
                ->growth;
        enum cprof_severity found =
            growth ? severity_of(all->options, growth->site)
                   : CPROF_SEVERITY_OK;

        if (growth && !growth_is_of_others(growth->site, verdict->count) &&
            (!worst || found > severity_of(all->options, worst)))
            worst = growth->site;
    }
    return worst;
}

static enum confidence growth_confidence(const struct site_growth *growth,
                                         enum confidence otherwise)
{
    static const enum confidence words[] = {
        [GROWTH_LOW] = CONFIDENCE_LOW,
        [GROWTH_MEDIUM] = CONFIDENCE_MEDIUM,
        [GROWTH_HIGH] = CONFIDENCE_HIGH,
    };
    enum growth_confidence found =
        growth ? growth_confidence_of(growth) : GROWTH_NONE;

    if (otherwise == CONFIDENCE_PROVEN || found == GROWTH_NONE)
        return otherwise;
    return words[found];
}

/* Where growth decided, a finding is as sure as the growth. Where the rule says
 * no more of the last dump than growth does of all, both speak, and the surer
 * one counts: it must not become less sure by growing to a number that is bad
 * in itself. All other levels are the rule's own. */
static enum confidence settled_confidence(const struct findings *findings,
                                          const struct finding *finding,
                                          bool growth_decided,
                                          enum confidence of_rule)
{
    const struct cprof_options *options =
        analysis_snapshots(findings->analysis)->options;
    enum confidence of_growth = growth_confidence(finding->growth, of_rule);

    if (growth_decided)
        return of_growth;
    if (!finding->growth || of_growth < of_rule ||
        severity_of(options, finding->growth) < finding->severity)
        return of_rule;
    return of_growth;
}

static bool fill_explain(struct findings *findings, struct finding *finding,
                         const struct summary *summary)
{
    struct buf text = {0};

    explain_add(&text, finding, &summary->facts);
    if (!text.failed)
        finding->explain = arena_copy(&findings->arena, buf_str(&text));
    buf_done(&text);
    return finding->explain.ptr != NULL;
}

/* Makes the finding of a verdict, whose groups have their owner. */
static bool make_finding(struct findings *findings,
                         const struct verdict *verdict)
{
    struct finding *finding =
        arena_take_zero(&findings->arena, sizeof(*finding));
    uint32_t *groups =
        arena_take(&findings->arena, verdict->n_groups * sizeof(*groups));
    struct summary summary;

    if (!finding || !groups || !make_room(findings) ||
        !prose_read(findings->rules, verdict->rule))
        return false;
    sum_up(findings, verdict, finding, &summary);
    memcpy(groups, verdict->groups, verdict->n_groups * sizeof(*groups));
    finding->rule = &verdict->rule->info;
    finding->severity = verdict->severity;
    finding->tier = verdict->tier;
    finding->is_mention = verdict->is_mention;
    finding->growth = worst_growth(findings, verdict);
    finding->confidence = settled_confidence(
        findings, finding, finding->tier == verdict->rule->when.count,
        confidence_of(verdict->rule, &summary, verdict->is_mention));
    finding->count = verdict->count;
    if (findings->total)
        finding->share = (double)verdict->count / (double)findings->total;
    finding->groups = groups;
    finding->n_groups = verdict->n_groups;
    findings->items[findings->count++] = finding;
    return fill_explain(findings, finding, &summary);
}

static int compare_groups(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;

    return (left > right) - (left < right);
}

/* Makes one finding of the crowd. */
static bool end_crowd(struct findings *findings)
{
    struct crowd *crowd = &findings->crowd;

    if (!crowd->n)
        return true;
    qsort(crowd->groups, crowd->verdict.n_groups, sizeof(uint32_t),
          compare_groups);
    crowd->verdict.groups = crowd->groups;
    if (!make_finding(findings, &crowd->verdict))
        return false;
    if (crowd->n > 1)
        findings->n_crowded += crowd->n;
    crowd->n = 0;
    return true;
}

/* Makes room for more groups in the crowd. */
static bool grow_crowd(struct findings *findings, size_t n_groups)
{
    enum { FIRST = 256 };
    struct crowd *crowd = &findings->crowd;
    size_t unit = sizeof(*crowd->groups);
    size_t size = crowd->size ? crowd->size : FIRST;
    uint32_t *groups;

    while (size < n_groups)
        size *= 2;
    if (size == crowd->size)
        return true;
    groups = budget_resize(findings->arena.budget, crowd->groups,
                           crowd->size * unit, size * unit);
    if (!groups)
        return false;
    crowd->groups = groups;
    crowd->size = size;
    return true;
}

/* Adds a verdict to the crowd. All verdicts on a rule with one severity come
 * in a row, so that there is never more than one crowd. */
static bool join_crowd(struct findings *findings, const struct verdict *verdict)
{
    struct crowd *crowd = &findings->crowd;
    struct verdict *sum = &crowd->verdict;
    size_t n_before;

    if ((sum->rule != verdict->rule || sum->severity != verdict->severity ||
         sum->is_mention != verdict->is_mention) &&
        !end_crowd(findings))
        return false;
    if (!crowd->n) {
        *sum = *verdict;
        sum->n_groups = 0;
        sum->count = 0;
    }
    n_before = sum->n_groups;
    if (!grow_crowd(findings, n_before + verdict->n_groups))
        return false;
    memcpy(crowd->groups + n_before, verdict->groups,
           verdict->n_groups * sizeof(*crowd->groups));
    sum->n_groups += verdict->n_groups;
    sum->count = count_sum(sum->count, verdict->count);
    crowd->n++;
    return true;
}

/* Whether memory is too short for a finding of its own. */
static bool is_short(const struct findings *findings,
                     enum cprof_severity severity)
{
    size_t kept = findings->kept_back;

    return budget_left(findings->arena.budget) <
           (severity >= CPROF_SEVERITY_HIGH ? kept - kept / 4 : kept);
}

bool findings_add(struct findings *findings, const struct verdict *verdict)
{
    for (size_t i = 0; i < verdict->n_groups; i++)
        findings_know(findings, verdict->groups[i], verdict->rule, true);
    return is_short(findings, verdict->severity)
               ? join_crowd(findings, verdict)
               : make_finding(findings, verdict);
}

bool findings_end(struct findings *findings)
{
    if (!end_crowd(findings))
        return false;
    if (findings->n_crowded)
        diag_add(&analysis_snapshots(findings->analysis)->diags, DIAG_WARNING,
                 "memory-limit", (struct place){0},
                 "the memory limit was reached: %s findings are told together "
                 "with others of the same rule (--max-memory)",
                 count_text(findings->n_crowded).text);
    return true;
}

/* From this share on two counts are about the same. */
static const double about_least = 0.9;

static double cost_of(const struct finding *finding)
{
    return finding->growth ? growth_cost(finding->growth) : 0;
}

/* Whether a finding grows, and may as well be traffic. */
static bool is_doubtful_growth(const struct finding *finding)
{
    return finding->growth && growth_is_doubtful(finding->growth) &&
           !(finding->rule->class == CLASS_BAD &&
             growth_stays(finding->growth));
}

/* The worst severity comes first, then the circle that others wait behind, then
 * the surest. */
static int compare_weights(const struct finding *left,
                           const struct finding *right)
{
    if (left->severity != right->severity)
        return left->severity > right->severity ? -1 : 1;
    if (left->is_root != right->is_root)
        return left->is_root ? -1 : 1;
    return (left->confidence < right->confidence) -
           (left->confidence > right->confidence);
}

/* What is accepted comes last. Else by weight; of equally unsure what is no
 * traffic, what grows by most, the largest; then by id and by the largest
 * group, so that no two findings are equal. */
static int compare_findings(const void *a, const void *b)
{
    const struct finding *left = *(struct finding *const *)a;
    const struct finding *right = *(struct finding *const *)b;
    int weights = compare_weights(left, right);
    int ids = str_compare(left->rule->id, right->rule->id);

    if (finding_is_accepted(left) != finding_is_accepted(right))
        return finding_is_accepted(left) ? 1 : -1;
    if (weights != 0)
        return weights;
    if (is_doubtful_growth(left) != is_doubtful_growth(right))
        return is_doubtful_growth(left) ? 1 : -1;
    if (cost_of(left) != cost_of(right))
        return cost_of(left) > cost_of(right) ? -1 : 1;
    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    if (ids != 0)
        return ids;
    return left->groups[0] < right->groups[0] ? -1 : 1;
}

/* How much a class explains: what is neutral waits beside what is wrong. */
static int weight_of_class(enum rule_class class)
{
    return class == CLASS_BAD ? 2 : class == CLASS_SUSPECT;
}

/* Whether a finding explains the one before it: it is as bad and about as
 * large, and its rule speaks of a fault, or at least of a suspicion, where the
 * other has less to say. Both ends of a connection wait, and one of them is
 * the cause. */
static bool explains(const struct finding *finding,
                     const struct finding *before)
{
    double count = (double)finding->count;

    return finding->severity == before->severity &&
           finding->is_root == before->is_root &&
           finding_is_accepted(finding) == finding_is_accepted(before) &&
           before->confidence != CONFIDENCE_PROVEN &&
           weight_of_class(finding->rule->class) >
               weight_of_class(before->rule->class) &&
           count >= (double)before->count * about_least &&
           count <= (double)before->count / about_least;
}

/* Brings causes before what they explain. What is about as large is no order
 * that could be sorted by, so each goes up past those that stand before it. */
static void order_causes(struct findings *findings)
{
    for (size_t i = 1; i < findings->count; i++) {
        struct finding *finding = findings->items[i];
        size_t to = i;

        for (; to && explains(finding, findings->items[to - 1]); to--)
            findings->items[to] = findings->items[to - 1];
        findings->items[to] = finding;
    }
}

void findings_sort(struct findings *findings)
{
    if (findings->count)
        qsort(findings->items, findings->count, sizeof(struct finding *),
              compare_findings);
    order_causes(findings);
}

size_t findings_count(const struct findings *findings)
{
    return findings->count;
}

enum cprof_severity findings_unchanged(const struct findings *findings)
{
    return findings->unchanged;
}

const struct finding *findings_get(const struct findings *findings,
                                   size_t index)
{
    return findings->items[index];
}

const struct rule_info *findings_owner(const struct findings *findings,
                                       size_t group)
{
    const struct rule *owner = findings_owner_of(findings, group);

    return owner ? &owner->info : NULL;
}

const struct rule_info *findings_name(const struct findings *findings,
                                      size_t group)
{
    uint32_t knower = findings->knowers[group];

    return knower ? &findings->rules->items[knower / 2 - 1]->info : NULL;
}

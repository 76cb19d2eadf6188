#include "rules/judge.h"

#include <stdlib.h>

#include "base/count.h"
#include "rules/beside.h"
#include "rules/correlate.h"
#include "rules/figures.h"
#include "rules/growth_level.h"
#include "rules/prepare.h"
#include "rules/prose.h"
#include "rules/roots.h"
#include "rules/ruleset.h"
#include "rules/values.h"

/* The turn at which a rule is asked: see judge.h. */
static unsigned level_of(const struct rule *rule)
{
    unsigned level = (MATCHES_NAMES - rule->specificity) * 2 + rule->is_builtin;

    if (rule->before_normal == WANTED_YES)
        return level;
    return rule->info.class == CLASS_NORMAL ? level + 8 : level + 16;
}

/* Whether some process died, which rules about crashes need. */
static bool has_crash(const struct judge *judge)
{
    const struct cprof_snapshots *all = analysis_snapshots(judge->analysis);

    for (size_t i = 0; i < all->count; i++) {
        if (analysis_is_judged(judge->analysis, i) &&
            snapshot_info_get(all->items[i])->crash)
            return true;
    }
    return false;
}

/* Chooses the rules that take part. Where every pattern is prepared for every
 * name, those that can match nothing here are left out. Returns how many there
 * are. */
static size_t choose_rules(const struct judge *judge, const struct rules *rules,
                           bool is_prepared, const struct rule **ret)
{
    bool knows_crash = has_crash(judge);
    size_t n = 0;

    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *rule = rules->items[i];

        if (rule_is_enabled(rule) &&
            (knows_crash || !rule->match.crash.count) &&
            (!is_prepared || match_is_possible(&rule->match)))
            ret[n++] = rule;
    }
    return n;
}

/* Sorts n rules by level; within one they stay in the order of loading. */
static void sort_rules(struct judge *judge, const struct rule **rules, size_t n)
{
    for (unsigned level = 0; level < 24; level++) {
        for (size_t i = 0; i < n; i++) {
            if (level_of(rules[i]) == level)
                judge->rules[judge->n_rules++] = rules[i];
        }
    }
}

/* The version of Go that a dump is of; what it does not tell is assumed. */
static uint32_t go_version_of(const struct snapshot *snapshot, uint32_t assumed)
{
    uint32_t version = 0;

    return go_version_parse(snapshot_info_get(snapshot)->go_version, &version)
               ? version
               : assumed;
}

static bool go_holds(const struct go_range *range, uint32_t version)
{
    return !version || (version >= range->least &&
                        (!range->below || version < range->below));
}

bool judge_takes_part(const struct judge *judge, const struct rule *rule,
                      size_t snapshot)
{
    return go_holds(&rule->go, judge->go[snapshot]) &&
           correlate_holds(judge, &rule->with, snapshot);
}

/* Rules speak of goroutines; other profiles count other things. */
static void choose_snapshots(struct judge *judge)
{
    const struct cprof_snapshots *all = analysis_snapshots(judge->analysis);

    for (size_t i = 0; i < all->count; i++) {
        enum profile_kind kind = snapshot_info_get(all->items[i])->kind;

        if (!analysis_is_judged(judge->analysis, i) ||
            (kind != PROFILE_GOROUTINE && kind != PROFILE_GOROUTINELEAK))
            continue;
        judge->go[judge->n_snapshots] =
            go_version_of(all->items[i], judge->go_assumed);
        judge->snapshots[judge->n_snapshots++] = i;
        judge->findings->total = count_sum(
            judge->findings->total, analysis_goroutines(judge->analysis, i));
    }
}

/* The goroutines of a group in the judged snapshots. */
static uint64_t count_of(const struct judge *judge,
                         const struct joined_group *group)
{
    uint64_t count = 0;

    for (size_t i = 0; i < judge->n_snapshots; i++)
        count = count_sum(count, joined_count(group, judge->snapshots[i]));
    return count;
}

bool judge_is_open(const struct judge *judge, size_t group)
{
    const struct joined_group *joined = analysis_group(judge->analysis, group);

    return !findings_is_owned(judge->findings, group) && !joined->is_filtered &&
           count_of(judge, joined) != 0;
}

/* Whether a rule has a say in some judged snapshot that holds the group. */
static bool takes_part_for(const struct judge *judge, const struct rule *rule,
                           const struct joined_group *group)
{
    for (size_t s = 0; s < judge->n_snapshots; s++) {
        if (joined_count(group, judge->snapshots[s]) &&
            judge_takes_part(judge, rule, s))
            return true;
    }
    return false;
}

/* Whether a group leaks by the whole test: no number of that is normal. */
static bool is_leaking(const struct joined_group *group)
{
    const struct group_growth *growth = joined_extra(group)->growth;

    return growth && growth->site->is_whole &&
           growth_severity(growth->site, 0) > CPROF_SEVERITY_LOW;
}

/* Lets the rules from first to end, which are normal, take what they match.
 * Where a process died is never normal, and neither is what leaks. */
static bool set_aside_normal(struct judge *judge, size_t first, size_t end)
{
    for (size_t i = 0; first < end && i < analysis_n_groups(judge->analysis);
         i++) {
        if (!judge_is_open(judge, i) ||
            joined_extra(analysis_group(judge->analysis, i))->crashes ||
            is_leaking(analysis_group(judge->analysis, i)))
            continue;
        if (!subject_set(&judge->subject, judge->symbols,
                         analysis_group(judge->analysis, i)))
            return false;
        for (size_t r = first; r < end; r++) {
            if (!match_holds(judge->rules[r], &judge->subject) ||
                !takes_part_for(judge, judge->rules[r], judge->subject.group))
                continue;
            findings_know(judge->findings, i, judge->rules[r], true);
            break;
        }
    }
    return true;
}

/* The first rule from an index on that is, or is not, normal. */
static size_t find_class(const struct judge *judge, size_t from, bool normal)
{
    while (from < judge->n_rules &&
           (judge->rules[from]->info.class == CLASS_NORMAL) != normal)
        from++;
    return from;
}

/* Goes through the levels of the rules from first to end. False when memory
 * ran out. */
static bool judge_levels(struct judge *judge, size_t first, size_t end)
{
    size_t next;

    for (; first < end; first = next) {
        next = first + 1;
        while (next < end &&
               level_of(judge->rules[next]) == level_of(judge->rules[first]))
            next++;
        if (!judge_level(judge, first, next - first))
            return false;
    }
    return true;
}

/* Whether a rule says itself from how many goroutines on it is an info. */
static bool has_info_tier(const struct rule *rule)
{
    for (size_t i = 0; i < rule->when.count; i++) {
        if (rule->when.items[i].severity == CPROF_SEVERITY_INFO)
            return true;
    }
    return false;
}

bool judge_may_ask(const struct judge *judge, const struct rule *rule)
{
    if (!judge->is_mentioning)
        return true;
    return rule->is_builtin &&
           (rule->specificity == MATCHES_NAMES ||
            (rule->specificity == MATCHES_STATE && !has_info_tier(rule)));
}

/* What nobody speaks of still has a name: that of the first built-in rule which
 * matches, though it is no finding of it. */
static bool name_rest(struct judge *judge, size_t first)
{
    for (size_t i = 0; i < analysis_n_groups(judge->analysis); i++) {
        if (!judge_is_open(judge, i))
            continue;
        if (!subject_set(&judge->subject, judge->symbols,
                         analysis_group(judge->analysis, i)))
            return false;
        for (size_t r = first; r < judge->n_rules; r++) {
            const struct rule *rule = judge->rules[r];

            if (!rule->is_builtin || rule->specificity == MATCHES_ALL ||
                !match_holds(rule, &judge->subject) ||
                !takes_part_for(judge, rule, judge->subject.group))
                continue;
            findings_know(judge->findings, i, rule, false);
            break;
        }
    }
    return true;
}

/* Reads what the rules say that set goroutines aside; those that found
 * something were read with their findings. */
static bool hear_normal(const struct judge *judge)
{
    for (size_t i = 0; i < analysis_n_groups(judge->analysis); i++) {
        const struct rule *owner = findings_owner_of(judge->findings, i);

        if (owner && !prose_read(judge->findings->rules, owner))
            return false;
    }
    return true;
}

/* What is normal in small numbers and a fault in a mass comes first, then what
 * is normal, then everything else. */
static bool judge_all(struct judge *judge)
{
    size_t normal = find_class(judge, 0, true);
    size_t others = find_class(judge, normal, false);

    if (normal == judge->n_rules)
        normal = others = 0;
    if (!correlate_rules(judge, 0, normal) || !judge_levels(judge, 0, normal) ||
        !set_aside_normal(judge, normal, others))
        return false;
    /* What is normal counts no more. */
    ranks_done(judge);
    correlate_done(judge);
    if (!correlate_rules(judge, others, judge->n_rules) ||
        !judge_levels(judge, others, judge->n_rules))
        return false;
    judge->is_mentioning = true;
    if (!judge_levels(judge, others, judge->n_rules) ||
        !name_rest(judge, others) || !findings_end(judge->findings))
        return false;
    roots_raise(judge->findings);
    findings_sort(judge->findings);
    return hear_normal(judge);
}

/* Where limits are reported, and for which rule. */
struct limits {
    struct cprof_snapshots *snapshots;
    const struct rule *rule;
};

/* A match that was given up is neither a match nor none, and must be said. */
static void report_limit(void *user, struct pattern *pattern,
                         const struct origin *origin)
{
    const struct limits *limits = user;
    text_id first = 0;
    uint64_t hits = pattern_limit_hits(pattern, &first);

    (void)origin;
    if (!hits)
        return;
    diag_add(&limits->snapshots->diags, DIAG_WARNING, "rule-limit",
             (struct place){0},
             "rule '" STR_FORMAT "' gave up on %llu name%s, the first "
             "'%s': its pattern '%s' needs too many steps",
             STR_ARG(limits->rule->info.id), (unsigned long long)hits,
             hits == 1 ? "" : "s",
             quote(symbols_text(limits->snapshots->symbols, first)).text,
             quote(pattern_expression(pattern)).text);
}

static void report_limits(const struct judge *judge, const struct rules *rules)
{
    struct limits limits = {analysis_snapshots(judge->analysis), NULL};

    for (size_t i = 0; i < rules->count; i++) {
        limits.rule = rules->items[i];
        rule_each_pattern(limits.rule, report_limit, &limits);
    }
}

/* Takes the memory that judging needs, and brings rules and snapshots into
 * order. */
static bool judge_begin(struct judge *judge, const struct rules *rules)
{
    size_t n = analysis_snapshots(judge->analysis)->count;
    size_t n_chosen;

    /* The second half is for those that are not sorted yet. */
    judge->rules = calloc(rules->count * 2 + 1, sizeof(const struct rule *));
    judge->snapshots = calloc(n + 1, sizeof(*judge->snapshots));
    judge->sums = calloc(n + 1, sizeof(*judge->sums));
    judge->go = calloc(n + 1, sizeof(*judge->go));
    judge->taken =
        calloc(analysis_n_groups(judge->analysis) + 1, sizeof(*judge->taken));
    judge->known =
        calloc(analysis_n_groups(judge->analysis) + 1, sizeof(*judge->known));
    if (!judge->rules || !judge->snapshots || !judge->sums || !judge->go ||
        !judge->taken || !judge->known)
        return false;
    n_chosen = choose_rules(judge, rules, prepare_rules(rules, judge->symbols),
                            judge->rules + rules->count);
    sort_rules(judge, judge->rules + rules->count, n_chosen);
    judge->findings->kept_back = budget_left(judge->budget) / 3 * 2;
    choose_snapshots(judge);
    return true;
}

int rules_judge(struct rules *rules, struct analysis *analysis,
                struct findings **ret, struct cprof_error *err)
{
    struct cprof_snapshots *snapshots = analysis_snapshots(analysis);
    struct judge judge = {.analysis = analysis,
                          .symbols = snapshots->symbols,
                          .budget = &snapshots->budget,
                          .go_assumed = rules->go};
    int failed = findings_new(&judge.findings, rules, analysis, err);

    if (failed)
        return failed;
    rules_link(rules, true, err);
    if (judge_begin(&judge, rules) && judge_all(&judge) && !judge.is_starved) {
        report_limits(&judge, rules);
        *ret = judge.findings;
    } else {
        failed = error_memory(err, (struct place){0}, "judging");
        findings_free(judge.findings);
    }
    /* What patterns remember is charged to these snapshots; another analysis
     * may have others. */
    rules_forget(rules);
    correlate_done(&judge);
    ranks_done(&judge);
    beside_done(&judge);
    subject_done(&judge.subject);
    free(judge.rules);
    free(judge.snapshots);
    free(judge.sums);
    free(judge.go);
    free(judge.taken);
    free(judge.known);
    return failed;
}

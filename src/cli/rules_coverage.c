#include "cli/rules_coverage.h"

#include <stdlib.h>

#include "base/error.h"
#include "cli/rules_words.h"
#include "model/options.h"
#include "rules/words.h"

struct coverage {
    const struct rules *rules;
    size_t n_rules;
    /* Of each rule, where its flags begin: one for the rule, which is set when
     * goroutines were its own, one for each tier, and one for a mention, which
     * is no tier. */
    size_t *first;
    bool *is_reached;
};

int coverage_new(struct coverage **ret, const struct rules *rules,
                 struct cprof_error *err)
{
    struct coverage *coverage = calloc(1, sizeof(*coverage));
    size_t n = rules_count(rules);
    size_t n_flags = 0;

    if (!coverage)
        return error_memory(err, (struct place){0}, "testing rules");
    coverage->rules = rules;
    coverage->n_rules = n;
    coverage->first = calloc(n + 1, sizeof(*coverage->first));
    for (size_t i = 0; i < n && coverage->first; i++) {
        coverage->first[i] = n_flags;
        n_flags += 2 + rules_get(rules, i)->when.count;
    }
    coverage->is_reached = calloc(n_flags + 1, sizeof(bool));
    if (!coverage->first || !coverage->is_reached) {
        coverage_free(coverage);
        return error_memory(err, (struct place){0}, "testing rules");
    }
    *ret = coverage;
    return 0;
}

void coverage_free(struct coverage *coverage)
{
    if (!coverage)
        return;
    free(coverage->first);
    free(coverage->is_reached);
    free(coverage);
}

/* The flags of a rule, or NULL for one that is not among the rules. */
static bool *flags_of(const struct coverage *coverage,
                      const struct rule_info *info)
{
    for (size_t i = 0; i < coverage->n_rules; i++) {
        if (&rules_get(coverage->rules, i)->info == info)
            return &coverage->is_reached[coverage->first[i]];
    }
    return NULL;
}

void coverage_note(struct coverage *coverage, const struct trial *trial)
{
    size_t n_findings = findings_count(trial->findings);
    size_t n_groups = analysis_n_groups(trial->analysis);

    for (size_t i = 0; i < n_findings; i++) {
        const struct finding *finding = findings_get(trial->findings, i);
        bool *flags = flags_of(coverage, finding->rule);

        if (flags)
            flags[1 + finding->tier] = true;
    }
    for (size_t i = 0; i < n_groups; i++) {
        const struct rule_info *owner = findings_owner(trial->findings, i);
        bool *flags = owner ? flags_of(coverage, owner) : NULL;

        if (flags)
            flags[0] = true;
    }
}

/* What is counted. */
struct sums {
    size_t rules;
    size_t rules_missed;
    size_t tiers;
    size_t tiers_missed;
};

/* Adds one rule to the sums. */
static void add_rule(struct sums *sums, const struct rule *rule,
                     const bool *flags)
{
    sums->rules++;
    sums->rules_missed += !flags[0];
    for (size_t i = 0; i < rule->when.count; i++) {
        if (tier_asks_for(&rule->when.items[i], bound_needs_history))
            continue;
        sums->tiers++;
        sums->tiers_missed += !flags[1 + i];
    }
}

/* The place and the id of a rule, and what of it was missed. */
static void put_missed(struct page *page, const struct rule *rule,
                       const struct str what)
{
    struct buf line = {0};

    buf_addf(&line, STR_FORMAT ":%llu: " STR_FORMAT ": " STR_FORMAT,
             STR_ARG(rule->info.file), (unsigned long long)rule->info.line,
             STR_ARG(rule->info.id), STR_ARG(what));
    buf_add_repeat(page->out, ' ', 2);
    page_add(page, TINT_NONE, buf_str(&line));
    buf_add_char(page->out, '\n');
    page->out->failed |= line.failed;
    buf_done(&line);
}

static void put_missed_tiers(struct page *page, const struct rule *rule,
                             const bool *flags)
{
    struct buf what = {0};

    for (size_t i = 0; i < rule->when.count; i++) {
        const struct tier *tier = &rule->when.items[i];

        if (flags[1 + i] || tier_asks_for(tier, bound_needs_history))
            continue;
        buf_clear(&what);
        buf_addf(&what, "tier %zu, %s ", i + 1, severity_text(tier->severity));
        words_tier(&what, tier);
        put_missed(page, rule, buf_str(&what));
    }
    buf_done(&what);
}

static void put_sums(struct page *page, const struct sums *sums)
{
    buf_add(page->out, STR("Reached by no test: "));
    words_count(page->out, sums->rules_missed);
    buf_add(page->out, STR(" of "));
    words_count(page->out, sums->rules);
    buf_addf(page->out, " rule%s, ", sums->rules == 1 ? "" : "s");
    words_count(page->out, sums->tiers_missed);
    buf_add(page->out, STR(" of "));
    words_count(page->out, sums->tiers);
    buf_addf(page->out, " tier%s", sums->tiers == 1 ? "" : "s");
}

void coverage_put(const struct coverage *coverage, struct page *page,
                  coverage_wants_fn *wants, const void *user, bool is_long)
{
    struct sums sums = {0};

    for (size_t i = 0; i < coverage->n_rules; i++) {
        const struct rule *rule = rules_get(coverage->rules, i);

        if (wants(user, rule))
            add_rule(&sums, rule, &coverage->is_reached[coverage->first[i]]);
    }
    put_sums(page, &sums);
    buf_add(page->out, is_long || !(sums.rules_missed + sums.tiers_missed)
                           ? STR("\n")
                           : STR(" (--coverage lists them)\n"));
    for (size_t i = 0; i < coverage->n_rules && is_long; i++) {
        const struct rule *rule = rules_get(coverage->rules, i);
        const bool *flags = &coverage->is_reached[coverage->first[i]];

        if (!wants(user, rule))
            continue;
        if (flags[0])
            put_missed_tiers(page, rule, flags);
        else
            put_missed(page, rule, STR("the whole rule"));
    }
}

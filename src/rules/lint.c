#include "rules/lint.h"

#include "rules/check.h"
#include "rules/link.h"

void lint_add(const struct lint *lint, enum problem_severity severity,
              const struct rule *rule, const struct origin *origin,
              const char *format, ...)
{
    struct cprof_error what = {0};
    va_list args;

    if (problems_are_full(lint->problems)) {
        problems_count(lint->problems, severity);
        return;
    }
    if (!origin || !origin->source)
        origin = &rule->origin;
    va_start(args, format);
    source_verror(origin->source, origin->span, &what, format, args);
    va_end(args);
    problems_add(lint->problems, severity, &what);
}

struct str lint_nearest(const struct lint *lint, struct str id)
{
    return problems_are_full(lint->problems) ? (struct str){0}
                                             : rules_nearest(lint->rules, id);
}

/* Whether a rule with that id was there but could not be loaded. */
static bool is_broken(const struct rules *rules, struct str id)
{
    const struct broken_rule *at = rules->broken;

    while (at && !str_equal(at->id, id))
        at = at->next;
    return at != NULL;
}

/* A walk from rule to rule along what they name. */
struct ref_walk {
    const struct lint *lint;
    const struct rule *goal; /* where the walk began */
    unsigned depth;
    unsigned steps;
    bool is_circle;
};

/* A circle of more rules than that, or hidden behind more references, is not
 * looked for; judging ends all the same (correlate.h). */
enum { WALK_DEPTH = 32, WALK_STEPS = 4096 };

static void walk_ref(void *user, const struct rule *rule, struct rule_ref *ref)
{
    struct ref_walk *walk = user;
    const struct rule *next = rules_find(walk->lint->rules, ref->id);

    (void)rule;
    if (next == walk->goal)
        walk->is_circle = true;
    if (!next || walk->is_circle || walk->depth >= WALK_DEPTH ||
        walk->steps++ >= WALK_STEPS)
        return;
    walk->depth++;
    rule_each_ref(next, walk_ref, walk);
    walk->depth--;
}

static void lint_ref(void *user, const struct rule *rule, struct rule_ref *ref)
{
    const struct lint *lint = user;
    const struct rule *other = rules_find(lint->rules, ref->id);
    struct ref_walk walk = {.lint = lint, .goal = rule};

    if (!other && !is_broken(lint->rules, ref->id)) {
        struct str near = lint_nearest(lint, ref->id);

        lint_add(lint, PROBLEM_ERROR, rule, &ref->origin,
                 "there is no rule '%s'%s" STR_FORMAT "%s", quote(ref->id).text,
                 near.len ? " (did you mean '" : "", STR_ARG(near),
                 near.len ? "'?)" : "");
        return;
    }
    if (other == rule)
        lint_add(lint, PROBLEM_ERROR, rule, &ref->origin,
                 "a rule cannot depend on itself");
    else if (other)
        walk_ref(&walk, rule, ref);
    if (other != rule && walk.is_circle)
        lint_add(lint, PROBLEM_ERROR, rule, &ref->origin,
                 "'%s' depends on this rule in turn, so neither can be found "
                 "first",
                 quote(ref->id).text);
    if (other && !rule_is_enabled(other))
        lint_add(lint, PROBLEM_WARNING, rule, &ref->origin,
                 "rule '%s' is switched off, so it is never found",
                 quote(ref->id).text);
}

void lint_refs(const struct lint *lint, const struct rule *rule)
{
    rule_each_ref(rule, lint_ref, (void *)(uintptr_t)lint);
}

int rules_lint(const struct rules *rules, bool with_builtin,
               struct problems *problems, struct cprof_error *err)
{
    bool is_starved = false;
    struct lint lint = {rules, problems, &is_starved};
    size_t first = problems->count;

    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *rule = rules->items[i];

        if (!rule->origin.source || (rule->is_builtin && !with_builtin))
            continue;
        if (i == 0 ||
            !str_equal(rule->info.file, rules->items[i - 1]->info.file))
            problems_begin_file(problems);
        lint_refs(&lint, rule);
        lint_tiers(&lint, rule);
        lint_patterns(&lint, rule);
        lint_words(&lint, rule);
    }
    problems_sort(problems, first);
    return is_starved ? error_memory(err, (struct place){0}, "looking at rules")
                      : 0;
}

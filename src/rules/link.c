#include "rules/link.h"

#include "rules/ruleset.h"

static void visit_refs(const struct rule *rule, const struct rule_refs *refs,
                       ref_visit_fn *visit, void *user)
{
    for (size_t i = 0; i < refs->count; i++)
        visit(user, rule, &refs->items[i]);
}

void rule_each_ref(const struct rule *rule, ref_visit_fn *visit, void *user)
{
    visit_refs(rule, &rule->with.any_of, visit, user);
    visit_refs(rule, &rule->with.all_of, visit, user);
    visit_refs(rule, &rule->with.none_of, visit, user);
    for (size_t i = 0; i < rule->when.count; i++) {
        if (rule->when.items[i].ratio_to.id.len)
            visit(user, rule, &rule->when.items[i].ratio_to);
    }
}

static void count_ref(void *user, const struct rule *rule, struct rule_ref *ref)
{
    size_t *count = user;

    (void)rule;
    (void)ref;
    ++*count;
}

bool rule_has_refs(const struct rule *rule)
{
    size_t count = 0;

    rule_each_ref(rule, count_ref, &count);
    return count != 0;
}

struct linking {
    struct rules *rules;
    struct cprof_error *err;
    bool is_lenient;
    int failed;
};

static void link_ref(void *user, const struct rule *rule, struct rule_ref *ref)
{
    struct linking *linking = user;
    struct str near;

    ref->rule = rules_find(linking->rules, ref->id);
    if (ref->rule || linking->is_lenient || linking->failed)
        return;
    near = rules_nearest(linking->rules, ref->id);
    linking->failed = error_set(
        linking->err, CPROF_ERULE,
        (struct place){.source = rule->info.file.ptr, .line = rule->info.line},
        "rule '" STR_FORMAT "' speaks of a rule '%s', which does not "
        "exist%s" STR_FORMAT "%s",
        STR_ARG(rule->info.id), quote(ref->id).text,
        near.len ? " (did you mean '" : "", STR_ARG(near),
        near.len ? "'?)" : "");
}

int rules_link(struct rules *rules, bool lenient, struct cprof_error *err)
{
    struct linking linking = {rules, err, lenient, 0};

    for (size_t i = 0; i < rules->count; i++)
        rule_each_ref(rules->items[i], link_ref, &linking);
    return linking.failed;
}

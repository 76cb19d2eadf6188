#include "rules/link.h"
#include "rules/load.h"
#include "rules/values.h"

enum { EXCEPTIONS_MOST = 64 };

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static int read_match(struct loader *loader, const struct node *node,
                      void *into);
static int read_not(struct loader *loader, const struct node *node, void *into);
static int read_exceptions(struct loader *loader, const struct node *node,
                           void *into);
static int read_with(struct loader *loader, const struct node *node,
                     void *into);
static int read_when(struct loader *loader, const struct node *node,
                     void *into);
static int read_override(struct loader *loader, const struct node *node,
                         void *into);

#define RULE(field) offsetof(struct rule, field)

/* The first key is the one that a patch of another rule needs. */
static const struct schema_key rule_keys[] = {
    {"id", value_id, RULE(info.id), true},
    {"title", value_line, RULE(info.title), true},
    {"class", value_class, RULE(info.class), false},
    {"status", value_status, RULE(status), false},
    {"needs", value_needs, RULE(needs), false},
    {"enabled", value_wanted, RULE(enabled), false},
    {"go", value_go, 0, false},
    {"match", read_match, 0, false},
    {"exceptions", read_exceptions, RULE(exceptions), false},
    {"with", read_with, RULE(with), false},
    {"group_by", value_group_by, RULE(group_by), false},
    {"when", read_when, RULE(when), false},
    {"confidence", value_confidence, RULE(confidence), false},
    {"before_normal", value_wanted, RULE(before_normal), false},
    {"beside", value_wanted, RULE(beside), false},
    {"explain", value_explain, RULE(info.explain), false},
    {"cause", value_text, RULE(info.cause), false},
    {"decide", value_texts, RULE(info.decide), false},
    {"advice", value_texts, RULE(info.advice), false},
    {"false_positives", value_texts, RULE(info.false_positives), false},
    {"references", value_urls, RULE(info.references), false},
    {"tests", load_tests, RULE(tests), false},
    {"override", read_override, 0, false},
};

static_assert(COUNT_OF(rule_keys) <= SCHEMA_MOST, "the largest schema");

/* The keys of an exception are those of `match` behind a name. */
#define MATCH(field)                                                           \
 (offsetof(struct exception, match) + offsetof(struct match, field))

static const struct schema_key exception_keys[] = {
    {"name", value_line, offsetof(struct exception, name), true},
    {"state", value_states, MATCH(states), false},
    {"leaf", value_patterns, MATCH(leaf), false},
    {"site", value_patterns, MATCH(site), false},
    {"any", value_patterns, MATCH(any), false},
    {"all", value_patterns, MATCH(all), false},
    {"chain", value_chain, MATCH(chain), false},
    {"bottom", value_patterns, MATCH(bottom), false},
    {"created_by", value_patterns, MATCH(created_by), false},
    {"labels", value_labels, offsetof(struct exception, match), false},
    {"file", value_patterns, MATCH(file), false},
    {"locked", value_wanted, MATCH(locked), false},
    {"leaked", value_wanted, MATCH(leaked), false},
    {"cycle", value_wanted, MATCH(cycle), false},
    {"stranded", value_wanted, MATCH(stranded), false},
    {"request", value_wanted, MATCH(request), false},
    {"tended", value_wanted, MATCH(tended), false},
    {"limit", value_wanted, MATCH(limit), false},
    {"crash", value_patterns, MATCH(crash), false},
    {"finalizer", value_wanted, MATCH(finalizer), false},
    {"not", read_not, MATCH(except), false},
    {"state_required", value_wanted, MATCH(state_required), false},
};

static const struct schema_key tier_keys[] = {
    {"severity", value_severity, offsetof(struct tier, severity), true},
#define BOUND(key) offsetof(struct tier, bounds) + (key) * sizeof(struct bound)
    {"count", value_count, BOUND(BOUND_COUNT), false},
    {"share", value_share, BOUND(BOUND_SHARE), false},
    {"waiters", value_count, BOUND(BOUND_WAITERS), false},
    {"rank", value_count, BOUND(BOUND_RANK), false},
    {"age", value_age, BOUND(BOUND_AGE), false},
    {"age_p50", value_age, BOUND(BOUND_AGE_P50), false},
    {"growth", value_growth, BOUND(BOUND_GROWTH), false},
    {"slope", value_slope, BOUND(BOUND_SLOPE), false},
    {"survivors", value_share, BOUND(BOUND_SURVIVORS), false},
    {"ids_old", value_share, BOUND(BOUND_IDS_OLD), false},
    {"ratio_to", value_ratio, 0, false},
};

static const struct schema_key with_keys[] = {
    {"any_of", value_refs, offsetof(struct with, any_of), false},
    {"all_of", value_refs, offsetof(struct with, all_of), false},
    {"none_of", value_refs, offsetof(struct with, none_of), false},
};

const struct schema rule_schema = {"a rule", rule_keys, COUNT_OF(rule_keys),
                                   false};
const struct schema match_schema = {"'match'", exception_keys + 1,
                                    COUNT_OF(exception_keys) - 1, false};
const struct schema tier_schema = {"a tier of 'when'", tier_keys,
                                   COUNT_OF(tier_keys), false};
const struct schema with_schema = {"'with'", with_keys, COUNT_OF(with_keys),
                                   false};

static const struct schema part_schema = {"a rule", rule_keys,
                                          COUNT_OF(rule_keys), true};
static const struct schema exception_schema = {"an exception", exception_keys,
                                               COUNT_OF(exception_keys), false};

/* `not` knows no `not`, and nothing that only says how states are taken. */
static const struct schema not_schema = {"'not'", exception_keys + 1,
                                         COUNT_OF(exception_keys) - 3, false};

struct str rule_explain_default(void)
{
    return STR("Goroutines in {state} at {site}: {count} ({share} of all).");
}

static int read_match(struct loader *loader, const struct node *node,
                      void *into)
{
    struct rule *rule = into;
    struct exception read = {0};
    int failed = schema_read(loader, &match_schema, node, &read);

    rule->match = read.match;
    rule->match_at = load_origin(loader, node->key);
    return failed;
}

static int read_not(struct loader *loader, const struct node *node, void *into)
{
    struct exception *read = arena_take_zero(loader->arena, sizeof(*read));

    if (!read)
        return load_memory(loader);
    if (node->kind == NODE_MAP && !node->count)
        return load_error(loader, node, "'not' is empty");
    *(const struct match **)into = &read->match;
    return schema_read(loader, &not_schema, node, read);
}

static int read_exceptions(struct loader *loader, const struct node *node,
                           void *into)
{
    struct exception **link = into;
    int failed = 0;

    if (node->kind != NODE_LIST || !node->count)
        return kind_error(loader, node,
                          "a list of exceptions such as {name: migrations, "
                          "any: 'cmd/migrate'}");
    if (node->count > EXCEPTIONS_MOST)
        return load_error(loader, node, "at most %d exceptions are allowed",
                          EXCEPTIONS_MOST);
    for (const struct node *item = node->first; item && failed != CPROF_ENOMEM;
         item = item->next) {
        struct exception *exception =
            arena_take_zero(loader->arena, sizeof(*exception));

        if (!exception)
            return load_memory(loader);
        if (item->kind == NODE_MAP && item->count == 1 &&
            node_value(item, "name"))
            failed = load_error(loader, item->first->key,
                                "an exception without keys of 'match' holds "
                                "for everything");
        failed = load_worse(
            failed, schema_read(loader, &exception_schema, item, exception));
        *link = exception;
        link = &exception->next;
    }
    return failed;
}

static int read_with(struct loader *loader, const struct node *node, void *into)
{
    if (node->kind == NODE_MAP && !node->count)
        return load_error(loader, node, "'with' is empty");
    return schema_read(loader, &with_schema, node, into);
}

static int read_when(struct loader *loader, const struct node *node, void *into)
{
    struct tiers *tiers = into;
    int failed = 0;

    if (node->kind != NODE_LIST || !node->count)
        return load_error(
            loader, node,
            "'when' must be a list of tiers such "
            "as {severity: high, count: \">=100\"}, not %s%s",
            node->kind == NODE_LIST ? "an empty one" : node_kind_text(node),
            node->kind == NODE_MAP ? ": begin each with '- '" : "");
    tiers->items =
        arena_take_zero(loader->arena, node->count * sizeof(struct tier));
    if (!tiers->items)
        return load_memory(loader);
    for (const struct node *item = node->first; item && failed != CPROF_ENOMEM;
         item = item->next) {
        struct tier *tier = &tiers->items[tiers->count++];

        tier->origin = load_origin(loader, item);
        failed =
            load_worse(failed, schema_read(loader, &tier_schema, item, tier));
    }
    return failed;
}

/* Reads nothing: a rule with this key is read as a patch of another. */
static int read_override(struct loader *loader, const struct node *node,
                         void *into)
{
    (void)loader;
    (void)node;
    (void)into;
    return 0;
}

/* Whether a match says more than states: see MATCHES_NAMES. */
static bool has_names(const struct match *match)
{
    return match->leaf.count || match->site.count || match->any.count ||
           match->all.count || match->chain.count || match->bottom.count ||
           match->created_by.count || match->file.count || match->n_labels ||
           match->leaked != WANTED_ANY || match->crash.count ||
           match->cycle != WANTED_ANY || match->stranded != WANTED_ANY ||
           match->request != WANTED_ANY || match->tended != WANTED_ANY ||
           match->limit != WANTED_ANY || match->finalizer != WANTED_ANY;
}

enum specificity match_specificity(const struct match *match)
{
    if (has_names(match))
        return MATCHES_NAMES;
    return match->states || match->locked != WANTED_ANY || match->except
               ? MATCHES_STATE
               : MATCHES_ALL;
}

/* What a rule of class normal must not have. */
static int check_normal(struct loader *loader, const struct node *node,
                        const struct rule *rule)
{
    const struct node *when = node_value(node, "when");
    const struct node *with = node_value(node, "with");
    int failed = 0;

    if (when)
        failed = load_error(loader, when->key,
                            "a rule of class normal has no "
                            "'when': what it matches is set aside");
    if (with)
        failed = load_error(loader, with->key,
                            "a rule of class normal has no 'with': what it "
                            "matches is set aside, whatever else is there");
    if (rule->before_normal == WANTED_YES)
        failed = load_error(loader, node_value(node, "before_normal"),
                            "a rule of class normal cannot come before the "
                            "normal ones");
    if (rule->specificity == MATCHES_ALL)
        failed = load_error(loader, node->first->key,
                            "a rule of class normal "
                            "needs a 'match', or it sets everything aside");
    return failed;
}

/* What others find is known once the normal rules have set theirs aside, and
 * that is after this rule was judged. What others match can be counted. */
static int check_before_normal(struct loader *loader, const struct node *node,
                               const struct rule *rule)
{
    const struct node *with = node_value(node, "with");

    if (rule->before_normal != WANTED_YES || !with)
        return 0;
    return load_error(loader, with->key,
                      "a rule that is asked before the normal ones cannot use "
                      "'with': what others find is not known yet");
}

/* What is judged is what shares are asked of. */
static int check_beside(struct loader *loader, const struct node *node,
                        const struct rule *rule)
{
    if (rule->beside != WANTED_YES)
        return 0;
    return load_error(loader, node_value(node, "beside"),
                      "only a rule of class normal can stand beside others");
}

/* Keys that must or must not stand beside each other. */
static int check_rule(struct loader *loader, const struct node *node,
                      const struct rule *rule)
{
    const struct rule *other = rules_find(loader->rules, rule->info.id);

    if (other)
        return load_error(loader, node_value(node, "id"),
                          "rule id '%s' is already used by " STR_FORMAT
                          ":%llu; 'override' changes a rule",
                          quote(rule->info.id).text, STR_ARG(other->info.file),
                          (unsigned long long)other->info.line);
    if (rule->info.class == CLASS_NORMAL)
        return check_normal(loader, node, rule);
    if (!node_value(node, "when"))
        return load_error(loader, node->first->key,
                          "a rule needs a key 'when' "
                          "(unless its class is normal)");
    return load_worse(check_beside(loader, node, rule),
                      check_before_normal(loader, node, rule));
}

/* Whether some key of a rule is unknown: it may be one that is missing,
 * misspelt. */
static bool has_unknown_key(const struct node *node)
{
    for (const struct node *value = node->first; value; value = value->next) {
        if (!schema_find(&rule_schema, value->key->text))
            return true;
    }
    return false;
}

/* Reads the keys of a rule and adds it to the others. */
static int fill_rule(struct loader *loader, const struct node *node,
                     struct rule *rule)
{
    int failed = schema_read(loader, &rule_schema, node, rule);

    tests_settle(rule);
    rule->specificity = match_specificity(&rule->match);
    if (!rule->info.explain.len)
        rule->info.explain = rule_explain_default();
    if (failed != CPROF_ENOMEM && node->kind == NODE_MAP && node->first &&
        !has_unknown_key(node))
        failed = load_worse(failed, check_rule(loader, node, rule));
    if (!failed && !rules_add(loader->rules, rule))
        failed = load_memory(loader);
    return failed;
}

/* Remembers the id of a rule that is wrong. */
static int note_broken(struct loader *loader, const struct rule *rule)
{
    struct broken_rule *broken =
        arena_take_zero(loader->arena, sizeof(*broken));

    if (!broken)
        return load_memory(loader);
    *broken = (struct broken_rule){rule->info.id, loader->rules->broken};
    loader->rules->broken = broken;
    return CPROF_ERULE;
}

static int read_rule(struct loader *loader, const struct node *node)
{
    struct rule *rule = arena_take_zero(loader->arena, sizeof(*rule));
    const struct node *id = node->kind == NODE_MAP ? node->first : NULL;
    int failed;

    if (!rule)
        return load_memory(loader);
    rule->info.class = CLASS_SUSPECT;
    rule->confidence = CONFIDENCE_MEDIUM;
    rule->is_builtin = loader->is_builtin;
    rule->load = loader->rules->load;
    rule->info.file = str_from(loader->file);
    if (id) {
        rule->origin = load_origin(loader, id->key);
        rule->info.line = id->key->line;
    }
    if (id && node_value(node, "override")) {
        failed = schema_read(loader, &part_schema, node, rule);
        return failed ? failed : load_override(loader, node, rule);
    }
    failed = fill_rule(loader, node, rule);
    return failed == CPROF_ERULE ? note_broken(loader, rule) : failed;
}

int load_rules(struct loader *loader, const struct node *node, void *into)
{
    int failed = 0;

    (void)into;
    if (node->kind != NODE_LIST || !node->count)
        return load_error(
            loader, node,
            "'rules' must be a list of rules, not "
            "%s%s",
            node->kind == NODE_LIST ? "an empty one" : node_kind_text(node),
            node->kind == NODE_MAP ? ": begin each with '- '" : "");
    for (const struct node *rule = node->first; rule && failed != CPROF_ENOMEM;
         rule = rule->next)
        failed = load_worse(failed, read_rule(loader, rule));
    return failed;
}

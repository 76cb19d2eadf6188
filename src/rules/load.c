#include "rules/load.h"

#include "base/escape.h"
#include "rules/values.h"

enum { FILE_MOST = 1 << 20 }; /* bytes of a rule file */

/* What stands in a rule when its file says nothing else. */
#define EXPLAIN_DEFAULT                                                        \
 "Goroutines in {state} at {site}: {count} ({share} of all)."

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static int read_version(struct loader *loader, const struct node *node,
                        void *into);
static int read_rules(struct loader *loader, const struct node *node,
                      void *into);
static int read_match(struct loader *loader, const struct node *node,
                      void *into);
static int read_not(struct loader *loader, const struct node *node, void *into);
static int read_when(struct loader *loader, const struct node *node,
                     void *into);

static const struct schema_key file_keys[] = {
    {"version", read_version, 0, true},
    {"rules", read_rules, 0, true},
};

#define RULE(field) offsetof(struct rule, field)

static const struct schema_key rule_keys[] = {
    {"id", value_id, RULE(info.id), true},
    {"title", value_line, RULE(info.title), true},
    {"class", value_class, RULE(info.class), false},
    {"status", value_status, RULE(status), false},
    {"match", read_match, RULE(match), false},
    {"group_by", value_group_by, RULE(group_by), false},
    {"when", read_when, RULE(when), false},
    {"confidence", value_confidence, RULE(confidence), false},
    {"before_normal", value_wanted, RULE(before_normal), false},
    {"explain", value_explain, RULE(info.explain), false},
    {"cause", value_text, RULE(info.cause), false},
    {"decide", value_texts, RULE(info.decide), false},
    {"advice", value_texts, RULE(info.advice), false},
    {"false_positives", value_texts, RULE(info.false_positives), false},
    {"references", value_urls, RULE(info.references), false},
};

#define MATCH(field) offsetof(struct match, field)

/* The keys of `not` are those of `match` without the last. */
static const struct schema_key match_keys[] = {
    {"state", value_states, MATCH(states), false},
    {"leaf", value_patterns, MATCH(leaf), false},
    {"site", value_patterns, MATCH(site), false},
    {"any", value_patterns, MATCH(any), false},
    {"all", value_patterns, MATCH(all), false},
    {"chain", value_chain, MATCH(chain), false},
    {"bottom", value_patterns, MATCH(bottom), false},
    {"created_by", value_patterns, MATCH(created_by), false},
    {"labels", value_labels, 0, false},
    {"file", value_patterns, MATCH(file), false},
    {"locked", value_wanted, MATCH(locked), false},
    {"leaked", value_wanted, MATCH(leaked), false},
    {"crash", value_patterns, MATCH(crash), false},
    {"not", read_not, MATCH(except), false},
};

#define TIER(field) offsetof(struct tier, field)

static const struct schema_key tier_keys[] = {
    {"severity", value_severity, TIER(severity), true},
    {"count", value_count, TIER(count), false},
    {"share", value_share, TIER(share), false},
    {"age", value_age, 0, false},
};

static const struct schema file_schema = {"a rule file", file_keys,
                                          COUNT_OF(file_keys)};
static const struct schema rule_schema = {"a rule", rule_keys,
                                          COUNT_OF(rule_keys)};
static const struct schema match_schema = {"'match'", match_keys,
                                           COUNT_OF(match_keys)};
static const struct schema not_schema = {"'not'", match_keys,
                                         COUNT_OF(match_keys) - 1};
static const struct schema tier_schema = {"a tier of 'when'", tier_keys,
                                          COUNT_OF(tier_keys)};

/* In the order in which a misplaced key is looked for. */
const struct schema *const schemas[] = {&match_schema, &tier_schema,
                                        &rule_schema, &file_schema};
const size_t schemas_count = COUNT_OF(schemas);

static int read_version(struct loader *loader, const struct node *node,
                        void *into)
{
    (void)into;
    if (node->kind == NODE_TEXT && str_equal(node->text, STR("1")))
        return 0;
    return load_error(loader, node,
                      "this program knows 'version: 1' of rule "
                      "files only");
}

static int read_match(struct loader *loader, const struct node *node,
                      void *into)
{
    return schema_read(loader, &match_schema, node, into);
}

static int read_not(struct loader *loader, const struct node *node, void *into)
{
    struct match *match = arena_take_zero(loader->arena, sizeof(*match));

    if (!match)
        return load_memory(loader);
    if (node->kind == NODE_MAP && !node->count)
        return load_error(loader, node, "'not' is empty");
    *(const struct match **)into = match;
    return schema_read(loader, &not_schema, node, match);
}

static int read_when(struct loader *loader, const struct node *node, void *into)
{
    struct tiers *tiers = into;
    size_t n = 0;

    if (node->kind != NODE_LIST || !node->count)
        return load_error(loader, node,
                          "'when' must be a list of tiers such "
                          "as {severity: high, count: \">=100\"}, not %s",
                          node->kind == NODE_LIST ? "an empty one"
                                                  : node_kind_text(node));
    tiers->items =
        arena_take_zero(loader->arena, node->count * sizeof(struct tier));
    if (!tiers->items)
        return load_memory(loader);
    for (const struct node *tier = node->first; tier; tier = tier->next) {
        int failed =
            schema_read(loader, &tier_schema, tier, &tiers->items[n++]);

        if (failed)
            return failed;
    }
    tiers->count = n;
    return 0;
}

/* Whether a match says more than states: see MATCHES_NAMES. */
static bool has_names(const struct match *match)
{
    return match->leaf.count || match->site.count || match->any.count ||
           match->all.count || match->chain.count || match->bottom.count ||
           match->created_by.count || match->file.count || match->n_labels ||
           match->leaked != WANTED_ANY || match->crash.count;
}

static enum specificity specificity_of(const struct match *match)
{
    if (has_names(match))
        return MATCHES_NAMES;
    return match->states || match->locked != WANTED_ANY || match->except
               ? MATCHES_STATE
               : MATCHES_ALL;
}

/* Keys that must or must not stand beside each other. */
static int check_rule(struct loader *loader, const struct node *node,
                      const struct rule *rule)
{
    const struct node *when = node_value(node, "when");
    const struct rule *other = rules_find(loader->rules, rule->info.id);

    if (other)
        return load_error(loader, node_value(node, "id"),
                          "rule id '%s' is already used by " STR_FORMAT ":%llu",
                          quote(rule->info.id).text, STR_ARG(other->info.file),
                          (unsigned long long)other->info.line);
    if (rule->info.class != CLASS_NORMAL && !when)
        return load_error(loader, node->first->key,
                          "a rule needs a key 'when' "
                          "(unless its class is normal)");
    if (rule->info.class == CLASS_NORMAL && when)
        return load_error(loader, when->key,
                          "a rule of class normal has no "
                          "'when': what it matches is set aside");
    if (rule->info.class == CLASS_NORMAL && rule->before_normal == WANTED_YES)
        return load_error(loader, node_value(node, "before_normal"),
                          "a rule of class normal cannot come before the "
                          "normal ones");
    if (rule->info.class == CLASS_NORMAL && rule->specificity == MATCHES_ALL)
        return load_error(loader, node->first->key,
                          "a rule of class normal "
                          "needs a 'match', or it sets everything aside");
    return 0;
}

/* Reads the keys of a rule and adds it to the others. */
static int fill_rule(struct loader *loader, const struct node *node,
                     struct rule *rule)
{
    int failed = schema_read(loader, &rule_schema, node, rule);

    if (failed)
        return failed;
    rule->specificity = specificity_of(&rule->match);
    rule->is_builtin = loader->is_builtin;
    rule->info.file = str_from(loader->file);
    rule->info.line =
        source_place(loader->source, node->first->key->span.offset).line;
    if (!rule->info.explain.len)
        rule->info.explain = STR(EXPLAIN_DEFAULT);
    failed = check_rule(loader, node, rule);
    if (!failed && !rules_add(loader->rules, rule))
        failed = load_memory(loader);
    return failed;
}

static int read_rule(struct loader *loader, const struct node *node)
{
    struct rule *rule = arena_take_zero(loader->arena, sizeof(*rule));
    int failed;

    if (!rule)
        return load_memory(loader);
    rule->info.class = CLASS_SUSPECT;
    rule->confidence = CONFIDENCE_MEDIUM;
    loader->rule = rule;
    failed = fill_rule(loader, node, rule);
    if (failed)
        rule_done(rule);
    loader->rule = NULL;
    return failed;
}

static int read_rules(struct loader *loader, const struct node *node,
                      void *into)
{
    (void)into;
    if (node->kind != NODE_LIST || !node->count)
        return load_error(loader, node,
                          "'rules' must be a list of rules, not "
                          "%s",
                          node->kind == NODE_LIST ? "an empty one"
                                                  : node_kind_text(node));
    for (const struct node *rule = node->first; rule; rule = rule->next) {
        int failed = read_rule(loader, rule);

        if (failed)
            return failed;
    }
    return 0;
}

/* How many bytes of ASCII a text begins with. */
static size_t ascii_length(struct str text)
{
    size_t i = 0;

    while (i < text.len && (unsigned char)text.ptr[i] < 0x80)
        i++;
    return i;
}

/* Refuses what the YAML parser need not see: files that are too large or not
 * UTF-8. */
static int check_text(struct source *source, struct cprof_error *err)
{
    struct str rest = source->text;
    uint32_t point;

    if (rest.len > FILE_MOST)
        return error_set(err, CPROF_ERULE, (struct place){source->name, 0, 0},
                         "a rule file of more than %d bytes is not read",
                         FILE_MOST);
    rest = str_skip(rest, ascii_length(rest));
    source->is_ascii = rest.len == 0;
    for (; rest.len; rest = str_skip(rest, ascii_length(rest))) {
        uint32_t at = (uint32_t)(source->text.len - rest.len);
        size_t n = utf8_next(rest, &point);

        if (!n)
            return source_error(source, (struct span){at, 1}, err,
                                "byte 0x%02x is not UTF-8, as a rule file must "
                                "be",
                                (unsigned char)rest.ptr[0]);
        rest = str_skip(rest, n);
    }
    return 0;
}

/* Parses the source and reads it by its schema. */
static int read_file(struct loader *loader, struct arena *nodes)
{
    const struct node *root = NULL;
    int failed = node_parse(&root, loader->source, nodes, loader->err);

    if (failed)
        return failed;
    if (!root)
        return load_error_at(loader, (struct span){0, 0},
                             "no rules here, "
                             "expected 'version: 1' and 'rules:'");
    return schema_read(loader, &file_schema, root, loader);
}

int load_text(struct rules *rules, const char *name, struct str text,
              bool is_builtin, struct cprof_error *err)
{
    struct source source = {.name = name, .text = text};
    struct loader loader = {.rules = rules,
                            .source = &source,
                            .file =
                                arena_copy(&rules->arena, str_from(name)).ptr,
                            .arena = &rules->arena,
                            .err = err,
                            .is_builtin = is_builtin};
    struct arena nodes;
    size_t before = rules->count;
    int failed;

    if (!loader.file)
        return load_memory(&loader);
    str_cut_prefix(&source.text, STR("\xef\xbb\xbf"));
    arena_init(&nodes, rules->arena.budget);
    failed = check_text(&source, err);
    if (!failed)
        failed = read_file(&loader, &nodes);
    if (failed)
        rules_cut(rules, before);
    arena_done(&nodes);
    return failed;
}

#include "rules/load.h"
#include "rules/prose.h"
#include "rules/rule_test.h"

/* A patch says under `override` what it does with each key that it gives. */
enum action { ACTION_NONE, ACTION_REPLACE, ACTION_APPEND };

typedef int append_fn(struct loader *loader, void *into, const void *more);

/* Puts the items of one array behind those of another. */
static void *join(struct loader *loader, const void *first, size_t n_first,
                  const void *second, size_t n_second, size_t unit)
{
    char *joined = arena_take(loader->arena, (n_first + n_second) * unit);

    if (!joined) {
        load_memory(loader);
        return NULL;
    }
    if (n_first)
        memcpy(joined, first, n_first * unit);
    if (n_second)
        memcpy(joined + n_first * unit, second, n_second * unit);
    return joined;
}

static int append_texts(struct loader *loader, void *into, const void *more)
{
    struct rule_texts *texts = into;
    const struct rule_texts *others = more;
    struct str *items = join(loader, texts->items, texts->count, others->items,
                             others->count, sizeof(*items));

    if (!items)
        return CPROF_ENOMEM;
    *texts = (struct rule_texts){items, texts->count + others->count};
    return 0;
}

static int append_tiers(struct loader *loader, void *into, const void *more)
{
    struct tiers *tiers = into;
    const struct tiers *others = more;
    struct tier *items = join(loader, tiers->items, tiers->count, others->items,
                              others->count, sizeof(*items));

    if (!items)
        return CPROF_ENOMEM;
    *tiers = (struct tiers){items, tiers->count + others->count};
    return 0;
}

/* The earlier ones are copied: the rule that had them keeps its list. */
static int append_exceptions(struct loader *loader, void *into,
                             const void *more)
{
    struct exception **link = into;
    struct exception *const *others = more;

    while (*link) {
        struct exception *copy = arena_take(loader->arena, sizeof(*copy));

        if (!copy)
            return load_memory(loader);
        *copy = **link;
        *link = copy;
        link = &copy->next;
    }
    *link = *others;
    return 0;
}

static int append_tests(struct loader *loader, void *into, const void *more)
{
    struct rule_test **link = into;
    struct rule_test *const *others = more;

    while (*link) {
        struct rule_test *copy = arena_take(loader->arena, sizeof(*copy));

        if (!copy)
            return load_memory(loader);
        *copy = **link;
        *link = copy;
        link = &copy->next;
    }
    *link = *others;
    return 0;
}

#define FIELD(field)                                                           \
 offsetof(struct rule, field), sizeof(((struct rule *)NULL)->field)

static const struct field {
    const char *name;
    size_t offset;
    size_t size;
    append_fn *append; /* NULL = it can only be replaced */
} fields[] = {
    {"title", FIELD(info.title), NULL},
    {"class", FIELD(info.class), NULL},
    {"status", FIELD(status), NULL},
    {"needs", FIELD(needs), NULL},
    {"enabled", FIELD(enabled), NULL},
    {"go", FIELD(go), NULL},
    {"match", FIELD(match), NULL},
    {"exceptions", FIELD(exceptions), append_exceptions},
    {"with", FIELD(with), NULL},
    {"group_by", FIELD(group_by), NULL},
    {"when", FIELD(when), append_tiers},
    {"confidence", FIELD(confidence), NULL},
    {"before_normal", FIELD(before_normal), NULL},
    {"beside", FIELD(beside), NULL},
    {"explain", FIELD(info.explain), NULL},
    {"cause", FIELD(info.cause), NULL},
    {"decide", FIELD(info.decide), append_texts},
    {"advice", FIELD(info.advice), append_texts},
    {"false_positives", FIELD(info.false_positives), append_texts},
    {"references", FIELD(info.references), append_texts},
    {"tests", FIELD(tests), append_tests},
};

static const struct field *find_field(struct str name)
{
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if (str_equal(str_from(fields[i].name), name))
            return &fields[i];
    }
    return NULL;
}

/* What `override` says of one key. */
static int read_action(struct loader *loader, const struct node *rule,
                       const struct node *value, enum action *ret)
{
    struct str name = value->key->text;
    const struct field *field = find_field(name);
    const char *near = schema_nearest(&rule_schema, name);

    if (!field && near && !str_equal(str_from(near), name))
        return load_error(loader, value->key,
                          "'override' names an unknown key '%s' (did you mean "
                          "'%s'?)",
                          quote(name).text, near);
    if (!field)
        return load_error(loader, value->key,
                          "'override' cannot change a key '%s'",
                          quote(name).text);
    if (!node_value(rule, field->name))
        return load_error(loader, value->key,
                          "'override' names '%s', but the rule does not give "
                          "it",
                          field->name);
    if (value->kind == NODE_TEXT && str_equal(value->text, STR("replace")))
        *ret = ACTION_REPLACE;
    else if (value->kind == NODE_TEXT && str_equal(value->text, STR("append")))
        *ret = ACTION_APPEND;
    else
        return load_error(loader, value,
                          "'%s' must be replace or append, not '%s'",
                          field->name, quote(value->text).text);
    if (*ret == ACTION_APPEND && !field->append)
        return load_error(loader, value, "'%s' can only be replaced",
                          field->name);
    return 0;
}

/* Every key that is given must be named by `override`: a key that changes
 * nothing is a mistake. */
static int check_named(struct loader *loader, const struct node *rule,
                       const struct node *override)
{
    int failed = 0;

    for (const struct node *value = rule->first; value; value = value->next) {
        struct str name = value->key->text;

        if (value == override || str_equal(name, STR("id")) ||
            node_value(override, name.ptr))
            continue;
        failed = load_error(loader, value->key,
                            "'%s' is given, but 'override' does not say "
                            "whether to replace or append it",
                            quote(name).text);
    }
    return failed;
}

/* Changes one field of a rule by a patch. */
static int apply(struct loader *loader, const struct field *field,
                 enum action action, struct rule *rule,
                 const struct rule *patch)
{
    void *into = (char *)rule + field->offset;
    const void *from = (const char *)patch + field->offset;

    if (action == ACTION_APPEND)
        return field->append(loader, into, from);
    memcpy(into, from, field->size);
    if (field->offset == offsetof(struct rule, match)) {
        rule->match_at = patch->match_at;
        rule->specificity = match_specificity(&rule->match);
    }
    if (field->offset == offsetof(struct rule, go))
        rule->go_text = patch->go_text;
    return 0;
}

/* Applies all that `override` names. */
static int apply_all(struct loader *loader, const struct node *node,
                     const struct node *override, struct rule *rule,
                     const struct rule *patch)
{
    int failed = 0;

    for (const struct node *value = override->first;
         value && failed != CPROF_ENOMEM; value = value->next) {
        enum action action = ACTION_NONE;
        int wrong = read_action(loader, node, value, &action);

        if (!wrong)
            wrong = apply(loader, find_field(value->key->text), action, rule,
                          patch);
        failed = load_worse(failed, wrong);
    }
    return failed;
}

/* A changed rule must be one that could have been written as it is now. */
static int check_result(struct loader *loader, const struct node *node,
                        const struct rule *rule)
{
    bool is_normal = rule->info.class == CLASS_NORMAL;
    const char *wrong = NULL;

    if (is_normal && rule->when.count)
        wrong = "a rule of class normal has no 'when'; the rule could be "
                "disabled and another one written";
    else if (is_normal && rule->specificity == MATCHES_ALL)
        wrong = "a rule of class normal needs a 'match', or it sets everything "
                "aside";
    else if (!is_normal && !rule->when.count)
        wrong = "a rule needs a key 'when' (unless its class is normal)";
    return wrong ? load_error(loader, node, "%s", wrong) : 0;
}

int load_override(struct loader *loader, const struct node *node,
                  struct rule *patch)
{
    const struct node *override = node_value(node, "override");
    const struct node *id = node_value(node, "id");
    size_t index = rules_index(loader->rules, patch->info.id);
    struct rule *rule = arena_take(loader->arena, sizeof(*rule));
    struct str near;
    int failed;

    if (!rule)
        return load_memory(loader);
    if (override->kind != NODE_MAP || !override->count)
        return load_error(loader, override,
                          "'override' must be a mapping such as {when: "
                          "replace, advice: append}, not %s",
                          override->kind == NODE_MAP
                              ? "an empty one"
                              : node_kind_text(override));
    if (index == loader->rules->count) {
        near = load_nearest(loader, patch->info.id);
        return load_error(
            loader, id, "there is no rule '%s' to override%s" STR_FORMAT "%s",
            quote(patch->info.id).text, near.len ? " (did you mean '" : "",
            STR_ARG(near), near.len ? "'?)" : "");
    }
    if (!prose_read(loader->rules, loader->rules->items[index]))
        return load_memory(loader);
    *rule = *loader->rules->items[index];
    rule->load = loader->rules->load;
    tests_settle(patch);
    failed = check_named(loader, node, override);
    failed = load_worse(failed, apply_all(loader, node, override, rule, patch));
    if (!failed)
        failed = check_result(loader, override->key, rule);
    if (!failed)
        rules_replace(loader->rules, index, rule);
    return failed;
}

#include "rules/prose.h"

#include "rules/builtin.h"
#include "rules/packed.h"
#include "rules/values.h"

#define INFO(field) offsetof(struct rule_info, field)

/* The keys of a rule that have a tree of their own (packed.h). */
static const struct schema_key keys[] = {
    {"explain", value_explain, INFO(explain), false},
    {"cause", value_text, INFO(cause), false},
    {"decide", value_texts, INFO(decide), false},
    {"advice", value_texts, INFO(advice), false},
    {"false_positives", value_texts, INFO(false_positives), false},
    {"references", value_urls, INFO(references), false},
};

/* The rule that begins on a line of its file; NULL when it says nothing. */
static const struct node *find_rule(const struct node *root, uint64_t line)
{
    const struct node *list = root ? root->first : NULL;
    const struct node *rule = list ? list->first : NULL;

    while (rule && rule->line != line)
        rule = rule->next;
    return rule;
}

/* Reads the keys above of one rule of a file. */
static int read_keys(struct loader *loader, struct arena *nodes,
                     const struct builtin_rules *file, struct rule_info *info)
{
    const struct node *root = NULL;
    const struct node *rule;
    int failed = 0;

    if (!packed_read(&root, (struct str){file->prose, file->prose_len}, nodes))
        return CPROF_ENOMEM;
    rule = find_rule(root, info->line);
    for (size_t i = 0; !failed && rule && i < sizeof(keys) / sizeof(keys[0]);
         i++) {
        const struct node *value = node_value(rule, keys[i].name);

        if (value)
            failed = keys[i].read(loader, value, (char *)info + keys[i].offset);
    }
    return failed;
}

bool prose_read(struct rules *rules, const struct rule *rule)
{
    const struct builtin_rules *file;
    struct rule *owned;
    struct source source = {0};
    struct problems problems = {0};
    struct cprof_error err = {0};
    struct loader loader = {.rules = rules,
                            .source = &source,
                            .arena = &rules->arena,
                            .problems = &problems,
                            .err = &err,
                            .is_builtin = true};
    struct arena nodes;
    int failed;

    if (!rule->prose_in)
        return true;
    owned = rules->items[rules_index(rules, rule->info.id)];
    source.name = owned->info.file.ptr;
    file = &builtin_rules[owned->prose_in - 1];
    source.text = (struct str){file->text, file->len};
    owned->prose_in = 0;
    arena_init(&nodes, rules->arena.budget);
    failed = read_keys(&loader, &nodes, file, &owned->info);
    arena_done(&nodes);
    problems_done(&problems);
    return failed != CPROF_ENOMEM;
}

bool prose_read_all(struct rules *rules)
{
    for (size_t i = 0; i < rules->count; i++) {
        if (!prose_read(rules, rules->items[i]))
            return false;
    }
    return true;
}

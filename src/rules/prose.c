#include "rules/prose.h"

#include "rules/builtin.h"
#include "rules/values.h"

#define INFO(field) offsetof(struct rule_info, field)

/* The keys of a rule that are left out where trees are packed, but for
 * `tests` (packed.h). */
static const struct schema_key keys[] = {
    {"explain", value_explain, INFO(explain), false},
    {"cause", value_text, INFO(cause), false},
    {"decide", value_texts, INFO(decide), false},
    {"advice", value_texts, INFO(advice), false},
    {"false_positives", value_texts, INFO(false_positives), false},
    {"references", value_urls, INFO(references), false},
};

/* The text of the rule that begins on a line: up to the next line that is not
 * indented. */
static struct str cut_rule(struct str text, uint64_t line)
{
    size_t end = 0;

    for (; line > 1; line--)
        text = str_skip(text, str_find(text, '\n') + 1);
    do {
        end += str_find(str_skip(text, end), '\n') + 1;
    } while (end < text.len && strchr(" #\n", text.ptr[end]));
    return str_head(text, end);
}

/* Reads the keys above of the one rule that a source holds. */
static int read_keys(struct loader *loader, struct arena *nodes,
                     struct rule_info *info)
{
    const struct node *root = NULL;
    int failed = node_parse(&root, loader->source, nodes, loader->err);

    for (size_t i = 0;
         !failed && root && root->first && i < sizeof(keys) / sizeof(keys[0]);
         i++) {
        const struct node *value = node_value(root->first, keys[i].name);

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
    source.text =
        cut_rule((struct str){file->text, file->len}, owned->info.line);
    owned->prose_in = 0;
    arena_init(&nodes, rules->arena.budget);
    failed = read_keys(&loader, &nodes, &owned->info);
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

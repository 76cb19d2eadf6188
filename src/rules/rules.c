#include "rules/rules.h"

#include <stdlib.h>

#include "rules/builtin.h"
#include "rules/load.h"
#include "rules/nearest.h"

int rules_new(struct rules **ret, struct budget *budget,
              struct cprof_error *err)
{
    struct rules *rules = calloc(1, sizeof(*rules));

    if (!rules)
        return error_memory(err, (struct place){0}, "loading rules");
    arena_init(&rules->arena, budget);
    *ret = rules;
    return 0;
}

void rule_done(struct rule *rule)
{
    for (struct rule_pattern *at = rule->patterns; at; at = at->next)
        pattern_free(at->pattern);
    rule->patterns = NULL;
}

void rules_cut(struct rules *rules, size_t count)
{
    while (rules->count > count)
        rule_done(rules->items[--rules->count]);
}

void rules_free(struct rules *rules)
{
    if (!rules)
        return;
    rules_cut(rules, 0);
    budget_free(rules->arena.budget, rules->items,
                rules->size * sizeof(struct rule *));
    arena_done(&rules->arena);
    free(rules);
}

bool rules_add(struct rules *rules, struct rule *rule)
{
    size_t size = rules->size ? rules->size * 2 : 64;

    if (rules->count == rules->size) {
        struct rule **items = budget_resize(rules->arena.budget, rules->items,
                                            rules->size * sizeof(struct rule *),
                                            size * sizeof(struct rule *));

        if (!items)
            return false;
        rules->items = items;
        rules->size = size;
    }
    rules->items[rules->count++] = rule;
    return true;
}

struct rule *rules_find(const struct rules *rules, struct str id)
{
    for (size_t i = 0; i < rules->count; i++) {
        if (str_equal(rules->items[i]->info.id, id))
            return rules->items[i];
    }
    return NULL;
}

int rules_load_builtin(struct rules *rules, struct cprof_error *err)
{
    size_t before = rules->count;

    for (size_t i = 0; i < builtin_rules_count; i++) {
        const struct builtin_rules *file = &builtin_rules[i];
        int failed = load_text(rules, file->name,
                               (struct str){file->text, file->len}, true, err);

        if (failed) {
            rules_cut(rules, before);
            return failed;
        }
    }
    return 0;
}

int rules_load_text(struct rules *rules, const char *name, struct str text,
                    struct cprof_error *err)
{
    return load_text(rules, name, text, false, err);
}

static struct str id_word(const void *user, size_t index)
{
    const struct rules *rules = user;

    return rules->items[index]->info.id;
}

int rules_disable(struct rules *rules, struct str id, struct cprof_error *err)
{
    size_t near;

    for (size_t i = 0; i < rules->count; i++) {
        if (!str_equal(rules->items[i]->info.id, id))
            continue;
        rule_done(rules->items[i]);
        rules->count--;
        memmove(&rules->items[i], &rules->items[i + 1],
                (rules->count - i) * sizeof(struct rule *));
        return 0;
    }
    near = nearest_find(id, rules->count, id_word, rules);
    if (near == rules->count)
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "there is no rule '" STR_FORMAT "'",
                         STR_ARG(str_head(id, 100)));
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "there is no rule '" STR_FORMAT
                     "' (did you mean '" STR_FORMAT "'?)",
                     STR_ARG(str_head(id, 100)), STR_ARG(id_word(rules, near)));
}

size_t rules_count(const struct rules *rules)
{
    return rules->count;
}

const struct rule_info *rules_info(const struct rules *rules, size_t index)
{
    return &rules->items[index]->info;
}

#include <stdlib.h>

#include "model/options.h"
#include "rules/builtin.h"
#include "rules/image.h"
#include "rules/load.h"
#include "rules/nearest.h"
#include "rules/ruleset.h"
#include "rules/values.h"

int rules_new(struct rules **ret, struct budget *budget,
              struct cprof_error *err)
{
    struct rules *rules = calloc(1, sizeof(*rules));

    if (!rules)
        return error_memory(err, (struct place){0}, "loading rules");
    arena_init(&rules->arena, budget);
    name_index_init(&rules->ids, budget);
    name_index_init(&rules->names, budget);
    pattern_pool_init(&rules->patterns, budget);
    *ret = rules;
    return 0;
}

void rules_free(struct rules *rules)
{
    if (!rules)
        return;
    pattern_pool_done(&rules->patterns);
    name_index_done(&rules->ids);
    name_index_done(&rules->names);
    budget_free(rules->arena.budget, rules->definitions,
                rules->definitions_size * sizeof(struct definition *));
    budget_free(rules->arena.budget, rules->items,
                rules->size * sizeof(struct rule *));
    arena_done(&rules->arena);
    free(rules);
}

void rules_keep_details(struct rules *rules)
{
    rules->keep_details = true;
}

int rules_assume_go(struct rules *rules, struct str version,
                    struct cprof_error *err)
{
    uint32_t go = 0;

    if (version.len && !go_version_parse(version, &go))
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "'" STR_FORMAT "' is no version of Go, expected such "
                         "as 1.26",
                         STR_ARG(str_head(version, 40)));
    rules->go = go;
    return 0;
}

struct rules_mark rules_mark(const struct rules *rules)
{
    return (struct rules_mark){rules->count, rules->n_definitions, rules->load};
}

void rules_rollback(struct rules *rules, struct rules_mark mark)
{
    if (mark.count < rules->ids.n_entered)
        name_index_done(&rules->ids);
    if (mark.n_definitions < rules->names.n_entered)
        name_index_done(&rules->names);
    rules->count = mark.count;
    rules->n_definitions = mark.n_definitions;
    for (size_t i = 0; i < rules->count; i++) {
        while (rules->items[i]->load > mark.load)
            rules->items[i] = rules->items[i]->overridden;
    }
}

static struct str id_word(const void *user, size_t index)
{
    const struct rules *rules = user;

    return rules->items[index]->info.id;
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
    name_index_enter(&rules->ids, rules->count, id_word, rules);
    return true;
}

static struct str name_word(const void *user, size_t index)
{
    const struct rules *rules = user;

    return rules->definitions[index]->name;
}

bool rules_define(struct rules *rules, const struct definition *definition)
{
    size_t size = rules->definitions_size ? rules->definitions_size * 2 : 16;

    if (rules->n_definitions == rules->definitions_size) {
        const struct definition **items = budget_resize(
            rules->arena.budget, (void *)rules->definitions,
            rules->definitions_size * sizeof(*items), size * sizeof(*items));

        if (!items)
            return false;
        rules->definitions = items;
        rules->definitions_size = size;
    }
    rules->definitions[rules->n_definitions++] = definition;
    name_index_enter(&rules->names, rules->n_definitions, name_word, rules);
    return true;
}

const struct definition *rules_definition(const struct rules *rules,
                                          struct str name)
{
    size_t index = name_index_find(&rules->names, name, rules->n_definitions,
                                   name_word, rules);

    return index < rules->n_definitions ? rules->definitions[index] : NULL;
}

void rules_replace(struct rules *rules, size_t index, struct rule *rule)
{
    rule->overridden = rules->items[index];
    rules->items[index] = rule;
}

size_t rules_index(const struct rules *rules, struct str id)
{
    return name_index_find(&rules->ids, id, rules->count, id_word, rules);
}

const struct rule *rules_find(const struct rules *rules, struct str id)
{
    size_t index = rules_index(rules, id);

    return index < rules->count ? rules->items[index] : NULL;
}

struct str rules_nearest(const struct rules *rules, struct str text)
{
    size_t near = nearest_find(text, rules->count, id_word, rules);

    return near < rules->count ? id_word(rules, near) : (struct str){0};
}

/* The text of a built-in file. */
static struct str builtin_text(size_t index)
{
    return (struct str){builtin_rules[index].text, builtin_rules[index].len};
}

/* Loads the files themselves, with all that they hold. */
static int load_files(struct rules *rules, struct cprof_error *err)
{
    int failed = 0;

    for (size_t i = 0; !failed && i < builtin_rules_count; i++)
        failed =
            load_text(rules, builtin_rules[i].name, builtin_text(i), true, err);
    return failed;
}

int rules_load_builtin(struct rules *rules, struct cprof_error *err)
{
    struct rules_mark mark = rules_mark(rules);
    struct str image = {builtin_image, builtin_image_len};
    int failed = 0;

    if (rules->keep_details)
        failed = load_files(rules, err);
    else if (!image_read(rules, image))
        failed = error_memory(err, (struct place){0}, "loading rules");
    if (failed)
        rules_rollback(rules, mark);
    return failed;
}

int rules_check_builtin(struct rules *rules, struct problems *problems,
                        struct cprof_error *err)
{
    int failed = 0;

    for (size_t i = 0; !failed && i < builtin_rules_count; i++)
        failed = load_checked(rules, builtin_rules[i].name, builtin_text(i),
                              true, problems, err);
    return failed;
}

int rules_load_text(struct rules *rules, const char *name, struct str text,
                    struct cprof_error *err)
{
    return load_text(rules, name, text, false, err);
}

int rules_check_text(struct rules *rules, const char *name, struct str text,
                     struct problems *problems, struct cprof_error *err)
{
    return load_checked(rules, name, text, false, problems, err);
}

int rules_disable(struct rules *rules, struct str id, struct cprof_error *err)
{
    size_t index = rules_index(rules, id);
    struct str near;

    if (index < rules->count) {
        rules->items[index]->enabled = WANTED_NO;
        return 0;
    }
    near = rules_nearest(rules, id);
    if (!near.len)
        return error_set(err, CPROF_EUSAGE, (struct place){0},
                         "there is no rule '" STR_FORMAT "'",
                         STR_ARG(str_head(id, 100)));
    return error_set(err, CPROF_EUSAGE, (struct place){0},
                     "there is no rule '" STR_FORMAT
                     "' (did you mean '" STR_FORMAT "'?)",
                     STR_ARG(str_head(id, 100)), STR_ARG(near));
}

int rules_load_chosen(struct rules *rules, const struct cprof_options *options,
                      struct cprof_error *err)
{
    int rc = 0;

    if (!options->no_builtin_rules)
        rc = rules_load_builtin(rules, err);
    for (size_t i = 0; rc == 0 && i < options->rules_folders.count; i++)
        rc = rules_load_folder(rules, options->rules_folders.values[i], err);
    for (size_t i = 0; rc == 0 && i < options->rules.count; i++)
        rc = rules_load_path(rules, options->rules.values[i], err);
    if (rc == 0)
        rc = rules_link(rules, options->no_builtin_rules, err);
    for (size_t i = 0; rc == 0 && i < options->disable.count; i++)
        rc = rules_disable(rules, str_from(options->disable.values[i]), err);
    return rc;
}

bool tier_asks_for(const struct tier *tier, bool (*is_kind)(enum bound_key))
{
    for (unsigned key = 0; key < N_BOUNDS; key++) {
        if (tier->bounds[key].op != BOUND_NONE && is_kind((enum bound_key)key))
            return true;
    }
    return false;
}

void rules_forget(struct rules *rules)
{
    pattern_pool_forget(&rules->patterns);
}

size_t rules_count(const struct rules *rules)
{
    return rules->count;
}

const struct rule *rules_get(const struct rules *rules, size_t index)
{
    return rules->items[index];
}

const struct rule_info *rules_info(const struct rules *rules, size_t index)
{
    return &rules->items[index]->info;
}

bool rules_is_on(const struct rules *rules, size_t index)
{
    return rule_is_enabled(rules->items[index]);
}

#include "rules/load.h"

#include "base/version.h"
#include "rules/definitions.h"
#include "rules/values.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* What a file holds besides rules and definitions. */
struct rule_file {
    struct rule_texts disable;
};

static int read_version(struct loader *loader, const struct node *node,
                        void *into);
static int read_requires(struct loader *loader, const struct node *node,
                         void *into);

/* Reads nothing: definitions were read before all other keys. */
static int read_before(struct loader *loader, const struct node *node,
                       void *into)
{
    (void)loader;
    (void)node;
    (void)into;
    return 0;
}

static const struct schema_key file_keys[] = {
    {"version", read_version, 0, true},
    {"requires", read_requires, 0, false},
    {"lists", read_before, 0, false},
    {"macros", read_before, 0, false},
    {"disable", value_texts, offsetof(struct rule_file, disable), false},
    {"rules", load_rules, 0, false},
};

static const struct schema file_schema = {"a rule file", file_keys,
                                          COUNT_OF(file_keys), false};

const struct schema *const schemas[] = {
    &match_schema, &tier_schema, &rule_schema, &with_schema, &file_schema,
};
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

/* Cuts "1.2.3" into a number that compares as versions do. */
static bool version_parse(struct str text, uint64_t *ret)
{
    uint64_t parts[3] = {0};
    size_t n = 0;

    do {
        if (n == 3 || !str_cut_decimal(&text, &parts[n]) ||
            parts[n++] > UINT16_MAX)
            return false;
    } while (str_cut_prefix(&text, STR(".")));
    *ret = parts[0] << 32 | parts[1] << 16 | parts[2];
    return text.len == 0;
}

/* `requires: ">=0.2"`: which version of this program the file is for. */
static int read_requires(struct loader *loader, const struct node *node,
                         void *into)
{
    struct str text = str_trim(node->text);
    uint64_t wanted = 0;
    uint64_t have = 0;

    (void)into;
    if (node->kind != NODE_TEXT || !str_cut_prefix(&text, STR(">=")) ||
        !version_parse(str_trim(text), &wanted))
        return load_error(loader, node,
                          "'requires' must be a version of this program such "
                          "as \">=%s\"",
                          cprof_version());
    if (!version_parse(str_from(cprof_version()), &have) || have >= wanted)
        return 0;
    return load_error(loader, node,
                      "this file needs cprof-leaks " STR_FORMAT
                      " or newer; this is %s",
                      STR_ARG(str_head(str_trim(text), 20)), cprof_version());
}

struct str load_nearest(const struct loader *loader, struct str id)
{
    return problems_are_full(loader->problems)
               ? (struct str){0}
               : rules_nearest(loader->rules, id);
}

/* Switches rules off that were loaded before, or with this file. */
static int disable_rules(struct loader *loader, const struct node *root,
                         const struct rule_texts *ids)
{
    const struct node *node = node_value(root, "disable");
    const struct node *item =
        node && node->kind == NODE_LIST ? node->first : node;
    int failed = 0;

    for (size_t i = 0; i < ids->count && item; i++, item = item->next) {
        size_t index = rules_index(loader->rules, ids->items[i]);
        struct rule *changed = arena_take(loader->arena, sizeof(*changed));

        if (!changed)
            return load_memory(loader);
        if (index == loader->rules->count) {
            struct str near = load_nearest(loader, ids->items[i]);

            failed = load_error(
                loader, item,
                "there is no rule '%s' to disable%s" STR_FORMAT "%s",
                quote(ids->items[i]).text, near.len ? " (did you mean '" : "",
                STR_ARG(near), near.len ? "'?)" : "");
            continue;
        }
        *changed = *loader->rules->items[index];
        changed->enabled = WANTED_NO;
        changed->load = loader->rules->load;
        rules_replace(loader->rules, index, changed);
    }
    return failed;
}

/* Reads a parsed file by its schema: definitions first, since the order of
 * keys means nothing. */
static int read_root(struct loader *loader, const struct node *root)
{
    struct rule_file file = {0};
    int failed = 0;

    if (root->kind == NODE_MAP)
        failed = definitions_read(loader, node_value(root, "lists"),
                                  node_value(root, "macros"));
    if (failed != CPROF_ENOMEM)
        failed =
            load_worse(failed, schema_read(loader, &file_schema, root, &file));
    if (failed != CPROF_ENOMEM)
        failed = load_worse(failed, disable_rules(loader, root, &file.disable));
    if (!failed && !node_value(root, "rules") && !file.disable.count &&
        !node_value(root, "lists") && !node_value(root, "macros"))
        failed = load_error(loader, root->first->key,
                            "a rule file needs a key 'rules'");
    return failed;
}

/* Makes a tree of the source and reads it. */
static int read_file(struct loader *loader, struct source *source,
                     struct arena *nodes)
{
    struct cprof_error what = {0};
    const struct node *root = NULL;
    int failed = source_check(source, &what);

    if (!failed)
        failed = node_parse(&root, source, nodes, &what);
    if (failed == CPROF_ENOMEM)
        return load_memory(loader);
    if (failed) {
        problems_add(loader->problems, PROBLEM_ERROR, &what);
        return failed;
    }
    if (!root)
        return load_error_at(loader, (struct span){0, 0},
                             "no rules here, "
                             "expected 'version: 1' and 'rules:'");
    return read_root(loader, root);
}

/* What a text is known by as long as the rules live; NULL when memory ran
 * out. The text itself lives as long only where details are kept. */
static struct source *new_source(struct rules *rules, const char *name,
                                 struct str text)
{
    struct source *source = arena_take_zero(&rules->arena, sizeof(*source));

    if (!source)
        return NULL;
    source->name = arena_copy(&rules->arena, str_from(name)).ptr;
    str_cut_prefix(&text, STR("\xef\xbb\xbf"));
    source->text = rules->keep_details && text.len <= SOURCE_MOST
                       ? arena_copy(&rules->arena, text)
                       : text;
    return source->name && (source->text.ptr || !text.len) ? source : NULL;
}

int load_checked(struct rules *rules, const char *name, struct str text,
                 bool is_builtin, struct problems *problems,
                 struct cprof_error *err)
{
    struct source *source = new_source(rules, name, text);
    struct loader loader = {.rules = rules,
                            .source = source,
                            .arena = &rules->arena,
                            .problems = problems,
                            .err = err,
                            .is_builtin = is_builtin};
    struct rules_mark mark = rules_mark(rules);
    size_t first = problems->count;
    struct arena nodes;
    int failed;

    if (!source)
        return error_memory(err, (struct place){name, 0, 0}, "reading rules");
    loader.file = source->name;
    rules->load++;
    problems_begin_file(problems);
    arena_init(&nodes, rules->arena.budget);
    failed = read_file(&loader, source, &nodes);
    arena_done(&nodes);
    problems_sort(problems, first);
    if (failed != CPROF_ENOMEM)
        return 0;
    rules_rollback(rules, mark);
    return failed;
}

int load_text(struct rules *rules, const char *name, struct str text,
              bool is_builtin, struct cprof_error *err)
{
    struct problems problems = {0};
    struct rules_mark mark = rules_mark(rules);
    const struct broken_rule *broken = rules->broken;
    int failed = load_checked(rules, name, text, is_builtin, &problems, err);

    if (!failed && problems.n_errors) {
        rules_rollback(rules, mark);
        rules->broken = broken;
        failed = problems_report(&problems, err);
    }
    problems_done(&problems);
    return failed;
}

#include "rules/schema.h"

#include "base/buf.h"
#include "rules/nearest.h"

/* The line of a mistake is found by counting from the start of the file, which
 * those that are not kept must not pay for. */
__attribute__((format(printf, 3, 0))) static int add_error(
    const struct loader *loader, struct span span, const char *format,
    va_list args)
{
    struct cprof_error what;

    if (problems_are_full(loader->problems)) {
        problems_count(loader->problems, PROBLEM_ERROR);
        return CPROF_ERULE;
    }
    source_verror(loader->source, span, &what, format, args);
    problems_add(loader->problems, PROBLEM_ERROR, &what);
    return CPROF_ERULE;
}

int load_error(const struct loader *loader, const struct node *node,
               const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_error(loader, node->span, format, args);
    va_end(args);
    return CPROF_ERULE;
}

int load_error_at(const struct loader *loader, struct span span,
                  const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_error(loader, span, format, args);
    va_end(args);
    return CPROF_ERULE;
}

int load_memory(const struct loader *loader)
{
    return error_memory(loader->err, (struct place){loader->source->name, 0, 0},
                        "reading rules");
}

struct origin load_origin(const struct loader *loader, const struct node *node)
{
    return (struct origin){loader->rules->keep_details ? loader->source : NULL,
                           node->span};
}

static struct str key_word(const void *user, size_t index)
{
    const struct schema *schema = user;

    return str_from(schema->keys[index].name);
}

const struct schema_key *schema_find(const struct schema *schema,
                                     struct str name)
{
    for (size_t i = 0; name.len && i < schema->count; i++) {
        const char *known = schema->keys[i].name;

        /* Most keys differ in their first byte. */
        if (known[0] == name.ptr[0] && str_equal(str_from(known), name))
            return &schema->keys[i];
    }
    return NULL;
}

const char *schema_nearest(const struct schema *schema, struct str text)
{
    size_t near = nearest_find(text, schema->count, key_word, schema);

    return near < schema->count ? schema->keys[near].name : NULL;
}

/* The schema of rule files, other than the given one, that knows a key. */
static const struct schema *home_of(const struct loader *loader,
                                    const struct schema *schema,
                                    struct str name)
{
    for (size_t i = 0; loader->rules && i < schemas_count; i++) {
        if (schemas[i] != schema && schema_find(schemas[i], name))
            return schemas[i];
    }
    return NULL;
}

static void add_keys(struct buf *out, const struct schema *schema)
{
    for (size_t i = 0; i < schema->count; i++)
        buf_addf(out, "%s%s", i ? ", " : "", schema->keys[i].name);
}

/* Says what was meant by an unknown key: a key of another mapping, one that
 * looks alike, or one of a list. */
static int unknown_key(const struct loader *loader, const struct schema *schema,
                       const struct node *key)
{
    const struct schema *home = home_of(loader, schema, key->text);
    const char *near = schema_nearest(schema, key->text);
    struct quoted name = quote(key->text);
    struct buf known = {0};

    if (home)
        return load_error(loader, key,
                          "unknown key '%s' in %s; it belongs in "
                          "%s",
                          name.text, schema->name, home->name);
    if (near)
        return load_error(loader, key, "unknown key '%s' (did you mean '%s'?)",
                          name.text, near);
    add_keys(&known, schema);
    load_error(loader, key, "unknown key '%s' in %s, which knows %s", name.text,
               schema->name, known.ptr ? known.ptr : "others");
    buf_done(&known);
    return CPROF_ERULE;
}

/* A key that stands twice: YAML allows it, and the later one would win in
 * silence. */
static int given_twice(const struct loader *loader, const struct node *first,
                       const struct schema_key *key, const struct node *value)
{
    return load_error(loader, value->key,
                      "key '%s' is given twice (first on line %llu)", key->name,
                      (unsigned long long)first->key->line);
}

/* Refuses a mapping without a key that it needs, of those that are given, by
 * the index of each key. */
static int check_missing(const struct loader *loader,
                         const struct schema *schema, const struct node *map,
                         const struct node *const *given)
{
    const struct node *at = map->first ? map->first->key : map;
    size_t n = schema->is_part ? 1 : schema->count;
    int failed = 0;

    for (size_t i = 0; i < n; i++) {
        const struct schema_key *key = &schema->keys[i];

        if (key->is_required && !given[i])
            failed = load_error(loader, at, "%s needs a key '%s'", schema->name,
                                key->name);
    }
    return failed;
}

/* Says that a mapping was expected. "key:value" is a plain text to YAML. */
static int wrong_kind(const struct loader *loader, const struct schema *schema,
                      const struct node *node)
{
    size_t colon = str_find(node->text, ':');

    if (node->kind == NODE_TEXT && colon + 1 < node->text.len)
        return load_error(loader, node,
                          "%s is a mapping; put a blank behind "
                          "each ':'",
                          schema->name);
    return load_error(loader, node,
                      "%s must be a mapping of keys to values, "
                      "not %s%s",
                      schema->name, node_kind_text(node),
                      node->kind == NODE_LIST ? ": leave out the '-'" : "");
}

int schema_read(struct loader *loader, const struct schema *schema,
                const struct node *node, void *into)
{
    const struct node *given[SCHEMA_MOST] = {NULL}; /* the value of each key */
    int wrong = 0;
    int failed = 0;

    if (node->kind != NODE_MAP)
        return wrong_kind(loader, schema, node);
    for (const struct node *value = node->first;
         value && failed != CPROF_ENOMEM; value = value->next) {
        const struct schema_key *key = schema_find(schema, value->key->text);
        const struct node **first = key ? &given[key - schema->keys] : NULL;

        if (!key)
            wrong = unknown_key(loader, schema, value->key);
        else if (*first)
            wrong = given_twice(loader, *first, key, value);
        else
            failed = load_worse(
                failed, key->read(loader, value, (char *)into + key->offset));
        if (first && !*first)
            *first = value;
    }
    /* An unknown key may be a required one, misspelt. */
    if (!wrong && failed != CPROF_ENOMEM)
        wrong = check_missing(loader, schema, node, given);
    return load_worse(wrong, failed);
}

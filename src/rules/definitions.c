#include "rules/definitions.h"

#include "rules/nearest.h"
#include "rules/values.h"

enum {
    TEXT_MOST = 4096, /* bytes that a name may stand for */
    DEPTH_MOST = 16,  /* names within names */
};

enum progress { IS_RAW, IS_EXPANDING, IS_KNOWN };

/* One name of the file that is being read. */
struct draft {
    const struct node *node; /* its value */
    enum progress progress;
};

/* All of them. */
struct drafts {
    struct loader *loader;
    struct draft *items;
    size_t count;
    struct name_index names; /* of items */
    unsigned depth;
};

bool definitions_used(struct str text)
{
    return str_contains(text, STR("${"));
}

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* Finds the next "${" that no backslash takes the meaning of. text.len = there
 * is none. */
static size_t find_use(struct str text)
{
    for (size_t i = 0; i + 1 < text.len; i++) {
        if (text.ptr[i] == '\\')
            i++;
        else if (text.ptr[i] == '$' && text.ptr[i + 1] == '{')
            return i;
    }
    return text.len;
}

/* What names are known, for "did you mean". */
struct names {
    const struct rules *rules;
    const struct drafts *drafts; /* NULL = all are definitions */
};

static struct str name_word(const void *user, size_t index)
{
    const struct names *names = user;
    const struct rules *rules = names->rules;

    if (names->drafts && index < names->drafts->count)
        return names->drafts->items[index].node->key->text;
    index -= names->drafts ? names->drafts->count : 0;
    return rules->definitions[rules->n_definitions - 1 - index]->name;
}

/* Says that nobody defined a name. */
static int unknown_name(const struct loader *loader,
                        const struct drafts *drafts, struct span span,
                        struct str name)
{
    struct names names = {loader->rules, drafts};
    size_t n = loader->rules->n_definitions + (drafts ? drafts->count : 0);
    size_t near = n;

    if (!problems_are_full(loader->problems))
        near = nearest_find(name, n, name_word, &names);
    if (near < n)
        return load_error_at(
            loader, span, "unknown list or macro '%s' (did you mean '%s'?)",
            quote(name).text, quote(name_word(&names, near)).text);
    return load_error_at(loader, span,
                         "unknown list or macro '%s'; define it under 'lists' "
                         "or 'macros'",
                         quote(name).text);
}

static int expand_draft(struct drafts *drafts, struct draft *draft);

static struct str draft_word(const void *user, size_t index)
{
    const struct drafts *drafts = user;

    return drafts->items[index].node->key->text;
}

static struct draft *find_draft(const struct drafts *drafts, struct str name)
{
    size_t n = drafts ? drafts->count : 0;
    size_t index =
        n ? name_index_find(&drafts->names, name, n, draft_word, drafts) : 0;

    return index < n ? &drafts->items[index] : NULL;
}

static void add_draft(struct drafts *drafts, const struct node *value)
{
    drafts->items[drafts->count++] = (struct draft){value, IS_RAW};
    name_index_enter(&drafts->names, drafts->count, draft_word, drafts);
}

/* Appends what a name stands for. A name of this file that is wrong itself was
 * said to be so where it stands, and adds nothing here. */
static int add_name(struct loader *loader, struct drafts *drafts,
                    struct span span, struct str name, struct buf *out)
{
    struct draft *draft = find_draft(drafts, name);
    const struct definition *definition;

    if (draft && draft->progress == IS_EXPANDING)
        return load_error_at(loader, span,
                             "'%s' is made of itself: it uses a name that "
                             "uses it",
                             quote(name).text);
    if (draft && draft->progress == IS_RAW) {
        int failed = expand_draft(drafts, draft);

        if (failed == CPROF_ENOMEM)
            return failed;
    }
    definition = rules_definition(loader->rules, name);
    if (!definition)
        return unknown_name(loader, drafts, span, name);
    if (definition->is_broken)
        return CPROF_ERULE;
    buf_add(out, definition->text);
    return 0;
}

/* Appends a text with every ${name} replaced. */
static int expand(struct loader *loader, struct drafts *drafts,
                  const struct node *node, struct buf *out)
{
    struct str rest = node->text;
    int failed = 0;

    while (!failed && rest.len) {
        size_t at = find_use(rest);
        size_t end = at + 2;
        struct span span;

        buf_add(out, str_head(rest, at));
        if (at == rest.len)
            break;
        while (end < rest.len && is_name_char(rest.ptr[end]))
            end++;
        span =
            node_span_at(loader->source, node, node->text.len - rest.len + at);
        if (end == at + 2 || end == rest.len || rest.ptr[end] != '}')
            return load_error_at(loader, span,
                                 "'${' begins the name of a list or macro, "
                                 "such as ${pools}; write \\$\\{ for the bare "
                                 "characters");
        if (span.len == 1)
            span.len = (uint32_t)(end + 1 - at);
        failed = add_name(loader, drafts, span,
                          (struct str){rest.ptr + at + 2, end - at - 2}, out);
        rest = str_skip(rest, end + 1);
        if (!failed && out->len > TEXT_MOST)
            failed = load_error(loader, node,
                                "with all names replaced this is longer than "
                                "%d bytes",
                                TEXT_MOST);
    }
    if (out->failed)
        return load_memory(loader);
    return failed;
}

int definitions_expand(struct loader *loader, const struct node *node,
                       struct buf *out)
{
    return expand(loader, NULL, node, out);
}

/* Appends one pattern of a definition, which must be right by itself. */
static int expand_item(struct drafts *drafts, const struct node *node,
                       struct buf *out)
{
    struct loader *loader = drafts->loader;
    struct buf text = {0};
    struct pattern *pattern;
    int failed;

    if (node->kind != NODE_TEXT || !node->text.len)
        return load_error(loader, node, "expected a pattern, not %s",
                          node_kind_text(node));
    failed = expand(loader, drafts, node, &text);
    if (!failed)
        failed = pattern_compile(loader, node, buf_str(&text), &pattern);
    if (!failed)
        buf_add(out, buf_str(&text));
    buf_done(&text);
    return failed;
}

/* Appends what a name stands for: its text, or its items as alternatives. */
static int expand_items(struct drafts *drafts, const struct node *node,
                        struct buf *out)
{
    int failed = 0;

    if (node->kind != NODE_LIST)
        return expand_item(drafts, node, out);
    for (const struct node *item = node->first; item && failed != CPROF_ENOMEM;
         item = item->next) {
        if (item != node->first)
            buf_add_char(out, '|');
        failed = load_worse(failed, expand_item(drafts, item, out));
    }
    return failed;
}

/* Puts a definition in front of the others. */
static int add_definition(struct loader *loader, struct str name,
                          struct str text, bool is_broken)
{
    struct definition *definition =
        arena_take_zero(loader->arena, sizeof(*definition));

    if (!definition)
        return load_memory(loader);
    definition->name = arena_copy(loader->arena, name);
    definition->text = arena_copy(loader->arena, text);
    if (!definition->name.ptr || !definition->text.ptr)
        return load_memory(loader);
    definition->is_broken = is_broken;
    return rules_define(loader->rules, definition) ? 0 : load_memory(loader);
}

static int expand_draft(struct drafts *drafts, struct draft *draft)
{
    struct loader *loader = drafts->loader;
    struct buf text = {0};
    int failed;

    drafts->depth++;
    draft->progress = IS_EXPANDING;
    buf_add(&text, STR("(?:"));
    if (drafts->depth > DEPTH_MOST)
        failed =
            load_error(loader, draft->node->key,
                       "names within names, more than %d deep", DEPTH_MOST);
    else
        failed = expand_items(drafts, draft->node, &text);
    buf_add_char(&text, ')');
    if (!failed && text.failed)
        failed = load_memory(loader);
    if (!failed && text.len > TEXT_MOST)
        failed = load_error(loader, draft->node,
                            "with all names replaced this is longer than %d "
                            "bytes",
                            TEXT_MOST);
    if (failed != CPROF_ENOMEM)
        failed = load_worse(add_definition(loader, draft->node->key->text,
                                           buf_str(&text), failed != 0),
                            failed);
    draft->progress = IS_KNOWN;
    buf_done(&text);
    drafts->depth--;
    return failed;
}

/* Checks a name that is defined. */
static int check_name(const struct drafts *drafts, const struct node *value)
{
    struct str name = value->key->text;
    const struct draft *other = find_draft(drafts, name);

    for (size_t i = 0; i < name.len; i++) {
        if (!is_name_char(name.ptr[i]))
            return load_error(drafts->loader, value->key,
                              "the name '%s' may hold only a-z, 0-9 and '_'",
                              quote(name).text);
    }
    if (!name.len)
        return load_error(drafts->loader, value->key, "a name is missing");
    if (other)
        return load_error(drafts->loader, value->key,
                          "'%s' is defined twice (first on line %llu)",
                          quote(name).text,
                          (unsigned long long)other->node->key->line);
    return 0;
}

/* Takes the names of `lists` or of `macros`. */
static int take_names(struct drafts *drafts, const struct node *map,
                      enum node_kind kind)
{
    int failed = 0;

    if (map->kind != NODE_MAP)
        return load_error(drafts->loader, map,
                          "'" STR_FORMAT "' must be a mapping such as %s, not "
                          "%s",
                          STR_ARG(map->key->text),
                          kind == NODE_LIST ? "{pools: ['^a', '^b']}"
                                            : "{pool: '^a'}",
                          node_kind_text(map));
    for (const struct node *value = map->first; value; value = value->next) {
        int wrong = check_name(drafts, value);

        if (!wrong &&
            (value->kind != kind || (kind == NODE_LIST && !value->count)))
            wrong = load_error(drafts->loader, value, "'%s' must be %s, not %s",
                               quote(value->key->text).text,
                               kind == NODE_LIST ? "a list of patterns"
                                                 : "a pattern",
                               value->kind == NODE_LIST && !value->count
                                   ? "an empty one"
                                   : node_kind_text(value));
        if (!wrong)
            add_draft(drafts, value);
        failed = load_worse(failed, wrong);
    }
    return failed;
}

int definitions_read(struct loader *loader, const struct node *lists,
                     const struct node *macros)
{
    struct drafts drafts = {.loader = loader};
    size_t n = (lists ? lists->count : 0) + (macros ? macros->count : 0);
    int failed = 0;

    if (!lists && !macros)
        return 0;
    drafts.items = arena_take_zero(loader->arena, n * sizeof(*drafts.items));
    if (!drafts.items)
        return load_memory(loader);
    name_index_init(&drafts.names, loader->arena->budget);
    if (lists)
        failed = take_names(&drafts, lists, NODE_LIST);
    if (macros)
        failed = load_worse(failed, take_names(&drafts, macros, NODE_TEXT));
    for (size_t i = 0; i < drafts.count && failed != CPROF_ENOMEM; i++) {
        if (drafts.items[i].progress == IS_RAW)
            failed =
                load_worse(failed, expand_draft(&drafts, &drafts.items[i]));
    }
    name_index_done(&drafts.names);
    return failed;
}

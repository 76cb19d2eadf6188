#include "rules/values.h"

enum { REFS_MOST = 64 };

/* One id of another rule. That it exists is looked at when all are loaded. */
static int read_ref(struct loader *loader, const struct node *node,
                    struct str label, struct rule_ref *ref)
{
    if (node->kind != NODE_TEXT || !node->text.len)
        return load_error(loader, node,
                          "'" STR_FORMAT "' must be the id of a rule or a list "
                          "of them, not %s",
                          STR_ARG(label), node_kind_text(node));
    ref->id = arena_copy(loader->arena, node->text);
    ref->origin = load_origin(loader, node);
    return ref->id.ptr ? 0 : load_memory(loader);
}

int value_refs(struct loader *loader, const struct node *node, void *into)
{
    struct rule_refs *refs = into;
    const struct node *item = node->kind == NODE_LIST ? node->first : node;
    size_t n = node->kind == NODE_LIST ? node->count : 1;
    int failed = 0;

    if (!n)
        return load_error(loader, node, "'" STR_FORMAT "' is an empty list",
                          STR_ARG(node->key->text));
    if (n > REFS_MOST)
        return load_error(loader, node, "at most %d rules can be named here",
                          REFS_MOST);
    refs->items = arena_take_zero(loader->arena, n * sizeof(*refs->items));
    if (!refs->items)
        return load_memory(loader);
    for (; refs->count < n && failed != CPROF_ENOMEM; item = item->next)
        failed = load_worse(failed, read_ref(loader, item, node->key->text,
                                             &refs->items[refs->count++]));
    return failed;
}

bool go_version_parse(struct str text, uint32_t *ret)
{
    uint64_t major = 0;
    uint64_t minor = 0;

    str_cut_prefix(&text, STR("go"));
    if (!str_cut_decimal(&text, &major) || major > UINT16_MAX ||
        !str_cut_prefix(&text, STR(".")) || !str_cut_decimal(&text, &minor) ||
        minor > UINT16_MAX)
        return false;
    /* What may follow: ".3", "rc1", "-custom", " X:nocoverageredesign". */
    *ret = GO_VERSION(major, minor);
    return true;
}

/* Takes one bound of a range, ">=1.21" or "<1.24". */
static bool cut_go_bound(struct str *text, struct go_range *range)
{
    bool is_least = str_cut_prefix(text, STR(">="));
    struct str word;
    uint32_t version = 0;

    if (!is_least && !str_cut_prefix(text, STR("<")))
        return false;
    *text = str_trim(*text);
    word = str_head(*text, str_find(*text, ' '));
    *text = str_trim(str_skip(*text, word.len));
    for (size_t i = 0; i < word.len; i++) {
        if ((word.ptr[i] < '0' || word.ptr[i] > '9') && word.ptr[i] != '.')
            return false;
    }
    if (!go_version_parse(word, &version))
        return false;
    *(is_least ? &range->least : &range->below) = version;
    return true;
}

int value_go(struct loader *loader, const struct node *node, void *into)
{
    struct rule *rule = into;
    struct str text = str_trim(node->text);
    bool is_right = node->kind == NODE_TEXT && text.len;

    rule->go = (struct go_range){0};
    while (is_right && text.len)
        is_right = cut_go_bound(&text, &rule->go);
    if (!is_right)
        return load_error(
            loader, node,
            "'go' must be a range of versions such as \">=1.21\", "
            "\"<1.24\" or \">=1.21 <1.24\"");
    if (rule->go.below && rule->go.least >= rule->go.below)
        return load_error(loader, node, "no version of Go is in this range");
    rule->go_text = arena_copy(loader->arena, str_trim(node->text));
    return rule->go_text.ptr ? 0 : load_memory(loader);
}

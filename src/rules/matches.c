#include "rules/nearest.h"
#include "rules/values.h"

enum { PATTERNS_MOST = 256, LABELS_MOST = 16 };

/* Whether an expression holds "(*", which PCRE2 reads as a verb or a stray
 * star and people write for a Go receiver. */
static bool has_bare_receiver(struct str expression)
{
    size_t at = str_search(expression, STR("(*"));

    return at < expression.len && (at == 0 || expression.ptr[at - 1] != '\\');
}

/* Points at the byte that PCRE2 objects to. */
static int bad_pattern(struct loader *loader, const struct node *node,
                       const struct cprof_error *why)
{
    size_t at = (size_t)why->column - 1;

    if (has_bare_receiver(node->text))
        return load_error_at(
            loader,
            node_span_at(loader->source, node,
                         str_search(node->text, STR("(*"))),
            "bad regular expression: '(*' begins no group; write \\(\\* for "
            "the receiver of a Go method");
    if (at > node->text.len)
        at = node->text.len;
    return load_error_at(loader, node_span_at(loader->source, node, at), "%s",
                         why->message);
}

/* Remembers that the rule owns the pattern. */
static int own_pattern(struct loader *loader, struct pattern *pattern)
{
    struct rule_pattern *owned = arena_take(loader->arena, sizeof(*owned));

    if (!owned) {
        pattern_free(pattern);
        return load_memory(loader);
    }
    *owned = (struct rule_pattern){pattern, loader->rule->patterns};
    loader->rule->patterns = owned;
    return 0;
}

/* Compiles one pattern, which the rule then owns. */
static int read_pattern(struct loader *loader, const struct node *node,
                        struct pattern **ret)
{
    struct cprof_error why = {0};
    int failed;

    if (node->kind != NODE_TEXT || !node->text.len)
        return load_error(loader, node, "expected a pattern, not %s",
                          node_kind_text(node));
    failed = pattern_new(ret, node->text, &why);
    if (failed == CPROF_ENOMEM)
        return load_memory(loader);
    if (failed)
        return bad_pattern(loader, node, &why);
    failed = own_pattern(loader, *ret);
    if (failed || pattern_match(*ret, STR("")) == PATTERN_NO)
        return failed;
    return load_error(loader, node,
                      "pattern '%s' matches the empty text, so "
                      "it says nothing about a name",
                      quote(node->text).text);
}

/* Reads one pattern, or each of a list of them. */
static int read_patterns(struct loader *loader, const struct node *node,
                         bool is_chain, struct patterns *into)
{
    const struct node *item = node->kind == NODE_LIST ? node->first : node;
    size_t n = node->kind == NODE_LIST ? node->count : 1;
    struct pattern **items;

    if (!n)
        return load_error(loader, node, "expected at least one pattern");
    if (n > PATTERNS_MOST)
        return load_error(loader, node,
                          "a list of %zu patterns, at most %d "
                          "are allowed",
                          n, PATTERNS_MOST);
    items = arena_take_zero(loader->arena, n * sizeof(struct pattern *));
    if (!items)
        return load_memory(loader);
    for (size_t i = 0; i < n; i++, item = item->next) {
        int failed = 0;

        if (!is_chain || !str_equal(item->text, STR("...")))
            failed = read_pattern(loader, item, &items[i]);
        if (failed)
            return failed;
    }
    *into = (struct patterns){items, n};
    return 0;
}

int value_patterns(struct loader *loader, const struct node *node, void *into)
{
    return read_patterns(loader, node, false, into);
}

int value_chain(struct loader *loader, const struct node *node, void *into)
{
    struct patterns *chain = into;
    int failed = read_patterns(loader, node, true, into);

    for (size_t i = 0; !failed && i < chain->count; i++) {
        if (chain->items[i])
            return 0;
    }
    return failed ? failed
                  : load_error(loader, node,
                               "a chain of '...' alone holds for "
                               "every stack");
}

int value_labels(struct loader *loader, const struct node *node, void *into)
{
    struct match *match = into;
    struct label_match *labels;
    size_t n = 0;

    if (node->kind != NODE_MAP || !node->count)
        return load_error(loader, node,
                          "'labels' must be a mapping such as "
                          "{tenant: '^acme$'}, not %s",
                          node->kind == NODE_MAP ? "an empty one"
                                                 : node_kind_text(node));
    if (node->count > LABELS_MOST)
        return load_error(loader, node, "at most %d labels are allowed",
                          LABELS_MOST);
    labels = arena_take_zero(loader->arena, node->count * sizeof(*labels));
    if (!labels)
        return load_memory(loader);
    for (const struct node *value = node->first; value; value = value->next) {
        int failed = read_patterns(loader, value, false, &labels[n].values);

        if (failed)
            return failed;
        for (size_t i = 0; i < n; i++) {
            if (str_equal(labels[i].key, value->key->text))
                return load_error(loader, value->key,
                                  "label '%s' is given "
                                  "twice",
                                  quote(value->key->text).text);
        }
        labels[n].key = arena_copy(loader->arena, value->key->text);
        if (!labels[n++].key.ptr)
            return load_memory(loader);
    }
    match->labels = labels;
    match->n_labels = n;
    return 0;
}

static int read_state(struct loader *loader, const struct node *node,
                      state_set *states)
{
    state_id state = state_find(node->text);
    struct str near;

    if (node->kind != NODE_TEXT || !node->text.len)
        return load_error(loader, node,
                          "expected a state such as 'chan send', "
                          "not %s",
                          node_kind_text(node));
    if (state < N_STATES) {
        *states |= (state_set)1 << state;
        return 0;
    }
    near = nearest_state(node->text);
    if (near.len)
        return load_error(loader, node,
                          "unknown state '%s' (did you mean '" STR_FORMAT "'?)",
                          quote(node->text).text, STR_ARG(near));
    return load_error(loader, node,
                      "unknown state '%s'; the words are those "
                      "of Go, such as 'chan send' or 'sync.Mutex.Lock'",
                      quote(node->text).text);
}

int value_states(struct loader *loader, const struct node *node, void *into)
{
    const struct node *item = node->kind == NODE_LIST ? node->first : node;
    state_set states = 0;

    for (; item; item = node->kind == NODE_LIST ? item->next : NULL) {
        int failed = read_state(loader, item, &states);

        if (failed)
            return failed;
    }
    if (!states)
        return load_error(loader, node, "expected at least one state");
    *(state_set *)into = states;
    return 0;
}

#include "rules/definitions.h"
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

/* What to write instead, for what people take from other pattern languages or
 * from Go's names; "" when that cannot be told. */
static const char *pattern_hint(struct str expression, size_t at)
{
    char c = at < expression.len ? expression.ptr[at] : '\0';

    if (c == '*' || c == '+' || c == '?')
        return "; write .* for any text, or a \\ before the character itself";
    if (str_contains(expression, STR("(")) &&
        !str_contains(expression, STR(")")))
        return "; write \\( for the parenthesis itself";
    return "";
}

/* Points at the byte that PCRE2 objects to, unless names were replaced. */
static int bad_pattern(struct loader *loader, const struct node *node,
                       struct str expression, const struct cprof_error *why)
{
    size_t at = (size_t)why->column - 1;

    if (has_bare_receiver(node->text))
        return load_error_at(
            loader,
            node_span_at(loader->source, node,
                         str_search(node->text, STR("(*"))),
            "bad regular expression: '(*' begins no group; write \\(\\* for "
            "the receiver of a Go method");
    if (!str_equal(expression, node->text))
        return load_error(loader, node, "%s (in '%s')", why->message,
                          quote(expression).text);
    if (at > node->text.len)
        at = node->text.len;
    return load_error_at(loader, node_span_at(loader->source, node, at), "%s%s",
                         why->message, pattern_hint(expression, at));
}

int pattern_compile(struct loader *loader, const struct node *node,
                    struct str expression, struct pattern **ret)
{
    struct cprof_error why = {0};
    int failed =
        pattern_pool_get(&loader->rules->patterns, expression, ret, &why);

    if (failed == CPROF_ENOMEM)
        return load_memory(loader);
    return failed ? bad_pattern(loader, node, expression, &why) : 0;
}

/* The same; an expression that matches the empty text is refused. */
static int compile_useful(struct loader *loader, const struct node *node,
                          struct str expression, struct pattern **ret)
{
    int failed = pattern_compile(loader, node, expression, ret);

    if (failed)
        return failed;
    if (pattern_matches_empty(*ret) && pattern_is_starved(*ret))
        return load_memory(loader);
    if (pattern_matches_empty(*ret))
        return load_error(loader, node,
                          "pattern '%s' matches the empty text, so "
                          "it says nothing about a name",
                          quote(node->text).text);
    return 0;
}

/* Reads one pattern, with the names in it replaced. */
static int read_pattern(struct loader *loader, const struct node *node,
                        struct pattern **ret)
{
    struct buf expanded = {0};
    int failed;

    if (node->kind != NODE_TEXT || !node->text.len)
        return load_error(loader, node, "expected a pattern, not %s",
                          node->kind == NODE_TEXT ? "an empty text"
                                                  : node_kind_text(node));
    if (!definitions_used(node->text))
        return compile_useful(loader, node, node->text, ret);
    failed = definitions_expand(loader, node, &expanded);
    if (!failed)
        failed = compile_useful(loader, node, buf_str(&expanded), ret);
    buf_done(&expanded);
    return failed;
}

/* Room for n patterns. */
static int make_room(struct loader *loader, struct patterns *patterns, size_t n)
{
    patterns->items =
        arena_take_zero(loader->arena, n * sizeof(struct pattern *));
    patterns->origins =
        arena_take_zero(loader->arena, n * sizeof(*patterns->origins));
    return patterns->items && patterns->origins ? 0 : load_memory(loader);
}

/* Reads one pattern, or each of a list of them. */
static int read_patterns(struct loader *loader, const struct node *node,
                         bool is_chain, struct patterns *into)
{
    const struct node *item = node->kind == NODE_LIST ? node->first : node;
    size_t n = node->kind == NODE_LIST ? node->count : 1;
    int failed;

    if (!n)
        return load_error(loader, node, "expected at least one pattern");
    if (n > PATTERNS_MOST)
        return load_error(loader, node,
                          "a list of %zu patterns, at most %d "
                          "are allowed",
                          n, PATTERNS_MOST);
    failed = make_room(loader, into, n);
    for (size_t i = 0; i < n && failed != CPROF_ENOMEM;
         i++, item = item->next) {
        into->origins[i] = load_origin(loader, item);
        if (!is_chain || !str_equal(item->text, STR("...")))
            failed =
                load_worse(failed, read_pattern(loader, item, &into->items[i]));
    }
    into->count = failed ? 0 : n;
    return failed;
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

/* Reads the n-th label of a mapping. */
static int read_label(struct loader *loader, const struct node *value,
                      struct label_match *labels, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (str_equal(labels[i].key, value->key->text))
            return load_error(loader, value->key, "label '%s' is given twice",
                              quote(value->key->text).text);
    }
    labels[n].key = arena_copy(loader->arena, value->key->text);
    if (!labels[n].key.ptr)
        return load_memory(loader);
    return read_patterns(loader, value, false, &labels[n].values);
}

int value_labels(struct loader *loader, const struct node *node, void *into)
{
    struct match *match = into;
    struct label_match *labels;
    size_t n = 0;
    int failed = 0;

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
    for (const struct node *value = node->first;
         value && failed != CPROF_ENOMEM; value = value->next)
        failed = load_worse(failed, read_label(loader, value, labels, n++));
    match->labels = labels;
    match->n_labels = n;
    return failed;
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
    int failed = 0;

    for (; item; item = node->kind == NODE_LIST ? item->next : NULL)
        failed = load_worse(failed, read_state(loader, item, &states));
    if (!failed && !states)
        return load_error(loader, node, "expected at least one state");
    *(state_set *)into = states;
    return failed;
}

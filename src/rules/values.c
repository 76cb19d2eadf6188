#include "rules/values.h"

#include <stdio.h>

#include "rules/explain.h"
#include "rules/nearest.h"
#include "rules/words.h"

/* The key that a value or an item of its list stands under. */
static struct str label_of(const struct node *node)
{
    return node->key ? node->key->text : STR("item");
}

/* Says that a value is of the wrong kind. */
static int wrong_kind(const struct loader *loader, const struct node *node,
                      struct str label, const char *expected)
{
    /* "- Note: this" is a mapping to YAML. */
    bool is_colon = node->kind == NODE_MAP && node->count == 1;

    return load_error(loader, node, "'" STR_FORMAT "' must be %s, not %s%s",
                      STR_ARG(label), expected, node_kind_text(node),
                      is_colon ? "; a text that holds ': ' needs quotes" : "");
}

int kind_error(const struct loader *loader, const struct node *node,
               const char *expected)
{
    return wrong_kind(loader, node, label_of(node), expected);
}

/* A text without blanks and line ends around it. */
static struct str trimmed(struct str text)
{
    for (;;) {
        size_t len = text.len;

        text = str_trim(text);
        str_cut_suffix(&text, STR("\n"));
        str_cut_prefix(&text, STR("\n"));
        if (text.len == len)
            return text;
    }
}

/* Copies a text, which must not be empty, into the arena of the rules. */
static int read_text(struct loader *loader, const struct node *node,
                     struct str label, const char *expected, struct str *ret)
{
    struct str text = trimmed(node->text);

    if (node->kind != NODE_TEXT || !text.len)
        return wrong_kind(loader, node, label, expected);
    *ret = arena_copy(loader->arena, text);
    return ret->ptr ? 0 : load_memory(loader);
}

int value_text(struct loader *loader, const struct node *node, void *into)
{
    struct str *text = into;
    size_t at = 0;
    size_t len = 0;
    int failed = read_text(loader, node, label_of(node), "a text", text);

    if (!failed && explain_find(*text, &at, &len))
        return load_error(loader, node, "placeholders work in 'explain' only");
    return failed;
}

int value_line(struct loader *loader, const struct node *node, void *into)
{
    struct str *text = into;
    int failed = value_text(loader, node, into);

    if (!failed && str_find(*text, '\n') < text->len)
        return load_error(loader, node, "'" STR_FORMAT "' must fit one line",
                          STR_ARG(label_of(node)));
    return failed;
}

static bool is_id_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

/* An id made of a text: "MyQueue" and "my_queue" give "my-queue". */
static struct quoted make_id(struct str text)
{
    struct quoted id = {""};
    size_t n = 0;

    for (size_t i = 0; i < text.len && n + 2 < QUOTED_MOST; i++) {
        char c = text.ptr[i];
        bool is_capital = c >= 'A' && c <= 'Z';
        bool begins = is_capital && i && is_id_char(text.ptr[i - 1]);

        if ((begins || !(is_capital || is_id_char(c))) && n &&
            id.text[n - 1] != '-')
            id.text[n++] = '-';
        if (is_capital)
            id.text[n++] = (char)(c - 'A' + 'a');
        else if (is_id_char(c))
            id.text[n++] = c;
    }
    return id;
}

int value_id(struct loader *loader, const struct node *node, void *into)
{
    struct str *id = into;
    int failed = read_text(loader, node, label_of(node), "a text", id);

    for (size_t i = 0; !failed && i < id->len; i++) {
        if (!is_id_char(id->ptr[i]))
            return load_error_at(loader, node_span_at(loader->source, node, i),
                                 "rule id '%s' may hold only a-z, 0-9 and '-', "
                                 "such as '%s'",
                                 quote(*id).text, make_id(*id).text);
    }
    return failed;
}

/* Where a piece of a text stands in the source; the text's own span when it
 * is written with escapes or over line ends there. */
static struct span span_of_piece(const struct loader *loader,
                                 const struct node *node, struct str piece)
{
    struct str written = str_head(
        str_skip(loader->source->text, node->span.offset), node->span.len);
    size_t at = str_search(written, piece);

    if (at == written.len)
        return node->span;
    return (struct span){node->span.offset + (uint32_t)at, (uint32_t)piece.len};
}

int value_explain(struct loader *loader, const struct node *node, void *into)
{
    struct str *text = into;
    struct str near = {0};
    struct str name = {0};
    size_t at = 0;
    int failed = read_text(loader, node, label_of(node), "a text", text);

    if (failed || !explain_find_unknown(*text, &at, &name.len, &near))
        return failed;
    name.ptr = text->ptr + at;
    if (near.len)
        return load_error_at(
            loader, span_of_piece(loader, node, name),
            "unknown placeholder '%s' (did you mean '{" STR_FORMAT "}'?)",
            quote(name).text, STR_ARG(near));
    return load_error_at(
        loader, span_of_piece(loader, node, name),
        "unknown placeholder '%s', known are " EXPLAIN_PLACEHOLDERS,
        quote(name).text);
}

/* Reads one text, or each of a list of them, into an array of the arena. */
static int read_texts(struct loader *loader, const struct node *node,
                      struct rule_texts *texts, const char *expected)
{
    const struct node *item = node->kind == NODE_LIST ? node->first : node;
    size_t n = node->kind == NODE_LIST ? node->count : 1;
    struct str *items = arena_take_zero(loader->arena, n * sizeof(*items));
    int failed = 0;

    if (!items)
        return load_memory(loader);
    if (!n)
        return load_error(loader, node, "'" STR_FORMAT "' is an empty list",
                          STR_ARG(label_of(node)));
    for (size_t i = 0; i < n && failed != CPROF_ENOMEM; i++, item = item->next)
        failed = load_worse(failed, read_text(loader, item, label_of(node),
                                              expected, &items[i]));
    if (!failed)
        *texts = (struct rule_texts){items, n};
    return failed;
}

int value_texts(struct loader *loader, const struct node *node, void *into)
{
    struct rule_texts *texts = into;
    size_t at = 0;
    size_t len = 0;
    int failed = read_texts(loader, node, texts, "a text or a list of texts");
    const struct node *item = node->kind == NODE_LIST ? node->first : node;

    for (size_t i = 0; i < texts->count; i++, item = item->next) {
        if (explain_find(texts->items[i], &at, &len))
            failed =
                load_error(loader, item, "placeholders work in 'explain' only");
    }
    return failed;
}

int value_urls(struct loader *loader, const struct node *node, void *into)
{
    struct rule_texts *texts = into;
    int failed =
        read_texts(loader, node, texts, "an address or a list of them");
    const struct node *item = node->kind == NODE_LIST ? node->first : node;

    for (size_t i = 0; i < texts->count; i++, item = item->next) {
        if (!str_starts(texts->items[i], STR("https://")) &&
            !str_starts(texts->items[i], STR("http://")))
            failed =
                load_error(loader, item, "'%s' is no http or https address",
                           quote(texts->items[i]).text);
    }
    return failed;
}

/* Says what is wrong with a word: the nearest right one, or all of them. */
static int wrong_word(const struct loader *loader, const struct node *node,
                      const char *const *words, size_t n)
{
    struct str label = label_of(node);
    struct quoted text = quote(node->text);
    char known[160] = "";
    size_t near;

    for (size_t i = 0; i < n; i++)
        snprintf(known + strlen(known), sizeof(known) - strlen(known), "%s%s",
                 !i          ? ""
                 : i + 1 < n ? ", "
                             : " or ",
                 words[i]);
    if (node->kind != NODE_TEXT || !node->text.len)
        return wrong_kind(loader, node, label, known);
    near = nearest_of(node->text, words, n);
    if (near < n)
        return load_error(loader, node,
                          "unknown " STR_FORMAT " '%s' (did you "
                          "mean '%s'?)",
                          STR_ARG(label), text.text, words[near]);
    return load_error(loader, node, "'" STR_FORMAT "' must be %s, not '%s'",
                      STR_ARG(label), known, text.text);
}

int word_read(struct loader *loader, const struct node *node,
              const char *const *words, size_t n, size_t *ret)
{
    for (size_t i = 0; i < n; i++) {
        if (node->kind == NODE_TEXT &&
            str_equal(node->text, str_from(words[i]))) {
            *ret = i;
            return 0;
        }
    }
    return wrong_word(loader, node, words, n);
}

int value_class(struct loader *loader, const struct node *node, void *into)
{
    size_t word = 0;
    int failed = word_read(loader, node, class_words, N_CLASSES, &word);

    if (!failed)
        *(enum rule_class *)into = (enum rule_class)word;
    return failed;
}

int value_confidence(struct loader *loader, const struct node *node, void *into)
{
    size_t word = 0;
    int failed =
        word_read(loader, node, confidence_words, CONFIDENCE_PROVEN, &word);

    if (!failed)
        *(enum confidence *)into = (enum confidence)word;
    return failed;
}

int value_status(struct loader *loader, const struct node *node, void *into)
{
    /* ORDER STATUS: as enum rule_status. */
    static const char *const words[] = {"stable", "experimental"};
    size_t word = 0;
    int failed = word_read(loader, node, words, 2, &word);

    if (!failed)
        *(enum rule_status *)into = (enum rule_status)word;
    return failed;
}

int value_needs(struct loader *loader, const struct node *node, void *into)
{
    /* ORDER NEEDS: as enum rule_needs, without the first. */
    static const char *const words[] = {"debug2"};
    size_t word = 0;
    int failed = word_read(loader, node, words, 1, &word);

    if (!failed)
        *(enum rule_needs *)into = (enum rule_needs)(NEEDS_DEBUG2 + word);
    return failed;
}

int value_group_by(struct loader *loader, const struct node *node, void *into)
{
    /* ORDER BUCKET: as enum bucket_by. */
    static const char *const words[] = {"site",       "stack", "leaf",
                                        "created_by", "rule",  "label:KEY"};
    struct grouping *group_by = into;
    struct str key = node->text;
    size_t word = 0;
    int failed;

    if (node->kind == NODE_TEXT && str_cut_prefix(&key, STR("label:"))) {
        if (!key.len || str_equal(key, STR("KEY")))
            return load_error(loader, node,
                              "'label:' needs the key of a label behind it, "
                              "such as label:tenant");
        group_by->by = BUCKET_LABEL;
        group_by->label = arena_copy(loader->arena, key);
        return group_by->label.ptr ? 0 : load_memory(loader);
    }
    failed = word_read(loader, node, words, 6, &word);
    if (!failed)
        *group_by = (struct grouping){.by = (enum bucket_by)word};
    return failed;
}

int value_severity(struct loader *loader, const struct node *node, void *into)
{
    static const char *const words[] = {"info", "low", "medium", "high",
                                        "critical"};
    size_t word = 0;
    int failed = word_read(loader, node, words, 5, &word);

    if (!failed)
        *(enum cprof_severity *)into =
            (enum cprof_severity)(CPROF_SEVERITY_INFO + word);
    return failed;
}

int value_wanted(struct loader *loader, const struct node *node, void *into)
{
    static const char *const words[] = {"true", "false"};
    size_t word = 0;
    int failed = word_read(loader, node, words, 2, &word);

    if (!failed)
        *(enum wanted *)into = word == 0 ? WANTED_YES : WANTED_NO;
    return failed;
}

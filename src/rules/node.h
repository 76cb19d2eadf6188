/* node.h - a YAML document as a tree that knows its places.
 *
 * libyaml reads the text as events; this makes a tree of them in an arena,
 * bounded in depth, without anchors, aliases and tags, which rule files do not
 * need and which can make a small text expand without end. */
#ifndef RULES_NODE_H
#define RULES_NODE_H

#include "base/arena.h"
#include "rules/source.h"

enum { NODE_DEPTH = 16 };

enum node_kind { NODE_TEXT, NODE_LIST, NODE_MAP };

enum node_style {
    STYLE_PLAIN,
    STYLE_SINGLE, /* 'text' */
    STYLE_DOUBLE, /* "text" */
    STYLE_BLOCK,  /* | or > */
};

struct node {
    enum node_kind kind;
    enum node_style style;  /* of a text */
    struct span span;       /* in the source; of a list or map its beginning */
    uint32_t line;          /* where it begins, from 1 */
    uint32_t count;         /* of items or values */
    struct str text;        /* of a text; NUL-terminated behind its len bytes */
    const struct node *key; /* of a value in a map, else NULL */
    const struct node *first; /* of a list its items, of a map its values */
    const struct node *next;  /* in the same list or map */
};

/* Parses the one document of a source into a tree that lives in the arena and
 * borrows nothing of the source. *ret is NULL when there is no document. Keys
 * are always texts. CPROF_ERULE says what is wrong with the YAML, where. */
int node_parse(const struct node **ret, const struct source *source,
               struct arena *arena, struct cprof_error *err);

/* What a node is, for messages: "a text", "a list", "a mapping", and "nothing"
 * for a plain empty text. */
const char *node_kind_text(const struct node *node);

/* The value of a key in a map, or NULL; a text or a list has no keys. */
const struct node *node_value(const struct node *map, const char *key);

/* The place of a byte of a text's value in the source. Where that cannot be
 * told (folded and escaped texts), the span of the whole node. */
struct span node_span_at(const struct source *source, const struct node *node,
                         size_t at);

#endif

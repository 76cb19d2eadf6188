/* schema.h - reads a YAML mapping by a table of its keys.
 *
 * Each kind of mapping in a rule file has one const table: a key's name, the
 * function that reads its value, and where in a C struct the value goes. The
 * reader refuses keys that are unknown (with the nearest known one, or the
 * mapping where they belong), given twice, or missing. A new key is one line
 * in a table.
 *
 * A mistake becomes a problem and reading goes on behind it, so that one look
 * at a file finds all of them. Every reader returns 0, CPROF_ERULE when it met
 * a mistake, or CPROF_ENOMEM, which ends everything. */
#ifndef RULES_SCHEMA_H
#define RULES_SCHEMA_H

#include "rules/node.h"
#include "rules/problems.h"
#include "rules/ruleset.h"

/* What reading one file needs. */
struct loader {
    struct rules *rules; /* NULL = the file is none of rules */
    const struct source *source;
    const char *file;    /* as source->name, but lives as long as the rules */
    struct arena *arena; /* of the rules, or of what is read */
    struct problems *problems;
    struct cprof_error *err; /* for memory that ran out */
    bool is_builtin;
};

/* Reads a value into the field of a struct at `into`. */
typedef int value_fn(struct loader *loader, const struct node *node,
                     void *into);

struct schema_key {
    const char *name;
    value_fn *read;
    size_t offset; /* of the field */
    bool is_required;
};

enum { SCHEMA_MOST = 64 };

struct schema {
    const char *name; /* for messages: "a rule" */
    const struct schema_key *keys;
    size_t count; /* at most SCHEMA_MOST */
    bool is_part; /* only its first key is required */
};

/* Reads a mapping. An unknown key is looked for in the other schemas as well,
 * so that the message can say where it belongs. */
int schema_read(struct loader *loader, const struct schema *schema,
                const struct node *node, void *into);

/* The key of a schema with that name, or NULL. */
const struct schema_key *schema_find(const struct schema *schema,
                                     struct str name);

/* The name of the key that is most like a text, or NULL. */
const char *schema_nearest(const struct schema *schema, struct str text);

/* The schemas in which unknown keys are looked for, in that order, and how
 * many there are (load.c). */
extern const struct schema *const schemas[];
extern const size_t schemas_count;

/* The more serious of two results: memory, a mistake, none. */
static inline int load_worse(int a, int b)
{
    return a == CPROF_ENOMEM || b == 0 ? a : b;
}

/* Adds an error at a node. Returns CPROF_ERULE. */
int load_error(const struct loader *loader, const struct node *node,
               const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same at a run of bytes. */
int load_error_at(const struct loader *loader, struct span span,
                  const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fills the loader's error for memory that ran out. */
int load_memory(const struct loader *loader);

/* Where a node stands, to be kept with what is made of it. */
struct origin load_origin(const struct loader *loader, const struct node *node);

#endif

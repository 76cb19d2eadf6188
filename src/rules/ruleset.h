/* ruleset.h - the set of rules while it is loaded.
 *
 * Only loading and judging look inside. A load that fails, or that only wants
 * to look, is taken back with rules_rollback: rules are never changed in
 * place but replaced by a changed copy, which remembers what it replaced. */
#ifndef RULES_RULESET_H
#define RULES_RULESET_H

#include "base/arena.h"
#include "rules/name_index.h"
#include "rules/pattern_pool.h"
#include "rules/rule.h"

/* A text that patterns may use as ${name}: one of `lists` or `macros`. */
struct definition {
    struct str name;
    struct str text; /* with all names in it replaced, as a group: "(?:a|b)" */
    bool is_broken;  /* it was said to be wrong; what uses it is wrong too */
};

/* The id of a rule that could not be loaded: others may speak of it. */
struct broken_rule {
    struct str id;
    const struct broken_rule *next;
};

struct rules {
    struct arena arena;
    struct pattern_pool patterns;
    struct rule **items; /* in the order of loading */
    size_t count;
    size_t size;
    struct name_index ids;                 /* of items */
    const struct definition **definitions; /* the oldest first */
    size_t n_definitions;
    size_t definitions_size;
    struct name_index names; /* of definitions */
    const struct broken_rule *broken;
    unsigned load; /* how many texts were begun to be loaded */
    uint32_t go;   /* of dumps that do not tell; 0 = unknown */
    bool keep_details;
};

/* What rules_rollback goes back to. */
struct rules_mark {
    size_t count;
    size_t n_definitions;
    unsigned load;
};

/* Where the rules stand now. */
struct rules_mark rules_mark(const struct rules *rules);

/* Takes back everything that was loaded since the mark. */
void rules_rollback(struct rules *rules, struct rules_mark mark);

/* Puts a rule behind the others. False when memory ran out. */
bool rules_add(struct rules *rules, struct rule *rule);

/* Puts a definition behind the others; it takes the place of an older one with
 * its name. False when memory ran out. */
bool rules_define(struct rules *rules, const struct definition *definition);

/* What a name stands for, or NULL. */
const struct definition *rules_definition(const struct rules *rules,
                                          struct str name);

/* The index of the rule with that id, or rules->count. */
size_t rules_index(const struct rules *rules, struct str id);

/* Puts a changed copy of a rule into its place. */
void rules_replace(struct rules *rules, size_t index, struct rule *rule);

#endif

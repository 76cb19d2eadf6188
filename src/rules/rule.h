/* rule.h - what one rule is, inside the rules room.
 *
 * The loader (load.c) fills these from YAML, the matcher (match.c) and the
 * judge (judge.c) read them. Everything but the compiled patterns lives in the
 * arena of struct rules. */
#ifndef RULES_RULE_H
#define RULES_RULE_H

#include <assert.h>

#include "model/state.h"
#include "rules/bound.h"
#include "rules/pattern.h"
#include "rules/rules.h"
#include "rules/source.h"

/* A set of the states of state.h. */
typedef uint64_t state_set;
static_assert(N_STATES <= 64, "a state_set holds every state");

/* Where something was written. */
struct origin {
    const struct source *source; /* NULL unless details are kept */
    struct span span;
};

/* Some patterns; a NULL stands for the '...' of a chain. Equal patterns of all
 * rules are one object. */
struct patterns {
    struct pattern **items;
    struct origin *origins; /* of each item; NULL when they are not kept */
    size_t count;
};

/* A label that a group has to carry. */
struct label_match {
    struct str key;
    struct patterns values;
};

enum wanted { WANTED_ANY, WANTED_YES, WANTED_NO };

/* The keys of `match` and of its `not`. What is not given is empty. */
struct match {
    state_set states;
    struct patterns leaf;
    struct patterns site;
    struct patterns any;
    struct patterns all;
    struct patterns chain;
    struct patterns bottom;
    struct patterns created_by;
    struct patterns file;
    struct patterns crash;
    struct label_match *labels;
    size_t n_labels;
    enum wanted locked;
    enum wanted leaked;
    enum wanted cycle;          /* waits in a circle, as far as can be seen */
    enum wanted stranded;       /* nobody is left to unlock */
    enum wanted request;        /* it sends, and others wait for a reply */
    enum wanted tended;         /* it waits for workers that are all there */
    enum wanted limit;          /* it waits for a place that others have */
    enum wanted finalizer;      /* the goroutine that runs finalizers */
    enum wanted state_required; /* a state that is not known does not match */
    const struct match *except; /* `not`, or NULL */
};

/* One of `exceptions`: groups that it matches are not the rule's. */
struct exception {
    struct str name;
    struct match match;
    struct exception *next;
};

/* What the groups of one finding have in common. ORDER BUCKET: as the words in
 * values.c. */
enum bucket_by {
    BUCKET_SITE,
    BUCKET_STACK,
    BUCKET_LEAF,
    BUCKET_CREATED_BY,
    BUCKET_RULE,
    BUCKET_LABEL,
};

struct grouping {
    enum bucket_by by;
    struct str label; /* KEY of label:KEY */
};

/* Another rule, named by its id. */
struct rule_ref {
    struct str id;
    struct origin origin;    /* where it was named */
    const struct rule *rule; /* NULL until rules_link, or when not loaded */
};

struct rule_refs {
    struct rule_ref *items;
    size_t count;
};

/* `with`: what else must, or must not, be found in the same snapshot. */
struct with {
    struct rule_refs any_of;
    struct rule_refs all_of;
    struct rule_refs none_of;
};

/* One tier of `when`: holds when every bound that is given holds. */
struct tier {
    enum cprof_severity severity;
    struct bound bounds[N_BOUNDS];
    struct rule_ref ratio_to; /* id empty unless BOUND_RATIO is given */
    struct origin origin;
};

struct tiers {
    struct tier *items;
    size_t count;
};

/* ORDER STATUS: as the words in values.c. */
enum rule_status { RULE_STABLE, RULE_EXPERIMENTAL };

/* `needs`: a rule that is known to be silent on other dumps. ORDER NEEDS: as
 * the words in values.c. */
enum rule_needs { NEEDS_NOTHING, NEEDS_DEBUG2 };

/* Versions of Go, as GO_VERSION(1, 21); most is the first one beyond them. */
#define GO_VERSION(major, minor) ((uint32_t)(major) << 16 | (uint32_t)(minor))
struct go_range {
    uint32_t least; /* 0 = any */
    uint32_t below; /* 0 = any */
};

/* How closely a rule describes what it matches. */
enum specificity { MATCHES_ALL, MATCHES_STATE, MATCHES_NAMES };

struct rule_test;

struct rule {
    struct rule_info info;
    struct match match;
    struct exception *exceptions; /* in order */
    struct with with;
    struct tiers when;
    enum rule_status status;
    enum rule_needs needs;
    struct grouping group_by;
    enum confidence confidence;
    enum specificity specificity;
    enum wanted before_normal; /* asked before the normal rules */
    enum wanted beside;        /* normal, and left out of shares */
    enum wanted enabled;       /* WANTED_NO: takes no part */
    struct str go_text;        /* the range as written; empty = none */
    struct go_range go;
    bool is_builtin;
    struct rule_test *tests; /* rule_test.h; NULL = none kept */
    struct origin origin;    /* of its id */
    struct origin match_at;  /* of its key `match`; without span = not given */
    uint32_t prose_in; /* the built-in file that holds what it says, plus one,
                          while that was not read (prose.h); 0 = it was */
    unsigned load;     /* which load of rules it came with */
    uint32_t number;   /* its place among the rules that judge, from 0 */
    struct rule *overridden; /* what it was before a later file changed it */
};

/* One of the rules (rules_count), in the order of loading. */
const struct rule *rules_get(const struct rules *rules, size_t index);

/* The rule with that id, or NULL. */
const struct rule *rules_find(const struct rules *rules, struct str id);

/* The id that is most like a text, empty when none is near. */
struct str rules_nearest(const struct rules *rules, struct str text);

/* Whether a rule takes part in judging. */
static inline bool rule_is_enabled(const struct rule *rule)
{
    return rule->enabled != WANTED_NO;
}

/* Whether some bound of a tier is one of a kind (bound_needs_history, ...). */
bool tier_asks_for(const struct tier *tier, bool (*is_kind)(enum bound_key));

#endif

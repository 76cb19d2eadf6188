/* rule.h - what one rule is, inside the rules room.
 *
 * The loader (load.c) fills these from YAML, the matcher (match.c) and the
 * judge (judge.c) read them. Everything but the compiled patterns lives in the
 * arena of struct rules. */
#ifndef RULES_RULE_H
#define RULES_RULE_H

#include <assert.h>

#include "model/state.h"
#include "rules/pattern.h"
#include "rules/rules.h"

/* A set of the states of state.h. */
typedef uint64_t state_set;
static_assert(N_STATES <= 64, "a state_set holds every state");

/* Some patterns; a NULL stands for the '...' of a chain. */
struct patterns {
    struct pattern **items;
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
    const struct match *except; /* `not`, or NULL */
};

/* What the groups of one finding have in common. */
enum bucket_by { BUCKET_SITE, BUCKET_STACK, BUCKET_RULE };

/* One tier of `when`: holds when every bound is reached. */
struct tier {
    enum cprof_severity severity;
    bool has_age;
    uint64_t count; /* goroutines, at least; 0 = any */
    double share;   /* of the process, at least; 0 = any */
    uint64_t age_s; /* the longest known wait, at least */
};

struct tiers {
    struct tier *items;
    size_t count;
};

enum rule_status { RULE_STABLE, RULE_EXPERIMENTAL };

/* How closely a rule describes what it matches. */
enum specificity { MATCHES_ALL, MATCHES_STATE, MATCHES_NAMES };

/* A compiled pattern of a rule, owned by it. */
struct rule_pattern {
    struct pattern *pattern;
    struct rule_pattern *next;
};

struct rule {
    struct rule_info info;
    struct match match;
    struct tiers when;
    enum rule_status status;
    enum bucket_by group_by;
    enum confidence confidence;
    enum specificity specificity;
    enum wanted before_normal; /* asked before the normal rules */
    bool is_builtin;
    struct rule_pattern *patterns; /* the last one first */
};

struct rules {
    struct arena arena;
    struct rule **items; /* in the order of loading */
    size_t count;
    size_t size;
};

/* Puts a rule behind the others, which then own it. False when memory ran
 * out. */
bool rules_add(struct rules *rules, struct rule *rule);

/* The rule with that id, or NULL. */
struct rule *rules_find(const struct rules *rules, struct str id);

/* Takes the rules behind the first `count` out again. */
void rules_cut(struct rules *rules, size_t count);

/* Frees the patterns of a rule; the rest of it is the arena's. */
void rule_done(struct rule *rule);

#endif

/* lint.h - the looks that rules_lint (check.h) takes at rules.
 *
 * Each look says what it finds as problems, at the place where it was written:
 * an error where a rule cannot do what it says, a warning where it may be
 * meant. */
#ifndef RULES_LINT_H
#define RULES_LINT_H

#include "rules/problems.h"
#include "rules/ruleset.h"

struct lint {
    const struct rules *rules;
    struct problems *problems;
    bool *is_starved; /* a look was given up for want of memory */
};

/* Adds a problem of a rule at a place; without one, at the rule's id. */
void lint_add(const struct lint *lint, enum problem_severity severity,
              const struct rule *rule, const struct origin *origin,
              const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The id that is most like one that is wrong, for the words of a problem: empty
 * when none is near, or when the problem would not be kept. */
struct str lint_nearest(const struct lint *lint, struct str id);

/* References to rules that do not exist, and circles of them. */
void lint_refs(const struct lint *lint, const struct rule *rule);

/* Tiers that an earlier one hides, and severities that need what one dump, or
 * a debug=1 dump, does not tell. */
void lint_tiers(const struct lint *lint, const struct rule *rule);

/* Patterns that match everything, that can run away, or that match something
 * else than they seem to. */
void lint_patterns(const struct lint *lint, const struct rule *rule);

/* What people and tests need: references, advice, tests of both kinds. */
void lint_words(const struct lint *lint, const struct rule *rule);

#endif

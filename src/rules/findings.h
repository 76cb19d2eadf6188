/* findings.h - the findings of a judgement while they are made. */
#ifndef RULES_FINDINGS_H
#define RULES_FINDINGS_H

#include "rules/ruleset.h"

/* What the judge has decided. */
struct verdict {
    const struct rule *rule;
    enum cprof_severity severity;
    size_t tier;            /* of the rule's `when` */
    bool is_mention;        /* none held */
    const uint32_t *groups; /* ascending, at least one */
    size_t n_groups;
    uint64_t count; /* goroutines of them in the judged snapshots */
};

/* Verdicts on one rule that become one finding, as memory is short. */
struct crowd {
    struct verdict verdict; /* the first of them, with what all add up to */
    uint32_t *groups;       /* of all, as they came */
    size_t size;
    uint64_t n; /* how many they are */
};

struct findings {
    struct arena arena;
    struct analysis *analysis;
    struct rules *rules;
    uint32_t *knowers;      /* of each group: the number of a rule plus one,
                               twice, and one more where it is the owner and
                               not only knows a name; 0 = nobody */
    struct finding **items; /* sorted by findings_sort */
    size_t count;
    size_t size;
    enum cprof_severity unchanged; /* of the worst that one dump shows and a
                                      comparison does not, for nothing changed;
                                      OK = none */
    uint64_t total;                /* goroutines that shares are taken of */
    size_t kept_back;   /* bytes that findings leave for judging; those of high
                           severity may have a quarter of them */
    struct crowd crowd; /* until it becomes a finding */
    uint64_t n_crowded; /* verdicts that became findings together */
};

/* Whether some rule owns a group. */
static inline bool findings_is_owned(const struct findings *findings,
                                     size_t group)
{
    return findings->knowers[group] & 1;
}

/* The rule that owns a group, or NULL. */
static inline const struct rule *findings_owner_of(
    const struct findings *findings, size_t group)
{
    return findings_is_owned(findings, group)
               ? findings->rules->items[findings->knowers[group] / 2 - 1]
               : NULL;
}

/* Makes a rule the owner of a group, or the one that names it. */
static inline void findings_know(struct findings *findings, size_t group,
                                 const struct rule *rule, bool is_owner)
{
    findings->knowers[group] = (rule->number + 1) * 2 + is_owner;
}

/* An empty set of findings of rules for an analysis. */
int findings_new(struct findings **ret, struct rules *rules,
                 struct analysis *analysis, struct cprof_error *err);

/* Adds a finding and makes its rule the owner of its groups. Where memory is
 * short, it may become one with others of the same rule and severity, which
 * is said at findings_end. False when memory ran out. */
bool findings_add(struct findings *findings, const struct verdict *verdict);

/* Ends adding: what waits to become one finding does. False when memory ran
 * out. */
bool findings_end(struct findings *findings);

/* Brings the findings into their order. */
void findings_sort(struct findings *findings);

#endif

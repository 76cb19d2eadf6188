/* findings.h - the findings of a judgement while they are made. */
#ifndef RULES_FINDINGS_H
#define RULES_FINDINGS_H

#include "rules/rule.h"

struct findings {
    struct arena arena;
    struct analysis *analysis;
    struct rules *rules;
    const struct rule **owners; /* of each group, or NULL */
    const struct rule **names;  /* who knows a group without an owner */
    struct finding **items;     /* sorted by findings_sort */
    size_t count;
    size_t size;
    uint64_t total; /* goroutines that shares are taken of */
};

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

/* An empty set of findings of rules for an analysis. */
int findings_new(struct findings **ret, struct rules *rules,
                 struct analysis *analysis, struct cprof_error *err);

/* Adds a finding and makes its rule the owner of its groups. False when
 * memory ran out. */
bool findings_add(struct findings *findings, const struct verdict *verdict);

/* Brings the findings into their order. */
void findings_sort(struct findings *findings);

#endif

/* baselines.h - the insides of a baseline, for the files that read, apply and
 * write one. */
#ifndef RULES_BASELINES_H
#define RULES_BASELINES_H

#include "base/arena.h"
#include "rules/baseline.h"

struct baseline {
    struct arena arena;
    const char *name;
    struct baseline_entry **entries; /* in the order of the file */
    size_t count;
    size_t size;
};

/* A baseline without entries; its name is copied. */
int baseline_new(struct baseline **ret, const char *name, struct budget *budget,
                 struct cprof_error *err);

/* Brings the entries into the order of rule, site and signature. */
void baseline_sort(struct baseline *baseline);

/* Adds an entry that is all zero; NULL when memory ran out. */
struct baseline_entry *baseline_add(struct baseline *baseline);

#endif

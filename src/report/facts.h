/* facts.h - what is known of a finding, as names with words, the same in every
 * output for people. */
#ifndef REPORT_FACTS_H
#define REPORT_FACTS_H

#include "report/report.h"

enum fact_kind {
    FACT_CODE,  /* a name or a place from the dump, and nothing else */
    FACT_WORDS, /* a phrase, which may have such names in it */
};

struct fact {
    const char *name; /* "state"; empty = goes on with the one before */
    enum fact_kind kind;
    struct str words; /* not escaped; lives as long as the call */
};

/* Is told one fact. */
typedef void fact_fn(void *user, const struct fact *fact);

/* Tells all facts of a finding in order: its place, its callers, state, age,
 * growth, its part of the heap, who holds what it waits for, creators, labels,
 * ids, its rule, what a baseline says of it. Those that are not known are left
 * out. */
void facts_each(const struct cprof_report *report,
                const struct finding_view *view,
                const struct evidence_view *evidence, fact_fn *tell,
                void *user);

/* Whether who holds what a finding waits for is worth a word. Nobody holds a
 * Cond. That nobody is behind a send tells something only where its function
 * goes on with other work, several queue, and the dump shows every
 * goroutine. */
bool fact_is_held(const struct finding *finding);

/* How many goroutines of a finding wait for the lock that it tells of
 * (finding->holding, which has to be there). Others of a circle wait for
 * another one. */
uint64_t fact_waiters_here(const struct cprof_report *report,
                           const struct finding *finding);

#endif

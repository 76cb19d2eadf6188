/* sarif_numbers.h - the numbers that tell results of SARIF apart. */
#ifndef REPORT_SARIF_NUMBERS_H
#define REPORT_SARIF_NUMBERS_H

#include "report/report.h"

struct sarif_numbers {
    uint32_t rule;    /* its place in the list of rules, each of which stands
                         there once, that of the first finding first */
    uint32_t n_alike; /* findings before it, by line, that would have the same
                         fingerprint */
    bool is_first;    /* of its rule */
};

/* The numbers of each result, findings and then accepted ones. They live in
 * the arena; NULL when that had no room. */
struct sarif_numbers *sarif_number(const struct cprof_report *report,
                                   struct arena *arena);

#endif

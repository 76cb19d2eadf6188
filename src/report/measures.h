/* measures.h - what a heap, block, mutex or CPU profile measures, by function.
 *
 * The table that `go tool pprof -top` prints: flat is what was measured in the
 * function itself, cum what was in it and in all that it called; a function
 * that stands on a stack twice counts once there. */
#ifndef REPORT_MEASURES_H
#define REPORT_MEASURES_H

#include "report/report.h"
#include "report/units.h"

struct measure_row {
    struct str function;
    int64_t flat;
    int64_t cum;
    int64_t sum; /* of flat, from the first row on */
};

struct measures {
    const struct snapshot_info *info;
    struct value_type type; /* that is shown */
    int64_t total;          /* over all stacks, of absolute values */
    struct unit unit;
    bool by_cum; /* the order */
    const struct measure_row *rows;
    size_t n_rows;    /* in order; those below half a percent left out */
    size_t n_dropped; /* of them */
    int64_t cutoff;   /* smaller cum values were dropped; 0 = none */
};

/* Builds the table of the first judged snapshot that measures something, in
 * arena; NULL in *ret when there is none. CPROF_EUSAGE: the profile has no
 * such --sample-type, and which it has. */
int measures_build(const struct measures **ret, struct arena *arena,
                   const struct analysis *analysis,
                   const struct cprof_options *options,
                   struct cprof_error *err);

#endif

/* measures.h - what a heap, block, mutex or CPU profile measures.
 *
 * By function, it is the table that `go tool pprof -top` prints: flat is what
 * was measured in the function itself, cum what was in it and in all that it
 * called; a function that stands on a stack twice counts once there. By site,
 * it is the user's own lines of code that were behind it, which pprof does not
 * tell: the leaf of a contention is always some Lock. Stacks without such a
 * line are net/http's idle connections, the scheduler and the like: they stand
 * behind the others, whatever their value.
 *
 * Like pprof's, totals are of all stacks, and rows of those that the filters
 * keep. */
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

struct measure_site {
    struct code_place place; /* function empty: stacks without frames */
    int64_t value;           /* in a comparison by how much it became more */
    int64_t count;  /* objects, contentions: of count_index; the same */
    int64_t before; /* the value at the ends of a comparison, else 0 */
    int64_t after;
};

struct measures {
    const struct family *family;
    uint32_t family_index;
    struct value_type type; /* that is shown */
    size_t type_index;
    size_t count_index; /* the type that counts the things that the shown one
                           measures; that one itself when none does */
    int64_t count;      /* of them, over all stacks */
    int64_t total; /* what shares are taken of: over all stacks, of absolute
                      values; those of the base alone in a difference */
    struct unit unit;
    bool by_cum;        /* the order */
    bool is_comparison; /* values are differences: the last moment less the
                           first */
    const struct measure_row *rows;
    size_t n_rows;    /* in order; those below half a percent left out */
    size_t n_dropped; /* of them */
    int64_t cutoff;   /* smaller cum values were dropped; 0 = none */
    const struct measure_site *sites; /* own code first, then by value */
    size_t n_sites;
    size_t n_own; /* of them, the ones that are not of the standard library */
    size_t n_listed; /* that are listed first: own ones, or all without those */
    struct measure_site library; /* the sum of the others; it has no place */
    const struct memstats *memstats; /* of a comparison at its end; NULL: not
                                        said, or by several */
};

#endif

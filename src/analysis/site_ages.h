/* site_ages.h - how long the goroutines of each place of a comparison wait. */
#ifndef ANALYSIS_SITE_AGES_H
#define ANALYSIS_SITE_AGES_H

#include "analysis/analysis.h"

/* The ages at a site in a snapshot. */
struct site_ages {
    uint64_t n;        /* goroutines that have one */
    uint32_t longest;  /* minutes, as printed; 0 when not known */
    uint32_t shortest; /* of those; 0 when there are none */
    uint64_t since[2]; /* that have waited for as long as was asked for */
};

/* The ages at n_sites in a snapshot, by its index in the collection; site_of is
 * the site of each group of the analysis, and passed the minutes that are asked
 * for: an age is cut to whole ones. To be freed; NULL without memory. */
struct site_ages *site_ages_find(struct analysis *analysis, size_t snapshot,
                                 const uint32_t *site_of, size_t n_sites,
                                 const double passed[2]);

/* The longest wait in a snapshot of no more than so many minutes: the runtime
 * has collected garbage then, and would tell as much of who waited before.
 * 0 = none. */
uint32_t site_ages_told(const struct analysis *analysis, size_t snapshot,
                        double minutes);

#endif

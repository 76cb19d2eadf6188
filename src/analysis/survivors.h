/* survivors.h - which goroutines of one moment are still there in another. */
#ifndef ANALYSIS_SURVIVORS_H
#define ANALYSIS_SURVIVORS_H

#include "analysis/analysis.h"
#include "analysis/moments.h"

enum { IDS_LEAST = 5 }; /* goroutines whose ids say something about a site */

/* The goroutines of a set of groups at two moments. */
struct survivors {
    bool is_known;  /* enough ids at both moments */
    bool is_sample; /* not all of them were asked */
    bool is_later;  /* those of the middle moment were asked */
    double share;   /* of those of the first moment, still there: 0 to 1 */
    double living;  /* of them, anywhere in the process, as far as known: at
                       least share */
};

/* Compares snapshots by their index in the collection. sites[g] is the site of
 * group g of the analysis; ret has one answer for each of n_sites. Nothing is
 * known of snapshots between which no goroutine was started or ended. False
 * without memory. */
bool survivors_find(struct analysis *analysis, size_t before, size_t after,
                    const uint32_t *sites, size_t n_sites,
                    struct survivors *ret);

/* The moment of a series from `first` on that is halfway. */
size_t survivors_middle(const struct analysis *analysis,
                        const struct moments *series, size_t first);

/* The same over a series from its moment `first` on: which goroutines of its
 * first whole moment are there in the last; for sites that had too few of them
 * then, those of the middle one. */
bool survivors_over(struct analysis *analysis, const struct moments *series,
                    size_t first, const uint32_t *sites, size_t n_sites,
                    struct survivors *ret);

#endif

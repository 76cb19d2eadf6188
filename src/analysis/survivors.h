/* survivors.h - which goroutines of one moment are still there in another.
 *
 * Go never gives a goroutine's id to another (runtime/proc.go: newproc1), so
 * ids tell goroutines that stay from places that stay busy. Groups keep those
 * ids with the smallest hash, so that the samples of two moments are of the
 * same goroutines. */
#ifndef ANALYSIS_SURVIVORS_H
#define ANALYSIS_SURVIVORS_H

#include "analysis/analysis.h"

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

#endif

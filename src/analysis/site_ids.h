/* site_ids.h - the goroutines of each place of a comparison, by their ids.
 *
 * Go never gives a goroutine's id to another (runtime/proc.go: newproc1), so
 * ids tell goroutines that stay from places that stay busy. Groups keep those
 * ids with the smallest hash, so that the samples of two moments are of the
 * same goroutines, up to the limits below. */
#ifndef ANALYSIS_SITE_IDS_H
#define ANALYSIS_SITE_IDS_H

#include "analysis/analysis.h"

/* A goroutine at a moment. */
struct site_id {
    uint32_t site;
    uint64_t id;
};

/* All of a moment that are kept. */
struct site_ids {
    struct site_id *items; /* by site, then by id */
    size_t n;
    uint64_t *limits; /* of each site: the hash above which a group has given
                         ids up; UINT64_MAX = all are kept */
};

/* Orders two of them by site, then by id (qsort, bsearch). */
int site_id_compare(const void *a, const void *b);

/* Lists the ids of a snapshot, by its index in the collection. sites[g] is the
 * site of group g of the analysis; those of n_sites and above are left out.
 * False without memory; site_ids_done frees what there is. */
bool site_ids_list(struct analysis *analysis, size_t snapshot,
                   const uint32_t *sites, size_t n_sites, struct site_ids *ret);
void site_ids_done(struct site_ids *ids);

#endif

/* kinship.h - what two snapshots of goroutines have in common.
 *
 * Two dumps may be of one process at two times, or of two processes that began
 * alike. Goroutine ids and their creators tell, stacks where a format has no
 * ids, and addresses against both. */
#ifndef ANALYSIS_KINSHIP_H
#define ANALYSIS_KINSHIP_H

#include "model/collection.h"

enum kinship {
    KIN_NONE,
    KIN_ALIKE,       /* they say the very same, and no ids tell whether they
                        are one: idle replicas do too */
    KIN_SAME_DUMP,   /* they say the very same, with the same ids */
    KIN_SAME_IDS,    /* one process: goroutines of one are in the other */
    KIN_SAME_STACKS, /* one process in two formats */
};

/* How many ids were compared and what came of it. */
struct overlap {
    size_t candidates; /* on the side that has fewer */
    size_t shared;
    size_t contradicted;
};

struct id_list;

/* Comparisons among the snapshots of a collection. */
struct kinships {
    struct cprof_snapshots *snapshots;
    struct id_list *ids; /* of each snapshot, once it was asked for */
};

/* Begins comparing, which no snapshot may be added during, and ends it. False
 * without memory; then there is nothing to end. */
bool kinships_init(struct kinships *kinships,
                   struct cprof_snapshots *snapshots);
void kinships_done(struct kinships *kinships);

/* What the snapshots at two indexes, the later one second, have in common;
 * *ret_overlap is set with KIN_SAME_IDS. Processes that died are at most
 * KIN_ALIKE: what dies as soon as it began dies with the same ids each time. */
enum kinship kinships_find(struct kinships *kinships, size_t i, size_t j,
                           struct overlap *ret_overlap);

#endif

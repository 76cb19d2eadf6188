/* tally.h - what has been drawn so far, counted as a reader should count it. */
#ifndef GEN_TALLY_H
#define GEN_TALLY_H

#include <stdint.h>

#include "population.h"

struct stack_tally {
    uint64_t count;
    uint64_t n_aged;      /* of those, how many say how long they wait */
    uint32_t min_minutes; /* the least that one of these says, */
    uint32_t max_minutes; /* and the most; 0: there are none */
};

struct tally {
    uint64_t total;
    struct stack_tally *stacks;
    uint32_t *by_tenant;   /* [stack * TENANTS + tenant]; NULL without labels */
    uint64_t locks[LOCKS]; /* waiters of each */
};

/* Starts counting for the stacks of a plan. */
void tally_init(struct tally *tally, const struct plan *plan);

/* Frees what tally_init made. */
void tally_done(struct tally *tally);

/* Counts one goroutine of that population. */
void tally_add(struct tally *tally, const struct population *population,
               const struct draw *draw);

#endif

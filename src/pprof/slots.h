/* slots.h - the ids of a profile as small numbers.
 *
 * A profile names functions and locations by 64-bit ids that it may choose
 * freely and use before it explains them. Each id gets a slot, counted from 0
 * in order of its first mention, under which other arrays keep what is known.
 * Go numbers them 1, 2, 3, for which no table is looked at. */
#ifndef PPROF_SLOTS_H
#define PPROF_SLOTS_H

#include "base/pool.h"
#include "base/table.h"

#define SLOT_NONE UINT32_MAX

struct slots {
    struct pool ids; /* uint64_t, at the slot */
    struct table table;
};

/* No ids at all. */
void slots_init(struct slots *slots, struct budget *budget);
void slots_done(struct slots *slots);

/* The slot of an id, made at its first mention; SLOT_NONE without memory. */
uint32_t slots_put(struct slots *slots, uint64_t id);

#endif

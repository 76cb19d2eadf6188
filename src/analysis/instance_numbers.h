/* instance_numbers.h - which snapshots are of one instance.
 *
 * A service may have as many instances as there are snapshots: each is given a
 * number, so that nothing has to go through all snapshots for each of them. */
#ifndef ANALYSIS_INSTANCE_NUMBERS_H
#define ANALYSIS_INSTANCE_NUMBERS_H

#include "model/collection.h"

struct instance_numbers {
    uint32_t *of; /* by snapshot: below count, the same for the same name; those
                     without a name have one in common */
    size_t count;
};

/* Numbers the instances of the collection, in arena. False without memory. */
bool instance_numbers_init(struct instance_numbers *numbers,
                           struct cprof_snapshots *snapshots,
                           struct arena *arena);

#endif

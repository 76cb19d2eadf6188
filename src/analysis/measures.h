/* measures.h - the values of joined groups.
 *
 * Snapshots may measure different things: a heap profile and a mutex profile
 * given together. The types of all judged snapshots, each name once, are those
 * of every joined group; what a snapshot does not measure stays 0 there. */
#ifndef ANALYSIS_MEASURES_H
#define ANALYSIS_MEASURES_H

#include "model/collection.h"

struct measures {
    size_t n_types;
    struct value_type types[VALUES_MOST];
    uint8_t (*places)[VALUES_MOST]; /* of each snapshot's types in types */
};

/* Collects the types of the judged snapshots. Those beyond VALUES_MOST are
 * left out. False when there is no memory. */
bool measures_init(struct measures *measures, struct arena *arena,
                   const struct cprof_snapshots *snapshots, const bool *judged);

/* Adds the values of a group of that snapshot to *values, which is made at the
 * first; without memory it stays NULL. */
void measures_add(const struct measures *measures, struct arena *arena,
                  const struct cprof_snapshots *snapshots, size_t snapshot,
                  size_t group, int64_t **values);

#endif

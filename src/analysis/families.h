/* families.h - snapshots that count the same thing.
 *
 * Goroutines, objects of the heap and contentions of locks cannot be added up.
 * Snapshots of one profile with the same sample types are a family; sums,
 * shares and joined groups never reach beyond one. The first family leads: the
 * summary and the rules speak of it. It is that of the goroutines when there
 * are any, and otherwise that of the first input. */
#ifndef ANALYSIS_FAMILIES_H
#define ANALYSIS_FAMILIES_H

#include "model/collection.h"

struct family {
    const struct snapshot_info
        *info; /* of its first snapshot: profile, types */
    const struct snapshot_info *last; /* of the last judged; NULL = none is */
    size_t n;                         /* snapshots */
    size_t n_judged;                  /* of them */
    uint64_t goroutines; /* over the judged ones, of each the larger of what
                            its header declares and what its records hold */
    int64_t *sums;       /* one a type of info; NULL without types */
    int64_t *bases;      /* the same: what shares of values are taken
                            of, see snapshot_info; NULL without types */
    int64_t *befores; /* the same over the first moments of a comparison, where
                         values are measured; otherwise NULL */
};

struct families {
    struct family *items; /* the leading one first */
    uint32_t count;
    uint32_t *of;  /* of each snapshot */
    bool *is_base; /* whether values of others are compared with those of a
                      snapshot: it measures, and is the first of its instance in
                      a comparison */
};

/* Sorts the snapshots into families, in arena. A leak profile that is proof
 * for others belongs to the leading family. Profiles that measure and are
 * compared against their times are told in the diagnostics. False when there is
 * no memory. */
bool families_init(struct families *families, struct arena *arena,
                   struct cprof_snapshots *snapshots);

/* Adds up the judged snapshots of each family. False when there is no
 * memory. */
bool families_sum(struct families *families, struct arena *arena,
                  const struct cprof_snapshots *snapshots, const bool *judged);

#endif

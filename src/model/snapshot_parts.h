/* snapshot_parts.h - how a snapshot is made; for this room alone.
 *
 * snapshot.c holds the groups, counting.c counts records into them, merging.c
 * adds another part of the dump, folding.c reduces it to counts, and rebuild.c
 * makes it again from what a history kept. */
#ifndef MODEL_SNAPSHOT_PARTS_H
#define MODEL_SNAPSHOT_PARTS_H

#include "model/locks.h"

/* The ids of a part's symbols in those of the whole, at id - 1. Symbols only
 * grow, and so does this. */
struct id_map {
    const struct symbols *into; /* of the whole; NULL = nothing is mapped */
    struct budget *budget;
    frame_id *frames;
    size_t n_frames;
    stack_id *stacks;
    size_t n_stacks;
};

struct snapshot {
    struct symbols *symbols;
    struct snapshot_info info;
    struct arena arena;
    struct pool groups; /* struct group */
    struct table group_table;
    struct pool hiddens; /* struct hidden, at id - 1 */
    struct table hidden_table;
    struct lock_table locks;
    struct pool values; /* int64_t for each type, at the index of the group */
    int64_t *totals;    /* the same, over all records */
    int64_t *magnitudes;
    int64_t *bases;
    struct pool pointers;  /* struct pointers */
    struct folded *folded; /* NULL = it is not */
    struct id_map map;     /* of a part that was merged before */
    bool has_mixed; /* some group has goroutines that say their creator, and
                       others that do not */
    size_t last;    /* the group that was counted last, for runs of one stack */
};

/* What a folded snapshot keeps, in one block. */
struct folded {
    size_t size; /* bytes of the block */
    uint64_t addresses[RUNTIME_ADDRESSES];
    size_t n_addresses;
    size_t n_groups;
    struct folded_group groups[]; /* and the texts of the info behind them */
};

/* Whether a group counts what has the key of another: its stack in its state,
 * with its hidden addresses. */
static inline bool group_has_key(const struct group *group,
                                 const struct group *key)
{
    return group->stack == key->stack && group->state == key->state &&
           group->hidden == key->hidden;
}

/* Frees a map and makes it empty. */
void id_map_done(struct id_map *map);

/* Frees what holds the groups, and what is known of them. */
void snapshot_free_groups(struct snapshot *snapshot);

/* The id of hidden addresses; 0 without any, or without memory. */
hidden_id snapshot_put_hidden(struct snapshot *snapshot,
                              const struct hidden *hidden);

/* The values of the group of that index, made for all up to there: 0 at first.
 * NULL without memory. */
int64_t *snapshot_take_values(struct snapshot *snapshot, size_t index);

/* The group with the stack, state and hidden addresses of key, made when it is
 * new: then the record, unless it is NULL, says which frames wait for a lock,
 * and whether the group has values. NULL when there is no memory for a new one,
 * or for its values. */
struct group *snapshot_find_group(struct snapshot *snapshot,
                                  const struct group *key,
                                  const struct record *record);

/* The evidence of a group, made at the first call; NULL without memory. */
struct evidence *snapshot_evidence(struct snapshot *snapshot,
                                   struct group *group);

#endif

/* pool_owners.h - who keeps the connections of a pool that others wait for.
 *
 * Beside each open transaction and result a goroutine of database/sql stands.
 * It tells that a connection is kept, not by whom: that is somebody behind the
 * line where others wait for theirs. When all who keep one wait for another
 * one, or for a lock whose holder waits for one, nobody will ever give one
 * back. */
#ifndef ANALYSIS_POOL_OWNERS_H
#define ANALYSIS_POOL_OWNERS_H

#include "analysis/analysis.h"
#include "analysis/takers.h"

enum { OWNERS_KEPT = 8 };

/* A group behind the line where others wait for a connection. */
struct owner {
    struct joined_group *group;
    frame_id frame; /* behind that line */
    enum connection_part part;
};

struct pool_owners {
    struct owner items[OWNERS_KEPT]; /* the largest */
    size_t n;
    uint64_t n_watched[CONNECTION_PARTS]; /* goroutines beside what is open */
    bool is_used; /* a goroutine is at work with a connection, or makes one */
};

/* Adds a group that perhaps has a place of a pool. Groups come by size. Without
 * memory in the arena it is not added. */
void owners_add(struct arena *arena, struct holding *pool,
                struct joined_group *group, const struct taken *taken);

/* Counts a group that runs a function with a connection of a pool. */
void owners_count(struct arena *arena, struct holding *pool,
                  const struct joined_group *group, struct str function);

/* Finds pools that are waited for in a circle, and appends at most one circle a
 * pool to cycles, which holds CYCLES_MOST; for locks and places whose holders
 * are known. False when memory ran out. */
bool pool_circles_find(struct analysis *analysis, struct wait_cycle *cycles,
                       size_t *n_cycles);

#endif

/* collection.h - all snapshots of one run, and what they share.
 *
 * The public struct cprof_snapshots. It owns the budget, the symbols and the
 * diagnostics that every snapshot of the run uses. */
#ifndef MODEL_COLLECTION_H
#define MODEL_COLLECTION_H

#include "cprof/cprof.h"

#include "model/snapshot.h"

struct cprof_snapshots {
    const struct cprof_options *options;
    struct budget budget;
    struct symbols *symbols;
    struct diags diags;
    struct snapshot **items; /* in order of the inputs and of their place */
    size_t count;
    uint32_t n_inputs;
    bool is_series; /* inputs are moments in order of time, to be compared */
    cprof_progress_fn *tell; /* is told how reading goes; NULL = nobody */
    void *tell_user;
};

/* Makes a new snapshot that belongs to the collection and is its last. */
int collection_add(struct cprof_snapshots *snapshots, struct snapshot **ret,
                   struct cprof_error *err);

/* Whether the system refused memory to what was read or made of it, or
 * diagnostics did not fit. Then a diagnostic says so from now on. */
bool collection_has_lost(struct cprof_snapshots *snapshots);

/* Drops the last snapshot, or the one at an index. */
void collection_drop(struct cprof_snapshots *snapshots);
void collection_drop_at(struct cprof_snapshots *snapshots, size_t index);

#endif

/* holder_list.h - the best candidates, in order. */
#ifndef ANALYSIS_HOLDER_LIST_H
#define ANALYSIS_HOLDER_LIST_H

#include "analysis/holding.h"
#include "base/arena.h"

/* Whether a comes before b: by score, then single goroutines before groups.
 * The rest of the order only has to be the same for any order of the input. */
bool holder_is_better(const struct holder *a, const struct holder *b);

/* Inserts a candidate into an array of *n, in order, that may grow to `most`; a
 * goroutine or a group counts once, with its better score. */
void holder_insert(struct holder *items, size_t *n, size_t most,
                   const struct holder *holder);

/* Adds a candidate to a holding; the best HOLDERS_KEPT are kept. Without memory
 * in the arena nobody is added. */
void holders_add(struct arena *arena, struct holding *holding,
                 const struct holder *holder);

/* A few candidates, the best first; zeroed at first. */
struct shortlist {
    struct holder *items;
    size_t n;
};

/* Adds a candidate, as holder_insert does; without memory it is lost. */
void shortlist_add(struct arena *arena, struct shortlist *list,
                   const struct holder *holder);

#endif

/* itself.h - waiters whose outer call may hold the lock that they wait for.
 *
 * A function that holds a lock calls one that takes it again: a circle of one.
 * A method that others call to take a lock looks the same, so it takes more
 * than a stack to believe it. */
#ifndef ANALYSIS_ITSELF_H
#define ANALYSIS_ITSELF_H

#include "analysis/holding.h"

/* Those of one lock so far; zeroed at first. */
struct itself {
    struct holder best; /* while n is not 0 */
    uint64_t n;
    uint64_t first;  /* the goroutine that came first; 0 = not known which */
    bool is_several; /* they are not all one goroutine */
    /* Without an address: these may be two locks, as another waiter is behind
     * a line that takes one, too. */
    bool is_doubtful;
    /* Of those whose outer call left the functions of the object, as for a
     * callback, and came back. */
    struct holder returned; /* while n_returned is not 0 */
    uint64_t n_returned;
};

/* Remembers one that may hold the lock, or so many of a group; is_back: it left
 * the functions of the object in between. */
void itself_add(struct itself *itself, const struct holder *holder,
                bool is_back);

/* The one that may be believed to hold what all of holding->waiters wait for;
 * NULL when none is. */
const struct holder *itself_holder(const struct itself *itself,
                                   const struct symbols *symbols,
                                   const struct holding *holding);

#endif

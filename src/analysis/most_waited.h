/* most_waited.h - which of very many locks are looked at.
 *
 * A snapshot keeps the addresses of up to 65,536 locks, which takes little. To
 * look who holds each takes ten times as much memory, and says nothing to
 * anybody when nearly all have one waiter. So only those with the most waiters
 * are looked at; of others it is known that they are not these. */
#ifndef ANALYSIS_MOST_WAITED_H
#define ANALYSIS_MOST_WAITED_H

#include "model/snapshot.h"

enum { MOST_WAITED = 2048 };

/* The MOST_WAITED of waiters (struct lock_waiters) that have the largest count,
 * of equals those with the smallest hash of their address, in order of address
 * and group; all of them when there are no more. *ret is how many. They live in
 * the arena; NULL without memory. */
const struct lock_waiters *most_waited(struct arena *arena,
                                       const struct pool *waiters, size_t *ret);

#endif

/* poll_places.h - where a process keeps what its connections wait at.
 *
 * internal/poll.runtime_pollWait has the address of the connection's pollDesc
 * as its first argument. The runtime maps memory for these outside of the heap,
 * a few small pieces that it never gives back (runtime/netpoll.go: pollCache,
 * runtime/malloc.go: persistentalloc), and the system puts what is mapped to
 * another place in each process. So two processes of one program have the same
 * heap addresses and ids when they began alike, but not these. */
#ifndef ANALYSIS_POLL_PLACES_H
#define ANALYSIS_POLL_PLACES_H

#include "model/snapshot.h"

enum { POLL_PLACES_MOST = 64 };

/* Different places of 1 GiB; of more than that, the first. */
struct poll_places {
    uint64_t places[POLL_PLACES_MOST];
    size_t count; /* 0 = the dump says none, as one without arguments */
};

/* The places of the pollDescs that goroutines of a snapshot wait at. */
struct poll_places poll_places_of(const struct snapshot *snapshot);

/* Whether both have places, and none of one is near one of the other: then the
 * snapshots are of two processes. Of two processes that the system put near
 * each other, one in some hundred, this is not known, nor where it puts all to
 * the same place. */
bool poll_places_are_apart(const struct poll_places *a,
                           const struct poll_places *b);

#endif

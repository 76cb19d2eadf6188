/* poll_places.h - where a process keeps what its connections wait at.
 *
 * internal/poll.runtime_pollWait has the address of the connection's pollDesc
 * as its first argument. The runtime maps memory for these outside of the heap,
 * in pieces of 256 KiB that it never gives back (runtime/netpoll.go: pollCache,
 * runtime/malloc.go: persistentalloc), and the system puts what is mapped to
 * another place in each process. So two processes of one program have the same
 * heap addresses and ids when they began alike, but not these. */
#ifndef ANALYSIS_POLL_PLACES_H
#define ANALYSIS_POLL_PLACES_H

#include "model/snapshot.h"

enum { POLL_PLACES_MOST = 512 };

/* Different places of 1 MiB each. */
struct poll_places {
    uint64_t places[POLL_PLACES_MOST];
    size_t count; /* 0 = none is told, as in a dump without arguments */
    bool is_full; /* there are more */
};

/* Adds the places of the pollDescs that goroutines of a snapshot wait at. */
void poll_places_add(struct poll_places *places,
                     const struct snapshot *snapshot);

/* Adds all places of others. */
void poll_places_join(struct poll_places *places,
                      const struct poll_places *others);

/* Whether both have places, and none of one is near one of the other: then they
 * are of two processes, as a connection that stays keeps its place. Of
 * processes that the system put near each other, a few in a million on most
 * machines and more where it has little choice, this is not known. */
bool poll_places_are_apart(const struct poll_places *a,
                           const struct poll_places *b);

#endif

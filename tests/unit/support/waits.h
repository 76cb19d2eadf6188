/* waits.h - a snapshot of stacks made by hand, and what they wait for. */
#ifndef SUPPORT_WAITS_H
#define SUPPORT_WAITS_H

#include "base/buf.h"
#include "model/snapshot.h"

struct waits {
    struct budget budget;
    struct symbols *symbols;
    struct snapshot *snapshot;
    struct buf text; /* what a call returned last */
};

/* Hidden addresses as debug=1 has them: how many frames are hidden, then the
 * first addresses. HIDDEN_INIT is for initialisers. */
#define HIDDEN_INIT(how_many, ...)                                             \
 {                                                                             \
  .count = (how_many),                                                         \
  .n_pc = sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), .pc = {        \
      __VA_ARGS__                                                              \
  }                                                                            \
 }
#define HIDDEN(how_many, ...)                                                  \
 ((struct hidden)HIDDEN_INIT(how_many, __VA_ARGS__))

/* No hidden addresses. */
#define NOT_HIDDEN ((struct hidden){.count = -1})

/* An empty goroutine profile, and its end. */
void waits_init(struct waits *waits);
void waits_done(struct waits *waits);

/* Keeps a stack, written as "FUNCTION[@FILE:LINE] < FUNCTION < ...", leaf
 * first; "" has no frame. */
stack_id waits_stack(struct waits *waits, const char *frames);

/* Counts goroutines with that stack; state is the word of a header, or NULL.
 * Equal records become one group. */
void waits_add(struct waits *waits, uint64_t count, struct hidden hidden,
               const char *frames, const char *state);

/* Infers the states and writes them in order of arrival, as
 * "chan send (addresses), IO wait (frames)". */
const char *waits_states(struct waits *waits);

#endif

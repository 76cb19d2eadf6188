/* beside.h - how many goroutines shares are taken of.
 *
 * A handler has a second goroutine that notices when the client goes away, and
 * the runtime has some of its own, which only some dumps show. These can never
 * be what fills a process, but in the sum they would keep those that do just
 * below a half. So the share that a tier asks for leaves out what rules with
 * `beside` match. Everything else that is normal stays in: idle connections
 * are the size of a process as much as any other goroutine. */
#ifndef RULES_BESIDE_H
#define RULES_BESIDE_H

#include "rules/judge.h"

/* The goroutines of a judged snapshot (by its place in judge->snapshots),
 * without those that stand only beside others. 0 when memory ran out, which
 * makes judging fail. */
uint64_t beside_rest(struct judge *judge, size_t snapshot);

/* Frees what was counted, which is done at the first question. */
void beside_done(struct judge *judge);

#endif

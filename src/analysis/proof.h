/* proof.h - what the Go runtime has proven leaked, brought to the dumps.
 *
 * A goroutineleak profile (runtime/pprof: Go 1.26 as an experiment, 1.27
 * always) holds the goroutines that nothing can ever wake; it is given beside
 * an ordinary dump of the same process, taken at almost the same moment. Its
 * counts are carried over to the groups of the dump that stand in the same
 * stack at the same lines. It is a lower bound: what is absent there is not
 * proven to be fine. */
#ifndef ANALYSIS_PROOF_H
#define ANALYSIS_PROOF_H

#include "model/collection.h"

/* Takes a leak profile that stands among ordinary dumps for what it is: proof
 * for them, as if it had been named so. Its goroutines are theirs. */
void proof_find(struct cprof_snapshots *snapshots);

/* Sets leaked of the groups of judged goroutine dumps from the snapshots that
 * are proof (snapshot_info: is_proof), and says in diagnostics what was
 * carried over and what was found in no dump. States are known. False when
 * memory ran out. */
bool proof_apply(struct cprof_snapshots *snapshots, const bool *judged);

#endif

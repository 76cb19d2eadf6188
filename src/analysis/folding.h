/* folding.h - long series in little memory.
 *
 * Of most moments of a comparison only counts are asked: which goroutines stay,
 * how old they are and what stands in them is asked of the ends and of some
 * moments between. While many snapshots are read, the others are folded. */
#ifndef ANALYSIS_FOLDING_H
#define ANALYSIS_FOLDING_H

#include "model/collection.h"

/* Folds what is not needed whole of the snapshots that were read so far; called
 * after each input of a comparison. The last complete snapshot of each instance
 * stays whole, and so do some of the others at equal distances. Nothing is
 * folded where snapshots are still to be sorted, nor with more than 64
 * instances. */
void folding_step(struct cprof_snapshots *snapshots);

#endif

/* judged.h - the dumps whose goroutines are judged.
 *
 * Who holds something is looked for in dumps of goroutines only, and only in
 * those that the answer is about: analysis_is_judged. */
#ifndef ANALYSIS_JUDGED_H
#define ANALYSIS_JUDGED_H

#include "analysis/analysis.h"

/* Whether a snapshot is judged and has goroutines that can hold something. */
bool judged_has_goroutines(const struct analysis *analysis, size_t snapshot);

/* Whether goroutines of a group stand in one of them. */
bool judged_has_group(const struct analysis *analysis,
                      const struct joined_group *group);

/* Whether goroutines are missing from a judged dump. */
bool judged_is_partial(const struct analysis *analysis);

#endif

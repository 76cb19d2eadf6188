/* origins.h - who started goroutines that wait to hand over what they made.
 *
 * A goroutine that was started in order to send mostly sends to the function
 * that started it. Whether somebody is in that function still says whether
 * anybody may receive. */
#ifndef ANALYSIS_ORIGINS_H
#define ANALYSIS_ORIGINS_H

#include "analysis/analysis.h"

/* A queue of which nobody is known. */
struct origin {
    struct holding *holding;          /* which is to be completed */
    const struct joined_group *group; /* of the queue, the largest */
    const bool *dumps; /* of each snapshot: some wait here; NULL = there is
                          one */
    uint32_t next;     /* with the same starter: its index + 1 */
};

/* Marks the dumps in which goroutines of a group stand, if there are several;
 * *dumps is NULL at first. False without memory. */
bool origins_note(const struct analysis *analysis, struct arena *scratch,
                  bool **dumps, const struct joined_group *group);

/* The goroutines of a group in the dumps that are marked; NULL marks all of
 * them. Those of a panic that was logged an hour before hold nothing now. */
uint64_t origins_count(const struct analysis *analysis, const bool *dumps,
                       const struct joined_group *group);

/* Sets started_by, and who is in that function, in the holdings of n origins.
 * scratch is for the time of the call. False when memory ran out. */
bool origins_find(struct analysis *analysis, struct arena *scratch,
                  struct origin *origins, size_t n);

#endif

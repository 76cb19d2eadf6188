/* moments.h - the snapshots of one process in order of time.
 *
 * A comparison takes its inputs in the order given. What is known of times only
 * gives the distances: from --times or --interval, else what every profile
 * says, else what every file's name says, else when the files were last
 * written. Where one snapshot lacks a time, or times fall, distances are
 * steps. */
#ifndef ANALYSIS_MOMENTS_H
#define ANALYSIS_MOMENTS_H

#include "model/collection.h"

/* Where distances come from. */
enum clock_source {
    CLOCK_STEPS, /* unknown: one from each snapshot to the next */
    CLOCK_GIVEN,
    CLOCK_PROFILE,
    CLOCK_NAME,
    CLOCK_FILE,
};

/* One process over time. */
struct moments {
    struct str instance;     /* empty = the only one */
    const size_t *snapshots; /* indices in the collection, in order */
    size_t n;
    const double *hours; /* since the first; steps when the clock is */
    enum clock_source clock;
    size_t first; /* where the part begins that is judged: the process
                     restarted before it */
};

/* Puts the snapshots of goroutines into series, one an instance, in order of
 * the inputs. Restarts and times that contradict the order are added to the
 * diagnostics. Everything lives in arena. False when memory ran out. */
bool moments_collect(struct cprof_snapshots *snapshots, struct arena *arena,
                     struct moments **ret, size_t *ret_count);

/* The word of JSON and text: "steps", "given", "profile", "name", "file". */
const char *clock_source_text(enum clock_source clock);

#endif

/* moments.h - the snapshots of one process in order of time.
 *
 * A comparison takes its inputs in the order given. What is known of times only
 * gives the distances: from --times or --interval, else what every profile
 * says, else what every file's name says, else when the files were last
 * written. Where one snapshot lacks a time, or times fall, distances are
 * steps. */
#ifndef ANALYSIS_MOMENTS_H
#define ANALYSIS_MOMENTS_H

#include "analysis/families.h"
#include "analysis/instance_numbers.h"

/* Where distances come from. */
enum clock_source {
    CLOCK_STEPS, /* unknown: one from each snapshot to the next */
    CLOCK_GIVEN,
    CLOCK_PROFILE,
    CLOCK_NAME,
    CLOCK_FILE,
};

enum {
    /* Seconds after which a request that waits is no longer on its way: the
     * minute that all that is said of a second dump asks for, short of how
     * times are rounded. */
    MOMENTS_APART = 59,
};

/* One process over time. */
struct moments {
    struct str instance;     /* empty = the only one */
    const size_t *snapshots; /* indices in the collection, rising */
    size_t n;
    const double *hours; /* since the first; steps when the clock is */
    enum clock_source clock;
    size_t first;     /* where the part begins that is judged: the process
                       restarted before it */
    bool has_restart; /* it did; otherwise the first were left out (--skip) */
    bool is_across; /* or after it: the last of one process and the only one of
                       the next are compared */
};

/* Gives the snapshots of a comparison the times of the options, in their order,
 * and then sorts them by time if that is asked for. False when memory ran
 * out. */
bool moments_order(struct cprof_snapshots *snapshots);

/* The series of a comparison, and whose moment each snapshot is. */
struct moments_list {
    struct moments *items; /* in order of their first snapshots */
    size_t count;
    uint32_t *of; /* by snapshot: the place of its series from 1; 0 = none */
};

/* Puts the snapshots of the leading family, unless it measures something, into
 * series, one an instance. Those that are
 * incomplete or hold nothing are left out while two others remain. That,
 * restarts, and times that contradict the order are added to the diagnostics.
 * Everything lives in arena. False when memory ran out. */
bool moments_collect(struct cprof_snapshots *snapshots,
                     const struct families *families,
                     const struct instance_numbers *numbers,
                     struct arena *arena, struct moments_list *ret);

#define MOMENTS_NONE SIZE_MAX

/* Which moment of a series a snapshot of the collection is, or MOMENTS_NONE. */
size_t moments_find(const struct moments *series, size_t snapshot);

/* The first moment from `at` on whose snapshot was not folded; the last one if
 * there is none before. */
size_t moments_whole(const struct cprof_snapshots *snapshots,
                     const struct moments *series, size_t at);

/* Whether the last moment is known to come so soon after the first of those
 * that are judged that who waits at both may be on its way still. */
bool moments_are_near(const struct moments *series);

/* The word of JSON and text: "steps", "given", "profile", "name", "file". */
const char *clock_source_text(enum clock_source clock);

#endif

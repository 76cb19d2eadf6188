/* growth_course.h - what is known of one series while its sites are judged. */
#ifndef ANALYSIS_GROWTH_COURSE_H
#define ANALYSIS_GROWTH_COURSE_H

#include "analysis/growth_parts.h"
#include "analysis/site_ages.h"
#include "analysis/staying.h"
#include "analysis/stuck.h"
#include "analysis/survivors.h"

/* Minutes from which on an age is not that of a wait of a moment. */
#define GROWTH_AGE_TELLS (2 * COLLECTED_WITHIN + 1)
/* Of those in a place so many must have an age when some have. */
#define GROWTH_AGED 0.9

struct course {
    struct analysis *analysis;
    const struct moments *series;
    struct growth_parts parts;
    struct survivors *survivors;
    struct staying staying;
    struct stuck_moves moves;
    struct site_ages *before; /* of all sites, in the first whole snapshot */
    struct site_ages *after;  /* and in the last */
    uint32_t told;            /* site_ages_told of the time between them */
    bool has_ages;            /* some goroutine in the last has an age */
    bool is_busier;           /* what comes and goes became more */
    struct series_scratch scratch;
};

/* The first moment from `at` on whose snapshot was not folded. */
static inline size_t course_whole(const struct course *course, size_t at)
{
    return moments_whole(analysis_snapshots(course->analysis), course->series,
                         at);
}

/* Minutes from a moment to the last. */
static inline double course_since(const struct course *course, size_t moment)
{
    const struct moments *series = course->series;

    return (series->hours[series->n - 1] - series->hours[moment]) * 60;
}

/* Minutes from the first whole moment to the last. */
static inline double course_passed(const struct course *course, size_t first)
{
    return course_since(course, course_whole(course, first));
}

/* Whether ages say that some of so many goroutines left a place in the minutes
 * passed, and others, or they again, came for them. */
bool course_ages_tell_moves(const struct course *course,
                            const struct site_ages *ages, double count,
                            double passed);

/* Whether the longest wait at a site is as old as what is looked at. */
bool course_is_as_old(const struct course *course, size_t first, size_t index);

/* Tells a site, whose verdict stands, what ids and ages say besides. */
void course_add_evidence(const struct course *course, size_t first,
                         size_t index, struct site_growth *site);

#endif

/* growth_level.h - how bad it is that a place grows. */
#ifndef RULES_GROWTH_LEVEL_H
#define RULES_GROWTH_LEVEL_H

#include "cprof/cprof.h"

#include "analysis/growth_sites.h"
#include "model/options.h"

/* How many goroutines at a site are bad in themselves: what --limit gives, of a
 * number and of memory the one that comes first, or 10,000. *ret_bytes is the
 * memory where that decided, else 0; NULL when nobody asks. */
double growth_limit(const struct cprof_options *options,
                    const struct site_growth *site, uint64_t *ret_bytes);

/* The severity of what a site does over time, CPROF_SEVERITY_OK for what is
 * no fault. limit is a number of goroutines at one site that is bad in itself,
 * 0 for the usual one.
 *
 * Two snapshots that differ are low: medium from a thousand added, or where
 * goroutine ids show that they stay. Three or four are medium, the whole test
 * is high, and critical when the limit is reached, or will be within a day and
 * within 360 times the rise that was seen. In waits that healthy code keeps in
 * numbers all of it is one level lower while nothing tells traffic from a leak:
 * neither the load of the rest, nor ages that grow with the clock, nor, under
 * the whole test, ids. What ids show to pass through is traffic: low.
 *
 * What only the end of a series shows is not projected, and medium while that
 * is of minutes: growth_is_early.
 *
 * Who is stuck is medium, and high where ids and ages say so. An idle pool and
 * a supervisor look the same: in a receive or a Cond it is low, in the Wait of
 * a WaitGroup medium at most. */
enum cprof_severity growth_severity(const struct site_growth *site,
                                    double limit);

/* The same where a rule of class `bad` speaks: healthy code keeps no numbers of
 * what it matches, whatever the wait, so that ids are enough for what grew. */
enum cprof_severity growth_severity_bad(const struct site_growth *site,
                                        double limit);

/* Whether what a site does is not for so many of its goroutines to tell: nearly
 * all of it are others, as those who wait where one was just woken. */
bool growth_is_of_others(const struct site_growth *site, uint64_t count);

#endif

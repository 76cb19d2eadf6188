/* families.h - series of counts as services make them, healthy and leaking.
 *
 * Every family is a function of dice, so that a run can be repeated. What they
 * model and where the figures come from is in docs/growth.md. */
#ifndef TESTS_FAMILIES_H
#define TESTS_FAMILIES_H

#include <stdbool.h>
#include <stddef.h>

#include "../gen/dice.h"

enum { POINTS_MOST = 48, COMPANIONS_MOST = 9 };

/* How busy the service is over time: 1 is usual. */
enum wave { WAVE_FLAT, WAVE_AR, WAVE_DAY, WAVE_MORNING, WAVE_STEP, N_WAVES };

extern const char *const wave_names[N_WAVES];

/* One service, watched n times: the counts of one group that is judged, and of
 * others beside it. */
struct service {
    size_t n;
    double times[POINTS_MOST];
    double wave[POINTS_MOST];
    double counts[POINTS_MOST];
    double companions[COMPANIONS_MOST][POINTS_MOST];
    size_t n_companions;
};

/* A way in which the counts of a healthy group come about. */
struct service_family {
    const char *name;
    const char *about;
    void (*fill)(struct dice *dice, struct service *service);
    double most;  /* percent of its services that may be flagged at N = 12 */
    bool follows; /* the load: judged under every wave */
};

extern const struct service_family families[];
extern const size_t n_families;

/* Starts a service: n moments at equal distances, its wave, and companions that
 * follow it: four of 40 to 400 goroutines, or nine of which two follow it by
 * half and two are pools of a fixed size. */
void service_start(struct service *service, struct dice *dice, size_t n,
                   enum wave wave, bool has_many);

/* Adds a leak to a group that usually has `base` goroutines and follows the
 * load: so many a moment, more when the load is higher if it follows it. */
void service_leak(struct service *service, struct dice *dice, double base,
                  double rate, bool follows);

/* A number of events whose mean is known (Poisson). */
double dice_count(struct dice *dice, double mean);

#endif

/* lapse.h - how long something lasts, counted by the runs that look.
 *
 * A cron job that stood still for three days has seen nothing of them. So a gap
 * between two runs counts as at most three times the usual one, and the first,
 * before which none is known, as at most an hour. */
#ifndef NOTIFY_LAPSE_H
#define NOTIFY_LAPSE_H

#include <stdbool.h>
#include <stdint.h>

/* All zero is one that no run has counted yet. Times are nanoseconds. */
struct lapse {
    int64_t at_ns;     /* the run that counted last, since 1970; 0 = none */
    int64_t usual_ns;  /* how far runs lie apart; 0 = not known */
    int64_t passed_ns; /* what they have counted */
};

/* Counts the time from the run before to this one. A clock that was set back
 * counts nothing. True when it was a pause, of which only a part counts. */
bool lapse_step(struct lapse *lapse, int64_t now_ns);

#endif

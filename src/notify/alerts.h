/* alerts.h - the alerts of a target, from one run to the next. */
#ifndef NOTIFY_ALERTS_H
#define NOTIFY_ALERTS_H

#include "notify/lapse.h"
#include "notify/persistence.h"
#include "notify/sightings.h"

/* One alert, as it is remembered and as it is shown: state, status and runs of
 * `shown` are those of `memory`, and its target is not set here. */
struct alert {
    struct outcome_alert shown;
    struct persistence memory;
    bool is_range;     /* of -w or -c: comes and goes at once */
    size_t rank;       /* of its sighting in this run, from 1; 0 = none */
    uint64_t peak;     /* the most goroutines since it was found */
    int64_t last_ns;   /* the last run that found it by more than its count */
    struct lapse rest; /* since that, by runs that looked */
    bool is_paused;    /* nobody looked for long, in that time */
    struct lapse away; /* since the last run that asked for its instance */
    uint32_t unsent;   /* receivers that are still to be told (delivery.h) */
};

struct alerts {
    struct alert *items;
    size_t n;
};

/* An alert stays while its goroutines do, without growing further, for so
 * long. */
#define ALERT_STAYS_NS ((int64_t)24 * 3600 * 1000000000)

/* How a run counts. */
struct alert_run {
    unsigned needed; /* runs that growth has to hold, or be gone */
    int64_t now_ns;
    uint64_t goroutines; /* of the process; 0 = not known */
    bool is_repeat;      /* it looked at the same dump as the one before */
    bool is_young;       /* there are fewer snapshots of the process than show
                            growth */
    bool is_partial;     /* the dump does not hold all goroutines */
};

/* Makes the alerts of a run out of those of the run before and what this one
 * saw. Without sightings (NULL: the target could not be read) all stay as they
 * are, and so do those that a part of a dump does not show, or shows milder: it
 * may be in the other part. What was resolved is forgotten, once all receivers
 * know of it, or after a day. A firing alert that growth raised, and that is
 * not found, counts as seen for a day of runs (lapse.h) while nine of ten of
 * its goroutines are there and the place did not fill up: a leak that rests is
 * still one. One whose goroutines become more in a process too young to be
 * judged is neither found nor missed, for a day of runs. What the baseline
 * accepts is over at once. Texts of both are borrowed; the array is in
 * arena. */
int alerts_step(struct alerts *ret, const struct alerts *before,
                const struct sightings *seen, const struct alert_run *run,
                struct arena *arena, struct cprof_error *err);

/* Makes the alerts of an instance that this run does not ask for. What fires
 * ends, and what is pending is forgotten, once runs for other instances have
 * gone on for ALERT_STAYS_NS without anybody asking for this one: it may be
 * that of another list, whose runs come later. What was resolved stays as in
 * alerts_step. */
int alerts_step_away(struct alerts *ret, const struct alerts *before,
                     int64_t now_ns, struct arena *arena,
                     struct cprof_error *err);

/* Takes out of the remarks what is said of functions in which an alert fires:
 * it is no news, and "no alert" is not true. */
void alerts_hush(const struct alerts *alerts, struct sightings *seen);

#endif

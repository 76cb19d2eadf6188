/* sightings.h - what one run saw of a target, before anything is remembered.
 *
 * A target is judged twice: its dump alone, as `analyze` does, and beside its
 * history, as `diff` does. Both reports may speak of one place; here they are
 * put together, one sighting for each rule and function. Of growth counts what
 * change_alert_level says of it. */
#ifndef NOTIFY_SIGHTINGS_H
#define NOTIFY_SIGHTINGS_H

#include "base/arena.h"
#include "notify/plugin.h"
#include "report/report.h"

/* From which severity on a finding amounts to WARNING, and to CRITICAL; OK =
 * none does. */
struct alert_levels {
    enum cprof_severity warning;
    enum cprof_severity critical;
};

struct sighting {
    struct str key; /* as in outcome.h, and so are the texts */
    struct str rule;
    struct str title;
    struct str confidence;
    struct str function;
    struct str site;
    struct str places;
    struct str state_text;
    struct str explain;
    struct str advice;
    enum cprof_severity severity; /* the worse of both */
    enum confidence sureness;     /* of the surer of both */
    double cost;                  /* of growth (analysis/growth.h); 0 = none */
    enum check_status at_once;    /* what the dump alone amounts to */
    enum check_status grown;      /* what growth does, once it has held */
    bool is_range; /* a range of -w or -c was left, which is neither waited for
                      nor remembered */
    uint64_t count;
    double share;
    bool has_growth; /* the next three are known */
    double delta;
    bool has_rate;
    double per_hour;
};

/* How many goroutines stand at a function, whatever is found of them. */
struct sighted_place {
    struct str function;
    uint64_t count;
    size_t n_of_function; /* places that were added up: 0 = it is one */
    uint64_t before; /* at the first snapshot of the series; 0 without one */
    bool has_shrunk; /* the series says that it did, */
    bool is_full;    /* or that it filled up as a pool */
};

struct sightings {
    struct sighting *items; /* those that amount to something; worst first */
    size_t n_items;
    struct sighting *going_on; /* leak-like growth that is worth no new alert */
    size_t n_going_on;
    struct sighted_place *places; /* of the series, or the dump alone */
    size_t n_places;
    struct str *remarks;  /* findings of medium severity and above that amount
                            to nothing, a line each */
    struct str *remarked; /* the function of each; may be empty */
    size_t n_remarks;
    struct str *accepted; /* keys of findings that the baseline accepts */
    size_t n_accepted;
    uint64_t n_findings; /* of low severity and above */
};

/* Takes the sightings out of the report of a dump and that of its series, which
 * is NULL while there is nothing to compare with. Texts are copied into
 * arena. */
int sightings_take(struct sightings *ret, const struct cprof_report *now,
                   const struct cprof_report *series,
                   const struct alert_levels *levels, struct arena *arena,
                   struct cprof_error *err);

/* Adds sightings for the ranges that the figures of a target leave. */
int sightings_add_ranges(struct sightings *sightings,
                         const struct plugin_ranges *ranges,
                         uint64_t goroutines, struct arena *arena,
                         struct cprof_error *err);

/* The key of an alert: of its rule and the function where it waits. */
struct str alert_key(struct str rule, struct str function, struct arena *arena);

#endif

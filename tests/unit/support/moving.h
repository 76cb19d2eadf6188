/* moving.h - moments of a process made by hand and compared, for tests. */
#ifndef SUPPORT_MOVING_H
#define SUPPORT_MOVING_H

#include "analysis/growth_sites.h"
#include "support/reporting.h"

struct moving {
    struct reporting base; /* options and snapshots; no report is made */
    struct analysis *analysis;
    struct growth *growth;
};

/* Prepares an empty series. */
void moving_init(struct moving *moving);
void moving_done(struct moving *moving);

/* Adds a moment; the goroutines that follow go into it. */
struct snapshot *moving_moment(struct moving *moving, const char *source);

/* Adds count goroutines in one function, "main.f", each function at a line of
 * its own and without ids; first_id other than 0 gives them ids from there. */
void moving_add(struct snapshot *snapshot, const char *function,
                const char *state, uint64_t count, uint64_t first_id);

/* Adds a moment of an hour's distance for each of n counts of main.f in a
 * state, beside five groups of `others` goroutines that never change. */
void moving_course(struct moving *moving, const char *state,
                   const uint64_t *counts, size_t n, uint64_t others);

/* Analyses what was added, and compares it. */
void moving_analyse(struct moving *moving);
void moving_compare(struct moving *moving);

/* What the site with a function does, which must be there; compares if that
 * was not done. */
const struct site_growth *moving_site(struct moving *moving,
                                      const char *function);

/* The codes of the diagnostics, with one blank between them, until the next
 * call. */
const char *moving_codes(struct moving *moving);

#endif

/* places.h - where the goroutines of a target stand, in figures. */
#ifndef NOTIFY_PLACES_H
#define NOTIFY_PLACES_H

#include "base/arena.h"
#include "notify/outcome.h"
#include "report/report.h"

/* Fills the figures of a target from the report of its dump: goroutines,
 * declared, normal, is_complete, places and other. Texts are copied into
 * arena. */
int places_take(struct outcome_target *ret, const struct cprof_report *report,
                struct arena *arena, struct cprof_error *err);

#endif

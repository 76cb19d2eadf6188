/* places.h - where the goroutines of a target stand, in figures. */
#ifndef NOTIFY_PLACES_H
#define NOTIFY_PLACES_H

#include "base/arena.h"
#include "base/buf.h"
#include "notify/sightings.h"
#include "report/report.h"

/* Fills the figures of a target from the report of its dump: goroutines,
 * declared, normal, is_complete, places and other. Texts are copied into
 * arena. */
int places_take(struct outcome_target *ret, const struct cprof_report *report,
                struct arena *arena, struct cprof_error *err);

/* Lists the places of a report that have a function, one a group: a function
 * may be there more than once. Room is needed for as many as it has groups;
 * names are borrowed from it. Returns how many there are. */
size_t places_list(struct sighted_place *ret,
                   const struct cprof_report *report);

/* Appends the places where the groups of a finding wait, each once, as
 * "A f.go:17, B f.go:9": at most three, and how many more there are. Groups
 * without frames have none. */
void places_add_finding(struct buf *buf, const struct cprof_report *report,
                        const struct finding *finding);

#endif

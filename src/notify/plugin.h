/* plugin.h - an outcome as a monitoring plugin says it.
 *
 *     CPROF_LEAKS WARNING - TITLE, 12,345 goroutines | goroutines=12345;...
 *     more lines, as long as they need to be
 *
 * The first line is the status for Nagios, Icinga and their like, with figures
 * for their graphs behind "|", which therefore stands nowhere else. It is
 * shorter than 4 KB, what NRPE takes. Figures have names that never change, and
 * points in any locale (monitoring-plugins.org: development guidelines). */
#ifndef NOTIFY_PLUGIN_H
#define NOTIFY_PLUGIN_H

#include "base/buf.h"
#include "notify/outcome.h"
#include "notify/range.h"

/* What the ranges are of. */
enum { RANGE_GOROUTINES, RANGE_FINDINGS, N_RANGES };

/* -w and -c. */
struct plugin_ranges {
    struct range warning[N_RANGES];
    struct range critical[N_RANGES];
};

/* "goroutines", "findings": the words of -w and -c, and of figures. */
extern const char *const range_names[N_RANGES];

/* Appends all lines. Of several targets the figures are those of the one with
 * the most; duration_ms is that of the whole run. */
void plugin_add(struct buf *out, const struct outcome *outcome,
                const struct plugin_ranges *ranges, uint64_t duration_ms);

/* Appends the one line of a run that found no answer, for whatever reason. */
void plugin_add_unknown(struct buf *out, struct str why);

#endif

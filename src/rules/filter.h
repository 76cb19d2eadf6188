/* filter.h - what the user wants to look at.
 *
 * Applies --focus, --ignore, --state, --label, --min-count and --min-age to
 * the joined groups: what they leave out is marked is_filtered and is seen
 * neither by rules nor by group lists. Shares stay those of the whole
 * process. */
#ifndef RULES_FILTER_H
#define RULES_FILTER_H

#include "analysis/analysis.h"
#include "model/options.h"
#include "rules/pattern.h"

/* Marks the groups that the options leave out. CPROF_EUSAGE names an option
 * whose expression does not compile or whose state no Go version knows (with
 * the nearest that one does). */
int filter_apply(struct analysis *analysis, const struct cprof_options *options,
                 struct cprof_error *err);

/* Refuses expressions of the options that do not compile, as filter_apply
 * does: for a program that wants to know it before it asks a service for its
 * goroutines. */
int filter_check(const struct cprof_options *options, struct cprof_error *err);

/* Says which expressions of an option gave up on names: what they would have
 * chosen is in or out by chance then. */
void filter_say_limits(struct cprof_snapshots *snapshots, const char *option,
                       struct pattern *const *patterns, size_t n);

#endif

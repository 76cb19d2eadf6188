/* names.h - what an export shows of names and files, which strangers wrote. */
#ifndef EXPORT_NAMES_H
#define EXPORT_NAMES_H

#include "base/buf.h"
#include "export/export.h"
#include "export/groups.h"

/* The text with all escaped that no terminal should get (base/escape.h), in
 * the scratch buffer; good until the next call with it. */
struct str export_escaped(struct buf *scratch, struct str text);

/* "goroutine" and "count", or what a value of the set is called. */
struct value_type export_type(const struct export_groups *groups, size_t index);

/* How many values a group of the set has: its types, or the count alone. */
size_t export_n_types(const struct export_groups *groups);

/* A value of a group; counts beyond 63 bits stay at the largest number. */
int64_t export_value(const struct export_groups *groups,
                     const struct export_group *group, size_t index);

/* A name for the set: its one source, or "N inputs". */
void export_title_add(struct buf *buf, const struct export_request *request);

#endif

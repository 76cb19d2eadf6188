/* exporting.h - dumps from memory, exported to memory. */
#ifndef SUPPORT_EXPORTING_H
#define SUPPORT_EXPORTING_H

#include "export/export.h"
#include "support/reading.h"

/* Analyses what was read and appends its export in a form to out; all judged
 * snapshots are added up. Returns what export_write returns. */
int exporting_write(struct reading *reading, const char *form, struct buf *out,
                    struct cprof_error *err);

#endif

/* human.h - figures for columns, and what rules/words.h does not have.
 *
 * Nothing here depends on the locale. */
#ifndef REPORT_HUMAN_H
#define REPORT_HUMAN_H

#include "base/buf.h"
#include "model/options.h"

/* Appends a share (0 to 1) for a column: "99.98 %". Two digits always, and
 * what is not all is never 100 %, what is not nothing never 0 %. */
void share_add_fixed(struct buf *buf, double share);

/* Appends a number of seconds for a column, in at most two units, rounded
 * down: "5m", "1h20m", "3d". */
void age_add_short(struct buf *buf, uint64_t seconds);

/* Appends the longest wait, of which Go has printed so many minutes, for a
 * column: "1h3m+", which is surely so long (wait_at_least), or "~2m". */
void age_add_wait(struct buf *buf, uint32_t minutes);

/* Appends the word of --group-by: "site", "label:tenant". */
void group_by_add(struct buf *buf, const struct cprof_options *options);

#endif

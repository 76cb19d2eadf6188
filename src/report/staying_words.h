/* staying_words.h - what ids say of the goroutines of a place that grew: who
 * stays and who comes and goes. */
#ifndef REPORT_STAYING_WORDS_H
#define REPORT_STAYING_WORDS_H

#include "analysis/growth_sites.h"
#include "base/buf.h"

/* "29 to 128", as whole numbers. */
void staying_words_ends(struct buf *buf, double before, double after);

/* "; those of the start are still there, by their ids", or what else is
 * known; nothing without ids. */
void staying_words_add(struct buf *buf, const struct site_growth *site);

#endif

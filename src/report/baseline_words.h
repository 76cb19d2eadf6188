/* baseline_words.h - what a baseline says, the same in every output for
 * people. */
#ifndef REPORT_BASELINE_WORDS_H
#define REPORT_BASELINE_WORDS_H

#include "base/buf.h"
#include "report/report.h"

/* Appends what the baseline says of a finding: "accepts up to 60; there are
 * 94". */
void words_of_acceptance(struct buf *words, const struct acceptance *said);

/* Appends how much the baseline accepts, and how many of its entries have no
 * effect: "3 findings accepted by the baseline leaks.yaml, 120 goroutines. Of
 * its 5 entries, 1 has expired." For a report that has one; with a hint, it
 * says which option lists them. */
void words_of_baseline(struct buf *words, const struct cprof_report *report,
                       bool with_hint);

/* Appends one finding that is accepted, by its index: "medium, 240 of up to
 * 360: chan-send-blocked at main.run main.go:18". */
void words_of_accepted(struct buf *words, const struct cprof_report *report,
                       size_t index);

#endif

/* answer_words.h - sentences about the whole answer, the same in every output
 * for people. */
#ifndef REPORT_ANSWER_WORDS_H
#define REPORT_ANSWER_WORDS_H

#include "base/buf.h"
#include "report/measures.h"

/* Appends a count with what is counted: "1 thread" or "3 threads". */
void counted_add(struct buf *buf, const struct nouns *nouns, uint64_t count);

/* Appends "97,908 of 97,926 goroutines (99.98 %)". */
void counted_of_add(struct buf *buf, const struct cprof_report *report,
                    uint64_t count, double share);

/* Appends ", in 2 of 3 dumps" when several are judged. */
void dumps_add(struct buf *buf, const struct cprof_report *report,
               size_t n_dumps);

/* Appends why there is no answer: "cannot be judged: the frames of 202 of 203
 * goroutines could not be read". For a report that is not judged. */
void words_of_unjudged(struct buf *words, const struct cprof_report *report);

/* Appends what stands in place of findings when none is loud: "nothing stands
 * out among 83 goroutines", or words_of_unjudged; where an input is incomplete
 * it says so too, since what is missing may be what stands out. */
void words_of_calm(struct buf *words, const struct cprof_report *report);

/* Appends what such dumps cannot show, lest silence be taken for health:
 * "debug=1 carries no ages. ...". Nothing where they show all. */
void words_of_limits(struct buf *words, const struct cprof_report *report);

/* Appends how much the filters keep, lest a short list be taken for all. For a
 * report that is filtered. */
void words_of_filters(struct buf *words, const struct cprof_report *report);

/* Appends what a leak profile said, lest its silence be taken for health. For a
 * report that has one. */
void words_of_proof(struct buf *words, const struct cprof_report *report);

/* Appends one snapshot as it was read: "dump.txt: debug=1, 97,911 goroutines,
 * incomplete", by its index in the collection. */
void words_of_snapshot(struct buf *words, const struct cprof_report *report,
                       size_t snapshot);

/* Appends a diagnostic behind its severity: "dump.txt:1: ... (and 3 more like
 * it)". */
void words_of_diagnostic(struct buf *words, const struct diag *diag);

#endif

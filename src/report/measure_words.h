/* measure_words.h - sentences about what was measured, the same in every output
 * for people. */
#ifndef REPORT_MEASURE_WORDS_H
#define REPORT_MEASURE_WORDS_H

#include "base/buf.h"
#include "report/measures.h"

/* Appends what a profile that measures says as a whole: "a mutex profile: 1.20s
 * of delay, 159 contentions". */
void words_of_measured(struct buf *words, const struct cprof_report *report);

/* Appends how what was measured beside goroutines changed, sentence by
 * sentence, each with a blank behind it. */
void words_of_measured_beside(struct buf *words,
                              const struct cprof_report *report);

/* Appends that a profile was off, or why it may be empty, with a blank behind
 * it; nothing where neither is so. */
void words_of_sampling(struct buf *words, const struct cprof_report *report);

/* Appends how much of the heap was allocated in a function, or in what it
 * called: "170.58MB (81.36 %) of inuse_space was allocated in it or in what it
 * called". Nothing where no heap profile is there that says so, or where it is
 * less than one percent. */
void words_of_heap_in(struct buf *words, const struct cprof_report *report,
                      struct str function);

/* Appends what the values of a profile are of, where its name does not say
 * it. */
void words_of_meaning(struct buf *words, const struct measures *measures);

/* The heading above the lines of code that are behind what was measured. */
struct str words_of_sites(const struct measures *measures);

/* Appends what the stacks without own code are together: "standard library
 * alone, 3 lines". */
void words_of_library(struct buf *words, const struct measures *measures);

/* Appends the runtime's own numbers, which the text of a heap profile ends
 * with: "HeapAlloc 1.43MB, ...; NumGC 12". */
void words_of_memstats(struct buf *words, const struct memstats *stats);

#endif

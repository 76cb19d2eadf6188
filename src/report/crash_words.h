/* crash_words.h - what is said of the end of a process. */
#ifndef REPORT_CRASH_WORDS_H
#define REPORT_CRASH_WORDS_H

#include "report/report.h"

/* Appends the first line of a crash, with its place: "panic: boom in goroutine
 * 7 at main.f (main.go:12)"; of a dump that was asked for with what goroutine 1
 * does. */
void words_of_crash(struct buf *words, const struct crash_view *view);

/* Appends where a goroutine of a snapshot, by its index in the collection, had
 * panicked when it was printed: "; a panic at main.f (main.go:12)". */
void words_of_panic(struct buf *words, const struct cprof_report *report,
                    size_t snapshot);

/* Is told one line of a crash, not escaped; it lives as long as the call. */
typedef void crash_line_fn(void *user, struct str line);

/* Tells the lines of a crash in its own words, without place: "panic: boom",
 * "panic: again", "SIGSEGV: segmentation violation code=0x1 addr=0x0". */
void crash_lines_each(const struct crash *crash, crash_line_fn *tell,
                      void *user);

/* The same without the first, which words_of_crash tells with its place. */
void crash_lines_below(const struct crash *crash, crash_line_fn *tell,
                       void *user);

/* The crash that speaks of goroutines of a finding, NULL when none does. Of
 * several instances that died, it is that of one. */
const struct crash *crash_of_finding(const struct cprof_report *report,
                                     const struct finding *finding);

#endif

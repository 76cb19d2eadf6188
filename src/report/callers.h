/* callers.h - who called the code of others that goroutines wait in. */
#ifndef REPORT_CALLERS_H
#define REPORT_CALLERS_H

#include "report/report.h"

/* Appends the places of the program that called what a finding waits in, the
 * most frequent first, as "main.(*cache).Get cache.go:16 (120), others (3)":
 * where this is a downloaded or a vendored module by its path, and the stacks
 * lead there from code that is not. Nothing otherwise. */
void callers_add(struct buf *words, const struct cprof_report *report,
                 const struct finding *finding);

#endif

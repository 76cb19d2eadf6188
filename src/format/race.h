/* race.h - reports of the race detector, which are no goroutine dumps.
 *
 * They may stand anywhere in the output of a program, also between the frames
 * of a stack, and name goroutines and frames of their own
 * (runtime/race, compiler-rt: tsan_report.cpp). */
#ifndef FORMAT_RACE_H
#define FORMAT_RACE_H

#include "format/format.h"

/* Whether a report begins with the line, which is the one at the cursor of
 * lines: eighteen "=" and "WARNING: DATA RACE" behind them. Slices taken before
 * may be void. */
bool race_begins(struct lines *lines, struct str line);

/* Skips the report at the cursor, its closing line of "=" included, and counts
 * its lines as those of others. It ends at the latest after RACE_LINES_MOST
 * lines and before the header of a goroutine. */
void race_skip(struct section *section);

/* The same line by line, where no dump is read: whether the line at the cursor
 * is inside a report, behind its first. *n is 0 before the first line that is
 * asked for. Slices taken before may be void. */
bool race_goes_on(struct lines *lines, struct str line, unsigned *n);

enum { RACE_LINES_MOST = 2000 };

#endif

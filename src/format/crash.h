/* crash.h - what a Go process prints when it dies. */
#ifndef FORMAT_CRASH_H
#define FORMAT_CRASH_H

#include "format/format.h"

/* The reader "crash" (runtime/panic.go, runtime/signal_unix.go): a reason and
 * the goroutines behind it, as one snapshot whatever ids come again. */
extern const struct format crash_format;

/* Says that n stacks of a crash, which begins at a line, came again in the
 * dumps of its threads. */
void crash_say_repeats(struct section *section, uint64_t line, uint64_t n);

#endif

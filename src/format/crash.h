/* crash.h - what a Go process prints when it dies. */
#ifndef FORMAT_CRASH_H
#define FORMAT_CRASH_H

#include "format/format.h"

/* The reader "crash" (runtime/panic.go, runtime/signal_unix.go): a reason and
 * the goroutines behind it, as one snapshot whatever ids come again. */
extern const struct format crash_format;

#endif

/* stacks.h - goroutine stacks as text: debug=2 and runtime.Stack. */
#ifndef FORMAT_STACKS_H
#define FORMAT_STACKS_H

#include "format/format.h"

/* The reader "debug2" (runtime/traceback.go: tracebackothers). */
extern const struct format stacks_format;

#endif

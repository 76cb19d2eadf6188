/* size_limit.h - the size at which debug=2 is cut.
 *
 * The goroutines of /debug/pprof/goroutine?debug=2 are written to a buffer that
 * grows to 64 MiB and no further; what does not fit is left out without a word
 * (runtime/pprof/pprof.go: writeGoroutineStacks). So a dump of just that size
 * was cut, mostly in the middle of a line. */
#ifndef FORMAT_SIZE_LIMIT_H
#define FORMAT_SIZE_LIMIT_H

#include "format/format.h"

/* Whether a dump that goes on to the end of the input has that size; the line
 * end that a log adds behind the cut may be counted. */
bool size_limit_is_at_end(const struct section *section,
                          struct snapshot *snapshot);

/* The same for a dump that goes on to an offset of the input. */
bool size_limit_is_at(uint64_t offset, struct snapshot *snapshot);

/* Says that the dump was cut there; it is not complete. */
void size_limit_say(struct section *section, struct snapshot *snapshot);

#endif

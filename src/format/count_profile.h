/* count_profile.h - counted stacks as text: debug=1 of goroutine,
 * goroutineleak, threadcreate and profiles that a program made itself. */
#ifndef FORMAT_COUNT_PROFILE_H
#define FORMAT_COUNT_PROFILE_H

#include "format/format.h"

/* The reader "debug1" (runtime/pprof/pprof.go: printCountProfile). */
extern const struct format count_profile_format;

#endif

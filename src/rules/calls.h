/* calls.h - what a goroutine waits for inside of a library, in words. */
#ifndef RULES_CALLS_H
#define RULES_CALLS_H

#include "model/symbols.h"

/* What the calls that a frame of a stack has made wait for: "an HTTP response",
 * "a child process". Empty where none of them is known, or the frame is not in
 * the stack. */
struct str calls_wait_for(const struct symbols *symbols, stack_id id,
                          frame_id frame);

#endif

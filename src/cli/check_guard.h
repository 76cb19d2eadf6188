/* check_guard.h - check answers in time, whatever happens.
 *
 * A monitoring system takes any other status than 0 to 3 for a broken plugin,
 * and waits for no one. */
#ifndef CLI_CHECK_GUARD_H
#define CLI_CHECK_GUARD_H

#include <stdint.h>

/* From here on a signal that ends the program, and the end of the time, print
 * the line of an UNKNOWN and exit with its status. */
void guard_begin(uint64_t timeout_s);

/* The answer is being written: from here on they say nothing beside it. */
void guard_answer(void);

/* The answer is out: from here on such signals wait, for what is left to do
 * has bounds of its own. */
void guard_end(void);

#endif

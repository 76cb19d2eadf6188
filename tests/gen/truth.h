/* truth.h - says in JSON what a reader has to find in a dump. */
#ifndef GEN_TRUTH_H
#define GEN_TRUTH_H

#include <stdint.h>

#include "debug2.h"
#include "tally.h"

struct truth {
    const struct population *population;
    const struct tally *tally;
    const struct debug2 *debug2; /* NULL: the dump is debug=1 */
    uint64_t bytes;              /* of the dump */
};

/* Writes the truth into a file, or exits with a message. One object:
 *
 *     format "debug1" or "debug2", go, seed, bytes,
 *     total             goroutines
 *     stacks            different stacks among them
 *     max_goroutine_id  null in debug=1
 *     locked_to_thread  goroutines; null in debug=1, which does not say it
 *     by_state          goroutines by what they do, in the words of Go 1.27;
 *                       debug=1 tells no "running", "runnable" and "syscall",
 *                       their keys are there all the same
 *     labels            {"handler": {value: goroutines}, "tenant": {..}}, of
 *                       the labels that the dump shows
 *     locks             [{address, waiters}], of those that are waited for;
 *                       addresses stand in debug=2 only
 *     groups            one for each stack, the largest first:
 *       function, file, line   its innermost frame that the dump shows
 *       site              its first frame outside the library, or null
 *       created_by        null in debug=1 and for goroutine 1
 *       state             as in by_state
 *       word              as debug=2 of this release prints it
 *       state_clear       whether this dump tells the state at all
 *       count
 *       min_age_minutes, max_age_minutes   null when no header says an age
 *       without_age       goroutines whose headers do not say one; 0 in debug=1
 *       locked_to_thread  goroutines; null in debug=1
 *       depth             frames, printed or not
 */
void truth_write(const struct truth *truth, const char *path);

#endif

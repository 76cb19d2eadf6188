/* glued_crash.h - whether text behind other text of its line is a crash.
 *
 * A program that printed a text without a line end and then crashed leaves both
 * on one line. Logs mention panics as well, so what Go prints behind a reason
 * must follow:
 *
 *     loading... fatal error: all goroutines are asleep - deadlock!
 *
 *     goroutine 1 [chan receive]: */
#ifndef UNWRAP_GLUED_CRASH_H
#define UNWRAP_GLUED_CRASH_H

#include "base/str.h"

enum glued_answer { GLUED_MAY_BE, GLUED_IS, GLUED_IS_NOT };

/* Where a look at the lines behind a reason stands. */
struct glued_crash {
    enum { GLUED_REASON, GLUED_BLANK, GLUED_TOP, GLUED_STACK } part;
    bool is_panic;
    bool is_signal;
    bool is_again; /* the reason says that it was recovered and thrown again */
    unsigned n_lines;
};

/* Begins with the line from its reason on. False when no crash is known by its
 * reason alone: "runtime: " and the like. */
bool glued_crash_init(struct glued_crash *text, struct str reason);

/* Looks at the next line. Where the input ends before it is known, it is none,
 * but for a stack that had begun (part is GLUED_STACK). */
enum glued_answer glued_crash_see(struct glued_crash *text, struct str line);

#endif

/* pauses.h - where a goroutine runs code of the program, and whether it rests
 * there, as loops do between their rounds. */
#ifndef ANALYSIS_PAUSES_H
#define ANALYSIS_PAUSES_H

#include "model/state.h"
#include "model/symbols.h"

/* The frames of the program in a stack, from the innermost to the outermost. */
struct own {
    uint32_t first; /* n_frames when there are none */
    uint32_t last;
};

/* Those of a stack: all that are not of the standard library. */
struct own own_of(const struct symbols *symbols, struct stack stack);

/* Whether a stack's own frame waits itself, in that state, as a loop does
 * between its rounds, and not in a call of the library, as of a request. */
bool own_is_pausing(const struct symbols *symbols, struct stack stack,
                    struct own own, state_id state);

/* Whether nothing of the program called the function of its innermost frame,
 * but for a closure that was started in order to. */
bool own_is_entry(const struct symbols *symbols, struct stack stack,
                  struct own own);

/* Whether a goroutine can never go on: "select (no cases)", or a nil channel
 * (runtime/chan.go, runtime/select.go: block). */
bool state_is_endless(state_id state);

#endif

/* states_frames.h - what the functions on a stack say about its wait.
 *
 * Go parks a goroutine through a handful of runtime functions, and packages
 * sync, internal/poll and time reach them by functions whose names the dumps
 * show. debug=0 shows the runtime's frames too, so there nearly every wait has
 * a name; debug=1 hides those, and a channel operation or a select then looks
 * like running code (states_addresses.h). */
#ifndef ANALYSIS_STATES_FRAMES_H
#define ANALYSIS_STATES_FRAMES_H

#include "model/symbols.h"

/* What a stack tells. */
struct frames_clue {
    state_id state; /* STATE_UNKNOWN when no function names it */
    int hidden;     /* how many frames of the runtime stand above the leaf,
                       which debug=1 hides, when the goroutine is parked there
                       by runtime.gopark; 0 = cannot be said */
};

/* Reads the stack from its leaf: leading runtime frames first, then the first
 * frame behind them. */
struct frames_clue frames_clue(const struct symbols *symbols,
                               struct stack stack);

/* Go before 1.20 says "semacquire" of every lock, and before 1.24 of a
 * WaitGroup. Gives the word that Go 1.27 has for the lock at the leaf of the
 * stack; STATE_SEMACQUIRE when it is none of package sync. A writer that waits
 * for the readers of an RWMutex is in sync.RWMutex.Lock; one that waits for
 * another writer is in sync.Mutex.Lock, as in newer versions (sync/rwmutex.go:
 * Lock takes the inner Mutex first). */
state_id frames_lift_semacquire(const struct symbols *symbols,
                                struct stack stack);

/* Whether the leaf is a function of the standard library that, when it parks
 * in a select, has cases to select from: nothing but two servers for tests
 * and for JavaScript say "select {}" there. */
bool frames_select_has_cases(const struct symbols *symbols, struct stack stack);

/* Whether a stack in STATE_SEMACQUIRE waits for a semaphore of the runtime
 * itself, as who begins or ends a cycle of the collector or stops the world
 * does (runtime/mgc.go: gcStart, gcMarkDone; proc.go: stopTheWorld): what
 * others wait for is reached by a function of another package, under which name
 * any dump shows it. False without frames. */
bool frames_is_runtime_queue(const struct symbols *symbols, struct stack stack);

/* Whether a stack in a state waits until somebody reads what it writes into an
 * io.Pipe or a net.Pipe, in a select or, where the state is not told, perhaps
 * (io/pipe.go, net/pipe.go: write). */
bool frames_is_pipe_write(const struct symbols *symbols, struct stack stack,
                          state_id state);

/* Whether the leaf belongs to iter.Pull, whose halves switch to each other
 * through runtime.coroswitch instead of parking. */
bool frames_is_coroutine(const struct symbols *symbols, struct stack stack);

#endif

/* state.h - what a goroutine is doing, in Go's own newest words.
 *
 * The words are those of runtime/runtime2.go (waitReasonStrings) and
 * runtime/traceback.go (gStatusStrings) of Go 1.27; words that no version
 * checked so far knows are kept as they come and get ids behind these. Three
 * words are ours, for debug=1, where a state can only be inferred, and one for
 * what a header calls runnable like everything that waits for a processor. */
#ifndef MODEL_STATE_H
#define MODEL_STATE_H

#include "base/str.h"

typedef uint16_t state_id;

/* ORDER STATE: the words in state.c stand in this order. */
enum {
    STATE_UNKNOWN,        /* ours: nothing is known */
    STATE_WAITING,        /* parked, the kind of wait is not known */
    STATE_CHAN_OPERATION, /* ours: a channel operation, direction unknown */
    STATE_CHAN_SEND,
    STATE_CHAN_RECEIVE,
    STATE_CHAN_SEND_NIL,
    STATE_CHAN_RECEIVE_NIL,
    STATE_SELECT,
    STATE_SELECT_NO_CASES,
    STATE_IO_WAIT,
    STATE_SLEEP,
    STATE_SEMACQUIRE,
    STATE_MUTEX_LOCK,
    STATE_RWMUTEX_RLOCK,
    STATE_RWMUTEX_LOCK,
    STATE_WAITGROUP_WAIT,
    STATE_COND_WAIT,
    STATE_SYSCALL,
    STATE_RUNNING,
    STATE_RUNNABLE,
    STATE_NOT_STARTED, /* ours: runnable, and has not run yet */
    STATE_IDLE,
    STATE_DEAD,
    STATE_PREEMPTED,
    STATE_COPYSTACK,
    STATE_FINALIZER_WAIT,
    STATE_CLEANUP_WAIT,
    STATE_FORCE_GC_IDLE,
    STATE_GC_ASSIST_MARKING,
    STATE_GC_ASSIST_WAIT,
    STATE_GC_SWEEP_WAIT,
    STATE_GC_SCAVENGE_WAIT,
    STATE_GC_WORKER_IDLE,
    STATE_GC_WORKER_ACTIVE,
    STATE_GC_MARK_TERMINATION,
    STATE_GC_WEAK_TO_STRONG_WAIT,
    STATE_GARBAGE_COLLECTION,
    STATE_GARBAGE_COLLECTION_SCAN,
    STATE_WAIT_FOR_GC_CYCLE,
    STATE_DUMPING_HEAP,
    STATE_PANICWAIT,
    STATE_TRACE_READER_BLOCKED,
    STATE_STOPPING_THE_WORLD,
    STATE_FLUSHING_PROC_CACHES,
    STATE_TRACE_GOROUTINE_STATUS,
    STATE_TRACE_PROC_STATUS,
    STATE_PAGE_TRACE_FLUSH,
    STATE_COROUTINE,
    STATE_GOMAXPROCS_UPDATER_IDLE,
    STATE_SYNCTEST_RUN,
    STATE_SYNCTEST_WAIT,
    STATE_TIMER_GOROUTINE_IDLE,
    STATE_DEBUG_CALL,
    STATE_CGO_CALLBACK,
    N_STATES
};

/* How a state became known. */
enum state_source {
    STATE_FROM_NONE,
    STATE_FROM_ADDRESSES, /* inferred from hidden runtime addresses */
    STATE_FROM_FRAMES,    /* inferred from the functions on the stack */
    STATE_FROM_HEADER,    /* written in the dump */
};

/* Whether who is in a state wants nothing but a processor, or has one. */
static inline bool state_is_awake(state_id state)
{
    return state == STATE_RUNNING || state == STATE_RUNNABLE ||
           state == STATE_NOT_STARTED;
}

/* The word of one of the states above. */
struct str state_word(state_id state);

/* The state above with that word, or N_STATES. */
state_id state_find(struct str word);

/* The JSON word for a source: "none", "addresses", "frames", "header". */
const char *state_source_text(enum state_source source);

#endif

/* waits.h - the ways in which goroutines stand still.
 *
 * A wait is a state word, the frames of the library that lie above the user's
 * own, and the runtime frames above those, of which debug=1 shows nothing but
 * the addresses. */
#ifndef GEN_WAITS_H
#define GEN_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "release.h"
#include "stdlib.h"

/* ORDER WAIT: the table in waits.c stands in this order. */
enum wait_kind {
    WAIT_IO,
    WAIT_RECEIVE,
    WAIT_SEND,
    WAIT_SELECT,
    WAIT_SLEEP,
    WAIT_MUTEX,
    WAIT_RLOCK,
    WAIT_WLOCK,
    WAIT_WAITGROUP,
    WAIT_COND,
    WAIT_RECEIVE_NIL,
    WAIT_SEND_NIL,
    WAIT_SELECT_NO_CASES,
    WAIT_SYSCALL,
    WAIT_IN_THREAD,
    WAIT_RUNNABLE,
    N_COMMON_WAITS, /* those above befall user code and are drawn by weight */
    WAIT_ACCEPT = N_COMMON_WAITS,
    WAIT_IDLE,
    WAIT_SIGNAL,
    WAIT_DUMP,
    WAIT_DUMP_COUNTS,
    N_WAITS
};

/* ORDER ABOVE: what of the runtime lies above a wait; the table in waits.c
 * stands in this order. */
enum above {
    ABOVE_NOTHING,
    ABOVE_SLEEP,
    ABOVE_NETPOLL,
    ABOVE_RECEIVE,
    ABOVE_RECEIVE_NIL,
    ABOVE_SEND,
    ABOVE_SEND_NIL,
    ABOVE_SELECT,
    ABOVE_SELECT_NO_CASES,
    ABOVE_SEMAPHORE,
    ABOVE_CONDITION,
    ABOVE_SIGNAL,
    ABOVE_DUMP,
    N_ABOVE
};

/* Return addresses of the runtime frames above a stack, the innermost first;
 * 0 ends a shorter list. */
struct runtime_frames {
    uint32_t address[3];
};

struct wait {
    const char *state; /* in the words of Go 1.27 */
    const char *old;   /* the word of older releases, or NULL */
    unsigned since;    /* the first release that prints `state` */
    unsigned weight;   /* in the ordinary mix of stacks */
    bool ages;         /* the header may say how long it has waited */
    bool lock;         /* it waits for one of the dump's locks */
    bool in_thread;    /* locked to its thread */
    bool unclear;      /* debug=1 does not tell this state */
    unsigned n_frames;
    enum std frames[12]; /* those that an era does not have are left out */
    enum above above;
};

extern const struct wait waits[N_WAITS];

extern const struct runtime_frames runtime_frames[N_ABOVE][N_ERAS];

/* The end of every complete stack in a debug=1 record: the return address in
 * runtime.goexit. */
extern const uint32_t goexit_address[N_ERAS];

/* Returns the word that a release prints in a header. */
const char *wait_word(const struct wait *wait, const struct release *release);

#endif

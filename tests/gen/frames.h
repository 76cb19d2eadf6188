/* frames.h - frames whose text is made once and filled in for each goroutine.
 *
 * A frame is one call: a function and the place in it. Its two lines are laid
 * out in advance with gaps of fixed width where addresses go, so that printing
 * one is a copy and a few patches. Frame ids below N_STD are the library's, in
 * the order of stdlib.h; behind them each user function has CALLS frames. */
#ifndef GEN_FRAMES_H
#define GEN_FRAMES_H

#include <stdint.h>

#include "functions.h"

/* Where the text of a gap comes from. The HEAP_SLOTS are pointers that every
 * goroutine has for itself. */
enum slot {
    HEAP_SLOTS = 6,
    SLOT_LOCK = HEAP_SLOTS, /* the lock that the goroutine waits for */
    SLOT_SEMAPHORE,         /* its semaphore, four bytes behind */
    SLOT_POLL,              /* the netpoll descriptor of its connection */
    N_SLOTS
};

/* The most gaps that a frame may have. */
enum { FRAME_GAPS = 6 };

/* Places in one user function from which it calls. */
enum { CALLS = 3 };

/* The digits of all addresses behind their prefix. */
enum { ADDRESS_DIGITS = 8 };

struct frame {
    char *text;      /* both lines, with their line ends */
    uint16_t len;    /* of text */
    uint16_t line;   /* in the function's file */
    uint16_t offset; /* of the return address from the function's start */
    uint8_t n_gaps;
    struct {
        uint16_t at; /* in text */
        uint8_t slot;
    } gaps[FRAME_GAPS];
    uint32_t function; /* index into struct functions */
};

struct frames {
    struct frame *at;
    uint32_t n;
    const struct functions *functions;
    char heap[8]; /* what heap addresses begin with: "0xc0" up to Go 1.25 */
    char poll[8]; /* the same for netpoll descriptors, outside the heap */
};

/* Lays out all frames of those functions, which must outlive them. */
void frames_init(struct frames *frames, const struct functions *functions,
                 uint64_t seed);

/* Frees what frames_init made. */
void frames_done(struct frames *frames);

/* Returns the function of a frame. */
static inline const struct function *frame_function(const struct frames *frames,
                                                    uint32_t id)
{
    return &frames->functions->at[frames->at[id].function];
}

/* Returns a frame of a user function; `call` is below CALLS. */
static inline uint32_t frame_of_user(uint32_t function, uint32_t call)
{
    return N_STD + (function - N_STD) * CALLS + call;
}

/* Returns the prefix of the addresses of a slot. */
const char *frames_prefix(const struct frames *frames, enum slot slot);

#endif

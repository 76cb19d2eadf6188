/* address_table.h - return addresses of waits, as real builds have them.
 *
 * One table of observations tells channel operations and selects of known
 * builds by residues and distances of their return addresses. What is not in
 * the table is said to be unknown, never guessed. */
#ifndef ANALYSIS_ADDRESS_TABLE_H
#define ANALYSIS_ADDRESS_TABLE_H

#include "model/state.h"

/* Return addresses of a parked channel operation. */
struct channel_call {
    uint64_t inner; /* in chansend or chanrecv */
    uint64_t outer; /* in chansend1, chanrecv1 or chanrecv2 */
};

/* How well a call fits its row of the table. */
enum nearness {
    NEARNESS_NONE,     /* the wrapper is known, the distance is not */
    NEARNESS_ORDINARY, /* as on ordinary channels */
    NEARNESS_NIL,      /* as on a nil channel */
};

/* What the table says of a channel operation. */
struct channel_match {
    state_id state; /* STATE_CHAN_SEND, STATE_CHAN_RECEIVE, or
                       STATE_UNKNOWN: no row */
    enum nearness nearness;
    bool is_arm64; /* a row of arm64, Go 1.18 or later */
};

/* Looks a call up. top is pc0, the return address in gopark; low_bits are the
 * two low bits of return addresses of the process, or'ed. */
struct channel_match address_table_channel(uint64_t top, uint64_t low_bits,
                                           struct channel_call call);

/* STATE_SELECT or STATE_SELECT_NO_CASES of an amd64 program that parks at top
 * when called from address; STATE_UNKNOWN when the table does not know. */
state_id address_table_select(uint64_t top, uint64_t address);

/* Whether an address is where Go's linker puts the runtime of a 386 program
 * (Linux, BSD): text begins at 0x8048000 or 0x8049000, the runtime in front. */
bool address_is_386(uint64_t address);

#endif

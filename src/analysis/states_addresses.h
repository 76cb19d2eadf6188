/* states_addresses.h - wait states read from addresses that have no names.
 *
 * A record of debug=1 lists the return addresses of its whole stack, but the
 * lines below leave out leading frames of the runtime. What remains of those
 * tells the wait (pc0 is the first address, K how many are hidden):
 *
 *     K = 3   gopark, chansend or chanrecv, chansend1 or chanrecv1/2
 *     K = 2   gopark, selectgo (select) or block (select {})
 *     K >= 1  something else than gopark: not parked
 *     K >= 5  no operation of a program: it allocates and helps the collector
 *             of garbage, or queues for it
 *     K = 0   running when it was stopped
 *
 * All parked goroutines of a process have one pc0: the call of mcall in
 * gopark. Records whose functions say that they wait (IO, locks, sleep) show
 * which address that is. Records with one pc0 are a family: one process, so
 * that dumps of several processes in one text do not mix.
 *
 * Which channel operation it is follows from the order of the functions in
 * runtime/chan.go, which the linker keeps (chansend1, chansend, chanrecv1,
 * chanrecv2, chanrecv), or from the observations in address_table.c. What
 * neither tells stays STATE_CHAN_OPERATION or STATE_WAITING: no guesses. */
#ifndef ANALYSIS_STATES_ADDRESSES_H
#define ANALYSIS_STATES_ADDRESSES_H

#include "analysis/address_table.h"
#include "model/record.h"

enum {
    FAMILIES_MOST = 16,
    CHANNEL_CALLS_MOST = 12, /* a process has at most 6 */
    SELECT_CALLS_MOST = 8,   /* a process has at most 2 */
    LOCK_CALLS_MOST = 4,
};

/* A return address in selectgo or block. */
struct select_call {
    uint64_t address;
    bool has_cases; /* a caller is known to select from cases */
};

/* The records with one pc0. */
struct family {
    uint64_t top;      /* pc0 */
    bool is_parked;    /* pc0 is in gopark */
    bool is_syscall;   /* pc0 is in cgocall or notetsleepg */
    bool is_arm64;     /* a channel operation of it is in the table */
    bool is_crowded;   /* more calls than one process can have */
    uint64_t low_bits; /* of all addresses, or'ed: 1 and 2 tell x86 */
    unsigned n_channel_calls;
    unsigned n_select_calls;
    unsigned n_lock_calls;
    struct channel_call channel_calls[CHANNEL_CALLS_MOST];
    state_id channel_states[CHANNEL_CALLS_MOST]; /* of them, once settled */
    struct select_call select_calls[SELECT_CALLS_MOST];
    uint64_t lock_calls[LOCK_CALLS_MOST]; /* in semacquire1 */
    bool has_order;        /* the order of the calls tells their kinds */
    uint64_t receive_from; /* then: calls from here on are receives */
};

/* What the hidden addresses of one dump tell; a plain value. */
struct address_book {
    struct family families[FAMILIES_MOST];
    unsigned n_families;
    bool has_hidden; /* some record hides frames: K = 0 means something */
    bool has_parked;
    bool is_full; /* there were more families */
};

/* Makes book an empty one. The calls below are to be made in their order,
 * each for all records of the dump. */
void addresses_init(struct address_book *book);

/* Learns from a record whose functions name its state: `expected` hidden
 * frames stand above the leaf if it is parked in gopark (0 = not known). */
void addresses_learn(struct address_book *book, const struct hidden *hidden,
                     state_id state, int expected);

/* Learns from a record of unknown state that looks like a channel operation
 * of a build in the table, for dumps where no function names a wait. Where
 * some do, a second process can only be told from running goroutines by
 * their number: count is that of the record. */
void addresses_recognise(struct address_book *book, const struct hidden *hidden,
                         uint64_t count);

/* Collects the calls that a record of unknown state has; select_has_cases:
 * if it is in a select, that has cases. */
void addresses_collect(struct address_book *book, const struct hidden *hidden,
                       bool select_has_cases);

/* Draws conclusions once all records were collected. */
void addresses_settle(struct address_book *book);

/* The state of a record of count goroutines that its functions do not tell;
 * STATE_UNKNOWN when the addresses do not either. */
state_id addresses_state(const struct address_book *book,
                         const struct hidden *hidden, uint64_t count);

/* Whether the record is parked in gopark. */
bool addresses_is_parked(const struct address_book *book,
                         const struct hidden *hidden);

#endif

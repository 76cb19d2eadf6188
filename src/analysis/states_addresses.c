#include "analysis/states_addresses.h"

/* Bounds for what stands side by side in the text of a program. */
enum {
    INSIDE_FROM = 0x40, /* from a wrapper into the function behind it */
    INSIDE_TO = 0x900,
    TWINS = 0x60,                 /* chanrecv1 to chanrecv2: 0x20 to 0x40 */
    SEND_TO_RECEIVE_FROM = 0x400, /* chansend1 to chanrecv1: 0x92c to 0x1358 */
    SEND_TO_RECEIVE_TO = 0x2000,
    BLOCK_TO_SELECT_FROM = 0x300, /* block to selectgo: 0x3c0 to 0xd5f */
    BLOCK_TO_SELECT_TO = 0x1400,
    INLINED = 0x40,     /* a call inside a function to its made-up address */
    GC_TO = 0x200,      /* runtime.GC to its gcWaitOnMark: 0x14e to 0x1dc */
    CROWD = 10,         /* running goroutines rarely have one stack */
    OPERATION_MOST = 4, /* hidden frames of an operation on a channel or lock */
};

static bool is_between(uint64_t value, uint64_t from, uint64_t to)
{
    return value >= from && value <= to;
}

static bool is_call(struct channel_call call)
{
    return call.inner > call.outer &&
           is_between(call.inner - call.outer, INSIDE_FROM, INSIDE_TO);
}

void addresses_init(struct address_book *book)
{
    *book = (struct address_book){0};
}

static const struct family *find_family(const struct address_book *book,
                                        uint64_t top)
{
    for (unsigned i = 0; i < book->n_families; i++) {
        if (book->families[i].top == top)
            return &book->families[i];
    }
    return NULL;
}

/* The family of top, made when there is room; else NULL. */
static struct family *put_family(struct address_book *book, uint64_t top)
{
    for (unsigned i = 0; i < book->n_families; i++) {
        if (book->families[i].top == top)
            return &book->families[i];
    }
    if (book->n_families == FAMILIES_MOST) {
        book->is_full = true;
        return NULL;
    }
    book->families[book->n_families].top = top;
    return &book->families[book->n_families++];
}

/* The or of the low two bits of a record's hidden addresses: 0 where all
 * instructions have 4 bytes, and an odd one is x86's. `most` is how many can
 * be trusted: for inlined calls, as those of a lock, the list has made-up
 * addresses (runtime/traceback.go: tracebackPCs). */
static uint64_t low_bits_of(const struct hidden *hidden, int most)
{
    int count = hidden->count < most ? hidden->count : most;
    uint64_t bits = 0;

    for (int i = 0; i < count && (unsigned)i < hidden->n_pc; i++)
        bits |= hidden->pc[i] & 3;
    return bits;
}

/* Whether a record hides so many frames and has their addresses. Masked ones
 * are 0. */
static bool has_hidden(const struct hidden *hidden, int count)
{
    return hidden && hidden->count == count && hidden->n_pc && hidden->pc[0] &&
           (count >= HIDDEN_MOST || hidden->n_pc >= (unsigned)count);
}

/* The addresses of a channel operation: K = 3, or 4 before Go 1.14, where
 * chansend parked through goparkunlock, inlined into it. */
static bool channel_call_of(const struct hidden *hidden,
                            struct channel_call *ret)
{
    if (has_hidden(hidden, 3))
        *ret = (struct channel_call){hidden->pc[1], hidden->pc[2]};
    else if (has_hidden(hidden, 4) &&
             hidden->pc[1] - hidden->pc[2] - 1 < INLINED)
        *ret = (struct channel_call){hidden->pc[1], hidden->pc[3]};
    else
        return false;
    return is_call(*ret);
}

static void add_lock_call(struct family *family, uint64_t address)
{
    for (unsigned i = 0; i < family->n_lock_calls; i++) {
        if (family->lock_calls[i] == address)
            return;
    }
    if (family->n_lock_calls < LOCK_CALLS_MOST)
        family->lock_calls[family->n_lock_calls++] = address;
}

void addresses_learn(struct address_book *book, const struct hidden *hidden,
                     state_id state, int expected)
{
    bool is_parked = expected > 0 && has_hidden(hidden, expected);
    bool is_syscall = state == STATE_SYSCALL && has_hidden(hidden, 1);
    struct family *family;

    book->has_hidden |= hidden && hidden->count > 0;
    if (!is_parked && !is_syscall)
        return;
    family = put_family(book, hidden->pc[0]);
    if (!family)
        return;
    family->low_bits |= low_bits_of(hidden, 2);
    family->is_syscall |= is_syscall;
    family->is_parked |= is_parked;
    book->has_parked |= is_parked;
    if (is_parked && expected == 3)
        add_lock_call(family, hidden->pc[1]);
}

void addresses_recognise(struct address_book *book, const struct hidden *hidden,
                         uint64_t count)
{
    struct channel_call call;
    struct channel_match match;
    struct family *family;

    if (!channel_call_of(hidden, &call))
        return;
    match = address_table_channel(
        hidden->pc[0], low_bits_of(hidden, 2) | (call.outer & 3), call);
    if (match.nearness == NEARNESS_NONE)
        return;
    if (book->has_parked && count < CROWD)
        return;
    family = put_family(book, hidden->pc[0]);
    if (family)
        family->is_parked |= !family->is_syscall;
}

static void collect_channel_call(struct family *family,
                                 struct channel_call call)
{
    unsigned place = family->n_channel_calls;

    for (unsigned i = 0; i < family->n_channel_calls; i++) {
        struct channel_call other = family->channel_calls[i];

        if (other.inner == call.inner && other.outer == call.outer)
            return;
    }
    if (place == CHANNEL_CALLS_MOST) {
        family->is_crowded = true;
        return;
    }
    /* In order of the outer address. */
    for (; place && family->channel_calls[place - 1].outer > call.outer;
         place--)
        family->channel_calls[place] = family->channel_calls[place - 1];
    family->channel_calls[place] = call;
    family->n_channel_calls++;
}

static void collect_select_call(struct family *family, uint64_t address,
                                bool has_cases)
{
    for (unsigned i = 0; i < family->n_select_calls; i++) {
        if (family->select_calls[i].address == address) {
            family->select_calls[i].has_cases |= has_cases;
            return;
        }
    }
    if (family->n_select_calls < SELECT_CALLS_MOST)
        family->select_calls[family->n_select_calls++] =
            (struct select_call){address, has_cases};
}

void addresses_collect(struct address_book *book, const struct hidden *hidden,
                       bool select_has_cases)
{
    struct channel_call call;
    struct family *family = NULL;

    book->has_hidden |= hidden && hidden->count > 0;
    if (hidden && hidden->n_pc && find_family(book, hidden->pc[0]))
        family = put_family(book, hidden->pc[0]);
    if (!family || !family->is_parked)
        return;
    family->low_bits |= low_bits_of(hidden, hidden->count == 3 ? 3 : 2);
    if (has_hidden(hidden, 2))
        collect_select_call(family, hidden->pc[1], select_has_cases);
    else if (has_hidden(hidden, 3) && channel_call_of(hidden, &call))
        collect_channel_call(family, call);
}

static struct channel_match find_channel(const struct family *family,
                                         struct channel_call call)
{
    return address_table_channel(family->top, family->low_bits, call);
}

/* Finds out where receives begin, from the order in runtime/chan.go:
 * chansend1, chansend, chanrecv1, chanrecv2, chanrecv. */
static void settle_order(struct family *family)
{
    const struct channel_call *calls = family->channel_calls;
    unsigned n_steps = 0; /* between different wrappers */
    unsigned n_gaps = 0;  /* of these, too far for chanrecv1 and 2 */
    unsigned upper = 0;   /* the first behind the gap */

    if (family->is_crowded)
        return;
    for (unsigned i = 1; i < family->n_channel_calls; i++) {
        if (calls[i].outer == calls[i - 1].outer)
            continue;
        n_steps++;
        if (calls[i].outer - calls[i - 1].outer > TWINS) {
            n_gaps++;
            upper = i;
        }
    }
    if (n_steps == 0 || n_gaps > 1 || n_steps > n_gaps + 1)
        return;
    if (n_gaps == 1) {
        if (calls[0].outer != calls[upper - 1].outer ||
            !is_between(calls[upper].outer - calls[0].outer,
                        SEND_TO_RECEIVE_FROM, SEND_TO_RECEIVE_TO))
            return;
        for (unsigned i = 0; i < upper; i++) {
            if (calls[i].inner >= calls[upper].outer)
                return;
        }
    }
    family->has_order = true;
    family->receive_from = calls[upper].outer;
}

/* The rows of nil channels are too few instructions away from their wrappers
 * to prove a machine: other ones have the same. */
static void settle_machine(struct family *family, struct channel_call call)
{
    struct channel_match match = find_channel(family, call);

    if (match.nearness == NEARNESS_ORDINARY)
        family->is_arm64 |= match.is_arm64;
}

/* Send, receive, or neither, from the table and from the order. */
static state_id operation_of(const struct family *family,
                             struct channel_call call)
{
    struct channel_match match = find_channel(family, call);
    state_id by_order = call.outer >= family->receive_from ? STATE_CHAN_RECEIVE
                                                           : STATE_CHAN_SEND;

    if (!family->has_order)
        return match.state ? match.state : STATE_CHAN_OPERATION;
    if (match.state && match.state != by_order)
        return STATE_CHAN_OPERATION;
    return by_order;
}

/* chansend and chanrecv call gopark twice each. On x86 the call for nil
 * channels is either near the front, and then in the table, or the later of
 * the two: builds for -race or without optimisation. */
static bool is_later_of_two(const struct family *family,
                            struct channel_call call, state_id operation)
{
    struct channel_call first = call;
    struct channel_match match;

    if (family->low_bits == 0 || family->is_crowded)
        return false;
    for (unsigned i = 0; i < family->n_channel_calls; i++) {
        struct channel_call other = family->channel_calls[i];

        if (other.inner < first.inner &&
            operation_of(family, other) == operation)
            first = other;
    }
    match = find_channel(family, first);
    return first.inner < call.inner && match.nearness == NEARNESS_ORDINARY;
}

static state_id judge_channel(const struct family *family,
                              struct channel_call call)
{
    struct channel_match match = find_channel(family, call);
    state_id operation = operation_of(family, call);

    if (operation == STATE_CHAN_OPERATION)
        return operation;
    if (match.nearness == NEARNESS_NIL ||
        is_later_of_two(family, call, operation))
        return operation == STATE_CHAN_SEND ? STATE_CHAN_SEND_NIL
                                            : STATE_CHAN_RECEIVE_NIL;
    return operation;
}

void addresses_settle(struct address_book *book)
{
    for (unsigned i = 0; i < book->n_families; i++) {
        struct family *family = &book->families[i];

        book->has_parked |= family->is_parked;
        settle_order(family);
        for (unsigned j = 0; j < family->n_channel_calls; j++) {
            struct channel_call call = family->channel_calls[j];

            settle_machine(family, call);
            family->channel_states[j] = judge_channel(family, call);
        }
    }
}

static state_id channel_state(const struct family *family,
                              struct channel_call call)
{
    for (unsigned i = 0; i < family->n_channel_calls; i++) {
        struct channel_call known = family->channel_calls[i];

        if (known.inner == call.inner && known.outer == call.outer)
            return family->channel_states[i];
    }
    return judge_channel(family, call);
}

/* The only such call that a family has. Where block could have that residue
 * in some build (0x06, 0x09, 0x0c, 0x19; 386: 0x08 modulo 16), it is select
 * only if the table says so. */
static state_id lone_select_state(const struct family *family, uint64_t address)
{
    bool is_386 = address_is_386(family->top);
    uint64_t residue = address & 31;
    state_id state = STATE_UNKNOWN;

    if (family->is_arm64)
        return (address & 15) ? STATE_SELECT : STATE_SELECT_NO_CASES;
    if (family->low_bits && !is_386)
        state = address_table_select(family->top, address);
    if (state != STATE_UNKNOWN)
        return state;
    if (!(family->low_bits & 1))
        return STATE_WAITING;
    if (residue == 0x06 && !is_386)
        return STATE_SELECT_NO_CASES;
    if (residue == 0x06 || residue == 0x09 || residue == 0x0c ||
        residue == 0x19 || (residue & 15) == 0x08)
        return STATE_WAITING;
    return STATE_SELECT;
}

/* runtime/select.go has block right before selectgo. */
static state_id select_state(const struct family *family, uint64_t address)
{
    uint64_t other = 0;

    for (unsigned i = 0; i < family->n_select_calls; i++) {
        struct select_call call = family->select_calls[i];

        if (call.address == address && call.has_cases)
            return STATE_SELECT;
        if (call.address != address && (!other || call.has_cases))
            other = call.address;
    }
    if (!other)
        return lone_select_state(family, address);
    if (is_between(other - address, BLOCK_TO_SELECT_FROM, BLOCK_TO_SELECT_TO))
        return STATE_SELECT_NO_CASES;
    if (family->n_select_calls == 2 &&
        is_between(address - other, BLOCK_TO_SELECT_FROM, BLOCK_TO_SELECT_TO))
        return STATE_SELECT;
    return STATE_WAITING;
}

/* Parked deeper in the runtime: behind one of its own locks, or in
 * runtime.GC, which waits in gcWaitOnMark (runtime/mgc.go). */
static state_id deep_state(const struct family *family,
                           const struct hidden *hidden)
{
    struct channel_call call;
    struct channel_match match;

    for (unsigned i = 0; i < family->n_lock_calls && hidden->n_pc > 1; i++) {
        if (hidden->pc[1] == family->lock_calls[i])
            return STATE_SEMACQUIRE;
    }
    if (hidden->count > OPERATION_MOST)
        return STATE_SEMACQUIRE;
    if (!has_hidden(hidden, 4) || !channel_call_of(hidden, &call))
        return STATE_WAITING;
    if (call.inner - call.outer < GC_TO)
        return STATE_WAIT_FOR_GC_CYCLE;
    match = find_channel(family, call);
    return match.nearness == NEARNESS_ORDINARY ? match.state : STATE_WAITING;
}

static state_id parked_state(const struct family *family,
                             const struct hidden *hidden)
{
    struct channel_call call;

    if (has_hidden(hidden, 2))
        return select_state(family, hidden->pc[1]);
    if (has_hidden(hidden, 3))
        return channel_call_of(hidden, &call) ? channel_state(family, call)
                                              : STATE_WAITING;
    return hidden->count > 3 ? deep_state(family, hidden) : STATE_WAITING;
}

/* A record that is in no family. In a dump that has one, it was running; a
 * dump without one may be a piece, and the table of selects may know it. */
static state_id stray_state(const struct address_book *book,
                            const struct hidden *hidden, uint64_t count)
{
    state_id state = STATE_UNKNOWN;

    if (has_hidden(hidden, 2) && low_bits_of(hidden, 2) &&
        !address_is_386(hidden->pc[0]) && (!book->has_parked || count >= CROWD))
        state = address_table_select(hidden->pc[0], hidden->pc[1]);
    if (state == STATE_UNKNOWN && book->has_parked && !book->is_full)
        state = STATE_RUNNABLE;
    /* No operation of a program hides so many: it is in the runtime. */
    if (state == STATE_UNKNOWN && hidden->count > OPERATION_MOST)
        state = count < CROWD ? STATE_RUNNABLE : STATE_SEMACQUIRE;
    return state;
}

state_id addresses_state(const struct address_book *book,
                         const struct hidden *hidden, uint64_t count)
{
    const struct family *family;

    if (!hidden || hidden->count < 0 || !hidden->n_pc || !hidden->pc[0])
        return STATE_UNKNOWN;
    if (hidden->count == 0)
        return book->has_hidden ? STATE_RUNNABLE : STATE_UNKNOWN;
    family = find_family(book, hidden->pc[0]);
    if (!family)
        return stray_state(book, hidden, count);
    if (family->is_parked)
        return parked_state(family, hidden);
    return STATE_SYSCALL;
}

bool addresses_is_parked(const struct address_book *book,
                         const struct hidden *hidden)
{
    const struct family *family = NULL;

    if (hidden && hidden->count > 0 && hidden->n_pc)
        family = find_family(book, hidden->pc[0]);
    return family && family->is_parked;
}

#include "analysis/states_addresses.h"

/* What chansend1, chanrecv1 and chanrecv2 look like in real builds.
 *
 * These three are wrappers of a few instructions, so the place of their one
 * call, seen modulo the alignment of functions, is the same for all programs
 * and patch releases of a generation of the compiler: `outer & mask` is
 * `residue`. The distance from there to the call of gopark in chansend or
 * chanrecv depends on the release; it has one range for ordinary channels and
 * one for nil channels. On amd64 and 386 the residue alone tells the
 * operation: no other architecture has odd addresses, and no two rows have
 * one residue. On arm64 it does not, because other machines with 4-byte
 * instructions have the same residues at other distances; there a row only
 * counts within its ranges, and for receives with the residue of pc0 as well.
 *
 * Observed in dumps of Go 1.15.15, 1.19.8, 1.21.13, 1.23.5, 1.24.4, 1.25.12,
 * 1.26.10 and 1.27.3 (amd64 also with cgo, as PIE, with GOAMD64=v3, with
 * -race and without optimisation; arm64; 386), in dumps of unknown programs,
 * and by disassembling programs of Go 1.12.9, 1.14.2, 1.15.5, 1.16, 1.16.3,
 * 1.17.1, 1.17.5, 1.18, 1.19.3, 1.19.8, 1.20, 1.20.5, 1.20.12, 1.21.1, 1.22.4,
 * 1.23.1, 1.23.8, 1.25.7 and 1.26.5 for Linux, macOS, Windows and FreeBSD. The
 * ranges are those numbers with little room around them. arm, ppc64, riscv64,
 * mips64, loong64 and s390x were disassembled too, to be sure that no row
 * takes them for something else. */
enum machine { AMD64, I386, ARM64, ARM64_STACK };

enum { ANY = 16 };

static const struct channel_row {
    enum machine machine;
    uint16_t mask, residue;    /* of the address in the wrapper */
    uint16_t gopark;           /* pc0 modulo 16, or ANY */
    uint16_t from, to;         /* distance on an ordinary channel */
    uint16_t nil_from, nil_to; /* on a nil channel; 0 = not known */
    state_id state;            /* ORDER STATE: the nil one is two behind */
} channel_rows[] = {
    /* Go 1.21 to 1.27 */
    {AMD64, 31, 0x17, ANY, 0x210, 0x420, 0x0d0, 0x170, STATE_CHAN_SEND},
    {AMD64, 31, 0x12, ANY, 0x2a0, 0x4f0, 0x150, 0x250, STATE_CHAN_RECEIVE},
    /* Go 1.17 to 1.20 */
    {AMD64, 31, 0x1d, ANY, 0x270, 0x480, 0x0e0, 0x170, STATE_CHAN_SEND},
    {AMD64, 31, 0x18, ANY, 0x330, 0x5f0, 0x1a0, 0x270, STATE_CHAN_RECEIVE},
    /* Go 1.12 to 1.16 */
    {AMD64, 15, 0x05, ANY, 0x200, 0x2c0, 0x5c0, 0x720, STATE_CHAN_SEND},
    {AMD64, 15, 0x0b, ANY, 0x2e0, 0x3e0, 0x660, 0x820, STATE_CHAN_RECEIVE},
    /* Go 1.15 to 1.27 */
    {I386, 15, 0x04, ANY, 0x220, 0x360, 0x430, 0x5a0, STATE_CHAN_SEND},
    {I386, 15, 0x0c, ANY, 0x290, 0x4b0, 0x4e0, 0x640, STATE_CHAN_RECEIVE},
    /* Go 1.19 to 1.27; receives of 1.21 to 1.24, 1.20 and 1.25, 1.26, 1.19 */
    {ARM64, 15, 0x08, ANY, 0x3a8, 0x47c, 0x0f8, 0x13c, STATE_CHAN_SEND},
    {ARM64, 15, 0x04, ANY, 0, 0, 0x1b0, 0x218, STATE_CHAN_RECEIVE},
    {ARM64, 15, 0x04, 0x08, 0x41c, 0x46c, 0, 0, STATE_CHAN_RECEIVE},
    {ARM64, 15, 0x04, 0x00, 0x440, 0x4b0, 0, 0, STATE_CHAN_RECEIVE},
    {ARM64, 15, 0x04, 0x0c, 0x488, 0x4b0, 0, 0, STATE_CHAN_RECEIVE},
    {ARM64, 15, 0x04, 0x04, 0x46c, 0x474, 0, 0, STATE_CHAN_RECEIVE},
    {ARM64, 15, 0x04, 0x04, 0x490, 0x4d0, 0, 0, STATE_CHAN_RECEIVE},
    /* Go 1.14 to 1.16, whose arguments are on the stack */
    {ARM64_STACK, 15, 0x00, 0x00, 0x200, 0x274, 0, 0, STATE_CHAN_SEND},
    {ARM64_STACK, 15, 0x08, 0x00, 0x290, 0x364, 0, 0, STATE_CHAN_RECEIVE},
};

/* The calls of gopark in selectgo and block on amd64, modulo 32, beside that
 * of mcall in gopark. The builds are those of the table above. */
static const struct select_row {
    uint8_t gopark;
    uint8_t residue;
    state_id state;
} select_rows[] = {
    {0x05, 0x0f, STATE_SELECT},          /* Go 1.15 */
    {0x05, 0x17, STATE_SELECT},          /* 1.16 */
    {0x05, 0x19, STATE_SELECT_NO_CASES}, /* 1.15 */
    {0x16, 0x12, STATE_SELECT},          /* 1.17, 1.18 */
    {0x16, 0x1c, STATE_SELECT},          /* 1.19 */
    {0x16, 0x1e, STATE_SELECT},          /* 1.20 */
    {0x16, 0x0c, STATE_SELECT_NO_CASES}, /* 1.19 */
    {0x0e, 0x05, STATE_SELECT},          /* 1.21 to 1.23, 1.26 */
    {0x0e, 0x17, STATE_SELECT},          /* 1.24, 1.25 */
    {0x0e, 0x06, STATE_SELECT_NO_CASES}, /* 1.21 to 1.26 */
    {0x0a, 0x17, STATE_SELECT},          /* 1.27 */
    {0x0a, 0x06, STATE_SELECT_NO_CASES}, /* 1.27 */
    {0x1d, 0x09, STATE_SELECT},          /* 1.19 without optimisation */
    {0x1d, 0x0c, STATE_SELECT_NO_CASES},
    {0x1c, 0x07, STATE_SELECT}, /* 1.21 without optimisation */
    {0x1c, 0x06, STATE_SELECT_NO_CASES},
    {0x11, 0x05, STATE_SELECT}, /* 1.26 and 1.27 without optimisation */
    {0x11, 0x06, STATE_SELECT_NO_CASES},
};

/* Bounds for what stands side by side in the text of a program. */
enum {
    INSIDE_FROM = 0x40, /* from a wrapper into the function behind it */
    INSIDE_TO = 0x900,
    TWINS = 0x60,                 /* chanrecv1 to chanrecv2: 0x20 to 0x40 */
    SEND_TO_RECEIVE_FROM = 0x400, /* chansend1 to chanrecv1: 0x92c to 0x1358 */
    SEND_TO_RECEIVE_TO = 0x2000,
    BLOCK_TO_SELECT_FROM = 0x300, /* block to selectgo: 0x3c0 to 0xd5f */
    BLOCK_TO_SELECT_TO = 0x1400,
    INLINED = 0x40, /* a call inside a function to its made-up address */
    GC_TO = 0x200,  /* runtime.GC to its gcWaitOnMark: 0x14e to 0x1dc */
    CROWD = 10,     /* running goroutines rarely have one stack */
};

enum nearness { FAR, ORDINARY, ON_NIL };

struct match {
    const struct channel_row *row; /* NULL = none */
    enum nearness nearness;
};

static bool is_between(uint64_t value, uint64_t from, uint64_t to)
{
    return value >= from && value <= to;
}

/* Go's linker puts the text of a 386 program at 0x8048000 or 0x8049000, and
 * the runtime to its front (Linux, BSD). */
static bool is_386_place(uint64_t address)
{
    return is_between(address, 0x8048000, 0xfffffff);
}

static bool is_machine(const struct channel_row *row, uint64_t top,
                       uint64_t low_bits)
{
    if (row->machine == AMD64)
        return low_bits != 0;
    if (row->machine == I386)
        return low_bits != 0 && is_386_place(top);
    return low_bits == 0 && !is_386_place(top);
}

static enum nearness nearness_of(const struct channel_row *row,
                                 uint64_t distance)
{
    if (row->nil_from && is_between(distance, row->nil_from, row->nil_to))
        return ON_NIL;
    return row->from && is_between(distance, row->from, row->to) ? ORDINARY
                                                                 : FAR;
}

static bool is_call(struct channel_call call)
{
    return call.inner > call.outer &&
           is_between(call.inner - call.outer, INSIDE_FROM, INSIDE_TO);
}

/* The row of the table for a call under gopark at top. */
static struct match find_row(uint64_t top, uint64_t low_bits,
                             struct channel_call call)
{
    struct match far = {NULL, FAR};

    for (size_t i = 0; i < sizeof(channel_rows) / sizeof(channel_rows[0]);
         i++) {
        const struct channel_row *row = &channel_rows[i];
        enum nearness nearness = nearness_of(row, call.inner - call.outer);

        if ((call.outer & row->mask) != row->residue ||
            !is_machine(row, top, low_bits) ||
            (row->gopark != ANY && (top & 15) != row->gopark))
            continue;
        if (nearness != FAR)
            return (struct match){row, nearness};
        if (row->machine == AMD64 || row->machine == I386)
            far.row = row;
    }
    return far;
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
    if (book->n_families == FAMILIES_MOST)
        return NULL;
    book->families[book->n_families].top = top;
    return &book->families[book->n_families++];
}

/* The or of the low two bits of a record's first addresses: 0 where all
 * instructions have 4 bytes, and an odd one is x86's. Of a lock's and others'
 * only two count: for inlined calls the list has made-up addresses
 * (runtime/traceback.go: tracebackPCs). */
static uint64_t low_bits_of(const struct hidden *hidden, unsigned count)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < hidden->n_pc && i < count; i++)
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
    struct match match;
    struct family *family;

    if (!channel_call_of(hidden, &call))
        return;
    match = find_row(hidden->pc[0], low_bits_of(hidden, 2) | (call.outer & 3),
                     call);
    if (match.nearness == FAR)
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
    if (n_steps == 0 || n_gaps > 1)
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

/* Whether the table knows a call as one of arm64 since Go 1.18, where
 * arguments are in registers: then block has its known residue. */
static bool is_arm64(const struct family *family, struct channel_call call)
{
    struct match match = find_row(family->top, family->low_bits, call);

    return match.row && match.row->machine == ARM64;
}

void addresses_settle(struct address_book *book)
{
    for (unsigned i = 0; i < book->n_families; i++) {
        struct family *family = &book->families[i];

        book->has_parked |= family->is_parked;
        settle_order(family);
        for (unsigned j = 0; j < family->n_channel_calls; j++)
            family->is_arm64 |= is_arm64(family, family->channel_calls[j]);
    }
}

/* Send, receive, or neither, from the table and from the order. */
static state_id operation_of(const struct family *family,
                             struct channel_call call)
{
    struct match match = find_row(family->top, family->low_bits, call);
    state_id by_order = call.outer >= family->receive_from ? STATE_CHAN_RECEIVE
                                                           : STATE_CHAN_SEND;

    if (!family->has_order)
        return match.row ? match.row->state : STATE_CHAN_OPERATION;
    if (match.row && match.row->state != by_order)
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
    struct match match;

    if (family->low_bits == 0 || family->is_crowded)
        return false;
    for (unsigned i = 0; i < family->n_channel_calls; i++) {
        struct channel_call other = family->channel_calls[i];

        if (other.inner < first.inner &&
            operation_of(family, other) == operation)
            first = other;
    }
    match = find_row(family->top, family->low_bits, first);
    return first.inner < call.inner && match.row && match.nearness != ON_NIL;
}

static state_id channel_state(const struct family *family,
                              struct channel_call call)
{
    struct match match = find_row(family->top, family->low_bits, call);
    state_id operation = operation_of(family, call);

    if (operation == STATE_CHAN_OPERATION)
        return operation;
    if (match.nearness == ON_NIL || is_later_of_two(family, call, operation))
        return (state_id)(operation + 2); /* ORDER STATE */
    return operation;
}

/* The state of one call of gopark in selectgo or block of an amd64 program,
 * by the table; STATE_UNKNOWN when it is not in there. */
static state_id select_row_state(uint64_t top, uint64_t address)
{
    for (size_t i = 0; i < sizeof(select_rows) / sizeof(select_rows[0]); i++) {
        if ((top & 31) == select_rows[i].gopark &&
            (address & 31) == select_rows[i].residue)
            return select_rows[i].state;
    }
    return STATE_UNKNOWN;
}

/* The only such call that a family has. Where block could have that residue
 * in some build (0x06, 0x09, 0x0c, 0x19; 386: 0x08 modulo 16), it is select
 * only if the table says so. */
static state_id lone_select_state(const struct family *family, uint64_t address)
{
    bool is_386 = is_386_place(family->top);
    uint64_t residue = address & 31;
    state_id state = STATE_UNKNOWN;

    if (family->is_arm64)
        return (address & 15) ? STATE_SELECT : STATE_SELECT_NO_CASES;
    if (family->low_bits && !is_386)
        state = select_row_state(family->top, address);
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
    struct match match;

    for (unsigned i = 0; i < family->n_lock_calls && hidden->n_pc > 1; i++) {
        if (hidden->pc[1] == family->lock_calls[i])
            return STATE_SEMACQUIRE;
    }
    if (!has_hidden(hidden, 4) || !channel_call_of(hidden, &call))
        return STATE_WAITING;
    if (call.inner - call.outer < GC_TO)
        return STATE_WAIT_FOR_GC_CYCLE;
    match = find_row(family->top, family->low_bits, call);
    return match.nearness == ORDINARY ? match.row->state : STATE_WAITING;
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
        !is_386_place(hidden->pc[0]) && (!book->has_parked || count >= CROWD))
        state = select_row_state(hidden->pc[0], hidden->pc[1]);
    if (state == STATE_UNKNOWN && book->has_parked)
        state = STATE_RUNNABLE;
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

#include "analysis/address_table.h"

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
    state_id state;            /* STATE_CHAN_SEND or STATE_CHAN_RECEIVE */
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
    /* Go 1.19 to 1.26; ordinary receives of 1.21 to 1.24, of 1.25, 1.20 and
     * 1.26, and of 1.19 on macOS, then Linux and Windows */
    {ARM64, 15, 0x08, ANY, 0x3a8, 0x47c, 0x0f8, 0x13c, STATE_CHAN_SEND},
    {ARM64, 15, 0x04, ANY, 0, 0, 0x1b0, 0x218, STATE_CHAN_RECEIVE},
    {ARM64, 15, 0x04, 0x08, 0x41c, 0x46c, 0, 0, STATE_CHAN_RECEIVE},
    {ARM64, 15, 0x04, 0x00, 0x440, 0x468, 0, 0, STATE_CHAN_RECEIVE},
    {ARM64, 15, 0x04, 0x00, 0x480, 0x4a8, 0, 0, STATE_CHAN_RECEIVE},
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

static bool is_between(uint64_t value, uint64_t from, uint64_t to)
{
    return value >= from && value <= to;
}

bool address_is_386(uint64_t address)
{
    return is_between(address, 0x8048000, 0xfffffff);
}

static bool is_machine(enum machine machine, uint64_t top, uint64_t low_bits)
{
    if (machine == AMD64)
        return low_bits != 0;
    if (machine == I386)
        return address_is_386(top);
    return low_bits == 0 && !address_is_386(top);
}

static enum nearness nearness_of(const struct channel_row *row,
                                 uint64_t distance)
{
    if (row->nil_from && is_between(distance, row->nil_from, row->nil_to))
        return NEARNESS_NIL;
    if (row->from && is_between(distance, row->from, row->to))
        return NEARNESS_ORDINARY;
    return NEARNESS_NONE;
}

struct channel_match address_table_channel(uint64_t top, uint64_t low_bits,
                                           struct channel_call call)
{
    struct channel_match by_residue = {STATE_UNKNOWN, NEARNESS_NONE, false};

    for (size_t i = 0; i < sizeof(channel_rows) / sizeof(channel_rows[0]);
         i++) {
        const struct channel_row *row = &channel_rows[i];
        enum nearness nearness = nearness_of(row, call.inner - call.outer);

        if ((call.outer & row->mask) != row->residue ||
            !is_machine(row->machine, top, low_bits) ||
            (row->gopark != ANY && (top & 15) != row->gopark))
            continue;
        if (nearness != NEARNESS_NONE)
            return (struct channel_match){row->state, nearness,
                                          row->machine == ARM64};
        if (row->machine == AMD64 || row->machine == I386)
            by_residue.state = row->state;
    }
    return by_residue;
}

state_id address_table_select(uint64_t top, uint64_t address)
{
    for (size_t i = 0; i < sizeof(select_rows) / sizeof(select_rows[0]); i++) {
        if ((top & 31) == select_rows[i].gopark &&
            (address & 31) == select_rows[i].residue)
            return select_rows[i].state;
    }
    return STATE_UNKNOWN;
}

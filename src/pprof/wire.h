/* wire.h - splits a protobuf message into its fields while its bytes arrive.
 *
 * The outer message of a profile may be gigabytes long, and what explains its
 * beginning stands at its end. It is therefore read field by field from a
 * source that holds only as many bytes as the field at hand needs; the inner
 * messages are small and unpacked whole (unpack.h). The encoding is that of
 * protobuf.dev/programming-guides/encoding. */
#ifndef PPROF_WIRE_H
#define PPROF_WIRE_H

#include "base/str.h"

enum wire_type {
    WIRE_VARINT = 0,
    WIRE_FIXED64 = 1,
    WIRE_BYTES = 2,
    WIRE_GROUP = 3, /* never given: it ends the message */
    WIRE_FIXED32 = 5,
};

/* Why a message ended before the input did. */
enum wire_trouble {
    WIRE_OK,
    WIRE_CUT,         /* the input ends inside a field */
    WIRE_LONG_VARINT, /* a number of more than 64 bits */
    WIRE_BAD_TAG,     /* a group, an unknown wire type, or field number 0 */
};

struct wire_field {
    uint32_t number;
    enum wire_type type;
    uint64_t value;   /* of a varint or a fixed number */
    struct str bytes; /* WIRE_BYTES: what is inside, when it is wanted */
    uint64_t offset;  /* of the field in the message, in bytes */
};

/* Makes want bytes at the cursor contiguous, stores where they begin and
 * returns how many there are: fewer only when the input ends, or memory. */
typedef size_t wire_hold_fn(void *user, size_t want, const char **ret);

/* Moves the cursor over n bytes that were held. */
typedef void wire_pass_fn(void *user, size_t n);

struct wire {
    wire_hold_fn *hold;
    wire_pass_fn *pass;
    void *user;
    /* Bit n: the bytes of field n are wanted. Those of others are passed over
     * piece by piece, however many they are. */
    uint64_t wanted;
    uint64_t offset;  /* bytes passed */
    uint64_t pending; /* bytes of the last field, not passed yet */
    enum wire_trouble trouble;
};

/* Gives the next field. Its bytes are good until the next call; the cursor
 * stays at the field until then, so that a field of somebody else's can be
 * left to him. 1 = a field, 0 = the input ends behind the last one, -1 = it
 * does not go on: trouble says why, and offset where. */
int wire_next(struct wire *wire, struct wire_field *ret);

/* The same over a message in memory: cuts one field off its front. */
int wire_cut(struct str *message, struct wire_field *ret);

/* Cuts a number off the front of packed ones; false when there is none. */
bool wire_cut_varint(struct str *packed, uint64_t *ret);

#endif

/* unpack.h - the inner messages of a profile, by protobuf-c.
 *
 * Messages are unpacked on an arena that is reset before each, so that millions
 * of them cost no more memory than the largest. The message types are those
 * that protoc-c makes from profile.proto. */
#ifndef PPROF_UNPACK_H
#define PPROF_UNPACK_H

#include "base/arena.h"

struct ProtobufCMessageDescriptor;

struct unpack {
    struct arena arena;
    bool no_memory; /* the last message did not fit the budget */
};

/* Prepares to unpack on memory that is charged to the budget. */
void unpack_init(struct unpack *unpack, struct budget *budget);
void unpack_done(struct unpack *unpack);

/* The message of that type in the bytes, good until the next call. Numbers in
 * lists may be packed or not; unknown fields are skipped. NULL when the bytes
 * are no such message, and when memory ran out (no_memory). */
const void *unpack_message(struct unpack *unpack,
                           const struct ProtobufCMessageDescriptor *type,
                           struct str bytes);

#endif

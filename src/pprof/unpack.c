#include "pprof/unpack.h"

#include <protobuf-c/protobuf-c.h>

void unpack_init(struct unpack *unpack, struct budget *budget)
{
    *unpack = (struct unpack){0};
    arena_init(&unpack->arena, budget);
}

void unpack_done(struct unpack *unpack)
{
    arena_done(&unpack->arena);
}

static void *allocate(void *user, size_t size)
{
    struct unpack *unpack = user;
    void *piece = arena_take(&unpack->arena, size);

    if (!piece)
        unpack->no_memory = true;
    return piece;
}

/* Everything dies at the reset. */
static void release(void *user, void *piece)
{
    (void)user;
    (void)piece;
}

const void *unpack_message(struct unpack *unpack,
                           const struct ProtobufCMessageDescriptor *type,
                           struct str bytes)
{
    ProtobufCAllocator allocator = {
        .alloc = allocate, .free = release, .allocator_data = unpack};
    static const uint8_t nothing[1] = {0};
    const void *at = bytes.len ? bytes.ptr : (const char *)nothing;

    arena_reset(&unpack->arena);
    unpack->no_memory = false;
    return protobuf_c_message_unpack(type, &allocator, bytes.len, at);
}

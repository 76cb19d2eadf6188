#include "pprof/wire.h"

enum {
    VARINT_MOST = 10,            /* bytes of a 64-bit number */
    HEAD_MOST = 2 * VARINT_MOST, /* a tag and a length, or a number */
    PIECE = 32 * 1024,           /* what is passed over at once */
    NUMBER_MOST = (1 << 29) - 1, /* of a field */
};

/* Reads a number from the front of bytes and stores how many bytes it took.
 * WIRE_CUT when they end before it does. */
static enum wire_trouble read_varint(struct str bytes, uint64_t *ret,
                                     size_t *ret_length)
{
    uint64_t value = 0;

    for (size_t i = 0; i < bytes.len && i < VARINT_MOST; i++) {
        uint64_t byte = (unsigned char)bytes.ptr[i];

        if (i == VARINT_MOST - 1 && byte > 1)
            return WIRE_LONG_VARINT;
        value |= (byte & 0x7f) << (7 * i);
        if (byte < 0x80) {
            *ret = value;
            *ret_length = i + 1;
            return WIRE_OK;
        }
    }
    return bytes.len < VARINT_MOST ? WIRE_CUT : WIRE_LONG_VARINT;
}

/* Little-endian on every machine. */
static enum wire_trouble read_fixed(struct str bytes, size_t size,
                                    uint64_t *ret)
{
    if (bytes.len < size)
        return WIRE_CUT;
    *ret = 0;
    for (size_t i = 0; i < size; i++)
        *ret |= (uint64_t)(unsigned char)bytes.ptr[i] << (8 * i);
    return WIRE_OK;
}

/* Reads what stands before the content of a field: its tag, and its length or
 * number. Stores how many bytes that is. */
static enum wire_trouble read_head(struct str bytes, struct wire_field *field,
                                   size_t *ret_length)
{
    enum wire_trouble trouble;
    uint64_t tag;
    size_t more = 0;

    trouble = read_varint(bytes, &tag, ret_length);
    if (trouble != WIRE_OK)
        return trouble;
    if (tag >> 3 == 0 || tag >> 3 > NUMBER_MOST)
        return WIRE_BAD_TAG;
    field->number = (uint32_t)(tag >> 3);
    field->type = (enum wire_type)(tag & 7);
    bytes = str_skip(bytes, *ret_length);
    switch (tag & 7) {
    case WIRE_VARINT:
    case WIRE_BYTES:
        trouble = read_varint(bytes, &field->value, &more);
        break;
    case WIRE_FIXED64:
    case WIRE_FIXED32:
        more = (tag & 7) == WIRE_FIXED64 ? 8 : 4;
        trouble = read_fixed(bytes, more, &field->value);
        break;
    default:
        return WIRE_BAD_TAG;
    }
    *ret_length += more;
    return trouble;
}

/* Passes over what is left of the last field. */
static bool pass_pending(struct wire *wire)
{
    const char *at;

    while (wire->pending) {
        size_t want = wire->pending < PIECE ? (size_t)wire->pending : PIECE;
        size_t have = wire->hold(wire->user, want, &at);

        if (have > want)
            have = want;
        wire->pass(wire->user, have);
        wire->offset += have;
        wire->pending -= have;
        if (have < want)
            return false;
    }
    return true;
}

static int fail(struct wire *wire, enum wire_trouble trouble)
{
    wire->trouble = trouble;
    return -1;
}

/* Whether the content of a field is to be held in one piece. */
static bool is_wanted(const struct wire *wire, uint32_t number)
{
    return number < 64 && (wire->wanted >> number & 1);
}

int wire_next(struct wire *wire, struct wire_field *ret)
{
    struct wire_field field = {0};
    struct str bytes;
    enum wire_trouble trouble;
    size_t head;

    if (wire->trouble != WIRE_OK)
        return -1;
    if (!pass_pending(wire))
        return fail(wire, WIRE_CUT);
    bytes.len = wire->hold(wire->user, HEAD_MOST, &bytes.ptr);
    if (!bytes.len)
        return 0;
    trouble = read_head(bytes, &field, &head);
    if (trouble != WIRE_OK)
        return fail(wire, trouble);
    field.offset = wire->offset;
    wire->pending = head;
    if (field.type == WIRE_BYTES) {
        uint64_t length = field.value;

        if (length > SIZE_MAX - HEAD_MOST)
            return fail(wire, WIRE_CUT);
        if (is_wanted(wire, field.number)) {
            bytes.len = wire->hold(wire->user, head + length, &bytes.ptr);
            if (bytes.len < head + length)
                return fail(wire, WIRE_CUT);
            field.bytes = (struct str){bytes.ptr + head, length};
        }
        wire->pending += length;
    }
    *ret = field;
    return 1;
}

int wire_cut(struct str *message, struct wire_field *ret)
{
    struct wire_field field = {0};
    struct str rest;
    size_t head;

    if (!message->len)
        return 0;
    if (read_head(*message, &field, &head) != WIRE_OK)
        return -1;
    rest = str_skip(*message, head);
    if (field.type == WIRE_BYTES) {
        if (field.value > rest.len)
            return -1;
        field.bytes = str_head(rest, (size_t)field.value);
        rest = str_skip(rest, (size_t)field.value);
    }
    *message = rest;
    *ret = field;
    return 1;
}

bool wire_cut_varint(struct str *packed, uint64_t *ret)
{
    size_t length;

    if (read_varint(*packed, ret, &length) != WIRE_OK)
        return false;
    *packed = str_skip(*packed, length);
    return true;
}

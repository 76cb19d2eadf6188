#include "support/proto.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

void proto_init(struct proto *proto)
{
    *proto = (struct proto){.n_texts = 1, .texts = {""}};
}

void proto_done(struct proto *proto)
{
    buf_done(&proto->out);
}

static void put_varint(struct buf *out, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        buf_add_char(out, (char)(number | 0x80));
    buf_add_char(out, (char)number);
}

void proto_number(struct buf *out, uint32_t field, uint64_t value)
{
    put_varint(out, (uint64_t)field << 3);
    put_varint(out, value);
}

void proto_bytes(struct buf *out, uint32_t field, struct str bytes)
{
    put_varint(out, (uint64_t)field << 3 | 2);
    put_varint(out, bytes.len);
    buf_add(out, bytes);
}

uint64_t proto_index(struct proto *proto, const char *text)
{
    size_t i = 0;

    while (i < proto->n_texts && strcmp(proto->texts[i], text) != 0)
        i++;
    assert_true(i < PROTO_TEXTS_MOST);
    if (i == proto->n_texts)
        proto->texts[proto->n_texts++] = text;
    return i;
}

/* Appends a message and frees its bytes. */
static void put_message(struct buf *out, uint32_t field, struct buf *message)
{
    proto_bytes(out, field, buf_str(message));
    buf_done(message);
}

void proto_type(struct proto *proto, uint32_t field, const char *name,
                const char *unit)
{
    struct buf message = {0};

    proto_number(&message, 1, proto_index(proto, name));
    proto_number(&message, 2, proto_index(proto, unit));
    put_message(&proto->out, field, &message);
}

void proto_function(struct proto *proto, uint64_t id, const char *name,
                    const char *file)
{
    struct buf message = {0};

    proto_number(&message, 1, id);
    proto_number(&message, 2, proto_index(proto, name));
    proto_number(&message, 3, proto_index(proto, name));
    proto_number(&message, 4, proto_index(proto, file));
    put_message(&proto->out, 5, &message);
}

static void put_line(struct buf *out, uint64_t function, uint64_t line)
{
    struct buf message = {0};

    proto_number(&message, 1, function);
    proto_number(&message, 2, line);
    put_message(out, 4, &message);
}

void proto_location(struct proto *proto, uint64_t id, uint64_t address,
                    uint64_t inner, uint64_t inner_line, uint64_t outer,
                    uint64_t outer_line)
{
    struct buf message = {0};

    proto_number(&message, 1, id);
    proto_number(&message, 3, address);
    if (inner)
        put_line(&message, inner, inner_line);
    if (outer)
        put_line(&message, outer, outer_line);
    put_message(&proto->out, 4, &message);
}

static void put_list(const struct proto *proto, struct buf *out, uint32_t field,
                     struct proto_list list)
{
    struct buf packed = {0};

    for (size_t i = 0; i < list.count; i++) {
        if (proto->is_unpacked)
            proto_number(out, field, list.items[i]);
        else
            put_varint(&packed, list.items[i]);
    }
    if (packed.len)
        proto_bytes(out, field, buf_str(&packed));
    buf_done(&packed);
}

void proto_sample(struct proto *proto, struct proto_list locations,
                  struct proto_list values, struct str labels)
{
    struct buf message = {0};

    put_list(proto, &message, 1, locations);
    put_list(proto, &message, 2, values);
    buf_add(&message, labels);
    put_message(&proto->out, 2, &message);
}

void proto_label(struct proto *proto, struct buf *out, const char *key,
                 const char *text, uint64_t number, const char *unit)
{
    struct buf message = {0};

    proto_number(&message, 1, proto_index(proto, key));
    if (text)
        proto_number(&message, 2, proto_index(proto, text));
    else
        proto_number(&message, 3, number);
    if (unit)
        proto_number(&message, 4, proto_index(proto, unit));
    put_message(out, 3, &message);
}

void proto_texts(struct proto *proto)
{
    for (size_t i = 0; i < proto->n_texts; i++)
        proto_bytes(&proto->out, 6, str_from(proto->texts[i]));
}

void proto_goroutines(struct proto *proto)
{
    proto_type(proto, 11, "goroutine", "count");
    proto_number(&proto->out, 12, 1);
    proto_type(proto, 1, "goroutine", "count");
    proto_function(proto, 1, "main.f", "/m.go");
    proto_function(proto, 2, "main.g", "/m.go");
    proto_function(proto, 3, "main.main", "/main.go");
    proto_location(proto, 1, 0x1001, 1, 11, 0, 0);
    proto_location(proto, 2, 0x2001, 2, 22, 0, 0);
    proto_location(proto, 3, 0x3001, 3, 33, 0, 0);
}

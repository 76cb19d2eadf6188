/* debug=0: a profile says the same in pieces of any size, and in any order of
 * its fields. */
#include "base/buf.h"
#include "pprof/profile.h"
#include "pprof/wire.h"
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Appends the fields of a message whose number is among those of the mask,
 * bit n for number n, or all others when it is 0; false when the message is
 * not whole. */
static int put_fields(struct buf *buf, struct str message, uint64_t mask)
{
    const uint64_t all = 0x7e7e; /* those of the masks below */
    struct wire_field field;
    const char *at = message.ptr;
    int rc;

    while ((rc = wire_cut(&message, &field)) > 0) {
        uint64_t bit = field.number < 64 ? (uint64_t)1 << field.number : 0;

        if (mask ? (bit & mask) != 0 : (bit & all) == 0)
            buf_add(buf, (struct str){at, (size_t)(message.ptr - at)});
        at = message.ptr;
    }
    return rc == 0;
}

/* Every number, once, in an order of its own: what is said once, functions,
 * locations, types, the string table, the samples. */
static int put_sorted(struct buf *buf, struct str message)
{
    static const uint64_t masks[] = {1u << 11 | 1u << 9 | 1u << 10 | 1u << 12 |
                                         1u << 13 | 1u << 14,
                                     1u << 5,
                                     1u << 4,
                                     1u << 3,
                                     1u << 1,
                                     1u << 6,
                                     0,
                                     1u << 2};

    for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
        if (!put_fields(buf, message, masks[i]))
            return 0;
    }
    return 1;
}

/* A profile is recognised by the messages that come first, which others may be
 * in another order, and sound or not. It has to begin with the input: the end
 * of an empty line in front of it is the tag of a field as well, and with that
 * one the fields are others. */
static void check_order(const struct reading *plain, struct str message)
{
    struct reading sorted;
    struct buf buf = {0};

    if (profile_looks_like(message) && put_sorted(&buf, message) &&
        profile_looks_like(buf_str(&buf))) {
        reading_init(&sorted, NULL);
        reading_add(&sorted, buf.ptr, buf.len, 0);
        if (sorted.rc == 0)
            reading_same_groups(plain, &sorted, NULL);
        reading_done(&sorted);
    }
    buf_done(&buf);
}

/* Whether it is one profile, about which nothing was odd. */
static int is_protobuf(const struct reading *reading)
{
    return reading->rc == 0 && !reading->snapshots->diags.first &&
           cprof_snapshots_count(reading->snapshots) == 1 &&
           str_equal(
               str_from(
                   snapshot_info_get(reading->snapshots->items[0])->format),
               STR("debug0"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reading plain;
    struct reading pieces;

    reading_init(&plain, NULL);
    reading_init(&pieces, NULL);
    reading_add(&plain, data, size, 0);
    reading_add(&pieces, data, size, 1 + size % 5);
    reading_same(&plain, &pieces);
    if (is_protobuf(&plain))
        check_order(&plain, (struct str){(const char *)data, size});
    reading_done(&plain);
    reading_done(&pieces);
    return 0;
}

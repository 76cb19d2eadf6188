/* The outer message of a profile, field by field. */
#include <setjmp.h>
#include <stdarg.h>

#include "pprof/wire.h"
#include "support/proto.h"

#include <cmocka.h>

/* A source that shows no more than it was asked for. */
struct bytes {
    struct str rest;
    size_t most_held;
};

static size_t hold(void *user, size_t want, const char **ret)
{
    struct bytes *bytes = user;

    if (want > bytes->most_held)
        bytes->most_held = want;
    *ret = bytes->rest.ptr;
    return want < bytes->rest.len ? want : bytes->rest.len;
}

static void pass(void *user, size_t n)
{
    struct bytes *bytes = user;

    assert_true(n <= bytes->rest.len);
    bytes->rest = str_skip(bytes->rest, n);
}

static struct wire begin(struct bytes *bytes, struct str all, uint64_t wanted)
{
    *bytes = (struct bytes){.rest = all};
    return (struct wire){
        .hold = hold, .pass = pass, .user = bytes, .wanted = wanted};
}

static void fields_come_in_order_with_their_offsets(void **state)
{
    struct str all = STR("\x08\x96\x01" /* 1: 150 */
                         "\x12\x03"     /* 2: "abc" */
                         "abc"
                         "\x19\x01\0\0\0\0\0\0\x80"   /* 3: fixed64 */
                         "\x25\x02\0\0\0"             /* 4: fixed32 */
                         "\xf8\xff\xff\xff\x0f\x00"); /* 2^29 - 1: 0 */
    struct bytes bytes;
    struct wire wire = begin(&bytes, all, ~(uint64_t)0);
    struct wire_field field;

    (void)state;
    assert_int_equal(wire_next(&wire, &field), 1);
    assert_int_equal(field.number, 1);
    assert_int_equal(field.type, WIRE_VARINT);
    assert_int_equal(field.value, 150);
    assert_int_equal(field.offset, 0);
    assert_int_equal(wire_next(&wire, &field), 1);
    assert_int_equal(field.number, 2);
    assert_true(str_equal(field.bytes, STR("abc")));
    assert_int_equal(field.offset, 3);
    assert_int_equal(wire_next(&wire, &field), 1);
    assert_int_equal(field.type, WIRE_FIXED64);
    assert_true(field.value == 0x8000000000000001u);
    assert_int_equal(wire_next(&wire, &field), 1);
    assert_int_equal(field.type, WIRE_FIXED32);
    assert_int_equal(field.value, 2);
    assert_int_equal(wire_next(&wire, &field), 1);
    assert_int_equal(field.number, (1 << 29) - 1);
    assert_int_equal(wire_next(&wire, &field), 0);
    assert_int_equal(wire.trouble, WIRE_OK);
    assert_int_equal(wire.offset, all.len);
}

static void every_cut_is_the_end_of_a_field_or_trouble(void **state)
{
    struct str all = STR("\x08\x96\x01"
                         "\x12\x03"
                         "abc"
                         "\x25\x02\0\0\0");
    size_t whole = 0;

    (void)state;
    for (size_t n = 0; n <= all.len; n++) {
        struct bytes bytes;
        struct wire wire = begin(&bytes, str_head(all, n), ~(uint64_t)0);
        struct wire_field field;
        int rc;

        while ((rc = wire_next(&wire, &field)) > 0)
            continue;
        whole += rc == 0;
        assert_int_equal(wire.trouble, rc == 0 ? WIRE_OK : WIRE_CUT);
        assert_int_equal(wire_next(&wire, &field), rc);
    }
    /* Before, between and behind the three fields. */
    assert_int_equal(whole, 4);
}

static void expect_trouble(struct str all, enum wire_trouble trouble)
{
    struct bytes bytes;
    struct wire wire = begin(&bytes, all, ~(uint64_t)0);
    struct wire_field field;

    assert_int_equal(wire_next(&wire, &field), -1);
    assert_int_equal(wire.trouble, trouble);
    assert_int_equal(wire.offset, 0);
    assert_int_equal(wire_cut(&all, &field), -1);
}

static void what_is_no_field_ends_the_message(void **state)
{
    (void)state;
    expect_trouble(STR("\x00\x01"), WIRE_BAD_TAG);
    expect_trouble(STR("\x0b\x01"), WIRE_BAD_TAG); /* a group begins */
    expect_trouble(STR("\x0c\x01"), WIRE_BAD_TAG); /* a group ends */
    expect_trouble(STR("\x0e\x01"), WIRE_BAD_TAG); /* no wire type */
    expect_trouble(STR("\x80\x80\x80\x80\x10\x00"), WIRE_BAD_TAG);
    expect_trouble(STR("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"),
                   WIRE_LONG_VARINT);
    expect_trouble(STR("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
                   WIRE_LONG_VARINT);
}

static void the_largest_number_is_read(void **state)
{
    struct str all = STR("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    struct wire_field field;

    (void)state;
    assert_int_equal(wire_cut(&all, &field), 1);
    assert_true(field.value == UINT64_MAX);
    assert_int_equal(wire_cut(&all, &field), 0);
}

static void a_length_beyond_the_input_allocates_nothing(void **state)
{
    /* A text of 10^18 bytes. */
    struct str all = STR("\x32\x80\x80\x90\xbb\xba\xd6\xad\xf0\x0d"
                         "abc");
    struct bytes bytes;
    struct wire wire = begin(&bytes, all, 0);
    struct wire_field field;

    (void)state;
    assert_int_equal(wire_next(&wire, &field), 1);
    assert_int_equal(wire_next(&wire, &field), -1);
    assert_int_equal(wire.trouble, WIRE_CUT);
    assert_true(bytes.most_held <= 64 * 1024);
    expect_trouble(all, WIRE_CUT);
}

static void unwanted_fields_are_passed_piece_by_piece(void **state)
{
    static char long_text[200000];
    struct buf all = {0};
    struct bytes bytes;
    struct wire wire;
    struct wire_field field;

    (void)state;
    proto_bytes(&all, 7, (struct str){long_text, sizeof(long_text)});
    proto_number(&all, 9, 5);
    wire = begin(&bytes, buf_str(&all), 1u << 9);
    assert_int_equal(wire_next(&wire, &field), 1);
    assert_int_equal(field.number, 7);
    assert_int_equal(field.bytes.len, 0);
    assert_int_equal(wire_next(&wire, &field), 1);
    assert_int_equal(field.number, 9);
    assert_int_equal(wire_next(&wire, &field), 0);
    assert_true(bytes.most_held <= 64 * 1024);
    buf_done(&all);
}

static void the_cursor_stays_at_a_field_that_is_not_taken(void **state)
{
    struct str all = STR("\x08\x01\x12\x01z");
    struct bytes bytes;
    struct wire wire = begin(&bytes, all, ~(uint64_t)0);
    struct wire_field field;

    (void)state;
    assert_int_equal(wire_next(&wire, &field), 1);
    assert_int_equal(wire_next(&wire, &field), 1);
    assert_int_equal(bytes.rest.len, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_come_in_order_with_their_offsets),
        cmocka_unit_test(every_cut_is_the_end_of_a_field_or_trouble),
        cmocka_unit_test(what_is_no_field_ends_the_message),
        cmocka_unit_test(the_largest_number_is_read),
        cmocka_unit_test(a_length_beyond_the_input_allocates_nothing),
        cmocka_unit_test(unwanted_fields_are_passed_piece_by_piece),
        cmocka_unit_test(the_cursor_stays_at_a_field_that_is_not_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Recognition of a profile by its first bytes. */
#include "pprof/profile.h"

enum { MESSAGES_TO_LOOK_AT = 4 };

/* What a field of the outer message holds. */
enum content {
    CONTENT_NONE, /* no field of a profile */
    CONTENT_NUMBER,
    CONTENT_TEXT,
    CONTENT_NUMBERS, /* packed, or one number */
    CONTENT_MESSAGE,
};

/* The fields of the outer message (profile.proto: Profile) by number, and for
 * messages bit n for each field n that may stand in them: as numbers, and as
 * bytes (messages and packed numbers). */
static const struct outer {
    enum content content;
    uint32_t numbers;
    uint32_t bytes;
} outers[] = {
    [1] = {CONTENT_MESSAGE, 0x6, 0},     /* sample_type */
    [2] = {CONTENT_MESSAGE, 0x6, 0xe},   /* sample */
    [3] = {CONTENT_MESSAGE, 0x7fe, 0},   /* mapping */
    [4] = {CONTENT_MESSAGE, 0x2e, 0x10}, /* location */
    [5] = {CONTENT_MESSAGE, 0x3e, 0},    /* function */
    [6] = {CONTENT_TEXT, 0, 0},          /* string_table */
    [7] = {CONTENT_NUMBER, 0, 0},        /* drop_frames */
    [8] = {CONTENT_NUMBER, 0, 0},        /* keep_frames */
    [9] = {CONTENT_NUMBER, 0, 0},        /* time_nanos */
    [10] = {CONTENT_NUMBER, 0, 0},       /* duration_nanos */
    [11] = {CONTENT_MESSAGE, 0x6, 0},    /* period_type */
    [12] = {CONTENT_NUMBER, 0, 0},       /* period */
    [13] = {CONTENT_NUMBERS, 0, 0},      /* comment */
    [14] = {CONTENT_NUMBER, 0, 0},       /* default_sample_type */
    [15] = {CONTENT_NUMBER, 0, 0},       /* doc_url */
};

/* Whether a message holds nothing but the fields that it may. */
static bool is_sound(struct str message, const struct outer *outer)
{
    struct wire_field field;
    int rc;

    while ((rc = wire_cut(&message, &field)) > 0) {
        uint32_t may = field.type == WIRE_BYTES ? outer->bytes : outer->numbers;

        if (field.number > 31 || !(may >> field.number & 1) ||
            (field.type != WIRE_BYTES && field.type != WIRE_VARINT))
            return false;
    }
    return rc == 0;
}

static bool fits(const struct wire_field *field)
{
    enum content content = CONTENT_NONE;

    if (field->number < sizeof(outers) / sizeof(outers[0]))
        content = outers[field->number].content;
    switch (content) {
    case CONTENT_NUMBER:
        return field->type == WIRE_VARINT;
    case CONTENT_TEXT:
        return field->type == WIRE_BYTES;
    case CONTENT_NUMBERS:
        return field->type == WIRE_BYTES || field->type == WIRE_VARINT;
    case CONTENT_MESSAGE:
        return field->type == WIRE_BYTES &&
               is_sound(field->bytes, &outers[field->number]);
    default:
        return false;
    }
}

/* Whether a field is a message that begins as no text does: the tags of the
 * lowest fields are control characters. */
static bool is_binary(const struct wire_field *field)
{
    return outers[field->number].content == CONTENT_MESSAGE &&
           field->bytes.len && (unsigned char)field->bytes.ptr[0] < ' ';
}

bool profile_head_looks_like(struct str bytes)
{
    const unsigned char *at = (const unsigned char *)bytes.ptr;

    if (bytes.len < PROFILE_HEAD)
        return false;
    /* ValueType: two numbers, and nothing else. */
    if (at[0] == 0x0a || at[0] == 0x5a)
        return at[1] < ' ' && (at[2] == 0x08 || at[2] == 0x10);
    /* Nanoseconds since 1970 have nine digits of seven bits since 1972. */
    for (size_t i = 1; i < PROFILE_HEAD; i++) {
        if (!(at[i] & 0x80))
            return false;
    }
    return at[0] == 0x48;
}

bool profile_looks_like(struct str bytes)
{
    struct wire_field field;
    unsigned n_messages = 0;

    /* What wire_cut refuses may be cut, by the window or the input's end. */
    while (n_messages < MESSAGES_TO_LOOK_AT && wire_cut(&bytes, &field) > 0) {
        if (!fits(&field))
            return false;
        n_messages += is_binary(&field);
    }
    return n_messages > 0;
}

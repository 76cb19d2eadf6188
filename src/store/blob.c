#include "store/blob.h"

void blob_add(struct buf *buf, uint64_t number)
{
    char bytes[10];
    size_t n = 0;

    while (number >= 0x80) {
        bytes[n++] = (char)(unsigned char)(number | 0x80);
        number >>= 7;
    }
    bytes[n++] = (char)number;
    buf_add(buf, (struct str){bytes, n});
}

void blob_add_signed(struct buf *buf, int64_t number)
{
    uint64_t bits = (uint64_t)number << 1;

    blob_add(buf, number < 0 ? ~bits : bits);
}

void blob_add_text(struct buf *buf, struct str text)
{
    blob_add(buf, text.len);
    buf_add(buf, text);
}

struct blob blob_begin(struct str bytes)
{
    const unsigned char *at = (const unsigned char *)bytes.ptr;

    return (struct blob){at, bytes.len ? at + bytes.len : at, false};
}

bool blob_fail(struct blob *blob)
{
    blob->failed = true;
    blob->at = blob->end;
    return false;
}

uint64_t blob_get_long(struct blob *blob)
{
    uint64_t number = 0;

    for (unsigned shift = 0; shift < 64 && blob->at < blob->end; shift += 7) {
        uint64_t byte = *blob->at++;

        if (shift == 63 && byte > 1)
            break;
        number |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
    blob_fail(blob);
    return 0;
}

uint64_t blob_get_below(struct blob *blob, uint64_t most)
{
    uint64_t number = blob_get(blob);

    if (number <= most)
        return number;
    blob_fail(blob);
    return 0;
}

size_t blob_get_count(struct blob *blob, size_t most)
{
    uint64_t number = blob_get_below(blob, most);

    if (number <= (size_t)(blob->end - blob->at))
        return (size_t)number;
    blob_fail(blob);
    return 0;
}

int64_t blob_get_signed(struct blob *blob)
{
    uint64_t bits = blob_get(blob);

    return (int64_t)(bits & 1 ? ~(bits >> 1) : bits >> 1);
}

struct str blob_get_text(struct blob *blob)
{
    size_t len = blob_get_count(blob, SIZE_MAX);
    struct str text = {(const char *)blob->at, len};

    if (len)
        blob->at += len;
    return text;
}

bool blob_is_done(const struct blob *blob)
{
    return !blob->failed && blob->at == blob->end;
}

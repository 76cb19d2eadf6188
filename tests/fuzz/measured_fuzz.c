/* Heap, block and mutex profiles as text: what follows their first lines is
 * read in pieces of any size to the same values, and lines of text that end in
 * "\r\n" say the same. */
#include "base/buf.h"
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct str titles[] = {
    STR_INIT("heap profile: 3: 3000 [5: 5001] @ heap/1048576\n"),
    STR_INIT("heap profile: 3: 20 [ 3: 20] @ heap_v2/524288\n"),
    STR_INIT("--- contention:\ncycles/second=2299999443\n"),
    STR_INIT("--- mutex:\ncycles/second=2299998144\nsampling period=1\n"),
};

/* Whether nothing in it can be a profile as protobuf, in which a line end is a
 * byte like others. */
static bool is_text(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];

        if (c < ' ' && c != '\t' && c != '\n')
            return false;
    }
    return true;
}

static void put_returns(struct buf *buf, struct str text)
{
    while (text.len) {
        size_t n = str_find(text, '\n');

        buf_add(buf, str_head(text, n));
        if (n < text.len)
            buf_add(buf, STR("\r\n"));
        text = str_skip(text, n + 1);
    }
}

static void check_returns(const struct reading *plain, struct str text)
{
    struct reading other;
    struct buf buf = {0};

    put_returns(&buf, text);
    reading_init(&other, NULL);
    reading_add(&other, buf.ptr, buf.len, 0);
    reading_same(plain, &other);
    reading_done(&other);
    buf_done(&buf);
}

static void check_text(struct str text)
{
    struct reading plain;
    struct reading pieces;

    reading_init(&plain, NULL);
    reading_init(&pieces, NULL);
    reading_add(&plain, text.ptr, text.len, 0);
    CHECK(plain.rc == 0);
    reading_add(&pieces, text.ptr, text.len, 1 + text.len % 5);
    reading_same(&plain, &pieces);
    if (is_text(text))
        check_returns(&plain, text);
    reading_done(&plain);
    reading_done(&pieces);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
        struct buf buf = {0};

        buf_add(&buf, titles[i]);
        if (size)
            buf_add(&buf, (struct str){(const char *)data, size});
        check_text(buf_str(&buf));
        buf_done(&buf);
    }
    return 0;
}

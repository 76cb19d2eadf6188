/* blob.h - numbers and texts as a run of bytes.
 *
 * A number is written seven bits a byte, the lowest first, as protobuf does
 * it; one with a sign is folded first, so that small ones of both signs are
 * short; a text is its length and its bytes. A blob that is read may hold
 * anything: a reader that runs over its end, or meets a number of more than 64
 * bits, fails, gives zeros from then on, and is asked once at the end. */
#ifndef STORE_BLOB_H
#define STORE_BLOB_H

#include "base/buf.h"

/* Appends a number; one with a sign; a text. */
void blob_add(struct buf *buf, uint64_t number);
void blob_add_signed(struct buf *buf, int64_t number);
void blob_add_text(struct buf *buf, struct str text);

struct blob {
    const unsigned char *at;
    const unsigned char *end;
    bool failed;
};

/* A reader at the start of bytes, which must outlive it. */
struct blob blob_begin(struct str bytes);

/* Fails, and moves to the end. Returns false. */
bool blob_fail(struct blob *blob);

/* The next number of more than one byte; blob_get is what to call. */
uint64_t blob_get_long(struct blob *blob);

/* The next number. */
static inline uint64_t blob_get(struct blob *blob)
{
    if (blob->at < blob->end && *blob->at < 0x80)
        return *blob->at++;
    return blob_get_long(blob);
}

/* The next number, which must be at most `most`: the reader fails otherwise. */
uint64_t blob_get_below(struct blob *blob, uint64_t most);

/* How many things follow, each of at least one byte: the reader fails when the
 * bytes cannot hold so many, or they are more than `most`. */
size_t blob_get_count(struct blob *blob, size_t most);

/* The next number with a sign; the next text, which lives in the blob. */
int64_t blob_get_signed(struct blob *blob);
struct str blob_get_text(struct blob *blob);

/* Whether all was read and nothing failed. */
bool blob_is_done(const struct blob *blob);

#endif

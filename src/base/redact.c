#include "base/redact.h"

#include <stdlib.h>

/* So much of the beginning of a secret is hidden where the rest is cut off. */
enum { PREFIX_LEAST = 8 };

/* A shorter name of a user stands in too many words: "ann" in "cannot". */
enum { NAME_LEAST = 6 };

static const struct str mark = STR_INIT("***");

static void wipe(struct buf *buf)
{
    if (buf->ptr)
        explicit_bzero(buf->ptr, buf->len);
    buf_done(buf);
}

void redaction_done(struct redaction *redaction)
{
    for (size_t i = 0; i < redaction->count; i++)
        wipe(&redaction->secrets[i]);
    free(redaction->secrets);
    *redaction = (struct redaction){0};
}

void redaction_add(struct redaction *redaction, struct str secret)
{
    struct buf *secrets;
    struct buf copy = {0};

    if (secret.len < REDACT_LEAST)
        return;
    secrets =
        realloc(redaction->secrets, (redaction->count + 1) * sizeof(*secrets));
    buf_add(&copy, secret);
    if (secrets)
        redaction->secrets = secrets;
    if (!secrets || copy.failed) {
        redaction->failed = true;
        wipe(&copy);
        return;
    }
    secrets[redaction->count++] = copy;
}

static void add_base64(struct buf *buf, struct str text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < text.len; i += 3) {
        uint32_t bits = 0;

        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 |
                   (i + k < text.len ? (unsigned char)text.ptr[i + k] : 0);
        for (size_t k = 0; k < 4 && i + k <= text.len; k++)
            buf_add_char(buf, digits[bits >> (18 - 6 * k) & 63]);
    }
}

void redaction_add_user(struct redaction *redaction, struct str user)
{
    size_t colon = str_find(user, ':');
    struct buf basic = {0};

    add_base64(&basic, user);
    redaction_add(redaction, user);
    if (colon >= NAME_LEAST)
        redaction_add(redaction, str_head(user, colon));
    redaction_add(redaction, str_skip(user, colon + 1));
    redaction_add(redaction, buf_str(&basic));
    redaction->failed |= basic.failed;
    wipe(&basic);
}

/* The byte that text begins with, decoded; *ret_n is how many stand for it. */
static char first_byte(struct str text, size_t *ret_n)
{
    struct str digits = str_head(str_skip(text, 1), 2);
    uint64_t byte;

    *ret_n = 1;
    if (text.ptr[0] != '%' || digits.len < 2 || !str_cut_hex(&digits, &byte) ||
        digits.len)
        return text.ptr[0];
    *ret_n = 3;
    return (char)byte;
}

void percent_decode(struct buf *buf, struct str text)
{
    size_t n;

    while (text.len) {
        buf_add_char(buf, first_byte(text, &n));
        text = str_skip(text, n);
    }
}

/* How many bytes at the front of text are the secret, or enough of it. A "%" of
 * the secret itself may stand as it is. */
static size_t secret_at(struct str text, struct str secret)
{
    size_t used = 0;
    size_t i = 0;

    while (i < secret.len && text.len) {
        size_t n = 1;

        if (text.ptr[0] != secret.ptr[i] &&
            first_byte(text, &n) != secret.ptr[i])
            break;
        text = str_skip(text, n);
        used += n;
        i++;
    }
    return i == secret.len || i >= PREFIX_LEAST ? used : 0;
}

void redaction_hide(struct buf *buf, const struct redaction *redaction,
                    struct str text)
{
    if (redaction->failed) {
        buf_add(buf, mark);
        return;
    }
    while (text.len) {
        size_t longest = 0;

        for (size_t i = 0; i < redaction->count; i++) {
            size_t n = secret_at(text, buf_str(&redaction->secrets[i]));

            longest = n > longest ? n : longest;
        }
        if (longest)
            buf_add(buf, mark);
        else
            buf_add_char(buf, text.ptr[0]);
        text = str_skip(text, longest ? longest : 1);
    }
}

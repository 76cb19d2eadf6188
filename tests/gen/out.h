/* out.h - a buffered writer for gigabytes of text, and memory that is there.
 *
 * A writer reserves room, fills it through a plain pointer and commits what it
 * used, so that the inner loop of the generator is memcpy alone. Whatever goes
 * wrong ends the program with status 2: a dump that is not whole is of no use.
 */
#ifndef GEN_OUT_H
#define GEN_OUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct out {
    char *buf;
    size_t len;     /* bytes waiting in buf */
    uint64_t total; /* bytes committed since the start */
    int fd;
};

/* The most that out_reserve grants at once. */
enum { OUT_ROOM = 64 * 1024 };

/* Prints "gendump: ..." to stderr and exits with status 2. The format is
 * printf's. */
_Noreturn void die(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Returns n zeroed elements of that size, never NULL; the caller frees them.
 * Exits when there is no memory. */
void *must_alloc(size_t n, size_t size);

/* Starts writing to an open descriptor, which stays the caller's. */
void out_open(struct out *out, int fd);

/* Writes what is left and frees the buffer. Exits when it cannot be written. */
void out_close(struct out *out);

/* Writes what is waiting. */
void out_flush(struct out *out);

/* Returns a place with room for n bytes, at most OUT_ROOM; it is valid until
 * the next call on this writer. */
static inline char *out_reserve(struct out *out, size_t n)
{
    if (out->len + n > (size_t)4 * OUT_ROOM)
        out_flush(out);
    return out->buf + out->len;
}

/* Ends what out_reserve began: the bytes up to `end` are part of the output. */
static inline void out_commit(struct out *out, const char *end)
{
    size_t len = (size_t)(end - out->buf) - out->len;

    out->len += len;
    out->total += len;
}

/* The put functions write at a place where there is room, add no NUL, and
 * return the place behind what they wrote. */

/* Writes the bytes of a text. */
static inline char *put_bytes(char *to, const char *text, size_t len)
{
    memcpy(to, text, len);
    return to + len;
}

/* Writes a NUL-terminated text. */
static inline char *put_text(char *to, const char *text)
{
    return put_bytes(to, text, strlen(text));
}

/* Writes a number in decimal digits, at most 20. */
char *put_decimal(char *to, uint64_t number);

/* Writes a number in hexadecimal digits without leading zeros, at most 16. */
char *put_hex(char *to, uint64_t number);

/* Writes exactly eight hexadecimal digits. */
char *put_hex8(char *to, uint32_t number);

#endif

#include "out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char hex_pairs[] =
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"
    "404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f"
    "606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f"
    "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"
    "a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf"
    "c0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedf"
    "e0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";

void die(const char *format, ...)
{
    va_list args;

    fputs("gendump: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(2);
}

void *must_alloc(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);

    if (!memory)
        die("no memory for %zu times %zu bytes", n, size);
    return memory;
}

void out_open(struct out *out, int fd)
{
    *out = (struct out){.fd = fd};
    out->buf = must_alloc((size_t)4 * OUT_ROOM, 1);
}

void out_flush(struct out *out)
{
    size_t done = 0;

    while (done < out->len) {
        ssize_t n = write(out->fd, out->buf + done, out->len - done);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            die("cannot write: %s", strerror(errno));
        done += (size_t)n;
    }
    out->len = 0;
}

void out_close(struct out *out)
{
    out_flush(out);
    free(out->buf);
    out->buf = NULL;
}

char *put_decimal(char *to, uint64_t number)
{
    char digits[20];
    size_t at = sizeof(digits);

    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return put_bytes(to, digits + at, sizeof(digits) - at);
}

char *put_hex8(char *to, uint32_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8) {
        memcpy(to, hex_pairs + (number >> shift & 0xff) * 2, 2);
        to += 2;
    }
    return to;
}

char *put_hex(char *to, uint64_t number)
{
    char digits[16];
    size_t at = 0;

    put_hex8(digits, (uint32_t)(number >> 32));
    put_hex8(digits + 8, (uint32_t)number);
    while (at < sizeof(digits) - 1 && digits[at] == '0')
        at++;
    return put_bytes(to, digits + at, sizeof(digits) - at);
}

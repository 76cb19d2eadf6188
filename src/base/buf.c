#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>

static _Thread_local size_t n_failures;

size_t buf_failures(void)
{
    return n_failures;
}

static void fail(struct buf *buf)
{
    n_failures += !buf->failed;
    buf->failed = true;
}

void buf_done(struct buf *buf)
{
    free(buf->ptr);
    *buf = (struct buf){0};
}

void buf_clear(struct buf *buf)
{
    buf->len = 0;
    buf->failed = false;
    if (buf->ptr)
        buf->ptr[0] = '\0';
}

/* Makes room for extra bytes and the NUL. */
static bool reserve(struct buf *buf, size_t extra)
{
    size_t size = buf->size ? buf->size : 128;
    char *ptr;

    if (extra > SIZE_MAX / 4 - buf->len)
        fail(buf);
    if (buf->failed)
        return false;
    if (buf->len + extra < buf->size)
        return true;
    while (size <= buf->len + extra)
        size *= 2;
    ptr = realloc(buf->ptr, size);
    if (!ptr) {
        fail(buf);
        return false;
    }
    buf->ptr = ptr;
    buf->size = size;
    return true;
}

char *buf_extend(struct buf *buf, size_t n)
{
    char *at;

    if (!reserve(buf, n))
        return NULL;
    at = buf->ptr + buf->len;
    buf->len += n;
    buf->ptr[buf->len] = '\0';
    return at;
}

void buf_add(struct buf *buf, struct str text)
{
    if (str_is_lost(text))
        fail(buf);
    if (!reserve(buf, text.len))
        return;
    if (text.len)
        memcpy(buf->ptr + buf->len, text.ptr, text.len);
    buf->len += text.len;
    buf->ptr[buf->len] = '\0';
}

void buf_add_char(struct buf *buf, char c)
{
    if (!reserve(buf, 1))
        return;
    buf->ptr[buf->len++] = c;
    buf->ptr[buf->len] = '\0';
}

void buf_add_repeat(struct buf *buf, char c, size_t n)
{
    if (!reserve(buf, n))
        return;
    memset(buf->ptr + buf->len, c, n);
    buf->len += n;
    buf->ptr[buf->len] = '\0';
}

void buf_vaddf(struct buf *buf, const char *format, va_list args)
{
    size_t room = buf->failed ? 0 : buf->size - buf->len;
    va_list again;
    int n;

    /* Mostly there is room at once. */
    va_copy(again, args);
    n = vsnprintf(room ? buf->ptr + buf->len : NULL, room, format, args);
    if (n >= 0 && (size_t)n >= room && reserve(buf, (size_t)n))
        n = vsnprintf(buf->ptr + buf->len, (size_t)n + 1, format, again);
    if (n >= 0 && !buf->failed)
        buf->len += (size_t)n;
    else if (room)
        buf->ptr[buf->len] = '\0';
    va_end(again);
}

void buf_addf(struct buf *buf, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    buf_vaddf(buf, format, args);
    va_end(args);
}

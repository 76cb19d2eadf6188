/* buf.h - a text that grows.
 *
 * Appending never fails at once: when memory runs out the buffer remembers it
 * (failed) and ignores what follows, so that a writer checks once at its end. A
 * text that is made in one buffer and added to another carries the failure on.
 * The text is always NUL-terminated behind its len bytes. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>

#include "base/str.h"

struct buf {
    char *ptr; /* NULL until something was added */
    size_t len;
    size_t size;
    bool failed;
};

/* Frees the text; the buffer is empty and can be used again. */
void buf_done(struct buf *buf);

/* How many buffers of this thread have failed so far. What was decided by the
 * text of one that failed was decided wrongly: who asks before and after finds
 * out wherever it was. */
size_t buf_failures(void);

/* Makes the text empty and keeps its memory; forgets a failure. */
void buf_clear(struct buf *buf);

/* Appends bytes; one byte; n times one byte; what printf makes. */
void buf_add(struct buf *buf, struct str text);
void buf_add_char(struct buf *buf, char c);
void buf_add_repeat(struct buf *buf, char c, size_t n);
void buf_addf(struct buf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends n bytes that the caller then writes, and returns where they are; NULL
 * when there is no memory. */
char *buf_extend(struct buf *buf, size_t n);

/* The same as buf_addf with the arguments in a va_list. */
void buf_vaddf(struct buf *buf, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* What the buffer holds, until the next change; STR_LOST when memory ran out,
 * which makes every buffer fail that it is added to. */
static inline struct str buf_str(const struct buf *buf)
{
    return buf->failed ? STR_LOST : (struct str){buf->ptr, buf->len};
}

/* Whether nothing was added, which is not known of a buffer that failed. */
static inline bool buf_is_empty(const struct buf *buf)
{
    return !buf->len && !buf->failed;
}

#endif

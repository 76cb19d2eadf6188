/* utf8.h - code points as UTF-8. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/buf.h"

/* Appends a code point; U+FFFD in place of what is none: a surrogate, or more
 * than 0x10ffff. */
void utf8_add(struct buf *out, uint32_t point);

/* The same into memory with room for four bytes; how many it took. */
size_t utf8_put(char *into, uint32_t point);

#endif

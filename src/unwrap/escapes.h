/* escapes.h - the inside of a quoted string, as JSON and Go write it, and of a
 * list of bytes.
 *
 * A dump of 64 MB may stand in one string on one line, so a string is decoded
 * in parts, and without a parser that would want it whole. */
#ifndef UNWRAP_ESCAPES_H
#define UNWRAP_ESCAPES_H

#include "base/buf.h"

/* Appends what text stands for to out, up to the closing quote, and returns how
 * many bytes were used up. *ret_closed says whether the quote was met, which is
 * then used up too; closing 0 is met nowhere. An escape that the end of text
 * cuts is left for the next call; unknown escapes stand for themselves. */
size_t escapes_decode(struct str text, char closing, struct buf *out,
                      bool *ret_closed);

/* Appends the bytes of a list of numbers, "103,111]", up to its bracket;
 * *ret_closed says whether that was met, and all before it was such numbers. */
void bytes_decode(struct str text, struct buf *out, bool *ret_closed);

#endif

/* utf16.h - a source that turns UTF-16 into UTF-8 and passes on all else.
 *
 * A console of Windows writes what is redirected to a file as UTF-16. It is
 * recognised by its byte order mark, which is dropped. Half a character, or
 * half a pair, becomes U+FFFD. */
#ifndef INPUT_UTF16_H
#define INPUT_UTF16_H

#include "base/budget.h"
#include "input/source.h"

/* Puts a decoding source over *source when it begins like UTF-16, which owns it
 * from then on: closing the one closes the other. On failure the source stays
 * as it was. name is for messages. */
int utf16_decode(struct source *source, const char *name, struct budget *budget,
                 struct cprof_error *err);

#endif
